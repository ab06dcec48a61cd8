"""The four further roles: each answers in its phases, and none takes part unless it is switched on."""

from __future__ import annotations

import re
from typing import Any, Final

import pytest

from impossible_moments.agents.builtin.additional_agents.additional_role import RoleAssessment
from impossible_moments.agents.builtin.additional_agents.record_mutations import (
    change_quantity,
    read_quantity,
)
from impossible_moments.agents.builtin.additional_agents.turing_adversarial_agent import (
    Turing,
    require_changes,
)
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.builtin.role import UnanswerableAsk
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.agents.orchestrator.flow import Assignment
from impossible_moments.agents.orchestrator.phases.additional_agent_reports import (
    add_required_changes_to_notes,
)
from impossible_moments.domain.additional_agent_reports import (
    FURTHER_REPORTS,
    FurtherReport,
    RequiredChange,
)
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.refinement import RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import JointAssessment, MathematicsReport
from impossible_moments.domain.vocabulary import ORCHESTRATOR, ROLES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.checks import verify_record
from impossible_moments.solver import STRATEGIES, StrategyAttempt
from support.planted_faults import (
    add_sentence,
    build_dossier,
    build_healthy_seed,
    change_record,
    replace_insights,
)

FURTHER: Final = ("DARWIN", "TURING", "HYPATIA", "CASSANDRA")
EVERYBODYS: Final = (ReviewMemo, RefinementBallot)


def _policy() -> ContextPolicy:
    """The policy of a run with all four."""
    policy = ContextPolicy()
    agents = load_configuration(None).enable_agents(FURTHER).agents
    for name in FURTHER:
        policy = policy.add_agent(name, agents[name.lower()].context_policy)
    return policy


def _asked(dossier: Dossier, agent: str, phase: Phase, returns: type[LabelledModel]) -> LabelledModel:
    context = _policy().build_view(dossier, agent, phase)
    assignment = Assignment(agent, phase, "IM-0001", "Judge.", context, returns.__name__, 100_000)
    return load_builtin_cast().roles[agent].make_deliverable(AssignmentView(assignment), returns)


def _assessed_dossier() -> Dossier:
    """A dossier whose seed document was assessed in VALIDATE."""
    joint = JointAssessment(status="VALIDATED", computed_status="KS-Singular")
    return build_dossier(build_healthy_seed("cellar")).add_deliverable(Phase.VALIDATE, ORCHESTRATOR, joint)


def _ballot(agent: str) -> RefinementBallot:
    ballot = _asked(_assessed_dossier(), agent, Phase.REFINE, RefinementBallot)
    assert isinstance(ballot, RefinementBallot)
    return ballot


def _report(agent: str, seed: str = "cellar", addition: str = "") -> FurtherReport:
    (phase,) = (
        phase for phase in load_configuration(None).agents[agent.lower()].phases if phase in FURTHER_REPORTS
    )
    document = add_sentence(addition)(build_healthy_seed(seed)) if addition else build_healthy_seed(seed)
    report = _asked(build_dossier(document), agent, phase, FURTHER_REPORTS[phase])
    assert isinstance(report, FURTHER_REPORTS[phase])
    return report


def test_the_four_are_off_unless_they_are_switched_on() -> None:
    assert set(load_configuration(None).roster) == set(ROLES)
    assert set(load_configuration(None).enable_agents(("TURING",)).roster) == {*ROLES, "TURING"}


def test_an_agent_that_nobody_knows_cannot_join() -> None:
    with pytest.raises(
        ConfigurationError,
        match=r"`DIOGENES` is not an agent of the configuration.*DARWIN, TURING, HYPATIA, CASSANDRA",
    ):
        load_configuration(None).enable_agents(("DIOGENES",))


@pytest.mark.parametrize("agent", FURTHER)
def test_a_further_agent_reports_before_refine(agent: str) -> None:
    report = _report(agent)
    assert report.text.strip()
    assert 0.6 <= report.confidence <= 1.0


@pytest.mark.parametrize("agent", FURTHER)
@pytest.mark.parametrize("returns", EVERYBODYS, ids=lambda each: each.__name__)
def test_a_further_agent_does_in_refine_what_the_five_do(agent: str, returns: type[LabelledModel]) -> None:
    assert isinstance(_asked(_assessed_dossier(), agent, Phase.REFINE, returns), returns)


