"""What all built-in roles share: ballots, answers to challenges, readiness votes, second votes and confidence."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.athena.offer_selection import find_fitting_offers
from impossible_moments.agents.builtin.athena.role import Athena
from impossible_moments.agents.builtin.ballots import cast_evidence_ballot
from impossible_moments.agents.builtin.calibration_votes import (
    find_scores_in_discussion,
    revise_scores,
    revise_tier,
)
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.builtin.challenge_answers import Recomputation, answer_by_computation
from impossible_moments.agents.builtin.confidence import ConfidenceBasis, derive_confidence
from impossible_moments.agents.builtin.newton.physics_report import analyse_physics
from impossible_moments.agents.builtin.position_evaluation import PositionEvaluator
from impossible_moments.agents.builtin.readiness import OpenFinding, vote_by_findings
from impossible_moments.blueprints.catalogue import Catalogue
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.disputes import Answer, ChallengeResponse
from impossible_moments.domain.refinement import RefinementBallot
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase
from impossible_moments.library import load_everyday_library
from support.planted_faults import (
    add_claim,
    build_assignment,
    build_dossier,
    build_healthy_seed,
    change_properties,
    keep_distractors,
)

_BEARING = add_claim("step.bears >= you.mass")


def _evaluator() -> PositionEvaluator:
    return PositionEvaluator(build_healthy_seed("cellar"), load_everyday_library())


def _note(challenger: str, challenged: str, claim: str = "The pane breaks.") -> str:
    return f"Disputed claim: {claim}\n\nNEWTON: {challenger}\n\nATHENA: {challenged}"


@pytest.mark.parametrize(
    ("challenger", "challenged", "choice"),
    [
        ("- calculation: `hammer.blow < opening.withstands`", "- calculation: it breaks", "CHALLENGED"),
        (
            "- calculation: `hammer.blow >= opening.withstands` is false",
            "- calculation: it breaks",
            "CHALLENGED",
        ),
        ("- calculation: it is 11 kg", "- calculation: `hammer.blow < opening.withstands`", "CHALLENGER"),
        (
            "- calculation: the claim holds if `tapper.blow >= opening.withstands`",
            "- design: it breaks",
            "CHALLENGER",
        ),
        ("- derivation: 58.9 N < 200 N", "- calculation: it is 300 N < 200 N", "CHALLENGER"),
        ("- calculation: 1 kN = 2000 N", "- calculation: nothing", "CHALLENGED"),
        ("- calculation: the forme has 11 kg", "- calculation: the forme has 13 kg", "CHALLENGER"),
    ],
)
def test_a_ballot_goes_to_the_side_whose_computation_holds(
    challenger: str, challenged: str, choice: str
) -> None:
    ballot = cast_evidence_ballot(_note(challenger, challenged), _evaluator())
    assert ballot.choice == choice
    assert ballot.reason


def test_a_flagged_claim_is_evaluated_itself() -> None:
    note = _note("it cannot be", "it is so", claim="C1")
    assert cast_evidence_ballot(note, _evaluator()).choice == "CHALLENGED"


def test_an_abstention_says_that_nothing_could_be_evaluated() -> None:
    ballot = cast_evidence_ballot(_note("I think so", "I do not"), _evaluator())
    assert ballot.choice == "ABSTAIN"
    assert "Neither position" in ballot.reason
    assert ballot.confidence < derive_confidence(ConfidenceBasis())


def _challenge(evidence: str) -> str:
    return f"Your claim is challenged: The pane breaks.\nDomain: physics\nEvidence (calculation): {evidence}"


@pytest.mark.parametrize(
    ("evidence", "recomputed", "answer"),
    [
        ("`hammer.blow < opening.withstands`", None, Answer.DEFEND),
        ("`hammer.blow < 2*opening.withstands`", None, Answer.ACCEPT),
        ("it looks weak", Recomputation(holds=True, text="95 J against 70 J"), Answer.DEFEND),
        ("it looks weak", Recomputation(holds=False, text="60 J against 70 J"), Answer.ACCEPT),
        (
            "`hammer.blow < 2*opening.withstands`",
            Recomputation(holds=True, text="95 J against 70 J"),
            Answer.PARTIAL,
        ),
    ],
)
def test_a_challenge_is_answered_by_computation(
    evidence: str, recomputed: Recomputation | None, answer: Answer
) -> None:
    response = answer_by_computation(_challenge(evidence), recomputed, _evaluator())
    assert response.answer is answer
    if recomputed is not None:
        assert recomputed.text in response.text


def test_newton_accepts_a_challenge_of_a_verdict_that_computes_otherwise_now() -> None:
    seed = change_properties(step__bears="60[kg]")(_BEARING(build_healthy_seed("cellar")))
    response = _ask_about_claim(NEWTON, seed, "C9")
    assert response.answer is Answer.ACCEPT
    assert "60 kg" in response.text


@pytest.mark.parametrize("agent", [NEWTON, EULER])
def test_a_validator_defends_its_verdict_with_the_numbers(agent: str) -> None:
    response = _ask_about_claim(agent, _BEARING(build_healthy_seed("cellar")), "C9")
    assert response.answer is Answer.DEFEND
    assert "240 kg" in response.evidence[0].text
    assert response.evidence[0].expression == "step.bears >= you.mass"


def _ask_about_claim(agent: str, seed: SeedDocument, claim: str) -> ChallengeResponse:
    assignment = build_assignment(build_dossier(seed), agent, Phase.VALIDATE, ChallengeResponse)
    context: dict[str, Any] = {**assignment.context, "notes": [f"Your claim is challenged: {claim}"]}
    view = AssignmentView(
        type(assignment)(agent, Phase.VALIDATE, "IM-0001", "Answer.", context, "ChallengeResponse", 1000)
    )
    return load_builtin_cast().roles[agent].answer_challenge(view)


@pytest.mark.parametrize("agent", [NEWTON, EULER])
def test_a_validator_votes_to_revise_while_a_finding_is_open(agent: str) -> None:
    role = load_builtin_cast().roles[agent]
    healthy, faulty = build_healthy_seed("cellar"), change_properties(step__bears="60[kg]")
    assert role.vote_on_readiness(_view(healthy, agent)).vote == "APPROVE"
    vote = role.vote_on_readiness(_view(faulty(healthy), agent))
    assert (vote.vote, vote.addressed_to) == ("REVISE", ATHENA)
    assert any("step.bears = 94" in change for change in vote.changes)


@pytest.mark.parametrize("agent", [NEWTON, EULER])
def test_a_distractor_that_enables_a_solution_is_not_approved(agent: str) -> None:
    role = load_builtin_cast().roles[agent]
    seed = keep_distractors(1, name="a forme of lead type")(build_healthy_seed("cellar"))
    (finding,) = role.review_distractor_inventory(_view(seed, agent)).findings
    assert finding.verdict == "enables a solution"
    assert role.vote_on_readiness(_view(seed, agent)).vote == "REVISE"


@pytest.mark.parametrize("agent", [NEWTON, EULER, GALILEO, SOCRATES])
def test_a_distractor_that_nothing_decides_lowers_the_confidence_of_the_review(agent: str) -> None:
    role = load_builtin_cast().roles[agent]
    healthy = build_healthy_seed("cellar")
    unknown = keep_distractors(1, name="a paper hat", why_irrelevant="It is of no use.")(healthy)
    decided = role.review_distractor_inventory(_view(healthy, agent)).confidence
    assert role.review_distractor_inventory(_view(unknown, agent)).confidence < decided


def test_newton_finds_a_distractor_that_could_replace_a_thing_of_the_plan() -> None:
    role = load_builtin_cast().roles[NEWTON]
    seed = change_properties(tapper__blow="90[J]")(build_healthy_seed("cellar"))
    findings = {each.name: each for each in role.review_distractor_inventory(_view(seed, NEWTON)).findings}
    assert findings["a compositor's mallet"].verdict == "enables a solution"
    assert findings["a glass light table"].verdict == "right"
    assert "misses by 38%" in findings["a glass light table"].remark


def _view(seed: SeedDocument, agent: str) -> AssignmentView:
    return AssignmentView(build_assignment(build_dossier(seed), agent, Phase.REFINE, RefinementBallot))


def test_a_violation_that_survives_every_revision_is_discarded() -> None:
    finding = OpenFinding("the sketch is late", "more time", "clock", is_violation=True)
    assert vote_by_findings((finding,), (), submissions=2, confidence=0.9).vote == "REVISE"
    assert vote_by_findings((finding,), (), submissions=6, confidence=0.9).vote == "DISCARD"
    assert vote_by_findings((), ("a doubt",), submissions=6, confidence=0.9).vote == "APPROVE-WITH-NOTES"


DISCUSSION = (
    "The agents are divided. Read the positions and vote once more; keep your vote if nothing convinces you.\n"
    "calibration: Counter-Intuitive Index: ATHENA 5 (rare), NEWTON 2 (none), EULER 4 (table), GALILEO 4 (x), SOCRATES 5 (y)\n"
    "difficulty tier: ATHENA: RUPTURE; NEWTON: SPARK; EULER: RUPTURE; GALILEO: RUPTURE; SOCRATES: FRACTURE"
)


def test_an_estimated_score_moves_one_step_towards_the_median_and_a_count_stays() -> None:
    disputed = find_scores_in_discussion((DISCUSSION,))
    assert disputed == {"C": (5, 2, 4, 4, 5)}
    profile = Profile(I=1, D=1, C=2, B=1, T=1, X=1)
    moved, reasons = revise_scores(profile, {"Counter-Intuitive Index": "none"}, disputed, frozenset())
    kept, why = revise_scores(profile, {"Counter-Intuitive Index": "none"}, disputed, frozenset({"C"}))
    assert (moved.C, kept.C) == (3, 2)
    assert "moved from 2 to 3" in reasons["Counter-Intuitive Index"]
    assert "it is a count" in why["Counter-Intuitive Index"]
    assert revise_tier((DISCUSSION,), "NEWTON") == "FRACTURE"
    assert revise_tier((DISCUSSION,), "EULER") == "RUPTURE"
    assert revise_tier((), "EULER") is None


def test_each_source_of_doubt_lowers_the_confidence() -> None:
    full = derive_confidence(ConfidenceBasis(least_margin=0.5))
    for basis in (
        ConfidenceBasis(least_margin=0.01),
        ConfidenceBasis(least_margin=-0.01),
        ConfidenceBasis(estimates=0.5),
        ConfidenceBasis(uncomputed=0.5),
        ConfidenceBasis(exhausted=False),
        ConfidenceBasis(concerns=1),
    ):
        assert derive_confidence(basis) < full
    assert derive_confidence(ConfidenceBasis(0.0, 1.0, 1.0, exhausted=False, concerns=9)) >= 0.3


@pytest.mark.parametrize("name", ["cellar", "loft", "glue"])
def test_newton_measures_a_distractor_only_by_plans_that_get_to_use_it(name: str) -> None:
    analysis = analyse_physics(build_healthy_seed(name), load_builtin_cast().library)
    for distractor, trials in analysis.trials.items():
        thing = analysis.facts.find_thing(distractor)
        assert thing is not None
        for trial in trials:
            carried_out = sum(not step.inserted for step in trial.outcome.steps)
            assert any(thing.name in call for call in trial.calls[: carried_out + 1])


@pytest.mark.parametrize("name", ["cellar", "loft", "glue"])
def test_euler_classifies_a_distractor_by_execution_whatever_its_stated_strength(name: str) -> None:
    role = load_builtin_cast().roles[EULER]
    seed = build_healthy_seed(name)
    stated = {each.name: each.strength for each in seed.distractor_inventory}
    assert "weak" not in stated.values()
    belittled = tuple(each.model_copy(update={"strength": "weak"}) for each in seed.distractor_inventory)
    changed = seed.model_copy(update={"distractor_inventory": belittled})
    findings = role.review_distractor_inventory(_view(changed, EULER)).findings
    assert {each.name: each.strength for each in findings} == stated


def test_a_challenged_merit_is_answered_by_what_the_catalogue_has() -> None:
    seed = build_healthy_seed("cellar")
    note = (
        "Your claim is challenged: The scenario is worth making: it tests what it says it tests.\n"
        "Evidence (citation): The scientific merit is LOW: an existing scenario is at similarity 0.79."
    )
    assignment = build_assignment(build_dossier(seed), ATHENA, Phase.GROUND, ChallengeResponse)
    view = AssignmentView(replace(assignment, context={**assignment.context, "notes": [note]}))
    brief = GenerationBrief(
        category=seed.concept_summary.category,
        difficulty_tier=seed.concept_summary.difficulty_tier,
        solution_status="KS",
    )
    catalogue = load_builtin_cast().catalogue
    offers = find_fitting_offers(catalogue, brief)
    several = load_builtin_cast().roles[ATHENA].make_deliverable(view, ChallengeResponse)
    assert isinstance(several, ChallengeResponse)
    assert several.answer == Answer.ACCEPT
    assert f"has {len(offers) - 1} other situations" in several.text
    (own,) = [each for each in offers if each.skin.name == "press_archive" and each.variant == "one_way"]
    skin = own.skin.model_copy(update={"variants": {own.variant: own.skin.variants[own.variant]}})
    alone = Catalogue(
        {own.blueprint.name: own.blueprint},
        {own.blueprint.name: (skin,)},
        earned_tiers=catalogue.earned_tiers,
    )
    single = Athena(alone, load_builtin_cast().situations)
    single.evidence_library = load_everyday_library()
    reply = single.make_deliverable(view, ChallengeResponse)
    assert isinstance(reply, ChallengeResponse)
    assert reply.answer == Answer.DEFEND
    assert re.search(
        r"no other situation .* tests \d insights?, and \d of \d wrong answers? fail", reply.text
    )
