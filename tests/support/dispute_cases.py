"""Disputes for tests: a small dossier, agents that answer from a script, and random valid replies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from hypothesis import strategies as st

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.context.token_budgets import TokenBudgets
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.agents.orchestrator.flow import Ask, Flow
from impossible_moments.agents.orchestrator.protocols.dispute_panel import DisputePanel
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import (
    Answer,
    Ballot,
    BreakthroughReview,
    Challenge,
    ChallengeResponse,
    Evidence,
    HumanDecision,
    Option,
    Veto,
    VetoReview,
)
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import (
    ConceptSummary,
    ImpossibilityMirage,
    Insight,
    PhysicalClaim,
    ScenarioNarrative,
    SeedDocument,
    SolutionSketch,
)
from impossible_moments.domain.vocabulary import ATHENA, Phase, Status
from impossible_moments.library.everyday_library import load_everyday_library
from support.strategies import PlantedWorld

T = TypeVar("T")
Reply = Callable[[Ask], LabelledModel]

CLAIM: Final = "The bar prises the lid open."
STRONG: Final = "pull >= limit"
"""What the claim needs: true in a strong seed, false in a weak one."""
DESK: Final = AskDesk(ContextPolicy(), TokenBudgets())


def build_panel(**changes: Any) -> DisputePanel:
    return DisputePanel(load_everyday_library(), **changes)


def build_seed(
    *, pull: float = 3.0, name: str = "The Lid", mechanics: dict[str, Any] | None = None
) -> SeedDocument:
    """Build a seed whose only claim is true if the pull is at least 2."""
    return SeedDocument(
        concept_summary=ConceptSummary(
            concept="a stuck lid",
            category="The Locked Room",
            difficulty_tier="SPARK",
            why_it_matters="levers are overlooked",
        ),
        impossibility_mirage=ImpossibilityMirage(looks_impossible="it is stuck", excluded_by_model="a lever"),
        insight_chain=(Insight(text="a bar is a lever", fixedness_type="functional"),),
        solution_sketch=SolutionSketch(
            claims=(PhysicalClaim(claim_id="C1", text=CLAIM, expression=STRONG),), confidence=0.9
        ),
        distractor_inventory=(),
        scenario=ScenarioNarrative(
            name=name,
            narrative="A lid is stuck.",
            environment=(),
            threat="time",
            position="beside it",
            objects=(),
            capabilities=(),
        ),
        mechanics=mechanics or PlantedWorld(pull, pull * 0.9, pull * 1.1, 2.0).data,
        correct_outcome="the lid is open",
        category_match="it is locked",
    )


def build_dossier(status: Status = "KS", document: SeedDocument | None = None) -> Dossier:
    brief = GenerationBrief(category="The Locked Room", difficulty_tier="SPARK", solution_status=status)
    return Dossier.create_for_brief(brief).add_deliverable(Phase.SEED, ATHENA, document or build_seed())


def build_evidence(text: str = "F = 30 N < 40 N", **changes: Any) -> Evidence:
    return Evidence(**{"kind": "calculation", "text": text, **changes})


def build_challenge(challenged: str = ATHENA, claim: str = "The table slides.", **changes: Any) -> Challenge:
    plain = {"evidence": (build_evidence(),), "confidence": 0.8}
    return Challenge(**{"challenged": challenged, "claim": claim, **plain, **changes})


def build_veto(**changes: Any) -> Veto:
    plain = {
        "claim": CLAIM,
        "law": "balance of moments",
        "proof": (build_evidence(),),
        "corrective_proposal": "use a longer bar",
    }
    return Veto(**{**plain, **changes})


def build_response(answer: Answer, **changes: Any) -> ChallengeResponse:
    return ChallengeResponse(**{"answer": answer, "text": "for this reason", "confidence": 0.9, **changes})


def build_ballot(choice: str) -> Ballot:
    return Ballot.model_validate({"choice": choice, "reason": "the evidence", "confidence": 0.6})


def build_decision(option: Option = Option.RESOLVE, **changes: Any) -> HumanDecision:
    return HumanDecision(**{"option": option, "justification": "I measured it", **changes})


@dataclass
class DisputeRun:
    """A completed flow with all asks and replies."""

    asks: list[Ask] = field(default_factory=list)
    replies: list[LabelledModel] = field(default_factory=list)

    def run_flow(self, flow: Flow[T], reply: Reply) -> T:
        try:
            round_ = next(flow)
            while True:
                answers = tuple(map(reply, round_))
                self.asks += round_
                self.replies += answers
                round_ = flow.send(answers)
        except StopIteration as finished:
            result: T = finished.value
            return result

    @property
    def agents(self) -> list[str]:
        return [ask.agent for ask in self.asks]

    def collect_notes_to(self, agent: str) -> str:
        """Return all notes to an agent as one text."""
        return "\n".join(
            str(note) for ask in self.asks if ask.agent == agent for note in ask.assignment.context["notes"]
        )


def reply_from_script(
    by_kind: Mapping[type[LabelledModel], LabelledModel | Mapping[str, LabelledModel]],
) -> Reply:
    """Reply by the requested kind, and by agent where agents differ."""

    def reply(ask: Ask) -> LabelledModel:
        found = by_kind[ask.returns]
        return found if isinstance(found, LabelledModel) else found[ask.agent]

    return reply


def replay_replies(replies: list[LabelledModel]) -> Reply:
    """Give the same replies again, in the same order."""
    left: Iterator[LabelledModel] = iter(replies)
    return lambda _ask: next(left)


# any valid reply

words = st.sampled_from(["it is so", "F = 2 N", "58.9 N < 200 N", "9 s + 3 s > 10 s"])
sure = st.floats(0, 1)
pieces = st.lists(
    st.builds(
        Evidence,
        kind=st.sampled_from(
            ["calculation", "proof", "citation", "epistemology", "unfairness", "physical meaning"]
        ),
        text=words,
        expression=st.sampled_from(["", STRONG, "pull < limit", "1 > 2", "no such name", "lid.open"]),
    ),
    max_size=2,
).map(tuple)
REPLIES: Final[Mapping[type[LabelledModel], st.SearchStrategy[LabelledModel]]] = {
    Ballot: st.builds(
        Ballot, choice=st.sampled_from(["CHALLENGER", "CHALLENGED", "ABSTAIN"]), reason=words, confidence=sure
    ),
    BreakthroughReview: st.builds(BreakthroughReview, survives=st.booleans(), text=words),
    ChallengeResponse: st.builds(
        ChallengeResponse, answer=st.sampled_from(Answer), text=words, evidence=pieces, confidence=sure
    ),
    HumanDecision: st.builds(
        HumanDecision,
        option=st.sampled_from(Option),
        justification=words,
        prevails=st.sampled_from(["", "CHALLENGER", "CHALLENGED"]),
    ),
    SeedDocument: st.builds(
        build_seed, pull=st.sampled_from([1.0, 3.0]), name=st.sampled_from(["The Lid", "The Lever"])
    ),
    VetoReview: st.builds(VetoReview, satisfied=st.booleans(), reason=words),
}


def draw_replies(data: st.DataObject) -> Reply:
    """Draw a valid reply to every ask."""
    return lambda ask: data.draw(REPLIES[ask.returns])
