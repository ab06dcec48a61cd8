"""Parsing of values in answers: puzzle answers, waiting times, chosen numbers and options."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.figure_matching import convert_number_words_to_digits
from impossible_moments.evaluation.answers.hypothesis_matching import find_stated_hypothesis
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.mechanics.language import UnitError, parse_unit
from impossible_moments.mechanics.numbers import ANSWER_NUMBER, normalize_decimal_comma
from impossible_moments.mechanics.records import CluesPuzzle, DiagnosisPuzzle, Puzzle, QuantityKind
from impossible_moments.mechanics.world import World

_NUMBER: Final = re.compile(rf"({ANSWER_NUMBER})\s*\[?([A-Za-z%°][\w/%°*^-]*)?")
_SECONDS: Final = {
    "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0,
    "d": 86400.0, "day": 86400.0, "week": 604800.0,
}  # fmt: skip
ROUNDED: Final = 0.01
"""Relative distance between a figure and the option it refers to."""
_MORE_WORDS: Final = 3
"""Maximum words beside a right answer, such as `the code is`."""
_OPTION: Final = re.compile(r"[A-Za-z]\w*|\d+")
_ALTERNATIVE: Final = re.compile(r"[/|]|\b(?:or|either)\b")
_PARTS: Final = re.compile(r"[,;/|&+\n]|\b(?:and|or|then)\b")


def iterate_puzzle_answers(text: str, world: World) -> Iterator[tuple[str, str]]:
    """Yield for each puzzle its name and the value, in a form that the puzzle accepts if there is one."""
    forms_of = {each.name: each for each in world.record.puzzles}
    for name, puzzle in world.puzzles.items():
        forms = [text, text.strip(" .'\""), re.sub(r"\s*[:=]\s*", "=", text), re.sub(r"[\s,;-]+", "", text)]
        forms += [
            each
            for each in puzzle.answers
            if _is_reworded_right_answer(text, each)
            or _is_reworded_right_answer(convert_number_words_to_digits(text), each)
        ]
        forms += filter(None, [_translate_to_puzzle_terms(text, forms_of.get(name), world)])
        for form in dict.fromkeys(each for each in forms if each):
            if puzzle.accepts_answer(form):
                yield name, form
                break
        else:
            yield name, text.replace("'", "")


def iterate_stated_hypotheses(text: str, world: World) -> Iterator[str]:
    """Yield the hypotheses of diagnosis puzzles that a text states."""
    for form in world.record.puzzles:
        if isinstance(form, DiagnosisPuzzle) and (name := find_stated_hypothesis(text, form, world)):
            yield name


def _translate_to_puzzle_terms(text: str, form: Puzzle | None, world: World) -> str:
    """Return a free wording in the terms of a puzzle: a hypothesis or values of unknowns; else empty."""
    words = extract_word_stems(text) | extract_word_stems(convert_number_words_to_digits(text))
    match form:
        case DiagnosisPuzzle():
            return find_stated_hypothesis(text, form, world)
        case CluesPuzzle():
            found = {}
            for line in form.unknowns:
                name, _, values = line.partition("=")
                options = _OPTION.findall(values.replace("choose", ""))
                named = [
                    each for each in options if extract_word_stems(each) and extract_word_stems(each) <= words
                ]
                if len(named) == 1:
                    found[name.strip()] = named[0]
            return ", ".join(f"{each}={found[each]}" for each in form.asks if each in found)
        case _:
            return ""


def _is_reworded_right_answer(text: str, right: str) -> bool:
    """Check whether a short text states a right answer in other words, and no alternative to it."""
    right_words, given_words = extract_word_stems(right.replace("=", " ")), extract_word_stems(text)
    extra_words = given_words - right_words
    if not right_words or not right_words <= given_words or len(extra_words) > _MORE_WORDS:
        return False
    return not any(map(str.isdigit, extra_words)) and not _offers_alternatives(text, right)


def _offers_alternatives(answer: str, right: str) -> bool:
    """Check whether a text offers alternatives or lists more values than the right answer."""
    if len(_ALTERNATIVE.findall(answer.lower())) > len(_ALTERNATIVE.findall(right.lower())):
        return True
    offered_values, asked_values = (
        [extract_word_stems(part) for part in _PARTS.split(text.lower())] for text in (answer, right)
    )
    return len(offered_values) > len(asked_values) and all(
        len(part) <= max(map(len, asked_values)) for part in offered_values
    )


def parse_waiting_time(text: str) -> Iterator[float]:
    """Yield the first time that a text states, in seconds, joining units (2 min 30 s); at most one."""
    total, last, end = 0.0, math.inf, 0
    for found in _NUMBER.finditer(text):
        factor = _SECONDS.get(found[2].lower().rstrip("s") or "s") if found[2] else None
        if factor is None:
            continue
        if total and (factor >= last or text[end : found.start()].strip(" ,") not in {"", "and"}):
            break
        total, last, end = total + float(normalize_decimal_comma(found[1])) * factor, factor, found.end()
    if last < math.inf:
        yield total


def iterate_decision_values(step: AnswerStep, world: World) -> Iterator[tuple[str, str]]:
    """Yield names and candidate values of decisions that a step may set, the best match first."""
    text = " ".join([step.do, *step.things, step.value])
    decisions = [each for each in world.quantities.values() if each.kind is QuantityKind.DECISION]
    text_words = extract_word_stems(text)
    ranked = sorted(
        decisions, key=lambda each: -len(extract_word_stems(each.name.replace("_", " ")) & text_words)
    )
    for quantity in ranked:
        options = [str(each) for each in getattr(quantity, "options", ()) or ()]
        named = [
            each
            for each in options
            if (words := extract_word_stems(each.replace("_", " "))) and words <= text_words
        ]
        for option in sorted(named, key=lambda each: text.lower().find(each.replace("_", " ").lower())):
            yield quantity.name, f"'{option}'" if not re.fullmatch(r"-?[\d.]+", option) else option
        for number, measure in _NUMBER.findall(step.value or text):
            plain = normalize_decimal_comma(number)
            yield (
                quantity.name,
                _find_option_rounded_by_number(plain, measure, quantity.options or ())
                or (f"{plain}[{measure}]" if measure else plain),
            )


def _find_option_rounded_by_number(number: str, measure: str, options: Sequence[object]) -> str:
    """Return the option that a number rounds, written in its unit; empty if there is none."""
    try:
        scale = parse_unit(measure) if measure else parse_unit("1")
    except UnitError:
        return ""
    stated_value = scale.to_si(float(number))
    values = [each for each in options if isinstance(each, int | float) and not isinstance(each, bool)]
    best = min(values, key=lambda each: abs(each - stated_value), default=None)
    if best is None or abs(best - stated_value) > ROUNDED * abs(stated_value):
        return ""
    return f"{scale.from_si(best):.12g}[{measure}]" if measure else f"{best:.12g}"
