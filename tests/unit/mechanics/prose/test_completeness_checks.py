"""What the record demands of its prose: things named, values stated, disputes told, quotes standing."""

from dataclasses import replace

import pytest

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.language import dimensions as dim
from impossible_moments.mechanics.prose import PrintableValue, ProseRequirements, check_prose
from impossible_moments.mechanics.records.record import ProseForm

TIE = ProseRequirements(
    printable={
        "rim": PrintableValue(3.6, dim.LENGTH),
        "spare": PrintableValue(720.0, dim.TIME),
        "tube.limit": PrintableValue(393.0, dim.TEMPERATURE),
        "door.open": PrintableValue(False, None),  # noqa: FBT003 - a value
    },
    labels={"crate": "oak crate"},
    must_name={},
    must_print={},
    needed={},
    quoted=frozenset(),
    quotes=(),
    catalogue={},
    determines={},
)


def found_in(narrative: str, tie: ProseRequirements, **parts: str) -> list[Finding]:
    findings = Findings()
    check_prose(ProseForm(narrative=narrative, **parts), tie, findings)
    return list(findings)


def only(narrative: str, tie: ProseRequirements) -> Finding:
    (finding,) = found_in(narrative, tie)
    return finding


def test_a_thing_that_is_not_named_is_found_at_the_thing() -> None:
    finding = only("You stand by a crate.", replace(TIE, must_name={"crate": "/things/0"}))
    assert (finding.code, finding.where) == ("prose.thing-unnamed", "/things/0")
    assert "{thing:crate}" in finding.expected
    assert found_in("By {thing:crate}.", replace(TIE, must_name={"crate": "/things/0"})) == []


def test_a_given_quantity_that_is_not_printed_is_found_at_its_line() -> None:
    finding = only("You stand.", replace(TIE, must_print={"spare": "/quantities/3"}))
    assert (finding.code, finding.where) == ("prose.given-unprinted", "/quantities/3")
    assert "{spare|min}" in finding.expected


def test_a_wrongly_printed_quantity_is_not_found_missing_as_well() -> None:
    assert only("{spare|kg}", replace(TIE, must_print={"spare": "/quantities/3"})).code == "prose.placeholder"


NEEDING = replace(TIE, needed={"tube.limit": "read by wrap in tube_and_string"})


def test_what_a_solution_reads_must_be_stated() -> None:
    finding = only("You stand.", NEEDING)
    assert finding.code == "prose.insufficient"
    assert finding.what == "`tube.limit`, read by wrap in tube_and_string, is neither printed nor quoted"
    assert "{tube.limit|K}" in finding.expected


def test_what_is_printed_or_quoted_is_stated() -> None:
    assert found_in("It is good to {tube.limit|K}.", NEEDING) == []
    assert found_in("You stand.", replace(NEEDING, quoted=frozenset({"tube.limit"}))) == []


MEASURED = replace(
    NEEDING, quoted=frozenset({"tube.limit"}), paths_stated_by_number=frozenset({"tube.limit"})
)


def test_a_quote_without_a_figure_does_not_tell_a_measured_number() -> None:
    finding = only("The tube gives way.", replace(MEASURED, quotes=(("/things/tube", "The tube gives way"),)))
    assert finding.code == "prose.insufficient"
    assert "is quoted without its number" in finding.what
    assert "{tube.limit|K} in the prose" in finding.expected


def test_a_quote_with_its_figure_tells_a_measured_number() -> None:
    quote = "gives way at {tube.limit|K}"
    assert found_in(f"The tube {quote}.", replace(MEASURED, quotes=(("/things/tube", quote),))) == []


def test_a_quoted_number_that_nobody_reads_needs_no_figure() -> None:
    assert found_in("The tube gives way.", replace(MEASURED, needed={})) == []


def test_a_deadline_does_not_follow_from_a_quote_without_a_figure() -> None:
    tie = replace(
        MEASURED, needed={"deadline": "the time"}, determines={"deadline": frozenset({"tube.limit"})}
    )
    finding = only("The tube gives way.", tie)
    assert (finding.code, "`tube.limit`" in finding.what) == ("prose.deadline", True)


