"""Critical deliverables with a confidence below 0.5 are found in every phase."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.protocols.low_confidence import (
    CRITICAL_DELIVERABLES,
    find_low_confidence_deliverables,
)
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Answer
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, Phase
from support.dispute_cases import build_ballot, build_dossier, build_response, build_seed
from support.dossiers import make_full_dossier


def unsure(deliverable: LabelledModel, confidence: float) -> LabelledModel:
    if isinstance(deliverable, SeedDocument):
        sketch = deliverable.solution_sketch.model_copy(update={"confidence": confidence})
        return deliverable.model_copy(update={"solution_sketch": sketch})
    return deliverable.model_copy(update={"confidence": confidence})


def find_example(kind: type[LabelledModel]) -> LabelledModel:
    """A deliverable of a kind."""
    for deliverable in (build_seed(), build_ballot("ABSTAIN"), build_response(Answer.ACCEPT)):
        if isinstance(deliverable, kind):
            return deliverable
    found = make_full_dossier(Phase.DOCUMENT).find_latest_deliverable(kind)
    assert found is not None
    return found


CASES = [(phase, kind) for phase, kinds in CRITICAL_DELIVERABLES.items() for kind in kinds]


@pytest.mark.parametrize(("phase", "kind"), CASES, ids=lambda each: getattr(each, "__name__", str(each)))
@pytest.mark.parametrize(("confidence", "count"), [(0.49, 1), (0.5, 0)])
def test_every_critical_deliverable_is_watched(
    phase: Phase, kind: type[LabelledModel], confidence: float, count: int
) -> None:
    dossier = Dossier.create_for_brief(build_dossier().brief)
    filed = dossier.add_deliverable(phase, EULER, unsure(find_example(kind), confidence))
    found = find_low_confidence_deliverables(filed, phase)
    assert [(each.author, each.kind) for each in found] == [(EULER, kind.__name__)] * count


def test_a_revised_deliverable_is_the_one_that_counts() -> None:
    dossier = build_dossier(document=build_seed())
    first = dossier.add_deliverable(Phase.SEED, ATHENA, unsure(build_seed(), 0.1))
    assert len(find_low_confidence_deliverables(first, Phase.SEED)) == 1
    second = first.add_deliverable(Phase.SEED, ATHENA, build_seed(name="The Lever"))
    assert find_low_confidence_deliverables(second, Phase.SEED) == ()


def test_nobody_is_expected_to_be_sure_of_an_open_frontier() -> None:
    dossier = build_dossier("OF").add_deliverable(Phase.SEED, ATHENA, unsure(build_seed(), 0.1))
    assert find_low_confidence_deliverables(dossier, Phase.SEED) == ()
