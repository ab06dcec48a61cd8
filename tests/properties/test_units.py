"""Every unit is as large as pint says, and only what measures alike can be added."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_parser import parse_expression
from impossible_moments.mechanics.language.expression_types import ExpressionTypeError, infer_type
from impossible_moments.mechanics.language.units import UnitError, list_known_units, parse_unit
from support import strategies

if TYPE_CHECKING:
    import pint

# fmt: off
PREFIXES = {"f": "femto", "p": "pico", "n": "nano", "u": "micro", "m": "milli", "c": "centi", "d": "deci",
            "h": "hecto", "k": "kilo", "M": "mega", "G": "giga", "T": "tera"}
PREFIXED = ("m", "g", "s", "A", "K", "mol", "cd", "N", "Pa", "J", "W", "V", "C", "F", "ohm", "S", "H", "Wb", "T",
            "Hz", "l", "L", "bar", "eV", "bit", "byte", "lm", "lx", "Gy", "Sv", "Bq")
# fmt: on
ELSEWHERE = {
    "rpm": "1/min",
    "ly": "light_year",
    "percent": "percent",
    "t": "metric_ton",
    "1": "dimensionless",
}
MONEY = frozenset({"eur", "EUR", "usd", "USD"})


@pytest.fixture(scope="module")
def registry() -> pint.UnitRegistry[float]:
    import pint  # noqa: PLC0415 - it takes a quarter of a second, which collecting must not

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=True)


@given(strategies.units(), st.floats(-1e9, 1e9))
def test_a_value_comes_back_from_si_as_it_went(name: str, value: float) -> None:
    measure = parse_unit(name)

    assert math.isclose(measure.from_si(measure.to_si(value)), value, rel_tol=1e-9, abs_tol=1e-6)


@pytest.mark.parametrize("name", [name for name in list_known_units() if name not in MONEY])
def test_a_unit_is_as_large_as_pint_says(name: str, registry: pint.UnitRegistry[float]) -> None:
    expected = registry.Quantity(3.0, ELSEWHERE.get(name, name)).to_base_units()

    assert math.isclose(parse_unit(name).to_si(3.0), _in_si(expected), rel_tol=1e-9)


@pytest.mark.parametrize("name", PREFIXED)
def test_a_prefixed_unit_is_as_large_as_pint_says(name: str, registry: pint.UnitRegistry[float]) -> None:
    full = registry.get_name(
        name
    )  # whose prefixes are words: pint takes mcd for a thousand days and hbar for Planck
    sizes = {
        prefix + name: _in_si(registry.Quantity(1.0, word + full).to_base_units())
        for prefix, word in PREFIXES.items()
    }

    assert {each: parse_unit(each).factor for each in sizes} == pytest.approx(sizes, rel=1e-9)


def _in_si(quantity: Any) -> float:
    """A value in SI base units with kilograms; pint's base units are the same, but for the radian."""
    return float(quantity.magnitude)


@given(strategies.units(), strategies.units())
def test_what_measures_differently_cannot_be_added(one: str, other: str) -> None:
    assume(parse_unit(one).dimension != parse_unit(other).dimension)
    tree = ex.Arithmetic(
        "+", ex.Number(1.0, parse_unit(one).dimension), ex.Number(1.0, parse_unit(other).dimension)
    )

    with pytest.raises(ExpressionTypeError):
        infer_type(tree, _nothing)


def test_metres_and_seconds_cannot_be_added() -> None:
    with pytest.raises(ExpressionTypeError):
        infer_type(parse_expression("1[m] + 1[s]"), _nothing)


@given(strategies.commensurable_units())
def test_what_measures_alike_can_be_added(pair: tuple[str, str]) -> None:
    one, other = pair
    tree = ex.Arithmetic(
        "+", ex.Number(1.0, parse_unit(one).dimension), ex.Number(1.0, parse_unit(other).dimension)
    )

    assert infer_type(tree, _nothing) == parse_unit(one).dimension


@given(st.text("abdefghkmnopstuMGT", min_size=2, max_size=6))
def test_a_unit_is_read_or_refused_and_nothing_else(text: str) -> None:
    try:
        measure = parse_unit(text)
    except UnitError:
        return
    assert 0 < measure.factor < math.inf


def _nothing(node: ex.Name | ex.Property) -> Any:
    raise AssertionError(node)
