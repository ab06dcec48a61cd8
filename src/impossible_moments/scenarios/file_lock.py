"""A lock file that lets one process at a time write to a folder."""

from __future__ import annotations

import errno
import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from impossible_moments.errors import ConfigurationError


@contextmanager
def hold_file_lock(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file, which ends with the process at the latest.

    Systems without file locks get none: there only one process may write. Raise `ConfigurationError` if the file is a
    symbolic link, and `OSError` if it cannot be opened.
    """
    try:
        # The contents are never changed, so that a lock cannot destroy a file.
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
    except OSError as problem:
        if problem.errno == errno.ELOOP:
            raise make_symlink_error(path) from None
        raise
    with os.fdopen(handle, "r+b") as lock:
        if importlib.util.find_spec("fcntl") is not None:
            import fcntl  # noqa: PLC0415 - exists on POSIX systems only

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_symlink_error(path: Path) -> ConfigurationError:
    """Return the error for a symbolic link at a place where a file is written."""
    return ConfigurationError(
        f"{path} is a symbolic link, and files are not written through links. Remove the link, or name another place."
    )
