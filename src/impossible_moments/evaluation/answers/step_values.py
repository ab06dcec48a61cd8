"""Parsing of values in answers: puzzle answers, waiting times, chosen numbers and options."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.figure_matching import convert_number_words_to_digits
from impossible_moments.evaluation.answers.hypothesis_matching import match_hypothesis
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.mechanics.language import UnitError, parse_unit
from impossible_moments.mechanics.records import CluesPuzzle, DiagnosisPuzzle, Puzzle, QuantityKind
from impossible_moments.mechanics.world import World

_NUMBER: Final = re.compile(r"(-?\d+(?:[.,]\d+)?)\s*\[?([A-Za-z%°][\w/%°*^-]*)?")
_SECONDS: Final = {
    "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0,
    "d": 86400.0, "day": 86400.0, "week": 604800.0,
}  # fmt: skip
ROUNDED: Final = 0.01
"""Relative distance between a figure and the option it refers to."""
_MORE_WORDS: Final = 3
"""Maximum words beside a right answer, such as `the code is`."""
_OPTION: Final = re.compile(r"[A-Za-z]\w*|\d+")
_EITHER: Final = re.compile(r"[/|]|\b(?:or|either)\b")
_PARTS: Final = re.compile(r"[,;/|&+\n]|\b(?:and|or|then)\b")


def iterate_puzzle_answers(said: str, world: World) -> Iterator[tuple[str, str]]:
    """Yield for each puzzle its name and the value, in a form that the puzzle accepts if there is one."""
    forms_of = {each.name: each for each in world.record.puzzles}
    for name, puzzle in world.puzzles.items():
        forms = [said, said.strip(" .'\""), re.sub(r"\s*[:=]\s*", "=", said), re.sub(r"[\s,;-]+", "", said)]
        forms += [
            each
            for each in puzzle.answers
            if _is_same_answer(said, each) or _is_same_answer(convert_number_words_to_digits(said), each)
        ]
        forms += filter(None, [_translate_to_puzzle_terms(said, forms_of.get(name), world)])
        for form in dict.fromkeys(each for each in forms if each):
            if puzzle.accepts_answer(form):
                yield name, form
                break
        else:
            yield name, said.replace("'", "")


def iterate_stated_hypotheses(said: str, world: World) -> Iterator[str]:
    """Yield the hypotheses of diagnosis puzzles that a text states."""
    for form in world.record.puzzles:
        if isinstance(form, DiagnosisPuzzle) and (name := match_hypothesis(said, form, world)):
            yield name


def _translate_to_puzzle_terms(said: str, form: Puzzle | None, world: World) -> str:
    """Return a free wording in the terms of a puzzle: a hypothesis or values of unknowns; else empty."""
    words = extract_word_stems(said) | extract_word_stems(convert_number_words_to_digits(said))
    match form:
        case DiagnosisPuzzle():
            return match_hypothesis(said, form, world)
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


def _is_same_answer(said: str, right: str) -> bool:
    """Check whether a short text states a right answer in other words, and no alternative to it."""
    wanted, given = extract_word_stems(right.replace("=", " ")), extract_word_stems(said)
    more = given - wanted
    if not wanted or not wanted <= given or len(more) > _MORE_WORDS:
        return False
    return not any(map(str.isdigit, more)) and not _offers_alternatives(said, right)


def _offers_alternatives(said: str, right: str) -> bool:
    """Check whether a text offers alternatives or lists more values than the right answer."""
    if len(_EITHER.findall(said.lower())) > len(_EITHER.findall(right.lower())):
        return True
    offered, asked = (
        [extract_word_stems(part) for part in _PARTS.split(text.lower())] for text in (said, right)
    )
    return len(offered) > len(asked) and all(len(part) <= max(map(len, asked)) for part in offered)


def parse_waiting_time(said: str) -> Iterator[float]:
    """Yield the first time that a text states, in seconds, joining units (2 min 30 s); at most one."""
    whole, last, end = 0.0, math.inf, 0
    for found in _NUMBER.finditer(said):
        factor = _SECONDS.get(found[2].lower().rstrip("s") or "s") if found[2] else None
        if factor is None:
            continue
        if whole and (factor >= last or said[end : found.start()].strip(" ,") not in {"", "and"}):
            break
        whole, last, end = whole + float(found[1].replace(",", ".")) * factor, factor, found.end()
    if last < math.inf:
        yield whole


def iterate_decision_values(step: AnswerStep, world: World) -> Iterator[tuple[str, str]]:
    """Yield names and candidate values of decisions that a step may set, the best match first."""
    text = " ".join([step.do, *step.things, step.value])
    decisions = [each for each in world.quantities.values() if each.kind is QuantityKind.DECISION]
    said = extract_word_stems(text)
    ranked = sorted(decisions, key=lambda each: -len(extract_word_stems(each.name.replace("_", " ")) & said))
    for quantity in ranked:
        options = [str(each) for each in getattr(quantity, "options", ()) or ()]
        named = [
            each
            for each in options
            if (words := extract_word_stems(each.replace("_", " "))) and words <= said
        ]
        for option in sorted(named, key=lambda each: text.lower().find(each.replace("_", " ").lower())):
            yield quantity.name, f"'{option}'" if not re.fullmatch(r"-?[\d.]+", option) else option
        for number, measure in _NUMBER.findall(step.value or text):
            plain = number.replace(",", ".")
            yield (
                quantity.name,
                _find_nearest_option(plain, measure, quantity.options or ())
                or (f"{plain}[{measure}]" if measure else plain),
            )


def _find_nearest_option(number: str, measure: str, options: Sequence[object]) -> str:
    """Return the option that a number rounds, written in its unit; empty if there is none."""
    try:
        scale = parse_unit(measure) if measure else parse_unit("1")
    except UnitError:
        return ""
    said = scale.to_si(float(number))
    values = [each for each in options if isinstance(each, int | float) and not isinstance(each, bool)]
    best = min(values, key=lambda each: abs(each - said), default=None)
    if best is None or abs(best - said) > ROUNDED * abs(said):
        return ""
    return f"{scale.from_si(best):.12g}[{measure}]" if measure else f"{best:.12g}"
