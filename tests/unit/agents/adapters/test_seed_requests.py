"""ATHENA is asked for a proposal first and for a revision later; both become a checked seed document."""

from dataclasses import replace
from typing import Any

import pytest

from impossible_moments.agents.adapters.seed_faults import find_tier_faults
from impossible_moments.agents.adapters.seed_requests import (
    SeedProposalRequest,
    SeedRevisionRequest,
    build_seed_request,
)
from impossible_moments.agents.orchestrator.flow import Ask, Assignment
from impossible_moments.domain.difficulty import Profile
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.seed_revision import RevisionOperation, SeedProposal, SeedRevision
from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.dossiers import PROFILE
from support.example_seed import build_accepted_seed

BRIEF = {"category": "The Locked Room", "difficulty_tier": "FRACTURE", "solution_status": "KS"}
DEMAND = {
    "demanded_by": "NEWTON",
    "subject": "friction",
    "demand": "State the friction of the floor.",
    "evidence": "mu*m*g",
    "proposal": "0.4",
}


def ask_for_seed(*, last: SeedDocument | None = None, demands: tuple[dict[str, str], ...] = ()) -> Ask:
    context: dict[str, Any] = {"brief": BRIEF, "sections": [], "notes": [], "demands": list(demands)}
    if last is not None:
        fields = last.model_dump(mode="json")
        context["sections"] = [
            {"author": ATHENA, "phase": "SEED", "document": "SeedDocument", "iteration": 0, "fields": fields}
        ]
    assignment = Assignment(ATHENA, Phase.VALIDATE, "IM-0001", "Revise it.", context, "SeedDocument", 10_000)
    return Ask("VALIDATE/ATHENA/seed/1", assignment, SeedDocument)


def request_revision(*demands: dict[str, str]) -> SeedRevisionRequest:
    request = build_seed_request(
        ask_for_seed(last=build_accepted_seed(), demands=demands), load_everyday_library()
    )
    assert isinstance(request, SeedRevisionRequest)
    return request


def write_revision(*operations: dict[str, Any], answers: tuple[dict[str, Any], ...] = ()) -> SeedRevision:
    return SeedRevision.model_validate({"operations": operations, "answers": answers, "confidence": 0.8})


def test_without_a_seed_in_the_context_a_proposal_is_asked_for() -> None:
    request = build_seed_request(ask_for_seed(), load_everyday_library())

    assert isinstance(request, SeedProposalRequest)
    assert (request.ask.returns, request.ask.assignment.returns) == (SeedProposal, "SeedProposal")


def test_a_seed_that_is_only_summarised_is_not_revised_by_operations() -> None:
    ask = ask_for_seed(last=build_accepted_seed())
    sections = ask.assignment.context["sections"]
    summary = {**sections[0], "fields": {"scenario": sections[0]["fields"]["scenario"]}}
    context = {**ask.assignment.context, "sections": [summary]}
    cut = replace(ask, assignment=replace(ask.assignment, context=context))

    assert isinstance(build_seed_request(cut, load_everyday_library()), SeedProposalRequest)


def test_the_task_of_a_revision_says_how_many_demands_there_are() -> None:
    task = request_revision(DEMAND, DEMAND).ask.assignment.task

    assert task.startswith("Revise it. Hand in a SeedRevision")
    assert "each of the 2 entries of `demands`" in task


def test_every_demand_needs_one_answer() -> None:
    answers = (
        {"demand": 2, "answer": "done", "explanation": "x"},
        {"demand": 3, "answer": "refused", "explanation": "y"},
    )
    faults = request_revision(DEMAND, DEMAND).review(write_revision(answers=answers)).faults

    assert any(each.startswith("demand 1 has no answer") for each in faults)
    assert any(each.startswith("demand 3 does not exist; there are 2") for each in faults)
    assert not any(each.startswith("demand 2") for each in faults)


def test_a_revision_becomes_the_whole_revised_seed() -> None:
    request = request_revision()
    revision = write_revision({"op": "replace", "path": "/correct_outcome", "value": "You are out in time."})
    seed = request.convert_to_seed(revision)

    assert type(seed) is SeedDocument
    assert seed.correct_outcome == "You are out in time."
    assert seed.confidence == 0.8
    assert seed.mechanics == build_accepted_seed().mechanics


