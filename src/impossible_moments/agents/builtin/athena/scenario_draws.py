"""Draws of scenarios: offers are tried until a draw is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from impossible_moments.agents.builtin.athena.offer_selection import (
    count_catalogue_laps,
    find_fitting_offers,
    list_unmet_constraints,
    order_offers,
)
from impossible_moments.blueprints import Catalogue, InstanceTrial, Offer, draw_and_check_instance
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.records import Library

DRAWS_OF_AN_OFFER = 8
OFFERS = 6
CANDIDATES = 4


class NoAcceptedDraw(ImpossibleMomentsError):
    """The refusal of every draw. The message names the last offer and the reason."""


@dataclass(frozen=True)
class AcceptedDraw:
    """The accepted draw, and what else was considered."""

    trial: InstanceTrial
    candidates: tuple[Offer, ...]
    refused_draws: tuple[str, ...]
    """Refused draws with the reason."""
    unmet_constraints: tuple[str, ...]
    """Constraints of the brief that the draw does not satisfy."""


def draw_scenario(
    catalogue: Catalogue,
    library: Library,
    brief: GenerationBrief,
    attempt: int,
    skipped_offers: int = 0,
    *,
    find_further_refusal: Callable[[InstanceTrial], str | None] = lambda _trial: None,
) -> AcceptedDraw:
    """Return the first acceptable draw of the offers that fit the brief.

    `attempt` counts the seed documents handed in before, and each attempt draws other numbers. `skipped_offers` counts
    how often another situation was asked for, and so many offers are skipped. `find_further_refusal` returns why an otherwise
    acceptable draw is refused, or None. Raise `NoAcceptedDraw` if all draws are refused.
    """
    offers = find_fitting_offers(catalogue, brief)
    ordered = list(order_offers(offers, brief))
    candidates = ordered[skipped_offers:] or ordered  # skipped offers are not tried again
    refusals: list[str] = []
    turn = count_catalogue_laps(offers, brief)
    second_best: AcceptedDraw | None = None
    for offer in islice(candidates, OFFERS):
        for trial in _iterate_draws(offer, library, brief, attempt, turn):
            reason = _find_refusal_reason(trial, brief) or find_further_refusal(trial)
            if reason is not None:
                refusals.append(f"{offer.name}: {reason}")
                continue
            found = AcceptedDraw(
                trial,
                _list_candidate_offers(catalogue, brief, candidates),
                tuple(refusals),
                list_unmet_constraints(trial, brief),
            )
            if not found.unmet_constraints:
                return found
            # another offer may satisfy all constraints
            second_best = second_best or found
            break
    if second_best is not None:
        return second_best
    raise NoAcceptedDraw(
        f"no draw of {len(candidates)} offers was accepted for {brief.category}, {brief.solution_status}, {brief.difficulty_tier}; "
        f"the last refusal: {refusals[-1] if refusals else 'none'}."
    )


def _list_candidate_offers(
    catalogue: Catalogue, brief: GenerationBrief, offers: list[Offer]
) -> tuple[Offer, ...]:
    """Return the candidate situations, one for each skin.

    Those that fit the brief come before others of its category.
    """
    found: dict[str, Offer] = {}
    for offer in (*offers, *catalogue.iterate_offers(brief.category)):
        found.setdefault(offer.skin.name, offer)
    return tuple(islice(found.values(), CANDIDATES))


def _iterate_draws(
    offer: Offer, library: Library, brief: GenerationBrief, attempt: int, turn: int
) -> Iterator[InstanceTrial]:
    for again in range(DRAWS_OF_AN_OFFER):
        yield draw_and_check_instance(offer, library, brief.seed, attempt, again, turn=turn)


def _find_refusal_reason(trial: InstanceTrial, brief: GenerationBrief) -> str | None:
    if trial.reasons:
        return trial.reasons[0]
    if trial.tier != brief.difficulty_tier:
        return f"difficulty.tier it measures as {trial.tier} ({trial.profile}), and {brief.difficulty_tier} is wanted"
    return None
