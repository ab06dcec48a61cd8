"""Specification 3.2: the token budgets, cell by cell."""

from __future__ import annotations

import re

import pytest

from impossible_moments.agents.orchestrator.context.token_budgets import (
    LEAD_BUDGETS,
    MESSAGE_BODY,
    SUPPORTING_BUDGETS,
    TokenBudgets,
)
from impossible_moments.domain.vocabulary import ROLES, Phase
from spec.transcribed import table

ROWS = {Phase(row["Phase"].partition("(")[2].rstrip(")")): row for row in table("token_budgets")}


def budgets(cell: str) -> dict[str, int]:
    """The budgets that a cell names."""
    found = {
        who: int(number) * 1000
        for who, number in re.findall(r"([A-Za-z ]+): (\d+)K", cell.replace(", ", ","))
    }
    for everybody in ("All agents", "Orchestrator"):  # the orchestrator's are "per agent trace"
        if everybody in found:
            return dict.fromkeys(ROLES, found[everybody])
    return found


@pytest.mark.parametrize("phase", Phase)
def test_a_lead_agent_has_the_budget_of_the_specification(phase: Phase) -> None:
    assert LEAD_BUDGETS[phase] == budgets(ROWS[phase]["Lead Agent Budget"])


@pytest.mark.parametrize("phase", Phase)
def test_a_supporting_agent_has_the_budget_of_the_specification(phase: Phase) -> None:
    assert SUPPORTING_BUDGETS.get(phase, {}) == budgets(ROWS[phase]["Supporting Agent Budget"])


@pytest.mark.parametrize("phase", Phase)
def test_the_budgets_in_force_are_those_of_the_tables(phase: Phase) -> None:
    named = budgets(ROWS[phase]["Lead Agent Budget"]) | budgets(ROWS[phase]["Supporting Agent Budget"])
    assert {agent: TokenBudgets().get_budget(agent, phase) for agent in named} == named


def test_the_agents_of_refine_have_fifty_thousand_tokens_in_all() -> None:
    assert sum(TokenBudgets().get_budget(agent, Phase.REFINE) for agent in ROLES) == 50_000


def test_a_message_body_has_at_most_four_thousand_tokens() -> None:
    assert MESSAGE_BODY == 4_000
