"""One piece of the template to the words it prints."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from typing import Final

from impossible_moments.mechanics.dimensions import PLAIN, TEMPERATURE
from impossible_moments.mechanics.prose.measures import fitting_form, number_of, read_unit, unit_behind
from impossible_moments.mechanics.prose.numbers import (
    LARGEST_WORD,
    USUAL_DIGITS,
    exact,
    misleads,
    number_word,
    rounded,
    written,
)
from impossible_moments.mechanics.prose.numerals import is_one_numeral
from impossible_moments.mechanics.prose.template import AnyPiece, Label, Malformed, Plain, Said, Shown
from impossible_moments.mechanics.prose.tie import Printable, Tie
from impossible_moments.mechanics.units import Unit, UnitError

COLDEST_ON_A_SCALE: Final = 150.0
"""Kelvin. What is less is more likely a difference of temperatures, which no scale can print."""
MOST_LISTED: Final = 12
SAID_FORMS: Final = "{say:1943}, {say:12:30}, {say:twenty-one} or {say:third}, and the words round it outside"


class PlaceholderError(ValueError):
    """A placeholder that prints nothing; says why, and what would."""

    def __init__(self, what: str, expected: str = "") -> None:
        super().__init__(what, expected)
        self.what = what
        self.expected = expected


def printed(piece: AnyPiece, tie: Tie) -> str:
    """What a piece prints."""
    match piece:
        case Plain():
            return piece.raw
        case Said() if is_one_numeral(piece.text):
            return piece.text
        case Said():
            raise PlaceholderError("a said number is a numeral; write words as plain prose", SAID_FORMS)
        case Label(thing=thing) if thing in tie.labels:
            return tie.labels[thing]
        case Label(thing=thing):
            raise PlaceholderError(
                f"no thing is called `{thing}`", _meant(thing, tie.labels, ("{thing:", "}"))
            )
        case Malformed():
            raise PlaceholderError(piece.problem, piece.expected)
        case Shown():
            return _value(piece, tie)


def suggestion(name: str, tie: Tie) -> str:
    """The placeholder one would write for a name."""
    return f"{{{name}|{fitting_form(tie.printable.get(name))}}}"


def _value(piece: Shown, tie: Tie) -> str:
    printable = tie.printable.get(piece.name)
    if printable is None:
        raise _unknown(piece, tie)
    if not piece.form:
        raise PlaceholderError(f"`{piece.name}` stands without a unit or form", suggestion(piece.name, tie))
    number = number_of(printable)
    if number is None:
        return _word(piece, printable)
    if not math.isfinite(number):
        raise PlaceholderError(f"`{piece.name}` has no finite value to print")
    if piece.form in {"plain", "words"}:
        if printable.dimension is not None and not printable.dimension.is_plain:
            raise PlaceholderError(
                f"`{piece.name}` is a {printable.dimension} and needs a unit", suggestion(piece.name, tie)
            )
        return _bare(piece, number)
    return _measured(piece, number, _measure(piece, printable, tie))


def _unknown(piece: Shown, tie: Tie) -> PlaceholderError:
    if piece.name in tie.labels:
        return PlaceholderError(f"`{piece.name}` is a thing and has no value", f"{{thing:{piece.name}}}")
    around = ("{", f"|{piece.form}}}" if piece.form else "|m}")
    return PlaceholderError(
        f"nothing that can be printed is called `{piece.name}`", _meant(piece.name, tie.printable, around)
    )


def _meant(name: str, names: Iterable[str], around: tuple[str, str]) -> str:
    known = sorted(names)
    close = difflib.get_close_matches(name, known, n=1) or [
        each for each in known if each.endswith(f".{name}")
    ]
    if close:
        return f"did you mean {around[0]}{close[0]}{around[1]}?"
    if not known:
        return "a name of the record"
    return f"one of: {', '.join(known[:MOST_LISTED])}" + (", ..." if len(known) > MOST_LISTED else "")


def _word(piece: Shown, printable: Printable) -> str:
    if piece.form not in {"plain", "words"} or piece.digits is not None:
        raise PlaceholderError(
            f"`{piece.name}` is no number: it has no unit and no digits", f"{{{piece.name}|plain}}"
        )
    if isinstance(printable.value, bool):
        return "yes" if printable.value else "no"
    return str(printable.value).replace("_", " ")


def _bare(piece: Shown, number: float) -> str:
    whole = abs(number - round(number)) <= 1e-9 * max(1.0, abs(number))
    if piece.form == "words":
        return _in_words(piece, number, whole=whole)
    if whole and piece.digits is None:
        return written(exact(round(number)))  # a count or a code is no measurement: all its digits matter
    return _digits(piece, number)


def _in_words(piece: Shown, number: float, *, whole: bool) -> str:
    if piece.digits is not None:
        raise PlaceholderError("number words are not rounded and take no digits", f"{{{piece.name}|words}}")
    if whole and 0 <= round(number) <= LARGEST_WORD:
        return number_word(round(number))
    rule = f"words go from 0 to {LARGEST_WORD}" if whole else "only a whole number has words"
    raise PlaceholderError(f"`{piece.name}` is {written(exact(number))}: {rule}", f"{{{piece.name}|plain}}")


def _measure(piece: Shown, printable: Printable, tie: Tie) -> Unit:
    """The unit a placeholder names, if it can print the value."""
    try:
        measure = read_unit(piece.form)
    except UnitError as problem:
        raise PlaceholderError(str(problem), suggestion(piece.name, tie)) from None
    dimension = printable.dimension or PLAIN
    if measure.dimension != dimension:
        raise PlaceholderError(
            f"`{piece.name}` is a {dimension} and `{piece.form}` measures a {measure.dimension}",
            suggestion(piece.name, tie),
        )
    scaled = dimension == TEMPERATURE and measure.offset and not printable.absolute
    if scaled and float(printable.value) < COLDEST_ON_A_SCALE:
        raise PlaceholderError(
            f"`{piece.name}` is less than {COLDEST_ON_A_SCALE:g} K: "
            f"a difference of temperatures is printed in K, not in {measure.text}",
            f"{{{piece.name}|K}}",
        )
    return measure


def _measured(piece: Shown, value: float, measure: Unit) -> str:
    number = measure.from_si(value) if measure.factor else math.inf
    if not math.isfinite(number):
        raise PlaceholderError(f"`{piece.name}` has no finite value in `{piece.form}`")
    digits = _digits(piece, number)
    return digits + unit_behind(digits, measure, piece.form)


def _digits(piece: Shown, number: float) -> str:
    shown = rounded(number, piece.digits or USUAL_DIGITS)
    if misleads(shown, number):
        enough = next(
            digits for digits in range(1, USUAL_DIGITS + 1) if not misleads(rounded(number, digits), number)
        )
        raise PlaceholderError(
            f"`{piece.name}` is {written(rounded(number, 6))} and would be printed as {written(shown)}, "
            "more than 1 % off: more digits are needed",
            f"{{{piece.name}|{piece.form}|{enough}}}",
        )
    return written(shown)
