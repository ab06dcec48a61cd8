"""Implementation of `im breakthroughs`: collect, list, show, review and verify candidates."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from typing import Any

import typer
from rich.console import Console

from impossible_moments.cli.actions.report import read_results
from impossible_moments.cli.exit_status import AWAITING_HUMAN, DONE
from impossible_moments.cli.output.formatting import (
    escape_control_characters,
    escape_for_terminal,
    format_utc_time,
    print_json,
)
from impossible_moments.cli.output.tables import create_table
from impossible_moments.domain.evaluation_protocol import PANEL
from impossible_moments.domain.vocabulary import TIERS
from impossible_moments.evaluation import Environment, find_key_folder
from impossible_moments.evaluation.breakthroughs import (
    BreakthroughCandidate,
    BreakthroughLog,
    CandidateCollection,
    CandidateCollector,
    CandidateStanding,
    CandidateVerified,
    ExpertVote,
    VerificationTier,
    describe_stage_results,
    format_changelog_entry,
    render_candidate_page,
    write_changelog_entry,
)
from impossible_moments.pipeline import SystemClock
from impossible_moments.scenarios import load_wordllama_embedder, write_file_atomically


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
        Environment(scenarios), load_wordllama_embedder(), unjudged, at=_get_current_time()
    )
    collector.check_known_scenarios(read)
    log = _open_breakthrough_log(scenarios)
    with log.hold_lock():
        found = collector.collect(read, log.candidates)
        log.add(found.events, found.authors)
        for name in dict.fromkeys(event.candidate for event in found.events):
            _write_candidate_page(log, name)
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
    log = _open_breakthrough_log(scenarios)
    # The sort is stable: candidates with the same standing stay in the order of collection.
    candidates = sorted(
        log.candidates.values(), key=lambda each: list(CandidateStanding).index(each.standing)
    )
    if as_json:
        print_json([_summarize_candidate(each, log) for each in candidates])
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
    log = _open_breakthrough_log(scenarios)
    candidate = log.get_candidate(name)
    if as_json:
        print_json(
            {**_summarize_candidate(candidate, log), "collected": candidate.collected.model_dump(mode="json")}
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
    log = _open_breakthrough_log(scenarios)
    log.get_candidate(name)
    with log.hold_lock():
        log.add([ExpertVote(candidate=name, at=_get_current_time(), **asdict(ballot))])
        candidate = _write_candidate_page(log, name)
    if as_json:
        print_json(_summarize_candidate(candidate, log))
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


def record_verification(
    name: str, scenarios: Path, *, tier: str, evidence: str, experts: tuple[str, ...], as_json: bool
) -> int:
    """Record a verification, write the proposed status change to the changelog, and print the next steps."""
    log = _open_breakthrough_log(scenarios)
    log.get_candidate(name)
    event = CandidateVerified(
        candidate=name,
        at=_get_current_time(),
        tier=VerificationTier(tier),
        evidence=evidence,
        experts=experts,
    )
    with log.hold_lock():
        candidate = log.get_candidate(name).apply_event(event)
        scenario = candidate.collected.scenario_id
        further = any(
            each.standing is CandidateStanding.VERIFIED and each.collected.scenario_id == scenario
            for each in log.candidates.values()
        )
        line = format_changelog_entry(
            candidate, log.list_authors_after_panel_decision(candidate), further=further
        )
        # Write the changelog first: if the process dies in between, a second run completes the log.
        changelog = write_changelog_entry(_find_root_folder(scenarios), name, line)
        log.add([event])
        _write_candidate_page(log, name)
    steps = _list_manual_publication_steps(candidate, scenarios)
    if as_json:
        print_json({**_summarize_candidate(candidate, log), "changelog": str(changelog), "next": steps})
        return DONE
    typer.echo(
        f"Breakthrough candidate {name}: {candidate.standing}. The proposed change was written to {changelog}."
    )
    typer.echo(
        f"The published documents and the registry still state OF for {scenario}. Next steps for a maintainer:"
    )
    for number, step in enumerate(steps, start=1):
        typer.echo(f"  {number}. {step}")
    return DONE


def describe_undecided_candidates(scenarios: Path) -> str:
    """Return a line for `im review list` about undecided candidates, or an empty string if there are none."""
    waiting = [each for each in _open_breakthrough_log(scenarios).candidates.values() if not each.is_decided]
    if not waiting:
        return ""
    noun = "candidate" if len(waiting) == 1 else "candidates"
    return (
        f"{len(waiting)} breakthrough {noun} awaiting expert review: see `im breakthroughs list --scenarios "
        f"{quote(str(scenarios))}`."
    )


def _find_root_folder(scenarios: Path) -> Path:
    """Return the root folder of documents and answer keys.

    The argument may be the root or its `public` folder.
    """
    return find_key_folder(scenarios).parent


def _open_breakthrough_log(scenarios: Path) -> BreakthroughLog:
    return BreakthroughLog(_find_root_folder(scenarios))


def _write_candidate_page(log: BreakthroughLog, name: str) -> BreakthroughCandidate:
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


def _summarize_candidate(candidate: BreakthroughCandidate, log: BreakthroughLog) -> dict[str, Any]:
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


def _list_manual_publication_steps(candidate: BreakthroughCandidate, scenarios: Path) -> list[str]:
    """Return the manual steps that turn the proposal into a published scenario."""
    collected, root = candidate.collected, _find_root_folder(scenarios)
    record = find_key_folder(scenarios) / f"{collected.scenario_id}_mechanics.json"
    seed = f"{collected.scenario_id}, solved by {candidate.name}"
    # The tier IMPOSSIBLE is reserved for open, contested and impossible scenarios.
    tier = collected.tier if collected.tier != TIERS[-1] else TIERS[-2]
    created = (
        f"im create --category {quote(collected.category)} --difficulty-tier {tier} --solution-status KS "
        f"--inspiration-seed {quote(seed)} --model MODEL --output {quote(str(root))}"
    )
    reviewed = (
        f"im review list --output {quote(str(root))}, then decide the open reviews. The new scenario gets its own ID. "
        f"In Python, Registry.publish(documents, replacing=True) lets a scenario replace {collected.scenario_id}."
    )
    return [
        f"Copy {quote(str(record))}, add the verified solution as an action and claim KS. `im verify COPY` must accept it.",
        created,
        reviewed,
    ]


def _get_current_time() -> str:
    return format_utc_time(SystemClock().now())
