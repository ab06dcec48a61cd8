"""Respondents: a language model or a built-in baseline."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.episodes import ActionEpisode, EpisodeTranscript, build_episode_task
from impossible_moments.evaluation.runs.answer_collection import Reply, RunConditions
from impossible_moments.llm import ConnectionPool, ModelReference, SpendingBudget, TokenAllowance
from impossible_moments.scenarios import Scenario

EPISODE_ANSWERS = 12
"""How many answers of the usual length a model may write in one episode."""


@dataclass(frozen=True)
class ProgramRespondent:
    """A respondent that calls a function with the scenario."""

    reply: Callable[[Scenario], str]

    async def answer(self, scenario: Scenario, _prompt: str) -> Reply:
        """Return the answer of the function."""
        return Reply(self.reply(scenario))


@dataclass(frozen=True)
class ModelRespondent:
    """A respondent that sends the prompt to a language model."""

    reference: ModelReference
    connections: ConnectionPool
    budget: SpendingBudget
    conditions: RunConditions

    async def answer(self, _scenario: Scenario, prompt: str) -> Reply:
        """Return the answer of the model, with tokens and cost."""
        text_answer = await self.connections.request_text(
            self.reference,
            prompt,
            most=self.conditions.answer_room,
            budget=self.budget,
            temperature=self.conditions.temperature,
            thinking=self.conditions.thinking,
        )
        bill = text_answer.paid
        return Reply(
            text_answer.text,
            bill.input_tokens,
            bill.output_tokens,
            None if bill.cost is None else str(bill.cost),
            thinking_tokens=bill.thinking_tokens,
            thinking_sent=text_answer.thinking_sent,
        )


@dataclass(frozen=True)
class EpisodeRespondent:
    """A respondent that lets a language model act in an episode through tool calls."""

    reference: ModelReference
    connections: ConnectionPool
    budget: SpendingBudget
    conditions: RunConditions
    keys: Mapping[str, AnswerKey]

    async def answer(self, scenario: Scenario, _prompt: str) -> Reply:
        """Return the transcript of the episode, with tokens and cost."""
        episode = ActionEpisode(self.keys[scenario.scenario_id], self.conditions.restarts)
        found = await self.connections.consult(
            self.reference,
            build_episode_task(episode, scenario.blind),
            allowance=TokenAllowance(
                self.conditions.most_tokens * EPISODE_ANSWERS, self.conditions.most_tokens
            ),
            budget=self.budget,
        )
        ending = found.deliverable.model_dump(mode="json")
        transcript = EpisodeTranscript(tuple(episode.acts), ending, self.conditions.restarts)
        bill = found.bill
        return Reply(
            transcript.to_text(),
            bill.input_tokens,
            bill.output_tokens,
            None if bill.cost is None else str(bill.cost),
        )
