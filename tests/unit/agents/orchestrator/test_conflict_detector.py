"""Contradictions between deliverables are found, and what agrees is left alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.conflict_detector import find_conflicts
from impossible_moments.agents.orchestrator.conflicts.contradictions import (
    CONTRADICTIONS,
    ContradictionRule,
    DetectedContradiction,
)
from impossible_moments.agents.orchestrator.conflicts.newest_deliverables import NewestDeliverables
from impossible_moments.agents.orchestrator.protocols.challenge_protocol import (
    ChallengeState,
    resolve_challenge,
)
from impossible_moments.domain.classification import (
    ClassificationReport,
    EpistemologicalAnalysis,
    EthicalReview,
    InformedClassification,
)
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Answer, ChallengeResponse
from impossible_moments.domain.dossier import ChallengeCase, Dossier
from impossible_moments.domain.grounding import Construct, GroundingReport, PredictedPerformance
from impossible_moments.domain.refinement import DistractorFinding, DistractorReview, ReadinessVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import (
    ClaimCalculation,
    ClaimVerdict,
    JointAssessment,
    MathematicsReport,
    PhysicsReport,
    TimingRow,
)
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ORCHESTRATOR, SOCRATES, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.dispute_cases import (
    DESK,
    DisputeRun,
    build_dossier,
    build_panel,
    build_response,
    build_seed,
    reply_from_script,
)

Filed = tuple[str, LabelledModel]
PROFILE = Profile(I=1, D=1, C=1, B=1, T=1, X=1)


def physics(verdict: str = "VALID", **changes: Any) -> Filed:
    claim = ClaimVerdict.model_validate({"claim_id": "C1", "verdict": verdict, "reasoning": "F = ma"})
    return NEWTON, PhysicsReport(**{"claims": (claim,), "feasibility": "VALID", "confidence": 0.8, **changes})


def mathematics(verdict: str = "VALID", **changes: Any) -> Filed:
    claim = ClaimCalculation.model_validate(
        {"claim_id": "C1", "verdict": verdict, "calculation": "1 + 1 = 2"}
    )
    plain = {
        "claims": (claim,),
        "timing_budget": (TimingRow(step="push", seconds=8, basis="measured"),),
        "deadline_seconds": 10.0,
        "margin": 0.2,
        "dimensional_analysis": "CONSISTENT",
        "confidence": 0.8,
    }
    return EULER, MathematicsReport(**{**plain, **changes})


def late() -> Filed:
    slow = (TimingRow(step="push", seconds=12, basis="measured"),)
    return mathematics(timing_budget=slow, margin=-0.2)


def joint(**changes: Any) -> Filed:
    return ORCHESTRATOR, JointAssessment(
        **{"status": "VALIDATED", "computed_status": "KS-Singular", **changes}
    )


def grounding(insight: int = 1, **changes: Any) -> Filed:
    plain = {
        "constructs": (
            Construct(insight=insight, construct_tested="fixedness", citations=(), prediction="hard"),
        ),
        "benchmarks": (),
        "novelty_claim": "new",
        "compositional_chain": "short",
        "counter_intuitive_demand": "little",
        "contamination_resistance": "some",
        "predicted": PredictedPerformance(
            direct_answer=1, chain_of_thought=2, extended_reasoning=3, agentic=4
        ),
        "construct_validity": "it tests trivia",
        "merit": "HIGH",
        "confidence": 0.8,
    }
    return GALILEO, GroundingReport(**{**plain, **changes})


def blind(ethics: str = "PASS") -> Filed:
    review = EthicalReview.model_validate({"checklist": (), "status": ethics, "notes": "it gloats"})
    return SOCRATES, ClassificationReport(
        status="KS",
        justification="there is a way",
        blind_confidence=0.7,
        impossibility_type="I",
        type_justification="it only looks so",
        ethics=review,
        epistemology=EpistemologicalAnalysis(
            surface_test="force", deep_test="fixedness", metacognitive_demand="LOW", transferability="some"
        ),
        profile=PROFILE,
        preliminary_tier="SPARK",
        confidence=0.8,
    )


def informed(status: str = "KS", kind: str = "I") -> Filed:
    return SOCRATES, InformedClassification.model_validate(
        {
            "status": status,
            "justification": "seen",
            "impossibility_type": kind,
            "profile": PROFILE,
            "delta": "none",
            "confidence": 0.8,
        }
    )


def ready(agent: str, vote: str = "APPROVE") -> Filed:
    return agent, ReadinessVote.model_validate({"vote": vote, "confidence": 0.8})


def distractors(verdict: str) -> Filed:
    finding = DistractorFinding.model_validate({"name": "banana", "verdict": verdict, "strength": "weak"})
    return NEWTON, DistractorReview(findings=(finding,), confidence=0.8)


def revised() -> Filed:
    return ATHENA, build_seed(name="The Lever")


def filed(*work: Filed, document: SeedDocument | None = None) -> Dossier:
    after = build_dossier(document=document)
    for author, deliverable in work:
        after = after.add_deliverable(Phase.REFINE, author, deliverable)
    return after


def found(work: Dossier) -> list[tuple[str, str, str]]:
    return [
        (each.name, each.contradiction.challenger, each.contradiction.challenged)
        for each in find_conflicts(work, load_everyday_library())
    ]


WEAK = build_seed(pull=1.0)
# fmt: off
CONTRADICTORY: dict[str, tuple[Dossier, tuple[str, str]]] = {
    "feasible, but the timing does not work":          (filed(physics(), late()), (EULER, NEWTON)),
    "a claim VALID for one and INVALID for the other": (filed(physics(), mathematics("INVALID")), (EULER, NEWTON)),
    "VALID, but it computes as false":                 (filed(physics(), document=WEAK), (ORCHESTRATOR, NEWTON)),
    "the timing sum against its own margin":           (filed(mathematics(margin=0.5)), (ORCHESTRATOR, EULER)),
    "feasible, but a claim is INVALID":                (filed(physics("INVALID")), (ORCHESTRATOR, NEWTON)),
    "VALID, but dimensions do not agree":              (filed(physics(), mathematics(dimensional_analysis="ERRORS-FOUND")), (EULER, NEWTON)),
    "grounding of an insight that does not exist":     (filed(grounding(insight=2)), (ORCHESTRATOR, GALILEO)),
    "little merit, and sure of it":                    (filed(grounding(merit="LOW")), (GALILEO, ATHENA)),
    "approved, but the ethical review failed":         (filed(blind("FAIL"), ready(EULER), ready(NEWTON, "REVISE")), (SOCRATES, EULER)),
    "approved, but its own report blocks the scenario": (filed(physics("INVALID", feasibility="INVALID"), ready(NEWTON)), (ORCHESTRATOR, NEWTON)),
    "a distractor enables a solution":                 (filed(joint(), distractors("enables a solution")), (NEWTON, ATHENA)),
    "another status than the mechanics compute":       (filed(joint(), informed("CT")), (ORCHESTRATOR, SOCRATES)),
    "impossibility type against status":               (filed(informed("PX", "I")), (ORCHESTRATOR, SOCRATES)),
}
AGREEING: dict[str, Dossier] = {
    "nothing":               filed(),
    "both validators":       filed(physics(), mathematics()),
    "both say INVALID":      filed(physics("INVALID", feasibility="INVALID"), late(), mathematics("INVALID")),
    "late and infeasible":   filed(physics("INVALID", feasibility="INVALID"), mathematics("INVALID", timing_budget=(), margin=-0.2)),
    "computed and rejected": filed(physics("INVALID", feasibility="INVALID"), document=WEAK),
    "rounded":               filed(mathematics(margin=0.205)),
    "nothing is timed":      filed(mathematics(margin=None, deadline_seconds=None, timing_budget=())),
    "low merit, not sure":   filed(grounding(merit="LOW", confidence=0.6)),
    "grounded":              filed(grounding()),
    "ethics pass":           filed(blind(), ready(EULER)),
    "ethics fail, revised":  filed(blind("FAIL"), ready(EULER, "REVISE")),
    "weak distractor":       filed(joint(), distractors("too weak")),
    "not validated":         filed(joint(status="NEEDS-REVISION"), distractors("enables a solution")),
    "status as computed":    filed(joint(), informed()),
    "blind and wrong":       filed(joint(computed_status="PX"), blind()),
    "a paradox of type III": filed(informed("PX", "III")),
    "stale distractors":     filed(joint(), distractors("enables a solution"), revised(), joint()),
    "stale approval":        filed(blind("FAIL"), ready(EULER), revised()),
    "stale reports":         filed(physics(), late(), revised()),
    "approved with notes":   filed(physics("INVALID", feasibility="INVALID"), ready(NEWTON, "APPROVE-WITH-NOTES")),
}
# fmt: on


def test_every_kind_of_contradiction_has_its_example() -> None:
    assert list(CONTRADICTORY) == [row.name for row in CONTRADICTIONS]


@pytest.mark.parametrize("name", CONTRADICTORY)
def test_a_contradiction_is_found_between_whom_it_stands(name: str) -> None:
    work, parties = CONTRADICTORY[name]
    assert found(work) == [(name, *parties)]


@pytest.mark.parametrize("name", AGREEING)
def test_what_agrees_is_no_conflict(name: str) -> None:
    assert found(AGREEING[name]) == []


@pytest.mark.parametrize("name", CONTRADICTORY)
def test_a_conflict_becomes_a_challenge_that_is_forwarded(name: str) -> None:
    work, _ = CONTRADICTORY[name]
    (conflict,) = find_conflicts(work, load_everyday_library())
    flow = resolve_challenge(DESK, work, conflict.to_submission(Phase.REFINE), panel=build_panel())
    _, outcome = DisputeRun().run_flow(
        flow, reply_from_script({ChallengeResponse: build_response(Answer.ACCEPT)})
    )
    assert outcome.state is ChallengeState.ACCEPTED


@pytest.mark.parametrize("name", CONTRADICTORY)
def test_a_conflict_that_was_a_challenge_is_not_raised_again(name: str) -> None:
    work, _ = CONTRADICTORY[name]
    (conflict,) = find_conflicts(work, load_everyday_library())
    flow = resolve_challenge(DESK, work, conflict.to_submission(Phase.REFINE), panel=build_panel())
    after, _ = DisputeRun().run_flow(
        flow, reply_from_script({ChallengeResponse: build_response(Answer.ACCEPT)})
    )
    assert find_conflicts(after, load_everyday_library()) == ()


def test_a_conflict_that_was_only_logged_is_raised_again() -> None:
    work, _ = CONTRADICTORY["little merit, and sure of it"]
    (conflict,) = find_conflicts(work, load_everyday_library())
    case = ChallengeCase(
        Phase.GROUND, GALILEO, conflict.to_submission(Phase.GROUND).challenge, "LOGGED", "refused"
    )
    assert find_conflicts(replace(work, challenges=(case,)), load_everyday_library()) == (conflict,)


def test_a_conflict_is_no_challenge_of_the_agents_own() -> None:
    work, _ = CONTRADICTORY["little merit, and sure of it"]
    assert [
        each.to_submission(Phase.GROUND).detected for each in find_conflicts(work, load_everyday_library())
    ] == [True]


@pytest.mark.parametrize("name", CONTRADICTORY)
def test_no_conflict_tells_a_confidence(name: str) -> None:
    work, _ = CONTRADICTORY[name]
    assert "0.8" not in str([each.contradiction for each in find_conflicts(work, load_everyday_library())])


def test_a_validator_is_challenged_on_its_own_ground() -> None:
    work = filed(physics(), mathematics(), document=WEAK)
    assert [
        (each.contradiction.challenged, each.claim_domain)
        for each in find_conflicts(work, load_everyday_library())
    ] == [
        (NEWTON, "physics"),
        (EULER, "mathematics"),
    ]


def test_a_revised_report_is_the_one_that_counts() -> None:
    assert found(filed(physics(), mathematics(margin=0.5), mathematics())) == []


@pytest.mark.parametrize(
    "name", ["feasible, but the timing does not work", "VALID, but dimensions do not agree"]
)
def test_a_contradiction_between_validators_spans_their_domains(name: str) -> None:
    work, _ = CONTRADICTORY[name]
    (conflict,) = find_conflicts(work, load_everyday_library())
    assert (conflict.claim_domain, conflict.evidence_domain) == ("physics", "mathematics")


# fmt: off
BLOCKING = {
    "a claim of its own":   (mathematics("INVALID"), EULER),
    "a missed deadline":    (late(), EULER),
    "wrong dimensions":     (mathematics(dimensional_analysis="ERRORS-FOUND"), EULER),
    "low merit":            (grounding(merit="LOW", confidence=0.6), GALILEO),
    "an unfair distractor": (distractors("unfair"), NEWTON),
}
# fmt: on


@pytest.mark.parametrize(("report", "agent"), BLOCKING.values(), ids=BLOCKING.keys())
def test_an_approval_against_an_own_finding_is_found(report: Filed, agent: str) -> None:
    name = "approved, but its own report blocks the scenario"
    assert (name, ORCHESTRATOR, agent) in found(filed(report, ready(agent)))


def test_a_row_is_not_tried_before_its_parties_have_handed_in_something() -> None:
    def fail(_deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
        raise AssertionError("tried")

    row = ContradictionRule("any", (GALILEO, ATHENA), "design", "design", "citation", fail)
    scene = NewestDeliverables(build_dossier(), load_everyday_library())
    assert row.find_contradictions(scene) == ()


def test_a_contradiction_between_others_than_the_listed_parties_is_an_error() -> None:
    def detect(_deliverables: NewestDeliverables) -> Iterator[DetectedContradiction]:
        yield DetectedContradiction(SOCRATES, ATHENA, "It is so.", "It is not.")

    row = ContradictionRule("any", (GALILEO, ATHENA), "design", "design", "citation", detect)
    with pytest.raises(ValueError, match="between GALILEO and ATHENA, not between SOCRATES and ATHENA"):
        row.find_contradictions(NewestDeliverables(filed(grounding()), load_everyday_library()))
