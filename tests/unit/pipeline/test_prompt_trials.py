"""The testing protocol for prompts: one agent is asked anew, all others are remembered, and what changes is told."""

from __future__ import annotations

import asyncio
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from impossible_moments.agents.adapters.builtin_adapter import BuiltinAdapter
from impossible_moments.agents.adapters.performer import PerformedAsk, Performer
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.disputes import HumanDecision, Option
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, EULER, HUMAN, NEWTON, SOCRATES
from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.answered_asks import AnsweredAsk
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.ledger.store import LedgerStore
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.pipeline.clock import FixedClock, SystemClock
from impossible_moments.pipeline.completed_scenarios import (
    CompletedScenario,
    ScenarioSetup,
    generate_builtin_scenarios,
    iterate_completed_scenarios,
    order_offers_by_variety,
    parse_answers,
)
from impossible_moments.pipeline.ledger_places import LEDGER
from impossible_moments.pipeline.performers import ScriptedPerformer
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.pipeline.prompt_trials import (
    PromptTrial,
    RunEnding,
    TrialCandidate,
    TrialComparison,
    extract_run_ending,
    run_prompt_trial,
)
from impossible_moments.pipeline.review_desk import ReviewDesk
from impossible_moments.scenarios.registry import ScenarioRegistry
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder
from support.performer_doubles import PlainPerformer
from support.played_scenarios import make_concerned_player, run_scenario


@cache
def stage() -> ScenarioSetup:
    return ScenarioSetup(load_configuration(), load_everyday_library(), TfidfEmbedder())


@pytest.fixture(scope="module")
def completed() -> tuple[CompletedScenario, ...]:
    """Three scenarios of the built-in cast."""
    return tuple(islice(generate_builtin_scenarios(load_builtin_cast(), stage()), 3))


def trial_on(scenarios: tuple[CompletedScenario, ...], agent: str, performer: Performer) -> PromptTrial:
    return asyncio.run(run_prompt_trial(TrialCandidate(agent, performer, BuiltinAdapter()), scenarios))


def remembering(*scenarios: CompletedScenario) -> Performer:
    """An agent that says what it said."""
    return ScriptedPerformer(
        lambda ask: next(each for each in scenarios if each.scenario == ask.assignment.scenario_id).answers[
            ask.key
        ]
    )


class Failing(PlainPerformer):
    """A model that cannot be asked."""

    def __init__(self, problem: Exception) -> None:
        self.problem, self.asked = problem, 0

    async def perform(self, _ask: Ask) -> PerformedAsk:
        self.asked += 1
        raise self.problem


@pytest.mark.parametrize("agent", [ATHENA, NEWTON, SOCRATES])
def test_an_agent_that_says_the_same_changes_nothing(
    completed: tuple[CompletedScenario, ...], agent: str
) -> None:
    trial = trial_on(completed, agent, remembering(*completed))

    assert trial.changed == 0
    assert all(each.asks > 0 and each.unrecorded == () for each in trial.comparisons)


def test_another_story_is_another_solution_and_what_the_record_lacks_is_counted(
    completed: tuple[CompletedScenario, ...],
) -> None:
    """ATHENA hands in the built-in cast's story for another seed; the others know nothing of it."""

    def hand_in_other_story(scenario: CompletedScenario, seed: int) -> TrialComparison:
        brief = scenario.brief.model_copy(update={"seed": seed})

        def other(ask: Ask) -> LabelledModel:
            ask.assignment.readable_context["brief"] = brief.model_dump(mode="json")
            return load_builtin_cast().answer(ask)

        (found,) = trial_on((scenario,), ATHENA, ScriptedPerformer(other)).comparisons
        return found

    # the catalogue has another solution for some of the briefs and seeds
    trials = (
        hand_in_other_story(scenario, scenario.brief.seed + more)
        for more in (1, 3, 5)
        for scenario in completed
    )
    comparison = next(each for each in trials if each.changes and each.unrecorded)
    assert {key.split("/")[1] for key in comparison.unrecorded}.isdisjoint({ATHENA, HUMAN})


@pytest.mark.parametrize(
    ("new", "changes"),
    [
        (RunEnding(ScenarioState.ACCEPTED, "KS", ("a()",), "SPARK"), ()),
        (RunEnding(ScenarioState.ACCEPTED, "KS-Fragile", ("a()",), "SPARK"), ("classification",)),
        (RunEnding(ScenarioState.ACCEPTED, "KS", ("b()",), "SPARK"), ("solution",)),
        (
            RunEnding(ScenarioState.ACCEPTED, "PX", (), "RUPTURE"),
            ("classification", "solution", "difficulty tier"),
        ),
        (RunEnding(ScenarioState.DISCARDED, reason="in SEED, a copy"), ("discarded: in SEED, a copy",)),
        (RunEnding(ScenarioState.FAILED, reason="it broke"), ("failed: it broke",)),
    ],
)
def test_what_changes_is_named(new: RunEnding, changes: tuple[str, ...]) -> None:
    recorded = RunEnding(ScenarioState.ACCEPTED, "KS", ("a()",), "SPARK")

    assert TrialComparison("IM-0001", recorded, new, 1).changes == changes


@pytest.mark.parametrize(
    "problem",
    [ModelFailure(FailureKind.RATE, "x"), ModelFailure(FailureKind.WRONG_KEY, "x"), ConfigurationError("no")],
)
def test_a_failure_that_says_nothing_of_the_prompt_stops_the_trial(
    completed: tuple[CompletedScenario, ...], problem: Exception
) -> None:
    trial = trial_on(completed, EULER, Failing(problem))

    assert (trial.stopped, trial.comparisons, trial.wanted) == (problem, (), 3)


