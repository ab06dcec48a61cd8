"""Whole runs with a dispute, whose traces tests and the documentation read."""

from __future__ import annotations

from functools import cache

from impossible_moments.domain.disputes import Answer, ChallengeResponse
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.vocabulary import ATHENA, GALILEO
from support.scripted_runs import (
    ScenarioRun,
    build_challenge,
    change_fields,
    make_obliging_player,
    revise_every_time,
    run_scenario,
)


@cache
def run_scenario_with_lost_challenge() -> ScenarioRun:
    """Run The Blast Room with a challenge that ATHENA defends, loses by vote and answers by a revision."""
    disputed = build_challenge(ATHENA)
    player = change_fields(
        revise_every_time(make_obliging_player()), GALILEO, ReviewMemo, times=1, challenges=(disputed,)
    )
    player = change_fields(
        player, ATHENA, ChallengeResponse, answer=Answer.DEFEND, text="The table stands on bare concrete."
    )
    return run_scenario(player)


def get_trace() -> str:
    """Return the methodology trace of that run."""
    documents = run_scenario_with_lost_challenge().end.documents
    assert documents is not None
    return documents.trace
