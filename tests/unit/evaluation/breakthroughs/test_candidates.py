"""Breakthroughs: where a candidate stands follows from its events, and an event that breaks a rule is refused."""

from __future__ import annotations

from itertools import product

import pytest

from impossible_moments.cli.commands.breakthroughs import VerificationTierOption
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.candidates import (
    LONGEST_NAME,
    LONGEST_TEXT,
    BreakthroughCandidate,
    CandidateStanding,
    compute_candidate_name,
    rebuild_candidates_from_events,
)
from impossible_moments.evaluation.breakthroughs.events import (
    CRITERIA,
    VERIFICATION_METHODS,
    CandidateCollected,
    Event,
    ExpertVote,
    VerificationTier,
)
from support.breakthrough_answers import (
    build_collected_event,
    build_confirmed_candidate,
    build_verified_event,
    build_vote,
)

EVENT = build_collected_event("An answer.")
NAME = EVENT.candidate
EXPERTS = ("first expert", "second expert", "third expert")


def after(*votes: ExpertVote, event: CandidateCollected = EVENT) -> BreakthroughCandidate:
    candidate = BreakthroughCandidate(event)
    for each in votes:
        candidate = candidate.apply_event(each)
    return candidate


def say(expert: str, *no: str, reason: str = "I looked.") -> ExpertVote:
    return build_vote(expert, *no, candidate=NAME, reason=reason)


# the panel


@pytest.mark.parametrize("votes", list(product([True, False], repeat=3)), ids=str)
def test_two_of_three_decide(votes: tuple[bool, ...]) -> None:
    candidate = BreakthroughCandidate(EVENT)
    cast = 0
    for expert, yes in zip(EXPERTS, votes, strict=True):
        if candidate.is_decided:
            break
        candidate = candidate.apply_event(say(expert, *([] if yes else ["valid"])))
        cast += 1
    assert candidate.standing is (
        CandidateStanding.CONFIRMED if sum(votes) >= 2 else CandidateStanding.REJECTED
    )
    assert cast == (2 if votes[0] == votes[1] else 3)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_a_vote_confirms_only_with_all_four(criterion: str) -> None:
    assert say("first expert").confirms
    assert not say("first expert", criterion).confirms


def test_one_vote_decides_nothing() -> None:
    assert after(say("first expert")).standing is CandidateStanding.WAITING
    assert not after(say("first expert", "novel")).is_decided


@pytest.mark.parametrize("again", ["first expert", "First Expert", " first  expert ", "ﬁrst expert"])
def test_an_expert_votes_once_however_the_name_is_spelled(again: str) -> None:
    with pytest.raises(ConfigurationError, match="an expert votes only once"):
        after(say("first expert"), say(again))


def test_a_decided_panel_takes_no_further_vote() -> None:
    with pytest.raises(ConfigurationError, match="is already decided"):
        build_confirmed_candidate(EVENT).apply_event(say("third expert"))


@pytest.mark.parametrize(
    "name", ["", "  ", "a\nb", "zero\u200bwidth", "\x1b[31m", "x" * (LONGEST_NAME + 1)], ids=ascii
)
def test_a_name_that_cannot_be_seen_is_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="printable characters"):
        after(say(name))


@pytest.mark.parametrize("reason", ["", " \n", "x" * (LONGEST_TEXT + 1)], ids=["empty", "blank", "long"])
def test_a_vote_needs_a_reason_that_can_be_published(reason: str) -> None:
    with pytest.raises(ConfigurationError, match="--reason"):
        after(say("first expert", reason=reason))


# verification


def test_a_confirmed_candidate_is_verified_once() -> None:
    done = build_confirmed_candidate(EVENT).apply_event(build_verified_event(NAME))
    assert done.standing is CandidateStanding.VERIFIED
    with pytest.raises(ConfigurationError, match="and only once"):
        done.apply_event(build_verified_event(NAME))


@pytest.mark.parametrize("no", [(), ("novel",)], ids=["waiting", "rejected"])
def test_what_the_panel_has_not_confirmed_is_not_verified(no: tuple[str, ...]) -> None:
    votes = [say(each, *no) for each in EXPERTS[: 2 if no else 1]]
    with pytest.raises(ConfigurationError, match="only a candidate confirmed by the panel"):
        after(*votes).apply_event(build_verified_event(NAME))


@pytest.mark.parametrize(
    ("tier", "needed"),
    [(VerificationTier.A, 1), (VerificationTier.B, 1), (VerificationTier.C, 1), (VerificationTier.D, 5)],
)
def test_each_tier_takes_its_number_of_experts(tier: VerificationTier, needed: int) -> None:
    names = [f"expert {number}" for number in range(needed)]
    assert (
        build_confirmed_candidate(EVENT).apply_event(build_verified_event(NAME, tier, names)).standing
        is CandidateStanding.VERIFIED
    )
    with pytest.raises(ConfigurationError, match=f"at least {needed}"):
        build_confirmed_candidate(EVENT).apply_event(build_verified_event(NAME, tier, names[1:]))


def test_one_expert_named_twice_is_one() -> None:
    names = ["one", "two", "three", "four", "Four"]
    with pytest.raises(ConfigurationError, match="4 different experts"):
        build_confirmed_candidate(EVENT).apply_event(build_verified_event(NAME, VerificationTier.D, names))


def test_the_command_knows_the_tiers_of_the_domain() -> None:
    assert (
        [each.value for each in VerificationTierOption]
        == [each.value for each in VerificationTier]
        == [each.value for each in VERIFICATION_METHODS]
    )


# names and replay


def test_the_same_words_are_one_candidate_and_others_are_not() -> None:
    name = compute_candidate_name("IM-0001", "Do this.\nThen that.")
    assert compute_candidate_name("IM-0001", " Do this.  Then that.\n") == name
    assert compute_candidate_name("IM-0002", "Do this. Then that.") != name
    assert compute_candidate_name("IM-0001", "Do this. Then what.") != name


def test_a_replay_stands_where_the_events_led() -> None:
    events: list[Event] = [
        EVENT,
        build_collected_event("Another."),
        say("first expert", "valid"),
        say("second expert", "complete"),
    ]
    found = rebuild_candidates_from_events(events)
    assert list(found) == [NAME, events[1].candidate]
    assert [each.standing for each in found.values()] == [
        CandidateStanding.REJECTED,
        CandidateStanding.WAITING,
    ]


def test_a_log_that_was_changed_by_hand_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="collected twice"):
        rebuild_candidates_from_events([EVENT, EVENT])
    with pytest.raises(ConfigurationError, match="never collected"):
        rebuild_candidates_from_events([say("first expert")])
    with pytest.raises(ConfigurationError, match="an expert votes only once"):
        rebuild_candidates_from_events([EVENT, say("first expert"), say("first expert")])
