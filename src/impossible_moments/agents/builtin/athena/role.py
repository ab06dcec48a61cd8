"""ATHENA, the scenario designer of the built-in cast.

ATHENA creates and does not validate. It hands in the first readable draw, and changes it when others find faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin
from impossible_moments.agents.builtin.athena.design_review import (
    DesignReview,
    examine_own_design,
    review_design,
)
from impossible_moments.agents.builtin.athena.offer_selection import find_fitting_offers
from impossible_moments.agents.builtin.athena.point_answers import PointAnswerer
from impossible_moments.agents.builtin.athena.revisions import Reviser, propose_for_reading
from impossible_moments.agents.builtin.athena.scenario_draws import (
    DesignDesk,
    ProposedDraw,
    draw_composed_scenario,
)
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.builtin.athena.twin_scenarios import (
    PublishedSibling,
    build_twin_brief,
    draw_twin_scenario,
)
from impossible_moments.agents.builtin.athena.variant_scenarios import (
    build_variant_briefs,
    draw_variant_scenario,
)
from impossible_moments.agents.builtin.challenge_answers import extract_challenged_claim, find_challenge_note
from impossible_moments.agents.builtin.confidence import ConfidenceBasis, compute_share, derive_confidence
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.agents.builtin.role import DesignPart, Role, UnanswerableAsk, complete_score_reasons
from impossible_moments.blueprints import Catalogue, InstanceTrial, read_draft
from impossible_moments.domain.additional_agent_reports import Mutation
from impossible_moments.domain.agent_trace import AgentTrace, Decision
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Answer, ChallengeResponse, Evidence
from impossible_moments.domain.open_points import PointAnswer
from impossible_moments.domain.refinement import DistractorFinding, ReadinessVote, ReviewMemo
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.validation import JointAssessment
from impossible_moments.domain.vocabulary import ATHENA, parse_main_status
from impossible_moments.solver import KnownSituations, PublicText, explain_solver_mismatch, solve_public_text

_WORTH: Final = "The scenario is worth making"
"""The claim with which GALILEO challenges the scientific merit."""
AMPLE_MARGIN: Final = 0.2
"""The share of the deadline that ATHENA considers enough for people who are slower than assumed."""


class Athena(Role):
    """The agent that designs scenarios from a catalogue of blueprints."""

    name = ATHENA

    def __init__(self, catalogue: Catalogue, situations: KnownSituations) -> None:
        self.catalogue, self.library, self.situations = catalogue, situations.library, situations
        self.desk = DesignDesk(catalogue, situations.library)

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the function that makes the seed document."""
        return {SeedDocument: self.make_seed_document}

    def make_seed_document(self, view: AssignmentView) -> SeedDocument:
        """Make a seed document for the brief, or revise the one that was handed in before.

        A revision changes what the demands are about, and another situation is taken only if that is not possible.
        """
        if view.brief is None:
            raise UnanswerableAsk("ATHENA was asked without a brief.")
        return build_seed_document(self._propose(view, view.brief))

    def draw_seed_document(self, brief: GenerationBrief, offer: str) -> SeedDocument:
        """Draw an offer of the catalogue and return its seed document. Raise `UnreadableDraft` if it cannot be read."""
        origin = DesignOrigin(offer)
        draft = self.desk.draw_origin(brief, origin)
        assert draft is not None, "the caller names an offer of this catalogue"
        return build_seed_document(self.desk.complete_proposal(brief, draft, origin))

    def _propose(self, view: AssignmentView, brief: GenerationBrief) -> ProposedDraw:
        if brief.composed is not None:
            return draw_composed_scenario(self.desk, brief, view.seed, view.demands)
        if brief.variant is not None:
            return draw_variant_scenario(self.desk, brief, view.seed)
        if brief.twin is not None:
            return draw_twin_scenario(self.desk, brief, view.seed, view.demands)
        if view.seed is None and brief.reading is not None:
            return propose_for_reading(self.desk, brief, brief.reading)
        if view.seed is None:
            return self.desk.propose(brief)
        return Reviser(self.desk, brief).revise(view.seed, view.demands)

    def build_twin_brief(self, sibling: PublishedSibling) -> GenerationBrief:
        """Build the brief of the twin of a published scenario. Raise `UnreachableBrief` if it has none.

        This answers whether the catalogue has a twin at all, before any run. It is therefore the one place where
        a draw is checked before it is handed in.
        """
        return build_twin_brief(sibling, self.catalogue, self.library, self._explain_unsolvable_text)

    def build_variant_briefs(
        self, parent: PublishedSibling, mutations: Sequence[Mutation], *, most: int
    ) -> tuple[GenerationBrief, ...]:
        """Build at most `most` briefs of variants of a published scenario, or none if no variant is acceptable."""
        return build_variant_briefs(
            parent, mutations, self.catalogue, self.library, self._explain_unsolvable_text, most=most
        )

    def _explain_unsolvable_text(self, trial: InstanceTrial) -> str | None:
        """Return why a twin cannot be solved from its public text, or None."""
        assert trial.tier is not None, "accepted trials have a tier"
        seed = build_seed_document(ProposedDraw(read_draft(trial.instance, self.library), trial.tier))
        solver_result = solve_public_text(
            PublicText.from_seed_document(seed.model_dump(mode="json")), self.situations
        )
        reason = explain_solver_mismatch(solver_result, trial.report)
        return None if reason is None else f"publication.insufficient {reason}"

    def answer_challenge(self, view: AssignmentView) -> ChallengeResponse:
        """Answer a challenge: of the merit by what the catalogue has, of a tight plan by its stated times, else as usual."""
        note = find_challenge_note(view.notes)
        if extract_challenged_claim(note).startswith(_WORTH):
            return self._answer_challenged_merit(self._review(view))
        if "slow end" in note:
            left = self._estimate_most_time_left(view)
            if left is not None and left >= AMPLE_MARGIN:
                text = f"As stated, the steps leave {left:.0%} of the deadline, and each assumed time alone stays within it; all at their slow end at once is no ordinary person."
                return ChallengeResponse(
                    answer=Answer.DEFEND,
                    text=text,
                    evidence=(Evidence(kind="calculation", text=text),),
                    confidence=0.75,
                )
        return super().answer_challenge(view)

    def _answer_challenged_merit(self, review: DesignReview) -> ChallengeResponse:
        """Accept if the catalogue has another situation of the kind, else say what this one tests."""
        concept = review.seed.concept_summary
        brief = GenerationBrief(
            category=concept.category,
            difficulty_tier=concept.difficulty_tier,
            solution_status=parse_main_status(review.declared.status),
        )
        others = len(find_fitting_offers(self.catalogue, brief)) - 1
        if others > 0:
            text = f"The catalogue has {format_count(others, 'other situation')} for the brief, so I take another one."
            return ChallengeResponse(
                answer=Answer.ACCEPT, text=text, confidence=derive_confidence(ConfidenceBasis())
            )
        stopped = len(review.declared.traps) - len(review.working_traps)
        text = (
            f"The catalogue has no other situation for {brief.category} with status {brief.solution_status} at "
            f"{brief.difficulty_tier}. This one tests {format_count(len(review.seed.insight_chain), 'insight')}, and "
            f"{stopped} of {format_count(len(review.declared.traps), 'wrong answer')} fail at a stated condition."
        )
        return ChallengeResponse(
            answer=Answer.DEFEND,
            text=text,
            evidence=(Evidence(kind="calculation", text=text),),
            confidence=derive_confidence(ConfidenceBasis(concerns=1)),
        )

    def _estimate_most_time_left(self, view: AssignmentView) -> float | None:
        declared = self._review(view).declared
        shares = [declared.estimate_time_left(name) for name in declared.answering]
        return max((share for share in shares if share is not None), default=None)

    def _review(self, view: AssignmentView) -> DesignReview:
        review = review_design(self.require_seed_document(view), self.library)
        if review is None:
            raise UnanswerableAsk("ATHENA cannot review a record that cannot be read.")
        return review

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write whether validation preserved the intended design."""
        review = self._review(view)
        return ReviewMemo(
            text=review.write_text(view),
            concerns=review.broken_by,
            answers=self._answer_points(view),
            confidence=review.derive_confidence()[0],
        )

    def vote_on_readiness(self, view: AssignmentView) -> ReadinessVote:
        """Vote REVISE if the design is broken, otherwise approve. The vote also answers what the memos ask for."""
        review = self._review(view)
        confidence = review.derive_confidence()[0]
        if review.broken_by:
            return ReadinessVote(
                vote="REVISE",
                notes=" ".join(review.broken_by),
                changes=review.broken_by,
                addressed_to=ATHENA,
                answers=self._answer_points(view),
                confidence=confidence,
            )
        needed = len(review.seed.insight_chain)
        notes = f"{format_count(needed, 'insight')} must be found, and every wrong answer is still stopped by its condition."
        answers = self._answer_points(view)
        return ReadinessVote(vote="APPROVE", notes=notes, answers=answers, confidence=confidence)

    def write_agent_trace(self, view: AssignmentView) -> AgentTrace:
        """Write ATHENA's trace, which also answers what the votes ask for."""
        return super().write_agent_trace(view).model_copy(update={"answers": self._answer_points(view)})

    def describe_status_evidence(self, view: AssignmentView) -> str:
        """Return which plans are stated to answer, and how many wrong answers are stopped as stated."""
        review = self._review(view)
        answering = ", ".join(f"`{name}`" for name in review.declared.answering)
        stopped = len(review.declared.traps) - len(review.working_traps)
        answers = (
            f"It is designed to be answered by {answering}"
            if answering
            else "No plan is designed to answer it"
        )
        return f"{answers}, and {stopped} of {format_count(len(review.declared.traps), 'wrong answer')} {'is' if stopped == 1 else 'are'} stopped as stated. "

    def _answer_points(self, view: AssignmentView) -> tuple[PointAnswer, ...]:
        """Answer the points that the others have raised, by what other draws of the design would change."""
        if not view.open_points:
            return ()
        if view.brief is None:
            raise UnanswerableAsk("ATHENA was asked for answers without a brief.")
        joint = view.find_document(JointAssessment)
        computed = "" if joint is None else f"{joint.computed_status}: {joint.computed_reason}".rstrip(": .")
        answerer = PointAnswerer(self.desk, view.brief, self.require_seed_document(view), computed)
        return tuple(answerer.answer_point(each) for each in view.open_points)

    def examine_design(self, view: AssignmentView) -> Mapping[DesignPart, str]:
        """Examine whether name, style and objects serve the design."""
        review = self._review(view)
        return examine_own_design(review.seed, review.declared)

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Score the difficulty by what executing the record shows, not by what the design intends."""
        profile, reasons = self.score_evidence(view)
        return profile, complete_score_reasons(profile, reasons)

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: whether its strength suits the tier, from how near it comes to working."""
        verdict, remark = self._review(view).judge_distractor(distractor)
        return DistractorFinding(
            name=distractor.name, verdict=verdict, strength=distractor.strength, remark=remark
        )

    def rate_distractor_review(self, view: AssignmentView) -> ConfidenceBasis:
        """Count as not computed the distractors whose nearest wrong answer fails without a number."""
        review = self._review(view)
        inventory = review.seed.distractor_inventory
        unmeasured = sum(not review.can_measure_distractor(each) for each in inventory)
        return ConfidenceBasis(uncomputed=compute_share(unmeasured, len(inventory)))

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the design."""
        seed, review = self.require_seed_document(view), self._review(view)
        rounds = view.count_submissions("SeedDocument", ATHENA)
        confidence, reason = review.derive_confidence()
        stopped = len(review.declared.traps) - len(review.working_traps)
        decisions = (
            Decision(
                description=f"Chose `{seed.scenario.name}` of {len(seed.candidates)} candidate situations.",
                confidence=confidence,
            ),
            Decision(
                description=f"Kept {format_count(len(seed.distractor_inventory), 'distractor')}; {stopped} of {len(review.declared.traps)} wrong answers are stopped as stated.",
                confidence=confidence,
            ),
        )
        times = f"{rounds} time{'s' if rounds != 1 else ''}"
        return f"{seed.concept_summary.concept} It was handed in {times}; {reason}.", decisions

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Return the first open question of the seed document."""
        questions = self.require_seed_document(view).open_questions
        return (
            questions[0] if questions else "How strongly the story pulls towards the wrong answers."
        ), "Answers of people who read it cold."
