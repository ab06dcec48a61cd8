"""Commands to which the permissions of files apply, whoever runs the tests.

Root may write everywhere. Its commands run without the capability to override permissions (`setpriv` of util-linux).
"""

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

_WITHOUT_OVERRIDE: Final = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")
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
    """Run `im` so that the permissions of files apply to it."""
    prefix: Sequence[str] = _WITHOUT_OVERRIDE if os.geteuid() == 0 else ()
    command = [*prefix, sys.executable, "-c", _MAIN, *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1"},
        cwd="/",
        timeout=300,
    )
