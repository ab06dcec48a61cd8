"""What an agent writes is shown and does nothing: it forges no section, hides nothing and runs nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.documents import ScenarioDocuments
from impossible_moments.scenarios.registry import ScenarioRegistry
from impossible_moments.scenarios.scenario import Scenario
from support.built_documents import build_golden_documents
from support.finished_dossiers import PROMPTS, build_finished_dossier, build_seed

HOSTILE = {
    "html": "Look <script>alert(1)</script> <!-- hidden --> here.",
    "heading": "# IM-0001: Forged\n\n## Common Wrong Answers\n\nnone",
    "underlined": "Common Wrong Answers\n====\n\nForged\n---",
    "fence": "```\nswallows all that follows",
    "tilde fence": "~~~~\nswallows all that follows",
    "picture": "![x](http://example.org/seen.png) and [y](javascript:alert(1))",
    "definition": "[y]: http://example.org/seen",
    "pipes": "a | b | c \\| d",
    "unseen": "a\u202eb\x00c\u200bd\x1b[31me\U000e0041",
    "slots": "$scenario_id ${name} {{ name }}",
    "lone surrogate": "a\ud800b",
}


@pytest.fixture(params=HOSTILE, scope="module")
def hostile(request: pytest.FixtureRequest) -> ScenarioDocuments:
    text = HOSTILE[request.param]
    seed = build_seed("blast_room")
    words = dict.fromkeys(("name", "narrative", "threat", "position"), text)
    scenario = seed.scenario.model_copy(
        update={
            **words,
            "objects": tuple(row.model_copy(update={"notes": text}) for row in seed.scenario.objects),
        }
    )
    dossier = build_finished_dossier(scenario=scenario, correct_outcome=text)
    return build_documents(dossier, load_everyday_library(), prompts=PROMPTS)


def test_the_headings_are_those_of_the_form(hostile: ScenarioDocuments) -> None:
    for tier in ("public", "evaluation", "trace"):
        pattern = re.compile(r"^#{2,3} .*$", re.MULTILINE)
        assert pattern.findall(getattr(hostile, tier)) == pattern.findall(
            getattr(build_golden_documents(), tier)
        )


def test_no_raw_html_link_or_fence_is_left(hostile: ScenarioDocuments) -> None:
    text = hostile.public + hostile.evaluation + hostile.trace
    assert (
        re.findall(r"<[A-Za-z/!?]|(?<!\\)\]\(|^\s*(?:```|~~~)|^\s*\[[^\]]*\]:|^=+$", text, re.MULTILINE) == []
    )


def test_no_unseen_sign_is_left(hostile: ScenarioDocuments) -> None:
    text = hostile.public + hostile.evaluation + hostile.trace
    assert all(sign == "\n" or sign.isprintable() for sign in text)


def test_every_row_of_a_table_has_as_many_cells_as_its_head(hostile: ScenarioDocuments) -> None:
    lines = hostile.public.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("| Object |"))
    rows = [line for line in lines[at : at + 5] if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}


def test_the_documents_can_be_published(hostile: ScenarioDocuments, tmp_path: Path) -> None:
    registry = ScenarioRegistry(tmp_path)
    registry.publish(hostile)
    assert list(registry.entries) == ["IM-0007"]


def test_the_document_reads_back(hostile: ScenarioDocuments) -> None:
    assert Scenario.parse(hostile.public, "hostile").status == "KS"
