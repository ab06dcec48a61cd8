"""The evaluation document is written in words: no names of the record, no empty reasons, times that agree."""

from __future__ import annotations

import re
from functools import cache

import pytest

from impossible_moments.agents.orchestrator.document_builder import build_documents
from impossible_moments.agents.orchestrator.documents.finished_case import FinishedCase
from impossible_moments.agents.orchestrator.documents.step_tables import PlanTimeFormat
from impossible_moments.agents.orchestrator.documents.wording.record_wording import format_margin
from impossible_moments.agents.orchestrator.documents.works_cited import format_citations
from impossible_moments.domain.seed import SeedDocument, WrongAnswer
from impossible_moments.library import decode_accents, load_everyday_library, load_research_works
from impossible_moments.mechanics.execution import ExecutedStep, PlanOutcome
from support.built_documents import BY_STATUS, build_golden_documents
from support.dossiers import change_deliverables
from support.finished_dossiers import PROMPTS, build_finished_dossier, build_seed
from support.golden_records import check_golden_record

YEAR = 31_557_600.0
WORDED = ("Step-by-step Solution", "Distractor Analysis", "Counterfactual Variants")


def read_section(text: str, heading: str) -> str:
    return re.split(r"^#{2,3} ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize("name", BY_STATUS.values())
@pytest.mark.parametrize("heading", WORDED)
def test_a_table_has_neither_code_nor_empty_cells(name: str, heading: str) -> None:
    section = read_section(build_golden_documents(name).evaluation, heading)
    assert "`" not in section
    assert "| — |" not in section


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_no_condition_is_called_by_its_name_in_the_record(name: str) -> None:
    head = build_golden_documents(name).evaluation.partition("### Physics Validation")[0]
    body = head.partition("**Impossibility proof**")[0]
    assert re.findall(r"\b(?:blocked|never) [a-z]+_?[a-z]*\.?[a-z_]+ \|", body) == []


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_no_count_is_vacuous(name: str) -> None:
    assert not re.search(r"\b0 (?:cells|pairs|of 0)", build_golden_documents(name).evaluation)


def test_variants_of_a_solvable_scenario_end_differently() -> None:
    section = read_section(build_golden_documents().evaluation, "Counterfactual Variants")
    assert "| no longer solvable by these means |" in section
    assert "| still solvable |" in section


def test_each_insight_says_to_what_it_raises_insight_depth() -> None:
    section = read_section(build_golden_documents().evaluation, "Key Insights")
    assert re.findall(r"raises I to (\d)", section) == ["1", "2"]


def test_the_tier_is_explained_by_its_bounds() -> None:
    section = read_section(build_golden_documents().evaluation, "Difficulty Profile")
    assert "FRACTURE asks for I 2-3" in section


def test_equal_steps_print_equal_times_that_add_up() -> None:
    steps = tuple(ExecutedStep(f"s{at}", at * 3 * YEAR, 3 * YEAR, ()) for at in range(3))
    clock = PlanTimeFormat.from_outcome(PlanOutcome("goal", 9 * YEAR, None, steps))
    assert clock.format_time(clock.round_to_unit(3 * YEAR)) == "3 years"


def test_a_third_of_a_minute_is_printed_in_decimals_that_add_up() -> None:
    took = 700.0 / 3
    steps = tuple(ExecutedStep(f"s{at}", at * took, took, ()) for at in range(3))
    clock = PlanTimeFormat.from_outcome(PlanOutcome("goal", 700.0, None, steps))
    assert clock.name == "min"
    assert round(3 * clock.round_to_unit(took), clock.decimals) == pytest.approx(
        700.0 / 60, abs=2 * 10**-clock.decimals
    )


def test_times_that_are_exact_are_printed_each_in_the_unit_that_suits_it() -> None:
    steps = (
        ExecutedStep("a", 0.0, 600.0, ()),
        ExecutedStep("b", 600.0, 164_700.0, ()),
        ExecutedStep("c", 165_300.0, 45.0, ()),
    )
    clock = PlanTimeFormat.from_outcome(PlanOutcome("goal", 165_345.0, None, steps))
    printed = [clock.format_time(clock.round_to_unit(each)) for each in (600.0, 164_700.0, 45.0, 165_345.0)]
    assert printed == ["10 min", "45.75 h", "45 s", "45 h 55.75 min"]


@pytest.mark.parametrize(
    ("margin", "text"),
    [(0.25, "+25%"), (-0.5, "-50%"), (-431.0, "exceeded by a factor of 432"), (None, "not measurable")],
)
def test_a_margin_is_readable(margin: float | None, text: str) -> None:
    assert format_margin(margin) == text


@cache
def build_case(name: str) -> FinishedCase:
    metadata = build_golden_documents(name).metadata
    return FinishedCase(build_finished_dossier(name), build_seed(name), check_golden_record(name), metadata)


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_claims_and_proofs_are_printed_without_names_of_the_record(name: str) -> None:
    evaluation = build_golden_documents(name).evaluation
    validation = evaluation.partition("### Physics Validation")[2].partition("###")[0]
    assert "`" not in validation


def test_names_in_the_text_of_an_agent_are_replaced_by_words() -> None:
    case = build_case("blast_room")
    assert case.wording is not None
    name, plan = next(iter(case.wording.analysis.plans.items()))
    text = case.replace_record_names(f"Executed: `{name}` ends `late`; {plan[0].text} comes first.")
    words = case.wording.describe_plan(tuple(move.text for move in plan))
    first = case.wording.describe_call(plan[0].text)
    assert text == f"Executed: “{words}” ends too late; “{first}” comes first."


def test_an_open_frontier_is_described_in_sentences() -> None:
    section = build_golden_documents(BY_STATUS["OF"]).evaluation.partition("**Evaluation envelope**")[2]
    rows = [line for line in section.partition("**What")[0].splitlines() if line.startswith("| ")][2:]
    assert rows
    assert all("must be" in row and "answer's" in row for row in rows), rows


def test_a_work_is_cited_with_author_year_title_and_venue() -> None:
    assert format_citations(["duncker1945problem"]) == [
        "Duncker, Karl (1945). On problem-solving. Psychological Monographs."
    ]


def test_no_citation_has_marks_of_bibtex() -> None:
    assert [text for text in format_citations(load_research_works()) if re.search(r"[{}\\]", text)] == []


def test_accents_become_letters() -> None:
    assert decode_accents(r"Bilali{\'c}, Fran{\c c}ois, Aky{\"u}rek") == "Bilalić, François, Akyürek"


def test_an_idea_is_not_said_to_have_a_usual_use() -> None:
    dossier = build_finished_dossier()
    seed = dossier.find_latest_deliverable(SeedDocument)
    assert seed is not None
    thing = seed.distractor_inventory[0]
    approach = next(
        name
        for name, end in ((each["name"], each["ends"]) for each in seed.mechanics["approaches"])
        if end != "goal"
    )
    idea = thing.model_copy(update={"name": "Wait and see", "canonical_affordance": "saving strength"})
    wrong = WrongAnswer(answer="Wait and see.", why_wrong="It is too late.", approach=approach)
    changed = change_deliverables(
        dossier, SeedDocument, distractor_inventory=(thing, idea), wrong_answers=(*seed.wrong_answers, wrong)
    )
    text = build_documents(changed, load_everyday_library(), prompts=PROMPTS).evaluation
    section = read_section(text, "Distractor Analysis")
    assert f"its usual use: {thing.canonical_affordance.rstrip('.')}" in section
    (row,) = [line for line in section.splitlines() if line.startswith("| Wait and see |")]
    assert "saving strength: what this idea is good for elsewhere" in row
    assert "A solver who takes it must notice" in row
