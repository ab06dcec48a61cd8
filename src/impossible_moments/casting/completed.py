"""Completed scenarios with all their answers, read from a ledger or created by the built-in cast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle

from pydantic import ValidationError

from impossible_moments.agents.adapters.builtin_adapter import NAME as BUILTIN
from impossible_moments.agents.builtin.athena.choosing import reachable
from impossible_moments.agents.builtin.cast import Cast
from impossible_moments.agents.configuration import Configuration
from impossible_moments.agents.deliverables import DELIVERABLES
from impossible_moments.agents.orchestrator.flow import Ask, Flow
from impossible_moments.agents.orchestrator.gate_checks.case import Reader
from impossible_moments.agents.orchestrator.orchestrator import Finished, create_scenario
from impossible_moments.agents.orchestrator.rules import rules_for
from impossible_moments.agents.players import play
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.vocabulary import ATHENA, HUMAN, ROLES
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError
from impossible_moments.ledger import leases
from impossible_moments.ledger.leases import Scenario, State
from impossible_moments.ledger.ledger import Answer, answers_of
from impossible_moments.ledger.store import Store
from impossible_moments.mechanics.library import Library
from impossible_moments.runtime.neighbours import Neighbours
from impossible_moments.runtime.replay import NotRecorded
from impossible_moments.scenarios.embedding import Embedder
from impossible_moments.scenarios.registry import Registry
from impossible_moments.scenarios.similarity import Essence


@dataclass(frozen=True)
class Stage:
    """The settings of a scenario, and what was known when it was begun."""

    configuration: Configuration
    library: Library
    embedder: Embedder
    registry: tuple[Essence, ...] = ()
    """The scenarios published before it, which no seed may repeat."""
    reader: Reader | None = None
    """Tries to solve the public document, if the built-in cast designed the scenario."""

    def flow(self, brief: GenerationBrief) -> Flow[Finished]:
        """Build the whole creation flow of a brief."""
        rules = rules_for(
            self.configuration,
            self.library,
            self.embedder,
            registry=self.registry,
            taken=frozenset(each.name for each in self.registry),
            reader=self.reader,
        )
        return create_scenario(brief, rules)


@dataclass(frozen=True)
class Completed:
    """An accepted scenario that can be played again."""

    brief: GenerationBrief
    answers: Mapping[str, Labelled]
    """All answers of agents and humans, by the keys of their asks."""
    stage: Stage
    finished: Finished
    models: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The models that answered for each agent."""

    @property
    def scenario(self) -> str:
        """The scenario's identifier."""
        return self.brief.scenario_id


def labelled(answers: Mapping[str, Answer]) -> dict[str, Labelled]:
    """Parse the answers of a ledger into deliverables.

    Raises `ConfigurationError` if this version cannot read one of them.
    """
    found = {}
    for key, answer in answers.items():
        try:
            found[key] = DELIVERABLES[answer.returns].model_validate_json(answer.reply)
        except (KeyError, ValidationError):
            raise ConfigurationError(
                f"The answer to {key} is a {answer.returns} that this version cannot read. Use the version that "
                f"recorded it ({answer.code_version or 'unknown'})."
            ) from None
    return found


def completed_in(store: Store, folder: Registry, stage: Stage, *, agent: str) -> Iterator[Completed]:
    """Yield the accepted scenarios of a ledger in which an agent was asked, the newest first.

    Scenarios that no longer play as recorded, because the rules have changed, are left out.
    """
    rows = [row for row in store.read_now(leases.scenarios) if row.state is State.ACCEPTED]
    for row in sorted(rows, key=lambda each: (-each.changed_at, each.scenario)):
        answers = store.read_now(partial(answers_of, scenario=row.scenario))
        models, found = _models(answers), None
        if agent in models:
            with suppress(ImpossibleMomentsError):
                own = _stage_of(store, folder, stage, row, models)
                found = _played(row, labelled(answers), models, own)
        if found is not None:
            yield found


def made_on_the_spot(cast: Cast, stage: Stage) -> Iterator[Completed]:
    """Yield scenarios of the built-in cast with fixed seeds, of varied categories and statuses."""
    whole = Stage(stage.configuration, stage.library, stage.embedder, reader=cast.reader)
    models = dict.fromkeys(whole.configuration.roster, frozenset({BUILTIN}))
    offers = cycle(tuple(spread(reachable(cast.catalogue))))
    for number, (category, status, tier) in enumerate(offers, start=1):
        brief = GenerationBrief.model_validate(
            {
                "category": category,
                "solution_status": status,
                "difficulty_tier": tier,
                "seed": number,
                "scenario_id": f"IM-{number:04d}",
            }
        )
        answers: dict[str, Labelled] = {}
        finished = None
        with suppress(ImpossibleMomentsError):
            finished = play(whole.flow(brief), partial(_noted, cast, answers))
        if finished is not None and finished.is_accepted:
            yield Completed(brief, answers, whole, finished, models)


def spread(offers: tuple[tuple[str, str, str], ...]) -> Iterator[tuple[str, str, str]]:
    """Yield offers of category, status and tier, the least frequent category and status first."""
    left, seen = list(offers), Counter[str]()
    while left:
        chosen = min(left, key=lambda each: sum(seen[part] for part in each[:2]))
        left.remove(chosen)
        seen.update(chosen[:2])
        yield chosen


def _noted(cast: Cast, answers: dict[str, Labelled], ask: Ask) -> Labelled:
    if ask.agent == HUMAN:
        raise NotRecorded(ask.assignment.scenario_id, ask.key)  # there is no human to ask
    answers[ask.key] = cast.answer(ask)
    return answers[ask.key]


def _played(
    row: Scenario, answers: Mapping[str, Labelled], models: Mapping[str, frozenset[str]], stage: Stage
) -> Completed:
    """Play a scenario from its record under the present rules."""

    def player(ask: Ask) -> Labelled:
        found = answers.get(ask.key)
        if not isinstance(found, ask.returns):
            raise NotRecorded(row.scenario, ask.key)
        return found

    brief = GenerationBrief.model_validate_json(row.brief)
    finished = play(stage.flow(brief), player)
    if not finished.is_accepted:
        raise ConfigurationError(f"{row.scenario} is not accepted by the present rules: {finished.reason}")
    return Completed(brief, answers, stage, finished, models)


def _stage_of(
    store: Store, folder: Registry, stage: Stage, row: Scenario, models: Mapping[str, frozenset[str]]
) -> Stage:
    by_program = all(name.startswith(BUILTIN) for name in models.get(ATHENA, ()))
    return Stage(
        stage.configuration.joined_by([name for name in models if name not in {*ROLES, HUMAN}]),
        stage.library,
        stage.embedder,
        tuple(Neighbours(folder).before(store, row.scenario).values()),
        stage.reader if by_program else None,
    )


def _models(answers: Mapping[str, Answer]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for answer in answers.values():
        agent = answer.key.split("/")[1]
        found[agent] = found.get(agent, frozenset()) | {answer.model}
    return found
