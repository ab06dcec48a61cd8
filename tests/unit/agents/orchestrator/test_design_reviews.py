"""Design reviews: what follows if a human finds that a disagreement shows a structural flaw."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from impossible_moments.agents.scripted_players import Player
from impossible_moments.domain.disputes import Option
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, NEWTON, Phase
from support.scripted_runs import (
    ScenarioRun,
    add_tied_dispute,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)


def _make_escalating_player(*, flaw: bool) -> Player:
    player = revise_every_time(make_obliging_player(structural_flaw=flaw))
    return change_fields(player, NEWTON, PhysicsReport, times=1, escalation="The plan depends on luck.")


def _make_disputed_player(*, flaw: bool) -> Player:
    return add_tied_dispute(revise_every_time(make_obliging_player(structural_flaw=flaw)))


def _list_revision_requests(story: ScenarioRun) -> list[str]:
    return [
        note
        for ask in story.list_asks_to(ATHENA, SeedDocument)
        if ask.assignment.phase is Phase.REFINE
        for note in ask.assignment.context["notes"]
    ]


@pytest.mark.parametrize("make_player", [_make_escalating_player, _make_disputed_player])
def test_a_structural_flaw_is_put_to_athena_once_and_revised(make_player: Callable[..., Player]) -> None:
    story = run_scenario(make_player(flaw=True))
    requests = _list_revision_requests(story)
    assert len(requests) == 1
    assert "structural flaw of the design: it was looked at" in requests[0]
    assert story.end.documents is not None
    assert "ATHENA revised the design in REFINE" in story.end.documents.trace


@pytest.mark.parametrize("make_player", [_make_escalating_player, _make_disputed_player])
def test_without_a_flaw_the_design_is_not_reviewed(make_player: Callable[..., Player]) -> None:
    story = run_scenario(make_player(flaw=False))
    assert _list_revision_requests(story) == []
    assert story.end.documents is not None
    assert "no structural flaw" in story.end.documents.trace


def test_a_redesign_answers_the_flaw_that_led_to_it() -> None:
    player = revise_every_time(make_obliging_player(Option.REDESIGN, structural_flaw=True))
    player = change_fields(player, NEWTON, PhysicsReport, times=1, escalation="The plan depends on luck.")
    story = run_scenario(player)
    assert _list_revision_requests(story) == []
    assert story.end.documents is not None
    assert "the decision REDESIGN answers it" in story.end.documents.trace