@pytest.mark.parametrize("agent", FURTHER)
def test_a_further_agent_votes_on_the_computed_status_and_reviews_every_distractor(agent: str) -> None:
    ballot = _ballot(agent)
    inventory = build_healthy_seed("cellar").distractor_inventory
    assert ballot.status.status == "KS"
    assert [each.name for each in ballot.distractors.findings] == [each.name for each in inventory]


@pytest.mark.parametrize("agent", FURTHER)
def test_a_further_agent_accounts_for_its_work(agent: str) -> None:
    trace = _asked(build_dossier(build_healthy_seed("cellar")), agent, Phase.DOCUMENT, AgentTrace)
    assert isinstance(trace, AgentTrace)
    assert trace.decisions


@pytest.mark.parametrize("agent", FURTHER)
def test_a_further_agent_does_no_work_of_the_five(agent: str) -> None:
    with pytest.raises(UnanswerableAsk, match="cannot make a MathematicsReport"):
        _asked(build_dossier(build_healthy_seed("cellar")), agent, Phase.REFINE, MathematicsReport)


def test_darwin_names_mutations_and_the_status_that_is_computed_with_each() -> None:
    report = _report("DARWIN")
    library, record = load_builtin_cast().library, build_healthy_seed("cellar").mechanics
    assert {each.becomes for each in report.mutations} >= {"still solvable", "impossible"}
    for each in report.mutations:
        assert read_quantity(record, each.quantity) == each.before
        verdict = verify_record(change_quantity(record, each.quantity, each.after), library).verdict
        assert verdict is not None
        assert each.status == (verdict.status or "undecided")
        assert (each.becomes == "impossible") is (not verdict.ways)


def test_darwin_tests_variants_inside_tolerance() -> None:
    (line,) = (each for each in _report("DARWIN").findings if each.startswith("KS-Fragile test"))
    assert re.search(r"[1-9]\d* variants inside tolerance", line)


def test_a_changed_quantity_is_the_only_difference() -> None:
    record = build_healthy_seed("cellar").mechanics
    mutation = _report("DARWIN").mutations[0]
    changed = change_quantity(record, mutation.quantity, mutation.after)
    assert changed != record
    assert change_quantity(changed, mutation.quantity, mutation.before) == record


def test_turing_tries_every_strategy_and_says_which_works() -> None:
    report = _report("TURING")
    assert len(report.findings) >= 3
    assert any("works" in each for each in report.findings)


def test_turing_is_shown_no_solution() -> None:
    sections = _policy().build_view(build_dossier(build_healthy_seed("cellar")), "TURING", Phase.CLASSIFY)[
        "sections"
    ]
    assert {name for section in sections for name in section["fields"]} == {"scenario"}


def test_turing_requires_no_change_where_only_patient_strategies_succeed() -> None:
    attempts = {name: StrategyAttempt("OF") for name in STRATEGIES}
    attempts["a patient search"] = StrategyAttempt("KS-Singular", ("a(b)", "c(d)"), works=True)
    assert list(require_changes(attempts, ())) == []


def test_turing_requires_a_change_of_what_a_weak_strategy_solves_unless_the_tier_is_easy() -> None:
    solved = StrategyAttempt("KS-Singular", ("a(b)", "c(d)"), works=True)
    attempts = {name: StrategyAttempt("OF") for name in STRATEGIES}
    (change,) = require_changes({**attempts, "the first idea": solved, "a patient search": solved}, ())
    assert "too easy" in change.text
    assert change.applies_at("FRACTURE")
    assert not change.applies_at("SPARK")


def test_turing_requires_that_a_shortcut_is_closed() -> None:
    solved = StrategyAttempt("KS-Singular", ("a(b)",), works=True)
    attempts = {name: StrategyAttempt("OF") for name in STRATEGIES}
    (change,) = require_changes(
        {**attempts, "a glance": solved, "a patient search": solved}, (("x(y)", "z(y)"),)
    )
    assert "a shortcut of 1 calls where the sketch needs 2" in change.text
    assert change.applies_at("SPARK")


def test_a_plan_does_not_answer_a_contested_scenario() -> None:
    solved = StrategyAttempt("CT", ("a(b)",), works=True)
    assert list(require_changes(dict.fromkeys(STRATEGIES, solved), ())) == []


def test_turing_votes_for_revision_and_scores_low_as_long_as_it_is_too_easy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = _ballot("TURING").calibration
    change = RequiredChange(severity="high", text="It is too easy.")
    monkeypatch.setattr(
        Turing, "assess_scenario", lambda *_: RoleAssessment("Solved.", (), 0.9, required_changes=(change,))
    )
    ballot = _ballot("TURING")
    vote, after = ballot.readiness, ballot.calibration
    assert (vote.vote, vote.changes, vote.addressed_to) == ("REVISE", ("It is too easy.",), "ATHENA")
    assert (after.profile.I, after.profile.C, after.profile.X) == (1, 1, 1)
    assert after.profile.D == before.profile.D


