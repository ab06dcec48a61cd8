"""`im breakthroughs`: candidates collected, listed, shown, voted on and verified."""

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
    """What one expert says."""

    expert: str
    novel: bool
    valid: bool
    complete: bool
    testable: bool
    reason: str


def collect(results: Path, scenarios: Path, *, unjudged: bool, as_json: bool) -> int:
    """Put the candidates of a result file into the log, and say what was left out and why."""
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
    """Print every candidate, those that wait for the panel first."""
    log = _log(scenarios)
    # the sort is stable: within a standing the first collected comes first
    candidates = sorted(log.candidates.values(), key=lambda each: list(Standing).index(each.standing))
    if as_json:
        print_json([_summary(each, log) for each in candidates])
        return DONE
    console = Console()
    if not candidates:
        console.print(f"{said(log.folder)} holds no candidate; `im breakthroughs collect` puts some there")
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
            "none" if each.judging is None else "above the mark" if each.judging.flagged else "below it",
        )
    console.print(table)
    return DONE


def show(name: str, scenarios: Path, *, as_json: bool) -> int:
    """Print the page of a candidate."""
    log = _log(scenarios)
    candidate = log.candidate(name)
    if as_json:
        print_json({**_summary(candidate, log), "collected": candidate.collected.model_dump(mode="json")})
    else:
        typer.echo(visible(page(candidate, log.authors_of(candidate))), nl=False)
    return DONE


def review(name: str, scenarios: Path, ballot: Ballot, *, as_json: bool) -> int:
    """Write one vote down for good, and say whether it decides."""
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
        typer.echo(f"  The answer is by {visible(', '.join(log.authors_of(candidate)) or 'nobody known')}.")
    else:
        typer.echo(
            f"{name}: {len(candidate.votes)} of {PANEL} votes; the panel has not decided, and the next expert is not told "
            "what was voted."
        )
    return DONE if candidate.decided else AWAITING_HUMAN


def verify(
    name: str, scenarios: Path, *, tier: str, evidence: str, experts: tuple[str, ...], as_json: bool
) -> int:
    """Write a verification down, propose the change of status, and say what a maintainer does next."""
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
        # the changelog first: where the process dies in between, running again writes what is missing
        changelog = write_entry(_root(scenarios), name, line)
        log.add([event])
        _write_page(log, name)
    steps = _next_steps(candidate, scenarios)
    if as_json:
        print_json({**_summary(candidate, log), "changelog": str(changelog), "next": steps})
        return DONE
    typer.echo(f"{name}: {candidate.standing}; the proposal stands in {changelog}.")
    typer.echo(f"The published documents and the registry still say OF for {scenario}. A maintainer goes on:")
    for number, step in enumerate(steps, start=1):
        typer.echo(f"  {number}. {step}")
    return DONE


def open_line(scenarios: Path) -> str:
    """One line about candidates that wait for experts, for `im review list`; nothing where none does."""
    waiting = [each for each in _log(scenarios).candidates.values() if not each.decided]
    if not waiting:
        return ""
    wait = "candidate waits" if len(waiting) == 1 else "candidates wait"
    return (
        f"{len(waiting)} breakthrough {wait} for experts: `im breakthroughs list --scenarios {quote(str(scenarios))}` "
        "shows them."
    )


def _root(scenarios: Path) -> Path:
    """The folder that holds documents and keys, whether it or its public part was named."""
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
        (found.unjudged,   "past the filter and settled by no judge (--unjudged takes them too)"),
        (found.below,      "given too little by the judges"),
        (found.short,      "with figures that do not pass the filter, or with none"),
        (found.closed,     "to scenarios that are open no more"),
    )
    # fmt: on
    head = f"new candidates: {len(lines)}"
    return [head, *lines, *(f"answers {why}: {count}" for count, why in left_out if count)]


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
    """What turns the proposal into a published scenario; nothing of it is done here."""
    collected, root = candidate.collected, _root(scenarios)
    record = keys_beside(scenarios) / f"{collected.scenario_id}_mechanics.json"
    seed = f"{collected.scenario_id}, solved by {candidate.name}"
    # IMPOSSIBLE is for what is open, contested or impossible
    tier = collected.tier if collected.tier != TIERS[-1] else TIERS[-2]
    created = (
        f"im create --category {quote(collected.category)} --difficulty-tier {tier} --solution-status KS "
        f"--inspiration-seed {quote(seed)} --model MODEL --output {quote(str(root))}"
    )
    reviewed = (
        f"im review list --output {quote(str(root))}, and decide what waits there. The new scenario has a number of its own; "
        f"in Python, Registry.publish(documents, replacing=True) lets one take the place of {collected.scenario_id}."
    )
    return [
        f"Copy {quote(str(record))}, add the verified way as an action and claim KS; `im verify COPY` must accept it.",
        created,
        reviewed,
    ]


def _now() -> str:
    return utc(SystemClock().now())
