"""`im review`: what waits for a human is listed, shown whole, and decided once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from typer.testing import CliRunner, Result

from impossible_moments.cli.commands.review import DisputeSide, ReviewChoice
from impossible_moments.cli.main import app
from impossible_moments.domain.disputes import Evidence, HumanDecision, Option
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.pipeline.clock import SystemClock
from impossible_moments.pipeline.review_desk import PendingReview, ReviewDesk
from support.played_scenarios import make_concerned_player, make_obliging_player, run_scenario

Invoke = Callable[..., Result]
HOUR = 3600.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder in which a scenario waits for a human."""
    assert (
        run_scenario(tmp_path, make_concerned_player(), at=SystemClock().now()).state
        is ScenarioState.AWAITING_HUMAN
    )
    return tmp_path


@pytest.fixture
def review(folder: Path) -> Invoke:
    return lambda *arguments: CliRunner().invoke(app, ["review", *arguments, "--output", str(folder)])


def test_an_open_question_is_listed_with_who_is_wanted(review: Invoke) -> None:
    (found,) = json.loads(review("list", "--json").stdout)

    assert (found["scenario"], found["phase"], found["discipline"], found["overdue"]) == (
        "IM-0001",
        "CLASSIFY",
        "ethicist",
        False,
    )


def test_a_late_question_is_marked(tmp_path: Path) -> None:
    run_scenario(tmp_path, make_concerned_player(), at=SystemClock().now() - 60 * HOUR)
    result = CliRunner().invoke(app, ["review", "list", "--output", str(tmp_path)])

    assert "overdue" in result.stdout


def test_a_folder_where_nothing_waits_says_so(tmp_path: Path) -> None:
    run_scenario(tmp_path, make_obliging_player())
    result = CliRunner().invoke(app, ["review", "list", "--output", str(tmp_path)])

    assert "No open reviews in" in " ".join(result.stdout.split())


@pytest.mark.parametrize(
    "part", ["Question", "Confidence", "Why it was not settled", "The Blast Room", "Documents"]
)
def test_a_question_is_shown_with_what_is_needed_to_decide(review: Invoke, part: str) -> None:
    assert part in review("show", "IM-0001").stdout


def test_a_question_as_json_holds_every_document_whole(review: Invoke) -> None:
    data = json.loads(review("show", "IM-0001", "--json").stdout)
    seed = data["assignment"]["context"]["scenario"]["sections"][0]

    assert seed["fields"]["mechanics"]["title"] == "The Blast Room"


@pytest.mark.parametrize("option", ["RESOLVE", "redesign", "DISCARD", "SPLIT"])
def test_a_decision_is_one_sentence_on_how_it_goes_on(review: Invoke, option: str) -> None:
    result = review("decide", "IM-0001", option, "--reason", "It is fiction.")

    assert (result.exit_code, result.stdout.startswith("IM-0001 ")) == (0, True)


def test_after_a_decision_the_run_goes_on_by_it(review: Invoke, folder: Path) -> None:
    review("decide", "IM-0001", "RESOLVE", "--reason", "It is fiction.")

    assert (
        run_scenario(folder, make_obliging_player(), at=SystemClock().now()).state is ScenarioState.ACCEPTED
    )


def test_a_decision_is_recorded_with_everything_that_was_said(review: Invoke) -> None:
    result = review(
        *("decide", "IM-0001", "DISCARD", "--reason", "Cruel.", "--structural-flaw"),
        *("--reviewer", "Ada", "--json"),
    )

    assert json.loads(result.stdout)["decision"] == {
        "option": "DISCARD",
        "justification": "Cruel.",
        "prevails": "",
        "structural_flaw": True,
        "nothing_to_change": False,
        "reviewer": "Ada",
    }


def test_a_second_decision_is_refused(review: Invoke) -> None:
    review("decide", "IM-0001", "RESOLVE", "--reason", "It is fiction.")

    assert "IM-0001 has no open review." in str(
        review("decide", "IM-0001", "DISCARD", "--reason", "No.").exception
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["DISCARD", "--reason", "x", "--prevails", "CHALLENGER"], "only RESOLVE needs a prevailing side"),
        (["SPLIT", "--reason", "x", "--nothing-to-change"], "only RESOLVE lets a scenario stand"),
        (["RESOLVE", "--reason", " "], "The reason is empty"),
        (["RESOLVE", "--reason", "x", "--key", "other"], "has no open review 'other'"),
    ],
)
def test_a_decision_that_does_not_fit_is_refused_with_a_sentence(
    review: Invoke, options: list[str], sentence: str
) -> None:
    assert sentence in str(review("decide", "IM-0001", *options).exception)


@pytest.mark.parametrize("options", [["ALLOW", "--reason", "x"], ["RESOLVE"]])
def test_an_unknown_option_or_a_missing_reason_leaves_status_2(review: Invoke, options: list[str]) -> None:
    assert review("decide", "IM-0001", *options).exit_code == 2


@pytest.fixture
def two_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question that is shown has two positions."""
    shown = ReviewDesk.get_review

    def disputed(self: ReviewDesk, scenario: str, key: str | None = None) -> PendingReview:
        found = shown(self, scenario, key)
        found.assignment["context"]["disagreement"]["positions"] = {"NEWTON": "too heavy", "ATHENA": "light"}
        evidence = Evidence(kind="proof", text="by [bold]weighing[/]", expression="a > b")
        found.assignment["context"]["evidence"] = {"NEWTON": [evidence.model_dump(mode="json")]}
        return found

    monkeypatch.setattr(ReviewDesk, "get_review", disputed)


@pytest.mark.usefixtures("two_positions")
def test_of_two_positions_one_must_be_named_to_resolve(review: Invoke) -> None:
    result = review("decide", "IM-0001", "RESOLVE", "--reason", "x")

    assert "CHALLENGER (NEWTON) or CHALLENGED (ATHENA)" in str(result.exception)


@pytest.mark.usefixtures("two_positions")
def test_the_side_that_prevails_is_recorded(review: Invoke) -> None:
    result = review("decide", "IM-0001", "RESOLVE", "--reason", "x", "--prevails", "challenger", "--json")

    assert json.loads(result.stdout)["decision"]["prevails"] == "CHALLENGER"


@pytest.mark.usefixtures("two_positions")
def test_positions_are_shown_with_their_sides_and_evidence_as_it_was_written(review: Invoke) -> None:
    shown = review("show", "IM-0001").stdout

    assert "CHALLENGER NEWTON: too heavy" in shown
    assert "by [bold]weighing[/]" in shown


def test_the_words_of_the_command_are_the_deliverable_s() -> None:
    prevails = HumanDecision.model_fields["prevails"].annotation

    assert ([*map(str, ReviewChoice)], ["", *DisputeSide]) == ([*map(str, Option)], [*get_args(prevails)])
