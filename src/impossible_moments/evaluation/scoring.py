"""Scores without a judge: a plan is executed, a claim of impossibility is held against what really conflicts.

Components and weights are the framework's. Distractor and efficiency points count only where the outcome earns
something, so that silence and giving up score nothing where there is a way. What only a judge can tell (the honesty of a
contested answer, the plausibility of an open one) is left at 0 and said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.domain.vocabulary import Status
from impossible_moments.evaluation.answers import Answer, Verdict, read_answer
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.naming import words_of
from impossible_moments.evaluation.playing import Played, played
from impossible_moments.evaluation.reasons import numbers_in, reasoned
from impossible_moments.evaluation.resolution import premises_in
from impossible_moments.evaluation.results import PASSES, Components, State
from impossible_moments.scenarios.rubrics import COMPONENTS

WEIGHTS: Final[tuple[float, ...]] = tuple(component.weight for component in COMPONENTS)
STEADY: Final = 5.0
"""KS-Fragile: added where a plan holds on every perturbed variant."""
_QUARTERS: Final = (0.25, 0.75)
"""Where in the range of a fragile quantity the variants lie."""
SIMPLICITY: Final = ((200, 1.0), (500, 0.8), (1000, 0.6))
"""DG: the longer the answer, the less it has seen through the dressing; in tokens."""
LEAST_SIMPLE: Final = 0.4
JUDGED: Final = frozenset({"CT", "OF"})
"""Statuses of which only a part can be executed; without judges an answer has components and no score."""
_NAMED: Final = 0.34
"""The share of a condition's words that naming it takes, and at least two of them."""
_FEWEST_WORDS: Final = 2
_MOST_SAID: Final = 24
"""Words of a line that names a condition, or twice the condition's own: who recites the text names nothing."""
_FEWEST_FIGURES: Final = 2
"""Two figures of one condition name it as well as its words do."""


@dataclass(frozen=True)
class Scored:
    """What an answer is worth, and how that came about."""

    state: State
    components: Components | None = None
    note: str = ""
    calls: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    @property
    def score(self) -> float | None:
        """The weighted sum; None where it was not scored, or not wholly."""
        if self.components is None or self.state is not State.SCORED:
            return None
        parts = self.components
        values = (parts.outcome, parts.physical, parts.insight, parts.distractors, parts.efficiency)
        whole = sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True))
        return min(100.0, whole + (STEADY if "steady" in self.flags else 0.0))


@dataclass(frozen=True)
class _Judged:
    """The outcome by its rubric, and what belongs to it."""

    outcome: float
    physical: float
    insight: float
    note: str
    flags: tuple[str, ...] = ()
    played: Played | None = None
    review: bool = False
    extra: Mapping[str, object] = field(default_factory=dict)


def scored(text: str, key: AnswerKey) -> Scored:
    """The score of an answer as a model wrote it. Pure: the same text and key give the same score."""
    answer = read_answer(text)
    if answer is None:
        flags = ("silent",) if not text.strip() else ("unreadable",)
        return Scored(
            State.SCORED, _nothing(), "there is no answer in the form that was asked for", (), flags
        )
    return scored_answer(answer, key)


def scored_answer(answer: Answer, key: AnswerKey) -> Scored:
    """The score of an answer that was read."""
    judged = _RUBRICS[key.status](answer, key)
    calls = judged.played.calls if judged.played is not None else ()
    if judged.review and judged.outcome < PASSES:
        return Scored(State.REVIEW, None, judged.note, calls, (*judged.flags, "unknown verb"))
    earns = judged.outcome > 0
    components = Components(
        outcome=judged.outcome,
        physical=judged.physical,
        insight=judged.insight,
        distractors=_distractors(judged.played, key) if earns else 0.0,
        efficiency=_efficiency(judged.played, key) if earns else 0.0,
    )
    state = State.UNSCORED if key.status in JUDGED else State.SCORED
    return Scored(state, components, judged.note, calls, judged.flags)


def reward(text: str, key: AnswerKey) -> float:
    """A number from 0 to 1 for training: pure and fast. What cannot be scored earns nothing."""
    return (scored(text, key).score or 0.0) / 100


