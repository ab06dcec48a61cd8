"""Variants of published scenarios in which DARWIN has changed one quantity: their briefs and their draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from impossible_moments.agents.builtin.additional_agents.record_mutations import (
    change_quantity,
    claim_computed_status,
    verify_record_once,
)
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin, format_origin, parse_origin
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief, find_parent_offer
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk, ProposedDraw
from impossible_moments.agents.builtin.athena.scenario_origins import (
    ReproducedDraw,
    find_draw_reproducing_record,
)
from impossible_moments.agents.builtin.athena.twin_scenarios import PublishedSibling
from impossible_moments.blueprints import (
    BlueprintInstance,
    Catalogue,
    DrawChanges,
    InstanceTrial,
    draw_instance,
    list_titles,
    read_draft,
)
from impossible_moments.domain.additional_agent_reports import Mutation
from impossible_moments.domain.brief import ChangedQuantity, GenerationBrief, VariantWanted
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import TIERS, Tier, parse_main_status
from impossible_moments.mechanics.records import Library

Refusal = Callable[[InstanceTrial], str | None]
_PREFERRED: Final = ("fragile", "still solvable")
"""Mutations that keep the parent's status, the more demanding first. Others need a text of another status: a twin."""
_OTHER_SUBTYPE: Final = "status.other"


def build_variant_briefs(
    parent: PublishedSibling,
    mutations: Sequence[Mutation],
    catalogue: Catalogue,
    library: Library,
    refusal: Refusal,
    *,
    most: int,
) -> tuple[GenerationBrief, ...]:
    """Build the briefs of variants, each with another changed quantity first and the remaining changes after it.

    The result is empty if the catalogue does not reproduce the parent, or if no mutation gives a valid scenario.
    `refusal` returns why a draw is refused, or None.
    """
    origin = find_draw_reproducing_record(
        parent.record, catalogue, library, seed=parent.seed, stated=parse_origin(parent.origin)
    )
    if origin is None:
        return ()
    valid: dict[Tier, list[ChangedQuantity]] = {}
    for mutation in _order_mutations(mutations):
        change = ChangedQuantity(quantity=mutation.quantity, value=mutation.after)
        trial = _try_change(_build_brief(parent, origin, TIERS[0], (change,)), change, catalogue, library)
        if _find_refusal_reason(trial) is None and trial.tier is not None and refusal(trial) is None:
            valid.setdefault(trial.tier, []).append(change)
    return tuple(
        islice(
            (_build_brief(parent, origin, tier, changes) for tier, changes in _iterate_orders(valid)), most
        )
    )


def _iterate_orders(
    valid: Mapping[Tier, list[ChangedQuantity]],
) -> Iterator[tuple[Tier, tuple[ChangedQuantity, ...]]]:
    """Yield the changes of a tier so that each quantity comes first once."""
    for tier, changes in valid.items():
        for first in {change.quantity: change for change in reversed(changes)}.values():
            yield tier, (first, *(change for change in changes if change != first))


def draw_variant_scenario(
    desk: DesignDesk, brief: GenerationBrief, earlier: SeedDocument | None
) -> ProposedDraw:
    """Draw the variant that a brief asks for. A revision takes the next change.

    The changes were checked when the brief was built. Raise `UnreachableBrief` if there is no further change.
    """
    assert brief.variant is not None, "only briefs of variants are drawn here"
    origin = parse_origin(earlier.drawn_as) if earlier is not None else None
    attempt = 0 if origin is None else origin.attempt + 1
    changes = brief.variant.changes[attempt:]
    if not changes:
        raise UnreachableBrief(
            f"The variant of {brief.variant.of} was returned for revision {attempt} times, and there is no further change to "
            "try. Ask for a variant of another scenario."
        )
    instance = _draw_changed_instance(brief, changes[0], desk.catalogue, desk.library)
    draft = read_draft(instance, desk.library)
    return desk.complete_proposal(brief, draft, DesignOrigin(instance.offer.name, attempt))


def _order_mutations(mutations: Sequence[Mutation]) -> Iterator[Mutation]:
    """Yield the mutations that can be published: of each quantity first the value that differs most."""
    quantities = dict.fromkeys(each.quantity for each in mutations)
    for kind in _PREFERRED:
        for name in quantities:
            yield from reversed(
                [each for each in mutations if each.becomes == kind and each.quantity == name]
            )


def _build_brief(
    parent: PublishedSibling, origin: ReproducedDraw, tier: Tier, changes: tuple[ChangedQuantity, ...]
) -> GenerationBrief:
    return GenerationBrief(
        category=origin.offer.blueprint.category,
        difficulty_tier=tier,
        solution_status=parse_main_status(origin.offer.claim),
        seed=parent.seed,
        variant=VariantWanted(
            of=parent.scenario_id,
            title=str(parent.record.get("title")),
            drawn_as=origin.offer.name,
            attempt=origin.attempt,
            again=origin.again,
            revised_as=format_origin(DesignOrigin(origin.offer.name, origin.attempt, changes=origin.changes)),
            changes=changes,
        ),
    )


def _try_change(
    brief: GenerationBrief, change: ChangedQuantity, catalogue: Catalogue, library: Library
) -> InstanceTrial:
    instance = _draw_changed_instance(brief, change, catalogue, library)
    return InstanceTrial(instance, verify_record_once(instance.record, library), library)


def _draw_changed_instance(
    brief: GenerationBrief, change: ChangedQuantity, catalogue: Catalogue, library: Library
) -> BlueprintInstance:
    """Draw the parent again with another title and with the changed quantity."""
    assert brief.variant is not None, "only briefs of variants are drawn here"
    wanted = brief.variant
    offer = find_parent_offer(catalogue, wanted)
    titles = list_titles(offer)
    turn = next((at for at, title in enumerate(titles) if title != wanted.title), 0)
    revised = parse_origin(wanted.revised_as)
    changes = DrawChanges() if revised is None else revised.changes
    drawn = draw_instance(
        offer, library, brief.seed, wanted.attempt, wanted.again, turn=turn, changes=changes
    )
    record = claim_computed_status(change_quantity(drawn.record, change.quantity, change.value), library)
    return replace(drawn, record=record)


def _find_refusal_reason(trial: InstanceTrial) -> str | None:
    """Return why a variant is refused, or None. Its subtype may differ from that of its parent."""
    status = trial.report.verdict.status if trial.report.verdict is not None else None
    if status is None or parse_main_status(status) != parse_main_status(trial.instance.offer.claim):
        return f"it computes as {trial.status}"
    return next((reason for reason in trial.reasons if not reason.startswith(_OTHER_SUBTYPE)), None)
