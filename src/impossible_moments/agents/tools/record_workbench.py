"""The record that tools work on, parsed, checked and proved at most once for all calls of an assignment."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import Final

from impossible_moments.agents.tools.argument_checks import ToolRefusal
from impossible_moments.mechanics.checks import CheckReport, verify_record
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.proofs import ImpossibilityResult
from impossible_moments.mechanics.records import DocumentError, Library, parse_document, parse_record
from impossible_moments.mechanics.world import NeverRuleSource, World, build_world

MOST_KEPT: Final = 6
"""Reports in the cache, so that frequent revisions of a record do not fill the memory."""


class RecordWorkbench:
    """The record that the agent may see, with results computed from it and from trial records."""

    def __init__(self, record: Mapping[str, object] | None, library: Library) -> None:
        self.library = library
        self._reports: dict[str, CheckReport] = {}
        self._text: str | None = None
        self._refusal: ToolRefusal | None = None
        try:
            # serialize at once: later changes of the mapping must not affect the results
            self._text = None if record is None else serialize_record(record)
        except ToolRefusal as refusal:
            self._refusal = refusal  # raised when the record is needed; other tools work without it

    @cached_property
    def report(self) -> CheckReport:
        """The check report of the record."""
        if self._refusal is not None:
            raise self._refusal
        assert self._text is not None, "tools that need a record are only offered if there is one"
        return self.check_record_json(self._text)

    def check_record_json(self, record: str) -> CheckReport:
        """Check a record written as JSON and return the report. Reports are cached."""
        if record not in self._reports:
            if len(self._reports) >= MOST_KEPT:
                del self._reports[next(iter(self._reports))]
            self._reports[record] = verify_record(_parse_record_json(record), self.library)
        return self._reports[record]

    @cached_property
    def reading(self) -> tuple[World | None, str]:
        """The world of the record, read without any search, or None and the reason if it cannot be read."""
        if self._text is None:
            return None, str(self._refusal or "")
        findings = Findings()
        record = parse_record(_parse_record_json(self._text), findings)
        if record is not None:
            world, _ = build_world(record, self.library, findings)
            if not findings.errors:
                return world, ""
        return None, str(findings.errors[0])

    @cached_property
    def impossibility(self) -> tuple[ImpossibilityResult, bool]:
        """The attempt to prove that no plan works, and whether it doubled the ranges of estimates."""
        analysis, verdict = self.report.analysis, self.report.verdict
        assert analysis is not None, "only used for a record that could be read"
        assert verdict is not None, "only used for a record that could be computed"
        premises = any(never.by is NeverRuleSource.PREMISE for never in analysis.world.never_rules)
        # as for the status: doubled ranges for a paradox, the stated ones for a premise or a frontier
        doubled = verdict.status == "PX" or (not premises and analysis.world.record.frontier is None)
        if doubled and verdict.impossibility is not None:
            return verdict.impossibility, True
        return analysis.create_prover(estimates_doubled=doubled).attempt_proof(), doubled


def serialize_record(record: object) -> str:
    """Return a record as JSON text.

    Raise `ToolRefusal` if it is not JSON data or exceeds the limits of a document.
    """
    try:
        record = _parse_record_json(record) if isinstance(record, str) else record
        data = dict(record) if isinstance(record, Mapping) else record
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        _parse_record_json(text)
    except DocumentError as problem:
        raise ToolRefusal(str(problem)) from None
    except (TypeError, ValueError, RecursionError):
        raise ToolRefusal(
            "the record is not JSON data: it contains another type, a number that is not finite, or itself; pass maps, lists, texts and finite numbers."
        ) from None
    if not isinstance(record, Mapping):
        raise ToolRefusal(
            "a record is a map of fields, with `format`, `title`, `category` and the rest; pass it whole."
        )
    return text


def _parse_record_json(text: str) -> object:
    return parse_document(text, name="the record")
