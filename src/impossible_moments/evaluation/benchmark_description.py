"""The description of a scenario set, by which result files on the same texts are recognized."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from impossible_moments.scenarios import Scenario


def describe_benchmark(scenarios: Sequence[Scenario]) -> str:
    """Return the size of a scenario set and a hash of its public documents."""
    text = "".join(each.text for each in scenarios)
    return f"{len(scenarios)} scenarios ({sha256(text.encode()).hexdigest()[:12]})"
