"""Command declarations of `im breakthroughs`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.cli.choices import build_choice_option
from impossible_moments.cli.options import SCENARIOS, AsJson

breakthroughs_app = typer.Typer(
    help="Answers that may solve an open scenario: collect them, review them by an expert panel, verify them.",
    no_args_is_help=True,
)

Scenarios = Annotated[Path, typer.Option(help="Folder of the scenarios. The log is stored in it.")]
Name = Annotated[str, typer.Argument(metavar="ID", help="Candidate ID, as shown by `im breakthroughs list`.")]


class ReviewAnswer(StrEnum):
    """Answer to one of the four review questions."""

    YES = "yes"
    NO = "no"


# Copy of the domain's letters (a test compares them). Importing the domain would slow down --help.
class VerificationTierOption(StrEnum):
    """Verification tier of a candidate."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"


class VerificationResult(StrEnum):
    """Result of a verification."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"


@breakthroughs_app.command("collect")
def collect_breakthroughs(
    results: Annotated[Path, typer.Argument(help="Result file written by `im eval`.", show_default=False)],
    *,
    scenarios: Scenarios = SCENARIOS,
    unjudged: Annotated[
        bool,
        typer.Option("--unjudged", help="Also collect answers that no judge has scored. They are marked."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Add answers to open scenarios that passed the automatic filter and the judges to the log."""
    from impossible_moments.cli.actions.breakthroughs import breakthroughs

    raise typer.Exit(breakthroughs.collect_candidates(results, scenarios, unjudged=unjudged, as_json=as_json))


@breakthroughs_app.command("list")
def list_breakthroughs(*, scenarios: Scenarios = SCENARIOS, as_json: AsJson = False) -> None:
    """List all candidates with their standing."""
    from impossible_moments.cli.actions.breakthroughs import breakthroughs

    raise typer.Exit(breakthroughs.list_candidates(scenarios, as_json=as_json))


@breakthroughs_app.command("show")
def show_breakthrough(name: Name, *, scenarios: Scenarios = SCENARIOS, as_json: AsJson = False) -> None:
    """Show one candidate with everything an expert needs to vote."""
    from impossible_moments.cli.actions.breakthroughs import breakthroughs

    raise typer.Exit(breakthroughs.show_candidate(name, scenarios, as_json=as_json))


@breakthroughs_app.command("review")
def review_breakthrough(  # noqa: PLR0913 - each option is one of the command's
    name: Name,
    *,
    expert: Annotated[
        str, typer.Option(help="Name of the voter. Each expert votes once.", show_default=False)
    ],
    novel: Annotated[
        ReviewAnswer,
        build_choice_option(ReviewAnswer, help="Is it new compared with known work?", show_default=False),
    ],
    valid: Annotated[
        ReviewAnswer, build_choice_option(ReviewAnswer, help="Is the physics correct?", show_default=False)
    ],
    complete: Annotated[
        ReviewAnswer, build_choice_option(ReviewAnswer, help="Is every condition met?", show_default=False)
    ],
    testable: Annotated[
        ReviewAnswer, build_choice_option(ReviewAnswer, help="Can it be tested?", show_default=False)
    ],
    reason: Annotated[str, typer.Option(help="Reason for the vote. It is published.", show_default=False)],
    scenarios: Scenarios = SCENARIOS,
    as_json: AsJson = False,
) -> None:
    """Cast one vote of the panel of three. Votes are final. Two equal votes decide.

    Exit status: 0 if the panel has decided, 3 if another vote is needed.
    """
    from impossible_moments.cli.actions.breakthroughs import breakthroughs

    ballot = breakthroughs.ExpertBallot(
        expert=expert,
        novel=novel is ReviewAnswer.YES,
        valid=valid is ReviewAnswer.YES,
        complete=complete is ReviewAnswer.YES,
        testable=testable is ReviewAnswer.YES,
        reason=reason,
    )
    raise typer.Exit(breakthroughs.record_expert_vote(name, scenarios, ballot, as_json=as_json))


@breakthroughs_app.command("verify")
def verify_breakthrough(  # noqa: PLR0913 - each option is one of the command's
    name: Name,
    *,
    tier: Annotated[
        VerificationTierOption,
        build_choice_option(
            VerificationTierOption,
            help="A: analytical, B: computational, C: experimental, D: consensus of at least five experts.",
            show_default=False,
        ),
    ],
    result: Annotated[
        VerificationResult,
        build_choice_option(
            VerificationResult, help="Whether the verification confirms or refutes it.", show_default=False
        ),
    ],
    by: Annotated[
        list[str],
        typer.Option("--by", "--expert", help="Who verified it. May be repeated.", show_default=False),
    ],
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            "--evidence",
            help="The evidence and where to find it. It is published.",
            show_default=False,
        ),
    ],
    scenarios: Scenarios = SCENARIOS,
    as_json: AsJson = False,
) -> None:
    """Record the verification of a candidate that experts have confirmed.

    ID is a candidate of the log, or a scenario whose own agents proposed the breakthrough. If the verification
    confirms it, the registry changes the status of the scenario from OF to KS, and the changelog lists it.
    """
    from impossible_moments.cli.actions.breakthroughs.breakthrough_verification import (
        Verification,
        record_verification,
    )

    given = Verification(tier=tier.value, result=result.value, by=tuple(by), reason=reason)
    raise typer.Exit(record_verification(name, scenarios, given, as_json=as_json))
