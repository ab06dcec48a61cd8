"""Answers to puzzles in the words of an answer, brought into a form that the puzzle accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.evaluation.answers.figure_matching import convert_number_words_to_digits
from impossible_moments.mechanics.numbers import ONES
from impossible_moments.mechanics.records import CluesPuzzle, DiagnosisPuzzle, Puzzle
from impossible_moments.mechanics.wording import extract_word_stems
from impossible_moments.mechanics.world import SolvedPuzzle, World

_MORE_WORDS: Final = 3
"""Maximum words beside a right answer, such as `the code is`."""
_OPTION: Final = re.compile(r"[A-Za-z]\w*|\d+")
_ALTERNATIVE: Final = re.compile(r"[/|]|\b(?:or|either)\b")
_PARTS: Final = re.compile(r"[,;/|&+\n]|\b(?:and|or|then)\b")
_DIGITS: Final = {word: str(digit) for digit, word in enumerate(ONES[:10])}
_ORDINALS: Final = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def iterate_puzzle_answers(text: str, world: World) -> Iterator[tuple[str, str]]:
    """Yield for each puzzle its name and the value, in a form that the puzzle accepts if there is one."""
    forms_of = {each.name: each for each in world.record.puzzles}
    for name, puzzle in world.puzzles.items():
        forms = [text, text.strip(" .'\""), re.sub(r"\s*[:=]\s*", "=", text), re.sub(r"[\s,;-]+", "", text)]
        forms.append(_join_spelled_digits(text))
        forms += [
            each
            for each in puzzle.answers
            if _is_reworded_right_answer(text, each)
            or _is_reworded_right_answer(convert_number_words_to_digits(text), each)
        ]
        forms.append(_find_values_of_unknowns(text, forms_of.get(name)))
        for form in dict.fromkeys(each for each in forms if each):
            if puzzle.accepts_answer(form):
                yield name, form
                break
        else:
            yield name, text.replace("'", "")


def _join_spelled_digits(text: str) -> str:
    """Return a code that is spelled out, such as 1374 for `one, three, seven, four`; empty for any other text."""
    words = [word for word in re.findall(r"[a-z]+|\d", text.lower()) if word != "and"]
    digits = [word if word.isdigit() else _DIGITS.get(word, "") for word in words]
    return "".join(digits) if all(digits) else ""


def _find_values_of_unknowns(text: str, puzzle: Puzzle | None) -> str:
    """Return the values that a text states for the unknowns of a set of clues; empty for other puzzles."""
    if not isinstance(puzzle, CluesPuzzle):
        return ""
    words = extract_word_stems(text) | extract_word_stems(convert_number_words_to_digits(text))
    options_by_name = list_options_of_unknowns(puzzle)
    if any(_is_misplaced(name, value, options_by_name) for name, value in _iterate_pairs(text)):
        return ""
    found = {}
    for name, options in options_by_name.items():
        named = [each for each in options if extract_word_stems(each) and extract_word_stems(each) <= words]
        if len(named) == 1:
            found[name] = named[0]
    return ", ".join(f"{each}={found[each]}" for each in puzzle.asks if each in found)


def list_options_of_unknowns(puzzle: CluesPuzzle) -> dict[str, list[str]]:
    """Return the values that each unknown of a set of clues may have."""
    lines = (line.partition("=") for line in puzzle.unknowns)
    return {name.strip(): _OPTION.findall(values.replace("choose", "")) for name, _, values in lines}


def _is_misplaced(name: str, value: str, options_by_name: dict[str, list[str]]) -> bool:
    """Return whether a text gives an unknown by its name a value that only another one may have."""
    own = next((options for each, options in options_by_name.items() if each.lower() == name), None)
    others = {each.lower() for options in options_by_name.values() for each in options}
    return own is not None and value in others and value not in {each.lower() for each in own}


def contradicts_puzzle(text: str, solved: SolvedPuzzle, puzzle: Puzzle) -> bool:
    """Return whether an answer to a puzzle gives a wrong value, whatever it leaves out.

    Only values are compared that the puzzle offers, or codes of the right length. Other words may mean the right value.
    """
    if not solved.answers or solved.accepts_answer(text):
        return False
    match puzzle:
        case DiagnosisPuzzle():
            return True
        case CluesPuzzle():
            return solved.answer_check is None and _names_wrong_option(text, solved, puzzle)
        case _:
            code = re.sub(r"[\s,;-]+", "", text)
            is_other_code = solved.kind == "code" and code.isdigit() and code not in solved.answers
            return is_other_code and any(len(code) == len(each) for each in solved.answers)


def _names_wrong_option(text: str, solved: SolvedPuzzle, puzzle: CluesPuzzle) -> bool:
    """Return whether a text gives an unknown another of its values than the right one."""
    right = [dict(_iterate_pairs(each)) for each in solved.answers]
    options = {
        name.strip().lower(): _OPTION.findall(values.lower().replace("choose", ""))
        for name, _, values in (line.partition("=") for line in puzzle.unknowns)
    }
    for name, value in _iterate_pairs(text):
        allowed = {each.get(name, "") for each in right}
        given = {word for word in _OPTION.findall(value) if word in options.get(name, ()) or word.isdigit()}
        if len(given) == 1 and not given & allowed:
            return True
    return False


def _iterate_pairs(text: str) -> Iterator[tuple[str, str]]:
    """Yield the names and values of a text such as `first=1, second: 7`."""
    for part in re.split(r"[,;\n]", text.lower()):
        name, *value = re.split("[=:]", part, maxsplit=1)
        if value:
            yield name.strip(" '\""), value[0].strip(" '\"")


def find_values_in_order(text: str, puzzle: Puzzle) -> str:
    """Return the answer that a text gives as a list in order, such as `1-7-4-7` for the first to the fourth of four keys.

    The unknowns must be the first, the second and so on. The text must have exactly as many values as there are
    unknowns. Otherwise the result is empty.
    """
    if not isinstance(puzzle, CluesPuzzle) or tuple(puzzle.asks) != _ORDINALS[: len(puzzle.asks)]:
        return ""
    options = {
        name.strip(): set(_OPTION.findall(values.lower().replace("choose", "")))
        for name, _, values in (line.partition("=") for line in puzzle.unknowns)
    }
    words = [part for word in _OPTION.findall(text.lower()) for part in _split_digits(word, len(puzzle.asks))]
    named = [word for word in words if word in puzzle.asks]
    values = [word for word in words if word in set().union(*options.values())]
    if len(values) != len(puzzle.asks) or named != sorted(named, key=puzzle.asks.index):
        return ""
    fits = all(value in options[name] for name, value in zip(puzzle.asks, values, strict=True))
    return (
        ", ".join(f"{name}={value}" for name, value in zip(puzzle.asks, values, strict=True)) if fits else ""
    )


def _split_digits(word: str, count: int) -> list[str]:
    """Return the digits of a number that has as many of them as there are values, or the word itself."""
    return list(word) if count > 1 and len(word) == count and word.isdigit() else [word]


def _is_reworded_right_answer(text: str, right: str) -> bool:
    """Check whether a short text states a right answer in other words, and no alternative to it."""
    right_words, given_words = extract_word_stems(right.replace("=", " ")), extract_word_stems(text)
    extra_words = given_words - right_words
    if not right_words or not right_words <= given_words or len(extra_words) > _MORE_WORDS:
        return False
    if not _has_values_in_their_places(text, right):
        return False
    return not any(map(str.isdigit, extra_words)) and not _offers_alternatives(text, right)


def _has_values_in_their_places(text: str, right: str) -> bool:
    """Check that each value of an answer such as `first=1, second=7` is stated for its own name, or all in order."""
    pairs = [part.partition("=")[::2] for part in right.split(",") if "=" in part]
    names = [_OPTION.findall(name.lower()) for name, _ in pairs]
    values = [" ".join(_OPTION.findall(value.lower())) for _, value in pairs]
    if len(set(values)) < 2:  # noqa: PLR2004 - one value has no order
        return True
    given = _OPTION.findall(text.lower())
    known = {word for value in values for word in value.split()}
    stated = [word for word in given if word in known]
    if stated == [word for value in values for word in value.split()]:
        return True
    return all(
        _find_following_value(given, name, known) == value.split()[:1]
        for name, value in zip(names, values, strict=True)
    )


def _find_following_value(words: list[str], name: list[str], values: set[str]) -> list[str]:
    """Return the first value after a name, as a list of one word; empty if there is none."""
    for place in range(len(words)):
        if name and words[place : place + len(name)] == name:
            return [word for word in words[place + len(name) :] if word in values][:1]
    return []


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
