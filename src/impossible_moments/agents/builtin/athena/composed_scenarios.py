"""Composed scenarios: ATHENA hands in the draw of a place at a level, and the next one if it is sent back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin, parse_origin
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief, find_composed_offer
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk, ProposedDraw
from impossible_moments.blueprints import list_titles
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import SeedDocument

MOST_REVISIONS: Final = 6


def draw_composed_scenario(
    desk: DesignDesk, brief: GenerationBrief, earlier: SeedDocument | None, demands: Sequence[RevisionDemand]
) -> ProposedDraw:
    """Draw the composed scenario that a brief asks for. A revision takes the next draw of the same seed.

    All figures of a draw belong together, so a demand cannot change a single one. Raise `UnreachableBrief` after a few
    draws.
    """
    before = parse_origin(earlier.drawn_as) if earlier is not None else None
    attempt = 0 if before is None else before.attempt + 1
    if attempt >= MOST_REVISIONS:
        raise UnreachableBrief(f"{attempt} draws of the composed scenario were returned. Take another seed.")
    offer = find_composed_offer(brief, attempt)
    titles = list_titles(offer)
    taken = brief.twin.title if brief.twin is not None else None
    turns = [brief.seed + attempt + step for step in range(len(titles))]
    turn = next(each for each in turns if titles[each % len(titles)] != taken)
    origin = DesignOrigin(offer.name, attempt, turn)
    draft = desk.draw_origin(brief, origin)
    assert draft is not None, "the offer was just found"
    notes = tuple(
        f"{each.demanded_by or 'A note'}: “{each.demand}” Answer: drew all figures of the place again."
        for each in demands
    )
    earlier_notes = earlier.revision_notes if earlier is not None else ()
    return replace(desk.complete_proposal(brief, draft, origin), revision_notes=(*earlier_notes, *notes))
