"""Smallest contradictory sets: which conditions already exclude each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def smallest_core(
    names: Sequence[str], contradictory: Callable[[Sequence[str]], bool | None]
) -> tuple[tuple[str, ...], bool]:
    """A contradictory subset of contradictory names, and whether none of it can be spared.

    `contradictory` answers None where it cannot tell; the name in question is then kept.
    """
    core, sure = list(names), True
    for name in names:
        rest = [other for other in core if other != name]
        verdict = contradictory(rest)
        if verdict:
            core = rest
        sure = sure and verdict is not None
    return tuple(core), sure
