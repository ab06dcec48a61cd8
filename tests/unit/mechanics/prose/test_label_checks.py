"""Labels name a thing, without numbers and without sentences."""

from dataclasses import replace

import pytest

from impossible_moments.mechanics.findings.finding import Finding, Findings
from impossible_moments.mechanics.prose import ProseRequirements, check_prose
from impossible_moments.mechanics.prose.label_checks import check_labels
from impossible_moments.mechanics.records.record import ProseForm


def found_for(label: str) -> list[Finding]:
    findings = Findings()
    check_labels({"it": label}, findings)
    return list(findings)


@pytest.mark.parametrize(
    "label",
    [
        "a hemp rope",
        "the first window",
        "the viola's steel A string",
        "a roll of tape",
        "a b c d e f g h",
        "the half-moon quarters",
    ],
)
def test_a_label_that_names_is_sound(label: str) -> None:
    assert found_for(label) == []


@pytest.mark.parametrize(
    ("label", "number"),
    [
        ("counter three", "three"),
        ("bin 9 and bin two", "9"),
        ("a twelve-volt lamp", "twelve"),
        ("½ loaf", "½"),
    ],
)
def test_a_number_in_a_label_is_found_once(label: str, number: str) -> None:
    (finding,) = found_for(label)
    assert (finding.code, finding.where) == ("prose.number", "/things/it/label")
    assert f"`{number}`" in finding.what


@pytest.mark.parametrize(
    "label", ["a b c d e f g h i", "a rope. It holds", "a rope; it holds", "the rope that holds."]
)
def test_a_label_that_describes_is_found(label: str) -> None:
    (finding,) = found_for(label)
    assert (finding.code, finding.where, finding.found) == ("prose.label", "/things/it/label", label)


def test_only_the_labels_of_things_that_must_be_named_are_checked() -> None:
    labels = {"mine": "counter three", "theirs": "counter four"}
    tie = ProseRequirements({}, labels, {"mine": "/things/mine"}, {}, {}, frozenset(), (), {}, {})
    for checked, codes in (({"mine": "/things/mine"}, ("prose.number",)), ({}, ())):
        findings = Findings()
        check_prose(ProseForm(narrative="By {thing:mine}."), replace(tie, must_name=checked), findings)
        assert findings.codes == codes
