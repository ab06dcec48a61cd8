"""The record that tools work on, parsed, checked and proved at most once for all calls of an assignment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from impossible_moments.agents.tools.arguments import ToolRefused
from impossible_moments.mechanics.building.build import build
from impossible_moments.mechanics.check import Report, check
from impossible_moments.mechanics.documents import DocumentError, loads
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.impossibility import Impossibility
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.shape import read_record
from impossible_moments.mechanics.world import Imposed, World

MOST_KEPT: Final = 6
"""Reports in the cache, so that frequent revisions of a record do not fill the memory."""


class Bench:
    """The record that the agent may see, with results computed from it and from trial records."""

    def __init__(self, record: Mapping[str, object] | None, library: Library) -> None:
        self.library = library
        self._reports: dict[str, Report] = {}
        self._text: str | None = None
        self._refusal: ToolRefused | None = None
        try:
            # serialize at once: later changes of the mapping must not affect the results
            self._text = None if record is None else written(record)
        except ToolRefused as refusal:
            self._refusal = refusal  # raised when the record is needed; other tools work without it

    @cached_property
    def report(self) -> Report:
        """The check report of the record."""
        if self._refusal is not None:
            raise self._refusal
        assert self._text is not None, "tools that need a record are only offered if there is one"
        return self.report_on(self._text)

    def report_on(self, record: str) -> Report:
        """Check a record written as JSON and return the report. Reports are cached."""
        if record not in self._reports:
            if len(self._reports) >= MOST_KEPT:
                del self._reports[next(iter(self._reports))]
            self._reports[record] = check(_read(record), self.library)
        return self._reports[record]

    @cached_property
    def reading(self) -> tuple[World | None, str]:
        """The world of the record, read without any search, or None and the reason if it cannot be read."""
        if self._text is None:
            return None, str(self._refusal or "")
        findings = Findings()
        record = read_record(_read(self._text), findings)
        if record is not None:
            world, _ = build(record, self.library, findings)
            if not findings.errors:
                return world, ""
        return None, str(findings.errors[0])

    @cached_property
    def impossibility(self) -> tuple[Impossibility, bool]:
        """The attempt to prove that no plan works, and whether it doubled the ranges of estimates."""
        analysis, verdict = self.report.analysis, self.report.verdict
        assert analysis is not None, "only used for a record that could be read"
        assert verdict is not None, "only used for a record that could be computed"
        premises = any(never.by is Imposed.PREMISE for never in analysis.world.nevers)
        # as for the status: doubled ranges for a paradox, the stated ones for a premise or a frontier
        doubled = verdict.status == "PX" or (not premises and analysis.world.record.frontier is None)
        if doubled and verdict.impossibility is not None:
            return verdict.impossibility, True
        return analysis.prover(doubled=doubled).attempt(), doubled


def written(record: object) -> str:
    """Return a record as JSON text.

    Raise `ToolRefusal` if it is not JSON data or exceeds the limits of a document.
    """
    try:
        record = _read(record) if isinstance(record, str) else record
        data = dict(record) if isinstance(record, Mapping) else record
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        _read(text)
    except DocumentError as problem:
        raise ToolRefused(str(problem)) from None
    except (TypeError, ValueError, RecursionError):
        raise ToolRefused(
            "the record is not JSON data: it contains another type, a number that is not finite, or itself; pass maps, lists, texts and finite numbers."
        ) from None
    if not isinstance(record, Mapping):
        raise ToolRefused(
            "a record is a map of fields, with `format`, `title`, `category` and the rest; pass it whole."
        )
    return text


def _read(text: str) -> object:
    return loads(text, name="the record")
