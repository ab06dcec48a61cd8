"""What a scenario costs: the estimate before it, the bill after it, and that they agree.

The provider is a local server that charges by its own count. Its model knows its lines (understudy.py), and behaves as
models do: it looks things up before it reports, and now and then its first try cannot be read.
"""

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.llm.price_table import PriceTable
from impossible_moments.pipeline.cast_selection import (
    ModelResources,
    build_cast,
    build_model_adapter,
    select_models,
)
from impossible_moments.pipeline.cost_estimate import estimate_scenario_cost
from impossible_moments.pipeline.pipeline import Pipeline
from support.model_double import RecordedModel, record_scenarios
from support.providers.conversation import Brain, Call, Question, Reply
from support.providers.server import serve_provider

SCENARIOS = int(os.environ.get("IM_SCENARIOS", "4"))
"""Twenty take some minutes: IM_SCENARIOS=20."""
LOOK_UPS: dict[str, dict[str, Any]] = {
    "evaluate": {"expression": "2[m] + 30[cm]", "values": {}},
    "find_works": {"topic": "functional fixedness"},
}
MODEL = "openai:gpt-4o"


def briefs() -> list[GenerationBrief]:
    return [
        GenerationBrief(
            category=CATEGORIES[number % len(CATEGORIES)],
            difficulty_tier="FRACTURE",
            solution_status="KS",
            seed=number // len(CATEGORIES),
            scenario_id=f"IM-{number + 1:04}",
        )
        for number in range(SCENARIOS)
    ]


def habits(understudy: RecordedModel) -> Brain:
    """A model with its ways: zero to four look-ups before a report, one first try in eight that is cut short."""

    def answer(question: Question) -> Reply:
        user = next(each.text for each in question.messages if each.role == "user")
        chance = sha256(f"{question.system[:40]}{user}".encode()).digest()
        looked_up = sum(len(each.calls) for each in question.messages)
        tool = next((each.name for each in question.tools if each.name in LOOK_UPS), None)
        if tool is not None and looked_up < chance[0] % 5:
            return Reply(calls=(Call(tool, LOOK_UPS[tool]),), finish="tool")
        if chance[1] % 8 == 0 and looked_up == 0:
            return Reply(calls=(Call("hand_in", {"text": "unfinished"}),), finish="tool")
        return Reply(
            calls=(Call("hand_in", understudy.find_recorded_answer(question.system, user)),), finish="tool"
        )

    return answer


@pytest.mark.slow
def test_the_estimate_is_near_the_bill_and_the_bill_is_booked_to_the_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-never-sent-anywhere")
    settings, means = load_configuration(), ModelResources()
    models = dict.fromkeys(settings.roster, parse_model_reference(MODEL))
    counting = build_model_adapter(
        models, settings, load_everyday_library(), ModelResources(), needs_keys=False
    )
    understudy, played = record_scenarios(briefs(), tmp_path / "rehearsal")
    known = [
        brief
        for brief, result in zip(briefs(), played, strict=True)
        if result.state is ScenarioState.ACCEPTED
    ]
    expected = [estimate_scenario_cost(brief, counting, settings, load_everyday_library()) for brief in known]

    with serve_provider(habits(understudy)) as server:
        names = select_models(f"{MODEL}@{server.openai_url}", settings)
        cast = build_cast(names, settings, load_everyday_library(), means)
        results = Pipeline(output=tmp_path / "played", performer=cast).generate_all(known)
        bill = server.bill

    cost = PriceTable().compute_cost(parse_model_reference(MODEL), bill.input_tokens, bill.output_tokens)
    assert cost is not None
    foretold = sum(float(each.cost or 0) for each in expected)
    assert {result.state for result in results} == {ScenarioState.ACCEPTED}
    assert means.budget.input_tokens == bill.input_tokens
    assert means.budget.output_tokens == bill.output_tokens
    assert means.budget.spent == pytest.approx(cost)
    told = f"{len(known)} scenarios: expected ${foretold:.3f}, billed ${cost:.3f}"
    assert foretold == pytest.approx(float(cost), rel=0.2), told
    request.config.get_terminal_writer().line(told)
