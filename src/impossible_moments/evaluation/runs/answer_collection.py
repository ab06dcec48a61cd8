"""The collection of answers: scenarios are sent to a model and its answers are stored verbatim.

Answers are stored in a ledger under the hash of their prompt. A repeated run requests only what is missing.
Scores are computed again each time, so an improved scorer needs no new answers.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, Protocol

from impossible_moments.domain.evaluation_protocol import MOST_TOKENS, RUNS, TEMPERATURE
from impossible_moments.evaluation.runs.presentation import AnswerForm, Presentation, build_answer_prompt
from impossible_moments.ledger import (
    AnsweredAsk,
    LedgerStore,
    NewScenario,
    leases,
    list_answers,
    record_answer,
)
from impossible_moments.llm import FailureKind, ModelFailure, ThinkingBudget
from impossible_moments.pipeline import Clock, SystemClock
from impossible_moments.scenarios import Scenario

LEDGER: Final = "evaluation.sqlite"
_ANSWERED: Final = frozenset({FailureKind.REFUSED, FailureKind.TRUNCATED})
"""Failures that count as answers, because the model caused them and not the connection."""


@dataclass(frozen=True)
class Reply:
    """The reply to one run of one scenario."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: str | None = None
    flags: tuple[str, ...] = ()
    failure: str = ""
    """Why there is no answer, or an empty string."""
    thinking_tokens: int | None = None
    """Output tokens that were billed for thinking, or None if that is not known."""
    thinking_sent: str = ""
    """The settings that asked for a thinking budget, in words."""


class Respondent(Protocol):
    """A source of answers: a model, a built-in baseline or a file of answers."""

    async def answer(self, scenario: Scenario, prompt: str) -> Reply:
        """Return one answer to a prompt."""
        ...


@dataclass(frozen=True)
class RunConditions:
    """The conditions under which a model is asked. All of them are written into the results."""

    model: str
    presentation: Presentation = Presentation.BLIND
    form: AnswerForm = AnswerForm.PLAN
    runs: int = RUNS
    temperature: float | None = TEMPERATURE
    most_tokens: int = MOST_TOKENS
    restarts: int = 0
    """How often an interactive episode may begin again."""
    thinking: ThinkingBudget | None = None
    """How much a model may think, or None if nothing is asked."""

    @property
    def answer_room(self) -> int:
        """The most tokens that a model may write, thinking included."""
        return self.most_tokens + (0 if self.thinking is None else self.thinking.room)

    @property
    def name(self) -> str:
        """The key under which answers given under these conditions are stored."""
        # answers that were stored before there were restarts keep their key
        restarts: list[object] = [self.restarts] if self.restarts else []
        if self.thinking is not None:
            restarts.append(f"thinking {self.thinking}")
        text = json.dumps(
            [self.model, self.presentation, self.form, self.temperature, self.most_tokens, *restarts],
            default=str,
        )
        return f"eval-{sha256(text.encode()).hexdigest()[:16]}"


