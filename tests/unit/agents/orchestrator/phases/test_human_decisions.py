"""What follows when a human settles a gate failure: open demands, notices to the parties, and the next judgement."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import Correction, MathematicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, HUMAN, NEWTON, Phase
from support.scripted_runs import (
    ScenarioRun,
    change_deliverables,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)

WORDING = Correction(
    subject="step 2", problem="A minute for each flake is too long.", evidence="34*70 s = 2380 s > 720 s"
)
REASON = "EULER is right about the wording. ATHENA words step 2 accordingly."


def _run_with_decision(*, nothing_to_change: bool = False, times: int = 3) -> ScenarioRun:
    """Run a scenario in which EULER demands the same correction until a human decides."""
    decision = HumanDecision(option=Option.RESOLVE, justification=REASON, nothing_to_change=nothing_to_change)
    player = change_fields(
        revise_every_time(make_obliging_player()),
        EULER,
        MathematicsReport,
        times=times,
        corrections_needed=(WORDING,),
    )
    return run_scenario(_replace_decision(player, decision))


def _replace_decision(player: Player, decision: HumanDecision) -> Player:
    return lambda ask: decision if ask.agent == HUMAN else player(ask)


def _list_asks_after_human(story: ScenarioRun) -> list[str]:
    return story.keys[story.keys.index("VALIDATE/HUMAN/escalation-1/1") + 1 :]


def test_a_resolve_gives_athena_the_open_demands_with_the_reason_word_for_word() -> None:
    story = _run_with_decision()
    assert _list_asks_after_human(story)[:3] == [
        "VALIDATE/ATHENA/seed/4",
        "VALIDATE/NEWTON/physics/4",
        "VALIDATE/EULER/mathematics/4",
    ]
    (ask,) = [each for each in story.list_asks_to(ATHENA, SeedDocument) if each.key.endswith("/4")]
    assert ask.assignment.context["demands"] == [
        {
            "demanded_by": EULER,
            "subject": "step 2",
            "demand": "A minute for each flake is too long.",
            "evidence": "34*70 s = 2380 s > 720 s",
            "proposal": "",
            "human_decision": REASON,
        }
    ]
    assert (len(story.human_asks), story.end.is_accepted) == (1, True)


def test_the_agent_that_demanded_a_change_learns_what_a_human_decided() -> None:
    story = _run_with_decision()
    asks = [each for each in story.list_asks_to(EULER, MathematicsReport) if each.key.endswith("/4")]
    (notice,) = asks[0].assignment.context["notices"]
    assert notice.startswith(
        f"A human decided (RESOLVE): {REASON} ATHENA revises the seed document accordingly."
    )
    assert "34*70 s" in notice
    assert not any(each.assignment.context.get("notices") for each in story.list_asks_to(NEWTON))


def test_nothing_is_revised_if_the_human_says_so_and_the_parties_learn_it() -> None:
    story = _run_with_decision(nothing_to_change=True, times=99)
    assert _list_asks_after_human(story)[0] == "GROUND/GALILEO/grounding/1"
    notices = [each.text for each in story.end.dossier.notices if each.addressee == EULER]
    assert "The scenario stands." in notices[0]


def test_a_demand_that_a_human_has_decided_is_not_put_to_a_human_again() -> None:
    story = _run_with_decision(times=99)
    assert len(story.human_asks) == 1
    assert [phase for phase in story.phases if phase is Phase.GROUND]


@pytest.mark.parametrize("nothing_to_change", [False, True])
def test_a_new_demand_after_the_decided_revision_reaches_athena_again(*, nothing_to_change: bool) -> None:
    def demand_something_else(reply: MathematicsReport, ask: Ask) -> MathematicsReport:
        other = WORDING.model_copy(update={"problem": f"Problem of {ask.key}."})
        return reply.model_copy(update={"corrections_needed": (other,)})

    player = change_deliverables(
        revise_every_time(make_obliging_player()), EULER, MathematicsReport, demand_something_else, times=5
    )
    decision = HumanDecision(option=Option.RESOLVE, justification=REASON, nothing_to_change=nothing_to_change)
    story = run_scenario(_replace_decision(player, decision))
    after = _list_asks_after_human(story)
    assert ("VALIDATE/ATHENA/seed/5" in after) is not nothing_to_change
