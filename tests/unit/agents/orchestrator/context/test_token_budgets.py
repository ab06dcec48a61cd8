"""Token budgets: views that fit, and bodies in parts."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.agents.orchestrator.context.token_budgets import (
    DEFAULT_SUPPORTING_BUDGET,
    MESSAGE_BODY,
    TokenBudgets,
    split_message_body,
)
from impossible_moments.agents.orchestrator.context.view_summaries import read_omitted_field
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    HUMAN,
    NEWTON,
    ROLES,
    SOCRATES,
    Phase,
)
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm.token_estimates import estimate_data_tokens, estimate_text_tokens

BUDGETS = TokenBudgets()
WORDS = "a long remark about many things. "


def section(author: str, document: str, **fields: Any) -> dict[str, Any]:
    return {"author": author, "phase": "VALIDATE", "document": document, "iteration": 0, "fields": fields}


def a_view(length: int = 40) -> dict[str, Any]:
    """A view of REFINE, with about eight tokens times `length` in each long text."""
    text = WORDS * length
    return {
        "brief": {"category": "The Locked Room"},
        "sections": [
            section(
                ATHENA,
                "SeedDocument",
                scenario={"narrative": "You are here. " + text},
                impossibility_mirage={"looks_impossible": text},
                solution_sketch={"steps": [], "claims": [{"claim_id": "C1", "text": "The table slides."}]},
                open_questions=[text],
                mechanics={"title": text},
            ),
            section(
                NEWTON,
                "PhysicsReport",
                claims=[{"claim_id": "C1", "verdict": "VALID", "reasoning": "58.9 N << 200 N"}],
                force_and_motion=[text, text],
                feasibility="VALID",
                confidence=0.8,
            ),
            section(
                EULER,
                "MathematicsReport",
                claims=[{"claim_id": "C1", "verdict": "VALID", "calculation": "within the time budget"}],
                calculations=[text, text],
                margin=0.2,
                confidence=0.9,
            ),
            section(GALILEO, "GroundingReport", further_citations=[text], novelty_claim=text, merit="HIGH"),
            section(SOCRATES, "AgentTrace", found=text),
        ],
        "notes": ["revise the door " + text],
    }


def with_room_for(share: float, view: dict[str, Any], agent: str) -> dict[str, Any]:
    """A view fitted to a share of its size."""
    return BUDGETS.limit_agent_budget(
        agent, max(1, int(estimate_data_tokens(view) * share))
    ).shorten_view_to_budget(view, agent, Phase.REFINE)


def named(view: dict[str, Any], document: str) -> dict[str, Any]:
    (found,) = [each for each in view["sections"] if each["document"] == document]
    fields: dict[str, Any] = found["fields"]
    return fields


@pytest.mark.parametrize(
    ("agent", "phase"), [(NEWTON, Phase.GROUND), (ATHENA, Phase.CLASSIFY), ("DARWIN", Phase.SEED)]
)
def test_an_agent_that_the_table_does_not_name_has_a_supporting_budget(agent: str, phase: Phase) -> None:
    assert BUDGETS.get_budget(agent, phase) == DEFAULT_SUPPORTING_BUDGET


def test_settings_can_lower_a_budget() -> None:
    assert BUDGETS.limit_agent_budget(ATHENA, 8_000).get_budget(ATHENA, Phase.SEED) == 8_000


def test_settings_cannot_raise_a_budget() -> None:
    assert BUDGETS.limit_agent_budget(ATHENA, 90_000).get_budget(ATHENA, Phase.SEED) == 30_000


def test_a_lowered_budget_cannot_be_raised_again() -> None:
    assert (
        BUDGETS.limit_agent_budget(ATHENA, 8_000)
        .limit_agent_budget(ATHENA, 9_000)
        .get_budget(ATHENA, Phase.SEED)
        == 8_000
    )


def test_a_further_agent_has_the_budget_of_its_settings() -> None:
    assert BUDGETS.limit_agent_budget("DARWIN", 20_000).get_budget("DARWIN", Phase.REFINE) == 20_000


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="A budget is a positive number"):
        BUDGETS.limit_agent_budget(ATHENA, 0)


def test_four_characters_are_a_token() -> None:
    assert estimate_text_tokens("abcdefgh") == 2


def test_a_view_that_fits_stays_as_it_is() -> None:
    view = a_view(2)
    assert BUDGETS.shorten_view_to_budget(view, SOCRATES, Phase.REFINE) is view


def test_fitting_leaves_the_view_itself_alone() -> None:
    view = a_view()
    before = copy.deepcopy(view)
    with_room_for(0.01, view, SOCRATES)
    assert view == before


@pytest.mark.parametrize("share", [0.5, 0.7, 0.9])
def test_a_view_is_cut_to_its_budget(share: float) -> None:
    view = a_view()
    assert estimate_data_tokens(with_room_for(share, view, SOCRATES)) <= share * estimate_data_tokens(view)


def test_what_does_not_matter_to_a_reader_goes_first() -> None:
    fitted = with_room_for(0.95, a_view(), NEWTON)
    assert [each["document"] for each in fitted["sections"]] == [
        "SeedDocument",
        "PhysicsReport",
        "MathematicsReport",
        "GroundingReport",
    ]


def test_validation_reports_are_passed_claim_by_claim() -> None:
    fitted = with_room_for(0.7, a_view(), SOCRATES)
    assert named(fitted, "ValidatedClaims")["claims"] == [
        "Claim: The table slides. NEWTON: VALID (58.9 N << 200 N). EULER: VALID (within the time budget)."
    ]


def test_a_claim_whose_text_is_hidden_goes_by_its_name() -> None:
    view = a_view()
    del view["sections"][0]
    assert named(with_room_for(0.5, view, SOCRATES), "ValidatedClaims")["claims"][0].startswith(
        "Claim: C1. NEWTON"
    )


def test_a_validator_keeps_its_own_report_when_the_other_is_passed_by_claims() -> None:
    view = a_view()
    assert named(with_room_for(0.75, view, NEWTON), "PhysicsReport") == named(view, "PhysicsReport")


def test_a_summary_keeps_findings_decisions_and_confidences() -> None:
    assert named(with_room_for(0.5, a_view(), SOCRATES), "PhysicsReport") == {
        "feasibility": "VALID",
        "confidence": 0.8,
    }


def test_a_summary_of_the_grounding_holds_no_citations() -> None:
    assert "further_citations" not in named(with_room_for(0.5, a_view(), NEWTON), "GroundingReport")


@pytest.mark.parametrize("agent", [*ROLES, "DARWIN"])
@pytest.mark.parametrize("field", ["scenario", "impossibility_mirage", "mechanics"])
def test_the_narrative_and_the_record_are_never_cut(agent: str, field: str) -> None:
    view = a_view()
    assert (
        named(with_room_for(0.01, view, agent), "SeedDocument")[field] == named(view, "SeedDocument")[field]
    )


def test_notes_are_never_cut() -> None:
    view = a_view()
    assert with_room_for(0.01, view, ATHENA)["notes"] == view["notes"]


def test_what_was_left_out_is_named_for_demand() -> None:
    fitted = with_room_for(0.95, a_view(), NEWTON)
    assert fitted["on_demand"] == [
        {"author": SOCRATES, "document": "AgentTrace", "fields": {"found": len(WORDS * 40) + 2}}
    ]


def test_what_is_named_for_demand_can_be_had_from_the_whole_view() -> None:
    view = a_view()
    fitted = with_room_for(0.01, view, SOCRATES)
    wanted = [
        (each["author"], each["document"], name) for each in fitted["on_demand"] for name in each["fields"]
    ]
    assert None not in [read_omitted_field(view, *each) for each in wanted]


def test_a_human_gets_everything() -> None:
    view = a_view(2_000)
    assert BUDGETS.shorten_view_to_budget(view, HUMAN, Phase.REFINE) is view


def test_a_fitted_view_is_the_same_each_time() -> None:
    assert json.dumps(with_room_for(0.4, a_view(), EULER)) == json.dumps(with_room_for(0.4, a_view(), EULER))


def test_a_short_body_is_one_part() -> None:
    assert [part.text for part in split_message_body("all is well")] == ["all is well"]


def test_an_empty_body_is_one_part() -> None:
    assert [part.text for part in split_message_body("")] == [""]


def test_a_part_depends_on_all_before_it() -> None:
    assert [part.depends_on for part in split_message_body(WORDS * 1_200)] == [(), (1,), (1, 2)]


def test_a_body_is_broken_between_paragraphs() -> None:
    paragraph = WORDS * 100
    parts = split_message_body("\n\n".join([paragraph] * 10))
    assert all(part.text.endswith("\n\n") for part in parts[:-1])


bodies = st.text(st.sampled_from("ab .\né漢𝄞"), max_size=200)


@given(bodies, st.integers(1, 20))
def test_the_parts_of_a_body_joined_are_the_body(body: str, limit: int) -> None:
    assert "".join(part.text for part in split_message_body(body, limit)) == body


@given(bodies, st.integers(1, 20))
def test_no_part_of_a_body_is_over_the_limit(body: str, limit: int) -> None:
    assert max(estimate_text_tokens(part.text) for part in split_message_body(body, limit)) <= limit


def test_a_long_body_without_a_break_is_split_all_the_same() -> None:
    assert [estimate_text_tokens(part.text) for part in split_message_body("x" * 20_000)] == [
        MESSAGE_BODY,
        1_000,
    ]
