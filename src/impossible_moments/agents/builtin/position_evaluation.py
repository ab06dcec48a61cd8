"""Evaluation of what the sides of a dispute say: their expressions, relations and numbers, computed with the record."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import (
    EvidenceEvaluator,
    ExpressionResult,
)
from impossible_moments.domain.disputes import CLAIM_CONDITION
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.language import Unit, UnitError, normalize_printed_unit, parse_unit
from impossible_moments.mechanics.records import Library, parse_record
from impossible_moments.mechanics.world import World, build_world

_QUOTED: Final = re.compile(r"`([^`\n]{3,300})`([^`\n]{0,60})")
_CONDITION: Final = re.compile(rf"{CLAIM_CONDITION} `([^`\n]+)`", re.IGNORECASE)
_DENIED: Final = re.compile(
    r"^\W*(?:\w+ ){0,3}?(?:is|as|computes as)? ?(?:false|fails?|violated|does not hold|untrue)", re.IGNORECASE
)
_NUMBER: Final = r"([-+]?\d+(?:[.,]\d+)*(?:[eE][-+]?\d+)?)\s*([A-Za-z°%µΩ][\w°%µΩ²³/·*^]*)?"
_RELATION: Final = re.compile(rf"{_NUMBER}\s*(<=|>=|<|>|≤|≥|=)\s*{_NUMBER}")
_FIGURE: Final = re.compile(_NUMBER)
_SAME: Final = 0.01
"""The largest relative difference of two figures that count as the same."""


@dataclass(frozen=True, slots=True)
class EvaluatedStatement:
    """A statement of one side and whether it supports the challenged claim."""

    text: str
    supports_claim: bool


class PositionEvaluator:
    """An evaluator of statements with the record that an agent may see."""

    def __init__(self, seed: SeedDocument | None, library: Library | None) -> None:
        self._seed, self._library = seed, library
        self._evaluator = EvidenceEvaluator(seed, library) if library is not None else None

    def evaluate_claim(self, claim: str) -> EvaluatedStatement | None:
        """Evaluate the disputed claim itself, if it is a flagged claim with an expression."""
        claims = self._seed.solution_sketch.claims if self._seed is not None else ()
        for each in claims:
            named = claim.strip() in {each.claim_id, each.text.strip()}
            if named and (found := self._decide(each.expression)) is not None:
                return EvaluatedStatement(f"`{each.expression}` computes as {str(found).lower()}", found)
        return None

    def evaluate_conditions(self, text: str) -> Iterator[EvaluatedStatement]:
        """Yield the evaluated conditions of the claim that a position names."""
        for expression in _CONDITION.findall(text):
            found = self._decide(expression)
            if found is not None:
                yield EvaluatedStatement(f"`{expression}` computes as {str(found).lower()}", found)

    def evaluate_statements(self, text: str) -> Iterator[tuple[str, bool]]:
        """Yield each statement of a position that can be evaluated, and whether it is true."""
        for expression, after in _QUOTED.findall(_CONDITION.sub("", text)):
            found = self._decide(expression)
            if found is not None:
                said = not _DENIED.match(after)
                yield f"`{expression}` computes as {str(found).lower()}", found is said
        for relation in _RELATION.finditer(text):
            truth = _decide_relation(relation)
            if truth is not None:
                yield f"{relation[0].strip()} is {'right' if truth else 'wrong'}", truth

    def count_known_figures(self, text: str) -> tuple[int, int]:
        """Return how many figures with a unit a position gives, and how many of them the record states."""
        world = self._world
        if world is None:
            return 0, 0
        figures = [
            (value, unit)
            for number, unit_text in _FIGURE.findall(text)
            if (unit := _parse_unit(unit_text)) is not None and (value := _parse_number(number)) is not None
        ]
        return len(figures), sum(_is_stated(world, unit.to_si(value), unit) for value, unit in figures)

    def _decide(self, expression: str) -> bool | None:
        if self._evaluator is None or not expression.strip():
            return None
        match self._evaluator.evaluate_expression(expression):
            case ExpressionResult.HOLDS:
                return True
            case ExpressionResult.VIOLATED:
                return False
            case _:
                return None

    @property
    def _world(self) -> World | None:
        if self._seed is None or self._library is None:
            return None
        findings = Findings()
        record = parse_record(self._seed.mechanics, findings)
        if record is None:
            return None
        world, _ = build_world(record, self._library, findings)
        return None if findings.errors else world


def _is_stated(world: World, value: float, unit: Unit) -> bool:
    return any(
        isinstance(stated := quantity.value, float)
        and quantity.display_unit is not None
        and quantity.display_unit.dimension == unit.dimension
        and abs(stated - value) <= _SAME * max(abs(stated), abs(value))
        for quantity in world.quantities.values()
    )


def _decide_relation(relation: re.Match[str]) -> bool | None:
    """Return whether a relation of two figures is right, or None if their units do not compare."""
    left, right = _parse_number(relation[1]), _parse_number(relation[4])
    if left is None or right is None:
        return None
    one, other = _parse_unit(relation[2]), _parse_unit(relation[5])
    if one is not None and other is not None:
        if one.dimension != other.dimension:
            return None
        left, right = one.to_si(left), other.to_si(right)
    elif (one is None) is not (other is None):
        return None
    match relation[3]:
        case "<" | "<=" | "≤":
            return left <= right
        case ">" | ">=" | "≥":
            return left >= right
        case _:
            return abs(left - right) <= _SAME * max(abs(left), abs(right))


def _parse_number(text: str) -> float | None:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def _parse_unit(text: str) -> Unit | None:
    if not text:
        return None
    try:
        return parse_unit(normalize_printed_unit(text))
    except UnitError:
        return None
