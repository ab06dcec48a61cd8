"""Names similar to an unknown one, and options with fixed values."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from impossible_moments.cli.choices import (
    LONGEST_NAME,
    MOST_NAMES,
    build_choice_argument,
    build_choice_option,
    find_similar_names,
    suggest_names,
)

LADDERS = ("stepladder", "wooden_ladder", "rope_ladder", "ladle", "colander", "lad")


class Colour(StrEnum):
    RED = "RED"
    GREEN = "GREEN"


app = typer.Typer()


@app.command()
def paint(
    first: Annotated[Colour, build_choice_argument(Colour, help="A colour.")],
    second: Annotated[Colour | None, build_choice_option(Colour, help="Another colour.")] = None,
) -> None:
    typer.echo(f"{first.name} {second.name if second else '-'}")


@pytest.mark.parametrize(
    ("name", "known", "similar"),
    [
        ("stepldr", LADDERS, "stepladder"),
        ("Rope Ladder", LADDERS, "rope_ladder"),
        ("rope-lader", LADDERS, "rope_ladder"),
        ("newtn", ("NEWTON", "EULER"), "NEWTON"),
        ("locked", ("The Locked Room", "The Cascade"), "The Locked Room"),
        ("ks-fragil", ("KS", "KS-Singular", "KS-Fragile"), "KS-Fragile"),
    ],
)
def test_the_most_similar_name_comes_first(name: str, known: tuple[str, ...], similar: str) -> None:
    assert find_similar_names(name, known)[0] == similar


def test_names_that_contain_the_given_one_come_before_others() -> None:
    assert find_similar_names("ladder", LADDERS) == ["stepladder", "rope_ladder", "wooden_ladder"]


@pytest.mark.parametrize("name", ["", "zzz", "unobtainium", "KS-Banana", "x" * 10_000])
def test_a_name_that_resembles_nothing_has_no_suggestion(name: str) -> None:
    assert suggest_names(name, ("KS", "KS-Singular", "KS-Multiple", "KS-Fragile")) == ""


def test_a_suggestion_is_a_question_after_the_sentence() -> None:
    assert suggest_names("gren", Colour) == " Did you mean GREEN?"
    assert suggest_names("ladder", LADDERS) == " Did you mean stepladder, rope_ladder or wooden_ladder?"


def test_few_names_are_suggested() -> None:
    assert len(find_similar_names("thing", [f"thing_{at}" for at in range(20)])) == MOST_NAMES


@pytest.mark.parametrize("arguments", [["red"], ["RED"], ["Red", "--second", "green"]])
def test_a_choice_is_read_in_any_case(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, arguments)

    assert result.exit_code == 0
    assert result.stdout.startswith("RED")


@pytest.mark.parametrize("arguments", [["GREN"], ["RED", "--second", "gren"]])
def test_an_unknown_choice_is_status_2_with_the_known_ones_and_a_suggestion(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, arguments)
    shown = " ".join(result.stderr.replace("│", " ").split())

    assert result.exit_code == 2
    assert "is not one of RED, GREEN. Did you mean GREEN?" in shown


def test_a_long_value_is_not_repeated_in_full() -> None:
    assert "x" * (LONGEST_NAME + 1) not in "".join(CliRunner().invoke(app, ["x" * 500]).stderr.split())
