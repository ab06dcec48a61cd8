"""The first level of context: what every prompt contains, measured and limited."""

import pytest

from impossible_moments.agents.orchestrator.context.reference_text import (
    DIFFICULTY_SCALE,
    limit_reference_size,
    render_reference,
    render_scenario_rubric,
)
from impossible_moments.agents.orchestrator.context.token_budgets import ALWAYS_LOADED
from impossible_moments.domain.difficulty_tiers import BOUNDS
from impossible_moments.domain.scoring_rubrics import COMPONENTS, FURTHER, OUTCOME
from impossible_moments.domain.vocabulary import STATUSES, TIERS, DifficultyDimension
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm import estimate_text_tokens


def test_the_reference_fits_into_the_first_level() -> None:
    assert estimate_text_tokens(render_reference()) <= ALWAYS_LOADED


def test_a_reference_that_is_too_long_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="has 3 tokens, and 2 are allowed"):
        limit_reference_size("twelve chars", most=2)


def test_the_reference_has_every_row_of_the_tables() -> None:
    text = render_reference()
    for tier, bounds in BOUNDS.items():
        cells = " | ".join(f"{low}-{high}" for low, high in bounds)
        assert f"| {tier} | {cells} |" in text
    assert all(tier in text for tier in TIERS)
    assert all(f"- {status}: " in text for status in STATUSES)
    assert all(component.name in text for component in COMPONENTS)
    assert set(DIFFICULTY_SCALE) == set(DifficultyDimension)
    assert all(meaning in text for scale in DIFFICULTY_SCALE.values() for meaning in scale)


@pytest.mark.parametrize("claim", [*STATUSES, *FURTHER])
def test_the_rubric_of_a_scenario_has_the_rows_of_its_status(claim: str) -> None:
    text = render_scenario_rubric(claim)
    rows = (*OUTCOME[claim.partition("-")[0]], *FURTHER.get(claim, ()))  # type: ignore[index]

    assert all(f"| {row.response} | {row.score} |" in text for row in rows)


def test_a_rubric_needs_a_status() -> None:
    with pytest.raises(ConfigurationError, match="`XX` is not a solution status"):
        render_scenario_rubric("XX")
