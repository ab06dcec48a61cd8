"""Completed scenarios with all their answers, read from a ledger or created by the built-in cast."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle

from pydantic import ValidationError

from impossible_moments.agents import DELIVERABLES, run_flow_with_player
from impossible_moments.agents.adapters import NAME as BUILTIN
from impossible_moments.agents.builtin import BuiltinCast, list_reachable_targets
from impossible_moments.agents.orchestrator import Ask, Configuration, Flow, Reader, build_scenario_rules
from impossible_moments.agents.orchestrator.orchestrator import CreationOutcome, create_scenario
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.vocabulary import ATHENA, HUMAN, ROLES
from impossible_moments.errors import ConfigurationError, ImpossibleMomentsError
from impossible_moments.ledger import (
    AnsweredAsk,
    LedgerStore,
    ScenarioRow,
    ScenarioState,
    leases,
    list_answers,
)
from impossible_moments.mechanics.records import Library
from impossible_moments.pipeline.publishing import EarlierScenarios
from impossible_moments.pipeline.replay import UnrecordedAskError
from impossible_moments.scenarios import ScenarioRegistry
from impossible_moments.scenarios.similarity import ComparedScenario, Corpus, Embedder


@dataclass(frozen=True)
class ScenarioSetup:
    """The settings of a scenario, and what was known when it was begun."""

    configuration: Configuration
    library: Library
    embedder: Embedder
    registry: tuple[ComparedScenario, ...] = ()
    """The scenarios published before it, which no seed may repeat."""
    reader: Reader | None = None
    """Tries to solve the public document, if the built-in cast designed the scenario."""

    def build_flow(self, brief: GenerationBrief) -> Flow[CreationOutcome]:
        """Build the whole creation flow of a brief."""
        rules = build_scenario_rules(
            self.configuration,
            self.library,
            self.embedder,
            corpus=Corpus.from_scenarios(self.registry, self.embedder) if self.registry else None,
            taken=frozenset(each.name for each in self.registry),
            reader=self.reader,
        )
        return create_scenario(brief, rules)


@dataclass(frozen=True)
class CompletedScenario:
    """An accepted scenario that can be played again."""

    brief: GenerationBrief
    answers: Mapping[str, LabelledModel]
    """All answers of agents and humans, by the keys of their asks."""
    stage: ScenarioSetup
    finished: CreationOutcome
    models: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The models that answered for each agent."""

    @property
    def scenario(self) -> str:
        """The scenario's identifier."""
        return self.brief.scenario_id


def parse_answers(answers: Mapping[str, AnsweredAsk]) -> dict[str, LabelledModel]:
    """Parse the answers of a ledger into deliverables.

    Raises `ConfigurationError` if this version cannot read one of them.
    """
    found = {}
    for key, answer in answers.items():
        try:
            found[key] = DELIVERABLES[answer.returns].model_validate_json(answer.reply)
        except (KeyError, ValidationError):
            raise ConfigurationError(
                f"The recorded answer to the ask {key} is a {answer.returns} that this version cannot read. Use the version "
                f"that recorded it ({answer.code_version or 'unknown'})."
            ) from None
    return found


def iterate_completed_scenarios(
    store: LedgerStore, folder: ScenarioRegistry, stage: ScenarioSetup, *, agent: str
) -> Iterator[CompletedScenario]:
    """Yield the accepted scenarios of a ledger in which an agent was asked, the newest first.

    Scenarios that no longer play as recorded, because the rules have changed, are left out.
    """
    rows = [
        row for row in store.read_and_wait(leases.list_scenario_rows) if row.state is ScenarioState.ACCEPTED
    ]
    for row in sorted(rows, key=lambda each: (-each.changed_at, each.scenario)):
        answers = store.read_and_wait(partial(list_answers, scenario=row.scenario))
        models, found = _collect_models_by_agent(answers), None
        if agent in models:
            with suppress(ImpossibleMomentsError):
                own = _build_recorded_setup(store, folder, stage, row, models)
                found = _replay_recorded_scenario(row, parse_answers(answers), models, own)
        if found is not None:
            yield found


