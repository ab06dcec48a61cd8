"""Hostile answers in plain text: wrong proofs with right figures, and recited texts."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from impossible_moments.evaluation.answer_key import AnswerKey, iterate_printed_forms_of_quantity
from impossible_moments.evaluation.record_wording import describe_condition
from impossible_moments.evaluation.runs.presentation import AnswerForm

MOST_SENTENCES: Final = 20
"""The most sentences of a text that are recited."""
FEWEST_WORDS: Final = 3
"""The fewest words of a sentence. Cells of tables have fewer."""
_SENTENCE_END: Final = re.compile(r"[.!?\n|]+")


class AttackKind(StrEnum):
    """What is wrong with a hostile answer."""

    INJECTED = "empty, broken, injected"
    FOREIGN = "keys of other scenarios"
    REPEATED = "right answer repeated"
    CHANGED = "one changed step"
    EVERYTHING = "everything at once"
    NEAR_MISSES = "right things, wrong acts"
    WRONG_VALUES = "right acts, wrong values"
    MISPLACED = "right values, wrong places"
    TWO_ANSWERS = "two answers at once"
    WRONG_PROOFS = "right figures, wrong proof"
    RECITED = "recited sentences"
    RANDOM_MENUS = "menus at random"
    GREEDY_MENUS = "menus by greedy search"


@dataclass(frozen=True, slots=True)
class HostileAnswer:
    """An answer that must not be accepted, unless it happens to hold."""

    kind: AttackKind
    text: str
    form: AnswerForm = AnswerForm.PLAN
    can_hold: bool = True
    """Whether it may be right by chance, so that the reference executor decides."""
    meant: tuple[str, ...] | None = None
    """The calls that the answer means, which the reference executor replays; None for the calls that were read."""


def format_answer(verdict: str, plan: list[Any], **further: object) -> str:
    """Return an answer in the plan form or from a menu."""
    return json.dumps({"verdict": verdict, "plan": plan, **further}, ensure_ascii=False)


def list_figures(key: AnswerKey) -> list[str]:
    """Return all figures of a scenario as its text prints them."""
    world = key.analysis.world
    return sorted(
        {each for path in world.quantities for each in iterate_printed_forms_of_quantity(world, path)}
    )


def generate_wrong_proofs(key: AnswerKey) -> Iterator[HostileAnswer]:
    """Yield claims that the goal cannot be reached: all figures are right, and the reasons are not."""
    figures = list_figures(key)
    beside = [
        *(name for name in key.wording.conditions if name not in key.conflict),
        *key.wording.bookkeeping,
    ]
    reasons = [describe_condition(name, key) for name in dict.fromkeys(beside)]
    reasons += key.wording.decoy_premises
    for conflict in (
        figures[:MOST_SENTENCES],
        [" ".join(figures)],
        [f"the figures {', '.join(figures)} cannot all hold"],
        [f"{each} ({', '.join(figures[:6])})" for each in reasons][:MOST_SENTENCES],
        *([f"{each}, because of {', '.join(figures[:4])}"] for each in reasons),
    ):
        text = format_answer("impossible", [], conflict=conflict)
        yield HostileAnswer(AttackKind.WRONG_PROOFS, text, can_hold=False)


def generate_recited_texts(blind_text: str) -> Iterator[HostileAnswer]:
    """Yield the sentences of a situation as a plan, as reasons, as the assumption and as free text.

    A text that is recited as a whole chooses nothing, so it must never win. A single sentence may name the act that works:
    then the reference executor decides.
    """
    sentences = [
        each.strip() for each in _SENTENCE_END.split(blind_text) if len(each.split()) >= FEWEST_WORDS
    ]
    for at in range(0, len(sentences), MOST_SENTENCES):
        part = sentences[at : at + MOST_SENTENCES]
        yield _recite("solvable", part)
        yield _recite("contested", part, crux=" ".join(part)[:400], other_plans=[part])
        yield _recite("impossible", [], conflict=part)
    for each in sentences[:MOST_SENTENCES]:
        text = format_answer("solvable", [each], assumption=each)
        yield HostileAnswer(AttackKind.RECITED, text)
        yield _recite("impossible", [], conflict=[each])
    yield HostileAnswer(AttackKind.RECITED, blind_text, can_hold=False)


def _recite(verdict: str, plan: list[str], **further: object) -> HostileAnswer:
    return HostileAnswer(AttackKind.RECITED, format_answer(verdict, plan, **further), can_hold=False)