def test_a_failure_that_a_prompt_can_cause_is_a_changed_scenario(
    completed: tuple[CompletedScenario, ...],
) -> None:
    failing = Failing(ModelFailure(FailureKind.NO_DELIVERABLE, "x"))
    trial = trial_on(completed, EULER, failing)

    assert (trial.stopped, trial.changed, failing.asked) == (None, 3, 3)
    assert all(each.new.state is ScenarioState.FAILED for each in trial.comparisons)


def test_a_mistake_of_anybody_leaves_the_other_scenarios_alone(
    completed: tuple[CompletedScenario, ...],
) -> None:
    told = remembering(*completed)

    class Odd(PlainPerformer):
        async def perform(self, ask: Ask) -> PerformedAsk:
            if ask.assignment.scenario_id == completed[1].scenario:
                raise ZeroDivisionError("by accident")
            return await told.perform(ask)

    trial = trial_on(completed, EULER, Odd())

    assert [bool(each.changes) for each in trial.comparisons] == [False, True, False]
    assert "ZeroDivisionError: by accident" in trial.comparisons[1].changes[0]


@pytest.mark.slow
def test_scenarios_made_on_the_spot_are_of_many_kinds_and_always_the_same() -> None:
    found = tuple(islice(generate_builtin_scenarios(load_builtin_cast(), stage()), 14))
    briefs, again = (
        [each.brief for each in found],
        next(generate_builtin_scenarios(load_builtin_cast(), stage())),
    )

    assert len({each.category for each in briefs}) >= 6
    assert len({each.solution_status for each in briefs}) == 6
    assert again.answers == found[0].answers


def test_where_no_way_is_computed_the_reason_or_the_criteria_stand_for_the_solution() -> None:
    kinds = {"OF": None, "PX": None}
    for each in islice(generate_builtin_scenarios(load_builtin_cast(), stage()), 12):
        if each.brief.solution_status in kinds:
            sketch = each.finished.dossier.find_latest_deliverable(SeedDocument).solution_sketch  # type: ignore[union-attr]
            ending = extract_run_ending(each.finished, load_everyday_library())
            assert ending.solution in {sketch.evaluation_criteria, (sketch.impossibility_proof,)}
            assert ending.solution
            kinds.pop(each.brief.solution_status)

    assert kinds == {}


def test_spreading_keeps_every_offer_and_brings_the_rare_first() -> None:
    offers = (("A", "KS", "SPARK"), ("A", "KS", "FRACTURE"), ("A", "PX", "SPARK"), ("B", "CT", "SPARK"))

    assert tuple(order_offers_by_variety(offers)) == (offers[0], offers[3], offers[2], offers[1])


def test_completed_scenarios_of_a_folder_come_newest_first_but_for_those_that_play_no_more(
    tmp_path: Path,
) -> None:
    for at, status in ((100.0, "KS"), (300.0, "DG"), (200.0, "KS")):
        brief = GenerationBrief.model_validate(
            {
                "category": "The Misdirection",
                "difficulty_tier": "SPARK",
                "solution_status": status,
                "seed": int(at),
            }
        )
        found = Pipeline(output=tmp_path, performer=BuiltinAdapter(), clock=FixedClock(at)).generate(brief)
        assert found.state is ScenarioState.ACCEPTED
    with LedgerStore(tmp_path / LEDGER) as store:

        def names(agent: str) -> list[str]:
            return [
                each.scenario
                for each in iterate_completed_scenarios(
                    store, ScenarioRegistry(tmp_path), stage(), agent=agent
                )
            ]

        before = names(EULER)
        store.commit_and_wait(
            lambda transaction: transaction.execute_change(
                "DELETE FROM answers WHERE scenario = 'IM-0003' AND ask_key = 'REFINE/NEWTON/memo/1'"
            )
        )

        assert before == ["IM-0002", "IM-0003", "IM-0001"]
        assert names(EULER) == ["IM-0002", "IM-0001"]
        assert names("DARWIN") == []


def test_what_a_human_decided_is_part_of_the_record(tmp_path: Path) -> None:
    assert run_scenario(tmp_path, make_concerned_player()).state is ScenarioState.AWAITING_HUMAN
    with LedgerStore(tmp_path / LEDGER) as store:
        decision = HumanDecision(option=Option.RESOLVE, justification="It is fiction.")
        ReviewDesk(store, SystemClock(), "").record_decision("IM-0001", decision)
    assert run_scenario(tmp_path, make_concerned_player()).state is ScenarioState.ACCEPTED
    with LedgerStore(tmp_path / LEDGER) as store:
        (found,) = iterate_completed_scenarios(store, ScenarioRegistry(tmp_path), stage(), agent=EULER)

    trial = trial_on((found,), EULER, remembering(found))

    assert trial.changed == 0
    assert any(isinstance(each, HumanDecision) for each in found.answers.values())


def test_an_answer_of_an_unknown_kind_is_a_sentence() -> None:
    answer = AnsweredAsk("SEED/ATHENA/seed/1", 1, "", b"{}", "Poem", code_version="0.1")

    with pytest.raises(ConfigurationError, match="is a Poem that this version cannot read"):
        parse_answers({answer.key: answer})
