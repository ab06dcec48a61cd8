"""Minimal conflicts: smallest sets of conditions that contradict each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def find_minimal_conflict(
    names: Sequence[str], contradictory: Callable[[Sequence[str]], bool | None]
) -> tuple[tuple[str, ...], bool]:
    """Reduce contradictory names to a minimal contradictory subset.

    `contradictory` returns None if it cannot decide, and the name in question is then kept. Return the
    subset, and whether it is certainly minimal.
    """
    core, is_complete = list(names), True
    for name in names:
        rest = [other for other in core if other != name]
        verdict = contradictory(rest)
        if verdict:
            core = rest
        is_complete = is_complete and verdict is not None
    return tuple(core), is_complete
