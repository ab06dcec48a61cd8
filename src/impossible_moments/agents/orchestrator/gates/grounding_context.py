"""What GALILEO receives for the grounding report besides its view of the dossier.

This is where the scenario lies among the existing ones, and the rubric by which answers will be scored. Agents must
not learn about other scenarios, so the nearest are numbered and not named.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from impossible_moments.agents.orchestrator.gates.checks.seed_checks import extract_seed_essence
from impossible_moments.agents.orchestrator.gates.gate_case import GateResources
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.scoring_rubrics import COMPONENTS, OUTCOME
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.scenarios import ComparedScenario, compute_scenario_vectors

NEAREST: Final = 3
_DIGITS: Final = 3
_FIGURE: Final = re.compile(r"\d[\d.,]*")
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
    known = [
        (each, vector)
        for each, vector in zip(resources.registry, resources.registry_vectors, strict=True)
        if each.name not in excluded
    ]
    others = [each for each, _ in known]
    return {
        "nearest": _list_nearest(essence, known, resources),
        "corpus": {
            "size": len(others),
            "similarity_limit": resources.limits.similarity,
            "length_percentile": _compute_percentile(
                _count_words(essence), [_count_words(each) for each in others]
            ),
            "figures_percentile": _compute_percentile(
                _count_figures(essence), [_count_figures(each) for each in others]
            ),
            "objects_percentile": _compute_percentile(
                len(essence.objects), [len(each.objects) for each in others]
            ),
        },
    }


def _list_nearest(
    essence: ComparedScenario, known: Sequence[tuple[ComparedScenario, Any]], resources: GateResources
) -> list[dict[str, Any]]:
    if not known:
        return []
    row = compute_scenario_vectors([essence], resources.embedder)[0].astype(np.float64)
    own_words = _collect_object_words(essence)
    ranked = sorted(
        ((round(float(vector.astype(np.float64) @ row), _DIGITS), each) for each, vector in known),
        key=lambda pair: (-pair[0], pair[1].name),
    )
    return [
        {
            "rank": rank,
            "similarity": similarity,
            "shared_object_words": sorted(own_words & _collect_object_words(each)),
        }
        for rank, (similarity, each) in enumerate(ranked[:NEAREST], 1)
    ]


def _collect_object_words(scenario: ComparedScenario) -> set[str]:
    return {word for name in scenario.objects for word in _WORD.findall(name.lower())}


def _compute_percentile(value: int, others: Sequence[int]) -> float | None:
    """Return the share of the others that lie below a value, ties counted half, or None without others."""
    if not others:
        return None
    ordered = sorted(others)
    middle = (bisect_left(ordered, value) + bisect_right(ordered, value)) / 2
    return round(middle / len(ordered), 2)


def _count_words(scenario: ComparedScenario) -> int:
    return len(scenario.narrative.split())


def _count_figures(scenario: ComparedScenario) -> int:
    return len(_FIGURE.findall(scenario.narrative))
