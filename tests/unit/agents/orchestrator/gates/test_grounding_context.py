"""What GALILEO receives for the grounding report: figures about the corpus, without the names of scenarios."""

from __future__ import annotations

import json
from typing import Any

from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.gates.grounding_context import build_grounding_context
from impossible_moments.agents.orchestrator.rules import build_scenario_rules
from impossible_moments.scenarios.similarity import ComparedScenario, Corpus
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.planted_faults import build_dossier, build_healthy_seed


def _build_context(*others: str, seed: str = "cellar") -> dict[str, Any]:
    registry = tuple(extract_seed_essence(build_healthy_seed(name), f"IM-{name}") for name in others)
    cast = load_builtin_cast()
    rules = build_scenario_rules(
        load_configuration(),
        cast.library,
        TfidfEmbedder(),
        corpus=Corpus.from_scenarios(registry, TfidfEmbedder()),
    )
    return build_grounding_context(build_dossier(build_healthy_seed(seed)), rules.gate_resources)


def test_the_nearest_come_first_and_are_not_named() -> None:
    context = _build_context("glue", "damp", "nerve")
    nearest = context["nearest"]
    similarities = [each["similarity"] for each in nearest]
    assert similarities == sorted(similarities, reverse=True)
    assert similarities[0] > 2 * similarities[-1]
    assert "forme" in nearest[0]["shared_object_words"]
    assert not any(name in json.dumps(context) for name in ("IM-glue", "IM-damp", "IM-nerve"))


def test_percentiles_say_where_the_scenario_lies() -> None:
    own = extract_seed_essence(build_healthy_seed("cellar"), "IM-own")
    words = len(own.narrative.split())
    cast = load_builtin_cast()
    registry = tuple(
        ComparedScenario(f"IM-{count}", "word " * count, (), "", ()) for count in (1, 2, 3, words + 10)
    )
    rules = build_scenario_rules(
        load_configuration(),
        cast.library,
        TfidfEmbedder(),
        corpus=Corpus.from_scenarios(registry, TfidfEmbedder()),
    )
    context = build_grounding_context(build_dossier(build_healthy_seed("cellar")), rules.gate_resources)
    assert context["corpus"]["size"] == 4
    assert context["corpus"]["length_percentile"] == 0.75


def test_without_other_scenarios_there_is_no_percentile() -> None:
    context = _build_context()
    assert context["nearest"] == []
    assert context["corpus"]["length_percentile"] is None


def test_the_rubric_is_that_of_the_status_of_the_brief() -> None:
    context = _build_context()
    assert any("executed" in line for line in context["rubric"]["outcome"])
