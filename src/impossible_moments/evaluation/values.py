"""Values that answers give: puzzle answers, times to wait, numbers and options chosen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.evaluation.answers import Step
from impossible_moments.evaluation.naming import words_of
from impossible_moments.mechanics.quantities import Kind
from impossible_moments.mechanics.world import World

_NUMBER: Final = re.compile(r"(-?\d+(?:[.,]\d+)?)\s*([A-Za-z%°][\w/%°*^-]*)?")
_SECONDS: Final = {
    "s": 1.0, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0, "h": 3600.0, "hr": 3600.0, "hour": 3600.0,
    "d": 86400.0, "day": 86400.0, "week": 604800.0,
}  # fmt: skip


def answers_to(said: str, world: World) -> Iterator[tuple[str, str]]:
    """Which puzzle a value answers, and how the puzzle writes it: as it stands, and as its right answer where that is meant."""
    for name, puzzle in world.puzzles.items():
        forms = [said, said.strip(" .'\""), re.sub(r"\s*[:=]\s*", "=", said), re.sub(r"[\s,;-]+", "", said)]
        forms += [each for each in puzzle.answers if _same(said, each)]
        for form in dict.fromkeys(each for each in forms if each):
            if puzzle.accepts(form):
                yield name, form
                break
        else:
            yield name, said.replace("'", "")


def _same(said: str, right: str) -> bool:
    """Whether a short text says a right answer in other words. A long one that names everything says nothing."""
    wanted, given = words_of(right.replace("=", " ")), words_of(said)
    return bool(wanted) and wanted <= given and len(given) <= len(wanted) + 3


def waited(said: str) -> Iterator[float]:
    """The times that a text names, in seconds."""
    for number, unit in _NUMBER.findall(said):
        factor = _SECONDS.get(unit.lower().rstrip("s") or "s") if unit else None
        if factor is not None:
            yield float(number.replace(",", ".")) * factor


def chosen(step: Step, world: World) -> Iterator[tuple[str, str]]:
    """The decisions that a step sets: by the words of their names, and by the options or numbers it gives."""
    text = " ".join([step.do, *step.things, step.value])
    decisions = [each for each in world.quantities.values() if each.kind is Kind.DECISION]
    said = words_of(text)
    ranked = sorted(decisions, key=lambda each: -len(words_of(each.name.replace("_", " ")) & said))
    for quantity in ranked:
        options = [str(each) for each in getattr(quantity, "options", ()) or ()]
        for option in options:
            if words_of(option.replace("_", " ")) and words_of(option.replace("_", " ")) <= said:
                yield quantity.name, f"'{option}'" if not re.fullmatch(r"-?[\d.]+", option) else option
        for number, unit in _NUMBER.findall(step.value or text):
            yield quantity.name, f"{number.replace(',', '.')}[{unit}]" if unit else number.replace(",", ".")
