"""Implementation of `im import`: read documents without mechanics and store texts and keys separately."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.evaluation.imported_scenarios import (
    ImportedBatch,
    import_documents,
    write_imported_batch,
)

MOST_TOLD: Final = 20
"""Most rejected documents listed on the terminal. `--json` lists all."""


def import_scenario_files(paths: Sequence[Path], output: Path, *, as_json: bool) -> int:
    """Import documents and print the result.

    Return an exit status that reports whether documents were rejected.
    """
    made = import_documents(paths, outside=output)
    if made.keys:
        write_imported_batch(made, output)
    if as_json:
        print_json(
            {
                "folder": str(output),
                "imported": [each.scenario_id for each in made.keys],
                "refused": list(made.refused),
                "remarks": {each.scenario_id: list(each.remarks) for each in made.keys if each.remarks},
            }
        )
    else:
        _print_import_summary(made, output)
    return FOUND_ERRORS if made.refused else DONE


def _print_import_summary(made: ImportedBatch, output: Path) -> None:
    console, errors = Console(), Console(stderr=True)
    for each in made.refused[:MOST_TOLD]:
        errors.print(escape_for_terminal(each), highlight=False, soft_wrap=True)
    if len(made.refused) > MOST_TOLD:
        errors.print(
            f"{len(made.refused) - MOST_TOLD} more documents were rejected. --json shows the reasons.",
            highlight=False,
        )
    remarks = sum(len(each.remarks) for each in made.keys)
    beside = f", with {remarks} remarks in their keys" if remarks else ""
    summary = f"{len(made.keys)} imported{beside}, {len(made.refused)} rejected"
    console.print(
        f"{summary}: {escape_for_terminal(output)}" if made.keys else summary, highlight=False, soft_wrap=True
    )
