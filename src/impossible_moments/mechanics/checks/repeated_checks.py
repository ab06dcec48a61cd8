"""Checks of a record that are computed once for its content and the library, in each thread.

The gates, the documents and the roles ask for the same check of the same record many times. Each thread keeps the last
few results. Threads share none, because an analysis is not made for two users at a time. So what the orchestrator
computes stays its own: the built-in cast answers in another thread.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from impossible_moments.mechanics.checks.record_check import CheckReport, verify_record
from impossible_moments.mechanics.checks.record_design import RecordDesign, read_record_design
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.records.library import Library

T = TypeVar("T")
MOST_KEPT: Final = 8
"""How many results a thread keeps."""


class _LastResults(threading.local, Generic[T]):
    """The last results of a computation in a thread, by content."""

    def __init__(self) -> None:
        self.kept: OrderedDict[tuple[str, str], T] = OrderedDict()

    def compute_once(self, data: object, library: Library, compute: Callable[[], T]) -> T:
        """Return the result for a record and a library, computed if it is not among the last ones."""
        try:
            key = (library.fingerprint, json.dumps(data, ensure_ascii=False))
        except (TypeError, ValueError):
            return compute()  # a record that is not plain data has no content to be known by
        if key not in self.kept:
            self.kept[key] = compute()
            if len(self.kept) > MOST_KEPT:
                self.kept.popitem(last=False)
        self.kept.move_to_end(key)
        return self.kept[key]


_CHECKS: Final = _LastResults[CheckReport]()
_DESIGNS: Final = _LastResults[tuple[RecordDesign | None, Findings]]()


def verify_record_by_content(data: object, library: Library) -> CheckReport:
    """Check a record given as plain data. Equal records are checked once; nothing can be added to their findings."""

    def check() -> CheckReport:
        report = verify_record(data, library)
        report.findings.close()
        return report

    return _CHECKS.compute_once(data, library, check)


def read_record_design_by_content(data: object, library: Library) -> tuple[RecordDesign | None, Findings]:
    """Read a record without executing anything. Equal records are read once; nothing can be added to their findings."""

    def read() -> tuple[RecordDesign | None, Findings]:
        design, findings = read_record_design(data, library)
        findings.close()
        return design, findings

    return _DESIGNS.compute_once(data, library, read)