def build_recorded_flow(
    store: LedgerStore,
    folder: ScenarioRegistry,
    stage: ScenarioSetup,
    row: ScenarioRow,
    answers: Mapping[str, AnsweredAsk],
) -> Flow[CreationOutcome]:
    """Build the flow of a recorded scenario with the agents that took part in it."""
    setup = _build_recorded_setup(store, folder, stage, row, _collect_models_by_agent(answers))
    return setup.build_flow(GenerationBrief.model_validate_json(row.brief))


def generate_builtin_scenarios(cast: BuiltinCast, stage: ScenarioSetup) -> Iterator[CompletedScenario]:
    """Yield scenarios of the built-in cast with fixed seeds, of varied categories and statuses."""
    whole = ScenarioSetup(
        stage.configuration, stage.library, stage.embedder, reader=cast.find_document_shortcoming
    )
    models = dict.fromkeys(whole.configuration.roster, frozenset({BUILTIN}))
    offers = cycle(tuple(order_offers_by_variety(list_reachable_targets(cast.catalogue))))
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
        answers: dict[str, LabelledModel] = {}
        finished = None
        with suppress(ImpossibleMomentsError):
            finished = run_flow_with_player(
                whole.build_flow(brief), partial(_answer_ask_with_builtin_cast, cast, answers)
            )
        if finished is not None and finished.is_accepted:
            yield CompletedScenario(brief, answers, whole, finished, models)


def order_offers_by_variety(offers: tuple[tuple[str, str, str], ...]) -> Iterator[tuple[str, str, str]]:
    """Yield offers of category, status and tier, the least frequent category and status first."""
    left, seen = list(offers), Counter[str]()
    while left:
        chosen = min(left, key=lambda each: sum(seen[part] for part in each[:2]))
        left.remove(chosen)
        seen.update(chosen[:2])
        yield chosen


def _answer_ask_with_builtin_cast(
    cast: BuiltinCast, answers: dict[str, LabelledModel], ask: Ask
) -> LabelledModel:
    if ask.agent == HUMAN:
        raise UnrecordedAskError(ask.assignment.scenario_id, ask.key)  # there is no human to ask
    answers[ask.key] = cast.answer(ask)
    return answers[ask.key]


def _replay_recorded_scenario(
    row: ScenarioRow,
    answers: Mapping[str, LabelledModel],
    models: Mapping[str, frozenset[str]],
    stage: ScenarioSetup,
) -> CompletedScenario:
    """Play a scenario from its record under the present rules."""

    def answer_from_record(ask: Ask) -> LabelledModel:
        found = answers.get(ask.key)
        if not isinstance(found, ask.returns):
            raise UnrecordedAskError(row.scenario, ask.key)
        return found

    brief = GenerationBrief.model_validate_json(row.brief)
    finished = run_flow_with_player(stage.build_flow(brief), answer_from_record)
    if not finished.is_accepted:
        raise ConfigurationError(f"{row.scenario} is not accepted by the present rules: {finished.reason}")
    return CompletedScenario(brief, answers, stage, finished, models)


def _build_recorded_setup(
    store: LedgerStore,
    folder: ScenarioRegistry,
    stage: ScenarioSetup,
    row: ScenarioRow,
    models: Mapping[str, frozenset[str]],
) -> ScenarioSetup:
    by_program = all(name.startswith(BUILTIN) for name in models.get(ATHENA, ()))
    return ScenarioSetup(
        stage.configuration.enable_agents([name for name in models if name not in {*ROLES, HUMAN}]),
        stage.library,
        stage.embedder,
        tuple(EarlierScenarios(folder).collect_published_before(store, row.scenario).values()),
        stage.reader if by_program else None,
    )


def _collect_models_by_agent(answers: Mapping[str, AnsweredAsk]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for answer in answers.values():
        agent = answer.key.split("/")[1]
        found[agent] = found.get(agent, frozenset()) | {answer.model}
    return found
