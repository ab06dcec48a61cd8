"""Check of the mass of objects against their dimensions and material."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from impossible_moments.audit.documents.markdown import (
    MarkdownDocument,
    MarkdownRow,
    MarkdownTable,
    strip_emphasis,
)
from impossible_moments.audit.numbers.amounts import Amount, find_amounts, parse_amount_at
from impossible_moments.audit.numbers.equations import normalize_math_text
from impossible_moments.library import load_materials
from impossible_moments.mechanics.language import LENGTH, MASS, PLAIN

TOO_HEAVY: Final = 1.3
"""Most density of an object, relative to its densest material."""
FITTED_DENSITY_FACTOR: Final = 1.8
"""The same for objects that may have unmentioned metal parts, such as a buckle."""
TOO_LIGHT: Final = 0.5
"""Least density of a solid object, relative to its lightest material."""
ROPE: Final = 0.36
"""The same for rope and cord, which contain air."""
LEAST_LOOSE_DENSITY: Final = 0.2
"""The same for cloth and loose material, which are mostly air."""
MASS_COLUMN: Final = re.compile(r"\b(?:mass|weight)\b", re.IGNORECASE)
SIZE_COLUMN: Final = re.compile(r"\b(?:dimensions?|size)\b", re.IGNORECASE)
MATERIAL_COLUMN: Final = re.compile(r"\bmaterials?\b|\bcomposition\b", re.IGNORECASE)
_PARTS: Final = re.compile(
    r"\b(?:handle|blade|head|lens|seat|capacity|inner|internal|opening|bore|shaft|when|unrolled|unfolded|folded|inside|laid|each section|"
    r"per|cross-section|face|screen|dial|cover|case|wall|rim|neck|base|top|total length|coil|roll|bundle|stack|page|sheets?|layer|"
    r"wingspan|wheel|link|mesh|grid|drop|gap|spacing|apart)\b",
    re.IGNORECASE,
)
_THREE_LENGTHS: Final = re.compile(
    r"[\d.]+\s?[a-zµ]*\s?[x×]\s?[\d.]+\s?[a-zµ]*\s?[x×]\s?[\d.]+", re.IGNORECASE
)
_INNER_SIZE: Final = re.compile(
    r"\b(?:inner|internal|opening|inside|interior|each section|head|blade)\b", re.IGNORECASE
)
_SOLID_SHAPE: Final = re.compile(
    r"\b(?:solid|rod|bar|block|ingot|brick|log|plank|beam|board|stick|dowel|dis[ck]s?|cube|slab|tile|coins?|stone|rock|pebbles?|boulder|wire|hair|"
    r"grains?|crystals?|body|raft|chip|splinter|sliver|twig|marbles?|candle|magnet|rail|post|toothpick|needle|nail|pin|plate|thick|thickness|rope|cord|paracord|string|twine|belt|strap)\b",
    re.IGNORECASE,
)
_HOLLOW_SHAPE: Final = re.compile(
    r"\b(?:hollow|tubular|frame|folding|tubes?|pipes?|hose|box|case|bag|empty|mesh|net|perforated|module|assembly|foam|porous|capsule|with|housing|hull|displacement|vessel|boat|doors?|windows?|framed|framing)\b",
    re.IGNORECASE,
)
_FITTINGS: Final = re.compile(
    r"\b(?:belts?|buckles?|clasp|zip\w*|fittings?|studs?|clips?|harness|straps?|boots?|shoes?)\b",
    re.IGNORECASE,
)
_LOOSE: Final = re.compile(
    r"\b(?:rope|cord|paracord|belt|string|twine|line|lace|thread|yarn|cable|strap|webbing|cloth|fabric|sheet|towel|scarf|canvas|tarp|wool|cotton|hair|fur|feather|"
    r"straw|hay|moss|bark|powder|sand|gravel|ash|sugar|salt|flour|rice|grain|leaves|snow|bread|braided|twisted)\b",
    re.IGNORECASE,
)
_CORD: Final = re.compile(r"\b(?:rope|cord|paracord|line)\b", re.IGNORECASE)
_ROUND: Final = re.compile(
    r"\b(?:sphere|spherical|ball|marbles?|beads?|round|pebbles?|stones?|rocks?|cobbles?)\b", re.IGNORECASE
)
_LONG_SHAPE: Final = re.compile(
    r"\b(?:cylind\w+|rod|stick|pole|candle|dowel|bar|post|log|toothpick|straw|needle|wire|pencil|hair|fib(?:re|er)|rope|cord)\b",
    re.IGNORECASE,
)
_CUBE: Final = re.compile(r"\bcubes?\b", re.IGNORECASE)
_BODY: Final = re.compile(r"\bbody\b", re.IGNORECASE)
_DIAMETER: Final = re.compile(
    r"\s*(?:in\s+)?(?:inner |outer )?(?:diameter|dia\b|diam\b|across\b)|\s*(?:ø|Ø)", re.IGNORECASE
)
_BEFORE_DIAMETER: Final = re.compile(r"(?:diameter|dia\.?|ø|Ø)\s*(?:of|:|=|~)?\s*$", re.IGNORECASE)
_BEFORE_RADIUS: Final = re.compile(r"radius\s*(?:of|:|=|~)?\s*$", re.IGNORECASE)
_CLOSE: Final = re.compile(r"(?<=\d)\s?([x×])\s?(?=\d)|(?<=[cm]m)([x×])(?=\d)")
"""Multiplication sign without spaces, as in `30x20x5 cm`."""
_RADIUS: Final = re.compile(r"\s*(?:in\s+)?radius\b", re.IGNORECASE)
_COUNT: Final = re.compile(r"\(?[x×]\s?(\d+)(\+?)\b|\b(\d+)\s+(?:pieces|units|pcs)\b", re.IGNORECASE)
_DENSITY: Final = re.compile(r"\bdensity\b[^\d]{0,20}(?=[\d~])", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MassMisfit:
    """Object whose mass, size and material are inconsistent."""

    line: int
    what: str
    found: str
    expected: str
    too_light: bool = False
    """Whether it is too light. Such an object may be hollow."""


Columns: TypeAlias = tuple[int | None, int | None, int | None]
"""Column indices of mass, size and material in a table."""
Judge: TypeAlias = Callable[[MarkdownTable, MarkdownRow, Columns], MassMisfit | None]


def find_too_heavy_objects(document: MarkdownDocument) -> Iterator[MassMisfit]:
    """Yield the objects that are denser than their material."""
    return (misfit for misfit in find_density_misfits(document) if not misfit.too_light)


def find_too_light_objects(document: MarkdownDocument) -> Iterator[MassMisfit]:
    """Yield the objects that seem solid but are much less dense than their material."""
    return (misfit for misfit in find_density_misfits(document) if misfit.too_light)


def find_density_misfits(document: MarkdownDocument) -> Iterator[MassMisfit]:
    """Yield all objects of the tables whose density contradicts their material."""
    return check_object_rows(document, _check_object_density)


def check_object_rows(document: MarkdownDocument, judge: Judge) -> Iterator[MassMisfit]:
    """Apply a check to all rows of tables that state mass and size. Yield the misfits."""
    for table in document.tables:
        columns = (
            table.find_column(MASS_COLUMN),
            table.find_column(SIZE_COLUMN),
            table.find_column(MATERIAL_COLUMN),
        )
        if columns[0] is None or columns[1] is None:
            continue
        for row in table.rows:
            mismatch = judge(table, row, columns)
            if mismatch is not None:
                yield mismatch


def _check_object_density(table: MarkdownTable, row: MarkdownRow, columns: Columns) -> MassMisfit | None:
    name = strip_emphasis(next((cell for cell in row.cells if re.search(r"[A-Za-z]{2}", cell)), ""))
    mass_cell, size_cell, made_cell = (normalize_math_text(table.get_cell(row, at)) for at in columns)
    known = _find_material_densities(made_cell, name)
    mass = parse_piece_mass(mass_cell, name)
    volume = _parse_volume(size_cell, name) or _parse_volume(f"{size_cell}, {made_cell}", name)
    if mass is None and known is not None:
        mass, volume = _compute_mass_per_metre(mass_cell, size_cell)
    if mass is None or volume is None or known is None:
        return None
    lightest, densest = known
    if not (volume[0] > 0 and mass[0] > 0):
        return None
    lowest, highest = mass[0] / volume[1], mass[1] / volume[0]
    printed_row = f"{name}: {mass_cell}, {size_cell}, {made_cell}"
    if lowest > densest * (FITTED_DENSITY_FACTOR if _FITTINGS.search(f"{name} {made_cell}") else TOO_HEAVY):
        return MassMisfit(
            row.number, f"{name} would have a density of {lowest:.3g} kg/m3, but its material has at most {densest:.3g}",
            printed_row, f"at most {format_mass(densest * volume[1])}",
        )  # fmt: skip
    words = f"{name} {size_cell} {made_cell}"
    if _HOLLOW_SHAPE.search(f"{name} {size_cell} {made_cell}") or not _SOLID_SHAPE.search(words):
        return None
    floor = (
        ROPE
        if _CORD.search(name)
        else LEAST_LOOSE_DENSITY
        if _LOOSE.search(words) and not re.search(r"\b(?:crystal|cube|block|solid)\b", words, re.IGNORECASE)
        else TOO_LIGHT
    )
    if highest < lightest * floor:
        return MassMisfit(
            row.number, f"{name} would have a density of {highest:.3g} kg/m3, but its material has at least {lightest:.3g}",
            printed_row, f"at least {format_mass(lightest * volume[0])}", too_light=True,
        )  # fmt: skip
    return None


def _compute_mass_per_metre(
    mass_cell: str, size_cell: str
) -> tuple[tuple[float, float] | None, tuple[float, float] | None]:
    """Return mass and volume of one metre, as for `2 kg/m` and `16 mm diameter`, or two Nones."""
    rate = next((amount for amount in find_amounts(mass_cell) if amount.dimension == MASS / LENGTH), None)
    diameter = next((amount for amount, kind in find_lengths(size_cell) if kind == "diameter"), None)
    if rate is None or diameter is None:
        return None, None
    low, high = (math.pi / 4 * end**2 for end in diameter.si)
    return rate.si, (low, high)


def format_mass(mass: float) -> str:
    """Format a mass in kilograms with a suitable unit."""
    for size, name in ((1.0, "kg"), (1e-3, "g"), (1e-6, "mg")):
        if mass >= size:
            return f"{mass / size:.2g} {name}"
    return f"{mass:.2g} kg"


def parse_piece_mass(cell: str, name: str) -> tuple[float, float] | None:
    """Parse the range of the mass of one piece in kilograms. Return None if it is unclear."""
    found = [amount for amount in find_amounts(cell) if amount.dimension == MASS]
    if not found or re.search(
        r"\d\s*\+|available|collectible|\bwith (?:contents|water|fuel)|\bfull\b|perceived|scale|\bor\b",
        cell,
        re.IGNORECASE,
    ):
        return None
    if re.search(r"\b(?:bag|box|pack|packet|bundle|roll|jar|handful|pile) of\b", name, re.IGNORECASE):
        return None
    mass = found[0]
    pieces = 1
    if re.search(
        r"\b(?:total|combined|altogether|set|pair|all)\b", f"{cell} {name}", re.IGNORECASE
    ) and not re.search(r"\beach\b", cell):
        count = _COUNT.search(f"{cell} {name}")
        if count is None or count[2]:
            return None
        pieces = int(count[1] or count[3])
    elif "each" not in cell and _COUNT.search(f"{cell} {name}"):
        return None
    return (mass.si[0] / pieces, mass.si[1] / pieces) if pieces else None


def _parse_volume(cell: str, name: str) -> tuple[float, float] | None:
    """Return the volume range of the one box, cylinder or sphere that a cell describes, or None."""
    if (_INNER_SIZE if _THREE_LENGTHS.search(cell) else _PARTS).search(cell):
        return None
    lengths = list(find_lengths(_CLOSE.sub(" x ", cell)))
    diameters = [amount for amount, kind in lengths if kind == "diameter"]
    other_lengths = [amount for amount, kind in lengths if kind != "diameter"]
    text = f"{cell} {name}"
    ends = [
        _compute_solid_volume(
            [each.si[end] for each in diameters], [each.si[end] for each in other_lengths], text, name
        )
        for end in (0, 1)
    ]
    low, high = ends
    return (low, high) if low is not None and high is not None else None


def _compute_solid_volume(diameters: list[float], lengths: list[float], text: str, name: str) -> float | None:
    """Return the volume of a solid with these measures, with the shape named in the text, or None."""
    match len(diameters), len(lengths):
        case 1, 1:
            return math.pi / 4 * diameters[0] ** 2 * lengths[0]
        case 1, 0 if _ROUND.search(text):
            return math.pi / 6 * diameters[0] ** 3
        case 0, 1 if _CUBE.search(text):
            return lengths[0] ** 3
        case 0, 2 if _LONG_SHAPE.search(text):
            return math.pi / 4 * min(lengths) ** 2 * max(lengths)
        case 0, 2 if _BODY.search(name):
            return max(lengths) * min(lengths) ** 2
        case 0, 3:
            return math.prod(lengths)
        case _:
            return None


def find_lengths(cell: str) -> Iterator[tuple[Amount, str]]:
    """Yield the lengths of a cell, each with its kind `length` or `diameter`.

    Numbers without unit take the unit of the next length, as in `30 x 20 x 5 cm`.
    """
    found = list(find_amounts(cell))
    for at, amount in enumerate(found):
        measured = amount
        if amount.dimension == PLAIN and not amount.unit:
            later = next((each for each in found[at + 1 :] if each.dimension == LENGTH), None)
            if later is None or not re.fullmatch(r"[\s\d.,x×*]*", cell[amount.end : later.start]):
                continue
            measured = parse_amount_at(f"{cell[amount.start : amount.end]} {later.unit}", 0) or amount
        if measured.dimension != LENGTH:
            continue
        after, before = cell[amount.end : amount.end + 20], cell[max(0, amount.start - 14) : amount.start]
        if _RADIUS.match(after) or _BEFORE_RADIUS.search(before):
            yield _double_amount(measured), "diameter"
        elif _DIAMETER.match(after) or _BEFORE_DIAMETER.search(before):
            yield measured, "diameter"
        else:
            yield measured, "length"


def _double_amount(amount: Amount) -> Amount:
    return Amount(
        2 * amount.low, 2 * amount.high, amount.factor, amount.dimension, amount.unit, amount.half_step, amount.tolerance,
        amount.start, amount.end, amount.is_whole,
    )  # fmt: skip


def _find_material_densities(cell: str, name: str) -> tuple[float, float] | None:
    """Return the lowest and the highest density of the materials that a cell or else the name mentions."""
    stated_density = _DENSITY.search(cell)
    if stated_density is not None:
        amount = parse_amount_at(cell, stated_density.end())
        if amount is not None and amount.unit:
            return amount.si
    found = [each for pattern, each in _load_material_patterns() if pattern.search(cell)]
    if not found:
        found = [each for pattern, each in _load_material_patterns() if pattern.search(name)]
    if not found:
        return None
    return min(low for low, _ in found), max(high for _, high in found)


# fmt: off
_MATERIAL_SYNONYMS: Final[Mapping[str, str]] = {
    "aluminium": "aluminum", "natural_rubber": "rubber", "soda_lime_glass": "glass", "oak": "hardwood", "pine": "softwood",
    "hdpe": "high-density polyethylene|polyethylene", "pvc": "vinyl", "pet": "polyethylene terephthalate", "acrylic": "pmma|plexiglass",
    "polystyrene_foam": "styrofoam|expanded polystyrene", "earthenware": "terracotta|clay pot|ceramic", "rock_salt": "nacl|table salt",
    "glass_fibre": "fiberglass|fibreglass", "carbon_fibre": "carbon fiber", "human_body": "biological tissue|human",
    "gypsum_board": "drywall", "paraffin_wax": "wax", "nylon": "paracord", "polyester": "dacron", "hair": "keratin", "dry_sand": "sand", "wet_clay": "clay",
    "vegetable_oil": "cooking oil", "petrol": "gasoline", "steel": "iron", "tungsten": "tungsten carbide", "silicone_rubber": "silicone",
}
_PLAIN_WORDS: Final[Mapping[str, tuple[float, float]]] = {
    "metal": (1700.0, 9000.0), "neodymium|ndfeb|rare-earth": (7300.0, 7700.0), "plastic": (850.0, 1500.0),
    "wood|wooden|lumber|timber|log": (350.0, 1000.0), "stone|rock|flint|quartz": (2000.0, 3200.0),
}
"""Words for groups of materials, with the lowest and highest density in use."""
# fmt: on


@lru_cache(maxsize=1)
def _load_material_patterns() -> tuple[tuple[re.Pattern[str], tuple[float, float]], ...]:
    """Return search patterns of solid and liquid materials with their density ranges."""
    found = [(_compile_word_pattern(words), ends) for words, ends in _PLAIN_WORDS.items()]
    for material in load_materials().values():
        if material.figures["class"].value != "gas":
            words = "|".join(
                filter(None, (material.name.replace("_", " "), _MATERIAL_SYNONYMS.get(material.name)))
            )
            found.append((_compile_word_pattern(words), material.density.range))
    return tuple(found)


def _compile_word_pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
