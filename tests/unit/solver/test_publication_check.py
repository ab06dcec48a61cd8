"""A scenario is published only if its public document lets a stranger solve it."""

from __future__ import annotations

import re
from functools import cache

import pytest

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import CheckReport, verify_record
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.scenarios.scenario import Scenario
from impossible_moments.solver.public_text import PublicText
from impossible_moments.solver.publication_check import explain_insufficient_document, explain_solver_mismatch
from impossible_moments.solver.solver import SolverResult, solve_public_text
from support.small_blueprints import (
    ROOM_OFFERS,
    build_garden_offer,
    build_room_situations,
    build_situations,
    draw_room,
    render_public_document,
)

REACH = "| Reach above the floor | 2.15 m |"


@cache
def document() -> str:
    # the rules repeat figures of the tables; without them, each figure stands once
    return re.sub(r"(?m)^- .*\n", "", render_public_document(draw_room()))


def replaced(old: str, new: str) -> str:
    """The document with some of its text replaced."""
    if old not in document():
        raise LookupError(f"the document does not say `{old}`")
    return document().replace(old, new)


def said_of(old: str, new: str) -> str | None:
    """What is said of the document with some of its text replaced."""
    return explain_insufficient_document(replaced(old, new), draw_room().report, build_room_situations())


@pytest.mark.parametrize("name", ROOM_OFFERS)
def test_a_document_that_tells_everything_suffices(name: str) -> None:
    tried = draw_room(name, seed=1)

    assert (
        explain_insufficient_document(render_public_document(tried), tried.report, build_room_situations())
        is None
    )


@pytest.mark.parametrize(
    ("old", "new", "status"),
    [
        ("bears 120 kg", "bears 20 kg", "PX"),
        ("| Body mass | 68 kg |", "| Body mass | 168 kg |", "PX"),
        ("single blows of less than 80 J", "single blows of less than 800 J", "PX"),
        ("2.7 m", "3.7 m", "PX"),
        ("strikes with 110 J", "strikes with 40 J", "undecided"),
        ("55 s", "5 s", "undecided"),
        ("× 65 cm |", "× 5 cm |", "PX"),
    ],
)
def test_a_changed_number_changes_the_verdict(old: str, new: str, status: str) -> None:
    said = said_of(old, new)

    assert said is not None
    assert said.startswith(
        f"A solver that has only the public text finds {status}, but the record computes as KS-Singular: "
    )


def test_a_document_with_more_ways_than_the_records_suffices() -> None:
    assert said_of(REACH, REACH.replace("2.15", "3.15")) is None


def test_a_number_that_decides_nothing_may_differ() -> None:
    assert said_of("14 kg", "15 kg") is None


# fmt: off
NEEDED = {
    "reach":      (REACH, ""),
    "body":       ("| Body mass | 68 kg |", ""),
    "withstands": ("; withstands single blows of less than 80 J", ""),
    "blow":       ("strikes with 110 J; ", ""),
    "bears":      ("bears 120 kg; ", ""),
    "sill":       ("2.7 m", "high up"),
    "clock":      ("55 s", "a while"),
    "height":     (" × 65 cm |", " |"),
}
# fmt: on


@pytest.mark.parametrize(("old", "new"), NEEDED.values(), ids=NEEDED)
def test_a_document_without_a_number_that_is_needed_does_not_suffice(old: str, new: str) -> None:
    assert said_of(old, new) is not None


@pytest.mark.parametrize(("old", "new"), NEEDED.values(), ids=NEEDED)
def test_a_solver_notes_what_a_text_does_not_tell(old: str, new: str) -> None:
    before, after = (
        solve_public_text(
            PublicText.from_scenario(Scenario.parse(text, "the document")), build_room_situations()
        ).unstated_numbers
        for text in (document(), replaced(old, new))
    )

    assert set(before) < set(after)


def test_a_document_that_contradicts_itself_does_not_suffice() -> None:
    story, heading, rest = replaced("2.7 m", "2.7 m").partition("### Environment")
    contradicted = story + heading + rest.replace("2.7 m", "3.7 m", 1)

    assert (
        explain_insufficient_document(contradicted, draw_room().report, build_room_situations()) is not None
    )


@pytest.mark.parametrize(
    ("old", "new"), [("blows of less than 80 J", "blows of less than 80 kJ"), ("bears 120 kg", "bears 120 g")]
)
def test_a_changed_unit_changes_the_verdict(old: str, new: str) -> None:
    assert said_of(old, new) is not None


def test_a_document_about_something_unknown_does_not_suffice() -> None:
    said = explain_insufficient_document(
        document(), draw_room().report, build_situations(build_garden_offer("Guests keep to the gravel"))
    )

    assert said is not None
    assert said.startswith(
        "A solver that has only the public text cannot reconstruct the situation: nothing in the text"
    )


def test_another_plan_than_the_records_is_told() -> None:
    said = explain_solver_mismatch(
        SolverResult("KS-Singular", plans=(("fly(you)", "land(you)"),)), draw_room().report
    )

    assert said == (
        "A solver that has only the public text finds fly(you) then land(you), which is not a solution of the record."
    )


DIAL = {
    "format": "im-mechanics/1",
    "title": "The Dial",
    "category": "The Wrong Toolbox",
    "quantities": "dial = choose 0..100; least = 40; most = 60; burning = 5[s] (4..6) assumed @ estimate: a match",
    "things": [{"name": "lamp", "label": "the lamp", "props": "lit = false"}],
    "actions": [
        {
            "do": "light(l: lamp)",
            "when": "bright = dial >= least; cool = dial <= most",
            "then": "l.lit = true",
            "takes": "burning",
        }
    ],
    "goal": "lamp.lit",
    "approaches": [
        {"name": "middle", "plan": "choose(dial=50); light(lamp)", "ends": "goal", "why": "it is right"},
        {
            "name": "full",
            "plan": "choose(dial=90); light(lamp)",
            "ends": "blocked light.cool",
            "why": "it is bright",
        },
    ],
    "insights": "light(*) = Less is enough.",
    "status": {"claim": "KS-Singular", "ways": ["middle"], "traps": ["full"]},
    "prose": {"narrative": "Turn {thing:lamp} to between {least|plain} and {most|plain}."},
}


@pytest.mark.parametrize(("dial", "works"), [("50", True), ("45", True), ("61", False), ("900", False)])
def test_a_plan_that_ends_well_in_the_record_is_a_way_of_it(dial: str, *, works: bool) -> None:
    report = verify_record(DIAL, load_everyday_library())
    solved = SolverResult("KS-Singular", plans=((f"choose(dial={dial})", "light(lamp)"),))

    assert (explain_solver_mismatch(solved, report) is None) is works


def test_subtypes_of_one_status_are_not_told_apart() -> None:
    report = draw_room().report
    assert report.verdict is not None

    assert (
        explain_solver_mismatch(SolverResult("KS-Multiple", plans=(report.verdict.ways[0].calls,)), report)
        is None
    )


def test_where_nothing_works_no_plan_is_asked_for() -> None:
    assert explain_solver_mismatch(SolverResult("PX"), draw_room("organ_loft/nothing_holds").report) is None


def test_a_record_without_a_verdict_is_undecided() -> None:
    said = explain_solver_mismatch(SolverResult("PX", reason="so it is"), CheckReport(Findings()))

    assert said == (
        "A solver that has only the public text finds PX, but the record computes as undecided: so it is."
    )


def test_an_undecided_search_is_no_answer() -> None:
    report = draw_room().report

    assert explain_solver_mismatch(SolverResult("undecided", reason="the search ended"), report) is not None
