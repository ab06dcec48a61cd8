"""Implementation of `im review`: open questions for humans and their decisions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import typer
from rich.console import Console
from rich.table import Table

from impossible_moments.cli.breakthroughs import open_line
from impossible_moments.cli.outcome import AWAITING_HUMAN, DONE
from impossible_moments.cli.output_folder import opened
from impossible_moments.cli.printing import hours, print_json, said, utc
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.store import Store
from impossible_moments.runtime.clock import SystemClock
from impossible_moments.runtime.review_desk import Review, ReviewDesk

SIDES: Final = ("CHALLENGER", "CHALLENGED")
GOES_ON: Final[Mapping[Option, str]] = {
    Option.RESOLVE: "continues in {phase} with your decision, which does not override a failed computation",
    Option.REDESIGN: "returns to SEED for a redesign, or is discarded if it was already redesigned once",
    Option.DISCARD: "is closed as discarded in {phase}",
    Option.SPLIT: "is closed and replaced by two scenarios, unless it is itself the result of a split",
}


def listed(folder: Path, *, as_json: bool) -> int:
    """Print all open questions, ordered by due time."""
    with opened(folder) as store:
        reviews = _desk(store).pending()
    if as_json:
        print_json([_summary(each) for each in reviews])
        return DONE
    console = Console()
    if line := open_line(folder):
        console.print(said(line), soft_wrap=True)
    if not reviews:
        console.print(f"No {'other ' if line else ''}open reviews in {said(folder)}.")
        return DONE
    table = Table(box=None, pad_edge=False)
    for head in ("scenario", "phase", "wanted", "due", "question"):
        table.add_column(head, no_wrap=head == "scenario")
    now = SystemClock().now()
    for each in reviews:
        summary = _summary(each)
        table.add_row(
            said(each.scenario),
            said(summary["phase"]),
            said(summary["discipline"]),
            due(each, now),
            said(summary["question"]),
        )
    console.print(table)
    return DONE


def show(scenario: str, folder: Path, *, key: str | None, as_json: bool) -> int:
    """Print one open question with everything needed to decide it."""
    with opened(folder) as store:
        review = _desk(store).show(scenario, key)
    if as_json:
        print_json({**_summary(review), "assignment": review.assignment})
        return DONE
    console = Console()
    summary, context = _summary(review), review.assignment["context"]
    console.print(f"[bold]{said(scenario)}[/] {said(review.key)}, {due(review, SystemClock().now())}")
    for head, lines in _told(summary, context):
        console.print(f"\n[bold]{head}[/]")
        for line in lines:
            console.print(said(line), highlight=False)
    console.print(f"\n{said(review.task)}")
    console.print(
        f"`im review decide {said(scenario)} OPTION --reason TEXT` records your decision. --json shows the complete documents."
    )
    return DONE


def decide(scenario: str, decision: HumanDecision, folder: Path, *, key: str | None, as_json: bool) -> int:
    """Record a decision permanently and print how the run continues. Return the exit status."""
    with opened(folder) as store:
        desk = _desk(store)
        _refuse_unless_fit(decision, desk.show(scenario, key))
        review = desk.decide(scenario, decision, key=key)
        left = [each.key for each in desk.pending() if each.scenario == scenario]
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


def due(review: Review, now: float) -> str:
    """Return when an answer is due, as rich markup that highlights overdue reviews."""
    left = hours(review.due_at - now)
    if review.overdue:
        return f"[red]overdue by {left}[/]"
    return f"due {utc(review.due_at)} ({left} left)"


def _refuse_unless_fit(decision: HumanDecision, review: Review) -> None:
    positions = _disagreement(review).get("positions", {})
    if not decision.justification.strip():
        raise ConfigurationError(
            "The reason is empty. A decision is final and is published with its reason. Give one with --reason."
        )
    if decision.prevails and decision.option is not Option.RESOLVE:
        raise ConfigurationError(
            f"--prevails {decision.prevails} was given with {decision.option}, but only RESOLVE needs a prevailing side. "
            "Remove --prevails or choose RESOLVE."
        )
    if decision.option is Option.RESOLVE and len(positions) == len(SIDES) and not decision.prevails:
        sides = " or ".join(f"{side} ({agent})" for side, agent in zip(SIDES, positions, strict=True))
        raise ConfigurationError(
            f"{review.scenario} has two opposing positions, and RESOLVE must state which one is right. "
            f"Add --prevails {sides}."
        )


def _summary(review: Review) -> dict[str, Any]:
    disagreement = _disagreement(review)
    return {
        "scenario": review.scenario,
        "key": review.key,
        "phase": review.assignment["phase"],
        "trigger": disagreement.get("trigger", ""),
        "question": disagreement.get("question", review.task),
        "discipline": _context(review).get("discipline", ""),
        "asked_at": utc(review.asked_at),
        "due_at": utc(review.due_at),
        "overdue": review.overdue,
    }


def _context(review: Review) -> Mapping[str, Any]:
    found = review.assignment["context"]
    return found if isinstance(found, dict) else {}


def _disagreement(review: Review) -> Mapping[str, Any]:
    found = _context(review).get("disagreement")
    return found if isinstance(found, dict) else {}


def _told(summary: Mapping[str, Any], context: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
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
    yield from _narrative(sections)
    if sections:
        yield (
            "Documents",
            [
                f"{each['phase']} {each['author']}: {each['document']} {each['iteration'] + 1}"
                for each in sections
            ],
        )


def _narrative(sections: list[dict[str, Any]]) -> Iterator[tuple[str, list[str]]]:
    seeds = [each["fields"] for each in sections if each["document"] == "SeedDocument"]
    if seeds:
        scenario = seeds[-1]["scenario"]
        yield "Scenario", [scenario["name"], scenario["narrative"]]


def _desk(store: Store) -> ReviewDesk:
    return ReviewDesk(store, SystemClock(), version("impossible-moments"))
