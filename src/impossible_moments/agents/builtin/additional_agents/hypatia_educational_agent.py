"""HYPATIA, the educational agent: computes from the record what a learner needs and what to try."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from impossible_moments.agents.builtin.additional_agents.additional_role import AdditionalRole, RoleAssessment
from impossible_moments.agents.builtin.additional_agents.record_mutations import (
    find_mutations,
    read_quantity,
    verify_record_once,
)
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.quantity_wording import format_count
from impossible_moments.domain.seed import Insight
from impossible_moments.mechanics.checks import StatusVerdict, WorldAnalysis, find_numbers_behind_plan
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.records import Library

MOST_NUMBERS: Final = 6
_CONDITION: Final = re.compile(r"(?P<name>[a-z_]\w*)\s*=(?!=)\s*(?P<text>.+)")


class Hypatia(AdditionalRole):
    """The agent that derives a lesson from the record: prerequisites, conditions, numbers and an experiment."""

    name = "HYPATIA"

    def __init__(self, library: Library) -> None:
        self.library = library

    def assess_scenario(self, view: AssignmentView) -> RoleAssessment:
        """List what a learner needs, in the order in which it is needed."""
        seed = self.require_seed_document(view)
        insights = tuple(_iterate_prerequisites(seed.insight_chain))
        report = verify_record_once(seed.mechanics, self.library)
        if report.analysis is None or report.verdict is None:
            return RoleAssessment(
                "The record cannot be computed, so only its insights can be taught.", insights, 0.6
            )
        plan = _select_studied_plan(report.analysis, report.verdict)
        conditions = tuple(self._iterate_conditions(seed.mechanics, plan))
        formulas = tuple(self._iterate_formulas(seed.mechanics))
        numbers = tuple(_iterate_numbers(seed.mechanics, report.analysis, plan))
        experiment = tuple(_iterate_experiments(seed.mechanics, self.library))
        domains = ", ".join(sorted({each.domain for each in seed.insight_chain if each.domain}))
        text = (
            f"A learner of {domains or 'no single domain'} needs {format_count(len(insights), 'insight')}, {len(conditions)} conditions and "
            f"{len(formulas)} formulas, and can compute the outcome from {len(numbers)} numbers."
        )
        return RoleAssessment(text, (*insights, *conditions, *formulas, *numbers, *experiment), 0.85)

    def _iterate_conditions(self, record: Mapping[str, Any], plan: Sequence[Move]) -> Iterator[str]:
        """Yield the conditions of the plan's actions, with what happens where the library states it."""
        own = {
            str(each.get("do", "")).partition("(")[0].strip(): each for each in record.get("actions") or ()
        }
        for verb in dict.fromkeys(move.verb for move in plan):
            if verb in own:
                about, when = "", own[verb].get("when") or ()
            elif verb in self.library.verbs:
                action = self.library.verbs[verb]
                about, when = f"{action.about} ({action.domain}, source: {action.source}); ", action.when
            else:
                continue
            tests = (test for move in plan if move.verb == verb for test in move.tests)
            names = {test.name.rpartition(".")[2] for test in tests}
            texts = [f"{name}: {text}" for name, text in _split_conditions(when) if name in names]
            if texts:
                yield f"Condition of `{verb}`: {about}{'; '.join(texts)}"

    def _iterate_formulas(self, record: Mapping[str, Any]) -> Iterator[str]:
        """Yield the formulas of the library that the record calls."""
        text = json.dumps({name: record.get(name) for name in ("quantities", "things", "actions", "rates")})
        for form in self.library.form.templates:
            name = form.call.partition("(")[0].strip()
            if re.search(rf"\b{re.escape(name)}\(", text):
                yield f"Formula `{form.call} = {form.formula}`: {form.about} ({form.source})"


def _iterate_prerequisites(chain: Sequence[Insight]) -> Iterator[str]:
    """Yield the insights so that each comes after those it depends on."""
    left = dict(enumerate(chain, start=1))
    while left:
        # A cycle cannot be ordered: then the first one left comes next.
        number = next(
            (each for each, insight in left.items() if set(insight.depends_on) & left.keys() <= {each}),
            min(left),
        )
        insight = left.pop(number)
        after = f", after {', '.join(map(str, insight.depends_on))}" if insight.depends_on else ""
        yield f"Insight {number}{after} ({insight.fixedness_type}): {insight.text}"


def _select_studied_plan(analysis: WorldAnalysis, verdict: StatusVerdict) -> tuple[Move, ...]:
    """Return the working plan, or the first approach if nothing works: then its failure is the lesson."""
    if verdict.ways:
        return tuple(verdict.ways[0].plan)
    return next((tuple(plan) for plan in analysis.plans.values()), ())


def _split_conditions(when: str | Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each condition, given as one text or as lines."""
    text = when if isinstance(when, str) else ";".join(map(str, when))
    for line in text.replace("\n", ";").split(";"):
        if found := _CONDITION.match(line.strip()):
            yield found["name"], found["text"].partition("@")[0].strip()


def _iterate_numbers(
    record: Mapping[str, Any], analysis: WorldAnalysis, plan: tuple[Move, ...]
) -> Iterator[str]:
    """Yield the numbers of the record on which the plan depends."""
    stated = (
        f"{name} = {value}"
        for name in find_numbers_behind_plan(analysis.executor, plan)
        if (value := read_quantity(record, name)) is not None
    )
    for number, text in enumerate(stated):
        if number == MOST_NUMBERS:
            return
        yield f"Number to look at: {text}"


def _iterate_experiments(record: Mapping[str, Any], library: Library) -> Iterator[str]:
    """Yield the smallest change that makes a different outcome, and one that does not."""
    mutations = find_mutations(record, library)
    changed = next(
        (each for each in mutations if each.becomes in {"impossible", "solvable", "fragile"}), None
    )
    kept = next((each for each in mutations if each.becomes == "still solvable"), None)
    for each in (kept, changed):
        if each is not None:
            yield f"Try {each.quantity} = {each.after} instead of {each.before}: it is {each.becomes} (computed status {each.status}). Explain why."
