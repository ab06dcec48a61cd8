"""`im export`: scenarios written for the tools of others, or a line on how these read them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rich.console import Console

from impossible_moments.cli.outcome import DONE
from impossible_moments.cli.printing import print_json, said
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.exporting.exports import Export, Kind, Options, exported, write

PLAIN: Final = Options()


def export(
    kind: str, scenarios: Path, output: Path | None, *, options: Options = PLAIN, as_json: bool = False
) -> int:
    """Export the scenarios of a folder and say what was written; returns the exit status."""
    if kind not in set(Kind):
        raise ConfigurationError(f"{kind[:40]!r} is no kind of export; those are {', '.join(Kind)}.")
    made = exported(Kind(kind), scenarios, options)
    folder = _folder(kind, scenarios, output)
    if made.files:
        write(made.files, folder)
    if as_json:
        print_json({"kind": kind, "files": _paths(made, folder), "told": list(made.told)})
        return DONE
    console = Console()
    for each in (*_paths(made, folder), *made.told):
        console.print(said(each), highlight=False, soft_wrap=True)
    return DONE


def _folder(kind: str, scenarios: Path, output: Path | None) -> Path:
    """Where to: never among the scenarios themselves, whose folder holds the answers."""
    folder = output if output is not None else Path("exports") / kind
    inside, outside = folder.resolve(), scenarios.resolve()
    if inside == outside or outside in inside.parents:
        raise ConfigurationError(
            f"{folder} lies in {scenarios}, beside the answer keys; export into a folder outside of it."
        )
    return folder


def _paths(made: Export, folder: Path) -> list[str]:
    return [str(folder / name) for name in made.files]
