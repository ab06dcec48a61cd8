"""Implementation of `im breakthroughs verify`: record a verification, and change the registry if it succeeds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Final, Literal

import typer

from impossible_moments.cli.actions.breakthroughs.breakthroughs import (
    find_root_folder,
    get_current_time,
    open_breakthrough_log,
    summarize_candidate,
    write_candidate_page,
)
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import print_json
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.evaluation_protocol import CONSENSUS
from impossible_moments.domain.vocabulary import TIERS, parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation import find_key_folder
from impossible_moments.evaluation.breakthroughs import (
    VERIFICATION_METHODS,
    BreakthroughCandidate,
    CandidateStanding,
    CandidateVerified,
    VerificationTier,
    format_changelog_entry,
    write_changelog_entry,
)
from impossible_moments.scenarios import (
    ID_FORM,
    ScenarioMetadata,
    ScenarioRegistry,
    VerificationRecord,
    escape_inline,
)

CONFIRMED: Final = "confirmed"


@dataclass(frozen=True)
class Verification:
    """A verification as given on the command line."""

    tier: Literal["A", "B", "C", "D"]
    result: Literal["confirmed", "refuted"]
    by: tuple[str, ...]
    reason: str


def record_verification(name: str, scenarios: Path, given: Verification, *, as_json: bool) -> int:
    """Record the verification of a candidate of the log, or of the proposal of a scenario's own agents.

    Return the exit status.
    """
    if re.fullmatch(ID_FORM, name):
        return _verify_proposal_of_agents(name, scenarios, given, as_json=as_json)
    return _verify_candidate_of_log(name, scenarios, given, as_json=as_json)


def _verify_candidate_of_log(name: str, scenarios: Path, given: Verification, *, as_json: bool) -> int:
    log, root = open_breakthrough_log(scenarios), find_root_folder(scenarios)
    log.get_candidate(name)
    event = CandidateVerified(
        candidate=name,
        at=get_current_time(),
        tier=VerificationTier(given.tier),
        result=given.result,
        evidence=given.reason,
        experts=given.by,
    )
    with log.hold_lock():
        candidate = log.get_candidate(name).apply_event(event)
        scenario = candidate.collected.scenario_id
        further = any(
            each.standing is CandidateStanding.VERIFIED and each.collected.scenario_id == scenario
            for each in log.candidates.values()
        )
        changelog, entry = None, None
        if given.result == CONFIRMED:
            entry = _change_registry(root, scenario, name, given)
            authors = log.list_authors_after_panel_decision(candidate)
            line = format_changelog_entry(candidate, authors, further=further, registered=entry is not None)
            # The log comes last: if the process dies before it, a second run completes all three.
            changelog = write_changelog_entry(root, name, line)
        log.add([event])
        write_candidate_page(log, name)
    steps = _list_manual_publication_steps(candidate, scenarios) if changelog else []
    if as_json:
        print_json(
            {
                **summarize_candidate(candidate, log),
                "status": entry.status if entry else None,
                "changelog": str(changelog) if changelog else None,
                "next": steps,
            }
        )
        return DONE
    typer.echo(f"Breakthrough candidate {name}: {candidate.standing}.")
    if changelog is not None:
        _print_change(scenario, entry, changelog)
        typer.echo("Next steps for a maintainer:")
        for number, step in enumerate(steps, start=1):
            typer.echo(f"  {number}. {step}")
    return DONE


def _verify_proposal_of_agents(name: str, scenarios: Path, given: Verification, *, as_json: bool) -> int:
    """Record the verification of a breakthrough that the agents of a scenario proposed (specification 4.4)."""
    root = find_root_folder(scenarios)
    entry = ScenarioRegistry(root).entries.get(name)
    if entry is None or not entry.breakthrough_candidate:
        raise ConfigurationError(
            f"{name} has no breakthrough candidate in the registry of {root}. `im breakthroughs list` shows the candidates "
            "of evaluations, whose IDs end with twelve more characters."
        )
    if any(each.candidate == name for each in entry.verifications):
        raise ConfigurationError(
            f"The candidate of {name} is already {entry.verifications[-1].result}; a verification is final."
        )
    needed = CONSENSUS if given.tier == VerificationTier.D else 1
    if len(set(given.by)) < needed or not given.reason.strip():
        raise ConfigurationError(
            f"Tier {given.tier} ({VERIFICATION_METHODS[VerificationTier(given.tier)]}) needs at least {needed} different names in "
            "--by, and a --reason."
        )
    changelog = None
    changed = _change_registry(root, name, name, given)
    if given.result == CONFIRMED:
        line = (
            f"- {name} {escape_inline(entry.name)}: changed from {entry.status} to KS. Breakthrough {name} by its own agents, "
            f"verified by tier {given.tier} ({VERIFICATION_METHODS[VerificationTier(given.tier)]}: "
            f"{', '.join(map(escape_inline, given.by))}). Evidence: {escape_inline(given.reason)}"
        )
        changelog = write_changelog_entry(root, name, line)
    if as_json:
        print_json(
            {
                "candidate": name,
                "result": given.result,
                "status": changed.status if changed else entry.status,
                "changelog": str(changelog) if changelog else None,
            }
        )
        return DONE
    typer.echo(f"Breakthrough candidate of {name}: {given.result} (tier {given.tier}).")
    if changelog is not None:
        _print_change(name, changed, changelog)
    return DONE


def _change_registry(
    root: Path, scenario: str, candidate: str, given: Verification
) -> ScenarioMetadata | None:
    """Add a verification to the metadata of a scenario, and the new status if it is confirmed.

    Return None if the folder has no registry entry for it. Repeating the call changes nothing.
    """
    registry = ScenarioRegistry(root)
    entry = registry.entries.get(scenario)
    if entry is None or any(each.candidate == candidate for each in entry.verifications):
        return entry
    record = VerificationRecord(
        candidate=candidate,
        tier=given.tier,
        result=given.result,
        by=given.by,
        reason=given.reason,
        status_before=entry.status,
        tier_before=entry.tier,
        tier_match_before=entry.tier_match,
    )
    changes: dict[str, object] = {"verifications": (*entry.verifications, record)}
    if given.result == CONFIRMED:
        scores = tuple(int(score) for score in entry.profile.split("."))
        tier, exact = choose_difficulty_tier(scores, "KS")
        solved_before = parse_main_status(entry.status) == "KS"
        changes |= {
            "status": "KS-Multiple" if solved_before else "KS",
            "tier": tier,
            "tier_match": "exact" if exact else "nearest",
        }
    return registry.change_entry(scenario, **changes)


def _print_change(scenario: str, entry: ScenarioMetadata | None, changelog: Path) -> None:
    if entry is None:
        typer.echo(f"{scenario} is not in a registry, so its change is only proposed in {changelog}.")
    else:
        typer.echo(
            f"The registry now states {entry.status} for {scenario}, and {changelog} lists the change."
        )
    typer.echo(f"The published documents of {scenario} still state OF.")


def _list_manual_publication_steps(candidate: BreakthroughCandidate, scenarios: Path) -> list[str]:
    """Return the manual steps that turn the verified answer into published documents."""
    collected, root = candidate.collected, find_root_folder(scenarios)
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
