"""The six system invariants of 1.7, each tried by a cast that would break it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.scripted_players import Player, wrap_player_with_vetoes
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Option
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import ReadinessVote, RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from support.dossiers import BRIEF
from support.scripted_runs import (
    build_challenge,
    build_seed_with_claim,
    build_veto,
    change_deliverables,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)

BEFORE_REFINE = (Phase.SEED, Phase.VALIDATE, Phase.GROUND, Phase.CLASSIFY)
FIVE = frozenset(ROLES)


# 1: no agent sees the complete scenario before REFINE


def test_nobody_is_shown_the_work_of_all_before_refine() -> None:
    authors = [
        {section["author"] for section in ask.assignment.context["sections"]}
        for ask in run_scenario(make_obliging_player()).asks
        if ask.assignment.phase in BEFORE_REFINE
    ]
    assert all(len(each) < len(FIVE) for each in authors)


def test_socrates_classifies_from_the_narrative_alone_even_after_a_redesign() -> None:
    player = change_fields(
        make_obliging_player(Option.REDESIGN), NEWTON, ReviewMemo, times=1, escalation="look"
    )
    shown = [
        {section["document"]: sorted(section["fields"]) for section in ask.assignment.context["sections"]}
        for ask in run_scenario(player).list_asks_to(SOCRATES, ClassificationReport)
    ]
    assert [set(each) - {"ClassificationReport"} for each in shown] == [{"SeedDocument"}] * 2
    assert shown[1]["SeedDocument"] == ["scenario"]


# 2: every claim is validated by two


@pytest.mark.parametrize(("agent", "kind"), [(NEWTON, PhysicsReport), (EULER, MathematicsReport)])
def test_a_claim_that_one_validator_leaves_out_holds_the_scenario_up(
    agent: str, kind: type[LabelledModel]
) -> None:
    story = run_scenario(change_fields(make_obliging_player(Option.DISCARD), agent, kind, claims=()))
    assert story.end.discarded_in is Phase.VALIDATE


def test_a_claim_that_comes_in_with_a_revision_is_validated_too() -> None:
    # it is true, and no validator says a word of it
    def revised(reply: SeedDocument, ask: Ask) -> LabelledModel:
        return (
            build_seed_with_claim("table.mass > chair.mass")
            if ask.assignment.phase is Phase.REFINE
            else reply
        )

    disputed = change_fields(
        make_obliging_player(Option.DISCARD),
        NEWTON,
        ReviewMemo,
        times=1,
        challenges=(build_challenge(ATHENA),),
    )
    assert (
        run_scenario(change_deliverables(disputed, ATHENA, SeedDocument, revised)).end.discarded_in
        is Phase.REFINE
    )


# 3: a documented trace from all five


def test_all_five_are_asked_for_a_trace() -> None:
    assert {
        ask.agent for ask in run_scenario(make_obliging_player()).asks if ask.returns is AgentTrace
    } == FIVE


# 4: no unresolved veto past REFINE


@pytest.mark.parametrize("agent", [NEWTON, EULER])
def test_a_veto_that_is_raised_for_ever_never_gets_past_a_human(agent: str) -> None:
    story = run_scenario(
        wrap_player_with_vetoes(
            revise_every_time(make_obliging_player(Option.DISCARD)), agent, build_veto(), times=99
        )
    )
    assert (story.end.is_accepted, story.end.discarded_in) == (False, Phase.VALIDATE)


def test_a_veto_that_is_raised_in_refine_for_ever_never_gets_past_a_human() -> None:
    def vetoing_in_refine(reply: PhysicsReport, ask: Ask) -> LabelledModel:
        refining = ask.assignment.phase is Phase.REFINE
        return reply.model_copy(update={"vetoes": (build_veto(),)}) if refining else reply

    disputed = change_fields(
        revise_every_time(make_obliging_player(Option.DISCARD)),
        NEWTON,
        ReviewMemo,
        times=1,
        vetoes=(build_veto(),),
    )
    story = run_scenario(change_deliverables(disputed, NEWTON, PhysicsReport, vetoing_in_refine))
    assert (story.end.is_accepted, story.end.discarded_in) == (False, Phase.REFINE)


# 5: human review is triggered automatically


def undecided(agent: str, kind: type[LabelledModel], **fields: Any) -> Player:
    return change_fields(make_obliging_player(), agent, kind, **fields)


@pytest.mark.parametrize(
    ("player", "trigger"),
    [
        (partial(undecided, "", ReadinessVote, vote="REVISE"), "3+ revision loops"),
        (partial(undecided, NEWTON, PhysicsReport, confidence=0.49), "falls below 0.5"),
        (partial(undecided, EULER, MathematicsReport, confidence=0.49), "falls below 0.5"),
        (partial(undecided, GALILEO, GroundingReport, confidence=0.49), "falls below 0.5"),
        (partial(undecided, SOCRATES, ClassificationReport, confidence=0.49), "falls below 0.5"),
        (partial(undecided, GALILEO, GroundingReport, confidence=0.55), "3+ revision loops"),
    ],
    ids=["loops", "NEWTON doubts", "EULER doubts", "GALILEO doubts", "SOCRATES doubts", "GALILEO hesitates"],
)
def test_a_human_is_asked_by_itself(player: Callable[[], Player], trigger: str) -> None:
    (question,) = run_scenario(player()).human_asks
    assert trigger in question.assignment.context["disagreement"]["trigger"]


def test_a_human_is_asked_after_the_third_attempt_and_not_before() -> None:
    story = run_scenario(undecided("", ReadinessVote, vote="REVISE"))
    before = story.asks[: story.asks.index(story.human_asks[0])]
    votes = [ask for ask in before if ask.returns is RefinementBallot]
    assert len(votes) == 3 * len(FIVE)


# 6: the orchestrator never generates creative content


def test_every_sentence_of_the_public_document_comes_from_athena_or_the_template() -> None:
    def marked(reply: SeedDocument, _ask: Ask) -> LabelledModel:
        told = reply.scenario.model_copy(update={"threat": f"{reply.scenario.threat} So says the sign."})
        return reply.model_copy(update={"scenario": told})

    plain = run_scenario(make_obliging_player()).end.documents
    changed = run_scenario(
        change_deliverables(make_obliging_player(), ATHENA, SeedDocument, marked)
    ).end.documents
    assert plain is not None
    assert changed is not None
    assert _drop_canary(changed.public.replace(" So says the sign.", "")) == _drop_canary(plain.public)


def _drop_canary(document: str) -> str:
    """The canary is computed from the text, so another text has another one."""
    assert document.count("im-canary-") == 1
    return re.sub(r"im-canary-\S+", "", document)


def test_no_task_depends_on_anything_but_the_brief() -> None:
    other = BRIEF.model_copy(update={"scenario_id": "IM-0002", "seed": 99})
    tasks = [
        [ask.assignment.task for ask in run_scenario(make_obliging_player(), brief).asks]
        for brief in (BRIEF, other)
    ]
    assert tasks[0] == tasks[1]
