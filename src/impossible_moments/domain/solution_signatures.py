"""Signatures of solutions: two composed scenarios with the same signature are solved by the same jobs."""

from __future__ import annotations

import hashlib
import json
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


def hash_solution(record: Mapping[str, object], *, within: str) -> str:
    """Return a hash that only scenarios `within` the same place or design with the same solution have in common.

    Return an empty string if the record has no approach or no status.
    """
    signature = compute_solution_signature(record)
    if signature is None:
        return ""
    return hashlib.sha256(json.dumps([within, *signature]).encode()).hexdigest()
