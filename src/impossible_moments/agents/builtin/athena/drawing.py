"""Draws of scenarios: offers are tried until a draw is accepted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from impossible_moments.agents.builtin.athena.choosing import Constraint, fitting, lap, order
from impossible_moments.blueprints.catalogue import Catalogue, Offer
from impossible_moments.blueprints.trials import Trial, trial
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.library import Library

DRAWS_OF_AN_OFFER = 8
OFFERS = 6
CANDIDATES = 4


class NothingAccepted(ImpossibleMomentsError):
    """The refusal of every draw. The message names the last offer and the reason."""


@dataclass(frozen=True)
class Drawn:
    """The accepted draw, and what else was considered."""

    trial: Trial
    candidates: tuple[Offer, ...]
    refused: tuple[str, ...]
    """Refused draws with the reason."""
    unmet: tuple[str, ...]
    """Constraints of the brief that the draw does not satisfy."""


def draw(
    catalogue: Catalogue,
    library: Library,
    brief: GenerationBrief,
    attempt: int,
    avoid: int = 0,
    *,
    also: Callable[[Trial], str | None] = lambda _trial: None,
) -> Drawn:
    """Return the first acceptable draw of the offers that fit the brief.

    `attempt` counts the seed documents handed in before, and each attempt draws other numbers. `avoid` counts
    how often another situation was asked for, and so many offers are skipped. `also` returns why an otherwise
    acceptable draw is refused, or None. Raise `NoAcceptedDraw` if all draws are refused.
    """
    offers = fitting(catalogue, brief)
    ordered = list(order(offers, brief))
    walked = ordered[avoid:] or ordered  # skipped offers are not tried again
    refused: list[str] = []
    turn = lap(offers, brief)
    second_best: Drawn | None = None
    for offer in islice(walked, OFFERS):
        for tried in _draws(offer, library, brief, attempt, turn):
            reason = _refusal(tried, brief) or also(tried)
            if reason is not None:
                refused.append(f"{offer.name}: {reason}")
                continue
            found = Drawn(tried, _candidates(catalogue, brief, walked), tuple(refused), _unmet(tried, brief))
            if not found.unmet:
                return found
            # another offer may satisfy all constraints
            second_best = second_best or found
            break
    if second_best is not None:
        return second_best
    raise NothingAccepted(
        f"no draw of {len(walked)} offers was accepted for {brief.category}, {brief.solution_status}, {brief.difficulty_tier}; "
        f"the last refusal: {refused[-1] if refused else 'none'}."
    )


def _candidates(catalogue: Catalogue, brief: GenerationBrief, walked: list[Offer]) -> tuple[Offer, ...]:
    """Return the candidate situations, one for each skin.

    Those that fit the brief come before others of its category.
    """
    found: dict[str, Offer] = {}
    for offer in (*walked, *catalogue.offers(brief.category)):
        found.setdefault(offer.skin.name, offer)
    return tuple(islice(found.values(), CANDIDATES))


def _draws(
    offer: Offer, library: Library, brief: GenerationBrief, attempt: int, turn: int
) -> Iterator[Trial]:
    for again in range(DRAWS_OF_AN_OFFER):
        yield trial(offer, library, brief.seed, attempt, again, turn=turn)


def _refusal(tried: Trial, brief: GenerationBrief) -> str | None:
    if tried.reasons:
        return tried.reasons[0]
    if tried.tier != brief.difficulty_tier:
        return f"difficulty.tier it measures as {tried.tier} ({tried.profile}), and {brief.difficulty_tier} is wanted"
    return None


def _unmet(tried: Trial, brief: GenerationBrief) -> tuple[str, ...]:
    """Return the constraints that the draw does not satisfy, as far as they can be checked."""
    objects = len(tried.tables.objects)
    lacking = []
    for text in brief.constraints:
        asked = Constraint(text)
        if asked.count is not None:
            how, number = asked.count
            kept = {"at least": objects >= number, "at most": objects <= number}.get(how, objects == number)
            if not kept:
                lacking.append(f"{text} (there are {objects} objects)")
        elif asked.speaks and not asked.keeps(tried.instance.offer):
            lacking.append(text)
    return tuple(lacking)
