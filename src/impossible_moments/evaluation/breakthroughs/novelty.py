"""Novelty: an answer to an open question held against the knowledge boundary of its record.

Three things are compared: its figures with the known limits, its plan with the plans that were tried, its words with those
of every known approach. None of them shows that nobody has had the idea: that is for experts, and the finding says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from impossible_moments.evaluation.breakthroughs.frontier_filter import frontier_of, stated_figures
from impossible_moments.evaluation.key import AnswerKey
from impossible_moments.evaluation.reading.answers import Answer, Step, read_answer
from impossible_moments.evaluation.reading.naming import words_of
from impossible_moments.evaluation.reading.playing import played
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.expressions import Expression
from impossible_moments.mechanics.frontier import box_of
from impossible_moments.mechanics.intervals import Reading
from impossible_moments.mechanics.lines import split_line
from impossible_moments.mechanics.moves import Move
from impossible_moments.scenarios.embedding import Embedder, embedded, folded

CLOSE: Final = 0.30
"""The cosine from which a line of an answer sounds like a known approach, with the wordllama embedder.

Chosen on the 36 open scenarios of a made set of 240, and told for the same ones, so the figures flatter: of 140 one-line
retellings of an approach 85 % reach it, of 26 lines that say what would have to be new 4 %, of the 140 retellings held
against another scenario 1 %. An answer has many lines, and each is one more chance to sound alike.
"""
NEAREST: Final = 3
"""Known approaches that are shown, the nearest first."""
MOST_LINES: Final = 60
FEWEST_WORDS: Final = 4
"""Words that say something; a line with fewer tells no approach."""
CANNOT_TELL: Final = (
    "whether anybody has had the idea before: only what the record names was compared, and no literature was searched",
    "whether the figures can be reached: they are stated, and nothing here was built or calculated",
    "whether two texts mean the same: the comparison hears words, so an old idea in new words sounds new",
    "whether the words explain the figures: nonsense beside fit numbers is beyond the boundary as well",
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_DIGITS: Final = 3
_LEAST: Final = 1e-12


class Novel(StrEnum):
    """What the comparison comes to."""

    BEYOND = "beyond the knowledge boundary"
    FAMILIAR = "figures beyond the knowledge boundary, by an approach that looks known"
    BARE = "figures beyond the knowledge boundary, and no approach is told"
    WITHIN = "within the knowledge boundary"
    UNTOLD = "not told: it states no figure in a form that a known limit reads"


@dataclass(frozen=True)
class Limit:
    """A known limit and where the answer's figures lie."""

    name: str
    condition: str
    source: str
    passed: bool | None
    """None where a figure that it reads is not stated."""
    beyond_doubt: bool
    """Whether it is passed wherever in its range the limit really lies."""
    factor: float | None
    """By how much, where the limit compares two numbers."""


@dataclass(frozen=True)
class Likeness:
    """A known approach, and the line of the answer that sounds most like it."""

    approach: str
    told: str
    line: str
    cosine: float


@dataclass(frozen=True)
class Novelty:
    """The finding with its grounds."""

    found: Novel
    reason: str
    limits: tuple[Limit, ...] = ()
    repeated: tuple[str, ...] = ()
    """Known approaches of which every call is in the answer's plan."""
    nearest: tuple[Likeness, ...] = ()
    compared_by: str = ""
    """The embedder, by name and fingerprint: the cosines are its."""

    @property
    def close(self) -> tuple[Likeness, ...]:
        """The known approaches that the answer sounds like."""
        return tuple(each for each in self.nearest if each.cosine >= CLOSE)


def novelty(text: str, key: AnswerKey, embedder: Embedder) -> Novelty:
    """Hold an answer against what its record knows. Pure: the same text, key and embedder give the same finding."""
    answer = read_answer(text) or Answer()
    limits = tuple(_limits(answer, key))
    moves = played(answer.plan, key).moves
    lines = _lines(text, answer)
    nearest = _nearest(lines, key, embedder)
    repeated = _repeated(moves, key)
    found, reason = _finding(limits, repeated, nearest, told=bool(lines))
    return Novelty(found, reason, limits, repeated, nearest, f"{embedder.name} {embedder.fingerprint}")


def _finding(
    limits: Sequence[Limit], repeated: Sequence[str], nearest: Sequence[Likeness], *, told: bool
) -> tuple[Novel, str]:
    passed = [each for each in limits if each.passed]
    if not passed:
        if any(each.passed is None for each in limits):
            return Novel.UNTOLD, "No known limit could be held against its figures."
        return Novel.WITHIN, "Its figures keep within every known limit."
    grounds = f"Its figures pass {_listed(each.name for each in passed)}"
    if doubtful := [each.name for each in passed if not each.beyond_doubt]:
        grounds += f"; {_listed(doubtful)} only as stated, and not wherever in its range the limit may lie"
    if repeated:
        return Novel.FAMILIAR, f"{grounds}. Its plan does all that {_listed(repeated)} does, which is known."
    if close := [each.approach for each in nearest if each.cosine >= CLOSE]:
        return Novel.FAMILIAR, f"{grounds}. Its words sound like {_listed(close)}."
    if not told:
        return Novel.BARE, f"{grounds}. It says nothing of how."
    return Novel.BEYOND, f"{grounds}. Its plan repeats no known approach, and its words sound like none."


