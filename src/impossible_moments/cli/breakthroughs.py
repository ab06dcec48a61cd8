"""Implementation of `im breakthroughs`: collect, list, show, review and verify candidates."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from shlex import quote
from typing import Any

import typer
from rich.console import Console
from rich.table import Table

from impossible_moments.cli.outcome import AWAITING_HUMAN, DONE
from impossible_moments.cli.printing import print_json, said, utc, visible
from impossible_moments.cli.report import read_results
from impossible_moments.domain.vocabulary import TIERS
from impossible_moments.evaluation.breakthroughs.candidates import PANEL, Candidate, Standing
from impossible_moments.evaluation.breakthroughs.changelog import entry, write_entry
from impossible_moments.evaluation.breakthroughs.collecting import Collection, Collector
from impossible_moments.evaluation.breakthroughs.events import Tier, Verified, Voted
from impossible_moments.evaluation.breakthroughs.log import BreakthroughLog
from impossible_moments.evaluation.breakthroughs.page import page, stages
from impossible_moments.evaluation.environment import Environment, keys_beside
from impossible_moments.runtime.clock import SystemClock
from impossible_moments.scenarios.embedding import wordllama_embedder
from impossible_moments.scenarios.registry import write_whole


@dataclass(frozen=True)
class Ballot:
    """Vote of one expert, as given on the command line."""

    expert: str
    novel: bool
    valid: bool
    complete: bool
    testable: bool
    reason: str


def collect(results: Path, scenarios: Path, *, unjudged: bool, as_json: bool) -> int:
    """Add the candidates of a result file to the log.

    Print them and the number of excluded answers by reason.
    """
    read = read_results(results)
    collector = Collector(Environment(scenarios), wordllama_embedder(), unjudged, at=_now())
    collector.refuse_strange(read)
    log = _log(scenarios)
    with log.locked():
        found = collector.collect(read, log.candidates)
        log.add(found.events, found.authors)
        for name in dict.fromkeys(event.candidate for event in found.events):
            _write_page(log, name)
    if as_json:
        print_json(
            {
                "collected": [each.candidate for each in found.collected],
                "known": found.known,
                "unjudged": found.unjudged,
                "below": found.below,
                "short": found.short,
                "closed": found.closed,
            }
        )
        return DONE
    for line in _told(found, log):
        typer.echo(line)
    return DONE


def listed(scenarios: Path, *, as_json: bool) -> int:
    """Print all candidates, those that wait for the panel first."""
    log = _log(scenarios)
    # The sort is stable: candidates with the same standing stay in the order of collection.
    candidates = sorted(log.candidates.values(), key=lambda each: list(Standing).index(each.standing))
    if as_json:
        print_json([_summary(each, log) for each in candidates])
        return DONE
    console = Console()
    if not candidates:
        console.print(f"{said(log.folder)} contains no candidates. `im breakthroughs collect` adds them.")
        return DONE
    table = Table(box=None, pad_edge=False)
    for head in ("candidate", "scenario", "standing", "votes", "novelty", "judges"):
        table.add_column(head, no_wrap=head == "candidate")
    for each in candidates:
        table.add_row(
            said(each.name),
            said(each.collected.title),
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


def show(name: str, scenarios: Path, *, as_json: bool) -> int:
    """Print the page of a candidate, or its data as JSON."""
    log = _log(scenarios)
    candidate = log.candidate(name)
    if as_json:
        print_json({**_summary(candidate, log), "collected": candidate.collected.model_dump(mode="json")})
    else:
        typer.echo(visible(page(candidate, log.authors_of(candidate))), nl=False)
    return DONE


def review(name: str, scenarios: Path, ballot: Ballot, *, as_json: bool) -> int:
    """Record one vote permanently and print whether the panel has decided. Return the exit status."""
    log = _log(scenarios)
    log.candidate(name)
    with log.locked():
        log.add([Voted(candidate=name, at=_now(), **asdict(ballot))])
        candidate = _write_page(log, name)
    if as_json:
        print_json(_summary(candidate, log))
    elif candidate.decided:
        typer.echo(f"{name}: {candidate.standing}.")
        for vote in candidate.votes:
            word = "yes" if vote.confirms else "no"
            typer.echo(f"  {visible(vote.expert)}, {word}: {visible(' '.join(vote.reason.split()))}")
        typer.echo(
            f"  The answer is by {visible(', '.join(log.authors_of(candidate)) or 'unknown authors')}."
        )
    else:
        typer.echo(
            f"{name}: {len(candidate.votes)} of {PANEL} votes. The panel has not decided yet. Votes stay hidden from the "
            "next expert."
        )
    return DONE if candidate.decided else AWAITING_HUMAN


def verify(
    name: str, scenarios: Path, *, tier: str, evidence: str, experts: tuple[str, ...], as_json: bool
) -> int:
    """Record a verification, write the proposed status change to the changelog, and print the next steps."""
    log = _log(scenarios)
    log.candidate(name)
    event = Verified(candidate=name, at=_now(), tier=Tier(tier), evidence=evidence, experts=experts)
    with log.locked():
        candidate = log.candidate(name).after(event)
        scenario = candidate.collected.scenario_id
        further = any(
            each.standing is Standing.VERIFIED and each.collected.scenario_id == scenario
            for each in log.candidates.values()
        )
        line = entry(candidate, log.authors_of(candidate), further=further)
        # Write the changelog first: if the process dies in between, a second run completes the log.
        changelog = write_entry(_root(scenarios), name, line)
        log.add([event])
        _write_page(log, name)
    steps = _next_steps(candidate, scenarios)
    if as_json:
        print_json({**_summary(candidate, log), "changelog": str(changelog), "next": steps})
        return DONE
    typer.echo(f"{name}: {candidate.standing}. The proposal was written to {changelog}.")
    typer.echo(
        f"The published documents and the registry still state OF for {scenario}. Next steps for a maintainer:"
    )
    for number, step in enumerate(steps, start=1):
        typer.echo(f"  {number}. {step}")
    return DONE


def open_line(scenarios: Path) -> str:
    """Return a line for `im review list` about undecided candidates, or an empty string if there are none."""
    waiting = [each for each in _log(scenarios).candidates.values() if not each.decided]
    if not waiting:
        return ""
    noun = "candidate" if len(waiting) == 1 else "candidates"
    return (
        f"{len(waiting)} breakthrough {noun} awaiting expert review: see `im breakthroughs list --scenarios "
        f"{quote(str(scenarios))}`."
    )


def _root(scenarios: Path) -> Path:
    """Return the root folder of documents and answer keys.

    The argument may be the root or its `public` folder.
    """
    return keys_beside(scenarios).parent


def _log(scenarios: Path) -> BreakthroughLog:
    return BreakthroughLog(_root(scenarios))


def _write_page(log: BreakthroughLog, name: str) -> Candidate:
    candidate = log.candidate(name)
    write_whole(log.page(name), page(candidate, log.authors_of(candidate)))
    return candidate


def _told(found: Collection, log: BreakthroughLog) -> list[str]:
    lines = [
        f"{each.candidate} ({visible(each.title)}): {each.novelty.found}; {log.page(each.candidate)}"
        for each in found.collected
    ]
    # fmt: off
    left_out = (
        (len(found.known), "already in the log"),
        (found.unjudged,   "that passed the filter but were not judged (--unjudged includes them)"),
        (found.below,      "that the judges scored below the threshold"),
        (found.short,      "whose figures do not pass the filter or are missing"),
        (found.closed,     "to scenarios that are no longer open"),
    )
    # fmt: on
    head = f"New candidates: {len(lines)}"
    return [head, *lines, *(f"Answers {why}: {count}" for count, why in left_out if count)]


def _summary(candidate: Candidate, log: BreakthroughLog) -> dict[str, Any]:
    return {
        "candidate": candidate.name,
        "scenario": candidate.collected.scenario_id,
        "title": candidate.collected.title,
        "standing": candidate.standing,
        "stages": {str(stage): told for stage, told in stages(candidate).items()},
        "votes": [each.model_dump(mode="json") for each in candidate.votes] if candidate.decided else [],
        "votes_cast": len(candidate.votes),
        "authors": list(log.authors_of(candidate)),
        "page": str(log.page(candidate.name)),
    }


def _next_steps(candidate: Candidate, scenarios: Path) -> list[str]:
    """Return the manual steps that turn the proposal into a published scenario."""
    collected, root = candidate.collected, _root(scenarios)
    record = keys_beside(scenarios) / f"{collected.scenario_id}_mechanics.json"
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


def _now() -> str:
    return utc(SystemClock().now())
