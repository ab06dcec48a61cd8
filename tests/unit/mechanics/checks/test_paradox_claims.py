"""Findings on claimed conflicts say what to change."""

from __future__ import annotations

from typing import cast

from impossible_moments.mechanics.checks.paradox_claims import _explain_conflict_problem
from impossible_moments.mechanics.proofs.impossibility import GoalImpossibilityProver
from impossible_moments.mechanics.proofs.impossibility_result import ImpossibilityResult
from impossible_moments.mechanics.records.status_forms import Paradox


class _UndecidedProver:
    """A prover whose search ends before it has seen every state."""

    def attempt_proof(self, _conditions: frozenset[str], *, certified: bool) -> ImpossibilityResult:
        assert not certified
        return ImpossibilityResult(proved=False, exhausted=False, blocking_conditions=())


def test_an_undecided_conflict_says_how_to_make_it_decidable() -> None:
    status = Paradox(claim="PX", conflict=["pump.dry"], chains=[])
    problem = _explain_conflict_problem(cast("GoalImpossibilityProver", _UndecidedProver()), status, [])
    assert "effects that can be repeated without end" in problem
    assert "set a fixed value instead of adding to one" in problem
