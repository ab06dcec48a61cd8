"""Quantities are read in every spelling people use, and in no other."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.records.quantities import QuantityError, QuantityKind, parse_quantity


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("rim = 3.6[m]", QuantityKind.GIVEN),
        ("rim = 3.6 m", QuantityKind.GIVEN),
        ("mu = 0.6 (0.4..0.9) assumed @ estimate: rope", QuantityKind.ASSUMED),
        ("mu = 0.6 (0.4..0.9) @ estimate: rope", QuantityKind.ASSUMED),
        ("mu = 0.6 (0.4 to 0.9) assumed: estimate, rope", QuantityKind.ASSUMED),
        ("k = 0.5[K/h] (0.1..3) disputed @ A; B", QuantityKind.DISPUTED),
        ("angle = choose 10..80[deg]", QuantityKind.DECISION),
        ("n = choose {1, 2, 4}", QuantityKind.DECISION),
        ("level = 0[m] (0..3) state", QuantityKind.STATE),
        ("rise = inflow/area", QuantityKind.DERIVED),
        ("twice = choose_one*2", QuantityKind.DERIVED),
        ("wet = true", QuantityKind.GIVEN),
    ],
)
def test_a_line_has_its_kind(line: str, kind: QuantityKind) -> None:
    assert parse_quantity(line).kind is kind


def test_celsius_stands_as_a_value_of_its_own_with_its_range() -> None:
    quantity = parse_quantity("coolant = 105[degC] (90..120) assumed @ handbook value")

    assert quantity.value == pytest.approx(378.15)
    assert (quantity.low, quantity.high) == pytest.approx((363.15, 393.15))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("q = 18[lpm]", "unit.unknown"),
        ("mu = 1.6 (0.4..0.9) assumed @ estimate", "range.value-outside"),
        ("mu = 0.6 assumed", "assumed.range-and-source"),
        ("mu = 0.6 (0.599..0.601) assumed @ estimate", "assumed.narrow"),
        ("v = 0[m/s] state", "state.bounds"),
        ("x = a*b (1..2) state", "quantity.form"),
        ("t = 4[s] (3[kg]..6[kg]) assumed @ estimate", "dimension.mismatch"),
        ("x = choose 3..1", "range.order"),
        ("x = 2*5[degC]", "expression.form"),
        ("rim 3.6", "line.form"),
    ],
)
def test_a_slip_has_its_code(line: str, code: str) -> None:
    with pytest.raises(QuantityError) as caught:
        parse_quantity(line)

    assert caught.value.code == code
