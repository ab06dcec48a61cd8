"""The blind reading: figures against needs, reported beliefs against imposed rules, and how often the class is right."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from impossible_moments.agents.builtin.athena.scenario_draws import ProposedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.builtin.socrates.blind_classification import build_classification_report
from impossible_moments.agents.builtin.socrates.blind_reading import BlindReading, read_public_text
from impossible_moments.agents.builtin.socrates.reading_signs import load_reading_signs
from impossible_moments.blueprints import draw_and_check_instance, read_draft
from impossible_moments.domain.vocabulary import CATEGORIES, parse_main_status

EVERY = 9
"""Every so manieth offer of the catalogue is drawn."""


def _fields(narrative: str = "You are here.", **changes: Any) -> dict[str, Any]:
    scenario = {
        "narrative": narrative,
        "environment": [],
        "threat": "The gate closes in 20 min.",
        "position": "You stand before it.",
        "objects": [],
        "capabilities": [],
    }
    return {"scenario": {**scenario, **changes}}


def _object(name: str, notes: str) -> dict[str, str]:
    return {"name": name, "mass": "2 kg", "dimensions": "30 cm", "material": "iron", "notes": notes}


def _read(narrative: str = "You are here.", **changes: Any) -> BlindReading:
    return read_public_text(_fields(narrative, **changes))


def test_a_stated_figure_is_compared_with_the_need_of_the_same_kind() -> None:
    reading = _read(
        environment=[{"feature": "Least pull that moves the gate", "specification": "300 N"}],
        objects=[_object("A rope", "pulls with 450 N"), _object("A cord", "pulls with 90 N")],
    )
    assert {each.thing: each.holds for each in reading.comparisons} == {"A rope": True, "A cord": False}
    (conflict,) = reading.conflicts
    assert conflict.ratio == pytest.approx(90 / 300)
    assert conflict.offered.passage == "A cord: pulls with 90 N"


def test_a_thing_that_takes_longer_than_the_deadline_is_excluded() -> None:
    reading = _read(objects=[_object("The winch", "takes 2 h"), _object("The crank", "takes 5 min")])
    assert {each.thing.name: each.is_excluded for each in reading.options} == {
        "The winch": True,
        "The crank": False,
    }


def test_approaches_are_words_and_name_the_figure_at_which_they_fail() -> None:
    reading = _read(
        environment=[{"feature": "Least pull that moves the gate", "specification": "300 N"}],
        objects=[_object("A cord", "pulls with 90 N")],
    )
    (approach,) = reading.approaches
    assert str(approach) == (
        "Use a cord, which pulls with 90 N: `A cord: pulls with 90 N` misses `Least pull that moves the gate: 300 N`"
    )


@pytest.mark.parametrize(
    ("sentence", "is_belief"),
    [
        ("My uncle always said that a gate like this must never be pushed.", True),
        ("By order of the police nobody may push the gate, my uncle always said.", False),
        ("My uncle always said that it is a fine gate.", False),
        ("The gate must never be pushed.", False),
    ],
)
def test_only_a_restriction_that_is_merely_reported_is_a_belief(sentence: str, *, is_belief: bool) -> None:
    reading = _read(f"You are here. {sentence} It rains.")
    assert reading.belief == (sentence if is_belief else "")
    assert build_classification_report(reading).premise_named == (sentence if reading.status == "MT" else "")


@pytest.mark.parametrize(
    ("narrative", "status"),
    [
        ("The engineers disagree about the rust, and opinions differ on what it bears.", "CT"),
        ("What share of the heat would a wall have to keep, and by what means?", "OF"),
        ("The order admits no exceptions. Everybody says that some combination of the keys must fit.", "PX"),
        ("You have a rope and a gate.", "KS"),
    ],
)
def test_the_status_follows_from_what_the_text_says(narrative: str, status: str) -> None:
    report = build_classification_report(_read(narrative))
    assert report.status == status
    assert status == "KS" or narrative.partition(".")[0].rstrip("?") in report.justification


def test_a_clear_text_is_read_with_more_confidence_than_a_mixed_one() -> None:
    clear = build_classification_report(_read("Opinions differ on what it bears."))
    mixed = build_classification_report(
        _read("Opinions differ on what it bears. The order admits no exceptions.")
    )
    assert clear.status == mixed.status == "CT"
    assert clear.blind_confidence > mixed.blind_confidence
    assert clear.confidence > mixed.confidence


@cache
def _classify_fresh_scenarios() -> Counter[tuple[str, str]]:
    """Return how often each status was read as each, over draws of every ninth offer of the catalogue."""
    cast = load_builtin_cast()
    offers = [offer for category in CATEGORIES for offer in cast.catalogue.iterate_offers(category)]
    found: Counter[tuple[str, str]] = Counter()
    for offer in offers[::EVERY]:
        trial = draw_and_check_instance(offer, cast.library, 5150, 0, 0)
        if not trial.reasons and trial.report.verdict is not None and trial.report.verdict.status:
            assert trial.tier is not None
            seed = build_seed_document(ProposedDraw(read_draft(trial.instance, cast.library), trial.tier))
            reading = read_public_text(seed.model_dump(mode="json"))
            found[parse_main_status(trial.report.verdict.status), reading.status] += 1
    return found


def test_fresh_scenarios_are_read_better_than_by_always_saying_ks_and_not_perfectly() -> None:
    found = _classify_fresh_scenarios()
    statuses = {actual for actual, _ in found}
    counts = {
        status: sum(count for (actual, _), count in found.items() if actual == status) for status in statuses
    }
    # most scenarios are KS, so that each status counts alike; always saying KS finds one of them
    recall = sum(found[status, status] / counts[status] for status in statuses) / len(statuses)
    assert found.total() >= 40
    assert 1 / len(statuses) < recall < 0.9


@pytest.mark.parametrize(
    ("stated", "is_open"),
    [
        ("fastened by nothing; leads out; level with the floor", True),
        ("unlocked; opens to the street", True),
        ("locked from outside; leads out", False),
        ("fastened by nothing; leads to a cupboard", False),
    ],
)
def test_a_stated_open_way_out_speaks_for_a_trivial_answer(stated: str, *, is_open: bool) -> None:
    reading = _read(environment=[{"feature": "The back door", "specification": stated}])
    assert bool(reading.open_ways) is is_open
    assert (reading.status == "DG") is is_open


@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("By what means do you reach the street?", False),
        ("By what means would a suit have to hold the air?", True),
    ],
)
def test_a_question_for_an_act_asks_for_no_specification(question: str, *, is_asked: bool) -> None:
    noticed = {each.sign.name for each in _read(f"You are here. {question}").signs}
    assert ("asks for a specification" in noticed) is is_asked


@pytest.mark.parametrize(
    ("sentence", "is_belief"),
    [
        ("\u201cOr put your shoulder to the door,\u201d they always say over tea.", False),
        ("Everybody knows that nobody leaves by the door.", True),
        ("In our village every child can say it: when the siren goes the boats come in.", True),
    ],
)
def test_the_words_that_report_a_belief_are_no_restriction(sentence: str, *, is_belief: bool) -> None:
    _, belief = load_reading_signs()
    assert belief.matches(sentence) is is_belief


def read_door(limit: str) -> BlindReading:
    return read_public_text(
        {
            "scenario": {
                "narrative": "A door is stuck. You have a bar.",
                "threat": "The room is full of water in 5 min.",
                "position": "You stand by the door.",
                "environment": [
                    {"feature": "Paragraphs that would have to be read", "specification": "5"},
                    {"feature": "Door", "specification": f"withstands blows of less than {limit}"},
                ],
                "objects": [{"name": "A bar", "mass": "2 kg", "notes": "strikes with 60 J"}],
            }
        }
    )


def test_the_label_of_a_figure_asks_nothing() -> None:
    assert "asks for a specification" not in {each.sign.name for each in read_door("90 J").signs}


def test_a_limit_without_a_figure_leaves_less_to_go_by() -> None:
    vague, stated = read_door("a fair amount"), read_door("90 J")
    assert vague.limits_without_figure == ("Door: withstands blows of less than a fair amount",)
    assert stated.limits_without_figure == ()
    assert vague.coverage < stated.coverage
