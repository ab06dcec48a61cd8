"""A lease is given up when its beat stands still for a term of a clock that cannot jump, and no sooner."""

from __future__ import annotations

from dataclasses import replace

from impossible_moments.ledger import ScenarioRow, ScenarioState
from impossible_moments.pipeline.lease_watch import HolderState, LeaseWatch
from impossible_moments.pipeline.runner_names import make_runner_name

ROW = ScenarioRow(
    scenario="IM-0001",
    brief="",
    priority=0,
    state=ScenarioState.RUNNING,
    phase="",
    reason="",
    owner="elsewhere",
    beat=1,
    enrolled_at=0.0,
    changed_at=0.0,
    forked_from="",
    identity="",
    performers="",
    begun_after=0,
)


class Seconds:
    """A clock that the test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_beat_that_stands_still_for_a_term_belongs_to_a_runner_that_is_gone() -> None:
    seconds = Seconds()
    watch = LeaseWatch(30.0, seconds)
    seen = []
    for seconds.now in (100.0, 129.0, 131.0):
        seen.append(watch.look_at(ROW))
    assert seen == [HolderState.UNKNOWN, HolderState.UNKNOWN, HolderState.GONE]


def test_a_beat_that_goes_on_belongs_to_a_live_runner() -> None:
    seconds = Seconds()
    watch = LeaseWatch(30.0, seconds)
    watch.look_at(ROW)
    seconds.now = 40.0
    assert watch.look_at(replace(ROW, beat=2)) is HolderState.ALIVE


def test_each_holder_is_watched_from_when_it_was_first_seen() -> None:
    seconds = Seconds()
    watch = LeaseWatch(30.0, seconds)
    watch.look_at(ROW)
    seconds.now = 40.0
    assert watch.look_at(replace(ROW, owner="another")) is HolderState.UNKNOWN


def test_a_live_process_of_this_machine_is_watched_as_well() -> None:
    assert LeaseWatch().look_at(replace(ROW, owner=make_runner_name())) is HolderState.UNKNOWN
