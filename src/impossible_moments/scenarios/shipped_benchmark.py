"""The benchmark that comes with the program, and the folder that a command reads if none is named."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

SHIPPED_NAME: Final = "benchmark"
"""The name by which commands know the shipped benchmark, and the name of its folder."""
WORKING_FOLDER: Final = Path("scenarios")
"""The folder that commands write to, and read if it is there."""
_PACKAGE: Final = "impossible_moments"


def find_shipped_benchmark() -> Path | None:
    """Return the folder of the benchmark that the package holds as data, or None if it was left out."""
    folder = Path(str(files(_PACKAGE))) / SHIPPED_NAME
    return folder if (folder / "public").is_dir() else None


def resolve_scenario_folder(folder: Path | str | None) -> Path:
    """Return the folder of scenarios that is meant.

    `None` means the working folder if there is one, and the shipped benchmark otherwise. `benchmark` means the
    shipped benchmark, unless a folder of this name is there.
    """
    if folder is None:
        named = WORKING_FOLDER
    elif str(folder) == SHIPPED_NAME:
        named = Path(folder)
    else:
        return Path(folder).expanduser()
    return named if named.is_dir() else find_shipped_benchmark() or named
