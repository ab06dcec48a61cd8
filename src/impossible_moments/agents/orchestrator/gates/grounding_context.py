"""What GALILEO receives for the grounding report besides its view of the dossier.

This is where the scenario lies among the existing ones, and the rubric by which answers will be scored. Agents must
not learn about other scenarios, so the nearest are numbered and not named.
"""

from __future__ import annotations

import re
from typing import Any, Final

from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.gates.gate_case import GateResources
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.scoring_rubrics import COMPONENTS, OUTCOME
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.scenarios.similarity import ComparedScenario, Corpus, compute_scenario_vectors

NEAREST: Final = 3
_DIGITS: Final = 3
_WORD: Final = re.compile(r"[a-z]{4,}")


def build_grounding_context(dossier: Dossier, resources: GateResources) -> dict[str, Any]:
    """Return the position of the scenario among the existing ones, and the rubric of its status."""
    return {
        **compute_corpus_position(dossier, resources),
        "rubric": {
            "components": [f"{each.name} ({each.weight:.0%}): {each.how}" for each in COMPONENTS],
            "outcome": [f"{row.response}: {row.score}" for row in OUTCOME[dossier.brief.solution_status]],
        },
    }


def compute_corpus_position(dossier: Dossier, resources: GateResources) -> dict[str, Any]:
    """Return the nearest existing scenarios and the percentiles of the newest seed document.

    The scenario itself and the sibling of a twin are left out.
    """
    seed = dossier.find_latest_deliverable(SeedDocument)
    if seed is None:
        return {}
    own_id, twin = dossier.brief.scenario_id, dossier.brief.twin
    excluded = {own_id, *([] if twin is None else [twin.of])} - {""}
    essence = extract_seed_essence(seed, own_id)
    corpus = None if resources.corpus is None else resources.corpus.without(excluded)
    length, figures, objects = (None,) * 3 if corpus is None else corpus.compute_percentiles(essence)
    return {
        "nearest": [] if corpus is None else _list_nearest(essence, corpus, resources),
        "corpus": {
            "size": 0 if corpus is None else len(corpus),
            "similarity_limit": resources.limits.similarity,
            "length_percentile": length,
            "figures_percentile": figures,
            "objects_percentile": objects,
        },
    }


def _list_nearest(
    essence: ComparedScenario, corpus: Corpus, resources: GateResources
) -> list[dict[str, Any]]:
    (vector,) = compute_scenario_vectors([essence], resources.embedder)
    own_words = _collect_object_words(essence)
    return [
        {
            "rank": rank,
            "similarity": similarity,
            "shared_object_words": sorted(own_words & _collect_object_words(corpus.load_scenario(position))),
        }
        for rank, (_, similarity, position) in enumerate(
            corpus.find_nearest(vector, NEAREST, digits=_DIGITS), 1
        )
    ]


def _collect_object_words(scenario: ComparedScenario) -> set[str]:
    return {word for name in scenario.objects for word in _WORD.findall(name.lower())}
