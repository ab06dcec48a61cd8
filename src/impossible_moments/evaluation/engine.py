"""The engine: scenarios are shown to a model, answers are kept word for word, and only what has no answer is asked.

Answers stand in a ledger under the hash of the prompt they were given to. Running again asks for what is missing; scoring
is computed anew each time, so a better scorer needs no new answers.
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

from impossible_moments.evaluation.presentation import Form, Presentation, prompt_of
from impossible_moments.ledger import leases
from impossible_moments.ledger.ledger import Answer, answers_of, record
from impossible_moments.ledger.store import Store
from impossible_moments.models.failures import FailureKind, ModelFailure
from impossible_moments.runtime.clock import Clock, SystemClock
from impossible_moments.scenarios.scenario import Scenario

LEDGER: Final = "evaluation.sqlite"
MOST_TOKENS: Final = 4_096
"""The framework's limit for an answer."""
_ANSWERED: Final = frozenset({FailureKind.REFUSED, FailureKind.TRUNCATED})
"""What a model does is its answer; what happens to a call is not."""


@dataclass(frozen=True)
class Reply:
    """What came back for one run of one scenario."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0
    cost: str | None = None
    flags: tuple[str, ...] = ()
    failure: str = ""
    """Why there is no answer, if there is none."""


class Respondent(Protocol):
    """Whoever answers: a model, a built-in baseline, a file of answers."""

    async def answer(self, scenario: Scenario, prompt: str) -> Reply:
        """One answer to a prompt."""
        ...


@dataclass(frozen=True)
class Conditions:
    """How a model is asked; all of it is written into the results."""

    model: str
    presentation: Presentation = Presentation.BLIND
    form: Form = Form.PLAN
    runs: int = 3
    temperature: float | None = 0.7
    most_tokens: int = MOST_TOKENS

    @property
    def name(self) -> str:
        """What the answers of these conditions are kept under."""
        told = json.dumps(
            [self.model, self.presentation, self.form, self.temperature, self.most_tokens], default=str
        )
        return f"eval-{sha256(told.encode()).hexdigest()[:16]}"


@dataclass(frozen=True)
class Engine:
    """Asks a model about scenarios, several at a time, and keeps what it says."""

    conditions: Conditions
    respondent: Respondent
    folder: Path
    at_once: int = 8
    clock: Clock = field(default_factory=SystemClock)
    told: Callable[[int, int], None] = lambda _done, _all: None
    """Hears how many answers there are by now, of how many."""

    async def answers(self, scenarios: Sequence[Scenario]) -> Mapping[tuple[str, int], Reply]:
        """An answer for every run of every scenario; those that are kept are not asked for again."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with Store(self.folder / LEDGER) as store:
            await store.commit(
                partial(
                    leases.enrol, scenario=self.conditions.name, brief="", priority=0, now=self.clock.now()
                )
            )
            kept = await store.read(partial(answers_of, scenario=self.conditions.name))
            return await self._asked(store, scenarios, kept)

    async def _asked(
        self, store: Store, scenarios: Sequence[Scenario], kept: Mapping[str, Answer]
    ) -> Mapping[tuple[str, int], Reply]:
        room, replies = asyncio.Semaphore(self.at_once), dict[tuple[str, int], Reply]()
        stopped: list[Exception] = []
        whole = len(scenarios) * self.conditions.runs

        async def one(scenario: Scenario, number: int) -> None:
            prompt = prompt_of(scenario, self.conditions.presentation, self.conditions.form)
            # another wording is another question, with an answer of its own
            asked = sha256(prompt.encode()).hexdigest()
            key = f"{scenario.scenario_id}/{number}/{asked[:12]}"
            if key in kept:
                reply = _read(kept[key])
            else:
                async with room:
                    if stopped:
                        return
                    try:
                        reply = await self._performed(store, scenario, prompt, key, asked)
                    except Exception as problem:  # noqa: BLE001 - raised below, when what is under way is kept
                        stopped.append(problem)
                        return
            replies[scenario.scenario_id, number] = reply
            self.told(len(replies), whole)

        runs = range(1, self.conditions.runs + 1)
        await asyncio.gather(*(one(each, number) for number in runs for each in scenarios))
        if stopped:
            raise stopped[0]
        return replies

    async def _performed(self, store: Store, scenario: Scenario, prompt: str, key: str, asked: str) -> Reply:
        started = self.clock.now()
        try:
            reply = await self.respondent.answer(scenario, prompt)
        except ModelFailure as failure:
            if failure.is_configuration or failure.kind is FailureKind.SPENDING:
                raise
            if failure.kind not in _ANSWERED:
                return Reply("", failure=str(failure))  # not kept: it is asked for again next time
            reply = Reply(failure.said, *failure.taken, flags=(str(failure.kind),))
        answer = Answer(
            key=key,
            round_number=1,
            assignment_hash=asked,
            reply=_written(reply),
            returns="Reply",
            usage={"tokens": reply.input_tokens + reply.output_tokens, "cost": reply.cost},
            model=self.conditions.model,
            started_at=started,
            answered_at=self.clock.now(),
        )
        await store.commit(partial(record, scenario=self.conditions.name, answer=answer))
        return reply


def _written(reply: Reply) -> bytes:
    data = {
        "text": reply.text,
        "input_tokens": reply.input_tokens,
        "output_tokens": reply.output_tokens,
        "cost": reply.cost,
        "flags": list(reply.flags),
    }
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "replace")


def _read(answer: Answer) -> Reply:
    data = json.loads(answer.reply)
    return Reply(**{**data, "flags": tuple(data["flags"])})


def replies_of(lines: Iterable[Mapping[str, object]]) -> Mapping[tuple[str, int], Reply]:
    """Answers that were made elsewhere: a scenario and an answer in each line, several of one scenario being its runs."""
    found: dict[tuple[str, int], Reply] = {}
    runs: Counter[str] = Counter()
    for line in lines:
        scenario = str(line.get("scenario_id") or line.get("id") or "")
        runs[scenario] += 1
        said = line.get("answer") or line.get("text") or ""
        # an answer may stand in its line as the object it is
        found[scenario, runs[scenario]] = Reply(said if isinstance(said, str) else json.dumps(said))
    return found
