"""The escalation protocol: a human decides what agents cannot settle, with all information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.flow import Ask, Flow, request_answer
from impossible_moments.domain.disputes import Domain, Evidence, HumanDecision, Option
from impossible_moments.domain.dossier import DesignReview, Dossier, HumanReview
from impossible_moments.domain.evaluation_protocol import LEAST_AGREEING_EXPERTS, PANEL
from impossible_moments.domain.thresholds import HOURS_TO_RESPOND, LOWEST_CONFIDENCE
from impossible_moments.domain.vocabulary import HUMAN, Phase


class EscalationTrigger(StrEnum):
    """4.3: the reasons for which a human is asked."""

    LOOPS = "3+ revision loops in any phase without convergence"
    VETO = "A veto that cannot be resolved by ATHENA revision"
    CONFIDENCE = f"An agent's confidence on a critical deliverable falls below {LOWEST_CONFIDENCE}"
    CONSENSUS = "The required consensus level cannot be reached after the full conflict resolution ladder"
    INVOKED = "An agent explicitly invokes ESCALATION"
    # From other sections of the specification.
    VETO_LIMIT = "An agent has raised more than 2 vetoes"
    BREAKTHROUGH = "A proposal for an open frontier survived all three reviews"
    ETHICS = "The ethical review failed"


class EscalationState(StrEnum):
    """The states of an escalation."""

    COMPILING = "COMPILING"
    AWAITING = "AWAITING"
    RESOLVED = "RESOLVED"
    REDESIGN = "REDESIGN"
    DISCARDED = "DISCARDED"
    SPLIT = "SPLIT"


SENT: Final = "SENT"
# fmt: off
TRANSITIONS: Final[Mapping[tuple[EscalationState, str], EscalationState]] = {
    # 4.3
    (EscalationState.COMPILING, SENT):            EscalationState.AWAITING,
    (EscalationState.AWAITING,  Option.RESOLVE):  EscalationState.RESOLVED,
    (EscalationState.AWAITING,  Option.REDESIGN): EscalationState.REDESIGN,
    (EscalationState.AWAITING,  Option.DISCARD):  EscalationState.DISCARDED,
    (EscalationState.AWAITING,  Option.SPLIT):    EscalationState.SPLIT,
}

DISCIPLINES: Final[Mapping[Domain, str]] = {
    "physics":        "physicist",
    "mathematics":    "engineer",
    "grounding":      "cognitive scientist",
    "classification": "ethicist",
    "design":         "cognitive scientist",  # whether a design is unfair is a question of cognition
}

USUAL_DOMAIN: Final[Mapping[Phase, Domain]] = {
    # The domain of a question that names none.
    Phase.SEED:     "design",
    Phase.VALIDATE: "physics",
    Phase.GROUND:   "grounding",
    Phase.CLASSIFY: "classification",
    Phase.REFINE:   "design",
    Phase.DOCUMENT: "design",
}
# fmt: on
TERMINAL: Final = frozenset(EscalationState) - {state for state, _ in TRANSITIONS}


@dataclass(frozen=True, slots=True)
class EscalationRequest:
    """The point that a human is asked to decide."""

    phase: Phase
    trigger: EscalationTrigger
    question: str
    assessment: str
    """Why it cannot be resolved without a human."""
    domain: Domain | None = None
    positions: Mapping[str, str] = field(default_factory=dict)
    evidence: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)
    is_for_panel: bool = False
    """Whether a panel of experts is asked and not a single one."""

    @property
    def discipline(self) -> str:
        """The required kind of expert."""
        return DISCIPLINES[self.domain or USUAL_DOMAIN[self.phase]]


def escalate_to_human(
    desk: AskDesk, dossier: Dossier, point: EscalationRequest
) -> Flow[tuple[Dossier, HumanDecision]]:
    """Ask a human and log the decision, which is final. The caller applies the chosen option."""
    question = _build_question(desk, dossier, point)
    state = TRANSITIONS[EscalationState.COMPILING, SENT]
    decision = yield from request_answer(question, HumanDecision)
    state = TRANSITIONS[state, decision.option]
    assert state in TERMINAL
    return _log_decision(dossier, point, decision, state), decision


def _build_question(desk: AskDesk, dossier: Dossier, point: EscalationRequest) -> Ask:
    number = len(dossier.reviews) + 1
    panel = f" You are a panel of {PANEL} experts; at least {LEAST_AGREEING_EXPERTS} of you must agree."
    task = (
        f"Decide as {'an' if point.discipline[0] in 'aeiou' else 'a'} {point.discipline}: RESOLVE the disputed point with a justification (and name the side that "
        "prevails, where there are two; if the work is to stand unchanged, say that there is nothing to change, else "
        "ATHENA is given the open demands with your justification), or send the scenario back for REDESIGN, or DISCARD it, or SPLIT it in two. "
        f"Say also whether the disagreement reveals a structural flaw of the scenario.{panel if point.is_for_panel else ''}"
    )
    question = desk.build_ask(dossier, HUMAN, point.phase, f"escalation-{number}", task, HumanDecision)
    # Isolation applies to agents only: a human gets the whole package.
    return replace(
        question, assignment=replace(question.assignment, context=build_escalation_package(dossier, point))
    )


def _log_decision(
    dossier: Dossier, point: EscalationRequest, decision: HumanDecision, state: EscalationState
) -> Dossier:
    """Add the decision to the Human Review Log, and open a design review if it names a structural flaw."""
    review = HumanReview(
        phase=point.phase,
        reason=f"{point.trigger}: {point.question}",
        decision=decision,
        discipline=point.discipline,
        state=str(state),
        question=point.question,
        assessment=point.assessment,
        domain=point.domain or USUAL_DOMAIN[point.phase],
        positions=dict(point.positions),
        evidence=dict(point.evidence),
        confidences=collect_last_agent_confidences(dossier),
    )
    dossier = dossier.add_deliverable(point.phase, HUMAN, decision)
    dossier = replace(dossier, reviews=(*dossier.reviews, review))
    if not decision.structural_flaw:
        return dossier
    # 1.4, level 4: the disagreement reveals a structural flaw of the design.
    opened = DesignReview(point.phase, point.question, decision.justification, decision.option)
    return replace(dossier, design_reviews=(*dossier.design_reviews, opened))


def build_escalation_package(dossier: Dossier, point: EscalationRequest) -> dict[str, Any]:
    """Build the escalation package of 4.3, step 1, as plain data."""
    return {
        "scenario": {
            "brief": dossier.brief.model_dump(mode="json"),
            "sections": [
                {
                    "author": entry.author,
                    "phase": str(entry.phase),
                    "document": type(entry.deliverable).__name__,
                    "iteration": entry.iteration,
                    "fields": entry.deliverable.model_dump(mode="json"),
                }
                for entry in dossier.entries
            ],
        },
        "disagreement": {
            "trigger": str(point.trigger),
            "question": point.question,
            "domain": point.domain or USUAL_DOMAIN[point.phase],
            "positions": dict(point.positions),
        },
        "evidence": {
            side: [each.model_dump(mode="json") for each in evidence]
            for side, evidence in point.evidence.items()
        },
        "confidences": collect_last_agent_confidences(dossier),
        "assessment": point.assessment,
        "discipline": point.discipline,
        "hours_to_respond": HOURS_TO_RESPOND,
        "options": [str(option) for option in Option],
        "disagreement_log": [asdict(each) for each in dossier.disagreements],
    }


def collect_last_agent_confidences(dossier: Dossier) -> dict[str, dict[str, float]]:
    """Return the last confidence of every agent in each kind of deliverable."""
    found: dict[str, dict[str, float]] = {}
    for entry in dossier.entries:
        confidence = getattr(entry.deliverable, "confidence", None)
        if isinstance(confidence, float):
            found.setdefault(entry.author, {})[type(entry.deliverable).__name__] = confidence
    return {author: dict(sorted(found[author].items())) for author in sorted(found)}
