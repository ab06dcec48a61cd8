"""Implementation of `im review`: open questions for humans and their decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import typer

from impossible_moments.cli.actions.breakthroughs.breakthroughs import describe_undecided_candidates
from impossible_moments.cli.exit_status import AWAITING_HUMAN, DONE
from impossible_moments.cli.output.formatting import (
    escape_for_terminal,
    format_time_span,
    format_utc_time,
    print_json,
)
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.cli.scenario_folder import open_ledger
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import LedgerStore
from impossible_moments.pipeline import PendingReview, ReviewDesk, SystemClock

SIDES: Final = ("CHALLENGER", "CHALLENGED")
GOES_ON: Final[Mapping[Option, str]] = {
    Option.RESOLVE: "continues in {phase} with your decision, which does not override a failed computation",
    Option.REDESIGN: "returns to SEED for a redesign, or is discarded if it was already redesigned once",
    Option.DISCARD: "is closed as discarded in {phase}",
    Option.SPLIT: "is closed and replaced by two scenarios, unless it is itself the result of a split",
}


def list_open_reviews(folder: Path, *, as_json: bool) -> int:
    """Print all open questions, ordered by due time."""
    with open_ledger(folder) as store:
        reviews = _open_review_desk(store).list_pending_reviews()
    if as_json:
        print_json([_summarize_review(each) for each in reviews])
        return DONE
    console = Console()
    if line := describe_undecided_candidates(folder):
        console.print(escape_for_terminal(line), soft_wrap=True)
    if not reviews:
        console.print(f"No {'other ' if line else ''}open reviews in {escape_for_terminal(folder)}.")
        return DONE
    table = create_table("scenario", "phase", "wanted", "due", "question", whole=("scenario", "phase"))
    now = SystemClock().now()
    for each in reviews:
        summary = _summarize_review(each)
        table.add_row(
            escape_for_terminal(each.scenario),
            escape_for_terminal(summary["phase"]),
            escape_for_terminal(summary["discipline"]),
            format_due_time(each, now),
            escape_for_terminal(summary["question"]),
        )
    console.print(table)
    return DONE


def show_review(scenario: str, folder: Path, *, key: str | None, as_json: bool) -> int:
    """Print one open question with everything needed to decide it."""
    with open_ledger(folder) as store:
        review = _open_review_desk(store).get_review(scenario, key)
    if as_json:
        print_json({**_summarize_review(review), "assignment": review.assignment})
        return DONE
    console = Console()
    summary, context = _summarize_review(review), review.assignment["context"]
    console.print(
        f"[bold]{escape_for_terminal(scenario)}[/] {escape_for_terminal(review.key)}, {format_due_time(review, SystemClock().now())}"
    )
    for head, lines in _describe_escalation_package(summary, context):
        console.print(f"\n[bold]{head}[/]")
        for line in lines:
            console.print(escape_for_terminal(line), highlight=False)
    console.print(f"\n{escape_for_terminal(review.task)}")
    console.print(
        f"`im review decide {escape_for_terminal(scenario)} OPTION --reason TEXT` records your decision. --json shows the complete documents."
    )
    return DONE


def record_decision(
    scenario: str, decision: HumanDecision, folder: Path, *, key: str | None, as_json: bool
) -> int:
    """Record a decision permanently and print how the run continues. Return the exit status."""
    with open_ledger(folder, read_only=False) as store:
        desk = _open_review_desk(store)
        _validate_decision(decision, desk.get_review(scenario, key))
        review = desk.record_decision(scenario, decision, key=key)
        left = [each.key for each in desk.list_pending_reviews() if each.scenario == scenario]
    words = f"{scenario} {GOES_ON[decision.option].format(phase=review.assignment['phase'])}."
    words += (
        f" It still waits for decisions on {', '.join(left)}."
        if left
        else f" This happens at the next `im resume --output {folder}`."
    )
    if as_json:
        given = decision.model_dump(mode="json")
        print_json(
            {"scenario": scenario, "key": review.key, "decision": given, "open": left, "goes_on": words}
        )
    else:
        typer.echo(words)
    return AWAITING_HUMAN if left else DONE


def format_due_time(review: PendingReview, now: float) -> str:
    """Return when an answer is due, as rich markup that highlights overdue reviews."""
    left = format_time_span(review.due_at - now)
    if review.overdue:
        return f"[red]overdue by {left}[/]"
    return f"due {format_utc_time(review.due_at)} ({left} left)"


def _validate_decision(decision: HumanDecision, review: PendingReview) -> None:
    positions = _get_review_disagreement(review).get("positions", {})
    if not decision.justification.strip():
        raise ConfigurationError(
            "The reason is empty. A decision is final and is published with its reason. Give one with --reason."
        )
    if decision.prevails and decision.option is not Option.RESOLVE:
        raise ConfigurationError(
            f"--prevails {decision.prevails} was given with {decision.option}, but only RESOLVE needs a prevailing side. "
            "Remove --prevails or choose RESOLVE."
        )
    if decision.nothing_to_change and decision.option is not Option.RESOLVE:
        raise ConfigurationError(
            f"--nothing-to-change was given with {decision.option}, but only RESOLVE lets a scenario stand. "
            "Remove --nothing-to-change or choose RESOLVE."
        )
    if decision.option is Option.RESOLVE and len(positions) == len(SIDES) and not decision.prevails:
        sides = " or ".join(f"{side} ({agent})" for side, agent in zip(SIDES, positions, strict=True))
        raise ConfigurationError(
            f"{review.scenario} has two opposing positions, and RESOLVE must state which one is right. "
            f"Add --prevails {sides}."
        )


def _summarize_review(review: PendingReview) -> dict[str, Any]:
    disagreement = _get_review_disagreement(review)
    return {
        "scenario": review.scenario,
        "key": review.key,
        "phase": review.assignment["phase"],
        "trigger": disagreement.get("trigger", ""),
        "question": disagreement.get("question", review.task),
        "discipline": _get_review_context(review).get("discipline", ""),
        "asked_at": format_utc_time(review.asked_at),
        "due_at": format_utc_time(review.due_at),
        "overdue": review.overdue,
    }


def _get_review_context(review: PendingReview) -> Mapping[str, Any]:
    found = review.assignment["context"]
    return found if isinstance(found, dict) else {}


def _get_review_disagreement(review: PendingReview) -> Mapping[str, Any]:
    found = _get_review_context(review).get("disagreement")
    return found if isinstance(found, dict) else {}


def _describe_escalation_package(
    summary: Mapping[str, Any], context: Mapping[str, Any]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the headings of the escalation package with their lines. Documents are listed by name only."""
    yield "Question", [f"{summary['question']}", f"Reason for human review: {summary['trigger']}"]
    disagreement = context.get("disagreement", {})
    positions = disagreement.get("positions", {})
    sides = [f"{side} " for side in SIDES] if len(positions) == len(SIDES) else [""] * len(positions)
    if positions:
        yield (
            "Positions",
            [
                f"{side}{agent}: {words}"
                for side, (agent, words) in zip(sides, positions.items(), strict=True)
            ],
        )
    evidence = [
        f"{side}, {each['kind']}: {each['text']}" + (f" [{each['expression']}]" if each["expression"] else "")
        for side, found in context.get("evidence", {}).items()
        for each in found
    ]
    if evidence:
        yield "Evidence", evidence
    if context.get("confidences"):
        yield (
            "Confidence",
            [
                f"{agent}: {', '.join(f'{kind} {value:.2f}' for kind, value in found.items())}"
                for agent, found in context["confidences"].items()
            ],
        )
    if context.get("assessment"):
        yield "Why it was not settled", [context["assessment"]]
    sections = context.get("scenario", {}).get("sections", [])
    yield from _describe_scenario(sections)
    if sections:
        yield (
            "Documents",
            [
                f"{each['phase']} {each['author']}: {each['document']} {each['iteration'] + 1}"
                for each in sections
            ],
        )


def _describe_scenario(sections: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    seeds = [each["fields"] for each in sections if each["document"] == "SeedDocument"]
    if seeds:
        scenario = seeds[-1]["scenario"]
        yield "Scenario", [scenario["name"], scenario["narrative"]]


def _open_review_desk(store: LedgerStore) -> ReviewDesk:
    return ReviewDesk(store, SystemClock(), version("impossible-moments"))
