"""SOCRATES, the classifier of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.role import Role, UnanswerableAsk, complete_score_reasons
from impossible_moments.agents.builtin.socrates.blind_classification import build_classification_report
from impossible_moments.agents.builtin.socrates.ethical_review import review_ethics
from impossible_moments.blueprints import score_domain_bridge
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.refinement import DistractorFinding, ReviewMemo
from impossible_moments.domain.seed import Distractor
from impossible_moments.domain.validation import JointAssessment
from impossible_moments.domain.vocabulary import IMPOSSIBILITY_TYPES, SOCRATES, parse_main_status
from impossible_moments.solver import KnownSituations, PublicText, perform_first_reading


class Socrates(Role):
    """The agent that classifies scenarios blind, and again with full information."""

    name = SOCRATES

    def __init__(self, situations: KnownSituations) -> None:
        self.situations = situations

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the functions that make the blind and the informed classification."""
        return {ClassificationReport: self.classify_blind, InformedClassification: self.classify_informed}

    def classify_blind(self, view: AssignmentView) -> ClassificationReport:
        """Classify the scenario from its narrative alone."""
        fields = view.get_document_fields("SeedDocument")
        if "scenario" not in fields:
            raise UnanswerableAsk("SOCRATES was asked without a narrative to read.")
        reading = perform_first_reading(PublicText.from_seed_document(fields), self.situations)
        return build_classification_report(reading, fields)

    def classify_informed(self, view: AssignmentView) -> InformedClassification:
        """Classify the scenario with everything visible, and compare with the blind classification."""
        joint, blind = view.find_document(JointAssessment), view.find_document(ClassificationReport, SOCRATES)
        seed = self.require_seed_document(view)
        computed_status = parse_main_status(
            (joint.computed_status if joint is not None else "") or _get_claimed_status(view)
        )
        profile, _ = self.score_difficulty(view)
        before = blind.status if blind is not None else computed_status
        if before == computed_status:
            delta = f"None in class: read blind it was {before}, and it is. The profile moved from {blind.profile if blind is not None else profile} to {profile}."
        else:
            delta = (
                f"Read blind it was taken for {before}, and it is {computed_status}: {seed.impossibility_mirage.excluded_by_model} "
                f"The profile moved from {blind.profile if blind is not None else profile} to {profile}."
            )
        return InformedClassification(
            status=computed_status,
            justification=f"The record computes as {computed_status}; every approach was executed, and what was seen blind is compared with it.",
            impossibility_type=IMPOSSIBILITY_TYPES[computed_status],
            profile=profile,
            delta=delta,
            confidence=0.92 if before == computed_status else 0.85,
        )

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write the difference between blind and informed classification, and review the ethics again."""
        blind, informed = (
            view.find_document(ClassificationReport, SOCRATES),
            view.find_document(InformedClassification, SOCRATES),
        )
        seed = self.require_seed_document(view)
        ethics = review_ethics(
            " ".join(
                (seed.scenario.narrative, seed.scenario.threat, *(each.text for each in seed.insight_chain))
            )
        )
        text = (
            informed.delta if informed is not None else "No informed word was given."
        ) + f" Ethically it is {ethics.status}, the answer included."
        if blind is not None and blind.premise_named:
            text += " The premise was seen at first reading: hide it better."
        concerns = (ethics.notes,) if ethics.status == "FAIL" else ()
        return ReviewMemo(text=text, concerns=concerns, confidence=0.85)

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Return the blind scores, corrected where the reveal replaces a guess by a count."""
        seed = self.require_seed_document(view)
        blind = view.find_document(ClassificationReport, SOCRATES)
        before = blind.profile if blind is not None else None
        domains = {each.domain for each in seed.insight_chain if each.domain}
        chained = any(each.depends_on for each in seed.insight_chain)
        strong = sum(each.strength == "strong" for each in seed.distractor_inventory)
        hard_fixedness_types = {"scale intuition", "inversion"}
        types = {each.fixedness_type for each in seed.insight_chain}
        framed = "frame" in types or _get_claimed_status(view) == "OF"
        scores = {
            "I": 5 if framed else min(len(seed.insight_chain) + chained, 4) or 1,
            "D": 1
            if not seed.distractor_inventory
            else min(2 + (strong > 0) + (len(seed.distractor_inventory) > 2 and strong > 0), 4),  # noqa: PLR2004 - more than a pair
            "C": 5
            if "frame" in types
            else 4
            if types & hard_fixedness_types
            else 3
            if types - {"functional fixedness", "overlooked property", "surprise"}
            else 2,
            "B": score_domain_bridge(domains),
            "T": before.T if before is not None else 3,
            "X": before.X if before is not None else 3,
        }
        profile = Profile(**scores)
        return profile, complete_score_reasons(
            profile, {"T": "as it pressed at first reading", "X": "as it drew at first reading"}
        )

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: whether it is fair and harmless."""
        bad = (
            review_ethics(f"{distractor.why_it_misleads} {distractor.canonical_affordance}").status == "FAIL"
        )
        if bad:
            return DistractorFinding(
                name=distractor.name,
                verdict="unfair",
                strength=distractor.strength,
                remark="A human should look at how it misleads.",
            )
        return DistractorFinding(
            name=distractor.name,
            verdict="right",
            strength=distractor.strength,
            remark="It misleads by what it is, and the text states the figure that gives it away.",
        )

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the blind and the informed classification."""
        blind, informed = (
            view.find_document(ClassificationReport, SOCRATES),
            view.find_document(InformedClassification, SOCRATES),
        )
        decisions = []
        if blind is not None:
            decisions.append(
                Decision(
                    description=f"Blind: {blind.status}, type {blind.impossibility_type}, {blind.profile}.",
                    confidence=0.75,
                )
            )
        if informed is not None:
            decisions.append(
                Decision(description=f"Informed: {informed.status}, {informed.profile}.", confidence=0.9)
            )
        return (informed.delta if informed is not None else "Read blind only."), tuple(decisions)

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Name the limited patience of the first reading."""
        blind = view.find_document(ClassificationReport, SOCRATES)
        status = blind.status if blind is not None else "the class"
        return (
            f"Whether people with more patience would also say {status} at first.",
            "First classifications by people who read it cold.",
        )


def _get_claimed_status(view: AssignmentView) -> str:
    seed = view.seed
    block = (seed.mechanics.get("status") or {}) if seed is not None else {}
    return str(block.get("claim", "KS"))
