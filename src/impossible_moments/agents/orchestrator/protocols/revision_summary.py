"""A summary of what a revision changed: the fields that differ, with their old and new values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from impossible_moments.domain.content_labels import LabelledModel

MOST_CHANGES: Final = 8
LONGEST_VALUE: Final = 80


def summarize_revision(before: LabelledModel | None, after: LabelledModel) -> str:
    """Return the changed fields of a deliverable, at most `MOST_CHANGES` of them, and the number of others."""
    if before is None:
        return "first version"
    changes = list(_iterate_changes(before.model_dump(mode="json"), after.model_dump(mode="json"), ""))
    if not changes:
        return "nothing changed"
    left = len(changes) - MOST_CHANGES
    return "; ".join((*changes[:MOST_CHANGES], *((f"{left} more changes",) if left > 0 else ())))


def _iterate_changes(before: object, after: object, path: str) -> Iterator[str]:
    if before == after:
        return
    match before, after:
        case dict(), dict():
            for name in sorted({*before, *after}):
                yield from _iterate_changes(
                    before.get(name), after.get(name), f"{path}.{name}" if path else name
                )
        case list(), list() if len(before) == len(after):
            for number, (old, new) in enumerate(zip(before, after, strict=True), start=1):
                yield from _iterate_changes(old, new, f"{path} {number}")
        case list(), list():
            yield f"{path}: {len(before)} entries -> {len(after)} entries"
        case _:
            yield f"{path}: {_shorten(before)} -> {_shorten(after)}"


def _shorten(value: object) -> str:
    text = "nothing" if value in (None, "") else " ".join(str(value).split())
    return text if len(text) <= LONGEST_VALUE else f"{text[: LONGEST_VALUE - 1]}…"