@dataclass(frozen=True)
class AnswerCollector:
    """Sends scenarios to a model, several at a time, and stores its answers."""

    conditions: RunConditions
    respondent: Respondent
    folder: Path
    concurrency: int = 8
    menus: Mapping[str, str] = field(default_factory=dict)
    """The rendered menu of each scenario, for answers from menus."""
    clock: Clock = field(default_factory=SystemClock)
    report_progress: Callable[[int, int], None] = lambda _done, _all: None
    """Called with the number of answers so far and the number of all answers."""

    async def collect_answers(self, scenarios: Sequence[Scenario]) -> Mapping[tuple[str, int], Reply]:
        """Return an answer for every run of every scenario. Stored answers are not requested again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with LedgerStore(self.folder / LEDGER) as store:
            await store.commit(
                partial(
                    leases.enrol_scenario,
                    scenario=self.conditions.name,
                    new=NewScenario("", self.clock.now()),
                )
            )
            stored = await store.read(partial(list_answers, scenario=self.conditions.name))
            return await self._request_missing_answers(store, scenarios, stored)

    async def _request_missing_answers(
        self, store: LedgerStore, scenarios: Sequence[Scenario], stored: Mapping[str, AnsweredAsk]
    ) -> Mapping[tuple[str, int], Reply]:
        semaphore, replies = asyncio.Semaphore(self.concurrency), dict[tuple[str, int], Reply]()
        errors: list[Exception] = []
        total = len(scenarios) * self.conditions.runs

        async def ask_once(scenario: Scenario, number: int) -> None:
            prompt = build_answer_prompt(
                scenario,
                self.conditions.presentation,
                self.conditions.form,
                self.menus.get(scenario.scenario_id, ""),
                "" if self.conditions.thinking is None else self.conditions.thinking.request,
            )
            # a changed prompt is a different question with its own answer
            assignment_hash = sha256(prompt.encode()).hexdigest()
            key = f"{scenario.scenario_id}/{number}/{assignment_hash[:12]}"
            if key in stored:
                reply = _parse_reply(stored[key])
            else:
                async with semaphore:
                    if errors:
                        return
                    try:
                        reply = await self._ask_respondent(store, scenario, prompt, key, assignment_hash)
                    except Exception as problem:  # noqa: BLE001 - raised below, after running requests are stored
                        errors.append(problem)
                        return
            replies[scenario.scenario_id, number] = reply
            self.report_progress(len(replies), total)

        runs = range(1, self.conditions.runs + 1)
        await asyncio.gather(*(ask_once(each, number) for number in runs for each in scenarios))
        if errors:
            raise errors[0]
        return replies

    async def _ask_respondent(
        self, store: LedgerStore, scenario: Scenario, prompt: str, key: str, assignment_hash: str
    ) -> Reply:
        started = self.clock.now()
        try:
            reply = await self.respondent.answer(scenario, prompt)
        except ModelFailure as failure:
            if failure.is_configuration_error or failure.kind is FailureKind.SPENDING:
                raise
            if failure.kind not in _ANSWERED:
                return Reply("", failure=str(failure))  # not stored, so it is requested again next time
            reply = Reply(failure.said, *failure.taken, flags=(str(failure.kind),))
        answer = AnsweredAsk(
            key=key,
            round_number=1,
            assignment_hash=assignment_hash,
            reply=_serialize_reply(reply),
            returns="Reply",
            usage={"tokens": reply.input_tokens + reply.output_tokens, "cost": reply.cost},
            model=self.conditions.model,
            started_at=started,
            answered_at=self.clock.now(),
        )
        await store.commit(partial(record_answer, scenario=self.conditions.name, answer=answer))
        return reply


def _serialize_reply(reply: Reply) -> bytes:
    data = {
        "text": reply.text,
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "cost": reply.cost,
        "flags": list(reply.flags),
        "thinking_tokens": reply.thinking_tokens,
        "thinking_sent": reply.thinking_sent,
    }
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _parse_reply(answer: AnsweredAsk) -> Reply:
    data = json.loads(answer.reply)
    return Reply(**{**data, "flags": tuple(data["flags"])})


def parse_reply_lines(lines: Iterable[Mapping[str, object]]) -> Mapping[tuple[str, int], Reply]:
    """Return replies from lines that each hold a scenario ID and an answer.

    Several lines with the same scenario are its runs, in order.
    """
    found: dict[tuple[str, int], Reply] = {}
    runs: Counter[str] = Counter()
    for line in lines:
        scenario = str(line.get("scenario_id") or line.get("id") or "")
        runs[scenario] += 1
        answer_text = line.get("answer") or line.get("text") or ""
        # an answer may be given as a JSON object instead of text
        found[scenario, runs[scenario]] = Reply(
            answer_text if isinstance(answer_text, str) else json.dumps(answer_text)
        )
    return found
