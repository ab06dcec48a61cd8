"""What a reading asserts beside plan and verdict: turning points, the time of the plan, and facts of the situation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import (
    convert_shares_to_digits,
    convert_words_to_figures,
    extract_figures_of_line,
)
from impossible_moments.evaluation.interpretation import StatedTurningPoint
from impossible_moments.evaluation.interpretation.known_amounts import find_dimension
from impossible_moments.evaluation.interpretation.plan_times import find_time_contradiction
from impossible_moments.evaluation.results import ReadingEntry
from impossible_moments.evaluation.translation.contradictions import ContradictionJudge, Standing
from impossible_moments.evaluation.translation.reading_forms import AnswerReading
from impossible_moments.evaluation.translation.reading_problems import PLAN_TIME, Place, ReadingProblem
from impossible_moments.evaluation.translation.record_codes import CodedRecord
from impossible_moments.mechanics.language import PLAIN

TURNING_POINT = "turning point"
SUPPOSED_VALUE = "supposed value"
FALSE_CLAIM = "false claim"
FALSE_ASIDE = "false aside"
DOUBTFUL_CLAIM = "doubtful claim"
"""Kinds of the lines of a result file that hold assertions."""
_WORD_AT: Final = re.compile(r"\s*[^\W\d_]")
_FACTOR_AT: Final = re.compile(r"[\s-]*(?:times|fold|x|of)\b")
"""Words after the number of a factor or share."""


@dataclass
class AssertedFacts:
    """Collects what an answer asserts. What could not be read or confirmed asserts nothing."""

    form: AnswerReading
    record: CodedRecord
    key: AnswerKey
    problems: Mapping[Place, ReadingProblem]
    situation: str
    turning_points: list[StatedTurningPoint] = field(default_factory=list)
    false_claims: list[str] = field(default_factory=list)
    false_asides: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    entries: list[ReadingEntry] = field(default_factory=list)

    def collect(self, calls: Sequence[str], lifted: frozenset[str]) -> None:
        """Collect the assertions of an answer whose plan makes some calls and drops some premises."""
        self._collect_turning_points()
        self._collect_time(calls, lifted)
        self._collect_contradictions(calls)
        self._collect_further_premises(lifted)

    def _collect_turning_points(self) -> None:
        crux = getattr(self.key.block, "crux", None)
        for number, point in enumerate(self.form.turning_points):
            problem = self.problems.get(("turning point", number, 0))
            reason = "" if problem is None else problem.reason
            if problem is None and self.record.uncertainty_names[point.code] != crux:
                reason = "it is not the quantity that decides"
            kind = TURNING_POINT if point.relation == "limit" else SUPPOSED_VALUE
            entry = ReadingEntry(text=point.quote, kind=kind, call=point.value, reason=reason)
            self.entries.append(entry)
            found = read_turning_points(entry, self.key)
            self.turning_points += found
            if not found and not reason and crux in self.key.analysis.world.quantities:
                self._add_doubt(point.quote, f"the value {point.value!r} cannot be compared")

    def _collect_time(self, calls: Sequence[str], lifted: frozenset[str]) -> None:
        time = self.form.plan_time
        if time is None or PLAN_TIME in self.problems or self.key.status == "PX":
            return
        for amount in extract_figures_of_line(time.value)[:1]:
            if computed := find_time_contradiction(amount, calls, self.key, lifted):
                self._add_doubt(time.quote, f"the plan takes about {computed}")

    def _collect_contradictions(self, calls: Sequence[str]) -> None:
        judge = ContradictionJudge(self.key, self.situation)
        for number, each in enumerate(self.form.contradictions):
            if ("contradiction", number, 0) in self.problems:
                continue
            claim = f"{each.quote[:120]!r}, but the situation says {each.situation[:120]!r}"
            match judge.judge(each, calls):
                case Standing.DECIDES:
                    self.false_claims.append(claim)
                    self.entries.append(ReadingEntry(text=each.quote, kind=FALSE_CLAIM, call=claim))
                case Standing.ASIDE:
                    self.false_asides.append(claim)
                    self.entries.append(ReadingEntry(text=each.quote, kind=FALSE_ASIDE, call=claim))
                case Standing.OPEN:
                    self._add_doubt(each.quote, f"the situation says {each.situation[:120]!r}")

    def _collect_further_premises(self, named: frozenset[str]) -> None:
        """Doubt an answer that names the right assumption and beside it one that the situation does impose."""
        for number, statement in enumerate(self.form.further_premises):
            is_right = statement.code in self.record.premise_names
            if ("further premise", number, 0) not in self.problems and not is_right and named:
                self._add_doubt(
                    statement.quote, "another statement of the text is called an unfounded assumption"
                )

    def _add_doubt(self, quote: str, reason: str) -> None:
        doubt = f"{quote[:120]!r}: {reason}"
        self.doubts.append(doubt)
        self.entries.append(ReadingEntry(text=quote, kind=DOUBTFUL_CLAIM, call=doubt, reason=reason))


def read_turning_points(entry: ReadingEntry, key: AnswerKey) -> list[StatedTurningPoint]:
    """Return the figures of a line about a value at which an answer would choose otherwise; none if it does not count.

    A number before a word that is not a unit cannot be compared, except that of a factor or share.
    """
    crux = key.analysis.world.quantities.get(getattr(key.block, "crux", None) or "")
    if entry.kind not in {TURNING_POINT, SUPPOSED_VALUE} or entry.reason or crux is None:
        return []
    is_plain = (find_dimension(crux) or PLAIN).is_plain
    value = convert_shares_to_digits(entry.call) if is_plain else entry.call
    text, amounts = convert_words_to_figures(value), extract_figures_of_line(value)
    return [
        StatedTurningPoint(entry.text, each, is_limit=entry.kind == TURNING_POINT)
        for each in amounts
        if each.unit
        or not _WORD_AT.match(text, each.end)
        or (is_plain and len(amounts) == 1 and _FACTOR_AT.match(text, each.end))
    ]
