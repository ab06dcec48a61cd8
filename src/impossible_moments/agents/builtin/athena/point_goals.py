"""Goals of open points: what a point asks of a design, in a form that can be measured on a draw.

A goal names the changes that could meet it. Whether the author of the point is content is for the author to judge.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.demand_subjects import SubjectResolver
from impossible_moments.agents.builtin.athena.distractor_strength import (
    find_traps_with,
    measure_strength,
    measure_trap,
)
from impossible_moments.agents.builtin.athena.reading_goals import find_reading_goal
from impossible_moments.agents.builtin.athena.seed_documents import list_distractor_names
from impossible_moments.agents.builtin.athena.targeted_changes import DesignChange, DesignChanger, Wish
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.blueprints import ScenarioDraft, list_titles
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.language import UNDEFINED, Expression, ExpressionError, parse_expression

CLEAR_MARGIN: Final = 0.02
"""A claim that holds by more is not decided by the rounding of its figures."""
_RIVAL: Final = re.compile(r"strong rival|nearer to working", re.IGNORECASE)
_THIN_CLAIM: Final = re.compile(r"\b(?P<claim>C\d{1,3})\b.*\b(?:holds? by|weakest person)\b", re.IGNORECASE)
_LIKENESS: Final = re.compile(r"existing scenario is at similarity|^Move away from", re.IGNORECASE)
_NAME: Final = re.compile(r"\bname\b.*“(?P<word>[^”]+)”", re.IGNORECASE)


@dataclass(frozen=True)
class PointGoal:
    """What a point asks of a design."""

    aim: str
    """What a draw must have, after `no other draw has`."""
    is_met: Wish
    describe: Callable[[ScenarioDraft], str]
    """Returns the figures of a draw that decide it."""
    list_changes: Callable[[DesignChanger], Iterator[DesignChange | None]]

    def find_change(self, changer: DesignChanger) -> DesignChange | None:
        """Return the first change after which the goal is met, or None if no draw meets it."""
        changes = (each for each in self.list_changes(changer) if each is not None)
        return next((each for each in changes if self.is_met(each.draft)), None)


def find_point_goal(text: str, draft: ScenarioDraft, seed: SeedDocument) -> PointGoal | None:
    """Return the goal of a point by its words, or None if ATHENA cannot measure what it asks for."""
    reading = find_reading_goal(text, draft, seed.concept_summary.difficulty_tier)
    if reading is not None:
        return PointGoal(reading.aim, reading.is_met, reading.describe, reading.list_changes)
    if _RIVAL.search(text):
        return _make_rival_goal()
    claim = _THIN_CLAIM.search(text)
    if claim is not None:
        return _make_margin_goal(claim["claim"], draft, seed)
    if _LIKENESS.search(text):
        return _make_other_wording_goal(draft)
    name = _NAME.search(text)
    return None if name is None else _make_name_goal(name["word"])


def _make_rival_goal() -> PointGoal:
    """Return the goal that a distractor is strong."""

    def is_met(draft: ScenarioDraft) -> bool:
        declared = DeclaredDesign(draft.design)
        return any(
            measure_strength(declared, name) == "strong" for name in list_distractor_names(draft, declared)
        )

    def describe(draft: ScenarioDraft) -> str:
        declared = DeclaredDesign(draft.design)
        names = list_distractor_names(draft, declared)
        traps = dict.fromkeys(trap for name in names for trap in find_traps_with(declared, name))
        measures = [measure_trap(declared, trap) for trap in traps]
        misses = [each for each in measures if each.margin is not None]
        if not traps:
            return f"none of its {format_count(len(names), 'distractor')} is used by a wrong answer"
        if not misses:
            listed = ", ".join(f"`{trap}`" for trap in traps)
            return f"its wrong answers {listed} fail on a fact and not by a number"
        nearest = max(misses, key=lambda each: each.margin or 0.0)
        return f"the nearest of its {format_count(len(traps), 'wrong answer')}, `{nearest.approach}`, misses by {-(nearest.margin or 0.0):.0%}"

    def list_changes(changer: DesignChanger) -> Iterator[DesignChange | None]:
        declared = DeclaredDesign(changer.draft.design)
        for trap in declared.traps:
            stop = declared.find_stop(trap)
            if stop is not None:
                paths = tuple(sorted(declared.world.collect_stated_quantities(stop.tree)))
                yield changer.redraw_paths(paths, is_met)
        for thing in declared.find_unneeded_things():
            yield changer.exchange_thing(thing)

    return PointGoal("a distractor that almost works", is_met, describe, list_changes)


def _make_margin_goal(claim_id: str, draft: ScenarioDraft, seed: SeedDocument) -> PointGoal | None:
    """Return the goal that a claim holds by more than rounding, and by more than before."""
    claim = next((each for each in seed.solution_sketch.claims if each.claim_id == claim_id), None)
    if claim is None or not claim.expression:
        return None
    try:
        tree = parse_expression(claim.expression, draft.design.world.library.templates)
    except ExpressionError:
        return None
    before = _measure_claim(draft, tree)
    needed = max(CLEAR_MARGIN, before if before is not None else 0.0)

    def is_met(changed: ScenarioDraft) -> bool:
        margin = _measure_claim(changed, tree)
        return margin is not None and margin > needed

    def describe(changed: ScenarioDraft) -> str:
        margin = _measure_claim(changed, tree)
        figure = "without a measure" if margin is None else f"by {margin:.1%}"
        return f"{claim_id} (`{claim.expression}`) holds {figure}"

    def list_changes(changer: DesignChanger) -> Iterator[DesignChange | None]:
        paths = SubjectResolver(changer.draft, seed).resolve_name(claim_id).paths
        yield changer.redraw_paths(paths, is_met)
        for path in paths:
            yield changer.redraw_paths((path,), is_met)

    return PointGoal(f"{claim_id} true by more than {needed:.1%}", is_met, describe, list_changes)


def _measure_claim(draft: ScenarioDraft, tree: Expression) -> float | None:
    engine = draft.design.engine
    if not engine.has_all_names(tree):
        return None
    try:
        return DeclaredDesign(draft.design).measure_margin(tree, engine.build_start_values())
    except UNDEFINED:
        return None


def _make_other_wording_goal(before: ScenarioDraft) -> PointGoal:
    """Return the goal that the text or the things differ. How near it then is, its author measures again."""

    def is_met(draft: ScenarioDraft) -> bool:
        return draft.instance.record != before.instance.record

    def describe(draft: ScenarioDraft) -> str:
        skin = draft.instance.offer.skin
        free = [name for name, group in skin.options.items() if len(group.of) > group.take]
        return f"“{draft.instance.record['title']}” has {len(free)} groups of things that can be exchanged"

    def list_changes(changer: DesignChanger) -> Iterator[DesignChange | None]:
        for thing in DeclaredDesign(changer.draft.design).find_unneeded_things():
            yield changer.exchange_thing(thing)
        yield changer.change_wording()

    return PointGoal("another wording or other things", is_met, describe, list_changes)


def _make_name_goal(word: str) -> PointGoal:
    """Return the goal that the title does not use a word."""
    pattern = re.compile(rf"\b{re.escape(word)}", re.IGNORECASE)

    def is_met(draft: ScenarioDraft) -> bool:
        return pattern.search(draft.instance.record["title"]) is None

    def describe(draft: ScenarioDraft) -> str:
        titles = list_titles(draft.instance.offer)
        return f"the situation has the names {', '.join(f'“{each}”' for each in titles)}"

    def list_changes(changer: DesignChanger) -> Iterator[DesignChange | None]:
        for step in range(1, len(list_titles(changer.draft.instance.offer))):
            yield changer.take_origin(replace(changer.origin, turn=changer.origin.turn + step))

    return PointGoal(f"a name without “{word}”", is_met, describe, list_changes)
