"""Names of runners, and whether a runner of this machine is gone."""

from __future__ import annotations

import os
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

_PARTS: Final = 5
_STATE, _STARTED = 0, 19
"""Places in `/proc/PID/stat` after the name of the program."""
_ENDED: Final = frozenset({"Z", "X"})


def make_runner_name() -> str:
    """Make a name for this process that no other runner has.

    It includes when the process was started, because process numbers are used again.
    """
    process = os.getpid()
    found = _read_process(process)
    started = "" if found is None else found[1]
    return f"{socket.gethostname()}:{_read_system_name()}:{process}:{started}:{time.time_ns()}"


def is_gone(runner: str) -> bool:
    """Return whether a runner was a process of this machine that no longer exists.

    Of runners elsewhere, or before the machine was started anew, nothing is known. Their leases expire.
    """
    parts = runner.rsplit(":", _PARTS - 1)
    if len(parts) != _PARTS or os.name != "posix":
        return False
    host, system, process, started, _ = parts
    if (host, system) != (socket.gethostname(), _read_system_name()) or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)  # sends nothing, and fails if there is no such process
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    found = _read_process(int(process))
    # Another process with the number of the runner, or one that has ended and whose parent has not noticed.
    return found is not None and (found[0] in _ENDED or found[1] != started)


def _read_process(process: int) -> tuple[str, str] | None:
    """Return the state of a process and when it was started, or None where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return fields[_STATE], fields[_STARTED]
    except (OSError, UnicodeDecodeError, IndexError):
        return None


def _read_system_name() -> str:
    """Return what tells containers and starts of one host apart; empty where the system does not say."""
    found = []
    with suppress(OSError):
        found.append(str(Path("/proc/self/ns/pid").readlink()).strip("pid:[]"))
    with suppress(OSError, UnicodeDecodeError):
        text = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8")
        found.append(text.strip())
    return "/".join(found)