def test_the_answers_to_demands_become_revision_notes() -> None:
    request = request_revision(DEMAND, {**DEMAND, "demand": "Remove the banana.", "subject": ""})
    answers = (
        {"demand": 2, "answer": "refused", "explanation": "It is a distractor."},
        {"demand": 1, "answer": "done", "explanation": "The floor has 0.4."},
    )
    first = request.convert_to_seed(write_revision(answers=answers))
    assert first.revision_notes == (
        "NEWTON on friction: State the friction of the floor. Done: The floor has 0.4.",
        "NEWTON: Remove the banana. Refused: It is a distractor.",
    )
    again = build_seed_request(ask_for_seed(last=first, demands=(DEMAND,)), load_everyday_library())
    assert isinstance(again, SeedRevisionRequest)
    second = again.convert_to_seed(write_revision(answers=answers[1:]))
    assert second.revision_notes == (*first.revision_notes, first.revision_notes[0])


def test_a_path_that_does_not_exist_is_handed_back() -> None:
    revision = write_revision({"op": "replace", "path": "/scenario/weather", "value": "fog"})

    assert "/scenario has no field `weather`" in request_revision().review(revision).faults[0]


def test_findings_of_a_trial_are_those_of_the_revised_record() -> None:
    operation = RevisionOperation(op="replace", path="/mechanics/goal", value="no_such_thing.open")
    found = request_revision().check_revision([operation])

    assert found["accepted"] is False
    assert "no_such_thing" in str(found["findings"])


def test_text_that_came_from_the_record_follows_a_revision_of_the_record() -> None:
    last = build_accepted_seed()
    emptied = last.model_copy(update={"scenario": last.scenario.model_copy(update={"narrative": ""})})
    library = load_everyday_library()
    printed = SeedRevisionRequest(ask_for_seed(), library, emptied).convert_to_seed(write_revision())
    prose = f"{printed.mechanics['prose']['narrative']} The lamp flickers."
    revision = write_revision({"op": "replace", "path": "/mechanics/prose/narrative", "value": prose})
    revised = SeedRevisionRequest(ask_for_seed(), library, printed).convert_to_seed(revision)

    assert printed.scenario.narrative
    assert revised.scenario.narrative == f"{printed.scenario.narrative} The lamp flickers."


@pytest.mark.parametrize(
    ("profile", "tier", "sentence"),
    [
        (PROFILE, "FRACTURE", None),
        (
            PROFILE,
            "RUPTURE",
            "your profile 3.2.2.2.3.2 matches FRACTURE, and the brief asks for RUPTURE: D is 2 and needs 3 to 4",
        ),
        (
            Profile(I=1, D=1, C=1, B=1, T=1, X=1),
            "IMPOSSIBLE",
            "IMPOSSIBLE needs at least two dimensions at 5",
        ),
        (Profile(I=2, D=2, C=2, B=1, T=1, X=2), "SPARK", "a harder tier also matches"),
    ],
)
def test_the_tier_of_the_profile_is_compared_with_the_brief(
    profile: Profile, tier: str, sentence: str | None
) -> None:
    faults = list(find_tier_faults(profile, {**BRIEF, "difficulty_tier": tier}))

    assert (faults == []) if sentence is None else (len(faults) == 1 and sentence in faults[0])


def test_a_proposal_in_another_tier_goes_back_and_the_seed_keeps_no_scores() -> None:
    request = build_seed_request(ask_for_seed(), load_everyday_library())
    assert isinstance(request, SeedProposalRequest)
    easy = dict.fromkeys("IDCBTX", 1)
    proposal = SeedProposal.model_validate(
        {**build_accepted_seed().model_dump(mode="json"), "profile": easy, "profile_reasons": {}}
    )
    reviewed = request.review(proposal)

    assert any("matches SPARK, and the brief asks for FRACTURE" in each for each in reviewed.faults)
    assert type(request.convert_to_seed(reviewed.deliverable)) is SeedDocument
