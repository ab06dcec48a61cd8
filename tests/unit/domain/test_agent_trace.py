"""Agent traces: silence is a contribution only with a reason."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from impossible_moments.domain.agent_trace import NO_CONTRIBUTION, AgentTrace


def trace(**changes: Any) -> AgentTrace:
    data: dict[str, Any] = {
        "found": "It holds.",
        "overall_confidence": 0.8,
        "least_confident": "Trap Depth",
        "would_increase": "a second reader",
    }
    return AgentTrace.model_validate(data | changes)


def test_a_trace_says_no_contribution_in_the_words_of_the_specification() -> None:
    assert NO_CONTRIBUTION == "No contribution required"


# fmt: off
SILENCES = [
    NO_CONTRIBUTION,
    f"{NO_CONTRIBUTION}.",
    f" {NO_CONTRIBUTION} ",
    f"{NO_CONTRIBUTION} .",
    NO_CONTRIBUTION.upper(),
    "",
    " \n",
    "...",
]
# fmt: on


@pytest.mark.parametrize("found", SILENCES)
def test_silence_without_a_reason_is_refused(found: str) -> None:
    with pytest.raises(ValidationError, match="needs a justification"):
        trace(found=found)


@pytest.mark.parametrize("justification", ["", "  ", "\n"])
def test_a_blank_reason_is_none(justification: str) -> None:
    with pytest.raises(ValidationError, match="needs a justification"):
        trace(found=NO_CONTRIBUTION, justification=justification)


def test_silence_with_a_reason_is_a_contribution() -> None:
    found = trace(found=NO_CONTRIBUTION, justification="Nothing here moves.")

    assert found.justification == "Nothing here moves."


def test_who_found_something_needs_no_reason() -> None:
    assert trace().justification == ""


@pytest.mark.parametrize("confidence", [-0.1, 1.1])
def test_a_confidence_lies_between_0_and_1(confidence: float) -> None:
    with pytest.raises(ValidationError, match="overall_confidence"):
        trace(overall_confidence=confidence)
