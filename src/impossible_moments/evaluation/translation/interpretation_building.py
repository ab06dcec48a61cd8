"""The interpreted answer of a checked reading, and the lines that a result file keeps of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import (
    AnswerVerdict,
    ParsedAnswer,
    find_answer_object,
)
from impossible_moments.evaluation.breakthroughs.frontier_filter import extract_stated_figures
from impossible_moments.evaluation.interpretation import (
    REFUTED,
    InterpretedAnswer,
    InterpretedStep,
    StepKind,
)
from impossible_moments.evaluation.judging.answer_quotes import contains_words
from impossible_moments.evaluation.menus.menu_values import MenuValueError
from impossible_moments.evaluation.reader import select_working_order
from impossible_moments.evaluation.results import ReadingEntry
from impossible_moments.evaluation.translation.asserted_facts import AssertedFacts
from impossible_moments.evaluation.translation.conflict_figures import find_contradicted_figure
from impossible_moments.evaluation.translation.misplaced_steps import list_misplaced_steps
from impossible_moments.evaluation.translation.open_diagnoses import list_open_diagnoses
from impossible_moments.evaluation.translation.reading_forms import AnswerReading, ReadReason, ReadSentence
from impossible_moments.evaluation.translation.reading_problems import (
    CRUX,
    PREMISE,
    VERDICT,
    Place,
    ReadingProblem,
)
from impossible_moments.evaluation.translation.record_codes import CodedRecord, DeedKind
from impossible_moments.evaluation.translation.signal_answers import (
    list_missing_signals,
    merge_signal_answers,
)
from impossible_moments.evaluation.translation.stated_values import build_value_call, build_wait_call
from impossible_moments.llm import estimate_text_tokens

OTHER_PLAN = "other plan"
"""Kind of the line before the steps of a further plan."""


@dataclass
class ReadingInterpreter:
    """Builds the interpreted answer from a reading, and collects the lines that explain it."""

    form: AnswerReading
    record: CodedRecord
    key: AnswerKey
    problems: Mapping[Place, ReadingProblem]
    situation: str = ""
    """The text that the solver was shown."""
    entries: list[ReadingEntry] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)

    def interpret(self, text: str) -> InterpretedAnswer:
        """Return the answer in terms of the record. `text` is the whole answer."""
        verdict = self._interpret_verdict()
        plans = [self._interpret_plan(number) for number in range(len(self.form.plans))]
        premise = self._accept_statement(PREMISE)
        named = {self.record.premise_names[premise]} if premise in self.record.premise_names else set[str]()
        plans = [merge_signal_answers(plan, self.key) for plan in plans]
        steps = select_working_order(plans[0], frozenset(named), self.key)
        self.unread += list_open_diagnoses(steps, frozenset(named), self.key)
        self.unread += list_misplaced_steps(steps, frozenset(named), self.key)
        self.unread += list_missing_signals(steps, frozenset(named), self.key)
        conflict = tuple(self._interpret_reason(at, each) for at, each in enumerate(self.form.reasons))
        crux = self._accept_statement(CRUX)
        facts = AssertedFacts(self.form, self.record, self.key, self.problems, self.situation)
        facts.collect([each.call for each in steps if each.kind is StepKind.CALL], frozenset(named))
        self.entries += facts.entries
        return InterpretedAnswer(
            verdict=verdict,
            steps=steps,
            other_plans=tuple(plan for plan in plans[1:] if plan),
            premises=frozenset(named),
            names_decoy=bool(premise) and premise not in self.record.premise_names,
            conflict=conflict,
            is_argued=True,
            names_crux=bool(crux)
            and self.record.uncertainty_names[crux] == getattr(self.key.block, "crux", None),
            turning_points=tuple(facts.turning_points),
            false_claims=tuple(facts.false_claims),
            false_asides=tuple(facts.false_asides),
            figures=self._interpret_figures(),
            unread=tuple(self.unread),
            doubts=(
                *(
                    f"{step.text[:120]!r}: {step.reason}"
                    for step in steps
                    if step.kind is StepKind.UNMODELLED
                ),
                *facts.doubts,
            ),
            answer_tokens=_estimate_answer_tokens(text),
        )

    def _interpret_verdict(self) -> AnswerVerdict:
        form, problem = self.form, self.problems.get(VERDICT)
        if form.verdict == "none":
            return AnswerVerdict.NONE
        self._add_entry(form.verdict_quote, "verdict", form.verdict, problem)
        return AnswerVerdict(form.verdict) if problem is None else AnswerVerdict.NONE

    def _interpret_plan(self, number: int) -> tuple[InterpretedStep, ...]:
        if number:
            self.entries.append(ReadingEntry(kind=OTHER_PLAN))
        sentences = self.form.plans[number]
        found: list[InterpretedStep] = []
        for position, sentence in enumerate(sentences):
            problem = self.problems.get(("plan", number, position)) or self._find_part(sentence, sentences)
            for step in self._iterate_steps(sentence, problem):
                if step.call.startswith("choose(") and step.call in {each.call for each in found}:
                    continue
                found.append(step)
                self.entries.append(
                    ReadingEntry(
                        text=step.text,
                        kind=step.kind,
                        call=step.call,
                        said=dict(step.said),
                        reason=step.reason,
                    )
                )
        return tuple(found)

    def _find_part(
        self, sentence: ReadSentence, sentences: tuple[ReadSentence, ...]
    ) -> ReadingProblem | None:
        """Return why a waiting time is part of another deed; None if it is not."""
        deed = self.record.deeds_by_code.get(sentence.code)
        if sentence.kind != "call" or deed is None or deed.kind is not DeedKind.WAIT:
            return None
        times = [each.quote for each in sentence.said]
        for other in sentences:
            is_act = other.kind == "call" and other.code != sentence.code
            if is_act and any(contains_words(other.quote, time) for time in times):
                return ReadingProblem("it is the time that another deed takes", StepKind.HARMLESS)
        return None

    def _iterate_steps(
        self, sentence: ReadSentence, problem: ReadingProblem | None
    ) -> Iterator[InterpretedStep]:
        text = sentence.quote
        if problem is not None:
            yield InterpretedStep(text, problem.kind, reason=problem.reason)
        elif sentence.kind == "call":
            yield from self._iterate_calls(sentence)
        elif sentence.kind == "harmless":
            yield InterpretedStep(text, StepKind.HARMLESS)
        elif sentence.kind == "considered only":
            self.entries.append(ReadingEntry(text=text, kind=sentence.kind))
        elif sentence.matters:
            yield InterpretedStep(
                text, StepKind.UNMODELLED, reason=f"the record does not know this: {sentence.what}"
            )
        else:
            reason = f"the record does not know this, and the plan does not depend on it: {sentence.what}"
            yield InterpretedStep(text, StepKind.HARMLESS, reason=reason)

    def _iterate_calls(self, sentence: ReadSentence) -> Iterator[InterpretedStep]:
        deed = self.record.deeds_by_code[sentence.code]
        said = {each.name: each.quote for each in sentence.said}
        for value in sentence.values:
            try:
                call = build_value_call(value, self.record.deeds_by_code[value.code], self.key)
            except MenuValueError as problem:
                yield InterpretedStep(value.quote, StepKind.NEAR_MISS, reason=str(problem))
            else:
                yield InterpretedStep(value.quote, StepKind.CALL, call, {"value": value.value})
        if deed.kind is DeedKind.WAIT:
            yield InterpretedStep(sentence.quote, StepKind.CALL, build_wait_call(said["time"]), said)
        elif deed.kind is not DeedKind.VALUE:
            yield InterpretedStep(sentence.quote, StepKind.CALL, deed.call, said)

    def _accept_statement(self, place: Place) -> str:
        """Return the code of the premise or crux; empty if there is none or it does not count."""
        statement = self.form.premise if place == PREMISE else self.form.crux
        if statement is None:
            return ""
        known = self.record.premises if place == PREMISE else self.record.uncertainties
        problem = self.problems.get(place)
        self._add_entry(statement.quote, place[0], known.get(statement.code, ""), problem)
        return statement.code if problem is None else ""

    def _interpret_reason(self, number: int, reason: ReadReason) -> frozenset[str]:
        """Return the conditions that a reason names and does not contradict."""
        problem = self.problems.get(("reason", number, 0))
        facts = [each.figure for each in reason.figures if each.given_as == "fact"]
        named: list[str] = []
        refused: list[str] = []
        for code in reason.conditions if problem is None else ():
            condition = self.record.condition_names[code]
            works = self._find_working_deed(reason, condition)
            if works:
                refused.append(f"the record shows that this is met: {works}")
                continue
            wrong = find_contradicted_figure(facts, condition, self.key, situation=self.situation)
            if wrong:
                refused.append(f"{wrong!r} contradicts the situation")
            else:
                named.append(condition)
        sentences = (
            self.record.conditions[code] for code in reason.conditions if code in self.record.conditions
        )
        self._add_entry(
            reason.quote, "reason", "; ".join(sentences), problem, "; ".join(dict.fromkeys(refused))
        )
        return REFUTED if refused and not named else frozenset(named)

    def _find_working_deed(self, reason: ReadReason, condition: str) -> str:
        """Return a deed of which a reason says that it fails at a condition, and which works; empty if there is none.

        A deed works if it was carried out in an approach of the record. Only its own conditions are compared.
        """
        verb = condition.partition(".")[0]
        for code in reason.deeds:
            deed = self.record.deeds_by_code[code]
            if deed.call.partition("(")[0] == verb and deed.call in self.key.completed_calls:
                return deed.text
        return ""

    def _interpret_figures(self) -> Mapping[str, float]:
        claims: dict[str, str] = {}
        for number, figure in enumerate(self.form.figures):
            problem = self.problems.get(("figure", number, 0))
            self._add_entry(figure.quote, "figure", f"{figure.name} = {figure.value}", problem)
            if problem is None:
                claims[figure.name] = figure.value
        if not claims or self.key.analysis.world.record.frontier is None:
            return {}
        return extract_stated_figures(ParsedAnswer(claims=claims), self.key)

    def _add_entry(
        self, text: str, kind: str, meaning: str, problem: ReadingProblem | None, reason: str = ""
    ) -> None:
        """Add a line about a part that is not a step. What does not count is left for review.

        A crux that does not count earns nothing, and nobody has to read it: it cannot make the answer wrong.
        """
        if problem is not None:
            reason = problem.reason
        if problem is not None and kind != CRUX[0]:
            self.unread.append(f"the {kind} {text[:120]!r} was not read: {reason}")
        self.entries.append(ReadingEntry(text=text, kind=kind, call=meaning, reason=reason))


def _estimate_answer_tokens(text: str) -> int:
    """Return the length of an answer. Of an answer in the plan form, only the form counts."""
    data = find_answer_object(text)
    return estimate_text_tokens(text if data is None else json.dumps(data, ensure_ascii=False))
