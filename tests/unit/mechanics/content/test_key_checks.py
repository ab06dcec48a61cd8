"""The checks of an answer key find words, figures and arguments that the text does not support."""

from __future__ import annotations

import pytest

from impossible_moments.mechanics.content import (
    KeyText,
    PublicText,
    check_claim,
    check_distractors,
    check_key_figures,
    check_key_words,
    check_proof,
    check_sibling_names,
)
from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.prose import PrintableValue, ProseRequirements

TEXT = PublicText("You hold a kettle of 2 kW under the lamp. The cable runs to the island. What do you send?")
REQUIREMENTS = ProseRequirements(
    printable={"share": PrintableValue(7.0, None)},
    labels={}, must_name={}, must_print={}, needed={}, quoted=frozenset(), quotes=(), catalogue={}, determines={},
)  # fmt: skip


def find_word_codes(text: str, **options: object) -> list[str]:
    findings = Findings()
    siblings = options.get("sibling_words", ())
    assert isinstance(siblings, tuple)
    check_key_words([KeyText("/k", text)], TEXT, findings, sibling_words=siblings)
    return [finding.code for finding in findings]


def test_a_thing_of_the_key_is_in_the_text() -> None:
    assert find_word_codes("Three dips for the gale.") == ["key.thing-untold"]
    assert find_word_codes("Three dips of the lamp.") == []
    assert find_word_codes("The answer is the amount.") == []


def test_a_word_of_another_setting_is_a_leftover() -> None:
    assert find_word_codes("Varnish the hull.", sibling_words=("hull",)) == ["key.leftover"]


def test_a_name_of_another_setting_is_a_leftover_in_the_text() -> None:
    findings = Findings()
    check_sibling_names(PublicText("You ask old Ramiro for the key."), {"Ramiro"}, findings)
    check_sibling_names(PublicText("You ask old Ester for the key."), {"Ramiro"}, findings)
    assert [finding.code for finding in findings] == ["text.leftover"]


def test_a_figure_of_the_key_comes_from_text_record_or_answer() -> None:
    findings = Findings()
    key = [KeyText("/k", "It takes 2 kW, 24 steps, 90 cups; published in 2019.")]
    check_key_figures(key, TEXT, REQUIREMENTS, "choose(step=24)", findings)
    assert [finding.what.split("`")[1] for finding in findings] == ["90"]


@pytest.mark.parametrize(
    ("proof", "is_found"),
    [
        ("Nothing works.", True),
        ("The condition send_by.heard fails for the kettle and for the lamp, whatever the cable on the island does.", True),
        ("The kettle dips the lamp too little, the cable swallows the rest, and nothing else on the island reaches the lamp.", False),
    ],
)  # fmt: skip
def test_a_proof_argues_in_words_of_the_text(proof: str, is_found: bool) -> None:  # noqa: FBT001 - a parameter
    findings = Findings()
    check_proof(KeyText("/telling/proof", proof), TEXT, ["send.heard"], [], findings)
    assert bool(list(findings)) is is_found


def test_a_conflict_of_bookkeeping_alone_proves_nothing() -> None:
    proof = KeyText(
        "/telling/proof",
        "The kettle dips the lamp too little and the cable to the island swallows the rest of it.",
    )
    findings = Findings()
    check_proof(proof, TEXT, ["send.begun"], ["send.begun"], findings)
    assert [finding.where for finding in findings] == ["/status/conflict"]


@pytest.mark.parametrize(
    ("text", "expression", "is_found"),
    [("the time is more than 0 s", "", True), ("", "pipe.flow > 0", True), ("12 t is less than 80 t", "load <= limit", False)],
)  # fmt: skip
def test_a_claim_compares_two_figures(text: str, expression: str, is_found: bool) -> None:  # noqa: FBT001
    findings = Findings()
    check_claim("/claims/1", text, expression, findings)
    assert bool(list(findings)) is is_found


@pytest.mark.parametrize(
    ("used", "outcome", "codes"),
    [
        ({"star": "open(star)"}, "", ["key.distractor-used"]),
        ({}, "Open the green cylinder.", ["key.distractor-named"]),
        ({}, "Leave the green cylinder alone.", []),
    ],
)
def test_no_solution_uses_a_distractor(used: dict[str, str], outcome: str, codes: list[str]) -> None:
    findings = Findings()
    check_distractors({"star": "the green cylinder"}, used, outcome, findings)
    assert [finding.code for finding in findings] == codes
