"""The watch over leases of other runners: which of them are held by a runner that is gone, and which by a live one.

A runner counts its beat in the ledger. Whoever wants its work watches the beat with a clock that cannot jump: a beat
that stands still for a term belongs to a runner that died or froze. No time that another machine wrote is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from impossible_moments.ledger import ScenarioRow
from impossible_moments.pipeline.runner_names import is_gone

LEASE_SECONDS: Final = 30.0
"""How long the beat of a lease may stand still. A live runner renews three times as often."""


class HolderState(Enum):
    """What is known of the runner that holds a lease."""

    GONE = "gone"
    ALIVE = "alive"
    UNKNOWN = "unknown"


@dataclass
class LeaseWatch:
    """A watch over the leases of a ledger."""

    term: float = LEASE_SECONDS
    read_seconds: Callable[[], float] = time.monotonic
    _first_seen: dict[tuple[str, str], tuple[int, float]] = field(default_factory=dict)
    """The last beat of each lease, by scenario and owner, and when it was first seen."""

    def look_at(self, row: ScenarioRow) -> HolderState:
        """Return what is known of the holder of a row, which has been looked at before or not."""
        if is_gone(row.owner):
            return HolderState.GONE
        now = self.read_seconds()
        beat, since = self._first_seen.setdefault((row.scenario, row.owner), (row.beat, now))
        if row.beat != beat:
            self._first_seen[row.scenario, row.owner] = (row.beat, now)
            return HolderState.ALIVE
        return HolderState.GONE if now - since > self.term else HolderState.UNKNOWN
