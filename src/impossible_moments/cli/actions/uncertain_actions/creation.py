"""Implementation of `im create --uncertain`: draw an uncertain world, check it and publish it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import (
    escape_control_characters,
    escape_for_terminal,
    print_json,
)
from impossible_moments.cli.output.terminal import Console
from impossible_moments.domain.vocabulary import CATEGORIES
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger import LedgerStore, leases
from impossible_moments.pipeline import LEDGER
from impossible_moments.scenarios import ClockReadings, ScenarioDocuments
from impossible_moments.uncertain_worlds import GeneratedWorld, choose_family, generate_world, publish_world

DEFAULT_SEED = 1


def create_uncertain_scenario(wanted: Mapping[str, object], *, output: Path, as_json: bool) -> int:
    """Create one uncertain world and print the result. Return the exit status."""
    others = [name for name, value in wanted.items() if value and name not in {"category", "seed"}]
    if others:
        option = others[0].replace("_", "-").rstrip("s")
        raise ConfigurationError(
            f"--uncertain takes only --category, --seed and --output: its worlds are drawn and measured by a program. Remove --{option}."
        )
    category = None if wanted.get("category") is None else str(wanted["category"])
    if category is not None and category not in CATEGORIES:
        raise ConfigurationError(
            f"`{category}` is not a category.{suggest_names(category, CATEGORIES)} The categories are {', '.join(CATEGORIES)}."
        )
    seed = DEFAULT_SEED if wanted.get("seed") is None else int(str(wanted["seed"]))
    family, skin = choose_family(seed, category)
    found = generate_world(family, skin, seed)
    created = datetime.now(tz=UTC).isoformat(timespec="seconds")
    stamps = ClockReadings(created=created, missing="an uncertain world has no pipeline to time")
    with LedgerStore(output / LEDGER) as store:
        documents = store.commit_and_wait(
            lambda transaction: publish_world(
                found, output, seed=seed, stamps=stamps, reserved=leases.lock_numbering(transaction)
            )
        )
    _print_result(documents, found, output, as_json=as_json)
    return DONE


def _print_result(
    documents: ScenarioDocuments, found: GeneratedWorld, output: Path, *, as_json: bool
) -> None:
    metadata, measures = documents.metadata, found.measures
    values = {str(name): value for name, value in measures.values.items()}
    paths = [str(output / name) for name in documents.list_files_by_path()]
    if as_json:
        print_json(
            {
                "scenario_id": metadata.scenario_id,
                "state": "accepted",
                "family": found.family.name,
                "skin": found.skin,
                "tier": metadata.tier,
                "profile": metadata.profile,
                "values": values,
                "belief_states": measures.nodes,
                "draws": found.draws,
                "files": paths,
            }
        )
        return
    console = Console()
    console.print(escape_control_characters(documents.public), highlight=False, markup=False)
    console.print(
        f"{metadata.scenario_id} is accepted: {found.family.name}/{found.skin}, {metadata.tier} ({metadata.profile}).",
        style="green",
        highlight=False,
    )
    shown = ", ".join(f"{name} {value:.4f}" for name, value in values.items())
    console.print(
        f"  {shown}; {measures.nodes:,} belief states, draw {found.draws} was accepted", highlight=False
    )
    for path in paths:
        console.print(f"  {escape_for_terminal(path)}", highlight=False)