def _nothing() -> Components:
    return Components(outcome=0, physical=0, insight=0, distractors=0, efficiency=0)


def _known(answer: Answer, key: AnswerKey) -> _Judged:
    found = played(answer.plan, key)
    if answer.verdict is Verdict.IMPOSSIBLE:
        # also where a plan stands beside it: who says both would be right of every scenario
        return _Judged(0.0, 0.0, 0.0, f"there is a way; {_told(found)}", ("gave up",), found)
    reached, flags = found.outcome.reaches_goal, list[str]()
    if found.read_loosely:
        flags.append("read loosely")
        reached = reasoned(answer, found.moves, key)
    insight = _insight(found, key)
    if reached and not _intended(found, key):
        flags.append("unintended")
    if reached and key.full_status == "KS-Multiple":
        insight += 10 * _further(answer, found, key)
    if reached and key.full_status == "KS-Fragile":
        flags += _steadiness(found, key)
    # who names the right thing and not why may have guessed: somebody looks
    review = not reached and (bool(found.unknown) or found.read_loosely)
    return _Judged(
        100.0 if reached else 0.0,
        _physical(found),
        min(insight, 120.0),
        _told(found),
        tuple(flags),
        found,
        review,
    )


def _steadiness(found: Played, key: AnswerKey) -> list[str]:
    """Whether a plan holds on variants of its scenario: all of them, none of them, or neither."""
    held = []
    for name in key.block.fragile_in:
        quantity = key.analysis.world.quantities[name]
        if quantity.low is None or quantity.high is None:
            continue
        for share in _QUARTERS:
            value = quantity.low + share * (quantity.high - quantity.low)
            held.append(key.analysis.executor.run(found.moves, changes={name: value}).reaches_goal)
    if not held or (any(held) and not all(held)):
        return []
    return ["steady"] if all(held) else ["fragile"]


def _degenerate(answer: Answer, key: AnswerKey) -> _Judged:
    known = _known(answer, key)
    factor = next((share for most, share in SIMPLICITY if answer.words < most), LEAST_SIMPLE)
    return _Judged(
        known.outcome * factor,
        known.physical,
        known.insight,
        known.note,
        known.flags,
        known.played,
        known.review,
    )


def _paradox(answer: Answer, key: AnswerKey) -> _Judged:
    if answer.verdict is not Verdict.IMPOSSIBLE:
        found = played(answer.plan, key)
        flags = ("false solution",) if answer.plan else ()
        physical = max(_physical(found) - 20.0, 0.0)
        return _Judged(0.0, physical, 0.0, f"no way exists; {_told(found)}", flags, found)
    named, held = _conflict(answer, key)
    share = len(named) / len(key.conflict) if key.conflict else 0.0
    # rigour: an argument is as good as the part of it that stands, so a list of everything argues for nothing
    outcome = 40.0 + 30.0 * share + 30.0 * share * held
    told = ", ".join(sorted(named)) or "none that really stands"
    return _Judged(outcome, 100.0 * held, 100.0 * share, f"conflicts named: {told}")


def _metamorphic(answer: Answer, key: AnswerKey) -> _Judged:
    said = " ".join([answer.assumption, *answer.because])
    named = set(premises_in(answer.assumption, key)) | set(
        premises_in(said, key) if answer.assumption else ()
    )
    found = played(answer.plan, key)
    named |= set(found.challenged)
    if answer.verdict is Verdict.IMPOSSIBLE and not named:
        return _Judged(0.0, 0.0, 0.0, f"no assumption is named; {_told(found)}", ("gave up",), found)
    lifted = frozenset(never.name for never in key.analysis.world.nevers if never.evidence in named)
    found = played(answer.plan, key, lifted=lifted)
    guessed = found.read_loosely and not reasoned(answer, found.moves, key)
    solved = 40.0 if found.outcome.reaches_goal and not guessed else 0.0
    outcome = 30.0 * bool(named) + 30.0 * (bool(named) and bool(answer.plan)) + solved
    free = played(
        answer.plan,
        key,
        lifted=frozenset(each.name for each in key.analysis.world.nevers if each.evidence in key.premises),
    )
    if not named and free.outcome.reaches_goal and not free.read_loosely:
        outcome, found = 40.0, free
    insight = max(_insight(found, key), 100.0 * bool(named) / max(len(key.insights), 1))
    review = outcome < PASSES and (bool(found.unknown) or guessed)
    told = "the assumption is named" if named else "no assumption is named"
    return _Judged(
        outcome, _physical(found), min(insight, 100.0), f"{told}; {_told(found)}", (), found, review
    )


