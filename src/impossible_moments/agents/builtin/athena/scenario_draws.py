"""Draws of scenarios: offers are tried until a draw is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from impossible_moments.agents.builtin.athena.offer_selection import (
    BriefConstraint,
    count_catalogue_laps,
    find_fitting_offers,
    order_offers,
)
from impossible_moments.blueprints import Catalogue, InstanceTrial, Offer, run_trial
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
    avoid: int = 0,
    *,
    also: Callable[[InstanceTrial], str | None] = lambda _trial: None,
) -> AcceptedDraw:
    """Return the first acceptable draw of the offers that fit the brief.

    `attempt` counts the seed documents handed in before, and each attempt draws other numbers. `avoid` counts
    how often another situation was asked for, and so many offers are skipped. `also` returns why an otherwise
    acceptable draw is refused, or None. Raise `NoAcceptedDraw` if all draws are refused.
    """
    offers = find_fitting_offers(catalogue, brief)
    ordered = list(order_offers(offers, brief))
    walked = ordered[avoid:] or ordered  # skipped offers are not tried again
    refused: list[str] = []
    turn = count_catalogue_laps(offers, brief)
    second_best: AcceptedDraw | None = None
    for offer in islice(walked, OFFERS):
        for tried in _iterate_draws(offer, library, brief, attempt, turn):
            reason = _find_refusal_reason(tried, brief) or also(tried)
            if reason is not None:
                refused.append(f"{offer.name}: {reason}")
                continue
            found = AcceptedDraw(
                tried,
                _list_candidate_offers(catalogue, brief, walked),
                tuple(refused),
                _list_unmet_constraints(tried, brief),
            )
            if not found.unmet_constraints:
                return found
            # another offer may satisfy all constraints
            second_best = second_best or found
            break
    if second_best is not None:
        return second_best
    raise NoAcceptedDraw(
        f"no draw of {len(walked)} offers was accepted for {brief.category}, {brief.solution_status}, {brief.difficulty_tier}; "
        f"the last refusal: {refused[-1] if refused else 'none'}."
    )


def _list_candidate_offers(
    catalogue: Catalogue, brief: GenerationBrief, walked: list[Offer]
) -> tuple[Offer, ...]:
    """Return the candidate situations, one for each skin.

    Those that fit the brief come before others of its category.
    """
    found: dict[str, Offer] = {}
    for offer in (*walked, *catalogue.iterate_offers(brief.category)):
        found.setdefault(offer.skin.name, offer)
    return tuple(islice(found.values(), CANDIDATES))


def _iterate_draws(
    offer: Offer, library: Library, brief: GenerationBrief, attempt: int, turn: int
) -> Iterator[InstanceTrial]:
    for again in range(DRAWS_OF_AN_OFFER):
        yield run_trial(offer, library, brief.seed, attempt, again, turn=turn)


def _find_refusal_reason(tried: InstanceTrial, brief: GenerationBrief) -> str | None:
    if tried.reasons:
        return tried.reasons[0]
    if tried.tier != brief.difficulty_tier:
        return f"difficulty.tier it measures as {tried.tier} ({tried.profile}), and {brief.difficulty_tier} is wanted"
    return None


def _list_unmet_constraints(tried: InstanceTrial, brief: GenerationBrief) -> tuple[str, ...]:
    """Return the constraints that the draw does not satisfy, as far as they can be checked."""
    objects = len(tried.tables.objects)
    lacking = []
    for text in brief.constraints:
        asked = BriefConstraint(text)
        if asked.object_count is not None:
            how, number = asked.object_count
            kept = {"at least": objects >= number, "at most": objects <= number}.get(how, objects == number)
            if not kept:
                lacking.append(f"{text} (there are {objects} objects)")
        elif asked.is_specific and not asked.allows_offer(tried.instance.offer):
            lacking.append(text)
    return tuple(lacking)
