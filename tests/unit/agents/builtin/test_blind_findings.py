"""A blind reader that sees through the design at once: the text is revised and read blind again (3.4)."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.agents.scripted_players import run_flow_with_player
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder


@pytest.mark.parametrize(
    ("category", "status", "tier", "finding"),
    [
        ("The Ghost Machine", "DG", "SPARK", "TOO_TRANSPARENT"),
        ("The Misdirection", "MT", "FRACTURE", "TOO_OBVIOUS"),
    ],
)
def test_a_design_that_is_seen_through_is_revised_once_and_read_blind_again(
    category: str, status: str, tier: str, finding: str
) -> None:
    cast, blind_reports = load_builtin_cast(), []

    def answer(ask: Ask) -> LabelledModel:
        reply = cast.answer(ask)
        if isinstance(reply, ClassificationReport):
            blind_reports.append(ask.key)
            premise = "the rule that everybody repeats" if status == "MT" else ""
            return reply.model_copy(update={"status": status, "premise_named": premise})
        return reply

    rules = build_scenario_rules(
        load_configuration(), cast.library, load_wordllama_embedder(), reader=cast.find_document_shortcoming
    )
    brief = GenerationBrief.model_validate(
        {
            "scenario_id": "IM-0001",
            "category": category,
            "solution_status": status,
            "difficulty_tier": tier,
            "seed": 4,
        }
    )
    dossier = run_flow_with_player(create_scenario(brief, rules), answer).dossier
    first, *later = dossier.blind_findings
    assert first.finding.startswith(finding)
    assert first.consequence == "ATHENA is asked to revise the text"
    assert all(case.consequence != first.consequence for case in later)
    seeds = dossier.list_deliverables(SeedDocument)
    assert len(seeds) > 1
    assert seeds[0].scenario.narrative != seeds[-1].scenario.narrative
    assert len(blind_reports) > 1
