"""Open questions: an answer's figures are put into the envelope, and experts hear only of what passes it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.breakthroughs.frontier_filter import (
    FilterResult,
    build_frontier,
    check_figures_against_envelope,
)
from impossible_moments.evaluation.judging.judgement_aggregation import CANDIDATE, Judgement
from support.golden_records import list_records_claiming
from support.judge_scripts import ScriptedPanel, build_key, build_verdict, make_judge

FIGURES = {"white": "0.998", "clear": "0.97", "leak": "0.05 W/(m**2*K)"}
"""Whiter, clearer and tighter than anything shown; ice freezes with it at noon."""
SHOWN = {"white": "0.981", "clear": "0.87", "leak": "0.3 W/(m**2*K)"}
"""The best of what is known, all at once."""
EVERY_LIMIT = ("shown_white", "shown_clear", "shown_leak")


def filtered(**claims: str) -> FilterResult:
    return check_figures_against_envelope(ParsedAnswer(claims=claims), build_key("ice_at_noon"))


def test_figures_beyond_the_known_meet_the_envelope() -> None:
    found = filtered(**FIGURES)
    assert found == FilterResult(met=("freezes",), beyond=EVERY_LIMIT, missing=())
    assert (found.passes, found.completeness, found.novelty) == (True, 10, 10)


def test_what_is_known_already_passes_no_limit_and_misses_the_envelope() -> None:
    found = filtered(**SHOWN)
    assert found == FilterResult(met=(), beyond=(), missing=("freezes",))
    assert (found.passes, found.completeness, found.novelty) == (False, 0, 0)


def test_a_condition_whose_figures_are_not_all_stated_is_not_met() -> None:
    found = filtered(white="0.998", clear="0.97")
    assert (found.met, found.missing, found.unstated) == ((), ("freezes",), ("leak",))
    assert found.beyond == ("shown_white", "shown_clear")


@pytest.mark.parametrize(
    "leak",
    ["", "little", "-0.05", "0", "5 kg", "0.05 furlongs", "NaN", "1e999", "9" * 400, "0.05" * 100, "["],
)
def test_a_figure_that_is_none_or_lies_outside_what_may_be_claimed_is_not_stated(leak: str) -> None:
    assert filtered(**{**FIGURES, "leak": leak}).unstated == ("leak",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("white", "99.8 %"),
        ("white", "99.8 percent"),
        ("white", "0.998 of all sunlight"),
        ("White", "0.998"),
        ("how white", "0.998"),
        ("leak", "0.05"),
        ("leak", "0.05 [W/(m**2*K)]"),
        ("heat leak", "50 mW/(m**2*K)"),
    ],
)
def test_figures_are_read_as_people_write_them(name: str, value: str) -> None:
    others = {each: said for each, said in FIGURES.items() if each not in name.lower()}
    assert filtered(**{**others, name: value}).passes


def test_a_name_that_may_mean_two_figures_means_none() -> None:
    assert filtered(**{"white, clear": "0.97"}).unstated == ("white", "clear", "leak")


@pytest.mark.parametrize("record", list_records_claiming("OF"))
def test_every_frontier_can_be_read_from_its_key(record: str) -> None:
    frontier = build_frontier(build_key(record))
    assert frontier.claims
    assert frontier.envelope
    assert frontier.known
    silent = check_figures_against_envelope(ParsedAnswer(), build_key(record))
    assert (silent.met, silent.beyond, silent.missing) == ((), (), tuple(frontier.envelope))


def test_a_scenario_without_a_frontier_says_so() -> None:
    with pytest.raises(ConfigurationError, match="IM-0001 has no frontier"):
        check_figures_against_envelope(ParsedAnswer(), build_key("twelve_metres"))


# With judges

FREE = "The plate throws back 0.998 of the light, the cover passes 0.97, and 0.05 W/(m**2*K) leak in."
PLAN = json.dumps({"verdict": "open", "claims": FIGURES, "because": ["Nothing forbids a whiter plate."]})


def read(**figures: str) -> list[dict[str, str]]:
    return [{"name": name, "value": value, "quote": FREE} for name, value in figures.items()]


def judged(text: str, *verdicts: dict[str, Any]) -> Judgement:
    return ScriptedPanel({f"judge-{at}": make_judge(each) for at, each in enumerate(verdicts)}).judge_answer(
        "ice_at_noon", text
    )


def opinion(points: tuple[float, ...], quote: str, **figures: str) -> dict[str, Any]:
    return build_verdict("OF", points, quote, figures=read(**figures))


def test_above_seven_on_all_three_with_figures_that_pass_is_a_candidate() -> None:
    given = opinion((8, 8, 9), "Nothing forbids a whiter plate")
    judgement = judged(PLAN, given, given)
    assert CANDIDATE in judgement.scored.flags
    assert judgement.points == {"Plausibility": 8, "Novelty": 9, "Completeness": 9.5}
    assert judgement.scored.components is not None
    assert judgement.scored.components.outcome == pytest.approx(100 * 26.5 / 30)


@pytest.mark.parametrize("points", [(7, 10, 10), (10, 3, 10), (10, 10, 3)], ids=["law", "old", "part"])
def test_seven_is_not_above_seven(points: tuple[float, ...]) -> None:
    given = opinion(points, "Nothing forbids a whiter plate")
    assert CANDIDATE not in judged(PLAN, given, given).scored.flags


def test_judges_alone_make_no_candidate() -> None:
    given = opinion((10, 10, 10), "whiter than anything")
    judgement = judged("Make the plate whiter than anything.", given, given)
    assert judgement.points == {"Plausibility": 10, "Novelty": 5, "Completeness": 5}
    assert CANDIDATE not in judgement.scored.flags
    assert judgement.filtered == FilterResult((), (), ("freezes",), ("white", "clear", "leak"))


def test_figures_in_plain_words_count_where_two_judges_read_them_alike() -> None:
    given = opinion((10, 10, 10), "the cover passes 0.97", **FIGURES)
    judgement = judged(FREE, given, given)
    assert judgement.filtered is not None
    assert judgement.filtered.passes
    assert CANDIDATE in judgement.scored.flags


def test_a_figure_that_one_judge_reads_otherwise_is_not_stated() -> None:
    one = opinion((10, 10, 10), "the cover passes 0.97", **FIGURES)
    other = opinion((10, 10, 10), "the cover passes 0.97", **{**FIGURES, "clear": "0.998"})
    judgement = judged(FREE, one, other)
    assert judgement.filtered is not None
    assert judgement.filtered.unstated == ("clear",)


def test_a_figure_that_the_quoted_words_do_not_give_is_not_stated() -> None:
    given = opinion((10, 10, 10), "the cover passes 0.97", **{**FIGURES, "clear": "0.99"})
    judgement = judged(FREE, given, given)
    assert judgement.filtered is not None
    assert judgement.filtered.unstated == ("clear",)


@pytest.mark.parametrize(("dose", "passes"), [("0.6", True), ("0", False)], ids=["whole", "frozen"])
def test_points_do_not_make_up_for_a_condition_that_is_dropped(dose: str, passes: bool) -> None:  # noqa: FBT001 - a case
    """Of four conditions three are met, which with full points would be above seven."""
    figures = {"hold_temp": "220 K", "fed": "12", "dose": dose}
    text = json.dumps({"verdict": "open", "claims": figures, "because": ["Antifreeze of a new kind."]})
    given = opinion((10, 10, 10), "Antifreeze of a new kind")
    judgement = ScriptedPanel({"one": make_judge(given), "two": make_judge(given)}).judge_answer(
        "below_the_ice_point", text
    )
    assert min(judgement.points.values()) > 7
    assert (CANDIDATE in judgement.scored.flags) is passes
