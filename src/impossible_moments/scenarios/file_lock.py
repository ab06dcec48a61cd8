"""A lock file that lets one process at a time write to a folder."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def hold_file_lock(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file, which ends with the process at the latest.

    Systems without file locks get none: there only one process may write. Raise `OSError` if the file cannot be opened.
    """
    with path.open("w") as lock:
        if importlib.util.find_spec("fcntl") is not None:
            import fcntl  # noqa: PLC0415 - exists on POSIX systems only

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield
