"""Evaluation of evidence: whether an expression behind a position computes as true or false."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

from impossible_moments.domain.disputes import Evidence
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics import expressions as ex
from impossible_moments.mechanics.building.build import build
from impossible_moments.mechanics.building.draft import Draft
from impossible_moments.mechanics.check import check
from impossible_moments.mechanics.engine import Engine
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.library import Library
from impossible_moments.mechanics.parsing import ExpressionError, parse
from impossible_moments.mechanics.quantities import Kind
from impossible_moments.mechanics.scalars import UNDEFINED
from impossible_moments.mechanics.shape import read_record
from impossible_moments.mechanics.sorts import TypeProblem, condition_type
from impossible_moments.mechanics.world import CONSTANTS


class Computed(StrEnum):
    """The result of evaluating an expression with the mechanics."""

    HOLDS = "holds"
    VIOLATED = "violated"
    MEANINGLESS = "meaningless"
    """It cannot be parsed, or does not refer to the scenario: `1 > 2` refutes no claim."""
    SILENT = "silent"
    """There is no record to compute with, or the value depends on events or on a choice."""


class Yardstick:
    """An evaluator of expressions with the mechanics of one seed, built when first needed."""

    def __init__(self, seed: SeedDocument | None, library: Library) -> None:
        self._seed = seed
        self._library = library

    def of(self, expression: str) -> Computed:
        """Evaluate an expression at the stated values."""
        if self._built is None:
            return Computed.SILENT
        engine, draft = self._built
        try:
            tree = parse(expression, self._library.templates)
            condition_type(tree, draft.lookup)
        except (ExpressionError, TypeProblem):
            return Computed.MEANINGLESS
        world = engine.world
        if not ex.reads(tree) - CONSTANTS.keys():
            return Computed.MEANINGLESS
        bases = world.bases(tree)
        if bases & world.mutable or any(_is_chosen(engine, name) for name in bases):
            return Computed.SILENT
        try:
            return Computed.HOLDS if engine.value(tree) else Computed.VIOLATED
        except UNDEFINED:
            return Computed.SILENT

    def against(self, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """Return the evidence against a claim without expressions that compute as true or are meaningless."""
        return self._without(evidence, Computed.HOLDS)

    def in_favour(self, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """Return the evidence for a claim without expressions that compute as false or are meaningless."""
        return self._without(evidence, Computed.VIOLATED)

    @cached_property
    def status(self) -> str | None:
        """The computed solution status, or None if it could not be decided."""
        if self._seed is None:
            return None
        verdict = check(self._seed.mechanics, self._library).verdict
        return verdict.status if verdict is not None else None

    def _without(self, evidence: Iterable[Evidence], refuting: Computed) -> tuple[Evidence, ...]:
        refused = {refuting, Computed.MEANINGLESS}
        return tuple(
            each for each in evidence if not each.expression or self.of(each.expression) not in refused
        )

    @cached_property
    def _built(self) -> tuple[Engine, Draft] | None:
        if self._seed is None:
            return None
        findings = Findings()
        record = read_record(self._seed.mechanics, findings)
        if record is None:
            return None
        world, draft = build(record, self._library, findings)
        return None if findings.errors else (Engine(world), draft)


def _is_chosen(engine: Engine, name: str) -> bool:
    quantity = engine.world.quantities.get(name)
    return quantity is not None and quantity.kind is Kind.DECISION
