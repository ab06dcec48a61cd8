"""Implementation of `im export`: write scenarios in the formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import escape_for_terminal, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.exports import (
    Export,
    ExportKind,
    ExportOptions,
    build_export,
    write_export,
)

PLAIN: Final = ExportOptions()


def export_scenario_folder(
    kind: str, scenarios: Path, output: Path | None, *, options: ExportOptions = PLAIN, as_json: bool = False
) -> int:
    """Export the scenarios of a folder and print the written files. Return the exit status."""
    if kind not in set(ExportKind):
        raise ConfigurationError(
            f"{kind[:40]!r} is not an export format.{suggest_names(kind, ExportKind)} The formats are {', '.join(ExportKind)}."
        )
    made = build_export(ExportKind(kind), scenarios, options)
    folder = _choose_output_folder(kind, scenarios, output)
    if made.files:
        write_export(made.files, folder)
    if as_json:
        print_json({"kind": kind, "files": _list_written_paths(made, folder), "told": list(made.messages)})
        return DONE
    console = Console()
    for each in (*_list_written_paths(made, folder), *made.messages):
        console.print(escape_for_terminal(each), highlight=False, soft_wrap=True)
    return DONE


def _choose_output_folder(kind: str, scenarios: Path, output: Path | None) -> Path:
    """Return the folder to write to.

    Reject folders inside the scenario folder, which contains the answer keys.
    """
    folder = output if output is not None else Path("exports") / kind
    inside, outside = folder.resolve(), scenarios.resolve()
    if inside == outside or outside in inside.parents:
        raise ConfigurationError(
            f"{folder} is inside {scenarios}, which contains the answer keys. Export to a folder outside it."
        )
    return folder


def _list_written_paths(made: Export, folder: Path) -> list[str]:
    return [str(folder / name) for name in made.files]
