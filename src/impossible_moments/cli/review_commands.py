"""`im review`: names and options of its commands."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, AsJson, Key, Output, ScenarioId

review_app = typer.Typer(help="What waits for a human, and the human's decision.", no_args_is_help=True)


# The words are those of the deliverable; a test compares them. To import it would load the whole domain for --help.
class Choice(StrEnum):
    """What a reviewer may decide."""

    RESOLVE = "RESOLVE"
    REDESIGN = "REDESIGN"
    DISCARD = "DISCARD"
    SPLIT = "SPLIT"


class Side(StrEnum):
    """The two sides of a dispute."""

    CHALLENGER = "CHALLENGER"
    CHALLENGED = "CHALLENGED"


@review_app.command("list")
def review_list(*, output: Output = SCENARIOS, as_json: AsJson = False) -> None:
    """The open questions, the one that is due first at the head."""
    from impossible_moments.cli import review

    raise typer.Exit(review.listed(output, as_json=as_json))


@review_app.command("show")
def review_show(
    scenario: ScenarioId, *, key: Key = None, output: Output = SCENARIOS, as_json: AsJson = False
) -> None:
    """One question with all that is needed to decide it."""
    from impossible_moments.cli import review

    raise typer.Exit(review.show(scenario, output, key=key, as_json=as_json))


@review_app.command("decide")
def review_decide(  # noqa: PLR0913 - each option is one of the command's
    scenario: ScenarioId,
    option: Annotated[Choice, typer.Argument(help="What is to become of it.", case_sensitive=False)],
    *,
    reason: Annotated[str, typer.Option(help="The justification; it is published.", show_default=False)],
    structural_flaw: Annotated[
        bool,
        typer.Option("--structural-flaw", help="The disagreement reveals a flaw of the scenario itself."),
    ] = False,
    prevails: Annotated[
        Side | None,
        typer.Option(help="The side that is right, where two positions are resolved.", case_sensitive=False),
    ] = None,
    reviewer: Annotated[str, typer.Option(help="Who decides.")] = "",
    key: Key = None,
    output: Output = SCENARIOS,
    as_json: AsJson = False,
) -> None:
    """Decide an open question, for good.

    Exit status 0, or 3 if the scenario waits for another decision still.
    """
    from impossible_moments.cli import review
    from impossible_moments.domain.disputes import HumanDecision, Option

    decision = HumanDecision(
        option=Option(option),
        justification=reason,
        prevails="" if prevails is None else prevails.value,
        structural_flaw=structural_flaw,
        reviewer=reviewer,
    )
    raise typer.Exit(review.decide(scenario, decision, output, key=key, as_json=as_json))
