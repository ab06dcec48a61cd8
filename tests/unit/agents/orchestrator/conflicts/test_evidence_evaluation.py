"""Evidence put to the mechanics."""

from __future__ import annotations

from functools import cache

import pytest

from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import (
    EvidenceEvaluator,
    ExpressionResult,
)
from impossible_moments.library.everyday_library import load_everyday_library
from support.dispute_cases import STRONG, build_evidence, build_seed


@cache
def weak() -> EvidenceEvaluator:
    return EvidenceEvaluator(build_seed(pull=1.0), load_everyday_library())


# fmt: off
EXPRESSIONS = {
    STRONG:                 ExpressionResult.VIOLATED,
    "pull < limit":         ExpressionResult.HOLDS,
    "1 > 2":                ExpressionResult.MEANINGLESS,  # says nothing about the scenario
    "pull >":               ExpressionResult.MEANINGLESS,  # cannot be read
    "strength >= limit":    ExpressionResult.MEANINGLESS,  # names nothing of the record
    "pull > 1[s]":          ExpressionResult.MEANINGLESS,  # compares a force with a time
    "pull + limit":         ExpressionResult.MEANINGLESS,  # is no condition
    "lid.open":             ExpressionResult.SILENT,       # hangs on what is done
    "pull / (limit - limit) > 1": ExpressionResult.SILENT,  # has no value
}
# fmt: on


@pytest.mark.parametrize(("expression", "computed"), EXPRESSIONS.items())
def test_an_expression_computes_as(expression: str, computed: ExpressionResult) -> None:
    assert weak().evaluate_expression(expression) is computed


@pytest.mark.parametrize("mechanics", [None, {"no": "record"}])
def test_without_a_record_nothing_is_computed(mechanics: dict[str, str] | None) -> None:
    yardstick = EvidenceEvaluator(
        build_seed(mechanics=mechanics) if mechanics else None, load_everyday_library()
    )
    assert yardstick.evaluate_expression(STRONG) is ExpressionResult.SILENT


def test_what_a_solver_may_choose_decides_nothing() -> None:
    data = build_seed().mechanics
    data["quantities"] = [*data["quantities"], "dose = choose 0..5"]
    assert (
        EvidenceEvaluator(build_seed(mechanics=data), load_everyday_library()).evaluate_expression("dose > 4")
        is ExpressionResult.SILENT
    )


def test_evidence_in_words_stands_on_its_own() -> None:
    assert weak().filter_evidence_against([build_evidence()]) == (build_evidence(),)


def test_evidence_against_a_claim_stands_where_what_the_claim_needs_is_false() -> None:
    pieces = [build_evidence(expression=STRONG), build_evidence(expression="pull < limit")]
    assert weak().filter_evidence_against(pieces) == (pieces[0],)


def test_evidence_for_a_claim_stands_where_what_the_claim_needs_is_true() -> None:
    pieces = [build_evidence(expression=STRONG), build_evidence(expression="pull < limit")]
    assert weak().filter_evidence_in_favour(pieces) == (pieces[1],)


def test_without_a_seed_there_is_no_status() -> None:
    assert EvidenceEvaluator(None, load_everyday_library()).status is None
