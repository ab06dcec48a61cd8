"""Parser of amounts in prose: `1,200`, `2.5 x 10^6`, `~0.3`, `10-15 min`, `5-meter`, `98%`, with their units.

Every amount is a range with two ends, which are equal for a single number. Values are kept as printed and can
be converted to SI. Prose often omits units, and then only the printed numbers can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from impossible_moments.mechanics.language import PLAIN, Dimension, UnitError, parse_unit

# fmt: off
_WORDS: Final = {
    "seconds": "s", "second": "s", "secs": "s", "sec": "s", "minutes": "min", "minute": "min", "mins": "min",
    "hours": "h", "hour": "h", "hrs": "h", "hr": "h", "days": "day", "weeks": "week", "years": "year",
    "milliseconds": "ms", "millisecond": "ms", "microseconds": "us", "nanoseconds": "ns",
    "meters": "m", "metres": "m", "meter": "m", "metre": "m", "centimeters": "cm", "centimetres": "cm",
    "centimeter": "cm", "millimeters": "mm", "millimetres": "mm", "millimeter": "mm", "kilometers": "km",
    "kilometres": "km", "kilometer": "km", "micrometers": "um", "microns": "um", "micron": "um", "nanometers": "nm",
    "inches": "inch", "inch": "inch", "feet": "ft", "foot": "ft", "yards": "yd", "miles": "mile", "mile": "mile",
    "kilograms": "kg", "kilogram": "kg", "kilos": "kg", "grams": "g", "gram": "g", "milligrams": "mg",
    "tonnes": "t", "tonne": "t", "tons": "t", "pounds": "lb", "lbs": "lb", "ounces": "oz",
    "liters": "l", "litres": "l", "liter": "l", "litre": "l", "milliliters": "ml", "millilitres": "ml",
    "newtons": "N", "newton": "N", "joules": "J", "joule": "J", "kilojoules": "kJ", "watts": "W", "watt": "W",
    "kilowatts": "kW", "volts": "V", "volt": "V", "amps": "A", "amperes": "A", "amp": "A", "ohms": "ohm",
    "pascals": "Pa", "bars": "bar", "degrees": "deg", "degree": "deg", "percent": "percent", "%": "percent",
    "kelvin": "K", "hertz": "Hz", "moles": "mol", "mph": "mile/h", "kmh": "km/h", "kph": "km/h", "knots": "knot",
    "gallons": "gal", "gallon": "gal", "radians": "rad", "micrograms": "ug", "nanograms": "ng", "picograms": "pg", "kilonewtons": "kN",
    "millinewtons": "mN", "micronewtons": "uN", "nanonewtons": "nN", "milliwatts": "mW", "microwatts": "uW", "nanowatts": "nW", "megawatts": "MW",
    "milliamps": "mA", "microamps": "uA", "milliamperes": "mA", "millivolts": "mV", "kilovolts": "kV", "nanometer": "nm", "micrometer": "um",
    "megajoules": "MJ", "millijoules": "mJ", "kilopascals": "kPa", "megapascals": "MPa", "daltons": "Da", "milliliter": "ml", "calories": "cal",
    "°": "deg", "Ω": "ohm", "\u2126": "ohm", "kΩ": "kohm", "MΩ": "Mohm", "mΩ": "mohm", "µW": "uW", "µA": "uA", "µV": "uV", "µF": "uF", "µL": "ul",
}
_SHORT: Final = frozenset(
    """
    nm um µm μm mm cm dm m km pg fg ng ug µg μg mg g kg t lb oz ns us µs μs ms s min h day week year mN
    uN µN nN pN fN N kN MN aJ fJ pJ nJ mJ uJ µJ J kJ MJ GJ mW uW nW W kW MW GW uV mV V kV nA mA uA A ohm
    kohm Pa hPa kPa MPa GPa bar mbar atm psi mmHg ml mL ul uL l L Hz kHz MHz GHz K mol mmol Wh kWh MWh GWh TWh mAh
    Ah kcal cal eV rpm rad ft mile inch C F pF nF uF lm lx ppm USD EUR knot Da kDa
    """.split()
)
# fmt: on
_FURTHER: Final = {
    "gal": (3.785411784e-3, "m**3"),
    "Da": (1.66053907e-27, "kg"),
    "kDa": (1.66053907e-24, "kg"),
}
"""Units that occur in prose but not in records."""
_SYMBOLS: Final = frozenset({"h/g", "m/g", "N/A", "F/A", "F/m", "m/A"})
"""Symbols that look like units but are formulas, as in `2h/g`."""
_POWER_WORD: Final = {"squared": 2, "cubed": 3}
_UNIT_NAME: Final = "|".join(
    sorted({*map(re.escape, _WORDS), *map(re.escape, _SHORT)}, key=len, reverse=True)
)
_FACTOR: Final = rf"(?:{_UNIT_NAME})(?![A-Za-z%])(?:\s?-?(?:squared|cubed)\b|\^-?\d(?!\d)|[²³]|(?<=m)[23](?![\d.])|\*\*-?\d)?"
_UNIT: Final = rf"{_FACTOR}(?:\s?(?:/|\bper\b|[·*.-](?=[A-Za-z]))\s?(?:\({_FACTOR}(?:\s?[·*.-]\s?{_FACTOR})?\)|{_FACTOR})){{0,3}}"
_UNIT_AT: Final = re.compile(rf"\s?-?({_UNIT})")
_DEGREES_AT: Final = re.compile(r"\s?(?:degrees?|deg|°)\s?(?:C|Celsius|F|Fahrenheit)\b")
_PER: Final = re.compile(rf"\s?(?:per|/)\s?({_FACTOR})")
_DIGITS: Final = r"(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?|\.\d+)"
_NUMBER: Final = re.compile(
    rf"(?P<mark>[~≈±]?\s?)(?P<money>[$€£])?(?P<sign>[-−+](?=[\d.]))?"
    rf"(?:(?<![\d.])10\s?\^\s?(?P<c>\()?(?P<ten>[-−+]?\d{{1,3}})(?(c)\))(?!\d|\.\d)|(?P<digits>{_DIGITS})"
    rf"(?:[eE](?P<e>[+-]?\d{{1,3}})(?!\d|\.\d)|\s?[x×*·]\s?10\s?(?:\^|\*\*)\s?(?P<b>\()?(?P<p>[-−+]?\d{{1,3}})(?(b)\))|\s?[x×]\s?10(?P<s>⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,3}}))?)"
    r"(?P<big>\s(?:million|billion|trillion|thousand)\b)?"
)
LARGEST: Final = 1e100
"""Largest absolute value of an amount. Larger numbers could overflow."""
_LARGEST_POWER: Final = 100
_SUPER: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_BIG: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_BEGINS: Final = re.compile(r"(?<![\w.])[~≈]?[$€£]?[-−]?\.?\d")
_TO: Final = re.compile(r"\s?(?:-|–|—|\bto\b)\s?(?=[~$€£]?\s?[\d.])")
_ROUGH: Final = re.compile(
    r"(?P<rough>\b(?:roughly|order of|on the order of|around|about|some|nearly|almost|over|under|up to|at most|at least|"
    r"more than|less than|fewer than|below|above|maximum|minimum|max|min)|[<>≤≥])\s*$|"
    r"(?P<near>\b(?:approximately|approx\.?|circa|ca\.)|[~≈])\s*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Amount:
    """Number or range with its unit, its position in the text, and its precision."""

    low: float
    high: float
    """Ends of the range as printed, in the unit."""
    factor: float
    dimension: Dimension
    unit: str
    """Unit as printed, or an empty string."""
    half: float
    """Half a step of the last printed digit, in the unit."""
    tolerance: float
    """Relative tolerance implied by words such as `about`."""
    start: int
    end: int
    whole: bool
    """Whether the number is printed as an integer."""

    @property
    def si(self) -> tuple[float, float]:
        """Both ends in SI units."""
        return self.low * self.factor, self.high * self.factor

    @property
    def is_range(self) -> bool:
        """Whether two ends are printed."""
        return self.low != self.high


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """Printed number without its unit."""

    value: float
    half: float
    whole: bool
    near: bool
    end: int


def parse_amount_at(text: str, at: int) -> Amount | None:
    """Parse the amount that begins at a position of a text. Return None if there is none."""
    first = parse_number_at(text, at)
    if first is None:
        return None
    start, end, low, high, half = at, first.end, first.value, first.value, first.half
    near, whole = first.near, first.whole
    measure, end = _parse_unit_at(text, end)
    gap = _TO.match(text, end)
    if gap is not None and not text[end : gap.end()].startswith((" -", " –", " —")):
        second = parse_number_at(text, gap.end())
        if second is not None and second.value > first.value:
            other, stop = _parse_unit_at(text, second.end)
            if measure is None or other is None or other == measure:
                measure, end = other or measure, stop
                high, half, near = second.value, max(half, second.half), near or second.near
                whole = whole and second.whole
    factor, dimension, name = measure or (1.0, PLAIN, "")
    return Amount(
        low,
        high,
        factor,
        dimension,
        name,
        half,
        _estimate_tolerance(text, start, near=near),
        start,
        end,
        whole,
    )


def find_amounts(text: str) -> Iterator[Amount]:
    """Yield all amounts of a text from left to right. Digits inside words are ignored."""
    at = 0
    while (match := _BEGINS.search(text, at)) is not None:
        start = match.start()
        found = parse_amount_at(text, start)
        if found is None:
            at = start + 1
            continue
        yield found
        at = max(found.end, start + 1)


def is_amount_continuation(text: str, amount: Amount) -> bool:
    """Return whether an amount continues a compound amount, like the minutes of `1 h 15 min`."""
    before = text[max(0, amount.start - 24) : amount.start]
    larger = next(iter(reversed(list(find_amounts(before)))), None)
    return (
        larger is not None
        and larger.dimension == amount.dimension
        and larger.factor > amount.factor
        and not before[larger.end :].strip(" ,")
    )


def parse_number_at(text: str, at: int) -> PrintedNumber | None:
    """Parse the number printed at a position. Return None if there is none or it is out of range."""
    match = _NUMBER.match(text, at)
    if match is None:
        return None
    if match["ten"]:
        exponent = int(match["ten"].replace("−", "-"))
        if abs(exponent) > _LARGEST_POWER:
            return None
        value = 10.0**exponent
        return PrintedNumber(value, 0.0, whole=False, near=bool(match["mark"].strip()), end=match.end())
    digits = match["digits"].replace(",", "")
    power = match["e"] or (match["p"] or "").replace("−", "-") or (match["s"] or "").translate(_SUPER)
    if power and abs(int(power)) > _LARGEST_POWER:
        return None
    scale = 10.0 ** int(power) if power else 1.0
    scale *= _BIG[match["big"].strip()] if match["big"] else 1.0
    decimals = len(digits.partition(".")[2])
    value = float(digits) * scale * (-1 if match["sign"] in {"-", "−"} else 1)
    if abs(value) > LARGEST:
        return None
    # 1500 may be rounded to hundreds and 137,000 to three digits, but 150 is taken as exact.
    trailing = len(digits) - len(digits.rstrip("0")) if not decimals and len(digits) > 3 else 0  # noqa: PLR2004
    rounded = min(trailing, max(2, len(digits) - 3))
    half = 0.5 * 10.0 ** (rounded - decimals) * scale
    return PrintedNumber(value, half, not decimals and not power, bool(match["mark"].strip()), match.end())


Measure = tuple[float, Dimension, str]


def _parse_unit_at(text: str, at: int) -> tuple[Measure | None, int]:
    degrees = _DEGREES_AT.match(text, at)
    if degrees is not None:
        return _parse_temperature_unit(text, degrees.end())
    match = _UNIT_AT.match(text, at)
    if match is None:
        return None, at
    found = _resolve_unit(match[1])
    return (found, match.end()) if found is not None else (None, at)


def _parse_temperature_unit(text: str, at: int) -> tuple[Measure, int]:
    """Parse a temperature difference or rate after a degree sign, such as 0.03 degrees C per minute."""
    per = _PER.match(text, at)
    under = _resolve_unit(per[1]) if per is not None else None
    if per is None or under is None:
        return (1.0, parse_unit("K").dimension, "deg C"), at
    return (1.0 / under[0], parse_unit("K").dimension / under[1], f"deg C per {per[1]}"), per.end()


@lru_cache(maxsize=2048)
def _resolve_unit(text: str) -> Measure | None:
    tidy = re.sub(r"\s?-?\b(squared|cubed)\b", lambda match: f"**{_POWER_WORD[match[1]]}", text)
    tidy = re.sub(r"(?<=m)([23])(?!\d)", r"**\1", tidy) if "^" not in tidy and "**" not in tidy else tidy
    tidy = re.sub(r"\bper\b", "/", tidy).replace("²", "**2").replace("³", "**3").replace(" ", "")
    tidy = re.sub(r"(?<=[A-Za-z\d])[-.](?=[A-Za-z])", "*", tidy)
    tidy = re.sub(r"[A-Za-zµμ%°Ω\u2126]+", lambda match: _WORDS.get(match[0], match[0]), tidy)
    if tidy in _SYMBOLS:
        return None
    tidy = tidy.replace("Wh", "W*h").replace("Ah", "A*h")
    if tidy in _FURTHER:
        factor, like = _FURTHER[tidy]
        return factor, parse_unit(like).dimension, text
    try:
        found = parse_unit(tidy)
    except UnitError:
        return None
    return (found.factor, found.dimension, text) if not found.offset else None


def _estimate_tolerance(text: str, at: int, *, near: bool) -> float:
    """Return the relative tolerance that the words before an amount allow."""
    match = _ROUGH.search(text[max(0, at - 30) : at])
    if match is not None and match["rough"]:
        return 0.15
    return 0.05 if near or match is not None else 0.0
