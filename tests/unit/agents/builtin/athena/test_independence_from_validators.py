"""ATHENA hands in and revises without running anything that validates."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import AgentNote, Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.mechanics.checks import record_check, status
from impossible_moments.mechanics.execution.executor import PlanExecutor
from impossible_moments.mechanics.execution.plan_search import PlanSearcher
from impossible_moments.mechanics.puzzles import puzzle_solver
from support.planted_faults import perform_role


def refuse(*_args: object, **_options: object) -> object:
    raise AssertionError("ATHENA must not validate its own design")


@pytest.fixture(autouse=True)
def no_validation(monkeypatch: pytest.MonkeyPatch) -> None:
    load_builtin_cast()
    for owner, name in (
        (PlanExecutor, "run_plan"),
        (PlanSearcher, "__init__"),
        (status, "compute_status"),
        (record_check, "compute_status"),
        (puzzle_solver, "solve_puzzle"),
        (record_check, "solve_puzzle"),
    ):
        monkeypatch.setattr(owner, name, refuse)


@pytest.mark.parametrize(
    ("category", "status", "tier"),
    [
        ("The Locked Room", "KS", "FRACTURE"),
        ("The Memory Palace", "KS", "FRACTURE"),
        ("The Ghost Machine", "DG", "SPARK"),
        ("The Horizon Problem", "CT", "RUPTURE"),
        ("The Ticking Trade", "PX", "SPARK"),
    ],
)
def test_nothing_is_executed_searched_or_solved_before_a_seed_is_handed_in(
    category: str, status: str, tier: str
) -> None:
    brief = GenerationBrief.model_validate(
        {"category": category, "solution_status": status, "difficulty_tier": tier, "seed": 1}
    )
    dossier = Dossier.create_for_brief(brief)
    first = perform_role(dossier, ATHENA, Phase.SEED, SeedDocument)
    assert isinstance(first, SeedDocument)
    revising = dossier.add_deliverable(Phase.SEED, ATHENA, first).replace_notes(
        (AgentNote(ATHENA, "The plan leaves too little time.", Phase.SEED),)
    )
    second = perform_role(revising, ATHENA, Phase.SEED, SeedDocument)
    assert isinstance(second, SeedDocument)
    assert second.mechanics != first.mechanics
    assert "too little time" in second.revision_notes[0]
