"""Implementation of `im verify` for uncertain worlds: check the record, solve it exactly and print its values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from impossible_moments.cli.exit_status import BAD_INPUT, DONE, FOUND_ERRORS
from impossible_moments.cli.output.formatting import escape_for_terminal
from impossible_moments.cli.output.terminal import Console
from impossible_moments.mechanics.records import DocumentError, load_document
from impossible_moments.mechanics.uncertain import (
    NotExhausted,
    UncertainRecordError,
    UncertainWorld,
    WorldMeasures,
    is_uncertain_record,
    measure_world,
    parse_uncertain_record,
)


@dataclass(frozen=True)
class VerifiedWorld:
    """The result of checking one uncertain record."""

    path: Path
    measures: WorldMeasures | None = None
    problem: str = ""
    """Why there are no measures, or an empty string."""

    @property
    def objections(self) -> tuple[str, ...]:
        """Why the world may not be published."""
        return self.measures.find_objections() if self.measures is not None else ()


def is_uncertain_file(path: Path) -> bool:
    """Return whether a file holds an uncertain record. A file that cannot be read does not."""
    try:
        return is_uncertain_record(load_document(path))
    except DocumentError:
        return False


def verify_world_file(path: Path) -> VerifiedWorld:
    """Check and solve the uncertain record of a file."""
    try:
        return VerifiedWorld(path, measure_world(UncertainWorld(parse_uncertain_record(load_document(path)))))
    except (UncertainRecordError, NotExhausted) as problem:
        return VerifiedWorld(path, problem=str(problem))


def convert_world_to_dict(verified: VerifiedWorld) -> dict[str, object]:
    """Return the result for JSON."""
    if verified.measures is None:
        return {"path": str(verified.path), "problem": verified.problem}
    measures = verified.measures
    return {
        "path": str(verified.path),
        "optimum": str(measures.optimum),
        "values": {str(name): value for name, value in measures.values.items()},
        "belief_states": measures.nodes,
        "first_act": measures.first_act,
        "longest": measures.longest,
        "objections": list(verified.objections),
    }


def print_verified_worlds(worlds: Sequence[VerifiedWorld]) -> None:
    """Print the values of each world, or why it has none."""
    console = Console(soft_wrap=True)
    for each in worlds:
        if each.measures is None:
            console.print(f"{each.path}: {each.problem}", highlight=False, markup=False)
            continue
        values = ", ".join(f"{name} {value:.4f}" for name, value in each.measures.values.items())
        console.print(
            f"{escape_for_terminal(each.path)}: uncertain world, {values}; {each.measures.nodes:,} belief states, first act {each.measures.first_act}",
            highlight=False,
            markup=False,
        )
        for objection in each.objections:
            console.print(f"  not for publication: {objection}", highlight=False, markup=False)


def compute_world_exit_status(worlds: Sequence[VerifiedWorld]) -> int:
    """Return 2 if a record could not be solved, otherwise 5 if one may not be published, otherwise 0."""
    if any(each.measures is None for each in worlds):
        return BAD_INPUT
    return FOUND_ERRORS if any(each.objections for each in worlds) else DONE
