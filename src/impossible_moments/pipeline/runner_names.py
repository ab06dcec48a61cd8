"""Names of runners, and whether a runner of this machine is gone."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

_PARTS: Final = 4


def make_runner_name() -> str:
    """Make a name for this process that no other runner has.

    It includes the time, because process numbers are used again.
    """
    return f"{socket.gethostname()}:{_read_process_namespace()}:{os.getpid()}:{time.time_ns()}"


def is_gone(runner: str) -> bool:
    """Return whether a runner was a process of this machine that no longer exists.

    Of runners elsewhere nothing is known, nor of a process whose number is used again. Their leases expire.
    """
    parts = runner.rsplit(":", _PARTS - 1)
    if len(parts) != _PARTS or os.name != "posix":
        return False
    host, namespace, process, _ = parts
    if (host, namespace) != (socket.gethostname(), _read_process_namespace()) or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)  # sends nothing, and fails if there is no such process
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


def _read_process_namespace() -> str:
    """Return what tells containers with one host name apart; empty where the system does not say."""
    with suppress(OSError):
        return str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]")
    return ""
