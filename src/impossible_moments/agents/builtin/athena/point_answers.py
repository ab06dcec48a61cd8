"""ATHENA's answers to open points: adopt what another draw of the design meets, decline the rest with figures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from impossible_moments.agents.builtin.assignment_view import PointToAnswer, RevisionDemand
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.demand_subjects import DemandTarget, SubjectResolver
from impossible_moments.agents.builtin.athena.departures import Departures, find_departures
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin, parse_origin
from impossible_moments.agents.builtin.athena.point_goals import PointGoal, find_point_goal
from impossible_moments.agents.builtin.athena.revisions import Reviser, is_about_a_part, replace_numbers
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.blueprints import ScenarioDraft, iterate_stated_lines
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.open_points import PointAnswer
from impossible_moments.domain.seed import SeedDocument

MOST_QUOTED: Final = 3
_OTHER_STATUS: Final = re.compile(r"\bis offered as [A-Z]{2}\b.*\bevidence fits\b")
_ANOTHER_WRONG_ANSWER: Final = re.compile(r"\bsecond wrong answer\b")


@dataclass(frozen=True)
class PointAnswerer:
    """Answers points about one seed document of ATHENA."""

    desk: DesignDesk
    brief: GenerationBrief
    seed: SeedDocument
    computed_status: str = ""
    """The status that the record computes as, with the reason. Empty if no joint assessment is shown."""

    def answer_point(self, point: PointToAnswer) -> PointAnswer:
        """Adopt a point if a draw meets it and none was made for it before. Else decline it with what was computed."""
        if self._draft is None or self._origin is None:
            reason = (
                f"“{self.seed.scenario.name}” is not from the catalogue, so that no other draw of it exists."
            )
            return PointAnswer(point=point.point, answer="declined", reason=reason)
        asked = replace_numbers(point.text)
        earlier = [note for note in self.seed.revision_notes if asked in replace_numbers(note)]
        if earlier:
            reason = f"A revision has been made for it, and no further draw meets it. {earlier[-1]}"
            return PointAnswer(point=point.point, answer="declined", reason=reason)
        goal = find_point_goal(point.text, self._draft, self.seed)
        demand = RevisionDemand(point.text, demanded_by=point.raised_by)
        restored = self._find_restored_part(demand)
        if restored:
            reason = f"The document departs from its design there: {restored} will be restored."
            return PointAnswer(point=point.point, answer="adopted", reason=reason)
        found = None
        if goal is not None or is_about_a_part(demand, self._draft, self.seed):
            found = self._reviser.find_change(demand, self._origin, self._draft, self.seed)
        if found is not None:
            return PointAnswer(point=point.point, answer="adopted", reason=f"{found.text}.")
        reason = self._explain_unmet_goal(goal) if goal is not None else self._explain_fixed_target(point)
        return PointAnswer(point=point.point, answer="declined", reason=reason)

    def _find_restored_part(self, demand: RevisionDemand) -> str:
        """Return the part of the document that departs from its design and that a demand is about."""
        assert self._draft is not None, "targets are resolved on a draft"
        target = SubjectResolver(self._draft, self.seed).resolve_demand(demand)
        return self._departures.find_restored_part(demand, target)

    @cached_property
    def _departures(self) -> Departures:
        assert self._draft is not None, "a draft is compared"
        assert self._origin is not None, "drafts have an origin"
        built = build_seed_document(self.desk.complete_proposal(self.brief, self._draft, self._origin))
        return find_departures(self.seed, built)

    @cached_property
    def _origin(self) -> DesignOrigin | None:
        return parse_origin(self.seed.drawn_as)

    @cached_property
    def _draft(self) -> ScenarioDraft | None:
        return None if self._origin is None else self.desk.draw_origin(self.brief, self._origin)

    @property
    def _reviser(self) -> Reviser:
        return Reviser(self.desk, self.brief)

    def _explain_unmet_goal(self, goal: PointGoal) -> str:
        assert self._draft is not None, "goals are measured on a draft"
        return f"No other draw of this situation has {goal.aim}: {goal.describe(self._draft)}."

    def _explain_fixed_target(self, point: PointToAnswer) -> str:
        """Return the computed status if the point is about it, else what the situation fixes of what the point names."""
        assert self._draft is not None, "targets are resolved on a draft"
        if self.computed_status and _OTHER_STATUS.search(point.text):
            return f"The record was executed and computes as {self.computed_status}."
        if _ANOTHER_WRONG_ANSWER.search(point.text):
            declared = DeclaredDesign(self._draft.design)
            stops = ", ".join(f"`{trap}` ({declared.ends.get(trap, 'no end')})" for trap in declared.traps)
            return f"Every draw of this situation has the same approaches that fail: {stops or 'none'}."
        target = SubjectResolver(self._draft, self.seed).scan_text(point.text)
        fixed = self._list_fixed_parts(target)
        if not fixed:
            count = len(self._draft.design.world.own_paths)
            return f"It names none of the {count} quantities, things, steps and wrong answers that could be drawn otherwise."
        return f"The situation fixes what it names: {'; '.join(fixed[:MOST_QUOTED])}."

    def _list_fixed_parts(self, target: DemandTarget) -> list[str]:
        assert self._draft is not None, "targets are resolved on a draft"
        lines = dict(iterate_stated_lines(self._draft.instance.record))
        quoted = [*map(self._quote_thing, target.things), *map(self._quote_wrong_answer, target.traps)]
        found = [each for each in quoted if each]
        return found or [
            f"`{path}` = {lines[path].partition('@')[0].strip()}" for path in target.paths if path in lines
        ]

    def _quote_thing(self, name: str) -> str:
        """Return what the design says about a thing: why it misleads, else the sentence of the text that names it."""
        assert self._draft is not None, "things are those of a draft"
        label = self._draft.design.world.things[name].label
        for distractor in self.seed.distractor_inventory:
            if distractor.name == label:
                return f"{label} is a distractor: “{distractor.why_it_misleads}”"
        sentences = re.split(r"(?<=[.!?])\s+", self.seed.scenario.narrative)
        noun = label.split()[-1].lower()
        return next((f"{label}: “{each}”" for each in sentences if noun in each.lower()), "")

    def _quote_wrong_answer(self, name: str) -> str:
        found = (each for each in self.seed.wrong_answers if each.approach == name)
        return next((f"“{each.answer}” fails: “{each.why_wrong}”" for each in found), "")
