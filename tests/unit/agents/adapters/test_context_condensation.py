"""Condensed contexts: complete where the task needs it, without what is superseded or repeated."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from pydantic import ValidationError

from impossible_moments.agents.adapters.context_condensation import build_section_reader, condense_context
from impossible_moments.agents.adapters.llm_adapter import LanguageModelAdapter
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.context.view_summaries import iterate_shorter_views
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.refinement import MemoWithoutVetoes, ReviewMemo
from impossible_moments.domain.seed import Distractor, SeedDocument
from impossible_moments.domain.validation import Correction
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.pipeline.cast_selection import ModelResources, build_model_adapter
from support.dossiers import build_accepted_seed
from support.scripted_runs import (
    ScenarioRun,
    change_deliverables,
    change_fields,
    make_obliging_player,
    run_scenario,
)

MANY = tuple(
    Distractor(
        name=f"thing {number}",
        canonical_affordance="x" * 80,
        why_it_misleads="y" * 200,
        why_irrelevant="z" * 200,
        strength="weak",
    )
    for number in range(9)
)
WANTED: Any = (Correction(subject="S1", problem="It is vague."),)


@cache
def _run_with_revision() -> ScenarioRun:
    """Run a scenario with many distractors that three memos want changed."""

    def write_seed(_reply: SeedDocument, ask: Ask) -> SeedDocument:
        question = f"Is version {ask.key[-1]} better?"
        return build_accepted_seed().model_copy(
            update={"distractor_inventory": MANY, "open_questions": (question,)}
        )

    player = change_deliverables(make_obliging_player(), ATHENA, SeedDocument, write_seed)
    for agent in (NEWTON, EULER, GALILEO):
        player = change_fields(player, agent, ReviewMemo, times=1, corrections=WANTED)
    return run_scenario(player)


def _get_ask(key: str) -> Ask:
    (ask,) = [each for each in _run_with_revision().asks if each.key == key]
    return ask


def _get_fields(ask: Ask) -> dict[tuple[str, str], dict[str, Any]]:
    return {(each["author"], each["document"]): each["fields"] for each in condense_context(ask)["sections"]}


@cache
def _build_adapter() -> LanguageModelAdapter:
    settings = load_configuration()
    models = dict.fromkeys(settings.roster, parse_model_reference("openai:gpt-4o"))
    return build_model_adapter(models, settings, load_everyday_library(), ModelResources(), needs_keys=False)


def test_part_4_is_asked_in_validate_and_not_again_in_refine() -> None:
    asked = [each.key for each in _run_with_revision().asks if "/feasibility/" in each.key]
    assert sorted(asked) == [f"{Phase.VALIDATE}/{agent}/feasibility/1" for agent in (EULER, NEWTON)]


@pytest.mark.parametrize("agent", [NEWTON, EULER])
def test_part_4_shows_both_reports_the_record_and_tools(agent: str) -> None:
    ask = _get_ask(f"{Phase.VALIDATE}/{agent}/feasibility/1")
    fields = _get_fields(ask)
    physics, mathematics = fields[NEWTON, "PhysicsReport"], fields[EULER, "MathematicsReport"]
    whole = {
        (each["author"], each["document"]): each["fields"]
        for each in ask.assignment.readable_context["sections"]
    }
    assert physics["claims"] == whole[NEWTON, "PhysicsReport"]["claims"]
    assert mathematics["claims"] == whole[EULER, "MathematicsReport"]["claims"]
    assert "confidence" not in physics
    assert "confidence" not in mathematics
    assert fields[ATHENA, "SeedDocument"]["mechanics"]
    tools = {tool.name for tool in _build_adapter().build_task(ask).tools}
    assert {"evaluate", "execute", "search_world"} <= tools


@pytest.mark.parametrize("agent", ROLES)
def test_a_ballot_holds_every_distractor_and_the_corrections_of_all_memos(agent: str) -> None:
    fields = _get_fields(_get_ask(f"REFINE/{agent}/votes/1"))
    inventory = fields[ATHENA, "SeedDocument"]["distractor_inventory"]
    assert [each["name"] for each in inventory] == [each.name for each in MANY]


@pytest.mark.parametrize(
    "key", ["VALIDATE/NEWTON/physics/1", "REFINE/NEWTON/physics/2", "REFINE/EULER/mathematics/2"]
)
def test_a_validation_request_holds_the_whole_sketch(key: str) -> None:
    ask = _get_ask(key)
    shown = _get_fields(ask)[ATHENA, "SeedDocument"]["solution_sketch"]
    sketch = build_accepted_seed().solution_sketch
    assert [each["claim_id"] for each in shown["claims"]] == [each.claim_id for each in sketch.claims]
    assert len(shown["steps"]) == len(sketch.steps)


def test_a_cut_list_says_how_much_is_left_and_where_the_rest_is() -> None:
    view = {**_get_ask("VALIDATE/NEWTON/physics/1").assignment.readable_context}
    *_, shortest = iterate_shorter_views(view, NEWTON)
    seed = next(each for each in shortest["sections"] if each["document"] == "SeedDocument")
    assert len(seed["fields"]["distractor_inventory"]) == 3
    assert seed["cut_lists"]["distractor_inventory"] == (
        "3 of 9; the rest: read_section(ATHENA, SeedDocument, distractor_inventory)"
    )


def test_work_on_an_earlier_version_is_left_out_and_marked() -> None:
    ask = _get_ask("REFINE/SOCRATES/memo/2")
    context = condense_context(ask)
    memos = [each for each in context["sections"] if each["document"] == "ReviewMemo"]
    # only what its author wanted changed, so that it can see what became of it
    assert {each["author"] for each in memos} <= {SOCRATES}
    (own,) = [
        each
        for each in condense_context(_get_ask("REFINE/NEWTON/memo/2"))["sections"]
        if each["document"] == "ReviewMemo"
    ]
    assert (own["author"], own["superseded"], own["fields"]["corrections"][0]["subject"]) == (
        NEWTON,
        True,
        "S1",
    )
    assert any(line.startswith("NEWTON ReviewMemo (of an earlier version)") for line in context["on_demand"])
    report = _get_fields(_get_ask("REFINE/NEWTON/physics/2"))
    assert (NEWTON, "PhysicsReport") in report  # its author continues it
    assert (EULER, "MathematicsReport") not in report


@pytest.mark.parametrize("agent", ROLES)
@pytest.mark.parametrize("topic", ["memo", "votes"])
def test_refine_does_not_resend_what_nobody_needs(agent: str, topic: str) -> None:
    seed = _get_fields(_get_ask(f"REFINE/{agent}/{topic}/1"))[ATHENA, "SeedDocument"]
    assert {"candidates", "open_questions", "mechanics"}.isdisjoint(seed)


def test_the_memo_requests_hold_what_their_questions_are_about() -> None:
    newton = _get_fields(_get_ask("REFINE/NEWTON/memo/1"))
    assert (
        "confounds" in newton[GALILEO, "GroundingReport"] or "predicted" in newton[GALILEO, "GroundingReport"]
    )
    athena = _get_fields(_get_ask("REFINE/ATHENA/memo/1"))
    assert athena["ORCHESTRATOR", "JointAssessment"]["status"] == "VALIDATED"
    ballot = _get_fields(_get_ask("REFINE/ATHENA/votes/1"))
    assert SOCRATES in {author for author, document in ballot if document == "InformedClassification"}


def test_a_demand_is_sent_once() -> None:
    ask = _get_ask("REFINE/ATHENA/seed/2")
    assert len(ask.assignment.context["notes"]) == len(ask.assignment.context["demands"]) == 1
    assert condense_context(ask)["notes"] == []
    prompt = _build_adapter().build_prompt(ask).user
    assert prompt.count("agents want") == 1


def test_a_short_document_is_read_whole_and_several_fields_at_once() -> None:
    ask = _get_ask("REFINE/SOCRATES/memo/1")
    reader = build_section_reader(ask.assignment.readable_context, Phase.REFINE)
    assert json.loads(reader("SOCRATES", "InformedClassification")["value"])["status"] == "KS"
    several = json.loads(reader("ATHENA", "SeedDocument", "correct_outcome, solution_sketch/steps")["value"])
    assert several["correct_outcome"] == "ESCAPE"
    assert len(several["solution_sketch/steps"]) == 3
    sizes = json.loads(reader("ATHENA", "SeedDocument")["value"])
    assert sizes["distractor_inventory"] > 4_000
    with pytest.raises(ConfigurationError, match="`secret` is not among"):
        reader("ATHENA", "SeedDocument", "correct_outcome, secret")


def test_reading_on_demand_names_the_fields_of_documents_that_are_not_shown() -> None:
    lines = condense_context(_get_ask("REFINE/SOCRATES/memo/1"))["on_demand"]
    seed = next(line for line in lines if line.startswith("ATHENA SeedDocument: "))
    assert "mechanics (" in seed
    assert next(line for line in lines if line.startswith("NEWTON FeasibilityCheck")).endswith(")")


def test_a_blind_reading_has_only_the_text_and_no_tools() -> None:
    ask = _get_ask("CLASSIFY/SOCRATES/classification/1")
    context = condense_context(ask)
    assert [(each["document"], [*each["fields"]]) for each in context["sections"]] == [
        ("SeedDocument", ["scenario"])
    ]
    assert "on_demand" not in context
    assert _build_adapter().build_task(ask).tools == ()


@pytest.mark.parametrize("agent", ROLES)
def test_only_agents_that_can_veto_are_offered_vetoes(agent: str) -> None:
    task = _build_adapter().build_task(_get_ask(f"REFINE/{agent}/memo/1"))
    assert ("vetoes" in task.returns.model_fields) is (agent in {NEWTON, EULER})


def test_a_memo_without_vetoes_becomes_a_memo() -> None:
    given = MemoWithoutVetoes(text="Seen.", corrections=WANTED, confidence=0.8)
    assert given.to_memo() == ReviewMemo(text="Seen.", corrections=WANTED, confidence=0.8)
    assert MemoWithoutVetoes.model_validate({**given.model_dump(), "vetoes": []}) == given
    with pytest.raises(ValidationError, match="vetoes"):
        MemoWithoutVetoes.model_validate({**given.model_dump(), "vetoes": [{}]})
