"""What stands in brackets behind an amount is that amount, or makes it."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.bracketed_amounts import find_wrong_explanations

# fmt: off
RIGHT = (
    "5 kg (11 lb)", "162,000 J (45 Wh)", "10 miles (16 km)", "6 ft (1.83 m)", "30 min (0.5 h)", "1 h 15 min (4500 s)", "20 kg (about 44 pounds)", "3000 rpm (314 rad/s)",
    "20 °C (68 °F)", "6 ft 2 in (1.88 m)", "5-8 kN over 100 cm2 (500-800 kPa)", "100 W for 60 s (6 kJ)", "1.7 m (3.5 m - 1.8 m)", "2 m (3.5 m - 1.8 m)",
    "3 kg (2 x 1.5 kg)", "10 m (2 x 5 m long)", "50 min (10 bags at 5 min per bag)", "50 min (10 bags at 5 min each)", "30 km (at 5 km/h for 6 h)", "5 m (3 of them)",
    "5 kg (12 cm long)", "4 L (in two jars)", "600 N across 0.03 m2 (20 kPa)",
)
WRONG = (
    "5 kg (15 lb)", "162,000 J (55 Wh)", "10 miles (26 km)", "6 ft (2.8 m)", "30 min (5 h)", "20 kg (about 84 pounds)", "5-8 kN over 100 cm2 (50-80 kPa)",
    "100 W for 60 s (60 kJ)", "2.4 m (3.5 m - 1.8 m)", "3 kg (2 x 1.9 kg)", "60 min (10 bags at 5 min per bag)", "60 min (10 bags at 5 min each)", "4 L (9000 mL)",
    "600 N across 0.03 m2 (2 kPa)",
)
# fmt: on


def found(text: str) -> list[int]:
    return [mistake.line for mistake in find_wrong_explanations(MarkdownDocument(text))]


@pytest.mark.parametrize("text", RIGHT)
def test_a_right_remark_is_not_reported(text: str) -> None:
    assert found(f"They have {text} there.") == []


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_remark_is_reported_at_its_line(text: str) -> None:
    assert found(f"First line.\nThey have {text} there.") == [2]
