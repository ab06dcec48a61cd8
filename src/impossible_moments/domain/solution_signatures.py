"""Signatures of solutions: two composed scenarios with the same signature are solved by the same jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

SolutionSignature: TypeAlias = tuple[str, tuple[str, ...]]


def compute_solution_signature(record: Mapping[str, object]) -> SolutionSignature | None:
    """Return the claimed status and the calls of the first approach of a record, in no order.

    Return None if the record has no approach or no status.
    """
    approaches, status = record.get("approaches"), record.get("status")
    if not isinstance(approaches, list) or not approaches or not isinstance(status, Mapping):
        return None
    plan = approaches[0].get("plan")
    calls = plan if isinstance(plan, list) else [plan]
    return str(status.get("claim")), tuple(sorted(map(str, calls)))
