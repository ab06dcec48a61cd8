"""ATHENA's review of its own design after validation: what revisions and findings have left of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.design_facts import derive_confidence
from impossible_moments.agents.builtin.athena.distractor_strength import (
    Verdict,
    find_traps_with,
    judge_strength,
    measure_trap,
)
from impossible_moments.agents.builtin.athena.title_review import find_revealing_words
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.agents.builtin.role import DesignPart
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.seed import Distractor, ScenarioNarrative, SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.mechanics.checks import matches_any_call, read_record_design_by_content
from impossible_moments.mechanics.records import Library, parse_line

MOST_QUOTED = 2
FEWEST_PARAGRAPHS: Final = 2
MOST_PARAGRAPHS: Final = 4
_SECOND_PERSON: Final = re.compile(r"\byou(?:r|rs|rself|rselves)?\b", re.IGNORECASE)


@dataclass(frozen=True)
class DesignReview:
    """A design as it stands, compared with what it was meant to be."""

    seed: SeedDocument
    declared: DeclaredDesign

    @cached_property
    def unneeded_insights(self) -> tuple[str, ...]:
        """Insights that no step of any stated approach uses any more."""
        calls = [move.text for plan in self.declared.plans.values() for move in plan]
        lines = [
            parse_line(line, example="", evidence=False) for line in self.declared.design.record.insights
        ]
        return tuple(each.body for each in lines if not matches_any_call(each.head, calls))

    @cached_property
    def working_traps(self) -> tuple[str, ...]:
        """Wrong answers whose stated obstacle no longer stands at the stated values."""
        stops = {name: self.declared.find_stop(name) for name in self.declared.traps}
        return tuple(
            name
            for name, stop in stops.items()
            if stop is not None
            and stop.margin is not None
            and stop.margin >= 0
            and self.declared.can_evaluate(stop.tree)
        )

    @cached_property
    def broken_by(self) -> tuple[str, ...]:
        """What must be revised before the design can stand."""
        found = [f"The insight “{text}” is no longer needed by any step." for text in self.unneeded_insights]
        found += [
            f"The wrong answer `{name}` is no longer stopped by its own condition."
            for name in self.working_traps
        ]
        if not self.seed.distractor_inventory and self.seed.concept_summary.category != "The Cascade":
            found.append("No distractor is left.")
        return tuple(found)

    def judge_distractor(self, distractor: Distractor) -> tuple[Verdict, str]:
        """Judge whether a distractor is at the right strength for the tier."""
        names = [self.find_distractor_name(each) for each in self.seed.distractor_inventory]
        others = tuple(name for name in names if name is not None)
        name = self.find_distractor_name(distractor)
        tier = self.seed.concept_summary.difficulty_tier
        if name is None:
            return (
                "right",
                f"{distractor.strength}; no stated approach uses it, so its pull cannot be computed",
            )
        return judge_strength(self.declared, name, tier, others)

    def can_measure_distractor(self, distractor: Distractor) -> bool:
        """Return whether a wrong answer with the distractor misses by a number."""
        name = self.find_distractor_name(distractor)
        traps = find_traps_with(self.declared, name) if name is not None else ()
        return any(measure_trap(self.declared, trap).margin is not None for trap in traps)

    def find_distractor_name(self, distractor: Distractor) -> str | None:
        """Return the thing or wrong answer behind a distractor, or None if the record does not name it."""
        labels = {thing.label: name for name, thing in self.declared.world.things.items()}
        if distractor.name in labels:
            return labels[distractor.name]
        answers = {each.answer.rstrip("."): each.approach for each in self.seed.wrong_answers}
        if answers.get(distractor.name) in self.declared.traps:
            return answers[distractor.name]
        texts = {text for text in (distractor.why_irrelevant, distractor.canonical_affordance) if text}
        # a wrong idea is named by its answer; the reason of its approach identifies it
        reasons = {each.why.rstrip(".").lower(): each.name for each in self.declared.design.record.approaches}
        return reasons.get(distractor.why_it_misleads.rstrip(".").lower()) if texts else None

    def write_text(self, view: AssignmentView) -> str:
        """Write the memo: intent, what changed, what pulls away from the solution, and what others found."""
        seed = self.seed
        needed = len(seed.insight_chain) - len(self.unneeded_insights)
        parts = [
            f"The design rests on {format_count(len(seed.insight_chain), 'insight')}, of which {needed} {'is' if needed == 1 else 'are'} still needed by a stated step.",
            f"{format_count(len(seed.revision_notes), 'demand')} led to changes since the first version, the last: {seed.revision_notes[-1]}"
            if seed.revision_notes
            else "Validation changed nothing, so the solution is the one that was intended.",
        ]
        judged = [(each, *self.judge_distractor(each)) for each in seed.distractor_inventory]
        parts += [f"{each.name}: {verdict}, {remark}." for each, verdict, remark in judged[:MOST_QUOTED]]
        strong = sum(each.strength == "strong" for each in seed.distractor_inventory)
        parts.append(f"{strong} of {format_count(len(judged), 'distractor')} are strong.")
        parts += self._describe_other_reports(view)
        return " ".join(parts)

    def _describe_other_reports(self, view: AssignmentView) -> list[str]:
        found = []
        blind = view.find_document(ClassificationReport)
        if blind is not None:
            claimed = self.declared.status
            how = (
                "as it is" if claimed.startswith(blind.status) else f"for {blind.status} instead of {claimed}"
            )
            found.append(f"Read blind, the scenario was taken {how}.")
        alternatives = [
            path
            for report in (view.find_document(PhysicsReport), view.find_document(MathematicsReport))
            if report is not None
            for path in report.alternative_paths
        ]
        if alternatives:
            found.append(f"The validators name {len(alternatives)} other paths, first: {alternatives[0]}")
        grounding = view.find_document(GroundingReport)
        if grounding is not None:
            found.append(f"The grounding maps {len(grounding.constructs)} constructs to it.")
        return found

    def derive_confidence(self) -> tuple[float, str]:
        """Return the confidence in the design as it stands, and its reason."""
        return derive_confidence(self.declared, len(self.seed.revision_notes))


def review_design(seed: SeedDocument, library: Library) -> DesignReview | None:
    """Return the review of a seed document, or None if its record cannot be read."""
    design, _ = read_record_design_by_content(seed.mechanics, library)
    return None if design is None else DesignReview(seed, DeclaredDesign(design))


def examine_own_design(seed: SeedDocument, declared: DeclaredDesign) -> Mapping[DesignPart, str]:
    """Return ATHENA's objection to each part of the design, empty if there is none."""
    return {
        "name": " ".join(find_revealing_words(seed.scenario.name, declared)),
        "style": " ".join(_find_style_faults(seed.scenario)),
        "objects": _find_missing_choice(seed, declared),
    }


def _find_style_faults(scenario: ScenarioNarrative) -> Iterator[str]:
    """Yield what the text lacks of the template: two to four paragraphs, and the solver addressed as “you”.

    A narrative in another voice, such as a letter, addresses the solver where the position is stated.
    """
    paragraphs = [part for part in scenario.narrative.split("\n\n") if part.strip()]
    if not FEWEST_PARAGRAPHS <= len(paragraphs) <= MOST_PARAGRAPHS:
        yield f"The narrative has {len(paragraphs)} paragraphs, and {FEWEST_PARAGRAPHS} to {MOST_PARAGRAPHS} are asked for."
    if not _SECOND_PERSON.search(f"{scenario.narrative} {scenario.position}"):
        yield "Neither the narrative nor the position addresses the solver as “you”."


def _find_missing_choice(seed: SeedDocument, declared: DeclaredDesign) -> str:
    if not seed.scenario.objects or declared.find_unneeded_things() or declared.traps:
        return ""
    count = len(seed.scenario.objects)
    return f"The answer uses all {count} objects and no wrong answer uses any, so nothing has to be chosen."