def _limits(answer: Answer, key: AnswerKey) -> Iterator[Limit]:
    frontier, world = frontier_of(key), key.analysis.world
    numbers = stated_figures(answer, key)
    box = {name: (value, value) for name, value in numbers.items()}
    stated, ranged = (Reading({**box_of(frontier, world, ranges=ranges), **box}) for ranges in (False, True))
    form = world.record.frontier
    assert form is not None  # else there is no frontier to read
    for line in form.known:
        read = split_line(line, example="")
        tree = world.expanded(frontier.known[read.head])
        known = not ex.reads(tree) & (frontier.claims.keys() - numbers.keys())
        passed = stated.truth(tree) is False if known else None
        yield Limit(
            read.head,
            read.body,
            read.evidence,
            passed,
            bool(passed) and ranged.truth(tree) is False,
            _factor(tree, stated) if passed else None,
        )


def _factor(tree: Expression, stated: Reading) -> float | None:
    """By which factor a broken comparison is broken."""
    if not isinstance(tree, ex.Comparison) or tree.operator in {"==", "!="}:
        return None
    low, high = (tree.left, tree.right) if tree.operator in {"<", "<="} else (tree.right, tree.left)
    above, below = stated.number(low)[0], stated.number(high)[1]
    # next to nothing is no measure: a limit of zero is passed by no factor
    return round(above / below, _DIGITS) if below > _LEAST * above > 0 else None


def _repeated(moves: Sequence[Move], key: AnswerKey) -> tuple[str, ...]:
    calls = {move.text for move in moves}
    plans = ((name, {move.text for move in plan}) for name, plan in key.analysis.plans.items())
    return tuple(name for name, plan in plans if plan and plan <= calls)


def _lines(text: str, answer: Answer) -> tuple[str, ...]:
    """What an answer says of its approach: reasons and steps in the plan form; the sentences of what has no form.

    What stands before the form is left out: models argue there with every known approach, and reject it.
    """
    steps = "; ".join(_step(each) for each in answer.plan)
    said = [*answer.because, answer.crux, answer.assumption, steps]
    if read_answer(text) is None:
        said = _SENTENCE.split(text)
    telling = (" ".join(each.split()) for each in said)
    return tuple(each for each in telling if len(words_of(each)) >= FEWEST_WORDS)[:MOST_LINES]


def _step(step: Step) -> str:
    return " ".join([step.do.replace("_", " "), *step.things, step.value]).strip()


def _nearest(lines: Sequence[str], key: AnswerKey, embedder: Embedder) -> tuple[Likeness, ...]:
    known = dict(_known(key))
    if not lines or not known:
        return ()
    # single precision differs between machines in its last digits
    cosines = embedded([folded(each) for each in lines], embedder).astype(float) @ embedded(
        [folded(each) for each in known.values()], embedder
    ).T.astype(float)
    best = cosines.argmax(axis=0).tolist()
    found = [
        Likeness(name, told, lines[line], round(float(cosines[line, at]), _DIGITS))
        for at, ((name, told), line) in enumerate(zip(known.items(), best, strict=True))
    ]
    return tuple(sorted(found, key=lambda each: (-each.cosine, each.approach))[:NEAREST])


def _known(key: AnswerKey) -> Iterator[tuple[str, str]]:
    """Every known approach in words: what was tried and why, and who has shown what."""
    world = key.analysis.world
    for approach in world.record.approaches:
        moves = key.analysis.plans.get(approach.name, ())
        yield approach.name, f"{'; '.join(_call(move, key) for move in moves)}. {approach.why}"
    form = world.record.frontier
    for line in form.known if form is not None else ():
        read = split_line(line, example="")
        bases = sorted(world.bases(frontier_of(key).known[read.head]) & world.quantities.keys())
        sources = [read.evidence, *(world.quantities[each].source for each in bases)]
        yield read.head, ". ".join(dict.fromkeys(each for each in sources if each))


def _call(move: Move, key: AnswerKey) -> str:
    things = key.analysis.world.things
    named = [things[each].label if each in things else each for each in move.arguments]
    return f"{move.verb.replace('_', ' ')} {', '.join(named)}".strip()


def _listed(names: Iterator[str] | Sequence[str]) -> str:
    return ", ".join(f"`{each}`" for each in names)
