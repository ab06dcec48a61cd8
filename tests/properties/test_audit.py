"""A right calculation is never reported and a wrong one always; the audit of any text ends with findings inside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from impossible_moments.audit.document_audit import audit_document
from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.findings import AuditFinding
from impossible_moments.audit.numbers.equations import find_wrong_equations

AUDITED: Final = Path(__file__).parents[1] / "golden" / "audit"
FIXTURES: Final = tuple(path.read_text(encoding="utf-8") for path in sorted(AUDITED.glob("*.md")))
FAR_OFF: Final = 1.3
# fmt: off
FRAGMENTS: Final = (
    "= ", "≈", "10^", "x ", "× ", "/ ", "+ ", "- ", "(", ")", "sqrt(", "√", "5 kg", "3.2e5", "1,200", "⁻³", "²", "| ", "|---|---|\n", "\n", "\n\n", "# ", "## Scenario\n",
    "**", "`", "```\n", "**Status**: ", "Total time: ", "within the 6-hour window", " at ", "2 m/s", "min", "9:30", "% of ", "pi", "IM-0001", "| Total | ", "Mass | ",
    "Time | ", "Cumulative | ", "\t", "\r\n", "\r", "ß", "٣", "\u2028", "wait, ", '"', "-", "--", ".", ",", ":", "0", "999", "  ", "kJ/(kg*K)", "steel bar ", "leaving ",
)
NEUTRAL: Final = (
    "heron", "marsh", "velvet", "curtain", "orchard", "violin", "sleeps", "drifts", "quietly", "beneath", "amber", "pebbled", "lullaby", "meadow", "saffron", "the",
)
MEASURES: Final = (  # two units and what their product is called
    ("kg", "m/s^2", "N"), ("W", "s", "J"), ("N", "m", "J"), ("V", "A", "W"), ("m/s", "s", "m"), ("kg/m^3", "m^3", "kg"), ("Pa", "m^2", "N"), ("L/min", "min", "L"),
    ("kW", "h", "kWh"), ("kN", "m", "kJ"), ("", "", ""),
)
# fmt: on


def digits(value: float, count: int) -> str:
    """A positive number with so many significant digits, without exponent."""
    decimals = count - 1 - math.floor(math.log10(value))
    return f"{round(value, decimals):.{max(decimals, 0)}f}"


def with_commas(value: float, count: int) -> str:
    plain = digits(value, count)
    whole, dot, rest = plain.partition(".")
    return f"{int(whole):,}{dot}{rest}"


def power_of_ten(value: float, count: int) -> str:
    mantissa, _, exponent = f"{value:.{count - 1}e}".partition("e")
    return f"{mantissa} x 10^{int(exponent)}"


def superscript(value: float, count: int) -> str:
    mantissa, _, exponent = f"{value:.{count - 1}e}".partition("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(str.maketrans('0123456789-', '⁰¹²³⁴⁵⁶⁷⁸⁹⁻'))}"


def computer(value: float, count: int) -> str:
    return f"{value:.{count - 1}e}"


NOTATIONS: Final = (digits, with_commas, power_of_ten, superscript, computer)


@dataclass(frozen=True)
class Equation:
    """The left side as it is printed, what it makes, and how the right side is printed."""

    left: str
    value: float
    measure: str
    notation: int
    count: int

    def printed(self, factor: float = 1.0) -> str:
        right = NOTATIONS[self.notation](self.value * factor, self.count)
        return f"{self.left} = {right} {self.measure}".strip()


def operands() -> st.SearchStrategy[tuple[str, float]]:
    """A number as it is printed, and its value."""
    return st.builds(
        lambda value, notation, count: _as_printed(NOTATIONS[notation](value, count)),
        st.floats(1e-3, 1e6),
        st.integers(0, len(NOTATIONS) - 1),
        st.integers(3, 5),
    )


def _as_printed(text: str) -> tuple[str, float]:
    superscripts = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
    read = text.replace(",", "").replace(" × 10", "e").replace(" x 10^", "e").translate(superscripts)
    return text, float(read)


@st.composite
def products(draw: st.DrawFn) -> Equation:
    (first, a), (second, b) = draw(operands()), draw(operands())
    one, other, made = draw(st.sampled_from(MEASURES))
    sign = draw(st.sampled_from(("x", "×", "*", "·", "times")))
    left = f"{first} {one}".strip() + f" {sign} " + f"{second} {other}".strip()
    return Equation(left, a * b, made, draw(st.integers(0, len(NOTATIONS) - 1)), draw(st.integers(3, 5)))


@st.composite
def quotients(draw: st.DrawFn) -> Equation:
    (first, a), (second, b) = draw(operands()), draw(operands())
    made, other, one = draw(st.sampled_from(MEASURES))
    sign = draw(st.sampled_from(("/", "÷", "divided by")))
    assume(a / b >= 30 or a / b < 0.5)  # a small count may be rounded up or down
    left = f"{first} {one}".strip() + f" {sign} " + f"{second} {other}".strip()
    return Equation(left, a / b, made, draw(st.integers(0, len(NOTATIONS) - 1)), draw(st.integers(3, 5)))


@st.composite
def sums(draw: st.DrawFn) -> Equation:
    parts = draw(st.lists(operands(), min_size=2, max_size=4))
    measure = draw(st.sampled_from(("kg", "m", "s", "")))
    labels = draw(st.sampled_from((("", "", "", ""), ("", "rope ", "hook ", "old chain "))))
    left = " + ".join(
        f"{label}{text} {measure}".strip() for label, (text, _) in zip(labels, parts, strict=False)
    )
    return Equation(
        left, sum(value for _, value in parts), measure, draw(st.integers(0, 4)), draw(st.integers(3, 5))
    )


@st.composite
def roots(draw: st.DrawFn) -> Equation:
    text, value = draw(operands())
    form = draw(st.sampled_from(("sqrt({})", "√({})", "sqrt(2 x {} / 2)", "({})^0.5")))
    return Equation(form.format(text), math.sqrt(value), "", draw(st.integers(0, 4)), draw(st.integers(3, 5)))


EQUATIONS: Final = st.one_of(products(), quotients(), sums(), roots())
LEADS: Final = st.sampled_from(("", "The load: ", "So it makes (", "- ", "| ", "F = ", "**"))
DOCUMENTS: Final = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=60).map("".join)
PROSE: Final = st.lists(st.sampled_from(NEUTRAL), min_size=1, max_size=40).map(" ".join)


def places(findings: tuple[AuditFinding, ...]) -> list[tuple[int, str, str]]:
    return [(each.line, each.code, each.what) for each in findings]


@given(EQUATIONS, LEADS)
@settings(max_examples=500)
def test_a_right_equation_is_never_reported(equation: Equation, lead: str) -> None:
    assert not list(find_wrong_equations(MarkdownDocument(lead + equation.printed())))


@given(EQUATIONS, LEADS, st.sampled_from((FAR_OFF, 1 / FAR_OFF, 10.0, 1e-3)))
@settings(max_examples=500)
def test_an_equation_that_is_far_off_is_always_reported(equation: Equation, lead: str, factor: float) -> None:
    assert list(find_wrong_equations(MarkdownDocument(lead + equation.printed(factor))))


@given(DOCUMENTS)
@settings(max_examples=300)
def test_the_audit_of_any_text_ends_with_findings_inside_it(text: str) -> None:
    last = len(MarkdownDocument(text).lines)

    assert all(1 <= each.line <= last for each in audit_document(text).findings)


@given(DOCUMENTS)
def test_an_audit_can_be_repeated(text: str) -> None:
    assert audit_document(text) == audit_document(text)


@pytest.mark.parametrize("end", ["\r\n", "\r"])
@pytest.mark.parametrize("text", FIXTURES)
def test_findings_do_not_depend_on_how_lines_end(text: str, end: str) -> None:
    assert audit_document(text.replace("\n", end)) == audit_document(text)


@given(DOCUMENTS.filter(lambda text: "\r" not in text))
def test_findings_of_any_text_do_not_depend_on_how_lines_end(text: str) -> None:
    assert audit_document(text.replace("\n", "\r\n")) == audit_document(text)


@given(st.sampled_from(FIXTURES) | DOCUMENTS, st.sampled_from(("\n", "\n\n\n", "\n \n", "\r\n")))
@settings(max_examples=60)
def test_findings_do_not_depend_on_blank_lines_at_the_end(text: str, blank: str) -> None:
    assert audit_document(text + blank) == audit_document(text)


@given(st.sampled_from(FIXTURES), PROSE)
@settings(max_examples=40)
def test_prose_that_has_nothing_to_do_with_it_changes_no_finding(text: str, prose: str) -> None:
    assert places(audit_document(f"{text}\n\n{prose}\n").findings) == places(audit_document(text).findings)
