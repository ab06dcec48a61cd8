"""Quotes as evidence: long enough, not denied, and with the threshold of a danger in them."""

import pytest

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.language import dimensions as dim
from impossible_moments.mechanics.prose import PrintableValue, ProseRequirements, check_prose
from impossible_moments.mechanics.records.record import ProseForm
from support.processor_time import measure_least_seconds

PRINTABLE = {
    "rim": PrintableValue(3.6, dim.LENGTH),
    "kindle": PrintableValue(400.0, dim.TEMPERATURE),
    "empty": PrintableValue(0.0, dim.LENGTH),
    "people": PrintableValue(37.0, dim.PLAIN),
    "open": PrintableValue(False, None),  # noqa: FBT003 - a value
    "lag": PrintableValue(7200.0, dim.TIME),
    "lag.low": PrintableValue(3600.0, dim.TIME),
}


def found_in(narrative: str, *quotes: str, **more: dict[str, tuple[str, frozenset[str]]]) -> list[Finding]:
    labels = {"crate": "the oak crate", "ox": "an ox"}
    told = tuple(("/never/it", quote) for quote in quotes)
    tie = ProseRequirements(PRINTABLE, labels, {}, {}, {}, frozenset(), told, {}, {}, **more)  # type: ignore[arg-type]
    findings = Findings()
    check_prose(ProseForm(narrative=narrative), tie, findings)
    return [finding for finding in findings if finding.code != "prose.said"]


@pytest.mark.parametrize(
    "quote",
    [
        "sets hard",
        "kept clean",
        "the water must come off",
        "at {kindle|degC}",
        "{say:two} pulls",
        "in {say:twenty-one} of us",
        "by {thing:crate}",
        "count heads, never doors",
    ],
)
def test_a_short_quote_that_says_something_is_evidence(quote: str) -> None:
    assert found_in(f"You know it: {quote}, they say.", quote) == []


@pytest.mark.parametrize(
    "quote", ["polished", "hard-set", "is so", "to be or", "{rim|m}", "an {thing:ox}", "it - was"]
)
def test_a_quote_of_little_weight_is_found(quote: str) -> None:
    (finding,) = found_in(f"You know it: {quote}, they say.", quote)
    assert (finding.code, finding.where, finding.found) == ("prose.quote-weak", "/never/it", quote)
    assert "too short" in finding.what


@pytest.mark.parametrize(
    ("before", "denial"),
    [
        ("It is not ", "not"),
        ("It isn't ", "isn't"),
        ("It isn’t ", "isn’t"),  # noqa: RUF001 - a typeset apostrophe
        ("It was Never quite so ", "Never"),
        ("Nobody saw it ", "Nobody"),
        ("It stood without being ", "without"),
        ("You cannot have it ", "cannot"),
        ("There is no {rim|m} of ", "no"),
        ("By the door, not “", "not"),
    ],
)
def test_a_quote_that_the_words_before_it_deny_is_found(before: str, denial: str) -> None:
    (finding,) = found_in(f"{before}kept clean.", "kept clean")
    assert finding.code == "prose.quote-weak"
    assert finding.what == f"the quote is negated by `{denial}` before it"
    assert finding.found.endswith("kept clean")


@pytest.mark.parametrize(
    "before",
    [
        "It is not so. All is ",
        "Not so; it is ",
        "He asked you not: ",
        "No, it is ",
        "Nobody of them knows that it is ",
        "It is noted and ",
        "You see a knot ",
        "{say:1943} was not bad!” It was ",
    ],
)
def test_a_denial_far_off_or_of_something_else_denies_nothing(before: str) -> None:
    assert found_in(f"{before}kept clean.", "kept clean") == []


def test_a_quote_with_its_own_denial_is_evidence() -> None:
    assert found_in("Do not say not kept clean.", "not kept clean") == []
    assert found_in("It isn't so, they don't open.", "they don't open") == []


def test_a_quote_that_the_prose_also_asserts_is_evidence() -> None:
    assert found_in("It is not kept clean. Then all is kept clean.", "kept clean") == []


def test_a_quote_that_stands_nowhere_is_found_once() -> None:
    (finding,) = found_in("You stand.", "no")
    assert finding.code == "prose.quote"


def test_a_quote_may_hold_a_said_number() -> None:
    assert found_in("In {say:1943} the bell\nwas sold.", "In {say:1943} the bell was sold") == []


def vague(quote: str, *paths: str) -> list[Finding]:
    return found_in("You stand.", never_reads={"/never/fire": (quote, frozenset(paths))})


def test_the_words_for_a_danger_state_its_threshold() -> None:
    (finding,) = vague("then  it burns", "kindle", "rim", "people")
    assert (finding.code, finding.where) == ("prose.never-vague", "/never/fire")
    assert finding.found == "then it burns"
    assert "{kindle|K} or {rim|m}" in finding.expected


@pytest.mark.parametrize("quote", ["past {kindle|degC} it burns", "{rim|m} deep", "for {people|words}"])
def test_any_of_the_compared_quantities_states_it(quote: str) -> None:
    assert vague(quote, "kindle", "rim", "people") == []


def test_an_end_of_a_range_states_it() -> None:
    assert vague("after {lag.low|h} it burns", "lag") == []


def test_a_danger_that_compares_nothing_measured_needs_no_figure() -> None:
    assert vague("then it burns", "people", "open", "empty", "unknown") == []
    assert vague("then it burns") == []


@pytest.mark.parametrize("unit", ["not kept clean ", "{a|b} kept clean", "no. kept clean", "kept clean "])
def test_many_standings_are_looked_at_fast(unit: str) -> None:
    text = (unit * 12_000)[:12_000]
    assert measure_least_seconds(lambda: found_in(text, *(["kept clean"] * 300)), enough=5) < 5
