"""Estimate of the tokens and cost of a scenario, from a rehearsal with the built-in cast.

The rehearsal asks what the models would be asked, with the same prompts and tools, and the built-in cast
answers. The number of look-ups and retries of a model is assumed, and the assumption is printed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from impossible_moments.agents import run_flow_with_player
from impossible_moments.agents.adapters import LanguageModelAdapter
from impossible_moments.agents.builtin import BuiltinCast, UnreachableBrief, load_builtin_cast
from impossible_moments.agents.orchestrator import Ask, Configuration, build_scenario_rules
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.seed_revision import SeedRevision
from impossible_moments.domain.vocabulary import HUMAN
from impossible_moments.llm import ModelTool, estimate_first_prompt_tokens, estimate_text_tokens
from impossible_moments.mechanics.records import Library
from impossible_moments.scenarios.similarity import TfidfEmbedder

REQUESTS: Final[Mapping[str, int]] = {
    "SeedDocument": 3,
    "PhysicsReport": 3,
    "MathematicsReport": 3,
    "GroundingReport": 3,
    "ReviewMemo": 2,
}
"""Calls until a deliverable is handed in, including look-ups and retries. Others take one call."""
LOOKED_UP: Final = 400
"""Tokens that a look-up or a refusal adds to the next prompt."""
CALLED: Final = 60
"""Tokens that a model writes for a look-up."""
UNNUMBERED: Final = "IM-0000"
REVISED: Final = 0.25
"""The share of a seed document that the operations of a revision write."""
WORDIER: Final = 1.5
"""The length of a model's text relative to that of the built-in cast."""


@dataclass(frozen=True, slots=True)
class RoleCostEstimate:
    """The expected calls, tokens and cost of one role."""

    agent: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cost: Decimal | None


@dataclass(frozen=True)
class ScenarioCostEstimate:
    """The expected calls, tokens and cost of a scenario, by role."""

    parts: tuple[RoleCostEstimate, ...]
    prices: str

    @property
    def calls(self) -> int:
        """The number of all calls."""
        return sum(part.calls for part in self.parts)

    @property
    def input_tokens(self) -> int:
        """The number of all tokens sent."""
        return sum(part.input_tokens for part in self.parts)

    @property
    def output_tokens(self) -> int:
        """The number of all tokens written."""
        return sum(part.output_tokens for part in self.parts)

    @property
    def cost(self) -> Decimal | None:
        """The cost in dollars. None if a price is unknown."""
        costs = [part.cost for part in self.parts]
        return None if None in costs else sum((each for each in costs if each is not None), Decimal(0))


def estimate_scenario_cost(
    brief: GenerationBrief, adapter: LanguageModelAdapter, configuration: Configuration, library: Library
) -> ScenarioCostEstimate:
    """Play a brief with the built-in cast, and count the tokens its models would receive and write."""
    played = list(rehearse_asks(brief, configuration, library))
    calls: dict[str, int] = defaultdict(int)
    sent: dict[str, int] = defaultdict(int)
    written: dict[str, int] = defaultdict(int)
    for ask, reply in played:
        if ask.agent not in adapter.models:
            continue
        task = adapter.build_task(ask)
        # without tools that compute there is nothing to look up
        times = REQUESTS.get(ask.returns.__name__, 1) if any(map(_computes, task.tools)) else 1
        prompt = estimate_first_prompt_tokens(task)
        calls[ask.agent] += times
        sent[ask.agent] += times * prompt + LOOKED_UP * times * (times - 1) // 2
        share = REVISED if task.returns is SeedRevision else 1.0
        reply_tokens = estimate_text_tokens(reply.model_dump_json()) * WORDIER * share
        written[ask.agent] += round(reply_tokens) + CALLED * (times - 1)
    prices = adapter.exchange.prices
    parts = tuple(
        RoleCostEstimate(
            agent,
            str(adapter.models[agent]),
            calls[agent],
            sent[agent],
            written[agent],
            prices.compute_cost(adapter.models[agent], sent[agent], written[agent]),
        )
        for agent in adapter.models
        if calls[agent]
    )
    return ScenarioCostEstimate(parts, prices.description)


def _computes(tool: ModelTool) -> bool:
    return tool.name != "read_section"


def _find_playable_brief(cast: BuiltinCast, brief: GenerationBrief) -> GenerationBrief:
    """Return the brief, or the nearest one that the built-in cast can play.

    A rehearsal needs the length of the texts and not their content.
    """
    with suppress(UnreachableBrief):
        cast.require_feasible_brief(brief)
        return brief
    kept: tuple[tuple[str, ...], ...] = (("category", "solution_status"), ("solution_status",), ())
    for names in kept:
        with suppress(UnreachableBrief):
            category, status, tier = cast.choose_reachable_target(
                **{name: getattr(brief, name) for name in names}
            )
            return GenerationBrief(
                category=category,
                solution_status=status,
                difficulty_tier=tier,
                seed=brief.seed,
            )
    raise AssertionError("something can always be played")


def rehearse_asks(
    brief: GenerationBrief, configuration: Configuration, library: Library
) -> Iterator[tuple[Ask, LabelledModel]]:
    """Yield every ask of a brief as the built-in cast plays it, with its answer."""
    cast = load_builtin_cast()
    known = _find_playable_brief(cast, brief).model_copy(
        update={"scenario_id": brief.scenario_id or UNNUMBERED}
    )
    rules = build_scenario_rules(configuration, library, TfidfEmbedder(), reader=None)
    said: list[tuple[Ask, LabelledModel]] = []

    def answer_in_rehearsal(ask: Ask) -> LabelledModel:
        if ask.agent == HUMAN:
            return HumanDecision(
                option=Option.RESOLVE, justification="a rehearsal decides nothing", nothing_to_change=True
            )
        reply = cast.answer(ask)
        said.append((ask, reply))
        return reply

    run_flow_with_player(create_scenario(known, rules), answer_in_rehearsal)
    yield from said
