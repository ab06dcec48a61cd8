"""What holds for any votes and any dispute."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.agents.orchestrator.consensus_engine import (
    ABSTAIN,
    ConsensusLevel,
    count_needed_votes,
    tally_votes,
)
from impossible_moments.agents.orchestrator.protocols.dispute import Dispute, DisputePosition
from impossible_moments.agents.orchestrator.protocols.resolution_ladder import (
    DisputeResolution,
    LadderRung,
    compute_ladder_ask_limit,
    settle_dispute,
)
from impossible_moments.domain.disputes import Domain
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ROLES, Phase
from support import strategies
from support.dispute_cases import DESK, DisputeRun, build_dossier, build_panel, draw_replies, pieces, words

votes = st.dictionaries(
    st.integers(0, 12).map(lambda number: f"V{number}"), st.sampled_from(["A", "B", "C", ABSTAIN]), max_size=9
)
levels = st.sampled_from(ConsensusLevel)
DOMAINS: list[Domain] = ["physics", "mathematics", "grounding", "classification", "design"]


@st.composite
def disputes(draw: st.DrawFn) -> Dispute:
    challenger, challenged = draw(st.permutations(ROLES))[:2]
    return Dispute(
        phase=draw(st.sampled_from(Phase)),
        claim="The table slides.",
        domains=tuple(draw(st.lists(st.sampled_from(DOMAINS), min_size=1, max_size=2, unique=True))),
        challenger=DisputePosition(challenger, draw(words), draw(pieces), 0.7),
        challenged=DisputePosition(challenged, draw(words), draw(pieces), 0.6),
    )


@given(votes, levels, strategies.orders)
def test_the_order_of_votes_does_not_matter(
    cast: dict[str, str], level: ConsensusLevel, order: Random
) -> None:
    shuffled = list(cast.items())
    order.shuffle(shuffled)
    assert tally_votes(dict(shuffled), level) == tally_votes(cast, level)


@given(votes, levels)
def test_one_more_vote_for_the_winner_never_loses_it(cast: dict[str, str], level: ConsensusLevel) -> None:
    winner = tally_votes(cast, level).winner
    if winner is not None:
        assert tally_votes({**cast, "one more": winner}, level).winner == winner


@given(votes)
def test_who_wins_at_a_level_wins_at_every_lower_one(cast: dict[str, str]) -> None:
    winners = [tally_votes(cast, level).winner for level in ConsensusLevel]  # the strictest first
    assert all(lower == higher for higher, lower in pairwise(winners) if higher is not None)


@given(votes, levels)
def test_an_abstention_changes_no_result(cast: dict[str, str], level: ConsensusLevel) -> None:
    assert tally_votes({**cast, "one more": ABSTAIN}, level).winner == tally_votes(cast, level).winner


@given(levels, st.integers(0, 1000))
def test_what_is_needed_is_more_than_half(level: ConsensusLevel, cast: int) -> None:
    assert 2 * count_needed_votes(level, cast) > cast


@given(levels, st.integers(1, 1000))
def test_what_is_needed_can_be_reached(level: ConsensusLevel, cast: int) -> None:
    assert count_needed_votes(level, cast) <= cast


@given(votes, levels)
def test_at_most_one_choice_wins(cast: dict[str, str], level: ConsensusLevel) -> None:
    counted = tally_votes(cast, level)
    assert sum(number >= counted.needed for number in counted.counts.values()) <= 1


def climbed(dispute: Dispute, data: st.DataObject) -> tuple[DisputeRun, Dossier, DisputeResolution]:
    run = DisputeRun()
    after, resolution = run.run_flow(
        settle_dispute(DESK, build_dossier(), dispute, panel=build_panel()), draw_replies(data)
    )
    return run, after, resolution


@given(disputes(), st.data())
def test_the_ladder_ends_within_its_number_of_asks(dispute: Dispute, data: st.DataObject) -> None:
    run, _, _ = climbed(dispute, data)
    assert len(run.asks) <= compute_ladder_ask_limit(build_panel())


@given(disputes(), st.data())
def test_a_human_is_asked_last_if_at_all(dispute: Dispute, data: st.DataObject) -> None:
    run, _, resolution = climbed(dispute, data)
    assert ("HUMAN" in run.agents) == (resolution.rung is LadderRung.HUMAN)


@given(disputes(), st.data())
def test_no_party_votes_on_its_own_dispute(dispute: Dispute, data: st.DataObject) -> None:
    run, _, _ = climbed(dispute, data)
    assert not set(dispute.parties) & set(run.agents)


@given(disputes(), st.data())
def test_whoever_votes_may_read_what_both_sides_reveal(dispute: Dispute, data: st.DataObject) -> None:
    run, _, _ = climbed(dispute, data)
    readers = build_panel().list_outsiders_who_may_read_all(DESK, dispute.phase, dispute.parties)
    assert set(run.agents) <= {*readers, "HUMAN"}


@given(disputes(), st.data())
def test_no_ask_of_a_dispute_has_the_key_of_another(dispute: Dispute, data: st.DataObject) -> None:
    run, _, _ = climbed(dispute, data)
    assert len({ask.key for ask in run.asks}) == len(run.asks)
