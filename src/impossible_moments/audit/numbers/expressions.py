"""Parser and evaluator of arithmetic in prose: `0.17 kg x 334 kJ/kg`, `arm reach 0.88m + stick 1.3m`.

Words may label an operand. Words that change a meaning (`half`, `per`, `each`) make an expression unreadable.
Expressions that cannot be parsed with certainty are not judged.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from impossible_moments.audit.numbers.amounts import Amount, parse_amount_at
from impossible_moments.audit.numbers.expression_values import (
    ExpressionValue,
    UnreadableExpression,
    apply_function,
    apply_trigonometric_function,
    combine_ranges,
    combine_values,
    raise_to_power,
)
from impossible_moments.mechanics.language import PLAIN
from impossible_moments.mechanics.numbers import SUPERSCRIPT_DIGITS, parse_exponent

MOST_TOKENS: Final = 60
MOST_LABEL_WORDS: Final = 4
_WHITESPACE: Final = re.compile(r"\s+")
_OPERATOR: Final = re.compile(r"\*\*|[-+*/^×·÷−–]|[xX](?![A-Za-z])|\b(?:times|plus|minus|divided by)\b")
_FUNCTION: Final = re.compile(r"(sqrt|log10|ln|exp|log|cos|sin|tan)\s?\(|(√)\s?\(?", re.IGNORECASE)
_SUPERSCRIPT: Final = re.compile(rf"⁻?[{SUPERSCRIPT_DIGITS}]{{1,2}}")
_CONSTANT: Final = re.compile(r"(?:pi|π)(?![A-Za-z])")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z'-]*")
_BRACKETED_NOTE: Final = re.compile(r"\([A-Za-z][^()=]{0,60}\)")
_HYPHEN: Final = re.compile(r"[-–]")
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
_PRECEDENCES: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "^": 4}


@dataclass
class ExpressionReader:
    """Parser of one expression that starts at a position of a text."""

    text: str
    at: int = 0
    hyphen_is_range: bool = True
    tokens: int = 0
    amounts: list[Amount] = field(default_factory=list)
    _labels: bool = False
    # Only a term of a sum may have label words before its number: `reach 2.1 m + jump 0.4 m`.

    def parse_expression(self, precedence: int = 0) -> ExpressionValue:
        """Parse and evaluate the longest sum, product or power.

        `precedence` is the strength of the operator to the left. Raise UnreadableExpression without an operand.
        """
        left = self._parse_operand()
        while True:
            start = self.at
            operator = self._parse_operator()
            if operator is None:
                if self._has_sign_after_bracket("("):
                    operator = "*"
                else:
                    self.at = start
                    return left
            strength = _PRECEDENCES[operator]
            if strength <= precedence and not (operator == "^" and precedence == _PRECEDENCES["^"]):
                self.at = start
                return left
            try:
                self._labels = operator in {"+", "-"}
                right = self.parse_expression(strength)
            except UnreadableExpression:
                self.at = start
                return left
            left = combine_values(operator, left, right)

    def _has_sign_after_bracket(self, sign: str) -> bool:
        return self.text.startswith(sign, self.at) and self.text[self.at - 1 : self.at] == ")"

    def _parse_operator(self) -> str | None:
        self._skip_whitespace()
        match = _OPERATOR.match(self.text, self.at)
        if match is None:
            return None
        if match[0] in {"-", "–"} and self.text.startswith(("--", "- -"), self.at):
            return None
        self.at = match.end()
        return _SIGN.get(match[0], match[0])

    def _parse_operand(self) -> ExpressionValue:
        self.tokens += 1
        if self.tokens > MOST_TOKENS:
            raise UnreadableExpression
        self._skip_whitespace()
        words = 0
        while True:
            if (value := self._parse_unlabelled_operand()) is not None:
                return self._skip_trailing_label(self._apply_power_suffix(value))
            word = _WORD.match(self.text, self.at)
            is_label = word is not None and words < MOST_LABEL_WORDS and self._labels and bool(self.amounts)
            if (
                word is None
                or not is_label
                or word[0].lower() in _MEANS
                or self.text.startswith("(", word.end())
            ):
                raise UnreadableExpression
            words += 1
            self.at = word.end()
            self._skip_whitespace()

    def _parse_unlabelled_operand(self) -> ExpressionValue | None:
        text = self.text
        function = _FUNCTION.match(text, self.at)
        if function is not None:
            return self._parse_function_call(function)
        constant = _CONSTANT.match(text, self.at)
        if constant is not None:
            self.at = constant.end()
            return ExpressionValue((math.pi, math.pi), (math.pi, math.pi), PLAIN, exact=False)
        if text.startswith("(", self.at):
            self.at += 1
            inner = self.parse_expression()
            self._skip_whitespace()
            if not text.startswith(")", self.at):
                raise UnreadableExpression
            self.at += 1
            return inner
        amount = self._parse_amount()
        if amount is None:
            return None
        self.at = amount.end
        self.amounts.append(amount)
        value = self._parse_compound_amount(amount)
        of = _PERCENT_OF.match(text, self.at) if amount.unit in {"%", "percent"} else None
        if of is not None:
            self.at = of.end()
            return combine_values("*", value, self._parse_operand())
        if _CONSTANT.match(text, self.at + (text[self.at : self.at + 1] == " ")):
            return combine_values("*", value, self._parse_operand())
        return value

    def _parse_amount(self) -> Amount | None:
        """Parse the amount here. Where a hyphen means minus, a range such as `3-5` is cut at its hyphen."""
        amount = parse_amount_at(self.text, self.at)
        if amount is None or not amount.is_range or self.hyphen_is_range:
            return amount
        hyphen = _HYPHEN.search(self.text, self.at + 1, amount.end)
        if hyphen is None:  # a range in words, such as `3 to 5`, stays a range
            return amount
        return parse_amount_at(self.text[: hyphen.start()], self.at)

    def _parse_compound_amount(self, first: Amount) -> ExpressionValue:
        """Parse the rest of a compound amount in smaller units, as in `1 h 30 min`."""
        value, last = ExpressionValue.from_amount(first), first
        while last.unit and not last.is_range and self.text[self.at : self.at + 1] == " ":
            smaller_unit = parse_amount_at(self.text, self.at + 1)
            if (
                smaller_unit is None
                or smaller_unit.dimension != first.dimension
                or smaller_unit.factor >= last.factor
                or smaller_unit.is_range
            ):
                break
            # Express the printed number in the first unit, as a reader does.
            parts = ExpressionValue.from_amount(smaller_unit)
            printed_range = tuple(
                end + smaller_unit.low * smaller_unit.factor / first.factor for end in value.bare
            )
            value = replace(
                value, si=combine_ranges("+", value.si, parts.si), bare=(printed_range[0], printed_range[1])
            )
            self.at, last = smaller_unit.end, smaller_unit
            self.amounts.append(smaller_unit)
        return value

    def _apply_power_suffix(self, value: ExpressionValue) -> ExpressionValue:
        """Apply a power given by a superscript or a word, as in `(20 m/s)²` or `0.005-squared`."""
        spoken_power = _SPOKEN_POWER.match(self.text, self.at)
        if spoken_power is not None:
            self.at = spoken_power.end()
            return raise_to_power(value, 2 if spoken_power[1] == "squared" else 3)
        power = _SUPERSCRIPT.match(self.text, self.at)
        if power is None:
            return value
        self.at = power.end()
        return raise_to_power(value, parse_exponent(power[0]))

    def _skip_trailing_label(self, value: ExpressionValue) -> ExpressionValue:
        """Skip a label after an operand, as in `0.8m (chair)`, if an operator or the end follows."""
        start = self.at
        if self.text[start : start + 1].isalpha():
            raise UnreadableExpression  # `2gr^2` is a formula, not an amount
        self._skip_whitespace()
        note = _BRACKETED_NOTE.match(self.text, self.at)
        if note is not None:
            self.at = note.end()
            return value
        words = 0
        while (word := _WORD.match(self.text, self.at)) is not None and words < MOST_LABEL_WORDS:
            if word[0].lower() in _MEASURES:
                raise UnreadableExpression  # `6 cm diameter x 310 m length` is a shape, not a product
            if word[0].lower() in _MEANS or _OPERATOR.match(self.text, self.at):
                break
            words += 1
            self.at = word.end()
            self._skip_whitespace()
        character = self.text[self.at : self.at + 1]
        if words and (character in "+-*/×)=≈−" or _OPERATOR.match(self.text, self.at) or character == ""):
            return replace(value, noun=self.text[start : self.at].split()[0].lower())
        self.at = start
        return value

    def _parse_function_call(self, match: re.Match[str]) -> ExpressionValue:
        name = (match[1] or "sqrt").lower()
        self.at = match.end()
        bracketed = self.text[match.end() - 1] == "("
        inner = self.parse_expression() if bracketed else self._parse_operand()
        if bracketed:
            self._skip_whitespace()
            if not self.text.startswith(")", self.at):
                raise UnreadableExpression
            self.at += 1
        if name == "sqrt":
            return raise_to_power(inner, 0.5)
        if name in {"cos", "sin", "tan"}:
            return apply_trigonometric_function(name, inner)
        function: dict[str, Callable[[float], float]] = {
            "log10": math.log10, "ln": math.log, "exp": math.exp,
        }  # fmt: skip
        if name not in function:
            raise UnreadableExpression  # the base of a plain `log` depends on the field
        return apply_function(function[name], inner)

    def _skip_whitespace(self) -> None:
        gap = _WHITESPACE.match(self.text, self.at)
        if gap is not None:
            self.at = gap.end()
