"""Commands without write access: as the present user, or as nobody if the present one may write everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

_NOBODY: Final = 65_534
_MAIN: Final = "from impossible_moments.cli.main import main; main()"


@contextmanager
def copy_read_only(folder: Path) -> Iterator[Path]:
    """Copy a folder to a place that everybody may read and nobody may write."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        copy = Path(shutil.copytree(folder, Path(place) / "copy"))
        paths = [copy, *copy.rglob("*")]
        for path in paths:
            path.chmod(0o555 if path.is_dir() else 0o444)
        try:
            yield copy
        finally:
            for path in paths:
                path.chmod(0o755)


def run_without_write_access(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `im` as a user to whom the permissions of files apply."""
    command: Sequence[str] = [sys.executable, "-c", _MAIN, *map(str, arguments)]
    user = _NOBODY if os.geteuid() == 0 else None
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        user=user,
        env={**os.environ, "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        timeout=300,
    )
