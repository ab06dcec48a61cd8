"""Values that an answer states in plain words: decisions with their units, and answers to puzzles."""

from __future__ import annotations

import re
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.figure_matching import (
    convert_number_words_to_digits,
    extract_figures_of_line,
)
from impossible_moments.evaluation.answers.puzzle_answers import (
    find_values_in_order,
    iterate_puzzle_answers,
)
from impossible_moments.evaluation.menus.menu_values import format_choose_call
from impossible_moments.evaluation.reader.choice_measures import find_measures_of_choice
from impossible_moments.mechanics.language import UnitError, parse_unit
from impossible_moments.mechanics.records import DiagnosisPuzzle, Puzzle, Quantity
from impossible_moments.mechanics.wording import extract_word_stems

_PERCENT: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(?:%|percent|per cent)")
_RESULT: Final = re.compile(r"=|\b(?:that is|that makes|which makes|which gives|makes|gives|i\.e\.)")
_CLAUSE: Final = re.compile(r"[;,]\s|\b(?:which|so that|because|and then)\b")
_PARTS: Final = {"plain": 1.0, "percent": 100.0}
"""Units of counts and shares, with how many of them are one whole."""
_DIGITS: Final = 6
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
    named = [each for each in quantity.options if isinstance(each, str)]
    if named:
        said = [each for each in named if extract_word_stems(each) <= extract_word_stems(text)]
        return f"choose({quantity.name}='{said[0]}')" if len(said) == 1 else ""
    numbers = _list_chosen_numbers(text, wording.label, wording.unit or "plain", quantity, key)
    return format_choose_call(quantity, numbers[0], key) if len(numbers) == 1 else ""


def _list_chosen_numbers(text: str, label: str, unit: str, quantity: Quantity, key: AnswerKey) -> list[float]:
    """Return the numbers that a text may state as a value. Clauses that do not speak of it state something else."""
    about, results = text, ""
    if len(extract_figures_of_line(text)) > 1:
        about, results = _split_clauses(text, label)
    # of a sum that is written out, the result is the value
    parts = (_RESULT.split(about)[-1], about) if _RESULT.search(about) else (about,)
    stated = next(
        (
            found
            for part in parts
            if (
                found := _list_stated_numbers(part, unit) or _list_measured_numbers(part, unit, quantity, key)
            )
        ),
        [],
    )
    # what follows without a word of the value may be its result, or what comes of it
    return list(dict.fromkeys([*stated, *_list_stated_numbers(results, unit)]))


def _split_clauses(text: str, label: str) -> tuple[str, str]:
    """Return the clauses of a text that speak of a value, and the other ones that begin as a result."""
    stems = extract_word_stems(label)
    clauses = [each.strip() for each in _CLAUSE.split(text)]
    about = [each for each in clauses if stems & extract_word_stems(each)]
    return "; ".join(about), "; ".join(each for each in clauses if each not in about and _RESULT.match(each))


def _list_measured_numbers(text: str, unit: str, quantity: Quantity, key: AnswerKey) -> list[float]:
    """Return a count or a share that a text states as what it measures: 216 cm are 108 teeth of 2 cm.

    The record must multiply what is chosen with one stated quantity of that kind alone.
    """
    if unit not in _PARTS:
        return []
    measures = find_measures_of_choice(quantity.name, key.analysis.world)
    found = []
    for amount in extract_figures_of_line(convert_number_words_to_digits(text)):
        fitting = {value for value, dimension in measures if amount.unit and dimension == amount.dimension}
        if len(fitting) != 1 or not (measure := fitting.pop()):
            continue
        part = round(amount.si[0] / measure, _DIGITS)
        # the whole is named to say how much is filled, not which share is chosen
        if not (part == 1 and quantity.high == 1):
            found.append(part * _PARTS[unit])
    return found


def _list_stated_numbers(text: str, unit: str) -> list[float]:
    """Return the figures of a text that fit a unit, in that unit."""
    digits = convert_number_words_to_digits(text)
    if unit == "percent":
        return [float(each) for each in _PERCENT.findall(digits)]
    figures = extract_figures_of_line(digits)
    if unit == "plain":
        return [each.low for each in figures if not each.unit]
    try:
        wanted = parse_unit(unit)
    except UnitError:
        return []
    return [
        wanted.from_si(each.si[0]) for each in figures if each.unit and each.dimension == wanted.dimension
    ]


def find_puzzle_answer(text: str, puzzle: Puzzle, key: AnswerKey) -> str:
    """Return the call that answers a puzzle, or an empty text if a text states no answer to it."""
    if isinstance(puzzle, DiagnosisPuzzle):
        return _find_hypothesis(text, puzzle, key)
    if in_order := find_values_in_order(convert_number_words_to_digits(text), puzzle):
        return f"answer({puzzle.name}, '{in_order}')"
    if not speaks_of_answer(text):
        return ""
    value = text.partition(" ")[2] or text
    found = dict(iterate_puzzle_answers(value, key.analysis.world)).get(puzzle.name, "")
    solved = key.analysis.world.puzzles.get(puzzle.name)
    # other words may be about something else, so that a value that the puzzle does not accept is not read as an answer
    if solved is not None and solved.accepts_answer(found):
        return f"answer({puzzle.name}, '{found}')"
    return ""


def speaks_of_answer(text: str) -> bool:
    """Return whether a text has a word with which an answer to a puzzle is given, such as `enter` or `dial`."""
    return any(word in text.casefold() for word in _ANSWERS)


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