def test_hypatia_derives_the_lesson_from_the_record() -> None:
    seed, lines = build_healthy_seed("cellar"), _report("HYPATIA").findings
    insights = [each for each in lines if each.startswith("Insight")]
    assert len(insights) == len(seed.insight_chain)
    for head in ("Condition of", "Number to look at", "Try "):
        assert any(each.startswith(head) for each in lines)
    verbs = {str(each["do"]).partition("(")[0] for each in seed.mechanics["actions"]}
    assert any(f"`{verb}`" in each for verb in verbs for each in lines)


def test_hypatia_orders_insights_by_what_they_depend_on() -> None:
    seed = replace_insights(("The second step.", "inversion", (2,)), ("The first step.", "frame", ()))(
        build_healthy_seed("cellar")
    )
    report = _asked(build_dossier(seed), "HYPATIA", Phase.GROUND, FURTHER_REPORTS[Phase.GROUND])
    assert isinstance(report, FurtherReport)
    heads = [each.split(" ")[1].rstrip(",") for each in report.findings if each.startswith("Insight")]
    assert heads == ["2", "1"]


def test_cassandra_computes_risks_from_the_things_and_not_from_the_text() -> None:
    assert _report("CASSANDRA", addition="Beside it stands a bottle of bleach.").findings == (
        _report("CASSANDRA").findings
    )


def _cellar_with_things(calls: str, *things: dict[str, object]) -> SeedDocument:
    def change(data: dict[str, Any]) -> None:
        data["things"] = [*data["things"], *things]
        data["approaches"] = [*data["approaches"], {"name": "risky", "plan": calls, "ends": "goal"}]

    return change_record(build_healthy_seed("cellar"), change)


@pytest.mark.parametrize(
    ("calls", "things", "severity", "text"),
    [
        (
            "pour(jug, bowl)",
            (
                {"name": "jug", "label": "a bottle of bleach"},
                {"name": "bowl", "label": "a bowl of vinegar"},
            ),
            "high",
            "bleach with vinegar",
        ),
        ("light(keg)", ({"name": "keg", "label": "a keg of gunpowder"},), "high", "uses a keg"),
        (
            "strike(blade, guard)",
            (
                {"name": "blade", "label": "a knife", "like": "kitchen_knife"},
                {"name": "guard", "label": "the guard", "kind": "person"},
            ),
            "high",
            "a knife on the guard",
        ),
        (
            "pour(can, floor)",
            ({"name": "can", "label": "a can of petrol", "props": ["volume = 5[l]"]},),
            "moderate",
            "with its volume stated",
        ),
        ("", ({"name": "can", "label": "a can of petrol"},), "low", "no approach uses it"),
    ],
)
def test_cassandra_grades_the_harm_that_things_and_actions_can_do(
    calls: str, things: tuple[dict[str, object], ...], severity: str, text: str
) -> None:
    seed = _cellar_with_things(calls, *things)
    report = _asked(build_dossier(seed), "CASSANDRA", Phase.GROUND, FURTHER_REPORTS[Phase.GROUND])
    assert isinstance(report, FurtherReport)
    (line,) = (each for each in report.findings if text in each)
    assert line.startswith(f"{severity}: ")
    required = [each for each in report.required_changes if text in each.text]
    assert [each.severity for each in required] == ([severity] if severity != "low" else [])


def test_a_required_change_becomes_a_note_to_athena_when_refine_begins() -> None:
    changes = (
        RequiredChange(severity="moderate", text="Close the shortcut."),
        RequiredChange(severity="low", text="Mind the lamp."),
    )
    report = FURTHER_REPORTS[Phase.CLASSIFY](text="Solved.", required_changes=changes, confidence=0.9)
    dossier = build_dossier(build_healthy_seed("cellar")).add_deliverable(Phase.CLASSIFY, "TURING", report)
    (note,) = add_required_changes_to_notes(dossier).notes
    assert (note.addressee, note.author, note.phase) == ("ATHENA", "TURING", Phase.REFINE)
    assert note.text.endswith("Close the shortcut.")
    memo = ReviewMemo(text="Reviewed.", confidence=0.9)
    begun = dossier.add_deliverable(Phase.REFINE, "ATHENA", memo)
    assert add_required_changes_to_notes(begun).notes == ()
