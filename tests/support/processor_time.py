"""Time limits that do not depend on how busy the machine is.

Processor time is measured, not clock time, and the best of several attempts counts, because other processes affect even
processor time.
"""

from __future__ import annotations

import time
from collections.abc import Callable

ATTEMPTS = 3


def measure_least_seconds(work: Callable[[], object], enough: float = 0.0) -> float:
    """Return the least processor time that the work took; attempts end with one that took less than `enough`."""
    least = float("inf")
    for _ in range(ATTEMPTS):
        began = time.process_time()
        work()
        least = min(least, time.process_time() - began)
        if least < enough:
            break
    return least
