"""`im breakthroughs`: names and options of its commands."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.options import SCENARIOS, AsJson

breakthroughs_app = typer.Typer(
    help="Answers that may solve an open question: from a result file to a panel of experts.",
    no_args_is_help=True,
)

Scenarios = Annotated[Path, typer.Option(help="The folder of the scenarios; the log is kept in it.")]
Name = Annotated[str, typer.Argument(metavar="ID", help="A candidate, as `im breakthroughs list` names it.")]


class Vote(StrEnum):
    """An answer to one of the four questions."""

    YES = "yes"
    NO = "no"


# The letters are those of the domain; a test compares them. To import it would load the records for --help.
class VerifiedBy(StrEnum):
    """How a candidate was verified."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


@breakthroughs_app.command("collect")
def breakthroughs_collect(
    results: Annotated[Path, typer.Argument(help="A file that `im eval` wrote.", show_default=False)],
    *,
    scenarios: Scenarios = SCENARIOS,
    unjudged: Annotated[
        bool, typer.Option("--unjudged", help="Also take answers that no judge has settled; they say so.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put answers to open questions that passed the automatic filter, and the judges, into the log."""
    from impossible_moments.cli import breakthroughs

    raise typer.Exit(breakthroughs.collect(results, scenarios, unjudged=unjudged, as_json=as_json))


@breakthroughs_app.command("list")
def breakthroughs_list(*, scenarios: Scenarios = SCENARIOS, as_json: AsJson = False) -> None:
    """Every candidate with where it stands."""
    from impossible_moments.cli import breakthroughs

    raise typer.Exit(breakthroughs.listed(scenarios, as_json=as_json))


@breakthroughs_app.command("show")
def breakthroughs_show(name: Name, *, scenarios: Scenarios = SCENARIOS, as_json: AsJson = False) -> None:
    """One candidate with all that an expert needs to vote."""
    from impossible_moments.cli import breakthroughs

    raise typer.Exit(breakthroughs.show(name, scenarios, as_json=as_json))


@breakthroughs_app.command("review")
def breakthroughs_review(  # noqa: PLR0913 - each option is one of the command's
    name: Name,
    *,
    expert: Annotated[str, typer.Option(help="Who votes; each expert once.", show_default=False)],
    novel: Annotated[Vote, typer.Option(help="Is it new against what is known?", show_default=False)],
    valid: Annotated[Vote, typer.Option(help="Does the physics hold?", show_default=False)],
    complete: Annotated[Vote, typer.Option(help="Is every condition met?", show_default=False)],
    testable: Annotated[Vote, typer.Option(help="Could somebody test it?", show_default=False)],
    reason: Annotated[str, typer.Option(help="Why; it is published.", show_default=False)],
    scenarios: Scenarios = SCENARIOS,
    as_json: AsJson = False,
) -> None:
    """Cast one vote of the panel of three, for good; two that agree decide.

    Exit status 0 if the panel has decided, 3 if it waits for another vote.
    """
    from impossible_moments.cli import breakthroughs

    ballot = breakthroughs.Ballot(
        expert=expert,
        novel=novel is Vote.YES,
        valid=valid is Vote.YES,
        complete=complete is Vote.YES,
        testable=testable is Vote.YES,
        reason=reason,
    )
    raise typer.Exit(breakthroughs.review(name, scenarios, ballot, as_json=as_json))


@breakthroughs_app.command("verify")
def breakthroughs_verify(
    name: Name,
    *,
    tier: Annotated[
        VerifiedBy,
        typer.Option(
            help="A analytical, B computational, C experimental, D consensus of five experts or more.",
            case_sensitive=False,
            show_default=False,
        ),
    ],
    evidence: Annotated[
        str,
        typer.Option(help="What shows it, and where it can be read; it is published.", show_default=False),
    ],
    expert: Annotated[list[str], typer.Option(help="Who verified it; may be repeated.", show_default=False)],
    scenarios: Scenarios = SCENARIOS,
    as_json: AsJson = False,
) -> None:
    """Write down that a confirmed candidate was verified, and propose to turn its scenario from OF to KS."""
    from impossible_moments.cli import breakthroughs

    raise typer.Exit(
        breakthroughs.verify(
            name, scenarios, tier=tier.value, evidence=evidence, experts=tuple(expert), as_json=as_json
        )
    )
