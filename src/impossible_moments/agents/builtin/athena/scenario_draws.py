"""Draws of scenarios: the first readable draw of the best offer is proposed, and nothing about it is verified."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.candidate_situations import list_candidates
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin, format_origin, parse_origin
from impossible_moments.agents.builtin.athena.offer_selection import (
    UnreachableBrief,
    collect_offer_content,
    count_catalogue_laps,
    find_composed_offer,
    find_fitting_offers,
    order_offers,
)
from impossible_moments.agents.builtin.athena.scenario_texts import list_described_objects
from impossible_moments.agents.builtin.athena.title_review import find_revealing_words
from impossible_moments.agents.orchestrator.brief_constraints import BriefConstraint
from impossible_moments.blueprints import (
    Catalogue,
    Offer,
    ScenarioDraft,
    UnreadableDraft,
    draw_instance,
    list_titles,
    read_draft,
)
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import Candidate, SeedDocument
from impossible_moments.domain.vocabulary import Tier
from impossible_moments.errors import ImpossibleMomentsError
from impossible_moments.mechanics.records import Library

DRAWS_OF_AN_OFFER = 8
OFFERS = 6
MOST_REVISIONS = 6


class NoReadableDraw(ImpossibleMomentsError):
    """No draw that can be read. The message names the last offer and the reason."""


@dataclass(frozen=True)
class ProposedDraw:
    """A draft that ATHENA proposes, and what it says about it."""

    draft: ScenarioDraft
    tier: Tier
    """The tier that the brief asks for. Whether the design has it is for others to measure."""
    drawn_as: str = ""
    candidates: tuple[Candidate, ...] = ()
    unmet_constraints: tuple[str, ...] = ()
    """Constraints of the brief that the draw does not satisfy."""
    revision_notes: tuple[str, ...] = ()
    unmet_demands: tuple[str, ...] = ()


@dataclass(frozen=True)
class DesignDesk:
    """The catalogue and library from which a brief is answered."""

    catalogue: Catalogue
    library: Library

    def find_offer(self, name: str) -> Offer | None:
        """Return the offer of a name, or None if the catalogue does not have it."""
        return next((offer for offer in self.catalogue.iterate_offers() if offer.name == name), None)

    def draw_origin(self, brief: GenerationBrief, origin: DesignOrigin) -> ScenarioDraft | None:
        """Draw the design of an origin, or return None if the catalogue no longer has it.

        Raise `UnreadableDraft` if the changes leave a record that cannot be read.
        """
        offer = (
            self.find_offer(origin.offer)
            if brief.composed is None
            else find_composed_offer(brief, origin.attempt)
        )
        if offer is None:
            return None
        instance = draw_instance(
            offer, self.library, brief.seed, origin.attempt, 0, turn=origin.turn, changes=origin.changes
        )
        return read_draft(instance, self.library)

    def propose(
        self,
        brief: GenerationBrief,
        *,
        skips: Callable[[Offer], bool] = lambda _offer: False,
        prefers: Callable[[Offer], int] = lambda _offer: 0,
    ) -> ProposedDraw:
        """Propose the first readable draw of the offers that fit the brief.

        Offers that `skips` accepts are left out, and those that `prefers` ranks higher come first. An offer that keeps
        all constraints of the brief is preferred, or else the one that misses the fewest.
        Raise `NoReadableDraw` if there is none.
        """
        offers = find_fitting_offers(self.catalogue, brief)
        turn = count_catalogue_laps(offers, brief)
        second_best: ProposedDraw | None = None
        problem = "every offer was used before"
        ordered = [
            each for each in order_offers(offers, brief, self.catalogue.contributed) if not skips(each)
        ]
        for offer in sorted(ordered, key=lambda each: -prefers(each))[:OFFERS]:
            for attempt in range(DRAWS_OF_AN_OFFER):
                origin = DesignOrigin(offer.name, attempt, turn)
                try:
                    draft = self.draw_origin(brief, origin)
                except UnreadableDraft as unreadable:
                    problem = str(unreadable)
                    continue
                assert draft is not None, "the offers come from this catalogue"
                found = self.complete_proposal(brief, *self._choose_title(brief, draft, origin))
                if not found.unmet_constraints:
                    return found
                if second_best is None or len(found.unmet_constraints) < len(second_best.unmet_constraints):
                    second_best = found
                break
        if second_best is not None:
            return second_best
        raise NoReadableDraw(
            f"no draw for {brief.category}, {brief.solution_status}, {brief.difficulty_tier} can be handed in: {problem}."
        )

    def _choose_title(
        self, brief: GenerationBrief, draft: ScenarioDraft, origin: DesignOrigin
    ) -> tuple[ScenarioDraft, DesignOrigin]:
        """Return the draw with the next of its titles that names no thing which only the answer uses, if it has one."""
        declared = DeclaredDesign(draft.design)
        titles = list_titles(draft.instance.offer)
        for step in range(len(titles)):
            turn = origin.turn + step
            if not any(find_revealing_words(titles[turn % len(titles)], declared)):
                other = replace(origin, turn=turn)
                found = draft if step == 0 else self.draw_origin(brief, other)
                return (found or draft), other
        return draft, origin

    def complete_proposal(
        self, brief: GenerationBrief, draft: ScenarioDraft, origin: DesignOrigin
    ) -> ProposedDraw:
        """Add the candidates, and the constraints that a draft does not keep."""
        fitting = (
            ()
            if brief.twin is not None or brief.variant is not None or brief.composed is not None
            else order_offers(find_fitting_offers(self.catalogue, brief), brief, self.catalogue.contributed)
        )
        return ProposedDraw(
            draft,
            brief.difficulty_tier,
            format_origin(origin),
            list_candidates(self.catalogue, self.library, brief, draft, fitting),
            list_unmet_constraints(draft, brief),
        )


def list_unmet_constraints(draft: ScenarioDraft, brief: GenerationBrief) -> tuple[str, ...]:
    """Return the constraints that a draft does not satisfy, as far as they can be judged."""
    content = replace(
        collect_offer_content(draft.instance.offer),
        object_count=len(list_described_objects(draft)),
        has_deadline=bool(draft.instance.record.get("deadline")),
    )
    judgements = (BriefConstraint(text).judge(content) for text in brief.constraints)
    return tuple(f"{each.text} ({each.reason})" for each in judgements if each.verdict == "unmet")


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
