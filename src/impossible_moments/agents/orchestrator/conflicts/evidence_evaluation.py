"""Evaluation of evidence: whether an expression behind a position computes as true or false."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from functools import cached_property

from impossible_moments.domain.disputes import Evidence
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.checks import CheckReport, verify_record_by_content
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.language import (
    UNDEFINED,
    Dimension,
    Expression,
    ExpressionError,
    ExpressionType,
    ExpressionTypeError,
    infer_type,
    parse_expression,
    require_condition,
)
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records import Library, QuantityKind, parse_record
from impossible_moments.mechanics.world import CONSTANTS, WorldDraft, WorldEngine, build_world


class ExpressionResult(StrEnum):
    """The result of evaluating an expression with the mechanics."""

    HOLDS = "holds"
    VIOLATED = "violated"
    MEANINGLESS = "meaningless"
    """It cannot be parsed, or does not refer to the scenario: `1 > 2` refutes no claim."""
    SILENT = "silent"
    """There is no record to compute with, or the value depends on events or on a choice."""


class EvidenceEvaluator:
    """An evaluator of expressions with the mechanics of one seed, built when first needed."""

    def __init__(self, seed: SeedDocument | None, library: Library) -> None:
        self._seed = seed
        self._library = library

    def evaluate_expression(self, expression: str) -> ExpressionResult:
        """Evaluate an expression at the stated values."""
        if self._engine_and_draft is None:
            return ExpressionResult.SILENT
        engine, draft = self._engine_and_draft
        try:
            tree = parse_expression(expression, self._library.templates)
            require_condition(tree, draft.look_up_type)
        except (ExpressionError, ExpressionTypeError):
            return ExpressionResult.MEANINGLESS
        world = engine.world
        if not ex.collect_paths(tree) - CONSTANTS.keys():
            return ExpressionResult.MEANINGLESS
        bases = world.collect_stated_quantities(tree)
        if bases & world.mutable or any(_is_decision_quantity(engine, name) for name in bases):
            return ExpressionResult.SILENT
        try:
            return ExpressionResult.HOLDS if engine.evaluate_expression(tree) else ExpressionResult.VIOLATED
        except UNDEFINED:
            return ExpressionResult.SILENT

    def filter_evidence_against(self, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """Return the evidence against a claim without expressions that compute as true or are meaningless."""
        return self._filter_evidence(evidence, ExpressionResult.HOLDS)

    def filter_evidence_in_favour(self, evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        """Return the evidence for a claim without expressions that compute as false or are meaningless."""
        return self._filter_evidence(evidence, ExpressionResult.VIOLATED)

    def list_compared_dimensions(self, expression: str) -> tuple[frozenset[Dimension], ...]:
        """Return the dimensions of the quantities in each comparison of an expression.

        Returns an empty tuple if the expression cannot be read with the seed's record.
        """
        if self._engine_and_draft is None:
            return ()
        _, draft = self._engine_and_draft
        try:
            tree = parse_expression(expression, self._library.templates)
            require_condition(tree, draft.look_up_type)
        except (ExpressionError, ExpressionTypeError):
            return ()
        return tuple(
            frozenset(_iterate_leaf_dimensions(node, draft.look_up_type))
            for node in ex.walk_nodes(tree)
            if isinstance(node, ex.Comparison)
        )

    def confirms_statement(self, text: str) -> bool:
        """Return whether a text states the computed status, or quotes an error of the record's check."""
        if self._report is None:
            return False
        if (self.status is not None) and f"computed = {self.status}" in text:
            return True
        return any(str(finding) in text for finding in self._report.findings.errors)

    @property
    def status(self) -> str | None:
        """The computed solution status, or None if it could not be decided."""
        verdict = self._report.verdict if self._report is not None else None
        return verdict.status if verdict is not None else None

    @cached_property
    def _report(self) -> CheckReport | None:
        return (
            verify_record_by_content(self._seed.mechanics, self._library) if self._seed is not None else None
        )

    def _filter_evidence(
        self, evidence: Iterable[Evidence], refuting: ExpressionResult
    ) -> tuple[Evidence, ...]:
        refuting_results = {refuting, ExpressionResult.MEANINGLESS}
        return tuple(
            each
            for each in evidence
            if not each.expression or self.evaluate_expression(each.expression) not in refuting_results
        )

    @cached_property
    def _engine_and_draft(self) -> tuple[WorldEngine, WorldDraft] | None:
        if self._seed is None:
            return None
        findings = Findings()
        record = parse_record(self._seed.mechanics, findings)
        if record is None:
            return None
        world, draft = build_world(record, self._library, findings)
        return None if findings.errors else (WorldEngine(world), draft)


def _iterate_leaf_dimensions(
    tree: Expression, lookup: Callable[[ex.Name | ex.Property], ExpressionType]
) -> Iterator[Dimension]:
    for node in ex.walk_nodes(tree):
        if isinstance(node, ex.Number | ex.Name | ex.Property):
            found = infer_type(node, lookup)
            if isinstance(found, Dimension):
                yield found


def _is_decision_quantity(engine: WorldEngine, name: str) -> bool:
    quantity = engine.world.quantities.get(name)
    return quantity is not None and quantity.kind is QuantityKind.DECISION
