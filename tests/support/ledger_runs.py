"""Runs as the ledger records them: every answer in order, with what can be counted from the answers alone.

No dossier is involved, so what a document states can be compared with an account that it was not built from.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import Challenge, HumanDecision, Veto, VetoReview
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.refinement import RefinementBallot, ReviewMemo
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import HUMAN, ORCHESTRATOR, Phase
from impossible_moments.ledger.answered_asks import list_answers
from impossible_moments.ledger.messages import list_messages
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.pipeline.completed_scenarios import parse_answers
from impossible_moments.pipeline.ledger_places import LEDGER

D = TypeVar("D", bound=LabelledModel)


@dataclass(frozen=True)
class RecordedAnswer:
    """An answer of the ledger. The parts of a ballot are answers of their own."""

    round_number: int
    phase: Phase
    agent: str
    topic: str
    deliverable: LabelledModel
    is_counted: bool = True
    """Whether it stands for the request: of the parts of a ballot only the last does."""


@dataclass(frozen=True)
class LedgerRun:
    """All answers of a scenario, in the order of its run."""

    scenario: str
    answers: tuple[RecordedAnswer, ...]
    requests: frozenset[str] = frozenset()
    """What the orchestrator sent to agents, its notes included."""

    def list_deliverables(self, kind: type[D], agent: str = "") -> list[D]:
        """Return all deliverables of a kind, optionally of one agent."""
        return [
            each.deliverable
            for each in self.answers
            if isinstance(each.deliverable, kind) and agent in {"", each.agent}
        ]

    def get_last(self, kind: type[D], agent: str = "") -> D:
        """Return the last deliverable of a kind, optionally of one agent."""
        return self.list_deliverables(kind, agent)[-1]

    def collect_last_by_agent(self, kind: type[D]) -> dict[str, D]:
        """Return the last deliverable of a kind from each agent."""
        return {each.agent: each.deliverable for each in self.answers if isinstance(each.deliverable, kind)}

    @cached_property
    def calls(self) -> Counter[str]:
        """How many requests each agent answered."""
        return Counter(each.agent for each in self.answers if each.is_counted)

    @cached_property
    def challenges(self) -> list[tuple[str, Challenge]]:
        """All challenges that agents handed in, each with its author."""
        return [(each.agent, found) for each in self.answers for found in _get_challenges(each.deliverable)]

    @cached_property
    def vetoes(self) -> list[tuple[str, Veto]]:
        """All vetoes that agents handed in, each with its author."""
        return [(each.agent, found) for each in self.answers for found in _get_vetoes(each.deliverable)]

    @property
    def lifted_vetoes(self) -> int:
        """How many reviews of a revision were satisfied."""
        return sum(each.satisfied for each in self.list_deliverables(VetoReview))

    @property
    def human_decisions(self) -> list[HumanDecision]:
        """The decisions of humans."""
        return self.list_deliverables(HumanDecision, HUMAN)

    def list_last_rounds(self, kind: type[D]) -> list[dict[str, D]]:
        """Return the deliverables of a kind by agent for each round that has them, the last round first."""
        rounds: dict[int, dict[str, D]] = {}
        for each in self.answers:
            if isinstance(each.deliverable, kind):
                rounds.setdefault(each.round_number, {})[each.agent] = each.deliverable
        return [rounds[number] for number in sorted(rounds, reverse=True)]

    def count_rounds(self, phase: Phase, topic: str) -> int:
        """Return in how many rounds of a phase a topic was asked about."""
        return len({each.round_number for each in self.answers if (each.phase, each.topic) == (phase, topic)})

    @property
    def revisions(self) -> int:
        """How many seed documents followed the first one."""
        return len(self.list_deliverables(SeedDocument)) - 1

    @cached_property
    def texts(self) -> frozenset[str]:
        """Every text of every answer."""
        return frozenset(text for each in self.answers for text in iterate_texts(each.deliverable))


def read_ledger_run(folder: Path, scenario: str) -> LedgerRun:
    """Read the answers of a scenario from the ledger of a folder."""
    with LedgerStore(folder / LEDGER) as store:
        recorded = store.read_and_wait(partial(list_answers, scenario=scenario))
        messages = store.read_and_wait(partial(list_messages, scenario=scenario))
    found: list[RecordedAnswer] = []
    for key, deliverable in parse_answers(recorded).items():
        phase, agent, topic, _ = key.split("/")
        parts = deliverable.parts if isinstance(deliverable, RefinementBallot) else (deliverable,)
        found += [
            RecordedAnswer(
                recorded[key].round_number, Phase(phase), agent, topic, part, is_counted=part is parts[-1]
            )
            for part in parts
        ]
    requests = [json.loads(row.message)["content"] for row in messages if row.sender == ORCHESTRATOR]
    return LedgerRun(scenario, tuple(found), frozenset(iterate_texts(requests)))


def iterate_texts(value: object) -> Iterator[str]:
    """Yield every text in a model or a collection of models, however deep."""
    match value:
        case str():
            yield value
        case BaseModel():
            for name in type(value).model_fields:
                yield from iterate_texts(getattr(value, name))
        case dict():
            for key, inner in value.items():
                yield from iterate_texts(key)
                yield from iterate_texts(inner)
        case tuple() | list():
            for inner in value:
                yield from iterate_texts(inner)


def iterate_values(value: object) -> Iterator[str]:
    """Yield every value in plain data as text, numbers included."""
    match value:
        case dict():
            for inner in value.values():
                yield from iterate_values(inner)
        case list():
            for inner in value:
                yield from iterate_values(inner)
        case _:
            yield str(value)


def _get_challenges(deliverable: LabelledModel) -> tuple[Challenge, ...]:
    if isinstance(
        deliverable, PhysicsReport | MathematicsReport | GroundingReport | ClassificationReport | ReviewMemo
    ):
        return deliverable.challenges
    return ()


def _get_vetoes(deliverable: LabelledModel) -> tuple[Veto, ...]:
    if isinstance(deliverable, PhysicsReport | MathematicsReport | ReviewMemo):
        return deliverable.vetoes
    return ()
