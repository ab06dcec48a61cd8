"""ATHENA, the scenario designer of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief, find_fitting_offers
from impossible_moments.agents.builtin.athena.scenario_draws import AcceptedDraw, draw_scenario
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
from impossible_moments.agents.builtin.role import Role, UnanswerableAsk, complete_score_reasons
from impossible_moments.agents.orchestrator.gates.public_text_comparison import (
    find_public_numbers_missing_from_record,
)
from impossible_moments.blueprints import FIXEDNESS, Catalogue, InsightFact, InstanceTrial, measure_difficulty
from impossible_moments.domain.additional_agent_reports import Mutation
from impossible_moments.domain.agent_trace import Decision
from impossible_moments.domain.brief import GenerationBrief, TwinWanted
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Answer, ChallengeResponse, Evidence
from impossible_moments.domain.refinement import DistractorFinding, ReviewMemo
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, TIERS
from impossible_moments.mechanics.checks import verify_record
from impossible_moments.solver import KnownSituations, PublicText, explain_solver_mismatch, solve_public_text

AMPLE_MARGIN: Final = 0.2
"""The share of the deadline that ATHENA considers enough for people who are slower than assumed."""
_HARD: Final = frozenset(TIERS[2:])


class Athena(Role):
    """The agent that designs scenarios from a catalogue of blueprints."""

    name = ATHENA

    def __init__(self, catalogue: Catalogue, situations: KnownSituations) -> None:
        self.catalogue, self.library, self.situations = catalogue, situations.library, situations

    def list_report_makers(self) -> Mapping[type[LabelledModel], Callable[[AssignmentView], LabelledModel]]:
        """Return the function that makes the seed document."""
        return {SeedDocument: self.make_seed_document}

    def make_seed_document(self, view: AssignmentView) -> SeedDocument:
        """Make a seed document for the brief.

        Each repetition draws other numbers. From the third document on, or if the text is too similar to
        another scenario, it also draws another situation.
        """
        if view.brief is None:
            raise UnanswerableAsk("ATHENA was asked without a brief.")
        return build_seed_document(self._draw_for_brief(view, view.brief))

    def _draw_for_brief(self, view: AssignmentView, brief: GenerationBrief) -> AcceptedDraw:
        attempt = view.count_submissions("SeedDocument", ATHENA)
        notes = " ".join(view.notes)
        # other numbers do not help if the text is too similar to another, or if a draw failed twice
        too_near = "too near to a scenario" in notes
        if brief.variant is not None:
            return draw_variant_scenario(
                self.catalogue,
                self.library,
                brief,
                attempt,
                find_further_refusal=self._explain_unsolvable_text,
            )
        if brief.twin is not None:
            return self._draw_twin_for_brief(brief, brief.twin, attempt, too_near=too_near)
        skipped_offers = attempt if too_near else max(attempt - 1, 0)
        count = len(find_fitting_offers(self.catalogue, brief))
        if too_near and skipped_offers >= count:
            raise UnreachableBrief(
                f"Everything in the catalogue for {brief.category} with status {brief.solution_status} at {brief.difficulty_tier} "
                f"({count} situation{'s' if count > 1 else ''}) is too similar to an existing scenario. Ask for another status or tier "
                "(`im blueprint list` shows them), or write a skin."
            )
        return draw_scenario(
            self.catalogue,
            self.library,
            brief,
            attempt,
            skipped_offers,
            find_further_refusal=self._explain_unsolvable_text,
        )

    def _draw_twin_for_brief(
        self, brief: GenerationBrief, twin: TwinWanted, attempt: int, *, too_near: bool
    ) -> AcceptedDraw:
        if too_near:
            raise UnreachableBrief(
                f"The twin of {twin.of} is too similar to an existing scenario that is not its sibling. "
                "Choose another scenario."
            )
        return draw_twin_scenario(
            self.catalogue, self.library, brief, attempt, find_further_refusal=self._explain_unsolvable_text
        )

    def build_twin_brief(self, sibling: PublishedSibling) -> GenerationBrief:
        """Build the brief of the twin of a published scenario. Raise `UnreachableBrief` if it has none."""
        return build_twin_brief(sibling, self.catalogue, self.library, self._explain_unsolvable_text)

    def build_variant_briefs(
        self, parent: PublishedSibling, mutations: Sequence[Mutation], *, most: int
    ) -> tuple[GenerationBrief, ...]:
        """Build at most `most` briefs of variants of a published scenario, or none if no variant is acceptable."""
        return build_variant_briefs(
            parent, mutations, self.catalogue, self.library, self._explain_unsolvable_text, most=most
        )

    def _explain_unsolvable_text(self, trial: InstanceTrial) -> str | None:
        """Return why a draw cannot be solved from its public text, or None. Such a draw is not handed in."""
        seed = build_seed_document(AcceptedDraw(trial, (trial.instance.offer,), (), ()))
        solver_result = solve_public_text(
            PublicText.from_seed_document(seed.model_dump(mode="json")), self.situations
        )
        reason = explain_solver_mismatch(solver_result, trial.report) or next(
            find_public_numbers_missing_from_record(seed, trial.report), None
        )
        return None if reason is None else f"publication.insufficient {reason}"

    def answer_challenge(self, view: AssignmentView) -> ChallengeResponse:
        """Answer a challenge: defend a tight plan if the deadline leaves ample time, else answer as usual."""
        note = view.notes[-1] if view.notes else ""
        if "slow end" in note:
            margin = self._compute_largest_time_margin(view)
            if margin is not None and margin >= AMPLE_MARGIN:
                text = f"{margin:.0%} of the deadline is left as stated, and each assumed time alone stays within it; all at their slow end at once is no ordinary person."
                return ChallengeResponse(
                    answer=Answer.DEFEND,
                    text=text,
                    evidence=(Evidence(kind="calculation", text=text),),
                    confidence=0.75,
                )
        return super().answer_challenge(view)

    def _compute_largest_time_margin(self, view: AssignmentView) -> float | None:
        report = verify_record(self.require_seed_document(view).mechanics, self.library)
        if report.analysis is None or report.verdict is None:
            return None
        margins = [report.analysis.executor.run_plan(way.plan).time_margin for way in report.verdict.ways]
        return max((margin for margin in margins if margin is not None), default=None)

    def write_review_memo(self, view: AssignmentView) -> ReviewMemo:
        """Write whether validation preserved the intended design."""
        seed, blind = self.require_seed_document(view), view.find_document(ClassificationReport)
        strong = [each.name for each in seed.distractor_inventory if each.strength == "strong"]
        text = (
            f"The design rests on {len(seed.insight_chain)} insights, and validation has left all of them necessary: "
            f"{'; '.join(each.text for each in seed.insight_chain)} "
            f"The strongest pull away from them comes from {', '.join(strong) or 'no single thing'}."
        )
        claimed = str((seed.mechanics.get("status") or {}).get("claim", ""))
        if blind is not None:
            blind_judgement = "as it is" if claimed.startswith(blind.status) else f"for {blind.status}"
            text += f" Read blind, the scenario was taken {blind_judgement}."
        concerns = (
            ()
            if strong or seed.concept_summary.difficulty_tier not in _HARD
            else ("No distractor is strong, which is little for so hard a tier.",)
        )
        return ReviewMemo(text=text, concerns=concerns, confidence=0.85)

    def score_difficulty(self, view: AssignmentView) -> tuple[Profile, Mapping[str, str]]:
        """Measure the difficulty of the design."""
        seed = self.require_seed_document(view)
        report = verify_record(seed.mechanics, self.library)
        if report.analysis is None or report.verdict is None:
            raise UnanswerableAsk("ATHENA cannot measure the difficulty of a record that cannot be computed.")
        facts = tuple(
            InsightFact(each.fixedness_type, each.domain, each.depends_on) for each in seed.insight_chain
        )
        profile = measure_difficulty(
            report.analysis, report.verdict, facts, tuple(each.strength for each in seed.distractor_inventory)
        )
        reasons = {
            "I": f"{len(seed.insight_chain)} insights, dependencies as in the chain",
            "D": ", ".join(f"{each.name} {each.strength}" for each in seed.distractor_inventory)
            or "nothing misleads",
            "C": f"the hardest habit is {_find_hardest_fixedness(seed)}",
            "B": f"domains: {', '.join(sorted({each.domain for each in seed.insight_chain if each.domain})) or 'one'}",
        }
        return profile, complete_score_reasons(profile, reasons)

    def review_distractor(self, distractor: Distractor, view: AssignmentView) -> DistractorFinding:
        """Review a distractor: whether its strength suits the tier."""
        tier = self.require_seed_document(view).concept_summary.difficulty_tier
        remark = f"{distractor.strength} at {tier}: {distractor.why_it_misleads}"
        return DistractorFinding(
            name=distractor.name, verdict="right", strength=distractor.strength, remark=remark
        )

    def summarize_findings(self, view: AssignmentView) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the design."""
        seed = self.require_seed_document(view)
        rounds = view.count_submissions("SeedDocument", ATHENA)
        decisions = (
            Decision(
                description=f"Chose `{seed.scenario.name}` of {len(seed.candidates)} candidate situations.",
                confidence=0.8,
            ),
            Decision(
                description=f"Kept {len(seed.distractor_inventory)} misleading elements, each with the number that kills it.",
                confidence=0.85,
            ),
        )
        return (
            f"{seed.concept_summary.concept} It was handed in {rounds} time{'s' if rounds != 1 else ''}.",
            decisions,
        )

    def state_doubts(self, view: AssignmentView) -> tuple[str, str]:
        """Return the first open question of the seed document."""
        questions = self.require_seed_document(view).open_questions
        return (
            questions[0] if questions else "How strongly the story pulls towards the wrong answers."
        ), "Answers of people who read it cold."


def _find_hardest_fixedness(seed: SeedDocument) -> str:
    return max(
        (each.fixedness_type for each in seed.insight_chain),
        key=lambda name: FIXEDNESS.get(name, 0),
        default="none",
    )