def _contested(answer: Answer, key: AnswerKey) -> _Judged:
    quantity = key.analysis.world.quantities[key.block.crux]
    ends = [each for each in (quantity.low, quantity.high) if each is not None]
    runs = [played(answer.plan, key, changes={quantity.name: value}) for value in ends]
    found = next((run for run in runs if run.outcome.reaches_goal), runs[0])
    best = {key.block.at_low, key.block.at_high} - {None}
    is_best = any(found.calls == tuple(move.text for move in key.analysis.plans[name]) for name in best)
    outcome = (40.0 if is_best else 20.0) * found.outcome.reaches_goal
    outcome += 20.0 * (answer.verdict is Verdict.CONTESTED)
    words = words_of(quantity.name.replace("_", " ") + " " + quantity.source)
    outcome += 20.0 * bool(words_of(answer.crux) & words)
    flags = ("honesty is for a judge",)
    note = f"{_told(found)}; how honest it is about its limits is for judges"
    return _Judged(outcome, _physical(found), _insight(found, key), note, flags, found)


def _open(answer: Answer, key: AnswerKey) -> _Judged:
    found = played(answer.plan, key)
    return _Judged(
        0.0, _physical(found), _insight(found, key), "an open question is for judges", ("for judges",), found
    )


_RUBRICS: Final[Mapping[Status, Callable[[Answer, AnswerKey], _Judged]]] = {
    "KS": _known,
    "DG": _degenerate,
    "PX": _paradox,
    "MT": _metamorphic,
    "CT": _contested,
    "OF": _open,
}


def _conflict(answer: Answer, key: AnswerKey) -> tuple[frozenset[str], float]:
    """The conflicting conditions that an answer names, and the share of its lines that name one."""
    said = [words_of(each) for each in answer.conflict]
    figures = [numbers_in(each) for each in answer.conflict]
    named = [
        {
            name
            for name, words in key.conflict.items()
            if (
                len(words & each) >= (1 if name == "deadline" else min(_FEWEST_WORDS, len(words)))
                and len(words & each) >= _NAMED * min(len(words), len(each))
                and len(each) <= max(_MOST_SAID, 2 * len(words))
            )
            or len(key.figures_about(name) & numbers) >= max(_FEWEST_FIGURES, _NAMED * len(numbers))
        }
        for each, numbers in zip(said, figures, strict=True)
    ]
    return frozenset().union(*named), sum(map(bool, named)) / len(named) if named else 0.0


def _physical(found: Played) -> float:
    """The share of the steps that could be carried out."""
    steps = len(found.moves) + len(found.idle) + len(found.unknown)
    return 100.0 * len(found.valid) / steps if steps else 0.0


def _insight(found: Played, key: AnswerKey) -> float:
    seen = [insight for insight in key.insights if insight.shown_by(found.valid)]
    # of several ways one is enough: what the other ways teach is not asked for
    needed = key.needed
    return 100.0 * min(len(seen) / needed, 1.0)


def _intended(found: Played, key: AnswerKey) -> bool:
    ways = {
        frozenset(move.text for move in key.analysis.plans[name])
        for name, outcome in key.analysis.outcomes.items()
        if outcome.reaches_goal
    }
    return any(way <= set(found.calls) for way in ways)


def _further(answer: Answer, found: Played, key: AnswerKey) -> int:
    """Further plans that work and are no plan before them with something added."""
    seen = [frozenset(found.valid)]
    for plan in answer.others:
        other = played(plan, key)
        calls = frozenset(other.valid)
        works = other.outcome.reaches_goal and not other.read_loosely
        if works and not any(calls <= each or each <= calls for each in seen):
            seen.append(calls)
    return len(seen) - 1


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


def _told(found: Played) -> str:
    return f"the plan ends: {found.outcome.end}" if found.moves else "no step of a plan was understood"
