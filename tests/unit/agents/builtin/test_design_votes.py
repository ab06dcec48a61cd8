"""Votes on name, style and objects: each role votes on what it examines, and abstains on the rest."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.domain.refinement import DesignVote, RefinementBallot
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from support.planted_faults import (
    build_assignment,
    build_dossier,
    build_healthy_seed,
    change_properties,
)

PARTS = ("name", "style", "objects")


def _vote(seed: SeedDocument, agent: str) -> DesignVote:
    view = AssignmentView(build_assignment(build_dossier(seed), agent, Phase.REFINE, RefinementBallot))
    return load_builtin_cast().roles[agent].vote_on_design(view)


def _change_scenario(healthy: str = "cellar", **changes: Any) -> SeedDocument:
    seed = build_healthy_seed(healthy)
    return seed.model_copy(update={"scenario": seed.scenario.model_copy(update=changes)})


def _list_rejected_parts(vote: DesignVote) -> list[str]:
    return [part for part in PARTS if getattr(vote, f"approves_{part}") is False]


@pytest.mark.parametrize(
    ("agent", "examined"),
    [
        (ATHENA, ["name", "style", "objects"]),
        (GALILEO, ["name", "objects"]),
        (EULER, ["objects"]),
        (NEWTON, ["objects"]),
        (SOCRATES, ["name", "style", "objects"]),
    ],
)
def test_a_role_abstains_on_what_it_does_not_examine(agent: str, examined: list[str]) -> None:
    vote = _vote(build_healthy_seed("cellar"), agent)
    assert [part for part in PARTS if getattr(vote, f"approves_{part}") is not None] == examined
    assert _list_rejected_parts(vote) == []


def test_a_name_with_a_thing_that_only_the_answer_uses_gives_it_away() -> None:
    vote = _vote(_change_scenario("glue", name="A Drop of Remover"), ATHENA)
    assert _list_rejected_parts(vote) == ["name"]
    assert "varnish remover" in vote.suggestion


def test_a_name_that_classifies_the_problem_is_rejected_by_its_reader() -> None:
    vote = _vote(_change_scenario(name="The Paradox of the Archive"), SOCRATES)
    assert _list_rejected_parts(vote) == ["name"]


def test_a_name_that_primes_an_insight_is_rejected() -> None:
    seed = build_healthy_seed("cellar")
    first = seed.insight_chain[0].model_copy(update={"text": "The gyroscope keeps its axis."})
    primed = seed.model_copy(
        update={
            "insight_chain": (first, *seed.insight_chain[1:]),
            "scenario": seed.scenario.model_copy(update={"name": "The Gyroscope"}),
        }
    )
    assert _list_rejected_parts(_vote(primed, GALILEO)) == ["name"]


@pytest.mark.parametrize("narrative", ["He is in a cellar.\n\nIt rains.", "You are in a cellar."])
def test_the_style_is_second_person_in_two_to_four_paragraphs(narrative: str) -> None:
    seed = _change_scenario(narrative=narrative, position="A man stands by the door.")
    assert _list_rejected_parts(_vote(seed, ATHENA)) == ["style"]


def test_a_letter_may_address_the_solver_where_the_position_is_stated() -> None:
    seed = _change_scenario(narrative="Dear Ana, it rains.\n\nYours, Rui.", position="You hold the letter.")
    assert _list_rejected_parts(_vote(seed, ATHENA)) == []


def test_objects_that_cannot_be_real_are_rejected() -> None:
    seed = change_properties(tapper__mass="60[kg]")(build_healthy_seed("cellar"))
    assert _list_rejected_parts(_vote(seed, NEWTON)) == ["objects"]


def test_an_objection_lowers_the_confidence() -> None:
    healthy = build_healthy_seed("cellar")
    rejected = _change_scenario(name="The Paradox of the Archive")
    assert _vote(rejected, SOCRATES).confidence < _vote(healthy, SOCRATES).confidence


@pytest.mark.parametrize("agent", ROLES)
def test_a_suggestion_comes_with_an_objection_only(agent: str) -> None:
    assert _vote(build_healthy_seed("cellar"), agent).suggestion == ""
