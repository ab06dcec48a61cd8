"""The challenge protocol, step by step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.ask_desk import AskDesk
from impossible_moments.agents.orchestrator.protocols.challenge_protocol import (
    ChallengeOutcome,
    ChallengeState,
    resolve_challenge,
)
from impossible_moments.agents.orchestrator.protocols.challenge_validity import (
    ChallengeSubmission,
    find_challenge_refusal,
    format_challenge,
)
from impossible_moments.agents.orchestrator.protocols.dispute import DisputePosition
from impossible_moments.agents.orchestrator.protocols.resolution_ladder import LadderRung
from impossible_moments.domain.disputes import (
    Answer,
    Ballot,
    Challenge,
    ChallengeResponse,
    HumanDecision,
    Option,
)
from impossible_moments.domain.dossier import ChallengeCase, Dossier
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    NEWTON,
    ORCHESTRATOR,
    SOCRATES,
    Phase,
)
from support.dispute_cases import (
    CLAIM,
    DESK,
    STRONG,
    DisputeRun,
    Reply,
    build_ballot,
    build_challenge,
    build_decision,
    build_dossier,
    build_evidence,
    build_panel,
    build_response,
    build_seed,
    reply_from_script,
)


def submitted(
    disputed: Challenge | None = None, by: str = NEWTON, phase: Phase = Phase.REFINE
) -> ChallengeSubmission:
    return ChallengeSubmission(phase, by, disputed or build_challenge())


def run(
    submission: ChallengeSubmission, reply: Reply, before: Dossier | None = None, *, desk: AskDesk = DESK
) -> tuple[DisputeRun, Dossier, ChallengeOutcome]:
    course = DisputeRun()
    after, outcome = course.run_flow(
        resolve_challenge(desk, before or build_dossier(), submission, panel=build_panel()), reply
    )
    return course, after, outcome


def voting(
    answer: ChallengeResponse | None = None, human: HumanDecision | None = None, **choices: str
) -> Reply:
    """The challenged agent defends; voters choose as given, and abstain else."""
    ballots = {
        agent: build_ballot(choices.get(agent, "ABSTAIN"))
        for agent in (ATHENA, EULER, GALILEO, NEWTON, SOCRATES)
    }
    return reply_from_script(
        {
            ChallengeResponse: answer or build_response(Answer.DEFEND),
            Ballot: ballots,
            HumanDecision: human or build_decision(prevails="CHALLENGER"),
        }
    )


ACCEPTING = reply_from_script({ChallengeResponse: build_response(Answer.ACCEPT)})


def why_refused(submission: ChallengeSubmission, before: Dossier | None = None) -> str | None:
    return find_challenge_refusal(DESK, before or build_dossier(), submission, build_panel())


# step 2: validation


def test_a_challenge_without_evidence_is_logged_and_not_forwarded() -> None:
    course, after, outcome = run(submitted(build_challenge(evidence=())), ACCEPTING)
    assert (outcome.state, course.asks, len(after.challenges)) == (ChallengeState.LOGGED, [], 1)


def test_evidence_that_the_mechanics_contradict_is_none() -> None:
    disputed = build_challenge(claim=CLAIM, evidence=(build_evidence(expression=STRONG),))
    _, _, outcome = run(submitted(disputed), ACCEPTING)
    assert outcome.case.method == "it brings no evidence that stands, only assertion"


def test_a_cross_domain_challenge_with_evidence_is_forwarded() -> None:
    disputed = build_challenge(EULER)
    assert why_refused(submitted(disputed, by=SOCRATES)) is None


@pytest.mark.parametrize("claim", ["The table slides.", "the  TABLE slides"])
@pytest.mark.parametrize("rung", [LadderRung.DEBATE, LadderRung.ARBITRATION, LadderRung.HUMAN])
def test_a_settled_claim_is_not_challenged_again(rung: LadderRung, claim: str) -> None:
    case = ChallengeCase(Phase.REFINE, EULER, build_challenge(), "OVERRIDDEN", rung)
    before = replace(build_dossier(), challenges=(case,))
    assert (
        why_refused(submitted(build_challenge(claim=claim)), before) == "the claim has been settled already"
    )


def after_three(challenger: str, outcome: str, *, detected: bool = False) -> Dossier:
    """A dossier in which an agent has challenged three times."""
    cases = tuple(
        ChallengeCase(
            Phase.VALIDATE,
            challenger,
            build_challenge(claim=f"Claim {number}."),
            outcome,
            "response",
            detected=detected,
        )
        for number in range(3)
    )
    return replace(build_dossier(), challenges=cases)


def test_the_fourth_challenge_of_an_agent_is_refused() -> None:
    reason = why_refused(submitted(), after_three(NEWTON, "ACCEPTED"))
    assert reason == "NEWTON has issued 3 challenges, the most for one scenario"


def test_a_detected_contradiction_does_not_count_against_the_limit() -> None:
    assert why_refused(submitted(), after_three(NEWTON, "ACCEPTED", detected=True)) is None


@pytest.mark.parametrize(
    "submission",
    [submitted(by=ORCHESTRATOR), replace(submitted(), detected=True)],
    ids=["the orchestrator's", "a detected one"],
)
def test_the_limit_binds_only_what_an_agent_submits(submission: ChallengeSubmission) -> None:
    assert why_refused(submission, after_three(submission.challenger, "ACCEPTED")) is None


def test_a_challenge_that_was_only_logged_does_not_count() -> None:
    assert why_refused(submitted(), after_three(NEWTON, "LOGGED")) is None


@pytest.mark.parametrize(
    "disputed", [build_challenge("NOBODY"), build_challenge(NEWTON), build_challenge(claim=" ")], ids=str
)
def test_a_challenge_names_another_agent_and_its_claim(disputed: Challenge) -> None:
    assert why_refused(submitted(disputed)) is not None


@pytest.mark.parametrize(("phase", "refused"), [(Phase.CLASSIFY, True), (Phase.REFINE, False)])
def test_socrates_is_not_challenged_before_it_may_see_everything(
    phase: Phase,
    refused: bool,  # noqa: FBT001 - a column
) -> None:
    disputed = build_challenge(SOCRATES)
    assert (why_refused(submitted(disputed, phase=phase)) is not None) == refused


# steps 3 and 4: the response


def test_the_challenged_agent_receives_the_challenge_in_full() -> None:
    disputed = build_challenge(recommendation="push slower")
    course, _, _ = run(submitted(disputed), ACCEPTING)
    told = course.collect_notes_to(ATHENA)
    assert all(words in told for words in (disputed.claim, disputed.evidence[0].text, "push slower"))


def test_the_condition_of_a_claim_is_printed_to_the_challenged_agent_and_to_voters() -> None:
    evidence = (build_evidence("too heavy", expression="pull < limit"), build_evidence("2 N < 3 N"))
    challenge = format_challenge(build_challenge(evidence=evidence), Phase.VALIDATE, ("physics",))
    position = DisputePosition(NEWTON, "it slides", evidence, 0.8).format_for_voters(Phase.VALIDATE)
    for text in (challenge, position):
        assert "too heavy (the claim holds if `pull < limit`)\n" in text
        assert text.count("the claim holds if") == 1


@pytest.mark.parametrize(("phase", "shown"), [(Phase.VALIDATE, False), (Phase.REFINE, True)])
def test_the_challengers_confidence_is_shown_from_refine_on(
    phase: Phase,
    shown: bool,  # noqa: FBT001 - a column
) -> None:
    course, _, _ = run(submitted(build_challenge(confidence=0.37), phase=phase), ACCEPTING)
    assert ("0.37" in str(course.asks)) == shown


@pytest.mark.parametrize(
    ("answer", "state"), [(Answer.ACCEPT, ChallengeState.ACCEPTED), (Answer.PARTIAL, ChallengeState.PARTIAL)]
)
def test_a_claim_that_is_given_up_must_be_revised(answer: Answer, state: ChallengeState) -> None:
    _, _, outcome = run(submitted(), reply_from_script({ChallengeResponse: build_response(answer)}))
    assert (outcome.state, outcome.needs_revision) == (state, True)


def test_the_challenger_reads_the_response_where_it_may_read_such_work() -> None:
    _, _, outcome = run(submitted(phase=Phase.VALIDATE), ACCEPTING)
    (note,) = outcome.notices
    assert "for this reason" in note.text


def test_a_challenger_that_judges_blind_does_not_read_the_response() -> None:
    disputed = build_challenge(evidence=(build_evidence(kind="unfairness"),))
    _, _, outcome = run(submitted(disputed, by=SOCRATES, phase=Phase.CLASSIFY), ACCEPTING)
    (note,) = outcome.notices
    assert "for this reason" not in note.text


# step 5 and the ladder


@pytest.mark.parametrize(
    ("choice", "state"), [("CHALLENGER", ChallengeState.UPHELD), ("CHALLENGED", ChallengeState.OVERRIDDEN)]
)
def test_the_majority_of_those_who_are_no_party_decides(choice: str, state: ChallengeState) -> None:
    _, _, outcome = run(submitted(), voting(EULER=choice, GALILEO=choice))
    assert (outcome.state, outcome.case.method) == (state, LadderRung.DEBATE)


def test_the_votes_are_recorded() -> None:
    _, _, outcome = run(submitted(), voting(EULER="CHALLENGER", GALILEO="CHALLENGER"))
    assert outcome.case.votes == {GALILEO: "CHALLENGER", EULER: "CHALLENGER", SOCRATES: "ABSTAIN"}


def test_the_losing_position_is_documented() -> None:
    _, _, outcome = run(submitted(), voting(EULER="CHALLENGER", GALILEO="CHALLENGER"))
    assert outcome.case.losing_position == "ATHENA: for this reason"


def test_the_outcome_stands_in_the_disagreement_log() -> None:
    _, after, _ = run(submitted(), voting(EULER="CHALLENGED", GALILEO="CHALLENGED"))
    (line,) = after.disagreements
    assert (line.agents, line.outcome, line.kind) == ((NEWTON, ATHENA), "OVERRIDDEN", "challenge")


def test_what_computes_as_false_is_not_put_to_a_vote() -> None:
    disputed = build_challenge(claim=CLAIM)
    course, _, outcome = run(submitted(disputed), voting(), build_dossier(document=build_seed(pull=1.0)))
    assert (outcome.state, outcome.case.method, course.agents) == (
        ChallengeState.UPHELD,
        LadderRung.AUTOMATIC,
        [ATHENA],
    )


def test_a_computation_of_the_orchestrator_is_not_outvoted() -> None:
    _, _, outcome = run(submitted(by=ORCHESTRATOR), voting())
    assert (outcome.state, outcome.case.method) == (ChallengeState.UPHELD, LadderRung.AUTOMATIC)


PHYSICAL = build_challenge(claim=CLAIM)
"""A challenge of a claim that compares two forces, with evidence that does too."""


def test_a_tie_goes_to_the_domain_authority() -> None:
    _, _, outcome = run(submitted(PHYSICAL), voting(EULER="CHALLENGED", GALILEO="CHALLENGER"))
    assert (outcome.state, outcome.case.method) == (ChallengeState.UPHELD, LadderRung.AUTHORITY)


def test_before_refine_too_few_may_read_and_the_authority_decides() -> None:
    course, _, outcome = run(submitted(PHYSICAL, phase=Phase.VALIDATE), voting())
    assert (outcome.case.method, course.agents) == (LadderRung.AUTHORITY, [ATHENA])


# fmt: off
OVERRIDES: dict[str, tuple[str, str, dict[str, Any], ChallengeState]] = {
    # by, against, the challenge, how it ends when nobody votes
    "physics, without a proof":        (EULER,    NEWTON,   {}, ChallengeState.OVERRIDDEN),
    "physics, with a proof":           (EULER,    NEWTON,   {"evidence": (build_evidence(kind="proof"),)}, ChallengeState.UPHELD),
    "mathematics, meaningless":        (NEWTON,   EULER,    {"evidence": (build_evidence(kind="physical meaning"),)}, ChallengeState.UPHELD),
    "mathematics, by somebody else":   (SOCRATES, EULER,    {"evidence": (build_evidence("12 s > 10 s"),)}, ChallengeState.OVERRIDDEN),
    "2 + 2 = 4, by the philosopher":   (SOCRATES, EULER,    {"claim": "2 + 2 = 4", "evidence": (build_evidence("2 + 2 = 5"),)}, ChallengeState.OVERRIDDEN),
    "grounding, epistemology":         (SOCRATES, GALILEO,  {"evidence": (build_evidence(kind="epistemology"),)}, ChallengeState.UPHELD),
    "design, unfair":                  (GALILEO,  ATHENA,   {"evidence": (build_evidence(kind="unfairness"),)}, ChallengeState.UPHELD),
    "design, not unfair":              (GALILEO,  ATHENA,   {"evidence": (build_evidence("Duncker", kind="citation"),)}, ChallengeState.OVERRIDDEN),
    "classification, one alone":       (NEWTON,   SOCRATES, {"evidence": (build_evidence(kind="proof"),)}, ChallengeState.OVERRIDDEN),
}
# fmt: on


@pytest.mark.parametrize(("by", "against", "changes", "state"), OVERRIDES.values(), ids=OVERRIDES.keys())
def test_an_authority_is_overridden_by_whom_and_with_what_the_table_says(
    by: str, against: str, changes: dict[str, Any], state: ChallengeState
) -> None:
    _, _, outcome = run(submitted(build_challenge(against, **changes), by=by), voting())
    assert (outcome.state, outcome.case.method) == (state, LadderRung.AUTHORITY)


def test_newton_and_euler_together_override_socrates() -> None:
    disputed = build_challenge(SOCRATES, evidence=(build_evidence(kind="proof"),))
    _, _, outcome = run(submitted(disputed), voting(EULER="CHALLENGER", GALILEO="CHALLENGED"))
    assert (outcome.state, outcome.case.method) == (ChallengeState.UPHELD, LadderRung.AUTHORITY)


def silent_authority(**arbiters: str) -> tuple[ChallengeSubmission, Reply]:
    """A dispute about physics between two others, NEWTON abstaining; votes tie, then arbiters vote again."""
    first = {GALILEO: "ABSTAIN", SOCRATES: "ABSTAIN", NEWTON: "ABSTAIN"}
    asked: list[str] = []
    others = voting()

    def reply(ask: Any) -> Any:
        if ask.returns is not Ballot:
            return others(ask)
        asked.append(ask.agent)
        return build_ballot(arbiters[ask.agent] if asked.count(ask.agent) > 1 else first[ask.agent])

    return submitted(PHYSICAL, by=EULER), reply


def test_two_arbiters_of_one_mind_decide() -> None:
    submission, reply = silent_authority(GALILEO="CHALLENGED", SOCRATES="CHALLENGED")
    _, _, outcome = run(submission, reply)
    assert (outcome.state, outcome.case.method) == (ChallengeState.OVERRIDDEN, LadderRung.ARBITRATION)


def test_two_to_two_goes_to_a_human() -> None:
    submission, reply = silent_authority(GALILEO="CHALLENGED", SOCRATES="CHALLENGER")
    course, _, outcome = run(submission, reply)
    assert (outcome.state, outcome.case.method, course.agents[-1]) == (
        ChallengeState.UPHELD,
        LadderRung.HUMAN,
        "HUMAN",
    )


@pytest.mark.parametrize("option", [Option.REDESIGN, Option.DISCARD, Option.SPLIT])
def test_a_human_may_let_neither_side_prevail(option: Option) -> None:
    submission, reply = silent_authority(GALILEO="CHALLENGED", SOCRATES="CHALLENGER")

    def human(ask: Any) -> Any:
        return chosen if ask.returns is HumanDecision else reply(ask)

    chosen = build_decision(option, prevails="CHALLENGER")
    _, _, outcome = run(submission, human)
    assert (outcome.state, outcome.decision) == (ChallengeState.ESCALATED, chosen)


# both validators may read each other once both have handed in: one voter is still too few
JOINT = AskDesk(DESK.policy.open_for_joint_assessment(), DESK.budgets)


def test_one_voter_is_too_few() -> None:
    course, _, outcome = run(submitted(PHYSICAL, phase=Phase.VALIDATE), voting(), desk=JOINT)
    assert (course.agents, outcome.case.method) == ([ATHENA], LadderRung.AUTHORITY)


def test_one_arbiter_is_too_few() -> None:
    disputed = build_challenge(
        claim="The fixedness type `functional` has been studied.",
        evidence=(build_evidence("nothing in the bibliography", kind="citation"),),
    )
    course, _, _ = run(submitted(disputed, by=EULER, phase=Phase.VALIDATE), voting(), desk=JOINT)
    assert course.agents == [ATHENA, "HUMAN"]


def test_who_may_not_read_a_dispute_is_not_asked_to_join_an_override() -> None:
    argued = build_evidence("it follows from nothing", kind="epistemology")
    disputed = build_challenge(NEWTON, claim="The scenario is PX.", evidence=(argued,))
    answer = build_response(Answer.DEFEND, evidence=(build_evidence(),))
    course, _, outcome = run(submitted(disputed, by=SOCRATES, phase=Phase.CLASSIFY), voting(answer))
    assert (course.agents, outcome.state) == ([NEWTON], ChallengeState.UPHELD)


@pytest.mark.parametrize(("expression", "is_shown"), [(STRONG, True), ("pull < limit", False)])
def test_a_defence_counts_as_far_as_the_mechanics_bear_it_out(
    expression: str,
    is_shown: bool,  # noqa: FBT001 - a column
) -> None:
    answer = build_response(
        Answer.DEFEND, evidence=(build_evidence("the bar is long", expression=expression),)
    )
    course, _, _ = run(submitted(PHYSICAL), voting(answer))
    assert ("the bar is long" in course.collect_notes_to(GALILEO)) == is_shown


@pytest.mark.parametrize("phase", Phase)
def test_voters_read_confidences_from_refine_on(phase: Phase) -> None:
    shown = DisputePosition(NEWTON, "it slides", (), 0.37).format_for_voters(phase)
    assert ("0.37" in shown) == (phase in {Phase.REFINE, Phase.DOCUMENT})


# disputes that span domains


def spanning(**choices: str) -> tuple[DisputeRun, ChallengeOutcome]:
    """A physical claim that is challenged with a sum of times."""
    disputed = build_challenge(claim=CLAIM, evidence=(build_evidence("9 s + 3 s > 10 s"),))
    course, _, outcome = run(submitted(disputed, by=EULER), voting(None, None, **choices))
    return course, outcome


def test_a_claim_and_its_evidence_in_two_domains_skip_the_authority() -> None:
    _, outcome = spanning(NEWTON="CHALLENGED", GALILEO="CHALLENGER", SOCRATES="CHALLENGER")
    assert (outcome.case.domains, outcome.case.method) == (("physics", "mathematics"), LadderRung.DEBATE)
    _, outcome = spanning(NEWTON="CHALLENGED", GALILEO="CHALLENGER")
    assert outcome.case.method != LadderRung.AUTHORITY


def test_arbiters_are_outsiders_and_not_the_authorities_of_the_disputed_domains() -> None:
    course, outcome = spanning(NEWTON="CHALLENGED", GALILEO="CHALLENGER")
    ballots = [ask.agent for ask in course.asks if ask.returns is Ballot]
    assert ballots[3:] == [GALILEO, SOCRATES]
    assert (outcome.state, outcome.case.method) == (ChallengeState.UPHELD, LadderRung.ARBITRATION)


def test_a_human_learns_why_each_rung_failed() -> None:
    course, outcome = spanning()
    assessment = course.asks[-1].assignment.context["assessment"]
    assert outcome.case.method == LadderRung.HUMAN
    assert "spans physics and mathematics" in assessment
    assert "dual-agent arbitration: CHALLENGED 1, CHALLENGER 1" in assessment


def test_the_evidence_of_the_two_parties_can_span_domains() -> None:
    answer = build_response(Answer.DEFEND, evidence=(build_evidence("9 s < 10 s"),))
    _, _, outcome = run(submitted(PHYSICAL), voting(answer))
    assert outcome.case.domains == ("physics", "mathematics")


# confidences


def doubting(confidence: float, **choices: str) -> Reply:
    certain = voting(None, None, **choices)

    def reply(ask: Any) -> Any:
        answer = certain(ask)
        return answer.model_copy(update={"confidence": confidence}) if ask.returns is Ballot else answer

    return reply


@pytest.mark.parametrize(
    ("confidence", "method"), [(0.5, LadderRung.DEBATE), (0.49, LadderRung.AUTHORITY)], ids=str
)
def test_a_majority_of_unsure_votes_does_not_settle_a_critical_matter(
    confidence: float, method: LadderRung
) -> None:
    reply = doubting(confidence, EULER="CHALLENGED", GALILEO="CHALLENGED")
    _, _, outcome = run(submitted(PHYSICAL), reply)
    assert outcome.case.method == method


def test_unsure_votes_settle_a_matter_of_design() -> None:
    disputed = build_challenge(evidence=(build_evidence("Duncker", kind="citation"),))
    _, _, outcome = run(submitted(disputed), doubting(0.1, EULER="CHALLENGED", GALILEO="CHALLENGED"))
    assert (outcome.case.domains, outcome.case.method) == (("design",), LadderRung.DEBATE)


def test_an_unsure_authority_does_not_prevail() -> None:
    disputed = PHYSICAL.model_copy(update={"confidence": 0.3})
    _, _, outcome = run(submitted(disputed), voting())
    assert outcome.case.method not in {LadderRung.DEBATE, LadderRung.AUTHORITY}


# what is kept


def test_the_log_keeps_claim_evidence_response_votes_and_reason() -> None:
    _, after, _ = run(submitted(PHYSICAL), voting(EULER="CHALLENGER", GALILEO="CHALLENGER"))
    (line,) = after.disagreements
    assert (line.topic, line.claimed_by, line.evidence) == (CLAIM, ATHENA, ("calculation: F = 30 N < 40 N",))
    assert (line.response, line.losing_position) == ("DEFEND: for this reason", "ATHENA: for this reason")
    assert line.vote_confidences == {GALILEO: 0.6, EULER: 0.6, SOCRATES: 0.6}
    assert line.reason.startswith("CHALLENGER 2")


def test_the_author_of_a_refused_challenge_learns_why() -> None:
    _, after, outcome = run(submitted(build_challenge(evidence=())), ACCEPTING)
    (notice,) = after.notices
    assert (notice.addressee, outcome.notes) == (NEWTON, ())
    assert "not forwarded: it brings no evidence that stands" in notice.text


def test_a_notice_reaches_its_addressee_and_nobody_else() -> None:
    _, after, _ = run(submitted(build_challenge(evidence=()), phase=Phase.VALIDATE), ACCEPTING)
    views = {agent: DESK.policy.build_view(after, agent, Phase.VALIDATE) for agent in (NEWTON, EULER)}
    assert [agent for agent, view in views.items() if "notices" in view] == [NEWTON]
