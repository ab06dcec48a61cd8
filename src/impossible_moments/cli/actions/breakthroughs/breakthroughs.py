"""Implementation of `im breakthroughs`: collect, list, show and review candidates."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from typing import Any

import typer

from impossible_moments.cli.actions.report import read_results
from impossible_moments.cli.exit_status import AWAITING_HUMAN, DONE
from impossible_moments.cli.output.formatting import (
    escape_control_characters,
    escape_for_terminal,
    format_utc_time,
    print_json,
)
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.evaluation_protocol import PANEL
from impossible_moments.evaluation import Environment, find_key_folder
from impossible_moments.evaluation.breakthroughs import (
    BreakthroughCandidate,
    BreakthroughLog,
    CandidateCollection,
    CandidateCollector,
    CandidateStanding,
    ExpertVote,
    describe_stage_results,
    render_candidate_page,
)
from impossible_moments.pipeline import SystemClock
from impossible_moments.scenarios import write_file_atomically
from impossible_moments.scenarios.similarity import load_wordllama_embedder


@dataclass(frozen=True)
class ExpertBallot:
    """Vote of one expert, as given on the command line."""

    expert: str
    novel: bool
    valid: bool
    complete: bool
    testable: bool
    reason: str


def collect_candidates(results: Path, scenarios: Path, *, unjudged: bool, as_json: bool) -> int:
    """Add the candidates of a result file to the log.

    Print them and the number of excluded answers by reason.
    """
    read = read_results(results)
    collector = CandidateCollector(
        Environment(scenarios), load_wordllama_embedder(), unjudged, at=get_current_time()
    )
    collector.check_known_scenarios(read)
    log = open_breakthrough_log(scenarios)
    with log.hold_lock():
        found = collector.collect(read, log.candidates)
        log.add(found.events, found.authors)
        for name in dict.fromkeys(event.candidate for event in found.events):
            write_candidate_page(log, name)
    if as_json:
        print_json(
            {
                "collected": [each.candidate for each in found.new_candidates],
                "known": found.known_candidates,
                "unjudged": found.unjudged_answers,
                "below": found.answers_below_threshold,
                "short": found.answers_failing_filter,
                "closed": found.answers_to_closed_scenarios,
            }
        )
        return DONE
    for line in _format_collected_candidates(found, log):
        typer.echo(line)
    return DONE


def list_candidates(scenarios: Path, *, as_json: bool) -> int:
    """Print all candidates, those that wait for the panel first."""
    log = open_breakthrough_log(scenarios)
    # The sort is stable: candidates with the same standing stay in the order of collection.
    candidates = sorted(
        log.candidates.values(), key=lambda each: list(CandidateStanding).index(each.standing)
    )
    if as_json:
        print_json([summarize_candidate(each, log) for each in candidates])
        return DONE
    console = Console()
    if not candidates:
        console.print(
            f"{escape_for_terminal(log.folder)} contains no candidates. `im breakthroughs collect` adds them."
        )
        return DONE
    table = create_table(
        "candidate", "scenario", "standing", "votes", "novelty", "judges", whole=("candidate", "votes")
    )
    for each in candidates:
        table.add_row(
            escape_for_terminal(each.name),
            escape_for_terminal(each.collected.title),
            each.standing,
            f"{len(each.votes)} of {PANEL}",
            each.collected.novelty.found.name.lower(),
            "none"
            if each.judging is None
            else "above threshold"
            if each.judging.flagged
            else "below threshold",
        )
    console.print(table)
    return DONE


def show_candidate(name: str, scenarios: Path, *, as_json: bool) -> int:
    """Print the page of a candidate, or its data as JSON."""
    log = open_breakthrough_log(scenarios)
    candidate = log.get_candidate(name)
    if as_json:
        print_json(
            {**summarize_candidate(candidate, log), "collected": candidate.collected.model_dump(mode="json")}
        )
    else:
        typer.echo(
            escape_control_characters(
                render_candidate_page(candidate, log.list_authors_after_panel_decision(candidate))
            ),
            nl=False,
        )
    return DONE


def record_expert_vote(name: str, scenarios: Path, ballot: ExpertBallot, *, as_json: bool) -> int:
    """Record one vote permanently and print whether the panel has decided. Return the exit status."""
    log = open_breakthrough_log(scenarios)
    log.get_candidate(name)
    with log.hold_lock():
        log.add([ExpertVote(candidate=name, at=get_current_time(), **asdict(ballot))])
        candidate = write_candidate_page(log, name)
    if as_json:
        print_json(summarize_candidate(candidate, log))
    elif candidate.is_decided:
        typer.echo(f"{name}: {candidate.standing}.")
        for vote in candidate.votes:
            word = "yes" if vote.confirms else "no"
            typer.echo(
                f"  {escape_control_characters(vote.expert)}, {word}: {escape_control_characters(' '.join(vote.reason.split()))}"
            )
        typer.echo(
            f"  The answer is by {escape_control_characters(', '.join(log.list_authors_after_panel_decision(candidate)) or 'unknown authors')}."
        )
    else:
        typer.echo(
            f"Breakthrough candidate {name}: {len(candidate.votes)} of {PANEL} votes. The panel has not decided yet. "
            "Votes stay hidden from the next expert."
        )
    return DONE if candidate.is_decided else AWAITING_HUMAN


def describe_undecided_candidates(scenarios: Path) -> str:
    """Return a line for `im review list` about undecided candidates, or an empty string if there are none."""
    waiting = [each for each in open_breakthrough_log(scenarios).candidates.values() if not each.is_decided]
    if not waiting:
        return ""
    noun = "candidate" if len(waiting) == 1 else "candidates"
    return (
        f"{len(waiting)} breakthrough {noun} awaiting expert review: see `im breakthroughs list --scenarios "
        f"{quote(str(scenarios))}`."
    )


def find_root_folder(scenarios: Path) -> Path:
    """Return the root folder of documents and answer keys.

    The argument may be the root or its `public` folder.
    """
    return find_key_folder(scenarios).parent


def open_breakthrough_log(scenarios: Path) -> BreakthroughLog:
    """Open the log of a folder of scenarios."""
    return BreakthroughLog(find_root_folder(scenarios))


def write_candidate_page(log: BreakthroughLog, name: str) -> BreakthroughCandidate:
    """Write the page of a candidate and return the candidate."""
    candidate = log.get_candidate(name)
    write_file_atomically(
        log.get_page_path(name),
        render_candidate_page(candidate, log.list_authors_after_panel_decision(candidate)),
    )
    return candidate


def _format_collected_candidates(found: CandidateCollection, log: BreakthroughLog) -> list[str]:
    lines = [
        f"{each.candidate} ({escape_control_characters(each.title)}): {each.novelty.found}; {log.get_page_path(each.candidate)}"
        for each in found.new_candidates
    ]
    # fmt: off
    left_out = (
        (len(found.known_candidates), "already in the log"),
        (found.unjudged_answers,   "that passed the filter but were not judged (--unjudged includes them)"),
        (found.answers_below_threshold,      "that the judges scored below the threshold"),
        (found.answers_failing_filter,      "whose figures do not pass the filter or are missing"),
        (found.answers_to_closed_scenarios,     "to scenarios that are no longer open"),
    )
    # fmt: on
    head = f"New candidates: {len(lines)}"
    return [head, *lines, *(f"Answers {why}: {count}" for count, why in left_out if count)]


def summarize_candidate(candidate: BreakthroughCandidate, log: BreakthroughLog) -> dict[str, Any]:
    """Return the data of a candidate for JSON output."""
    return {
        "candidate": candidate.name,
        "scenario": candidate.collected.scenario_id,
        "title": candidate.collected.title,
        "standing": candidate.standing,
        "stages": {str(stage): result for stage, result in describe_stage_results(candidate).items()},
        "votes": [each.model_dump(mode="json") for each in candidate.votes] if candidate.is_decided else [],
        "votes_cast": len(candidate.votes),
        "authors": list(log.list_authors_after_panel_decision(candidate)),
        "page": str(log.get_page_path(candidate.name)),
    }


def get_current_time() -> str:
    """Return the current time in UTC, as stored in the log."""
    return format_utc_time(SystemClock().now())
