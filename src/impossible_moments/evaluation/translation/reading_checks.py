"""Program checks of a reading: codes exist, quotes stand in the answer, values and figures follow from their quotes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from impossible_moments.evaluation.answers.figure_matching import (
    convert_number_words_to_digits,
    extract_figures_of_line,
)
from impossible_moments.evaluation.judging.answer_quotes import (
    QuotableAnswer,
    contains_words,
    extract_numbers,
)
from impossible_moments.evaluation.translation.reading_forms import (
    AnswerReading,
    Contradiction,
    PlanTime,
    QuotedCode,
    ReadReason,
    ReadSentence,
    StatedFigure,
    TurningPoint,
)
from impossible_moments.evaluation.translation.record_codes import CodedDeed, CodedRecord, DeedKind
from impossible_moments.evaluation.translation.stated_values import build_wait_call, explain_bad_value


def iterate_reading_faults(
    form: AnswerReading, answer: QuotableAnswer, record: CodedRecord, situation: str
) -> Iterator[str]:
    """Yield what is wrong with a reading, in words that a translator can act on."""
    yield from iterate_verdict_faults(form, answer)
    for sentence in form.sentences:
        yield from iterate_sentence_faults(sentence, answer, record)
    if form.premise is not None:
        yield from iterate_statement_faults(form.premise, record.premises, answer)
    for reason in form.reasons:
        yield from iterate_reason_faults(reason, record, answer)
    if form.crux is not None:
        yield from iterate_statement_faults(form.crux, record.uncertainties, answer)
    for figure in form.figures:
        yield from iterate_figure_faults(figure, answer)
    for statement in form.further_premises:
        yield from iterate_statement_faults(statement, record.premises, answer)
    for point in form.turning_points:
        yield from iterate_turning_point_faults(point, record, answer)
    if form.plan_time is not None:
        yield from iterate_time_faults(form.plan_time, answer)
    for each in form.contradictions:
        yield from iterate_contradiction_faults(each, answer, situation)


def iterate_verdict_faults(form: AnswerReading, answer: QuotableAnswer) -> Iterator[str]:
    """Yield faults of the verdict and its quote."""
    if form.verdict != "none" and not answer.contains_words(form.verdict_quote):
        yield from _iterate_quote_faults(f"the verdict {form.verdict!r}", form.verdict_quote, answer)


def iterate_sentence_faults(
    sentence: ReadSentence, answer: QuotableAnswer, record: CodedRecord
) -> Iterator[str]:
    """Yield faults of one sentence. A needed statement with an empty quote is not a fault: it was not said."""
    name = f"the entry {sentence.code or sentence.kind!r}"
    yield from _iterate_quote_faults(name, sentence.quote, answer)
    if sentence.kind != "call":
        if sentence.kind == "not modelled" and not sentence.what.strip():
            yield f"{name} does not say in `what` what is done"
        return
    deed = record.deeds_by_code.get(sentence.code)
    if deed is None:
        yield f"{sentence.code!r} is not the code of a deed"
        return
    yield from _iterate_said_faults(sentence, deed, answer)
    yield from _iterate_value_faults(sentence, answer, record)
    if deed.kind is DeedKind.VALUE and deed.code not in {each.code for each in sentence.values}:
        yield f"{name} has no entry in `values`"


def _iterate_said_faults(sentence: ReadSentence, deed: CodedDeed, answer: QuotableAnswer) -> Iterator[str]:
    said = {each.name: each.quote for each in sentence.said}
    needed = {each.name: each for each in deed.needed}
    for missing in (each for each in needed if each not in said):
        yield f"{deed.code} lacks {missing!r} in `said`; leave its quote empty if the answer does not say it"
    for statement, quote in said.items():
        if quote and statement in needed:
            yield from _iterate_word_faults(f"{statement!r} of {deed.code}", quote, sentence, answer)
            if needed[statement].is_value and not extract_figures_of_line(quote):
                yield f"{statement!r} of {deed.code} quotes no figure"
    if deed.kind is DeedKind.WAIT and (quote := said.get("time", "")) and not build_wait_call(quote):
        yield f"'time' of {deed.code} quotes no length of time"


def _iterate_value_faults(
    sentence: ReadSentence, answer: QuotableAnswer, record: CodedRecord
) -> Iterator[str]:
    for value in sentence.values:
        deed = record.deeds_by_code.get(value.code)
        if deed is None or deed.kind is not DeedKind.VALUE:
            yield f"{value.code!r} is not the code of a value"
            continue
        yield from _iterate_word_faults(f"the value {value.code}", value.quote, sentence, answer)
        if problem := explain_bad_value(value, deed):
            yield f"the value {value.code}: {problem}"


def iterate_statement_faults(
    statement: QuotedCode, known: Mapping[str, str], answer: QuotableAnswer
) -> Iterator[str]:
    """Yield faults of a premise or crux."""
    if statement.code not in known:
        yield f"{statement.code!r} is not a code of its list"
    yield from _iterate_quote_faults(statement.code, statement.quote, answer)


def iterate_reason_faults(reason: ReadReason, record: CodedRecord, answer: QuotableAnswer) -> Iterator[str]:
    """Yield faults of a reason against the goal."""
    yield from _iterate_quote_faults("a reason", reason.quote, answer)
    for code in reason.conditions:
        if code not in record.conditions:
            yield f"{code!r} is not the code of a condition"
    for code in reason.deeds:
        if code not in record.deeds_by_code:
            yield f"{code!r} is not the code of a deed"
    for each in reason.figures:
        if not _stands_in_quote(each.figure, reason.quote):
            yield f"the figure {each.figure!r} is not in the reason {reason.quote[:80]!r}"


def iterate_figure_faults(figure: StatedFigure, answer: QuotableAnswer) -> Iterator[str]:
    """Yield faults of a figure of a proposed design."""
    yield from _iterate_quote_faults(f"the figure {figure.name!r}", figure.quote, answer)
    if not _stands_in_quote(figure.value, figure.quote):
        yield f"the figure {figure.value!r} is not in its quote {figure.quote[:80]!r}"


def iterate_turning_point_faults(
    point: TurningPoint, record: CodedRecord, answer: QuotableAnswer
) -> Iterator[str]:
    """Yield faults of a value at which the answer would choose otherwise."""
    if point.code not in record.uncertainties:
        yield f"{point.code!r} is not a code of the list of the crux"
    yield from _iterate_value_quote_faults("the turning point", point, answer)


def iterate_time_faults(time: PlanTime, answer: QuotableAnswer) -> Iterator[str]:
    """Yield faults of the time that the answer states for its plan."""
    yield from _iterate_value_quote_faults("the time of the plan", time, answer)


def _iterate_value_quote_faults(
    name: str, stated: TurningPoint | PlanTime, answer: QuotableAnswer
) -> Iterator[str]:
    yield from _iterate_quote_faults(name, stated.quote, answer)
    if not _stands_in_quote(stated.value, stated.quote):
        yield f"{name} {stated.value!r} is not in its quote {stated.quote[:80]!r}"


def iterate_contradiction_faults(
    found: Contradiction, answer: QuotableAnswer, situation: str
) -> Iterator[str]:
    """Yield faults of a contradiction: words that are not in the answer, or not in the situation."""
    yield from _iterate_quote_faults("a contradiction", found.quote, answer)
    if not contains_words(situation, found.situation):
        yield f"a contradiction quotes {found.situation[:80]!r}, which is not in the situation; copy its words exactly"


def _stands_in_quote(figure: str, quote: str) -> bool:
    """Return whether the numbers of a figure, in digits or words, are numbers of a quote."""
    numbers = extract_numbers(convert_number_words_to_digits(figure))
    stated = extract_numbers(quote) | extract_numbers(convert_number_words_to_digits(quote))
    return bool(numbers) and numbers <= stated


def _iterate_word_faults(
    name: str, quote: str, sentence: ReadSentence, answer: QuotableAnswer
) -> Iterator[str]:
    """Yield faults of the words for a part of a sentence. In the sentence itself one word is enough."""
    if not contains_words(sentence.quote, quote):
        yield from _iterate_quote_faults(name, quote, answer)


def _iterate_quote_faults(name: str, quote: str, answer: QuotableAnswer) -> Iterator[str]:
    if not quote.strip():
        yield f"{name} has no quote"
    elif not answer.contains_quote(quote) and not answer.has_sentence(quote):
        is_there = contains_words(answer.shown_text, quote)
        problem = (
            "which is too short outside the quote of the entry; copy two or three words more"
            if is_there
            else "which is not in the answer; copy whole words of it"
        )
        yield f"{name} quotes {quote[:80]!r}, {problem}"
