"""Revisions: each demand is answered by a targeted change, and what cannot be met is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.demand_subjects import DemandTarget, SubjectResolver
from impossible_moments.agents.builtin.athena.departures import Departures, find_departures
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin, parse_origin
from impossible_moments.agents.builtin.athena.mass_estimates import estimate_mass, read_mass_from_evidence
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief, find_fitting_offers
from impossible_moments.agents.builtin.athena.point_goals import find_point_goal
from impossible_moments.agents.builtin.athena.redesigns import RedesignWish
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk, NoReadableDraw, ProposedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.builtin.athena.targeted_changes import (
    DesignChange,
    DesignChanger,
    wish_claims_hold,
    wish_more_time,
    wish_trap_moved,
)
from impossible_moments.blueprints import ScenarioDraft
from impossible_moments.domain.brief import DisputedReading, GenerationBrief
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, parse_main_status

_TOO_NEAR: Final = re.compile(r"too near to a scenario|too similar", re.IGNORECASE)
_REDESIGN: Final = re.compile(r"^\s*redesign\b", re.IGNORECASE)
_WORDING: Final = re.compile(
    r"too[ _](?:obvious|transparent)|ambiguous|unclear|\bwording\b|reworded?|reads? (?:badly|oddly)"
    r"|rejects: (?:scenario name|narrative style)",
    re.IGNORECASE,
)
_LEAST_SUBJECT: Final = 12
"""Characters from which on a challenged claim is recognised in another demand."""
_LEAST_EVIDENCE: Final = 20
"""Characters from which on evidence is recognised in another demand."""
_SAME_SETTING: Final = 1000
"""How much less an offer is preferred whose skin was given up before."""
_WHOLE_TEXT: Final = "text"
"""The subject of demands on what the narrative as a whole gives away."""
_TIME: Final = re.compile(
    r"\bdeadline\b|\blate\b|\btiming\b|more time|too little time|time margin|slow end|\bmargin of time\b",
    re.IGNORECASE,
)
_TOO_STRONG: Final = re.compile(
    r"too strong|enables? a (?:valid )?solution|unfair|also works|unintended", re.IGNORECASE
)
_PROSE: Final = re.compile(r"Prose follows the record|belongs to no quantity|drift apart")
_MERIT: Final = re.compile(r"scientific merit is LOW|worth making")
_ETHICAL: Final = re.compile(r"\bethical|generalises about|stereotyp", re.IGNORECASE)
_TOO_WEAK: Final = re.compile(r"too weak", re.IGNORECASE)
_NOT_ABOUT_THE_DESIGN: Final = re.compile(
    r"^\s*(?:WELL_|STRONG_|\w*_STRONG\b)|your review|your confidence|hand in your|scores differ",
    re.IGNORECASE,
)
"""Notes on ATHENA's other work, and findings that praise the design."""
_MASS: Final = re.compile(
    r"\bmass\b|\bweighs?\b|\bweight\b|\bdensity\b|\bvolume\b|\bheav(?:y|ier)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _RevisedDesign:
    """A design between two demands."""

    origin: DesignOrigin
    draft: ScenarioDraft
    notes: tuple[str, ...] = ()
    unmet: tuple[RevisionDemand, ...] = ()
    answered: tuple[str, ...] = ()
    """The demands that were answered."""
    evidence: tuple[str, ...] = ()
    """Their evidence, where it is long enough to be recognised."""
    is_restored: bool = False
    """Whether a part of the document was brought back to the design."""


@dataclass(frozen=True)
class Reviser:
    """Reviser of ATHENA's own seed documents."""

    desk: DesignDesk
    brief: GenerationBrief

    def revise(self, seed: SeedDocument, demands: Sequence[RevisionDemand]) -> ProposedDraw:
        """Return a proposal that differs from the seed document, with a note on each demand.

        Raise `UnreachableBrief` if the catalogue has no other situation for the brief.
        """
        origin = parse_origin(seed.drawn_as)
        draft = None if origin is None else self.desk.draw_origin(self.brief, origin)
        if origin is None or draft is None:
            return self.desk.propose(self.brief)  # the design is not from this catalogue
        offer = draft.instance.offer
        if parse_main_status(offer.claim) != self.brief.solution_status:
            # reclassified: the same setting with the other ending, if the catalogue has it
            return self.desk.propose(self.brief, prefers=lambda each: each.skin.name == offer.skin.name)
        about_design = [each for each in demands if not _NOT_ABOUT_THE_DESIGN.search(each.demand)]
        if demands and not about_design:
            return self._keep_design(seed, origin, draft)
        built = build_seed_document(self.desk.complete_proposal(self.brief, draft, origin))
        departures = find_departures(seed, built)
        reasons = _list_reasons_for_another_situation(about_design, seed, departures)
        if reasons:
            return self._take_other_offer(seed, origin, about_design, reasons)
        state = _RevisedDesign(origin, draft)
        for demand in about_design or (RevisionDemand("Hand in a revised document."),):
            state = (
                self._answer_again(state, demand)
                or self._restore(state, demand, seed, departures)
                or self._answer(state, demand, seed)
            )
            state = replace(state, answered=(*state.answered, demand.demand))
            if len(demand.evidence.strip()) >= _LEAST_EVIDENCE:
                state = replace(state, evidence=(*state.evidence, demand.evidence.strip()))
        if state.draft.instance.record == draft.instance.record and not state.is_restored:
            unmet = dict.fromkeys(state.unmet, "cannot be met in the situation")
            return self._take_other_offer(seed, origin, about_design, unmet)
        return replace(
            self.desk.complete_proposal(self.brief, state.draft, state.origin),
            revision_notes=(*seed.revision_notes, *state.notes),
            unmet_demands=tuple(map(_format_unmet_demand, state.unmet)),
        )

    def _keep_design(self, seed: SeedDocument, origin: DesignOrigin, draft: ScenarioDraft) -> ProposedDraw:
        """Propose the same design again, because no demand is about it."""
        return replace(
            self.desk.complete_proposal(self.brief, draft, origin), revision_notes=seed.revision_notes
        )

    def _answer_again(self, state: _RevisedDesign, demand: RevisionDemand) -> _RevisedDesign | None:
        """Answer a demand that quotes the evidence of one that was answered: a challenge and its correction."""
        text = f"{demand.demand} {demand.evidence}"
        subject = demand.subject.strip(" .")
        is_same = any(each in text for each in state.evidence) or (
            len(subject) >= _LEAST_SUBJECT and any(subject in each for each in state.answered)
        )
        if not is_same:
            return None
        about = f" on {subject}" if subject else ""
        note = f"{demand.demanded_by or 'A note'}{about}: it rests on the evidence of the demand above. Answer: met by the change above."
        return replace(state, notes=(*state.notes, note))

    def _restore(
        self, state: _RevisedDesign, demand: RevisionDemand, seed: SeedDocument, departures: Departures
    ) -> _RevisedDesign | None:
        """Answer a demand by the design as it is, if the document departs from it there."""
        target = SubjectResolver(state.draft, seed).resolve_demand(demand)
        part = departures.find_restored_part(demand, target)
        if not part:
            return None
        note = f"{_quote_demand(demand)} Answer: restored {part} to what the design states."
        return replace(state, notes=(*state.notes, note), is_restored=True)

    def _answer(self, state: _RevisedDesign, demand: RevisionDemand, seed: SeedDocument) -> _RevisedDesign:
        found = self.find_change(demand, state.origin, state.draft, seed)
        if found is None:
            note = f"{_quote_demand(demand)} Not met: nothing that it names can be changed in this situation."
            return replace(state, notes=(*state.notes, note), unmet=(*state.unmet, demand))
        note = f"{_quote_demand(demand)} Answer: {found.text}."
        return replace(state, origin=found.origin, draft=found.draft, notes=(*state.notes, note))

    def find_change(
        self, demand: RevisionDemand, origin: DesignOrigin, draft: ScenarioDraft, seed: SeedDocument
    ) -> DesignChange | None:
        """Return the change that meets a demand, or None if no draw of the situation does.

        If ATHENA can measure what is asked for, only a draw that has it is a change.
        """
        changer = DesignChanger(origin, draft, self._draw)
        goal = find_point_goal(demand.demand, draft, seed)
        if goal is not None:
            return goal.find_change(changer)
        return meet_demand(demand, SubjectResolver(draft, seed).resolve_demand(demand), changer)

    def _take_other_offer(
        self,
        seed: SeedDocument,
        origin: DesignOrigin,
        demands: Sequence[RevisionDemand],
        reasons: dict[RevisionDemand, str],
    ) -> ProposedDraw:
        """Propose another situation, chosen by the words of the demands, and say which demands made it necessary.

        If the catalogue has no other, all numbers are drawn again, unless the situation itself is the trouble.
        """
        used = {*origin.used, origin.offer}
        tried = set(map(_name_skin, used))
        wish = RedesignWish.from_reasons([each.demand for each in reasons])
        before = self._draw(origin)
        try:
            found = self.desk.propose(
                self.brief,
                skips=lambda offer: offer.name in used,
                prefers=lambda offer: (
                    wish.rank_offer(offer) - _SAME_SETTING * (_name_skin(offer.name) in tried)
                ),
            )
            new = parse_origin(found.drawn_as)
            assert new is not None, "proposals state their origin"
            draft, new = found.draft, replace(new, used=tuple(sorted(used)))
            change = f"took another situation, {_name_place(draft)}, instead of {_name_place(before)}"
        except NoReadableDraw as problem:
            again = DesignChanger(origin, before, self._draw).redraw_everything()
            if again is None or any(_TOO_NEAR.search(each.demand) for each in reasons):
                raise UnreachableBrief(self._explain_exhausted_catalogue(reasons)) from problem
            draft, new = again.draft, again.origin
            change = f"the catalogue has no other situation for the brief; {again.text}"
        return replace(
            self.desk.complete_proposal(self.brief, draft, new),
            revision_notes=(
                *seed.revision_notes,
                *(f"{_quote_demand(each)} Answer: {change}." for each in demands),
            ),
            unmet_demands=tuple(
                f"This demand {reason}, so the design was changed as a whole: {each.demand}"
                for each, reason in reasons.items()
                if not _TOO_NEAR.search(each.demand)
            ),
        )

    def _draw(self, origin: DesignOrigin) -> ScenarioDraft:
        draft = self.desk.draw_origin(self.brief, origin)
        assert draft is not None, "origins of a revision are in the catalogue"
        return draft

    def _explain_exhausted_catalogue(self, reasons: dict[RevisionDemand, str]) -> str:
        brief, count = self.brief, len(find_fitting_offers(self.desk.catalogue, self.brief))
        is_near = any(_TOO_NEAR.search(each.demand) for each in reasons)
        trouble = (
            "is too similar to an existing scenario" if is_near else "was tried and did not meet the demands"
        )
        return (
            f"Everything in the catalogue for {brief.category} with status {brief.solution_status} at {brief.difficulty_tier} "
            f"({count} situation{'s' if count > 1 else ''}) {trouble}. Ask for another status or tier "
            "(`im blueprint list` shows them), or write a skin."
        )


def propose_for_reading(desk: DesignDesk, brief: GenerationBrief, reading: DisputedReading) -> ProposedDraw:
    """Propose a situation that the reading is about, changed as the reading of another agent demands.

    ATHENA's own reading is that the design stands as it is drawn.
    """
    agent, _, text = reading.text.partition(": ")
    proposed = desk.propose(brief, prefers=RedesignWish.from_wanted_text(text).rank_offer)
    note = f"One half of {reading.of or 'a split scenario'}, with the reading of {agent}: {text}"
    if agent == ATHENA:
        return replace(proposed, revision_notes=(note,))
    demand = RevisionDemand(text, demanded_by=agent)
    revised = Reviser(desk, brief).revise(build_seed_document(proposed), (demand,))
    return replace(revised, revision_notes=(note, *revised.revision_notes))


def _list_reasons_for_another_situation(
    demands: Sequence[RevisionDemand], seed: SeedDocument, departures: Departures
) -> dict[RevisionDemand, str]:
    """Return the demands that no change of this situation answers, each with the reason."""
    found: dict[RevisionDemand, str] = {}
    earlier = replace_numbers(" ".join(seed.revision_notes))
    for demand in demands:
        if _TOO_NEAR.search(demand.demand) or _REDESIGN.search(demand.demand):
            found[demand] = "asks for another situation"
        elif _PROSE.search(demand.demand) and not departures.parts:
            found[demand] = "is about the text of the situation, which other numbers do not change"
        elif _MERIT.search(f"{demand.demand} {demand.evidence}"):
            found[demand] = "is about the situation as a whole, which other numbers do not change"
        elif replace_numbers(_quote_demand(demand)) in earlier:
            found[demand] = "was made before, and the change did not meet it"
    return found


def replace_numbers(text: str) -> str:
    """Return a text without its numbers, so that a demand is recognised when its figures have changed."""
    return re.sub(r"\d[\d.,eE+-]*", "#", text)


def _name_skin(offer: str) -> str:
    """Return the name of an offer without its variant. Two variants of one skin share place and things."""
    return offer.split(" told as ", maxsplit=1)[0].rpartition("/")[0]


def _name_place(draft: ScenarioDraft) -> str:
    return draft.instance.offer.skin.place.rstrip(".")


def meet_demand(demand: RevisionDemand, target: DemandTarget, changer: DesignChanger) -> DesignChange | None:
    """Return the change that answers a demand, or None if nothing that it names can be changed."""
    # other numbers would not answer what was read from the words, or what offends in them
    if demand.subject == _WHOLE_TEXT or _ETHICAL.search(f"{demand.demand} {demand.evidence}"):
        return changer.change_wording()
    text = f"{demand.demand} {demand.proposal}"
    found = _take_proposed_value(demand, target, changer)
    if found is not None:
        return found
    is_about_strength = _TOO_STRONG.search(text) or _TOO_WEAK.search(text)
    if _MASS.search(f"{text} {demand.subject}") and not is_about_strength:
        found = _recompute_masses(target, changer, f"{text} {demand.evidence}")
        if found is not None:
            return found
    if target.distractors or is_about_strength:
        found = _change_distractor(text, target, changer)
        if found is not None:
            return found
    if _WORDING.search(text):
        return changer.change_wording()
    if _TIME.search(text) and not target.claims:
        return changer.redraw_paths(_list_time_paths(changer.draft), wish_more_time(changer.draft))
    if target.paths:
        return changer.redraw_paths(target.paths, wish_claims_hold(target))
    return None if target else changer.redraw_everything()


def _take_proposed_value(
    demand: RevisionDemand, target: DemandTarget, changer: DesignChanger
) -> DesignChange | None:
    """State the proposed value for the first quantity of the target that it fits."""
    paths = _select_proposed_paths(target, demand.proposal) if demand.proposal else ()
    changes = (changer.set_proposed_value(path, demand.proposal) for path in paths)
    return next((change for change in changes if change is not None), None)


def _select_proposed_paths(target: DemandTarget, proposal: str) -> tuple[str, ...]:
    """Return the paths that a proposal names by their last word, such as `mass`, else all of the target."""
    named = [
        path
        for path in target.paths
        if re.search(rf"\b{re.escape(path.rpartition('.')[2].replace('_', ' '))}\b", proposal)
    ]
    return tuple(named) or target.paths


def _change_distractor(text: str, target: DemandTarget, changer: DesignChanger) -> DesignChange | None:
    """Move the number that decides a wrong answer, or exchange the thing."""
    nearer = _TOO_WEAK.search(text) is not None
    for trap in target.traps:
        wish = wish_trap_moved(changer.draft, trap, nearer=nearer)
        found = changer.redraw_paths(target.paths, wish)
        if found is not None and wish(found.draft):
            return found
    for thing in target.things:
        found = changer.exchange_thing(thing)
        if found is not None:
            return found
    return changer.redraw_paths(target.paths) if target.paths else None


def _recompute_masses(target: DemandTarget, changer: DesignChanger, text: str) -> DesignChange | None:
    """State the mass that density and volume give, for each thing that the demand names."""
    things = dict.fromkeys(
        (*target.things, *(path.partition(".")[0] for path in target.paths if "." in path))
    )
    for thing in things:
        quantity = changer.draft.design.world.quantities.get(f"{thing}.mass")
        mass = estimate_mass(changer.draft, thing) or read_mass_from_evidence(text)
        if mass is None or quantity is None or quantity.display_unit is None:
            continue
        value = float(f"{quantity.display_unit.from_si(mass):.2g}")
        found = changer.set_proposed_value(quantity.name, f"{value:g} {quantity.display_unit.text}")
        found = found or changer.state_value(quantity.name, value)
        if found is not None:
            return found
    return None


def _list_time_paths(draft: ScenarioDraft) -> tuple[str, ...]:
    """Return the quantities behind the deadline and behind the durations of the solution's steps."""
    resolver_world = draft.design.world
    trees = [] if resolver_world.deadline is None else [resolver_world.deadline]
    trees += [move.takes_tree for plan in draft.design.plans.values() for move in plan]
    return tuple(sorted(frozenset().union(*map(resolver_world.collect_stated_quantities, trees))))


def _quote_demand(demand: RevisionDemand) -> str:
    """Return a demand word for word, with its author and subject."""
    author = demand.demanded_by or "A note"
    subject = f" on {demand.subject}" if demand.subject else ""
    return f"{author}{subject}: “{demand.demand}”"


def _format_unmet_demand(demand: RevisionDemand) -> str:
    return f"This demand could not be met, because nothing that it names can be changed in this situation: {demand.demand}"


def is_about_a_part(demand: RevisionDemand, draft: ScenarioDraft, seed: SeedDocument) -> bool:
    """Return whether a demand names a part of the design, its wording or its time, and not only the whole."""
    if _WORDING.search(demand.demand) or _TIME.search(demand.demand):
        return True
    return bool(SubjectResolver(draft, seed).resolve_demand(demand))
