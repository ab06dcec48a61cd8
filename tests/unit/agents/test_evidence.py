"""Evidence put to the mechanics."""

from __future__ import annotations

import pytest

from disputed import STRONG, evidence, seed
from impossible_moments.agents.orchestrator.evidence import Computed, Yardstick
from impossible_moments.knowledge.everyday import everyday

WEAK = Yardstick(seed(pull=1.0), everyday())

# fmt: off
EXPRESSIONS = {
    STRONG:                 Computed.VIOLATED,
    "pull < limit":         Computed.HOLDS,
    "1 > 2":                Computed.MEANINGLESS,  # says nothing about the scenario
    "pull >":               Computed.MEANINGLESS,  # cannot be read
    "strength >= limit":    Computed.MEANINGLESS,  # names nothing of the record
    "pull > 1[s]":          Computed.MEANINGLESS,  # compares a force with a time
    "pull + limit":         Computed.MEANINGLESS,  # is no condition
    "lid.open":             Computed.SILENT,       # hangs on what is done
    "pull / (limit - limit) > 1": Computed.SILENT,  # has no value
}
# fmt: on


@pytest.mark.parametrize(("expression", "computed"), EXPRESSIONS.items())
def test_an_expression_computes_as(expression: str, computed: Computed) -> None:
    assert WEAK.of(expression) is computed


@pytest.mark.parametrize(
    "yardstick", [Yardstick(None, everyday()), Yardstick(seed(mechanics={"no": "record"}), everyday())]
)
def test_without_a_record_nothing_is_computed(yardstick: Yardstick) -> None:
    assert yardstick.of(STRONG) is Computed.SILENT


def test_what_a_solver_may_choose_decides_nothing() -> None:
    data = seed().mechanics
    data["quantities"] = [*data["quantities"], "dose = choose 0..5"]
    assert Yardstick(seed(mechanics=data), everyday()).of("dose > 4") is Computed.SILENT


def test_evidence_in_words_stands_on_its_own() -> None:
    assert WEAK.against([evidence()]) == (evidence(),)


def test_evidence_against_a_claim_stands_where_what_the_claim_needs_is_false() -> None:
    pieces = [evidence(expression=STRONG), evidence(expression="pull < limit")]
    assert WEAK.against(pieces) == (pieces[0],)


def test_evidence_for_a_claim_stands_where_what_the_claim_needs_is_true() -> None:
    pieces = [evidence(expression=STRONG), evidence(expression="pull < limit")]
    assert WEAK.in_favour(pieces) == (pieces[1],)


def test_without_a_seed_there_is_no_status() -> None:
    assert Yardstick(None, everyday()).status is None
