"""Twins of published scenarios: their briefs and their draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief, find_twin_offer
from impossible_moments.agents.builtin.athena.scenario_draws import AcceptedDraw
from impossible_moments.agents.builtin.athena.scenario_origins import DrawOrigin, find_draw_reproducing_record
from impossible_moments.blueprints import (
    Catalogue,
    DrawSource,
    InstanceTrial,
    Offer,
    draw_and_check_instance,
    find_counterpart_offers,
    generate_twin_offers,
    list_draws_of_variant,
    list_titles,
)
from impossible_moments.domain.brief import GenerationBrief, TwinWanted
from impossible_moments.domain.vocabulary import TIERS, parse_main_status
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.records import Library

DRAWS: Final = 8
"""How often the quantities that only the twin's variant has are drawn before the next offer is tried."""

Refusal = Callable[[InstanceTrial], str | None]


@dataclass(frozen=True)
class PublishedSibling:
    """The parts of a published scenario that its twin needs."""

    scenario_id: str
    record: Mapping[str, Any]
    seed: int


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


def _iterate_candidate_briefs(sibling: PublishedSibling, origin: DrawOrigin) -> Iterator[GenerationBrief]:
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
    catalogue: Catalogue,
    library: Library,
    brief: GenerationBrief,
    attempt: int,
    *,
    find_further_refusal: Refusal,
) -> AcceptedDraw:
    """Draw the twin that a brief asks for. A repeated attempt draws the numbers of the variant again.

    Raise `UnreachableBrief` if no draw is accepted.
    """
    assert brief.twin is not None, "only briefs of twins are drawn here"
    twin = brief.twin
    if attempt and not list_draws_of_variant(find_twin_offer(catalogue, twin)):
        raise UnreachableBrief(
            f"The twin of {twin.of} was returned for revision, but there is no other draw of it."
        )
    reason: str | None = None
    for anew in range(twin.anew + attempt, twin.anew + attempt + DRAWS):
        trial = _try_twin_draw(
            brief.model_copy(update={"twin": twin.model_copy(update={"anew": anew})}), catalogue, library
        )
        if trial is None:
            continue
        reason = next(iter(trial.reasons), None) or find_further_refusal(trial)
        if reason is None and trial.tier == brief.difficulty_tier:
            return AcceptedDraw(trial, (trial.instance.offer,), (), ())
    raise UnreachableBrief(
        f"Cannot draw a twin of {twin.of}: {reason or 'its tier is never the requested one'}."
    )


def _try_twin_draw(brief: GenerationBrief, catalogue: Catalogue, library: Library) -> InstanceTrial | None:
    """Return the draw, or None if the text of one variant does not fit the numbers of the other."""
    assert brief.twin is not None, "only briefs of twins are drawn here"
    twin = brief.twin
    offer = find_twin_offer(catalogue, twin)
    following = DrawSource(twin.drawn_as, twin.anew)
    try:
        return draw_and_check_instance(
            offer,
            library,
            brief.seed,
            twin.attempt,
            twin.again,
            turn=_find_other_title_index(offer, twin.title),
            following=following,
        )
    except ImpossibleMomentsError:
        return None


def _find_other_title_index(offer: Offer, sibling_title: str) -> int:
    """Return the index of the first title that is not the sibling's, so that twins are not recognizable."""
    titles = list_titles(offer)
    return next((at for at, title in enumerate(titles) if title != sibling_title), 0)
