"""Numbers with units as English writes them."""

from __future__ import annotations

import pytest

from impossible_moments.agents.orchestrator.documents.wording.unit_grammar import correct_units


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lasts 370 year", "lasts 370 years"),
        ("within 1 day", "within 1 day"),
        ("78 day of 90 days", "78 days of 90 days"),
        ("density 300 kg/m**3", "density 300 kg/m³"),
        ("costs 8000000 eur", "costs 8,000,000 EUR"),
        ("14 min and 5 of them", "14 min and 5 of them"),
        ("2 dayboats", "2 dayboats"),
        ("13.3 1/h against 1 1/year", "13.3 per hour against 1 per year"),
        ("the tanker (brings 2.2 m**3) against", "the tanker (brings 2.2 m³) against"),
    ],
)
def test_units_are_written_as_english_writes_them(text: str, expected: str) -> None:
    assert correct_units(text) == expected
