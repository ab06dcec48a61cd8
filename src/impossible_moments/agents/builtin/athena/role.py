"""ATHENA, the scenario designer of the built-in cast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from impossible_moments.agents.builtin.athena.choosing import Unreachable, fitting
from impossible_moments.agents.builtin.athena.drawing import Drawn, draw
from impossible_moments.agents.builtin.athena.seeding import seed_document
from impossible_moments.agents.builtin.athena.twinning import Sibling, draw_twin, twin_brief
from impossible_moments.agents.builtin.role import Role, Unasked, reasons
from impossible_moments.agents.builtin.views import View
from impossible_moments.agents.orchestrator.gate_checks.public_text import strange_numbers
from impossible_moments.blueprints.catalogue import Catalogue
from impossible_moments.blueprints.difficulty import InsightFact, measured
from impossible_moments.blueprints.forms import FIXEDNESS
from impossible_moments.blueprints.trials import Trial
from impossible_moments.domain.brief import GenerationBrief, TwinWanted
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Answer, ChallengeResponse, Evidence
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.refinement import DistractorFinding, ReviewMemo
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.tracing import Decision
from impossible_moments.domain.vocabulary import ATHENA, TIERS
from impossible_moments.mechanics.check import check
from impossible_moments.solving.lore import Lore
from impossible_moments.solving.publication import compared
from impossible_moments.solving.solver import solve
from impossible_moments.solving.text import PublicText

AMPLE: Final = 0.2
"""The share of the deadline that ATHENA considers enough for people who are slower than assumed."""
_HARD: Final = frozenset(TIERS[2:])


class Athena(Role):
    """The agent that designs scenarios from a catalogue of blueprints."""

    name = ATHENA

    def __init__(self, catalogue: Catalogue, lore: Lore) -> None:
        self.catalogue, self.library, self.lore = catalogue, lore.library, lore

    def reports(self) -> Mapping[type[Labelled], Callable[[View], Labelled]]:
        """Return the function that makes the seed document."""
        return {SeedDocument: self.seed_document}

    def seed_document(self, view: View) -> SeedDocument:
        """Make a seed document for the brief.

        Each repetition draws other numbers. From the third document on, or if the text is too similar to
        another scenario, it also draws another situation.
        """
        if view.brief is None:
            raise Unasked("ATHENA was asked without a brief.")
        return seed_document(self._drawn(view, view.brief))

    def _drawn(self, view: View, brief: GenerationBrief) -> Drawn:
        attempt = view.iteration("SeedDocument", ATHENA)
        notes = " ".join(view.notes)
        # other numbers do not help if the text is too similar to another, or if a draw failed twice
        too_near = "too near to a scenario" in notes
        if brief.twin is not None:
            return self._drawn_twin(brief, brief.twin, attempt, too_near=too_near)
        passed_over = attempt if too_near else max(attempt - 1, 0)
        count = len(fitting(self.catalogue, brief))
        if too_near and passed_over >= count:
            raise Unreachable(
                f"Everything in the catalogue for {brief.category} with status {brief.solution_status} at {brief.difficulty_tier} "
                f"({count} situation{'s' if count > 1 else ''}) is too similar to an existing scenario. Ask for another status or tier "
                "(`im blueprint list` shows them), or write a skin."
            )
        return draw(self.catalogue, self.library, brief, attempt, passed_over, also=self._unreadable)

    def _drawn_twin(
        self, brief: GenerationBrief, wanted: TwinWanted, attempt: int, *, too_near: bool
    ) -> Drawn:
        if too_near:
            raise Unreachable(
                f"The twin of {wanted.of} is too similar to an existing scenario that is not its sibling. "
                "Choose another scenario."
            )
        return draw_twin(self.catalogue, self.library, brief, attempt, also=self._unreadable)

    def twin_brief(self, sibling: Sibling) -> GenerationBrief:
        """Build the brief of the twin of a published scenario. Raise `UnreachableBrief` if it has none."""
        return twin_brief(sibling, self.catalogue, self.library, self._unreadable)

    def _unreadable(self, tried: Trial) -> str | None:
        """Return why a draw cannot be solved from its public text, or None. Such a draw is not handed in."""
        seed = seed_document(Drawn(tried, (tried.instance.offer,), (), ()))
        solved = solve(PublicText.of_narrative(seed.model_dump(mode="json")), self.lore)
        reason = compared(solved, tried.report) or next(strange_numbers(seed, tried.report), None)
        return None if reason is None else f"publication.insufficient {reason}"

    def response(self, view: View) -> ChallengeResponse:
        """Answer a challenge: defend a tight plan if the deadline leaves ample time, else answer as usual."""
        note = view.notes[-1] if view.notes else ""
        if "slow end" in note:
            margin = self._time_left(view)
            if margin is not None and margin >= AMPLE:
                text = f"{margin:.0%} of the deadline is left as stated, and each assumed time alone stays within it; all at their slow end at once is no ordinary person."
                return ChallengeResponse(
                    answer=Answer.DEFEND,
                    text=text,
                    evidence=(Evidence(kind="calculation", text=text),),
                    confidence=0.75,
                )
        return super().response(view)

    def _time_left(self, view: View) -> float | None:
        report = check(self.seed(view).mechanics, self.library)
        if report.analysis is None or report.verdict is None:
            return None
        margins = [report.analysis.executor.run(way.plan).time_margin for way in report.verdict.ways]
        return max((margin for margin in margins if margin is not None), default=None)

    def memo(self, view: View) -> ReviewMemo:
        """Write whether validation preserved the intended design."""
        seed, blind = self.seed(view), view.whole(ClassificationReport)
        strong = [each.name for each in seed.distractor_inventory if each.strength == "strong"]
        text = (
            f"The design rests on {len(seed.insight_chain)} insights, and validation has left all of them necessary: "
            f"{'; '.join(each.text for each in seed.insight_chain)} "
            f"The strongest pull away from them comes from {', '.join(strong) or 'no single thing'}."
        )
        claimed = str((seed.mechanics.get("status") or {}).get("claim", ""))
        if blind is not None:
            seen = "as it is" if claimed.startswith(blind.status) else f"for {blind.status}"
            text += f" Read blind, the scenario was taken {seen}."
        concerns = (
            ()
            if strong or seed.concept_summary.difficulty_tier not in _HARD
            else ("No distractor is strong, which is little for so hard a tier.",)
        )
        return ReviewMemo(text=text, concerns=concerns, confidence=0.85)

    def scores(self, view: View) -> tuple[Profile, Mapping[str, str]]:
        """Measure the difficulty of the design."""
        seed = self.seed(view)
        report = check(seed.mechanics, self.library)
        if report.analysis is None or report.verdict is None:
            raise Unasked("ATHENA cannot measure the difficulty of a record that cannot be computed.")
        facts = tuple(
            InsightFact(each.fixedness_type, each.domain, each.depends_on) for each in seed.insight_chain
        )
        profile = measured(
            report.analysis, report.verdict, facts, tuple(each.strength for each in seed.distractor_inventory)
        )
        why = {
            "I": f"{len(seed.insight_chain)} insights, dependencies as in the chain",
            "D": ", ".join(f"{each.name} {each.strength}" for each in seed.distractor_inventory)
            or "nothing misleads",
            "C": f"the hardest habit is {_hardest(seed)}",
            "B": f"domains: {', '.join(sorted({each.domain for each in seed.insight_chain if each.domain})) or 'one'}",
        }
        return profile, reasons(profile, why)

    def of_distractor(self, each: Distractor, view: View) -> DistractorFinding:
        """Review a distractor: whether its strength suits the tier."""
        tier = self.seed(view).concept_summary.difficulty_tier
        remark = f"{each.strength} at {tier}: {each.why_it_misleads}"
        return DistractorFinding(name=each.name, verdict="right", strength=each.strength, remark=remark)

    def found(self, view: View) -> tuple[str, tuple[Decision, ...]]:
        """Summarize the design."""
        seed = self.seed(view)
        rounds = view.iteration("SeedDocument", ATHENA)
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

    def doubts(self, view: View) -> tuple[str, str]:
        """Return the first open question of the seed document."""
        questions = self.seed(view).open_questions
        return (
            questions[0] if questions else "How strongly the story pulls towards the wrong answers."
        ), "Answers of people who read it cold."


def _hardest(seed: SeedDocument) -> str:
    return max(
        (each.fixedness_type for each in seed.insight_chain),
        key=lambda name: FIXEDNESS.get(name, 0),
        default="none",
    )
