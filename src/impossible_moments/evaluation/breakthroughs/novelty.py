"""Novelty of an answer to an open question, compared with the knowledge boundary of its record.

Three things are compared: the figures with the known limits, the plan with the known plans, and the text with
the known approaches. None of this shows that the idea is new. Experts decide that, and the finding says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import AnswerStep, ParsedAnswer, parse_answer
from impossible_moments.evaluation.breakthroughs.frontier_filter import build_frontier, extract_stated_figures
from impossible_moments.evaluation.reader import read_answer
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.language import Expression, IntervalEvaluator
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.proofs import build_frontier_box
from impossible_moments.mechanics.records import parse_line
from impossible_moments.mechanics.wording import extract_word_stems
from impossible_moments.scenarios.similarity import Embedder, embed_texts, fold_case

SIMILARITY_THRESHOLD: Final = 0.30
"""The cosine from which a line of an answer counts as similar to a known approach (wordllama embedder).

It was chosen and measured on the same 36 open scenarios of a generated set of 240, so the figures are
optimistic. It is reached by 85 % of 140 one-line paraphrases of an approach, by 4 % of 26 lines that state
what would have to be new, and by 1 % of the 140 paraphrases compared with another scenario. An answer has
many lines, and each may reach it by chance.
"""
NEAREST: Final = 3
"""The number of known approaches that are shown, the nearest first."""
MOST_LINES: Final = 60
FEWEST_WORDS: Final = 4
"""The number of meaningful words below which a line describes no approach."""
CANNOT_TELL: Final = (
    "whether the idea is new: only the approaches named in the record were compared, and no literature was searched",
    "whether the figures can be reached: they are only stated, not built or calculated",
    "whether two texts mean the same: only words are compared, so an old idea in new words looks new",
    "whether the text explains the figures: nonsense with suitable numbers exceeds the boundary as well",
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+|\n+")
_DIGITS: Final = 3
_SMALLEST_LIMIT: Final = 1e-12


class NoveltyFinding(StrEnum):
    """The possible findings of the comparison."""

    BEYOND = "beyond the knowledge boundary"
    FAMILIAR = "figures beyond the knowledge boundary, by an approach that looks known"
    BARE = "figures beyond the knowledge boundary, and no approach is described"
    WITHIN = "within the knowledge boundary"
    UNTOLD = "not known: it states no figure in a form that a known limit reads"


@dataclass(frozen=True)
class KnownLimit:
    """A known limit and the position of the stated figures relative to it."""

    name: str
    condition: str
    source: str
    passed: bool | None
    """None if a figure that it reads is not stated."""
    beyond_doubt: bool
    """Whether it is exceeded everywhere in the uncertainty range of the limit."""
    factor: float | None
    """By which factor it is exceeded, if the limit compares two numbers."""


@dataclass(frozen=True)
class ApproachLikeness:
    """A known approach, and the most similar line of the answer."""

    approach: str
    told: str
    line: str
    cosine: float


@dataclass(frozen=True)
class NoveltyReport:
    """The finding with its reasons."""

    found: NoveltyFinding
    reason: str
    limits: tuple[KnownLimit, ...] = ()
    repeated: tuple[str, ...] = ()
    """Known approaches of which every call occurs in the plan of the answer."""
    nearest: tuple[ApproachLikeness, ...] = ()
    compared_by: str = ""
    """The name and fingerprint of the embedder that computed the cosines."""

    @property
    def similar_approaches(self) -> tuple[ApproachLikeness, ...]:
        """The known approaches that the answer resembles."""
        return tuple(each for each in self.nearest if each.cosine >= SIMILARITY_THRESHOLD)


def evaluate_novelty(text: str, key: AnswerKey, embedder: Embedder) -> NoveltyReport:
    """Compare an answer with the knowledge of its record. The result depends only on the arguments."""
    answer = parse_answer(text) or ParsedAnswer()
    limits = tuple(_check_known_limits(answer, key))
    lines = _extract_approach_lines(text, answer)
    nearest = _find_nearest_approaches(lines, key, embedder)
    repeated = _find_repeated_approaches(read_answer(text, key).calls, key)
    found, reason = _decide_novelty_finding(limits, repeated, nearest, has_approach=bool(lines))
    return NoveltyReport(found, reason, limits, repeated, nearest, f"{embedder.name} {embedder.fingerprint}")


def _decide_novelty_finding(
    limits: Sequence[KnownLimit],
    repeated: Sequence[str],
    nearest: Sequence[ApproachLikeness],
    *,
    has_approach: bool,
) -> tuple[NoveltyFinding, str]:
    exceeded = [each for each in limits if each.passed]
    if not exceeded:
        if any(each.passed is None for each in limits):
            return NoveltyFinding.UNTOLD, "No known limit could be compared with its figures."
        return NoveltyFinding.WITHIN, "Its figures stay within every known limit."
    grounds = f"Its figures exceed {_format_names(each.name for each in exceeded)}"
    if doubtful := [each.name for each in exceeded if not each.beyond_doubt]:
        grounds += f"; {_format_names(doubtful)} only as stated, not in the whole range of the limit"
    if repeated:
        return (
            NoveltyFinding.FAMILIAR,
            f"{grounds}. Its plan contains every step of {_format_names(repeated)}, which is known.",
        )
    if close := [each.approach for each in nearest if each.cosine >= SIMILARITY_THRESHOLD]:
        return NoveltyFinding.FAMILIAR, f"{grounds}. Its text resembles {_format_names(close)}."
    if not has_approach:
        return NoveltyFinding.BARE, f"{grounds}. It does not say how."
    return (
        NoveltyFinding.BEYOND,
        f"{grounds}. Its plan repeats no known approach, and its text resembles none.",
    )


def _check_known_limits(answer: ParsedAnswer, key: AnswerKey) -> Iterator[KnownLimit]:
    frontier, world = build_frontier(key), key.analysis.world
    numbers = extract_stated_figures(answer, key)
    box = {name: (value, value) for name, value in numbers.items()}
    stated_evaluator, ranged = (
        IntervalEvaluator({**build_frontier_box(frontier, world, ranges=ranges), **box})
        for ranges in (False, True)
    )
    form = world.record.frontier
    assert form is not None  # otherwise build_frontier has raised
    for line in form.known:
        parsed = parse_line(line, example="")
        tree = world.expand_derived_quantities(frontier.known[parsed.head])
        known = not ex.collect_paths(tree) & (frontier.claims.keys() - numbers.keys())
        is_exceeded = stated_evaluator.decide_condition(tree) is False if known else None
        yield KnownLimit(
            parsed.head,
            parsed.body,
            parsed.evidence,
            is_exceeded,
            bool(is_exceeded) and ranged.decide_condition(tree) is False,
            _compute_excess_factor(tree, stated_evaluator) if is_exceeded else None,
        )


def _compute_excess_factor(tree: Expression, evaluator: IntervalEvaluator) -> float | None:
    """Return the factor by which a violated comparison is exceeded, or None if it has none."""
    if not isinstance(tree, ex.Comparison) or tree.operator in {"==", "!="}:
        return None
    low, high = (tree.left, tree.right) if tree.operator in {"<", "<="} else (tree.right, tree.left)
    above, below = evaluator.compute_interval(low)[0], evaluator.compute_interval(high)[1]
    # a limit of about zero is not exceeded by any meaningful factor
    return round(above / below, _DIGITS) if below > _SMALLEST_LIMIT * above > 0 else None


def _find_repeated_approaches(calls: Sequence[str], key: AnswerKey) -> tuple[str, ...]:
    plans = ((name, {move.text for move in plan}) for name, plan in key.analysis.plans.items())
    return tuple(name for name, plan in plans if plan and plan <= set(calls))


def _extract_approach_lines(text: str, answer: ParsedAnswer) -> tuple[str, ...]:
    """Return the lines of an answer that describe its approach.

    In the plan form these are the reasons and steps, otherwise all sentences. Text before the form is left
    out, because models discuss and reject known approaches there.
    """
    steps = "; ".join(_format_step(each) for each in answer.plan)
    texts = [*answer.because, answer.crux, answer.assumption, steps]
    if parse_answer(text) is None:
        texts = _SENTENCE.split(text)
    candidates = (" ".join(each.split()) for each in texts)
    return tuple(each for each in candidates if len(extract_word_stems(each)) >= FEWEST_WORDS)[:MOST_LINES]


def _format_step(step: AnswerStep) -> str:
    return " ".join([step.do.replace("_", " "), *step.things, step.value]).strip()


def _find_nearest_approaches(
    lines: Sequence[str], key: AnswerKey, embedder: Embedder
) -> tuple[ApproachLikeness, ...]:
    known = dict(_describe_known_approaches(key))
    if not lines or not known:
        return ()
    # single-precision results differ between machines in the last digits
    cosines = embed_texts([fold_case(each) for each in lines], embedder).astype(float) @ embed_texts(
        [fold_case(each) for each in known.values()], embedder
    ).T.astype(float)
    best = cosines.argmax(axis=0).tolist()
    found = [
        ApproachLikeness(name, description, lines[line], round(float(cosines[line, at]), _DIGITS))
        for at, ((name, description), line) in enumerate(zip(known.items(), best, strict=True))
    ]
    return tuple(sorted(found, key=lambda each: (-each.cosine, each.approach))[:NEAREST])


def _describe_known_approaches(key: AnswerKey) -> Iterator[tuple[str, str]]:
    """Yield each known approach with a description: what was tried and why, and which sources report it."""
    world = key.analysis.world
    for approach in world.record.approaches:
        moves = key.analysis.plans.get(approach.name, ())
        yield approach.name, f"{'; '.join(_format_call(move, key) for move in moves)}. {approach.why}"
    form = world.record.frontier
    for line in form.known if form is not None else ():
        parsed = parse_line(line, example="")
        bases = sorted(
            world.collect_stated_quantities(build_frontier(key).known[parsed.head]) & world.quantities.keys()
        )
        sources = [parsed.evidence, *(world.quantities[each].source for each in bases)]
        yield parsed.head, ". ".join(dict.fromkeys(each for each in sources if each))


def _format_call(move: Move, key: AnswerKey) -> str:
    things = key.analysis.world.things
    named = [things[each].label if each in things else each for each in move.arguments]
    return f"{move.verb.replace('_', ' ')} {', '.join(named)}".strip()


def _format_names(names: Iterator[str] | Sequence[str]) -> str:
    return ", ".join(f"`{each}`" for each in names)
