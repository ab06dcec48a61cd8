"""Counterfactual variants: up to three changes that turn a scenario into another one, each searched anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Final

from impossible_moments.agents.orchestrator.documents.contested_rows import (
    iterate_contested_rows,
    select_contested_rows,
)
from impossible_moments.agents.orchestrator.documents.counterfactual_rows import (
    ANOTHER_WAY,
    NOT_SOLVABLE,
    CounterfactualRow,
    describe_changed_value,
    ends_before_it_begins,
    round_away_from_stated,
)
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.solution_plans import describe_premises
from impossible_moments.agents.orchestrator.documents.wording.record_wording import RecordWording
from impossible_moments.mechanics.checks import (
    OutcomeFlip,
    StatusVerdict,
    WorldAnalysis,
    find_counterfactual_variants,
    find_numbers_read_by_moves,
    scale_quantity,
)
from impossible_moments.mechanics.execution import Move, SearchBounds, SearchSituation
from impossible_moments.mechanics.language import Value
from impossible_moments.mechanics.records import QuantityKind
from impossible_moments.scenarios import join_paragraphs, render_table

MOST_VARIANTS: Final = 3
MOST_ALIKE: Final = 2
"""The most variants with the same outcome, if there are others."""
_NODES: Final = 60_000
_HALF: Final = 0.5
SOLVABLE: Final = "solvable"
STILL_SOLVABLE: Final = "still solvable"
STILL_SOLVABLE_AT_BOTH_ENDS: Final = "still solvable at both ends of the dispute"
STILL_NOT_SOLVABLE: Final = "still not solvable by these means"
WITHIN_PREMISE: Final = "solvable even within the premise"
ONLY_WITHOUT_PREMISE: Final = "still solvable only without the premise"


def render_counterfactual_table(case: FinishedCase) -> str:
    """Render the variants as a table, and say if all of them end alike."""
    wording, verdict = case.wording, case.report.verdict
    if wording is None or verdict is None:
        return "Nothing was computed, so no variant is known."
    found = find_counterfactuals(wording, verdict)
    if not found:
        return "None was found: no single change that was tried gives another outcome."
    rows = (
        (
            each.change,
            each.becomes,
            each.solution or (wording.describe_plan(each.plan) if each.plan else "no plan"),
        )
        for each in found
    )
    return join_paragraphs(
        "Each is a scenario of its own. What is said of it holds for the actions of the record and of the same library:",
        render_table(("Change", "Then it is", "Solved by"), rows),
        _describe_uniform_outcome(found, is_solvable=bool(verdict.ways)),
    )


def _describe_uniform_outcome(found: tuple[CounterfactualRow, ...], *, is_solvable: bool) -> str:
    if len({each.becomes for each in found}) > 1:
        return ""
    becomes = found[0].becomes
    if is_solvable:
        return (
            "As stated it is solvable; every single change that was found to matter ends that."
            if becomes == NOT_SOLVABLE
            else ""
        )
    return "As stated nothing works; each of these changes makes it solvable." if becomes == SOLVABLE else ""


def find_counterfactuals(wording: RecordWording, verdict: StatusVerdict) -> tuple[CounterfactualRow, ...]:
    """Find at most three variants, of different outcomes where the record allows it.

    Numbers that flip the outcome come first, the nearest first, then a dropped premise, a missing thing and a
    number that decides nothing when halved. Variants of a contested scenario are examined over the whole dispute.
    """
    if verdict.crux is not None:
        return select_contested_rows(iterate_contested_rows(wording, verdict.crux))
    flips = list(islice(_iterate_flipped_numbers(wording, verdict), MOST_VARIANTS))
    chosen = flips[:MOST_ALIKE]
    known = {each.becomes for each in chosen}
    further = next(
        (each for each in _iterate_other_variants(wording, verdict, chosen) if each.becomes not in known),
        None,
    )
    chosen += [further] if further is not None else flips[MOST_ALIKE:]
    if len(chosen) < MOST_VARIANTS:
        chosen += islice(_iterate_other_variants(wording, verdict, chosen), MOST_VARIANTS - len(chosen))
    return tuple(chosen)


def _iterate_flipped_numbers(wording: RecordWording, verdict: StatusVerdict) -> Iterator[CounterfactualRow]:
    for variant in find_counterfactual_variants(wording.analysis, verdict):
        flipped = _search_variant_beyond_flip(wording, verdict, variant)
        if flipped is not None:
            yield flipped


def _iterate_other_variants(
    wording: RecordWording, verdict: StatusVerdict, chosen: list[CounterfactualRow]
) -> Iterator[CounterfactualRow]:
    """Yield variants that change something else than the chosen ones do."""
    subjects = {each.subject for each in chosen}
    variants = chain(
        _iterate_premise_variants(wording, verdict),
        _iterate_missing_thing_variants(wording, verdict),
        _iterate_halved_number_variants(wording, verdict),
    )
    return (each for each in variants if each.subject not in subjects)


def _iterate_premise_variants(wording: RecordWording, verdict: StatusVerdict) -> Iterator[CounterfactualRow]:
    if verdict.outside is not None:
        change = f"without the premise {describe_premises(wording, verdict)}"
        yield CounterfactualRow(change, SOLVABLE, verdict.outside.calls, "premise")


def _search_variant_beyond_flip(
    wording: RecordWording, verdict: StatusVerdict, variant: OutcomeFlip
) -> CounterfactualRow | None:
    """Search the variant at a round value beyond the flip, so that the printed value is the computed one.

    Returns None if that value does not give the variant's outcome, or has another sign than the stated one.
    """
    analysis = wording.analysis
    stated_value = scale_quantity(analysis.world, variant.quantity, 1.0)
    value = round_away_from_stated(analysis.world, variant.quantity, variant.value)
    if value is None or ends_before_it_begins(analysis, variant.quantity, value):
        return None
    plans = _search_at_ends(analysis, SearchSituation({variant.quantity: value}))
    if plans is not None and not all(_tests_envelope(analysis, verdict, plan) for plan in plans):
        return None
    change = describe_changed_value(wording, variant.quantity, stated_value, value)
    if variant.becomes == "impossible":
        is_proved = plans is not None and not any(plans) and not _has_decision(analysis)
        return CounterfactualRow(change, NOT_SOLVABLE, (), variant.quantity) if is_proved else None
    if plans is None or not all(plans):
        return None
    becomes = WITHIN_PREMISE if verdict.outside is not None else SOLVABLE
    return CounterfactualRow(change, becomes, plans[0], variant.quantity)


def _tests_envelope(analysis: WorldAnalysis, verdict: StatusVerdict, calls: tuple[str, ...]) -> bool:
    """Return whether a plan for an open problem is tested by every demand that any action of the record tests.

    A plan whose only effect is the goal would solve the problem by the word of the record alone.
    """
    if verdict.frontier is None or not calls:
        return True
    moves = {move.text: move for move in analysis.searcher.moves}
    tested = _collect_tested_quantities(analysis, (moves[call] for call in calls if call in moves))
    testable = _collect_tested_quantities(analysis, moves.values())
    demands = [analysis.world.collect_stated_quantities(tree) for tree in verdict.frontier.envelope.values()]
    return all(demand & tested for demand in demands if demand & testable)


def _collect_tested_quantities(analysis: WorldAnalysis, moves: Iterable[Move]) -> frozenset[str]:
    trees = (test.tree for move in moves for test in move.tests)
    return frozenset().union(*(analysis.world.collect_stated_quantities(tree) for tree in trees))


def _search_at_ends(
    analysis: WorldAnalysis, situation: SearchSituation
) -> tuple[tuple[str, ...], ...] | None:
    """Return a plan for each end of every disputed range, empty where there is none.

    Without a dispute there is one plan. Return None if a search was not exhausted.
    """
    disputed = [each for each in analysis.world.quantities.values() if each.kind is QuantityKind.DISPUTED]
    ends: list[dict[str, Value]] = [
        {each.name: end} for each in disputed for end in (each.low, each.high) if end is not None
    ]
    found = []
    for end in ends or [{}]:
        bounds = SearchBounds(nodes=_NODES)
        at_end = replace(situation, changes={**situation.changes, **end})
        plan = analysis.searcher.find_plan(bounds, at_end)
        if not bounds.exhausted:
            return None
        found.append(tuple(move.text for move in plan) if plan else ())
    return tuple(found)


def _has_decision(analysis: WorldAnalysis) -> bool:
    """Return whether a solver may choose a value that the search does not try, so that nothing follows from it."""
    return any(each.kind is QuantityKind.DECISION for each in analysis.world.quantities.values())


def _iterate_missing_thing_variants(
    wording: RecordWording, verdict: StatusVerdict
) -> Iterator[CounterfactualRow]:
    """Yield what the scenario becomes without a thing that the first plan uses."""
    if not verdict.ways:
        return
    analysis = wording.analysis
    for name in sorted(verdict.ways[0].things):
        thing = analysis.world.things.get(name)
        if thing is None or not thing.own or thing.kind not in {"object", "substance"}:
            continue
        plans = _search_at_ends(analysis, SearchSituation(without_things=frozenset({name})))
        if plans is not None and all(plans):
            yield CounterfactualRow(f"without {thing.label}", ANOTHER_WAY, plans[0], name)
        elif plans is not None and not any(plans):
            yield CounterfactualRow(f"without {thing.label}", NOT_SOLVABLE, (), name)


def _iterate_halved_number_variants(
    wording: RecordWording, verdict: StatusVerdict
) -> Iterator[CounterfactualRow]:
    """Yield numbers of the record that decide nothing even when halved."""
    analysis, world = wording.analysis, wording.world
    for name in find_numbers_read_by_moves(world, analysis.searcher.moves):
        owner = world.things.get(name.partition(".")[0])
        stated_value, value = scale_quantity(world, name, 1.0), scale_quantity(world, name, _HALF)
        if world.quantities[name].kind is QuantityKind.DISPUTED:
            continue
        is_count = world.quantities[name].display_unit is None and stated_value == round(stated_value)
        if (
            value == stated_value
            or (owner is not None and not owner.own)
            or (is_count and value != round(value))
        ):
            continue
        lifted = frozenset(verdict.premises) if verdict.outside is not None else frozenset[str]()
        if ends_before_it_begins(analysis, name, value):
            continue
        plans = _search_at_ends(analysis, SearchSituation({name: value}, lifted=lifted))
        if plans is None or any(plans) is not all(plans) or all(plans) is not bool(verdict.ways or lifted):
            continue
        change = describe_changed_value(wording, name, stated_value, value)
        if lifted:
            if not any(_search_at_ends(analysis, SearchSituation({name: value})) or ((),)):
                yield CounterfactualRow(change, ONLY_WITHOUT_PREMISE, plans[0], name)
        else:
            solvable = STILL_SOLVABLE if len(plans) == 1 else STILL_SOLVABLE_AT_BOTH_ENDS
            yield CounterfactualRow(change, solvable if all(plans) else STILL_NOT_SOLVABLE, plans[0], name)
