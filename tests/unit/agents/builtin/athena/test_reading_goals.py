"""Remarks about the text or the key: ATHENA adopts what another draw no longer has, and declines the rest with figures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from impossible_moments.agents.builtin.assignment_view import PointToAnswer
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin
from impossible_moments.agents.builtin.athena.point_answers import PointAnswerer
from impossible_moments.agents.builtin.athena.reading_goals import find_reading_goal
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.orchestrator.gates.checks.content_checks import list_reading_problems
from impossible_moments.blueprints import ScenarioDraft
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.library.everyday_library import load_everyday_library
from support.small_blueprints import ROOM, load_room

OFFER = DesignOrigin("height_and_hammer/ice_house/one_way")
BRIEF = GenerationBrief.model_validate(
    {"category": "The Locked Room", "solution_status": "KS", "difficulty_tier": "FRACTURE", "seed": 0}
)


@cache
def desk() -> DesignDesk:
    """Return a desk whose ice house opens as a sequel."""
    room = load_room()
    (house,) = (skin for skin in room.skins[ROOM] if skin.name == "ice_house")
    narrative = dict(house.record["prose"]["narrative"])
    narrative["opening"] = f"This time it is worse. {narrative['opening']}"
    sequel = house.model_copy(
        update={"record": {**house.record, "prose": {**house.record["prose"], "narrative": narrative}}}
    )
    others = [skin for skin in room.skins[ROOM] if skin is not house]
    return DesignDesk(replace(room, skins={ROOM: (*others, sequel)}), load_everyday_library())


def draw() -> tuple[ScenarioDraft, SeedDocument]:
    draft = desk().draw_origin(BRIEF, OFFER)
    assert draft is not None
    return draft, build_seed_document(desk().complete_proposal(BRIEF, draft, OFFER))


def test_a_remark_that_every_draw_has_is_declined_with_figures() -> None:
    _, seed = draw()
    remark = next(each for each in list_reading_problems(seed) if each.startswith("text.sequel"))
    answer = PointAnswerer(desk(), BRIEF, seed).answer_point(
        PointToAnswer("G1", "ORCHESTRATOR", "recommendation", remark)
    )
    assert (answer.point, answer.answer) == ("G1", "declined")
    assert "`text.sequel` (/prose/narrative): it is found once in it" in answer.reason


def test_a_goal_is_met_by_a_draw_with_fewer_problems_of_the_kind() -> None:
    draft, seed = draw()
    remark = next(each for each in list_reading_problems(seed) if each.startswith("text.sequel"))
    goal = find_reading_goal(remark, draft, "FRACTURE")
    other = desk().draw_origin(BRIEF, DesignOrigin("height_and_hammer/press_archive/one_way"))
    assert goal is not None
    assert other is not None
    assert not goal.is_met(draft)
    assert goal.is_met(other)


@pytest.mark.parametrize("text", ["The rope is too short.", "The key is text.sequel, they say."])
def test_other_points_are_no_remarks(text: str) -> None:
    assert find_reading_goal(text, draw()[0], "FRACTURE") is None
