"""Check of the mass of sheets against their area and of liquids against their volume."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from impossible_moments.audit.densities.object_density import (
    Columns,
    MassMisfit,
    check_object_rows,
    find_lengths,
    format_mass,
    parse_piece_mass,
)
from impossible_moments.audit.documents.markdown import (
    MarkdownDocument,
    MarkdownRow,
    MarkdownTable,
    strip_emphasis,
)
from impossible_moments.audit.numbers.amounts import find_amounts
from impossible_moments.audit.numbers.equations import normalize_math_text
from impossible_moments.mechanics.language import LENGTH

CONTAINER_ALLOWANCE: Final = 1.8
"""Allowed factor outside the usual mass range of a sheet."""
LEAST_FILLED, MOST_FILLED = 0.7, 2.5
"""Least and most mass of a filled container, relative to the mass of the liquid."""
VOLUME: Final = LENGTH * LENGTH * LENGTH
# fmt: off
_BY_AREA: Final[Mapping[str, tuple[float, float]]] = {
    # kg/m2, lightest and heaviest on the market. The first match counts.
    r"(?:space|emergency|mylar|foil|thermal) blanket":       (0.010, 0.12),
    r"carpet|rug\b|door ?mat":                              (1.2, 5.0),
    r"(?:corrugated|roofing)[^|]*(?:sheets?|steel|iron|tin)": (3.0, 9.0),
    r"(?:bed ?sheet|pillow ?case|duvet cover)":              (0.08, 0.25),
    r"towel":                                                (0.20, 0.90),
    r"blanket|quilt":                                        (0.15, 1.5),
    r"tarp(?:aulin)?\b":                                    (0.06, 0.75),
    r"canvas|sailcloth":                                     (0.18, 0.90),
    r"curtain|drape":                                        (0.08, 0.70),
    r"bandana|handkerchief|scarf|shawl":                     (0.04, 0.45),
    r"(?:shade|mosquito|cheese)[ -]?(?:cloth|net(?:ting)?)": (0.02, 0.35),
    r"alumin(?:i)?um foil|tin ?foil":                        (0.025, 0.14),
    r"(?:plastic|polyethylene|pvc|hdpe) (?:sheet(?:ing)?|film|wrap)": (0.008, 1.0),
    r"cardboard":                                            (0.20, 1.5),
    r"drywall|plasterboard|gypsum board":                    (5.0, 15.0),
}
_BY_VOLUME: Final[Mapping[str, float]] = {
    # kg/m3
    r"water|milk|juice|vinegar|bleach|coffee|tea|wine|beer|saline": 1000.0, r"(?:cooking|vegetable|olive|motor|engine|lamp) oil": 910.0,
    r"gasoline|petrol": 740.0, r"diesel|kerosene|paraffin oil": 820.0, r"ethanol|alcohol|vodka|methanol|acetone": 800.0, r"honey|syrup": 1400.0,
    r"glycerin|glycerol": 1260.0, r"mercury": 13550.0, r"brine": 1150.0,
}
# fmt: on
_FOLDED_SHEET: Final = re.compile(
    r"\b(?:fold\w*|rolled|bundle|stack|pack\w*|thick|layers?|diameter|case|box|tube|frame|wet|soaked|damp|with|pieces?|scraps?|per)\b",
    re.IGNORECASE,
)
_NOT_FULL: Final = re.compile(
    r"\b(?:empty|half|partial\w*|capacity|remaining|left|residual|nearly|holds|can hold|with|or|dry|heater|"
    r"resistant|proof|soluble|-based|pump|tank|filter|pistol|gun|cooler|frozen)\b|%",
    re.IGNORECASE,
)


def find_sheet_and_liquid_misfits(document: MarkdownDocument) -> Iterator[MassMisfit]:
    """Yield all sheets and liquids of the tables whose mass contradicts their size."""
    return check_object_rows(document, _check_mass_of_sheet_or_liquid)


def _check_mass_of_sheet_or_liquid(
    table: MarkdownTable, row: MarkdownRow, columns: Columns
) -> MassMisfit | None:
    name = strip_emphasis(next((cell for cell in row.cells if re.search(r"[A-Za-z]{2}", cell)), ""))
    mass_cell, size_cell, made_cell = (normalize_math_text(table.get_cell(row, at)) for at in columns)
    mass = parse_piece_mass(mass_cell, name)
    if mass is None or mass[0] <= 0:
        return None
    usual = _estimate_sheet_mass(name, size_cell) or _estimate_filled_mass(name, size_cell, made_cell)
    if usual is None or (mass[1] >= usual[0] and mass[0] <= usual[1]):
        return None
    expected = f"{format_mass(usual[0])} to {format_mass(usual[1])}"
    return MassMisfit(
        row.number, f"{name}: {mass_cell}, but this amount weighs {expected}", f"{name}: {mass_cell}, {size_cell}, {made_cell}", expected
    )  # fmt: skip


def _estimate_sheet_mass(name: str, size: str) -> tuple[float, float] | None:
    """Return the mass range of a sheet by its kind and area, or None if it is not a known sheet."""
    usual = next(
        (
            ends
            for words, ends in _BY_AREA.items()
            if re.search(rf"\b(?:{words})\w*(?!\s+\w)", name, re.IGNORECASE)
        ),
        None,
    )
    sides = list(find_lengths(re.sub(r"(?<=\d)\s?[x×]\s?(?=\d)", " x ", size)))
    if usual is None or len(sides) != 2 or _FOLDED_SHEET.search(f"{name} {size}"):  # noqa: PLR2004 - a sheet has two sides
        return None
    if any(kind != "length" for _, kind in sides):
        return None
    low, high = (sides[0][0].si[end] * sides[1][0].si[end] for end in (0, 1))
    return (usual[0] * low / CONTAINER_ALLOWANCE, usual[1] * high * CONTAINER_ALLOWANCE) if low > 0 else None


def _estimate_filled_mass(name: str, size: str, material: str) -> tuple[float, float] | None:
    """Return the mass range of a container filled with a liquid, or None if it is not a known liquid."""
    volumes = [each for each in find_amounts(size) if each.dimension == VOLUME]
    words = f"{name} {size} {material}"
    if len(volumes) != 1 or _NOT_FULL.search(words):
        return None
    density = next(
        (
            each
            for kind, each in _BY_VOLUME.items()
            if re.search(rf"\b(?:{kind})\b", f"{name} {material}", re.IGNORECASE)
        ),
        None,
    )
    if density is None or not re.search(
        r"\b(?:full|filled|of|bottled?|liquid)\b|^[^(]*\bwater$", words, re.IGNORECASE
    ):
        return None
    low, high = volumes[0].si
    return (LEAST_FILLED * density * low, MOST_FILLED * density * high) if low > 0 else None
