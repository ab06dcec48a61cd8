"""Command declarations of `im review`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from impossible_moments.cli.choices import build_choice_argument, build_choice_option
from impossible_moments.cli.options import SCENARIOS, AsJson, Key, Output, ScenarioId

review_app = typer.Typer(
    help="Open questions for human review: list, show and decide them.", no_args_is_help=True
)


# Copy of the options of HumanDecision (a test compares them). Importing the domain would slow down --help.
class ReviewChoice(StrEnum):
    """Decision of a reviewer."""

    RESOLVE = "RESOLVE"
    REDESIGN = "REDESIGN"
    DISCARD = "DISCARD"
    SPLIT = "SPLIT"


class DisputeSide(StrEnum):
    """Side of a dispute."""

    CHALLENGER = "CHALLENGER"
    CHALLENGED = "CHALLENGED"


@review_app.command("list")
def list_reviews(*, output: Output = SCENARIOS, as_json: AsJson = False) -> None:
    """List open questions, ordered by due time."""
    from impossible_moments.cli.actions import review

    raise typer.Exit(review.list_open_reviews(output, as_json=as_json))


@review_app.command("show")
def show_review(
    scenario: ScenarioId, *, key: Key = None, output: Output = SCENARIOS, as_json: AsJson = False
) -> None:
    """Show one open question with everything needed to decide it."""
    from impossible_moments.cli.actions import review

    raise typer.Exit(review.show_review(scenario, output, key=key, as_json=as_json))


@review_app.command("decide")
def decide_review(  # noqa: PLR0913 - each option is one of the command's
    scenario: ScenarioId,
    option: Annotated[
        ReviewChoice,
        build_choice_argument(ReviewChoice, help="The decision."),
    ],
    *,
    reason: Annotated[
        str, typer.Option(help="Justification of the decision. It is published.", show_default=False)
    ],
    structural_flaw: Annotated[
        bool,
        typer.Option("--structural-flaw", help="The disagreement reveals a flaw in the scenario itself."),
    ] = False,
    nothing_to_change: Annotated[
        bool,
        typer.Option(
            "--nothing-to-change",
            help="With RESOLVE: the scenario stands as it is. Otherwise ATHENA revises it by your reason.",
        ),
    ] = False,
    prevails: Annotated[
        DisputeSide | None,
        build_choice_option(DisputeSide, help="The side that is right, if two positions are resolved."),
    ] = None,
    reviewer: Annotated[str, typer.Option(help="Name of the reviewer.")] = "",
    key: Key = None,
    output: Output = SCENARIOS,
    as_json: AsJson = False,
) -> None:
    """Decide an open question. Decisions are final.

    Exit status: 0, or 3 if the scenario still waits for another decision.
    """
    from impossible_moments.cli.actions import review
    from impossible_moments.domain.disputes import HumanDecision, Option

    decision = HumanDecision(
        option=Option(option),
        justification=reason,
        prevails="" if prevails is None else prevails.value,
        structural_flaw=structural_flaw,
        nothing_to_change=nothing_to_change,
        reviewer=reviewer,
    )
    raise typer.Exit(review.record_decision(scenario, decision, output, key=key, as_json=as_json))
