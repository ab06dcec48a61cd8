"""Check of energies against an equivalent mass of fuel, as in `60 MWh -- 5,000 kg of dry wood`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from impossible_moments.audit.documents.markdown import MarkdownDocument, split_sentences
from impossible_moments.audit.numbers.amounts import find_amounts
from impossible_moments.audit.numbers.equations import CalculationMistake, normalize_math_text
from impossible_moments.mechanics.language import MASS, parse_unit

ALLOWED_FACTOR: Final = 1.5
ENERGY: Final = parse_unit("J").dimension
# fmt: off
_CONTENT: Final[Mapping[str, tuple[float, float]]] = {
    # J/kg, lowest and highest energy content in use
    r"TNT|dynamite":                                        (4.0e6, 7.5e6),
    r"(?:gasoline|petrol|diesel|kerosene|jet fuel|fuel oil|oil|fat|propane|butane|natural gas|methane)": (3.4e7, 5.6e7),
    r"(?:wood|firewood|peat)":                              (6.0e6, 2.1e7),
    r"(?:coal|charcoal|coke)":                              (1.5e7, 3.4e7),
    r"(?:lithium|li-ion)[\w -]{0,20}batter\w+(?: storage| packs?)?": (3.0e5, 1.1e6),
    r"(?:lead[- ]acid|alkaline|NiMH)[\w -]{0,12}batter\w+": (8.0e4, 6.0e5),
    r"(?:uranium|U-235|plutonium)[\w-]*":                   (3.0e11, 8.5e13),
    r"(?:hydrogen|H2)":                                     (1.1e8, 1.45e8),
    r"(?:sugar|glucose|sucrose|flour|rice|grain)":          (1.2e7, 1.8e7),
    r"(?:ethanol|alcohol|methanol)":                        (1.9e7, 3.0e7),
}
# fmt: on
_KINDS: Final = tuple(
    (
        re.compile(
            rf"\s?(?:of |worth of )(?:the |dry |pure |enriched |good |raw ){{0,2}}(?:{words})\b",
            re.IGNORECASE,
        ),
        ends,
    )
    for words, ends in _CONTENT.items()
)
_ENERGY_VERB: Final = re.compile(
    r"[^.;]{0,60}(?:equivalent|equals?|equal to|or|i\.e\.|--|—|\(|=|≈|requires?|needs?|about|approximately|from|by burning|contained in)[^.;\d]{0,40}",
    re.IGNORECASE,
)


def find_wrong_fuel_energies(document: MarkdownDocument) -> Iterator[CalculationMistake]:
    """Yield all energies that contradict the stated mass of fuel."""
    for line in document.lines:
        if re.search(r"J\b|Wh\b|joules?|\bcal", line.text):
            for sentence in split_sentences(normalize_math_text(line.text)):
                yield from _check_fuel_sentence(line.number, sentence)


def _check_fuel_sentence(number: int, text: str) -> Iterator[CalculationMistake]:
    found = list(find_amounts(text))
    energies = [
        each
        for each in found
        if each.dimension == ENERGY and not re.match(r"\s?(?:/|per\b)", text[each.end :])
    ]
    for mass in found:
        content = next((ends for words, ends in _KINDS if words.match(text, mass.end)), None)
        if mass.dimension != MASS or content is None:
            continue
        before = [each for each in energies if each.end <= mass.start]
        if len(energies) != 1 or not before or not _ENERGY_VERB.fullmatch(text[before[0].end : mass.start]):
            continue
        energy = before[0]
        low, high = mass.si[0] * content[0], mass.si[1] * content[1]
        if energy.si[0] > high * ALLOWED_FACTOR or energy.si[1] < low / ALLOWED_FACTOR:
            printed = text[energy.start : mass.end + 20]
            right = f"{energy.si[0] / content[1]:.3g} to {energy.si[1] / content[0]:.3g} kg"
            yield CalculationMistake(
                number, printed, right, f"`{printed}`: this energy needs {right} of the fuel"
            )
