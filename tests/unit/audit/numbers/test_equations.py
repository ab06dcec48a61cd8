"""A calculation that comes out is left alone in every form prose gives it; one that does not is found."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.numbers.equations import find_wrong_equations

# fmt: off
RIGHT = (
    # products and quotients
    "12 x 7 = 84", "3 × 4.5 = 13.5", "6 * 1.25 = 7.5", "2 · 8 = 16", "9 times 12 = 108", "144 / 12 = 12", "100 ÷ 8 = 12.5",
    "100 divided by 4 = 25", "1,200 x 3 = 3,600", "1/2 x 9.81 x 4 = 19.62", "120/80 = 1.5", "60 kg × 3 people = 180 kg",
    # sums and differences, with labels
    "17 + 25 = 42", "17 plus 25 = 42", "90 - 35 = 55", "90 − 35 = 55", "90 minus 35 = 55", "1.2 m + 0.8 m = 2.0 m",
    "reach 2.1 m + jump 0.4 m = 2.5 m", "arm 0.7 m + stick 1.3 m + hook 0.2 m = 2.2 m", "3 m - 120 cm = 1.8 m", "3 bags + 4 bags = 7 bags",
    "0.1 + 0.2 = 0.3", "Total = 5 + 3 + 2 = 10", "1.1 kg (2.4 lb) + 0.9 kg (2.0 lb) = 2.0 kg",
    # powers
    "2^10 = 1024", "2**10 = 1024", "5 + 2**3 = 13", "2^-3 = 0.125", "9^0.5 = 3", "9^(1/2) = 3", "5 x 3² = 45", "2 x 4.5 = 3²",
    "0.5 x 1200 kg x (20 m/s)² = 240 kJ", "0.5 x 1200 kg x (20 m/s)^2 = 240 kJ", "100 x 1.05^10 = 163",
    # powers of ten
    "2.5 x 10^6 / 5 x 10^2 = 5 x 10^3", "3e8 x 2e-3 = 6e5", "6.02 × 10²³ × 2 = 1.204 × 10²⁴", "1.5 × 10^-3 × 4 = 6 × 10^-3",
    "5 × 10⁻³ × 200 = 1", "5 million / 4 = 1.25 million", "101,325 Pa x 1e-4 m^2 = 10.1 N", "10^6 / 10^3 = 1000", "10^3 x 10^2 x 4 = 4 x 10^5",
    # roots, functions, constants
    "sqrt(144) = 12", "sqrt(2 x 9.81 x 4) = 8.86", "√(2 x 9.81 x 1.5) = 5.42", "the speed is sqrt(2 x 9.81 x 4) = 8.86 m/s", "ln(10) = 2.303",
    "log10(1000) = 3", "exp(1) = 2.718", "100 x exp(-0.5) = 60.7", "pi x 0.5^2 = 0.785", "π × 2² = 12.57", "2 pi x 3 = 18.85",
    "4/3 x pi x 2^3 = 33.5", "2π x sqrt(4) = 12.57",
    # angles in degrees
    "sin(30) = 0.5", "cos(60 degrees) = 0.5", "tan(45 degrees) = 1", "9.81 x sin(30 degrees) = 4.905", "50 x 9.81 x cos(25) = 444.5",
    "10 m x sin(30°) = 5 m", "90° - 30° = 60°", "45° C = 113° F",
    # shares
    "30% of 240 = 72", "12 percent of 50 = 6", "15% x 80 = 12", "18 / 60 = 30%", "40% of 5 L = 2 L", "200 + 10% = 220", "50 - 20% = 40",
    "50 kg + 10% = 55 kg", "10% + 20% = 30%",
    # units
    "70 kg x 9.81 m/s^2 = 687 N", "70 x 9.81 = 686.7 N", "0.17 kg x 334 kJ/kg = 56.8 kJ", "8 W x 3600 s = 28.8 kJ", "12 V x 5 A = 60 W",
    "12 V x 5 A x 2 h = 120 Wh", "3.6 V x 2600 mAh = 9.36 Wh", "5000 N / 0.02 m^2 = 250 kPa", "1000 kg/m^3 x 0.5 m^3 = 500 kg",
    "1 kg x 4186 J/(kg*K) x 10 K = 41.9 kJ", "2 N x 3 s / 4 kg = 1.5 m/s", "20 N x 0.3 m = 6 N·m", "0.5 L/min x 10 min = 5 L", "300 m / 1.5 m/s = 200 s",
    "12 people x 2 L/day x 3 days = 72 L", "10 cm x 20 cm x 30 cm = 6 L", "5 cm x 4 cm = 20 cm²", "10 N / 5 N = 2", "$4.50 x 12 = $54",
    "12 V / 4 Ω = 3 A", "45 µW x 3600 s = 0.162 J",
    # one amount in two units
    "120 cm = 1.2 m", "90 min = 1.5 h", "2 hours = 7200 s", "36 km/h = 10 m/s", "5 kWh = 18 MJ", "250 mL = 0.25 L", "6 feet = 1.83 m", "5 psi = 34.5 kPa",
    "60 mph = 26.8 m/s", "1 m3 = 1000 L", "1 gallon = 3.79 L", "1 h 30 min = 5400 s", "90 min = 1 h 30 min", "3 x 1 min 30 s = 4.5 min",
    "100 rpm = 10.5 rad/s", "25 °C = 77 °F", "1.68 m = 5 ft 6 in",
    # a number that turns one unit into another
    "90 s / 60 = 1.5 min", "3 h x 60 = 180 min", "5 min x 60 = 300 s", "6 ft x 30.48 = 183 cm", "86,400 s / 60 / 60 = 24 h",
    # ranges
    "10-15 x 2 = 20-30", "10-15 kg x 2 = 20-30 kg", "5 x 3 = 15-20", "4 to 6 m x 2 = 8 to 12 m",
    # chains and brackets
    "(3 + 4) x 5 = 35", "(12 - 4) / (1 + 3) = 2", "2 x (3 + (4 - 1)) = 12", "2 x 3 x 4 = 6 x 4 = 24", "m = 3 x 4 = 12 kg", "(5 x 3 = 15)",
    "500 / 0.25 = 2000 Pa = 2 kPa", "9.81 x 80 x 2 = 1570 J = 1.57 kJ", "2 x 2 = 4, so 4 x 4 = 16",
    # rounding
    "1/3 = 0.33", "100 / 3 ≈ 33", "7 / 2 = 4 trips", "2.14 x 3.46 = 7.4", "~40 / 3 = ~13", "about 50 x 2.1 = about 100",
    # marks of Markdown and LaTeX
    "**3 x 5 = 15**", "`3 x 5 = 15`", r"$3 \times 5 = 15$", "**3** x **5** = **15**", "| 3 x 5 = 15 | fine |",
)
WRONG = (
    # products and quotients
    "12 x 7 = 94", "3 × 4.5 = 15.5", "6 * 1.25 = 9.5", "2 · 8 = 18", "9 times 12 = 118", "144 / 12 = 22", "100 ÷ 8 = 22.5",
    "100 divided by 4 = 35", "1,200 x 3 = 4,600", "1/2 x 9.81 x 4 = 29.62", "120/80 = 1.8", "60 kg × 3 people = 280 kg",
    # sums and differences
    "17 + 25 = 43", "17 plus 25 = 52", "90 - 35 = 65", "90 − 35 = 45", "90 minus 35 = 57", "1.2 m + 0.8 m = 2.6 m", "reach 2.1 m + jump 0.4 m = 2.9 m",
    "arm 0.7 m + stick 1.3 m + hook 0.2 m = 3.2 m", "3 m - 120 cm = 2.8 m", "3 bags + 4 bags = 8 bags", "5 + 3 + 2 = 11",
    # powers
    "2^10 = 2048", "2**10 = 1124", "2.0^2 = 4.5", "5 + 2**3 = 28", "2^-3 = 0.25", "9^0.5 = 4.5", "5 x 3² = 30", "0.5 x 1200 kg x (20 m/s)² = 480 kJ",
    "0.5 x 1200 kg x (20 m/s)^2 = 12 kJ", "100 x 1.05^10 = 105",
    # powers of ten
    "2.5 x 10^6 / 5 x 10^2 = 5 x 10^5", "3e8 x 2e-3 = 6e6", "6.02 × 10²³ × 2 = 1.204 × 10²³", "5 × 10⁻³ × 200 = 1.4", "5 million / 4 = 1.75 million",
    "1.5 × 10^-3 × 4 = 6 × 10^-2", "101,325 Pa x 1e-4 m^2 = 101 N",
    # roots, functions, constants, angles
    "sqrt(144) = 14", "sqrt(2 x 9.81 x 4) = 10.9", "√(2 x 9.81 x 1.5) = 7.2", "the speed is sqrt(2 x 9.81 x 4) = 11 m/s", "ln(10) = 3.303",
    "log10(1000) = 4.5", "exp(1) = 3.7", "pi x 0.5^2 = 1.57", "π × 2² = 6.28", "4/3 x pi x 2^3 = 25.1", "sin(30) = 0.7", "cos(60 degrees) = 0.87",
    "tan(45 degrees) = 1.4", "9.81 x sin(30 degrees) = 8.5", "50 x 9.81 x cos(25) = 207",
    "10 m x sin(30°) = 8.7 m", "90° - 30° = 70°", "5 x 8 = 40 cm and 3 x 6 = 23 cm",
    # shares
    "30% of 240 = 82", "12 percent of 50 = 8", "15% x 80 = 15", "18 / 60 = 40%", "40% of 5 L = 3 L", "200 + 10% = 240", "50 kg + 10% = 60 kg",
    # units
    "70 kg x 9.81 m/s^2 = 787 N", "0.17 kg x 334 kJ/kg = 86.8 kJ", "8 W x 3600 s = 288 kJ", "12 V x 5 A = 80 W", "12 V x 5 A x 2 h = 60 Wh",
    "5000 N / 0.02 m^2 = 25 kPa", "1000 kg/m^3 x 0.5 m^3 = 50 kg", "1 kg x 4186 J/(kg·K) x 10 K = 61.9 kJ", "2 N x 3 s / 4 kg = 2.5 m/s", "5 kg x 2 = 10 g",
    "0.5 L/min x 10 min = 7 L", "12 people x 2 L/day x 3 days = 92 L", "10 cm x 20 cm x 30 cm = 60 L", "5 cm x 4 cm = 30 cm²", "10 N / 5 N = 3",
    "12 V / 4 Ω = 4 A", "45 µW x 3600 s = 0.262 J",
    # one amount in two units
    "120 cm = 12 m", "90 min = 2.5 h", "36 km/h = 36 m/s", "5 kWh = 5 MJ", "250 mL = 2.5 L", "6 feet = 2.4 m", "10 m/s = 46 km/h", "1 m3 = 100 L",
    "1 h 30 min = 6400 s", "90 s / 60 = 2.5 min", "5 min x 60 = 400 s", "100 rpm = 50 rad/s",
    # ranges, chains, brackets
    "10-15 kg x 2 = 30-40 kg", "5 x 3 = 16-20", "(3 + 4) x 5 = 23", "(12 - 4) / (1 + 3) = 6", "2 x (3 + (4 - 1)) = 18", "2 x 3 x 4 = 6 x 4 = 34",
    "m = 3 x 4 = 16 kg", "The load (5 x 3 = 19) is high.", "2000 Pa = 2 kPa = 20,000 hPa", "9.81 x 80 x 2 = 1570 J = 15.7 kJ", "2 x 2 = 4, so 4 x 4 = 20",
    # beyond any rounding
    "1/3 = 0.43", "100 / 3 ≈ 43", "2.14 x 3.46 = 8.4", "~40 / 3 = ~20", "about 50 x 2.1 = about 150", "- 3 x 5 = 16", "* sqrt(16) = 5", "1. 3 x 5 = 16", "| - 3 x 5 = 16 | x |",
    "**3 x 5 = 16**", "`3 x 5 = 16`", r"$3 \times 5 = 16$",
)
NO_CALCULATION = (
    "x = 5", "v1.2.3 = 6", "4 x 5 != 21", "4 x 5 <= 21", "4 x 5 => 21", "4 x 5 == 21", "F cos(30) = 43 N", "3 sin(30) = 1.5", "2 log10(100) = 4",
    "2 (3 + 4) = 14", "1 1/2 inch = 38 mm", "2 1/2 x 4 = 10", "5 000 N / 10 = 500 N", "16:30 + 45 min = 17:15", "half of 100 = 50", "10 choose 3 = 120",
    "a ratio of 6 / 4 = 3:2", "call 0800-555-12 = 7", "2gr^2 = 4", "each 5 kg x 3 at most = 4", "10 dB + 10 dB = 13 dB", "5 / 0 = 7", "sqrt(-4) = 2",
    "the 3 x 4 grid", "between 5 and 7 x 2 = 12", "on the map 2 cm = 1 km", "scale: 1 cm = 5 m", "t = sqrt(2h/g) = sqrt(2 × 5 / 9.81)", "ln(0) = 3", "20 °C + 15 °C = 35 °C",
)
# fmt: on


def found(text: str) -> list[str]:
    return [mistake.printed for mistake in find_wrong_equations(MarkdownDocument(text))]


@pytest.mark.parametrize("text", RIGHT)
def test_a_calculation_that_comes_out_is_not_reported(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize("text", WRONG)
def test_a_calculation_that_does_not_come_out_is_reported_once(text: str) -> None:
    assert len(found(f"The table says that {text}." if text[0].isalnum() else text)) == 1


@pytest.mark.parametrize("text", NO_CALCULATION)
def test_what_may_mean_something_else_is_not_judged(text: str) -> None:
    assert found(text) == []


def test_there_are_enough_of_either() -> None:
    assert min(len(set(RIGHT)), len(set(WRONG))) >= 60


def test_a_mistake_names_its_line_what_is_printed_and_what_is_right() -> None:
    (mistake,) = find_wrong_equations(
        MarkdownDocument("All is well.\n\nIt weighs 70 kg x 9.81 m/s^2 = 787 N here.\n")
    )

    assert (mistake.line, mistake.printed, mistake.correct) == (3, "70 kg x 9.81 m/s^2 = 787 N", "686.7 N")


def test_two_mistakes_of_one_line_are_two() -> None:
    assert len(found("First 3 x 4 = 13, then 5 x 6 = 31.")) == 2


@pytest.mark.parametrize("printed", ["33", "33.3", "33.33", "about 33", "~33", "30-35"])
def test_honest_rounding_is_no_mistake(printed: str) -> None:
    assert found(f"100 / 3 = {printed}") == []


@pytest.mark.parametrize("text", ["16 / 5 = 4 trips", "19 / 5 = 3 trips", "7 / 2 = 3", "7 / 2 = 4"])
def test_a_count_may_be_rounded_up_or_down(text: str) -> None:
    assert found(text) == []


def test_a_count_may_not_be_rounded_further() -> None:
    assert len(found("16 / 5 = 5 trips")) == 1


def test_whole_numbers_that_are_multiplied_leave_no_room() -> None:
    assert len(found("125 x 8 = 1001")) == 1
