"""Scores without a judge, by executing plans and by comparing claimed conflicts with the real ones.

Components and weights are those of the framework. Distractor and efficiency points count only if the outcome
earns points, so that an empty answer or giving up scores nothing if there is a solution. Parts that only a
judge can score (the honesty of a contested answer, the plausibility of an open one) are left at 0, and the
note says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.vocabulary import Status
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer, read_answer
from impossible_moments.evaluation.reading.playing import Played
from impossible_moments.evaluation.results import PASSES, Components, State
from impossible_moments.evaluation.rubrics.assumption import metamorphic
from impossible_moments.evaluation.rubrics.impossible import paradox
from impossible_moments.evaluation.rubrics.known import degenerate, known
from impossible_moments.evaluation.rubrics.standing import Standing
from impossible_moments.evaluation.rubrics.undecided import contested, open_question
from impossible_moments.scenarios.rubrics import COMPONENTS

WEIGHTS: Final[tuple[float, ...]] = tuple(component.weight for component in COMPONENTS)
STEADY: Final = 5.0
"""KS-Fragile: the bonus for a plan that holds on every perturbed variant."""
JUDGED: Final = frozenset({"CT", "OF"})
"""Statuses that can only partly be executed. Without judges an answer has components and no score."""
RUBRICS: Final[Mapping[Status, Callable[[Answer, AnswerKey], Standing]]] = {
    "KS": known,
    "DG": degenerate,
    "PX": paradox,
    "MT": metamorphic,
    "CT": contested,
    "OF": open_question,
}


@dataclass(frozen=True)
class Scored:
    """The components of an answer and how they were determined."""

    state: State
    components: Components | None = None
    note: str = ""
    calls: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def score(self) -> float | None:
        """The weighted sum, or None if the answer was not scored, or only partly."""
        if self.components is None or self.state is not State.SCORED:
            return None
        parts = self.components
        values = (parts.outcome, parts.physical, parts.insight, parts.distractors, parts.efficiency)
        whole = sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True))
        return min(100.0, whole + (STEADY if "steady" in self.flags else 0.0))


def scored(text: str, key: AnswerKey) -> Scored:
    """Score an answer as a model wrote it. The result depends only on the text and the key."""
    answer = read_answer(text)
    if answer is None:
        flags = ("silent",) if not text.strip() else ("unreadable",)
        return Scored(State.SCORED, _nothing(), "there is no answer in the requested form", (), flags)
    return scored_answer(answer, key)


def scored_answer(answer: Answer, key: AnswerKey) -> Scored:
    """Score a parsed answer."""
    found = RUBRICS[key.status](answer, key)
    calls = found.played.calls if found.played is not None else ()
    if found.review and found.outcome < PASSES:
        return Scored(State.REVIEW, None, found.note, calls, (*found.flags, "unknown verb"))
    earns = found.outcome > 0
    components = Components(
        outcome=found.outcome,
        physical=found.physical,
        insight=found.insight,
        distractors=_distractors(found.played, key) if earns else 0.0,
        efficiency=_efficiency(found.played, key) if earns else 0.0,
    )
    state = State.UNSCORED if key.status in JUDGED else State.SCORED
    return Scored(state, components, found.note, calls, found.flags)


def reward(text: str, key: AnswerKey) -> float:
    """Return the score as a number from 0 to 1 for training. An answer that cannot be scored earns 0."""
    return (scored(text, key).score or 0.0) / 100


def _nothing() -> Components:
    return Components(outcome=0, physical=0, insight=0, distractors=0, efficiency=0)


def _distractors(found: Played | None, key: AnswerKey) -> float:
    if found is None:
        return 100.0
    used = {argument for move in found.moves for argument in move.arguments}
    named = [key.names.meant(phrase) for step in found.idle for phrase in step.things]
    used = (used | {each for meant in named if len(meant) == 1 for each in meant}) & key.idle
    return max(100.0 - 20.0 * len(used), 0.0)


def _efficiency(found: Played | None, key: AnswerKey) -> float:
    if found is None or not found.moves or not found.outcome.reaches_goal:
        return 100.0 if found is None else 0.0
    executor = key.analysis.executor
    kept = list(range(len(found.moves)))
    for at in range(len(found.moves)):
        fewer = [each for each in kept if each != at]
        moves = [found.moves[each] for each in fewer]
        if moves and executor.run(moves, changes=found.changes, lifted=found.lifted).reaches_goal:
            kept = fewer
    return 100.0 * len(kept) / (len(found.moves) + len(found.idle) + len(found.unknown))
