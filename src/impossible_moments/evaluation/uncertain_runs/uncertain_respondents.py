"""Respondents for uncertain worlds: a built-in player or a language model, for one world or for a policy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from impossible_moments.evaluation.runs.answer_collection import Reply, RunConditions
from impossible_moments.evaluation.runs.presentation import AnswerForm
from impossible_moments.evaluation.runs.respondents import EPISODE_ANSWERS
from impossible_moments.evaluation.uncertain_runs.builtin_players import play_world, write_policy
from impossible_moments.evaluation.uncertain_runs.player_episode import PlayerEpisode
from impossible_moments.evaluation.uncertain_runs.uncertain_key import UncertainKey
from impossible_moments.evaluation.uncertain_runs.uncertain_prompts import (
    build_player_task,
    build_policy_prompt,
)
from impossible_moments.llm import ConnectionPool, ModelReference, SpendingBudget, TokenAllowance
from impossible_moments.mechanics.uncertain import PolicyName
from impossible_moments.scenarios import Scenario

_MARK: Final = "/world-"


def name_world(scenario: Scenario, number: int) -> Scenario:
    """Return a scenario under the name of one of its worlds, so that each world has its own stored answer."""
    return replace(scenario, scenario_id=f"{scenario.scenario_id}{_MARK}{number}")


def parse_world_name(name: str) -> tuple[str, int]:
    """Return the scenario and the number in the name of a world."""
    scenario_id, _, number = name.partition(_MARK)
    return scenario_id, int(number)


@dataclass(frozen=True)
class BuiltinPlayerRespondent:
    """Lets a built-in player act, or writes its policy."""

    player: PolicyName
    form: AnswerForm
    keys: Mapping[str, UncertainKey]

    async def answer(self, scenario: Scenario, _prompt: str) -> Reply:
        """Return the transcript or the policy of the player."""
        if self.form is AnswerForm.POLICY:
            return Reply(write_policy(self.player, self.keys[scenario.scenario_id]))
        name, number = parse_world_name(scenario.scenario_id)
        return Reply(play_world(self.player, self.keys[name], number))


@dataclass(frozen=True)
class ModelPlayerRespondent:
    """Lets a language model act, or asks it for a policy."""

    reference: ModelReference
    connections: ConnectionPool
    budget: SpendingBudget
    conditions: RunConditions
    keys: Mapping[str, UncertainKey]

    async def answer(self, scenario: Scenario, _prompt: str) -> Reply:
        """Return the transcript or the policy of the model, with tokens and cost."""
        if self.conditions.form is AnswerForm.POLICY:
            return await self._request_policy(scenario)
        name, number = parse_world_name(scenario.scenario_id)
        player = PlayerEpisode(self.keys[name], number)
        found = await self.connections.consult(
            self.reference,
            build_player_task(player, scenario.blind),
            allowance=TokenAllowance(
                self.conditions.most_tokens * EPISODE_ANSWERS, self.conditions.most_tokens
            ),
            budget=self.budget,
        )
        bill = found.bill
        cost = None if bill.cost is None else str(bill.cost)
        return Reply(player.to_text(), bill.input_tokens, bill.output_tokens, cost)

    async def _request_policy(self, scenario: Scenario) -> Reply:
        found = await self.connections.request_text(
            self.reference,
            build_policy_prompt(scenario.blind),
            most=self.conditions.most_tokens,
            budget=self.budget,
            temperature=self.conditions.temperature,
        )
        paid = found.paid
        cost = None if paid.cost is None else str(paid.cost)
        return Reply(found.text, paid.input_tokens, paid.output_tokens, cost)
