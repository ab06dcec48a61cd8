"""Rival explanations of a glowing lamp: who survives, what kills the others, and by how much."""

import json

import pytest

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.puzzles.diagnosis_puzzle_solver import solve_diagnosis_puzzle
from impossible_moments.mechanics.records.puzzle_forms import DiagnosisPuzzle
from impossible_moments.mechanics.world.puzzle_solution import SolvedPuzzle
from support.fake_context import FakeContext

WHERE = "/puzzles/source"
LAMP = [
    "glow = 0.6[mW]",
    "shone = 400[day]",
    "hollow = 4[cm**3]",
    "line_v = 63.5[kV]",
    "tube_v = 90[V]",
    "coupling = 1[pF] (0.7..3) assumed @ estimate: wire under a line",
    "cell = 0.7[W*h/cm**3] (0.4..1) assumed @ library primary lithium cell",
]
RIVALS = {
    "battery": "lasts = glow*shone <= cell*hollow; shed = true; caged = false; outage = false",
    "sunlight": "lasts = true; shed = false; caged = false; outage = false",
    "radio_mast": "lasts = true; shed = true; caged = true; outage = false",
    "power_line": "lasts = glow <= 314[1/s]*coupling*line_v*tube_v; shed = true; caged = true; outage = true",
    "vacuum_energy": "lasts = true; shed = true; caged = false; outage = false",
}
SEEN = """
lasts = true @ It has shone for {shone|day}
shed = true @ it glows at midnight in the locked shed
caged = true @ under {thing:mesh} it goes out
outage = true @ on the night the valley had no power it was dark
"""


def solved(
    rivals: dict[str, str] | None = None, *, seen: str = SEEN, lamp: list[str] | None = None
) -> tuple[SolvedPuzzle, list[Finding]]:
    findings = Findings()
    context = FakeContext(quantities=lamp or LAMP)
    form = DiagnosisPuzzle.model_validate(
        {
            "kind": "diagnosis",
            "name": "source",
            "observations": seen,
            "hypotheses": [
                {"name": name, "predicts": lines} for name, lines in (RIVALS | (rivals or {})).items()
            ],
        }
    )
    result = solve_diagnosis_puzzle(form, context, findings, WHERE)
    return result, [*findings, *context.findings]


def only(code: str, found: list[Finding]) -> Finding:
    (finding,) = [each for each in found if each.code == code]
    return finding


def test_only_the_power_line_explains_the_lamp() -> None:
    result, found = solved()
    assert result.answers == ("power_line",)
    assert found == []


@pytest.mark.parametrize(
    ("text", "right"), [("power_line", True), (" 'Power_Line' ", True), ("battery", False), ("", False)]
)
def test_an_answer_is_the_survivors_name(text: str, right: bool) -> None:  # noqa: FBT001 - a table of cases
    assert solved()[0].accepts_answer(text) is right


def test_the_facts_say_what_kills_each_rival_and_by_how_much() -> None:
    killers = solved()[0].facts["killers"]
    assert isinstance(killers, dict)
    assert list(killers["battery"]) == ["lasts", "caged", "outage"]
    assert killers["battery"]["lasts"] == pytest.approx(-0.514, abs=0.001)
    assert killers["radio_mast"] == {"outage": None}


def test_a_rival_that_nothing_seen_excludes_makes_it_ambiguous() -> None:
    result, found = solved({"radio_mast": "lasts = true; shed = true; caged = true; outage = true"})
    assert result.answers == ("power_line", "radio_mast")
    assert "`power_line` and `radio_mast`" in only("puzzle.ambiguous", found).what


def test_two_dead_rivals_may_predict_the_same() -> None:
    _, found = solved({"ghosts": RIVALS["sunlight"]})
    assert found == []


def test_no_survivor_is_no_finding_of_the_solver() -> None:
    result, found = solved({"power_line": RIVALS["sunlight"]})
    assert (result.answers, result.exhausted, found) == ((), True, [])
    assert "No explanation agrees" in result.explanation


def test_a_survivor_saved_only_in_part_of_a_range_is_unsafe() -> None:
    lamp = [line.replace("(0.7..3)", "(0.1..3)") for line in LAMP]
    finding = only("puzzle.unsafe", solved(lamp=lamp)[1])
    assert finding.where == "/puzzles/source/hypotheses/power_line/predicts/lasts"
    assert "saves `power_line`" in finding.what


def test_a_rival_killed_only_in_part_of_a_range_is_a_knife_edge_that_names_the_sure_killer() -> None:
    lamp = [line.replace("(0.4..1)", "(0.4..2)") for line in LAMP]
    finding = only("puzzle.knife-edge", solved(lamp=lamp)[1])
    assert "kills `battery`" in finding.what
    assert "`caged` kills it over the whole range" in finding.what


@pytest.mark.parametrize(
    ("battery", "code", "where", "says"),
    [
        ("lasts = true; shed = true; caged = false", "puzzle.form", "", "for the observation `outage`"),
        (RIVALS["battery"] + "; outtage = true", "puzzle.form", "/outtage", "did you mean `outage`"),
        (RIVALS["battery"] + "; shed = false", "name.twice", "/shed", "twice"),
        (
            "lasts = glow*; shed = true; caged = false; outage = false",
            "expression.form",
            "/lasts",
            "cannot parse",
        ),
        (
            "lasts = glow; shed = true; caged = false; outage = false",
            "dimension.mismatch",
            "/lasts",
            "condition",
        ),
        (
            "lasts = glow <= cell; shed = true; caged = false; outage = false",
            "dimension.mismatch",
            "/lasts",
            "compare",
        ),
        (
            "lasts = 1/0 <= 2; shed = true; caged = false; outage = false",
            "value.undefined",
            "/lasts",
            "no value",
        ),
    ],
)
def test_a_prediction_that_is_missing_or_wrong_is_found_where_it_stands(
    battery: str, code: str, where: str, says: str
) -> None:
    result, found = solved({"battery": battery})
    finding = only(code, found)
    assert finding.where == f"/puzzles/source/hypotheses/battery/predicts{where}"
    assert says in finding.what
    assert (result.answers, result.exhausted) == ((), False)


@pytest.mark.parametrize(
    ("seen", "where", "says"),
    [
        (SEEN.replace(" @ under {thing:mesh} it goes out", ""), "/caged", "no quote"),
        (SEEN.replace("caged = true", "caged = dark"), "/caged", "neither true nor false"),
        ("", "", "the diagnosis puzzle has no observations"),
    ],
)
def test_an_observation_is_true_or_false_with_a_quote(seen: str, where: str, says: str) -> None:
    _, found = solved(seen=seen)
    named = [each for each in found if each.where == f"/puzzles/source/observations{where}"]
    assert [each.code for each in named] == ["puzzle.form"]
    assert says in named[0].what


def test_the_same_puzzle_gives_the_same_result_as_plain_data() -> None:
    (one, found), (other, again) = solved(), solved()
    assert (one, found) == (other, again)
    assert json.loads(json.dumps(one.facts)) == one.facts
