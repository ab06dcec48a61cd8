"""Language models: what a call costs beside its answer, how many pipelines keep a slow model busy, what is sent.

The model is a double in this process that answers after a second, so that only our own work is measured.
`python -m benchmarks.models` prints it alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from benchmarks.model_tokens import runs, tables
from benchmarks.orchestration import ASKS, REPLY, thirty_asks
from impossible_moments.agents.adapters.llm_adapter import LanguageModelAdapter
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.vocabulary import CATEGORIES
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.consultation_tasks import HAND_IN
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.llm.prompt_estimates import estimate_first_prompt_tokens
from impossible_moments.llm.token_estimates import estimate_data_tokens, estimate_text_tokens
from impossible_moments.pipeline.cast_selection import ModelResources, build_model_adapter
from impossible_moments.pipeline.clock import SystemClock
from impossible_moments.pipeline.concurrency import run_concurrently_with_limit
from impossible_moments.pipeline.cost_estimate import rehearse_asks
from impossible_moments.pipeline.driver import Driver, ScenarioJob

LATENCY = 1.0
PIPELINES = {5: 0.95, 50: 0.92, 200: 0.85}
WRITTEN = REPLY.model_dump(mode="json")


def efficiencies() -> Iterator[tuple[str, str, str]]:
    """For so many pipelines side by side: the share of the time that a model's own latency would take."""
    for pipelines, goal in PIPELINES.items():
        seconds, busy = _timed(pipelines)
        ideal = ASKS * LATENCY
        yield (
            f"{pipelines} pipelines, 30 asks of 1 s one after the other",
            f"{ideal / seconds:.0%} ({busy / (ASKS * pipelines) * 1e3:.1f} ms CPU)",
            f">= {goal:.0%}",
        )


def sent() -> Iterator[tuple[str, str, str]]:
    """Tokens sent for a scenario, beside those that sending everything to everyone would take."""
    shares = [part.ours / part.everything for part in map(_weighed, CATEGORIES)]
    mean = sum(shares) / len(shares)
    yield (
        "tokens sent, of sending everything to everyone",
        f"{mean:.0%} ({min(shares):.0%}-{max(shares):.0%})",
        "<= 50%",
    )


@dataclass(frozen=True)
class _Weight:
    ours: int
    everything: int


def _weighed(category: str) -> _Weight:
    """One scenario of a category: the prompts as they are, and with the whole dossier in each."""
    settings = load_configuration()
    models = dict.fromkeys(settings.roster, parse_model_reference("openai:gpt-4o"))
    adapter = build_model_adapter(
        models, settings, load_everyday_library(), ModelResources(), needs_keys=False
    )
    brief = GenerationBrief(category=category, difficulty_tier="FRACTURE", solution_status="KS")  # type: ignore[arg-type]
    ours = everything = 0
    said: list[object] = []
    for ask, reply in rehearse_asks(brief, settings, load_everyday_library()):
        ours += estimate_first_prompt_tokens(adapter.build_task(ask))
        rest = (settings.prompts[ask.agent], ask.assignment.task, str(ask.returns.model_json_schema()))
        everything += estimate_data_tokens(said) + sum(map(estimate_text_tokens, rest))
        said.append({"author": ask.agent, "fields": reply.model_dump(mode="json")})
    return _Weight(ours, everything)


def _timed(pipelines: int) -> tuple[float, float]:
    with TemporaryDirectory() as folder, LedgerStore(Path(folder) / "ledger.db") as store:
        wall, busy = time.perf_counter(), time.process_time()
        asyncio.run(_played(store, pipelines))
        return time.perf_counter() - wall, time.process_time() - busy


async def _played(store: LedgerStore, pipelines: int) -> None:
    async def answer(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
        await asyncio.sleep(LATENCY)
        usage = RequestUsage(input_tokens=2_000, output_tokens=1)  # budgets are not the question here
        return ModelResponse(parts=[ToolCallPart(HAND_IN, WRITTEN)], usage=usage)

    settings = load_configuration()
    exchange = ConnectionPool(
        ApiKeys(), at_once=pipelines, make=lambda _reference, _keys: FunctionModel(answer)
    )
    models = dict.fromkeys(settings.roster, parse_model_reference("local:double"))
    adapter = LanguageModelAdapter(models, settings, load_everyday_library(), exchange)
    driver: Driver[int] = Driver(store, adapter, SystemClock(), "benchmark", "0")
    names = [f"IM-{number}" for number in range(pipelines)]
    jobs = [ScenarioJob(name, partial(thirty_asks, name)) for name in names]
    outcomes = await run_concurrently_with_limit(
        (partial(driver.run_scenario, job) for job in jobs), at_once=pipelines
    )
    await exchange.close()
    assert all(each.result is not None for each in outcomes)


def main() -> None:
    """Print the tokens of whole runs in tables, and a line for each measure."""
    for line in tables():
        print(line)
    for what, measured, goal in (*runs(), *sent(), *efficiencies()):
        print(f"{what:<58}{measured:>30}{goal:>16}", flush=True)


if __name__ == "__main__":
    main()
