"""The prose held to its record: each rule, and that nothing in a prose upsets the check."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.language import dimensions as dim
from impossible_moments.mechanics.prose import PrintableValue, ProseRequirements, check_prose
from impossible_moments.mechanics.records.record import ProseForm
from support.processor_time import measure_least_seconds

TIE = ProseRequirements(
    printable={
        "rim": PrintableValue(3.6, dim.LENGTH),
        "kindle": PrintableValue(400.0, dim.TEMPERATURE),
        "warming": PrintableValue(20.0, dim.TEMPERATURE),
        "spare": PrintableValue(720.0, dim.TIME),
        "people": PrintableValue(37.0, dim.PLAIN),
        "share": PrintableValue(0.5, dim.PLAIN),
        "tube.limit": PrintableValue(393.0, dim.TEMPERATURE),
        "flag.colour": PrintableValue("red", None),
        "door.open": PrintableValue(False, None),  # noqa: FBT003 - a value
        "odd": PrintableValue(1.4, dim.LENGTH),
        "endless": PrintableValue(float("inf"), dim.TIME),
    },
    labels={"crate": "oak crate", "bottles": "water bottles"},
    must_name={},
    must_print={},
    needed={},
    quoted=frozenset(),
    quotes=(),
    catalogue={
        "bottle": "glass_bottle",
        "ladder": "wooden_ladder",
        "step ladder": "step_ladder",
        "knife": "knife",
    },
    determines={},
)


def found_in(narrative: str, tie: ProseRequirements = TIE, **parts: str) -> list[Finding]:
    findings = Findings()
    check_prose(ProseForm(narrative=narrative, **parts), tie, findings)
    return list(findings)


def only(narrative: str, tie: ProseRequirements = TIE, **parts: str) -> Finding:
    (finding,) = found_in(narrative, tie, **parts)
    return finding


def test_a_sound_prose_has_no_findings() -> None:
    assert (
        found_in("You stand by {thing:crate}, {rim|m} deep, and {people|words} wait. One is half asleep.")
        == []
    )


@pytest.mark.parametrize(
    ("placeholder", "what", "expected"),
    [
        ("{rim|kg}", "`rim` is a length, but `kg` is a unit of mass", "{rim|m}"),
        ("{rin|m}", "no such value: `rin`", "did you mean {rim|m}?"),
        ("{limit|K}", "no such value: `limit`", "did you mean {tube.limit|K}?"),
        ("{crate|m}", "is a thing", "{thing:crate}"),
        ("{thing:crat}", "no such thing: `crat`", "did you mean {thing:crate}?"),
        ("{rim}", "has no unit", "{rim|m}"),
        ("{rim|plain}", "needs a unit", "{rim|m}"),
        ("{rim|words}", "needs a unit", "{rim|m}"),
        ("{rim|mtr}", "mtr", "{rim|m}"),
        ("{rim|(((Tm**6)**6)**6)**6}", "too large", "{rim|m}"),
        ("{rim|((fm**6)**6)**-1}", "too small", "{rim|m}"),
        ("{share|words}", "only whole numbers", "{share|plain}"),
        ("{people|words|2}", "take no digits", "{people|words}"),
        ("{odd|m|1}", "more digits are needed", "{odd|m|2}"),
        ("{warming|degC}", "print a temperature difference in K", "{warming|K}"),
        ("{flag.colour|m}", "is not a number", "{flag.colour|plain}"),
        ("{endless|min}", "not have a finite value", ""),
        ("{}", "empty", "{rim|m}"),
        ("{rim|m|9}", "1 to 6", "{rim|m|2}"),
        (
            "{say:two weeks}",
            "`say:` takes only one number; write other words outside the placeholder",
            "{say:1943}",
        ),
        ("{say:Nothing holds here.}", "`say:` takes only one number", "{say:third}"),
    ],
)
def test_a_placeholder_that_cannot_be_printed_is_found(placeholder: str, what: str, expected: str) -> None:
    finding = only(f"It is {placeholder} here.")
    assert finding.code == "prose.placeholder"
    assert finding.where == "/prose/narrative"
    assert placeholder in finding.found
    assert what in finding.what
    assert expected in finding.expected


def test_a_temperature_may_be_printed_on_a_scale() -> None:
    assert found_in("It burns at {kindle|degC}.") == []


def test_a_lone_brace_is_found_with_the_words_round_it() -> None:
    assert only("You stand { here.").found == "You stand { here."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at 400 it burns", "{kindle|K}, or {say:400} if it is not part of the mechanics"),
        ("in 12 minutes", "{spare|min}, or {say:12}"),
        ("after 720 s", "{spare|s}, or"),
        ("at 126.85 °C", "{kindle|degC}, or"),
        ("thirty-seven people", "{people|words}, or {say:thirty-seven}"),
        ("50 % of it", "{share|percent}, or"),
        ("in 1943", "a placeholder such as {rim|m}, or {say:1943}"),
        ("two hundred and five", "or {say:205}"),
        ("a 4x4 car", "or {say:...}"),
    ],
)
def test_a_bare_number_is_found_with_the_quantity_it_may_be(text: str, expected: str) -> None:
    finding = only(f"You know that {text}.")
    assert finding.code == "prose.number"
    assert text in finding.found
    assert expected in finding.expected


def test_a_number_in_any_part_is_found_at_its_part() -> None:
    assert only("You stand.", capabilities="You weigh 75 kg.").where == "/prose/capabilities"


def test_what_is_said_is_noted_for_the_reviewer() -> None:
    finding = only("Built in {say:1943}.")
    assert (finding.code, finding.what) == (
        "prose.said",
        "the number `1943` is stated with `say:` and is not part of the mechanics",
    )
    assert only("Some {say:37} people.").expected == "{people|plain} if it is that quantity"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("A ladder. The Ladders lie.", "ladder"),
        ("Step-ladders lie about.", "Step-ladders"),
        ("You have knives.", "knives"),
    ],
)
def test_a_thing_that_the_library_knows_and_the_record_does_not_is_found_once(text: str, word: str) -> None:
    finding = only(text)
    assert finding.code == "prose.thing-unknown"
    assert f"`{word}`" in finding.what


def test_a_thing_of_the_record_may_be_called_by_a_word_of_its_label() -> None:
    assert found_in("The bottle is empty, {thing:bottles} are not. A bladder bursts.") == []


@pytest.mark.parametrize(
    "text",
    [
        "It is a PX.",
        "a KS-Fragile case",
        "This is impossible.",
        "There is no solution.",
        "A paradox!",
        "a red\nherring",
    ],
)
def test_a_word_that_names_the_answer_is_found(text: str) -> None:
    assert only(text).code == "prose.leak"


@pytest.mark.parametrize(
    "text", ["The sign says OUT OF ORDER.", "a CT scan", "top of the mt", "You cannot reach it."]
)
def test_words_of_the_scene_give_nothing_away(text: str) -> None:
    assert found_in(text) == []


PIECES = st.sampled_from(
    [
        "{",
        "}",
        "|",
        "rim",
        "m",
        "thing:",
        "say:",
        " ",
        "2",
        "two",
        "½",
        "ladder",
        ".",
        "degC",
        "words",
        "plain",
        "1**6",
    ]
)


@given(st.text(max_size=200) | st.lists(PIECES, max_size=40).map("".join))
def test_any_prose_can_be_checked(narrative: str) -> None:
    found_in(narrative, replace(TIE, quotes=(("/never/0", narrative[3:60]),)))


MANY = replace(
    TIE,
    printable={f"thing{n}.property{n}": PrintableValue(float(n), dim.LENGTH) for n in range(400)},
    quotes=tuple((f"/never/{n}", "a b two rim " * 40) for n in range(40)),
)


@pytest.mark.parametrize(
    "unit", ["{", "{}", "{a|b}", "{say:2}", "2 ", "two-", "a ", "ladder ", "PX ", "{a|b} 2 ", "\n", "' "]
)
def test_the_longest_hostile_prose_is_checked_fast_and_found_out_briefly(unit: str) -> None:
    text = (unit * 12_000)[:12_000]
    assert measure_least_seconds(lambda: found_in(text, MANY), enough=5) < 5
    assert len(found_in(text, MANY)) < 120
