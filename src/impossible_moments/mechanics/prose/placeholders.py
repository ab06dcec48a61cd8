"""Rendering of template pieces to text."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable
from typing import Final

from impossible_moments.mechanics.language.dimensions import PLAIN, TEMPERATURE
from impossible_moments.mechanics.language.units import Unit, UnitError
from impossible_moments.mechanics.prose.number_formats import (
    LARGEST_WORD,
    USUAL_DIGITS,
    format_decimal,
    format_number_in_words,
    is_rounding_misleading,
    round_to_digits,
    to_exact_decimal,
)
from impossible_moments.mechanics.prose.numerals import is_one_numeral
from impossible_moments.mechanics.prose.requirements import PrintableValue, ProseRequirements
from impossible_moments.mechanics.prose.template import (
    AnyTemplatePiece,
    MalformedPlaceholder,
    PlainText,
    SaidNumber,
    ShownValue,
    ThingLabel,
)
from impossible_moments.mechanics.prose.unit_formats import (
    choose_print_form,
    format_unit_suffix,
    get_numeric_value,
    parse_untrusted_unit,
)

COLDEST_ON_A_SCALE: Final = 150.0
"""Kelvin. A lower value is probably a temperature difference, which cannot be printed on a scale."""
MOST_LISTED: Final = 12
SAID_FORMS: Final = (
    "{say:1943}, {say:12:30}, {say:twenty-one} or {say:third}, with other words outside the placeholder"
)


class PlaceholderError(ValueError):
    """Placeholder that cannot be printed. `expected` suggests a placeholder that can."""

    def __init__(self, message: str, expected: str = "") -> None:
        super().__init__(message, expected)
        self.message = message
        self.expected = expected

    def __str__(self) -> str:
        return f"{self.message}; {self.expected}" if self.expected else self.message


def render_piece(piece: AnyTemplatePiece, requirements: ProseRequirements) -> str:
    """Return the text of a template piece. Raise `PlaceholderError` if it cannot be printed."""
    match piece:
        case PlainText():
            return piece.raw
        case SaidNumber() if is_one_numeral(piece.text):
            return piece.text
        case SaidNumber():
            raise PlaceholderError(
                "`say:` takes only one number; write other words outside the placeholder", SAID_FORMS
            )
        case ThingLabel(thing=thing) if thing in requirements.labels:
            return requirements.labels[thing]
        case ThingLabel(thing=thing):
            raise PlaceholderError(
                f"no such thing: `{thing}`", _suggest_known_name(thing, requirements.labels, ("{thing:", "}"))
            )
        case MalformedPlaceholder():
            raise PlaceholderError(piece.problem, piece.expected)
        case ShownValue():
            return _render_value(piece, requirements)


def suggest_placeholder(name: str, requirements: ProseRequirements) -> str:
    """Return a placeholder that prints the value of a name in a suitable form."""
    return f"{{{name}|{choose_print_form(requirements.printable.get(name))}}}"


def _render_value(piece: ShownValue, requirements: ProseRequirements) -> str:
    printable = requirements.printable.get(piece.name)
    if printable is None:
        raise _make_unknown_name_error(piece, requirements)
    if not piece.form:
        raise PlaceholderError(
            f"`{piece.name}` has no unit or form", suggest_placeholder(piece.name, requirements)
        )
    number = get_numeric_value(printable)
    if number is None:
        return _render_non_numeric_value(piece, printable)
    if not math.isfinite(number):
        raise PlaceholderError(f"`{piece.name}` does not have a finite value")
    if piece.form in {"plain", "words"}:
        if printable.dimension is not None and not printable.dimension.is_plain:
            raise PlaceholderError(
                f"`{piece.name}` is a {printable.dimension} and needs a unit",
                suggest_placeholder(piece.name, requirements),
            )
        return _render_number_without_unit(piece, number)
    return _render_number_with_unit(piece, number, _parse_placeholder_unit(piece, printable, requirements))


def _make_unknown_name_error(piece: ShownValue, requirements: ProseRequirements) -> PlaceholderError:
    if piece.name in requirements.labels:
        return PlaceholderError(f"`{piece.name}` is a thing, which has no value", f"{{thing:{piece.name}}}")
    delimiters = ("{", f"|{piece.form}}}" if piece.form else "|m}")
    return PlaceholderError(
        f"no such value: `{piece.name}`", _suggest_known_name(piece.name, requirements.printable, delimiters)
    )


def _suggest_known_name(name: str, names: Iterable[str], delimiters: tuple[str, str]) -> str:
    known = sorted(names)
    close = difflib.get_close_matches(name, known, n=1) or [
        each for each in known if each.endswith(f".{name}")
    ]
    if close:
        return f"did you mean {delimiters[0]}{close[0]}{delimiters[1]}?"
    if not known:
        return "a name that the record defines"
    return f"one of: {', '.join(known[:MOST_LISTED])}" + (", ..." if len(known) > MOST_LISTED else "")


def _render_non_numeric_value(piece: ShownValue, printable: PrintableValue) -> str:
    if piece.form not in {"plain", "words"} or piece.digits is not None:
        raise PlaceholderError(
            f"`{piece.name}` is not a number, so it takes no unit and no digits", f"{{{piece.name}|plain}}"
        )
    if isinstance(printable.value, bool):
        return "yes" if printable.value else "no"
    return str(printable.value).replace("_", " ")


def _render_number_without_unit(piece: ShownValue, number: float) -> str:
    is_whole = abs(number - round(number)) <= 1e-9 * max(1.0, abs(number))
    if piece.form == "words":
        return _render_number_words(piece, number, is_whole=is_whole)
    if is_whole and piece.digits is None:
        return format_decimal(to_exact_decimal(round(number)))  # a count or a code keeps all its digits
    return _render_digits(piece, number)


def _render_number_words(piece: ShownValue, number: float, *, is_whole: bool) -> str:
    if piece.digits is not None:
        raise PlaceholderError(
            "number words are not rounded, so they take no digits", f"{{{piece.name}|words}}"
        )
    if is_whole and 0 <= round(number) <= LARGEST_WORD:
        return format_number_in_words(round(number))
    rule = (
        f"only 0 to {LARGEST_WORD} can be written in words"
        if is_whole
        else "only whole numbers can be written in words"
    )
    raise PlaceholderError(
        f"`{piece.name}` is {format_decimal(to_exact_decimal(number))}: {rule}", f"{{{piece.name}|plain}}"
    )


def _parse_placeholder_unit(
    piece: ShownValue, printable: PrintableValue, requirements: ProseRequirements
) -> Unit:
    """Parse the unit of a placeholder. Raise `PlaceholderError` if it does not fit the value."""
    try:
        measure = parse_untrusted_unit(piece.form)
    except UnitError as problem:
        raise PlaceholderError(str(problem), suggest_placeholder(piece.name, requirements)) from None
    dimension = printable.dimension or PLAIN
    if measure.dimension != dimension:
        raise PlaceholderError(
            f"`{piece.name}` is a {dimension}, but `{piece.form}` is a unit of {measure.dimension}",
            suggest_placeholder(piece.name, requirements),
        )
    scaled = dimension == TEMPERATURE and measure.offset and not printable.absolute
    if scaled and float(printable.value) < COLDEST_ON_A_SCALE:
        raise PlaceholderError(
            f"`{piece.name}` is less than {COLDEST_ON_A_SCALE:g} K: "
            f"print a temperature difference in K, not in {measure.text}",
            f"{{{piece.name}|K}}",
        )
    return measure


def _render_number_with_unit(piece: ShownValue, value: float, measure: Unit) -> str:
    number = measure.from_si(value) if measure.factor else math.inf
    if not math.isfinite(number):
        raise PlaceholderError(f"`{piece.name}` does not have a finite value in `{piece.form}`")
    digits = _render_digits(piece, number)
    return digits + format_unit_suffix(digits, measure, piece.form)


def _render_digits(piece: ShownValue, number: float) -> str:
    rounded = round_to_digits(number, piece.digits or USUAL_DIGITS)
    if is_rounding_misleading(rounded, number):
        needed_digits = next(
            digits
            for digits in range(1, USUAL_DIGITS + 1)
            if not is_rounding_misleading(round_to_digits(number, digits), number)
        )
        raise PlaceholderError(
            f"`{piece.name}` is {format_decimal(round_to_digits(number, 6))} and would be printed as {format_decimal(rounded)}, "
            "which is more than 1 % off; more digits are needed",
            f"{{{piece.name}|{piece.form}|{needed_digits}}}",
        )
    return format_decimal(rounded)
