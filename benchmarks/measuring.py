"""CPU time of a piece of work: machines are shared, so wall time says little."""

from __future__ import annotations

import time
from collections.abc import Callable


def cpu(work: Callable[[], object], repeats: int = 1) -> float:
    """The least CPU seconds of several runs, all threads together."""
    best = float("inf")
    for _ in range(repeats):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best
