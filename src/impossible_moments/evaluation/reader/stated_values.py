"""Values that an answer states in plain words: decisions with their units, and answers to puzzles."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import (
    convert_number_words_to_digits,
    extract_figures_of_line,
)
from impossible_moments.evaluation.answers.step_values import iterate_puzzle_answers
from impossible_moments.mechanics.language import UnitError, parse_unit
from impossible_moments.mechanics.records import DiagnosisPuzzle, Puzzle, Quantity
from impossible_moments.mechanics.wording import extract_word_stems

_PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent|per cent)")
_ANSWERS: Final = (
    "answer",
    "enter",
    "dial",
    "code",
    "conclude",
    "conclusion",
    "diagnos",
    "cause",
    "choose",
    "set",
)


def find_chosen_value(text: str, quantity: Quantity, key: AnswerKey) -> str:
    """Return the call that chooses a decision, or an empty text if a text states no value for it.

    A value counts if the text names what it is the value of, and has one figure in a fitting unit.
    """
    wording = key.wording.values.get(quantity.name)
    if wording is None or not extract_word_stems(wording.label) & extract_word_stems(text):
        return ""
    unit = wording.unit or "plain"
    digits = convert_number_words_to_digits(text)
    if unit == "percent":
        found = {float(each) / 100 for each in _PERCENT.findall(digits)}
        return f"choose({quantity.name}={found.pop():.10g})" if len(found) == 1 else ""
    figures = extract_figures_of_line(digits)
    if unit == "plain":
        numbers = {each.low for each in figures if not each.unit}
        return f"choose({quantity.name}={numbers.pop():.10g})" if len(numbers) == 1 else ""
    try:
        wanted = parse_unit(unit)
    except UnitError:
        return ""
    values = {each.si[0] for each in figures if each.unit and each.dimension == wanted.dimension}
    return f"choose({quantity.name}={wanted.from_si(values.pop()):.10g}[{unit}])" if len(values) == 1 else ""


def find_puzzle_answer(text: str, puzzle: Puzzle, key: AnswerKey) -> str:
    """Return the call that answers a puzzle, or an empty text if a text states no answer to it."""
    if isinstance(puzzle, DiagnosisPuzzle):
        return _find_hypothesis(text, puzzle, key)
    if not any(word in text.casefold() for word in _ANSWERS):
        return ""
    value = text.partition(" ")[2] or text
    found = dict(iterate_puzzle_answers(value, key.analysis.world)).get(puzzle.name, "")
    solved = key.analysis.world.puzzles.get(puzzle.name)
    # a value that the puzzle does not accept is an answer too, if it is all that the step says
    if solved is not None and solved.accepts_answer(found):
        return f"answer({puzzle.name}, '{found}')"
    return ""


def _find_hypothesis(text: str, puzzle: DiagnosisPuzzle, key: AnswerKey) -> str:
    """Return the answer with the one hypothesis that a text states in words of the record."""
    stems = extract_word_stems(text)
    stated = [
        hypothesis.name
        for hypothesis in puzzle.hypotheses
        if any(
            extract_word_stems(words) <= stems
            for words in key.wording.answers.get(f"{puzzle.name}.{hypothesis.name}", ())
        )
    ]
    return f"answer({puzzle.name}, '{stated[0]}')" if len(stated) == 1 else ""
