"""Twins of published scenarios: their briefs and their draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin, parse_origin
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief, find_twin_offer
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk, ProposedDraw
from impossible_moments.agents.builtin.athena.scenario_origins import (
    ReproducedDraw,
    find_draw_reproducing_record,
)
from impossible_moments.blueprints import (
    BlueprintInstance,
    Catalogue,
    DrawSource,
    InstanceTrial,
    Offer,
    draw_instance,
    find_counterpart_offers,
    generate_twin_offers,
    list_draws_of_variant,
    list_titles,
    read_draft,
)
from impossible_moments.domain.brief import GenerationBrief, TwinWanted
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import TIERS, parse_main_status
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.checks import verify_record
from impossible_moments.mechanics.records import Library

DRAWS: Final = 8
"""How often the quantities that only the twin's variant has are drawn before the next offer is tried."""

Refusal = Callable[[InstanceTrial], str | None]


@dataclass(frozen=True)
class PublishedSibling:
    """The parts of a published scenario that its twin or variant needs."""

    scenario_id: str
    record: Mapping[str, Any]
    seed: int
    origin: str = ""
    """The origin that its seed document states, if it is known. It is verified before use."""


def build_twin_brief(
    sibling: PublishedSibling, catalogue: Catalogue, library: Library, refusal: Refusal
) -> GenerationBrief:
    """Build the brief of the twin of a published scenario. Raise `UnreachableBrief` if it has none.

    `refusal` returns why a draw is refused, or None.
    """
    origin = find_draw_reproducing_record(sibling.record, catalogue, library, seed=sibling.seed)
    if origin is None:
        raise UnreachableBrief(
            f"{sibling.scenario_id} cannot be drawn from the current catalogue, so it has no twin. Twins exist only for "
            "scenarios that the built-in designer created with these blueprints."
        )
    if not find_counterpart_offers(origin.offer):
        raise UnreachableBrief(
            f"{sibling.scenario_id} has no twin: the skin {origin.offer.skin.name} has no variant of {origin.offer.blueprint.name} "
            f"with the opposite outcome of {origin.offer.claim}. Write one, or choose another scenario."
        )
    for brief in _iterate_candidate_briefs(sibling, origin):
        trial = _try_twin_draw(brief, catalogue, library)
        if trial is not None and not trial.reasons and trial.tier is not None and refusal(trial) is None:
            return brief.model_copy(update={"difficulty_tier": trial.tier})
    raise UnreachableBrief(
        f"{sibling.scenario_id} has no twin: no draw with its numbers gives a valid scenario of "
        f"{' or '.join(each.variant for each in find_counterpart_offers(origin.offer))}. Choose another scenario."
    )


def _iterate_candidate_briefs(sibling: PublishedSibling, origin: ReproducedDraw) -> Iterator[GenerationBrief]:
    """Yield candidate briefs, the most similar first. Their tier is only known after the draw."""
    for offer in generate_twin_offers(origin.offer):
        for anew in range(DRAWS if list_draws_of_variant(offer) else 1):
            yield GenerationBrief(
                category=offer.blueprint.category,
                difficulty_tier=TIERS[0],
                solution_status=parse_main_status(offer.claim),
                seed=sibling.seed,
                twin=TwinWanted(
                    of=sibling.scenario_id,
                    title=str(sibling.record.get("title")),
                    drawn_as=origin.offer.name,
                    attempt=origin.attempt,
                    again=origin.again,
                    variant=offer.variant,
                    told_alike=bool(offer.narrated_variant),
                    depth=offer.depth,
                    anew=anew,
                ),
            )


def draw_twin_scenario(
    desk: DesignDesk, brief: GenerationBrief, earlier: SeedDocument | None, demands: Sequence[RevisionDemand]
) -> ProposedDraw:
    """Draw the twin that a brief asks for. A revision draws the numbers of its variant again.

    Everything else is its sibling's, so no demand can change it. Raise `UnreachableBrief` if there is no other draw.
    """
    assert brief.twin is not None, "only briefs of twins are drawn here"
    twin = brief.twin
    offer = find_twin_offer(desk.catalogue, twin)
    if any("too near to a scenario" in each.demand for each in demands):
        raise UnreachableBrief(
            f"The twin of {twin.of} is too similar to an existing scenario that is not its sibling. "
            "Choose another scenario."
        )
    origin = parse_origin(earlier.drawn_as) if earlier is not None else None
    if earlier is not None and not list_draws_of_variant(offer):
        raise UnreachableBrief(
            f"The twin of {twin.of} was returned for revision, but there is no other draw of it."
        )
    first = twin.anew if origin is None else origin.attempt + 1
    for anew in range(first, first + DRAWS):
        try:
            draft = read_draft(_draw_twin(brief, offer, anew, desk.library), desk.library)
        except ImpossibleMomentsError:
            continue
        if earlier is not None and draft.instance.record == earlier.mechanics:
            continue
        notes = tuple(
            f"{each.demanded_by or 'A note'}: “{each.demand}” Answer: drew the numbers that only this twin has again."
            for each in demands
        )
        proposal = desk.complete_proposal(brief, draft, DesignOrigin(offer.name, anew))
        earlier_notes = earlier.revision_notes if earlier is not None else ()
        return replace(proposal, revision_notes=(*earlier_notes, *notes))
    raise UnreachableBrief(
        f"Cannot draw a twin of {twin.of}: no draw with its sibling's numbers can be read."
    )


def _try_twin_draw(brief: GenerationBrief, catalogue: Catalogue, library: Library) -> InstanceTrial | None:
    """Return the checked draw, or None if the text of one variant does not fit the numbers of the other."""
    assert brief.twin is not None, "only briefs of twins are drawn here"
    offer = find_twin_offer(catalogue, brief.twin)
    try:
        instance = _draw_twin(brief, offer, brief.twin.anew, library)
    except ImpossibleMomentsError:
        return None
    return InstanceTrial(instance, verify_record(instance.record, library), library)


def _draw_twin(brief: GenerationBrief, offer: Offer, anew: int, library: Library) -> BlueprintInstance:
    """Draw a twin with its sibling's numbers. `anew` counts the redraws of the numbers that only it has."""
    assert brief.twin is not None, "only briefs of twins are drawn here"
    twin = brief.twin
    return draw_instance(
        offer,
        library,
        brief.seed,
        twin.attempt,
        twin.again,
        turn=_find_other_title_index(offer, twin.title),
        following=DrawSource(twin.drawn_as, anew),
    )


def _find_other_title_index(offer: Offer, sibling_title: str) -> int:
    """Return the index of the first title that is not the sibling's, so that twins are not recognizable."""
    titles = list_titles(offer)
    return next((at for at, title in enumerate(titles) if title != sibling_title), 0)