DISPUTED = replace(
    TIE,
    printable={
        "lag": PrintableValue(7200.0, dim.TIME),
        "lag.low": PrintableValue(3600.0, dim.TIME),
        "lag.high": PrintableValue(10800.0, dim.TIME),
    },
    disputed={"lag": "/quantities/lag"},
)


def test_both_positions_on_a_disputed_quantity_are_told() -> None:
    assert found_in("She says {lag.low|h}, he says {lag.high|h}.", DISPUTED) == []


@pytest.mark.parametrize(
    ("text", "ends"),
    [("She says {lag.low|h}.", ["`lag.high`"]), ("It is {lag|h}.", ["`lag.low`", "`lag.high`"])],
)
def test_a_position_that_is_not_told_is_found(text: str, ends: list[str]) -> None:
    finding = only(text, DISPUTED)
    assert (finding.code, finding.where) == ("prose.disputed-untold", "/quantities/lag")
    assert finding.what.endswith(f"does not print {' or '.join(ends)}")
    assert "{lag.high|h}" in finding.expected


def test_a_truth_is_stated_in_words() -> None:
    finding = only("You stand.", replace(TIE, needed={"door.open": "read by leave in walk"}))
    assert "a statement in words" in finding.expected


DERIVED = replace(
    TIE,
    needed={"rate": "read by fill"},
    determines={"rate": frozenset({"rim", "half"}), "half": frozenset({"spare"})},
)


def test_what_follows_from_stated_values_is_stated() -> None:
    assert found_in("{rim|m} in {spare|min}", DERIVED) == []


def test_what_does_not_follow_is_found_with_what_is_missing() -> None:
    finding = only("{rim|m} deep", DERIVED)
    assert "nothing states `spare`" in finding.what
    assert "{spare|min}" in finding.expected


def test_a_printed_derived_value_states_nothing_else() -> None:
    tie = replace(TIE, needed={"spare": "read by fill"}, determines={"rim": frozenset({"spare"})})
    assert only("{rim|m}", tie).code == "prose.insufficient"


def test_a_missing_given_is_found_once() -> None:
    tie = replace(DERIVED, must_print={"spare": "/quantities/3"})
    assert only("{rim|m} deep", tie).code == "prose.given-unprinted"


def test_a_deadline_that_nothing_states_has_its_own_code() -> None:
    tie = replace(
        TIE,
        needed={"deadline": "by which the goal must be met"},
        determines={"deadline": frozenset({"rim", "spare"})},
    )
    assert only("{rim|m}", tie).code == "prose.deadline"
    assert found_in("{rim|m}, {spare|min}", tie) == []


CLUE = "the auger hole beside your boot shows {rim|m} of ice"


def test_a_quote_stands_in_the_template_whatever_its_white_space() -> None:
    tie = replace(TIE, quotes=(("/misdirection/clue", CLUE),))
    assert (
        found_in("Look: the auger  hole\nbeside your boot shows {rim|m} of ice, and it is dark.", tie) == []
    )
    assert found_in("You stand.", tie, threat=f"There {CLUE}.") == []


def test_a_quote_that_does_not_stand_there_comes_with_the_closest_passage() -> None:
    tie = replace(TIE, quotes=(("/misdirection/clue", "the drill hole near your boot shows {rim|m} of ice"),))
    finding = only(f"The anglers have gone home early; {CLUE}, and by it lies a thermos.", tie)
    assert (finding.code, finding.where) == ("prose.quote", "/misdirection/clue")
    assert finding.found == "the drill hole near your boot shows {rim|m} of ice"
    assert "the auger hole beside your boot shows {rim|m} of ice" in finding.expected


@pytest.mark.parametrize("quote", ["", " ", "art", "quite other words than those"])
def test_neither_nothing_nor_a_part_of_a_word_is_a_quote(quote: str) -> None:
    finding = only("You push a cart.", replace(TIE, quotes=(("/never/0", quote),)))
    assert finding.code == "prose.quote"
    assert "copied from one part" in finding.expected
