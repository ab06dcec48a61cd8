"""Parser and evaluator of arithmetic in prose: `0.17 kg x 334 kJ/kg`, `arm reach 0.88m + stick 1.3m`.

Words may label an operand. Words that change a meaning (`half`, `per`, `each`) make an expression unreadable.
Expressions that cannot be parsed with certainty are not judged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Final

from impossible_moments.audit.amounts import Amount, amount_at
from impossible_moments.mechanics.dimensions import PLAIN, Dimension

MOST_TOKENS: Final = 60
MOST_LABEL_WORDS: Final = 4
LARGEST: Final = 1e100
FULL_TURN: Final = 6.3
PERCENT: Final = 0.01
_SKIP: Final = re.compile(r"\s+")
_OPERATOR: Final = re.compile(r"\*\*|[-+*/^×·÷−–]|[xX](?![A-Za-z])|\b(?:times|plus|minus|divided by)\b")
_FUNCTION: Final = re.compile(r"(sqrt|log10|ln|exp|log|cos|sin|tan)\s?\(|(√)\s?\(?", re.IGNORECASE)
_SUPERSCRIPT: Final = re.compile(r"⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}")
_SUPER: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_CONSTANT: Final = re.compile(r"(?:pi|π)(?![A-Za-z])")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]*")
_NOTE: Final = re.compile(r"\([A-Za-z][^()=]{0,60}\)")
_PERCENT_OF: Final = re.compile(r"\s*of\s+(?:the\s+)?(?=[~$]?\d)")
_MEANS: Final = frozenset(
    """
    half third quarter double twice triple per each every both pair dozen squared cubed root of over
    average mean remaining divided times plus minus and or to from at than with by if when for as is are
    was per-person in on sin cos tan log ln exp sqrt max min sum total
    """.split()
)
_MEASURES: Final = frozenset(
    "diameter radius wide width long length deep depth tall height high thick thickness".split()
)
_SPOKEN_POWER: Final = re.compile(r"[- ](squared|cubed)\b")
_SIGN: Final = {"x": "*", "X": "*", "×": "*", "·": "*", "times": "*", "÷": "/", "divided by": "/", "−": "-", "–": "-", "minus": "-",
                "plus": "+", "**": "^"}  # fmt: skip
_BINDS: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


class Unreadable(ValueError):
    """Raised for text that is not arithmetic or is ambiguous."""


@dataclass(frozen=True, slots=True)
class Value:
    """Computed range, in SI units with its dimension and by the printed numbers without units."""

    si: tuple[float, float]
    bare: tuple[float, float]
    dimension: Dimension | None
    """None if the dimensions are inconsistent. Then only printed numbers can be compared."""
    exact: bool = True
    """Whether it is computed from integers by sums and products only."""
    blur: float = 0.0
    """Relative error that the rounding of the printed inputs may cause."""
    operations: int = 0
    factors: tuple[float, ...] = ()
    """SI factors of the units in the expression."""
    noun: str = ""
    """Counted noun after the number, as in `3 points`."""

    @classmethod
    def of(cls, amount: Amount) -> Value:
        """Create a value from a printed amount."""
        size = max(abs(amount.low), abs(amount.high))
        blur = amount.half / size if size and not amount.whole else 0.0
        return cls(
            amount.si,
            (amount.low, amount.high),
            amount.dimension,
            amount.whole and not amount.tolerance,
            min(blur, 0.05) + amount.tolerance,
            factors=(amount.factor,) if amount.unit else (),
        )


@dataclass
class Reader:
    """Parser of one expression that starts at a position of a text."""

    text: str
    at: int = 0
    hyphen_is_range: bool = True
    tokens: int = 0
    amounts: list[Amount] = field(default_factory=list)
    _labels: bool = False
    # Only a term of a sum may have label words before its number: `reach 2.1 m + jump 0.4 m`.

    def expression(self, binds: int = 0) -> Value:
        """Parse and evaluate the longest sum, product or power.

        `binds` is the strength of the operator to the left. Raise UnreadableExpression without an operand.
        """
        left = self._operand()
        while True:
            mark = self.at
            operator = self._operator()
            if operator is None:
                if self._follows("("):
                    operator = "*"
                else:
                    self.at = mark
                    return left
            strength = _BINDS[operator]
            if strength <= binds and not (operator == "^" and binds == _BINDS["^"]):
                self.at = mark
                return left
            try:
                self._labels = operator in {"+", "-"}
                right = self.expression(strength)
            except Unreadable:
                self.at = mark
                return left
            left = _combined(operator, left, right)

    def _follows(self, sign: str) -> bool:
        return self.text.startswith(sign, self.at) and self.text[self.at - 1 : self.at] == ")"

    def _operator(self) -> str | None:
        self._skip()
        match = _OPERATOR.match(self.text, self.at)
        if match is None:
            return None
        if match[0] in {"-", "–"} and self.text.startswith(("--", "- -"), self.at):
            return None
        self.at = match.end()
        return _SIGN.get(match[0], match[0])

    def _operand(self) -> Value:
        self.tokens += 1
        if self.tokens > MOST_TOKENS:
            raise Unreadable
        self._skip()
        words = 0
        while True:
            if (value := self._plain_operand()) is not None:
                return self._with_note(self._raised(value))
            word = _WORD.match(self.text, self.at)
            fits = word is not None and words < MOST_LABEL_WORDS and self._labels and bool(self.amounts)
            if word is None or not fits or word[0].lower() in _MEANS or self.text.startswith("(", word.end()):
                raise Unreadable
            words += 1
            self.at = word.end()
            self._skip()

    def _plain_operand(self) -> Value | None:
        text = self.text
        function = _FUNCTION.match(text, self.at)
        if function is not None:
            return self._function(function)
        constant = _CONSTANT.match(text, self.at)
        if constant is not None:
            self.at = constant.end()
            return Value((math.pi, math.pi), (math.pi, math.pi), PLAIN, exact=False)
        if text.startswith("(", self.at):
            self.at += 1
            inner = self.expression()
            self._skip()
            if not text.startswith(")", self.at):
                raise Unreadable
            self.at += 1
            return inner
        amount = amount_at(text, self.at)
        if amount is None:
            return None
        if amount.is_range and not self.hyphen_is_range:
            amount = amount_at(text[: re.compile(r"[-–]").search(text, self.at + 1).start()], self.at)  # type: ignore[union-attr]
            if amount is None:
                return None
        self.at = amount.end
        self.amounts.append(amount)
        value = self._compound(amount)
        of = _PERCENT_OF.match(text, self.at) if amount.unit in {"%", "percent"} else None
        if of is not None:
            self.at = of.end()
            return _combined("*", value, self._operand())
        if _CONSTANT.match(text, self.at + (text[self.at : self.at + 1] == " ")):
            return _combined("*", value, self._operand())
        return value

    def _compound(self, first: Amount) -> Value:
        """Parse the rest of a compound amount in smaller units, as in `1 h 30 min`."""
        value, last = Value.of(first), first
        while last.unit and not last.is_range and self.text[self.at : self.at + 1] == " ":
            more = amount_at(self.text, self.at + 1)
            if (
                more is None
                or more.dimension != first.dimension
                or more.factor >= last.factor
                or more.is_range
            ):
                break
            # Express the printed number in the first unit, as a reader does.
            parts = Value.of(more)
            bare = tuple(end + more.low * more.factor / first.factor for end in value.bare)
            value = replace(value, si=_ends("+", value.si, parts.si), bare=(bare[0], bare[1]))
            self.at, last = more.end, more
            self.amounts.append(more)
        return value

    def _raised(self, value: Value) -> Value:
        """Apply a power given by a superscript or a word, as in `(20 m/s)²` or `0.005-squared`."""
        spoken = _SPOKEN_POWER.match(self.text, self.at)
        if spoken is not None:
            self.at = spoken.end()
            return _power(value, 2 if spoken[1] == "squared" else 3)
        power = _SUPERSCRIPT.match(self.text, self.at)
        if power is None:
            return value
        self.at = power.end()
        return _power(value, int(power[0].translate(_SUPER)))

    def _with_note(self, value: Value) -> Value:
        """Skip a label after an operand, as in `0.8m (chair)`, if an operator or the end follows."""
        mark = self.at
        if self.text[mark : mark + 1].isalpha():
            raise Unreadable  # `2gr^2` is a formula, not an amount
        self._skip()
        note = _NOTE.match(self.text, self.at)
        if note is not None:
            self.at = note.end()
            return value
        words = 0
        while (word := _WORD.match(self.text, self.at)) is not None and words < MOST_LABEL_WORDS:
            if word[0].lower() in _MEASURES:
                raise Unreadable  # `6 cm diameter x 310 m length` is a shape, not a product
            if word[0].lower() in _MEANS or _OPERATOR.match(self.text, self.at):
                break
            words += 1
            self.at = word.end()
            self._skip()
        here = self.text[self.at : self.at + 1]
        if words and (here in "+-*/×)=≈−" or _OPERATOR.match(self.text, self.at) or here == ""):
            return replace(value, noun=self.text[mark : self.at].split()[0].lower())
        self.at = mark
        return value

    def _function(self, match: re.Match[str]) -> Value:
        name = (match[1] or "sqrt").lower()
        self.at = match.end()
        bracketed = self.text[match.end() - 1] == "("
        inner = self.expression() if bracketed else self._operand()
        if bracketed:
            self._skip()
            if not self.text.startswith(")", self.at):
                raise Unreadable
            self.at += 1
        if name == "sqrt":
            return _power(inner, 0.5)
        if name in {"cos", "sin", "tan"}:
            return _trigonometric(name, inner)
        function: dict[str, Callable[[float], float]] = {
            "log10": math.log10, "ln": math.log, "exp": math.exp,
        }  # fmt: skip
        if name not in function:
            raise Unreadable  # the base of a plain `log` depends on the field
        return _applied(function[name], inner)

    def _skip(self) -> None:
        gap = _SKIP.match(self.text, self.at)
        if gap is not None:
            self.at = gap.end()


def _combined(operator: str, left: Value, right: Value) -> Value:
    if operator == "^":
        if right.bare[0] != right.bare[1] or right.dimension != PLAIN:
            raise Unreadable
        return replace(_power(left, right.bare[0]), noun=left.noun or right.noun)
    if operator in {"+", "-"} and _is_share(right) and not _is_share(left):
        return _by_share(operator, left, right)
    if operator in {"+", "-"} and left.noun != right.noun and PLAIN in (left.dimension, right.dimension):
        raise Unreadable  # `1.09 + 0.75 pip`: the word is a unit
    dimension = _dimension(operator, left.dimension, right.dimension)
    exact = left.exact and right.exact and operator != "/"
    blur = left.blur + right.blur if operator in {"*", "/"} else max(left.blur, right.blur)
    return Value(
        _ends(operator, left.si, right.si),
        _ends(operator, left.bare, right.bare),
        dimension,
        exact,
        blur,
        left.operations + right.operations + 1,
        left.factors + right.factors,
        left.noun or right.noun,
    )


def _is_share(value: Value) -> bool:
    return value.dimension == PLAIN and value.factors == (PERCENT,)


def _by_share(operator: str, left: Value, right: Value) -> Value:
    """Add or subtract a percentage: `50 kg + 10%` is 55 kg.

    Raise UnreadableExpression if the left side may be a share.
    """
    if right.operations or (not left.factors and max(map(abs, left.bare)) <= 1):
        raise Unreadable
    one = Value((1.0, 1.0), (1.0, 1.0), PLAIN)
    return _combined("*", left, _combined(operator, one, replace(right, bare=right.si, factors=())))


def _dimension(operator: str, left: Dimension | None, right: Dimension | None) -> Dimension | None:
    if left is None or right is None:
        return None
    if operator == "*":
        return left * right
    if operator == "/":
        return left / right
    return left if left == right else None


def _ends(operator: str, left: tuple[float, float], right: tuple[float, float]) -> tuple[float, float]:
    pairs = [(a, b) for a in left for b in right]
    match operator:
        case "+":
            found = [a + b for a, b in pairs]
        case "-":
            found = [a - b for a, b in pairs]
        case "*":
            found = [a * b for a, b in pairs]
        case _:
            if any(b == 0 for _, b in pairs):
                raise Unreadable
            found = [a / b for a, b in pairs]
    return _bounded(found)


def _bounded(found: list[float]) -> tuple[float, float]:
    if not all(abs(each) < LARGEST for each in found):
        raise Unreadable
    return min(found), max(found)


def _power(base: Value, exponent: float) -> Value:
    half = int(exponent * 2)
    if abs(exponent) > 60 or (min(base.si) < 0 and exponent % 1):  # noqa: PLR2004 - larger exponents do not occur
        raise Unreadable
    dimension = (
        PLAIN
        if base.dimension == PLAIN
        else base.dimension.to_the(Fraction(half, 2))
        if base.dimension is not None and half / 2 == exponent
        else None
    )
    try:
        si, bare = [each**exponent for each in base.si], [each**exponent for each in base.bare]
    except (OverflowError, ZeroDivisionError):
        raise Unreadable from None
    return Value(
        _bounded(si), _bounded(bare), dimension, base.exact and exponent > 0 and not exponent % 1,
        base.blur * abs(exponent), base.operations + 1, base.factors,
    )  # fmt: skip


def _trigonometric(name: str, inner: Value) -> Value:
    if inner.factors:
        angles = inner.si
    elif max(map(abs, inner.bare)) > FULL_TURN:
        angles = (math.radians(inner.bare[0]), math.radians(inner.bare[1]))
    else:
        raise Unreadable  # a small number without unit may be degrees or radians
    function = {"cos": math.cos, "sin": math.sin, "tan": math.tan}[name]
    ends = _bounded([function(angle) for angle in angles])
    return Value(ends, ends, PLAIN, exact=False, blur=0.01, operations=inner.operations + 1)


def _applied(function: Callable[[float], float], inner: Value) -> Value:
    try:
        ends = _bounded([function(each) for each in inner.bare])
    except (ValueError, OverflowError):
        raise Unreadable from None
    return Value(ends, ends, PLAIN, exact=False, blur=0.02, operations=inner.operations + 1)
