"""Constraints of a brief are judged by meaning where it can be computed, and said to be unjudged elsewhere."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.brief_constraints import (
    BriefConstraint,
    ScenarioContent,
    judge_inspiration,
)

BEDROOM = ScenarioContent(
    {
        "narrative": "A drenched duvet lies under the window.",
        "threat": "The smoke reaches you in 3 min.",
        "objects": "duvet cotton, a steel bucket",
    },
    materials=frozenset({"cotton"}),
    object_count=3,
    has_deadline=True,
)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("no water", "unmet"),  # a drenched duvet
        ("Must involve water as a threat", "unmet"),  # water is there, but does not threaten
        ("Must involve fire as a threat", "met"),  # smoke
        ("a wind blows", "unmet"),  # a window is not a wind
        ("no wind", "met"),
        ("a bucket", "met"),
        ("with buckets", "met"),  # inflection
        ("two buckets", "unjudged"),  # only all objects together are counted
        ("no more than 4 things and a bucket", "met"),
        ("no duvets", "unmet"),
        ("must take place inside a volcano", "unmet"),
        ("must feel melancholic", "unjudged"),
        ("no dragons", "unjudged"),
        ("Must include exactly 3 objects", "met"),
        ("exactly four objects", "unmet"),
        ("no more than 2 things", "unmet"),
        ("no fewer than two things", "met"),
        ("The Locked Room must include time pressure", "met"),
        ("without a deadline", "unmet"),
        ("exactly 3 objects and no water", "unmet"),
        ("Must not duplicate any existing scenario in the registry", "met"),
    ],
)
def test_a_constraint_is_judged(text: str, verdict: str) -> None:
    judgement = BriefConstraint(text).judge(BEDROOM)
    assert judgement.verdict == verdict
    assert judgement.reason


def test_the_materials_and_properties_of_the_record_count() -> None:
    dry = ScenarioContent({"narrative": "A room."})
    assert BriefConstraint("no water").judge(dry).verdict == "met"
    for content in (
        ScenarioContent({"narrative": "A room."}, materials=frozenset({"sea_water"})),
        ScenarioContent({"narrative": "A room."}, properties=frozenset({"absorbs"})),
    ):
        assert BriefConstraint("no water").judge(content).verdict == "unmet"


def test_an_inspiration_shows_if_half_of_its_known_words_do() -> None:
    assert judge_inspiration("A flooding scenario with unconventional tools", BEDROOM).verdict == "met"
    assert judge_inspiration("A snake in a hospital", BEDROOM).verdict == "unmet"
    assert judge_inspiration("Something melancholic", BEDROOM).verdict == "unjudged"
