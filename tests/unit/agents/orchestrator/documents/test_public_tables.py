"""The public document has no empty rows: cells, capabilities, sentences and wrong answers are computed where a seed has none."""

from __future__ import annotations

import re

import pytest

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.documents.apparent_impossibility import count_sentences
from impossible_moments.agents.orchestrator.documents.public_tables import is_filler
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, Phase
from impossible_moments.library.everyday_library import load_everyday_library
from support.built_documents import BY_STATUS, build_golden_documents
from support.finished_dossiers import PROMPTS, build_finished_dossier

TOKENS = {
    "KS": "ESCAPE", "CT": "WEIGH", "OF": "PROPOSE", "PX": "PROVE-IMPOSSIBLE", "MT": "REFRAME",
}  # fmt: skip


def render_with_seed(**changes: object) -> str:
    dossier = build_finished_dossier()
    return build_documents(_replace_seed(dossier, **changes), load_everyday_library(), prompts=PROMPTS).public


def _replace_seed(dossier: Dossier, **changes: object) -> Dossier:
    seed = dossier.find_latest_deliverable(SeedDocument)
    assert seed is not None
    scenario: dict[str, object] = {
        key: changes.pop(key) for key in ("objects", "capabilities") if key in changes
    }
    updated = seed.model_copy(update={**changes, "scenario": seed.scenario.model_copy(update=scenario)})
    return dossier.add_deliverable(Phase.SEED, ATHENA, updated)


def read_section(text: str, heading: str) -> str:
    return re.split(r"^#{2,3} ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize(("status", "token"), TOKENS.items())
def test_the_outcome_is_a_token_of_the_status_or_goal(status: str, token: str) -> None:
    assert f"**Correct Outcome**: {token}\n" in build_golden_documents(BY_STATUS[status]).public


def test_the_sentence_of_the_outcome_stands_in_the_evaluation_document_alone() -> None:
    dossier = _replace_seed(build_finished_dossier(), correct_outcome="Throw the chair and climb")
    documents = build_documents(dossier, load_everyday_library(), prompts=PROMPTS)
    assert "Correct outcome: Throw the chair and climb." in documents.evaluation
    assert "Throw the chair" not in documents.public


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_the_impossibility_is_explained_in_two_or_three_sentences(name: str) -> None:
    section = read_section(build_golden_documents(name).public, "Why This Looks Impossible")
    assert count_sentences(section) in {2, 3}


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_no_solving_step_is_named_as_an_idea_that_fails(name: str) -> None:
    documents = build_golden_documents(name)
    section = read_section(documents.public, "Why This Looks Impossible")
    steps = re.findall(
        r"^\| \d+ \| (.+?) \|", read_section(documents.evaluation, "Step-by-step Solution"), re.MULTILINE
    )
    assert [step for step in steps if f"“{step}”" in section] == []


def test_a_missing_cell_is_taken_from_the_record_or_the_library() -> None:
    seed = build_finished_dossier().find_latest_deliverable(SeedDocument)
    assert seed is not None
    blank = {"mass": "none stated", "dimensions": "none stated", "material": "none stated"}
    objects = tuple(row.model_copy(update=blank) for row in seed.scenario.objects)
    table = read_section(render_with_seed(objects=objects), "Available Objects")
    assert "none stated" not in table
    (chair,) = (line for line in table.splitlines() if re.match(r"\| [^|]*chair", line))
    assert re.search(r"\| [\d.]+ kg \|", chair)


def test_a_row_that_states_nothing_is_left_out() -> None:
    seed = build_finished_dossier().find_latest_deliverable(SeedDocument)
    assert seed is not None
    row = seed.scenario.objects[0].model_copy(
        update={
            "name": "The verger",
            "mass": "none stated",
            "dimensions": "",
            "material": "—",
            "notes": "as told above",
        }
    )
    assert "The verger" not in render_with_seed(objects=(*seed.scenario.objects, row))


def test_no_capability_is_added_that_the_blind_reader_did_not_see() -> None:
    table = read_section(render_with_seed(capabilities=()), "Agent Capabilities")
    assert "600 N" not in table


def test_an_ordinary_adult_is_no_capability() -> None:
    assert is_filler("an ordinary adult")


def test_wrong_answers_are_taken_from_failing_approaches_if_none_is_stated() -> None:
    table = read_section(render_with_seed(wrong_answers=()), "Common Wrong Answers")
    assert "| — |" not in table
    assert "30 kN" in table


@pytest.mark.parametrize(
    ("text", "number"),
    [("", 0), ("One", 1), ("One. Two.", 2), ("He said “no”. Two! Three?", 3), ("It is 3.5 m high.", 1)],
)
def test_sentences_are_counted(text: str, number: int) -> None:
    assert count_sentences(text) == number
