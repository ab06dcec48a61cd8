"""Reasons against the goal: full sentences with further or computed figures count, wrong figures do not."""

from __future__ import annotations

import json

import pytest

from impossible_moments.evaluation.reader import read_answer
from impossible_moments.evaluation.reader.recited_reasons import list_doubts_about_reasons
from impossible_moments.evaluation.results import RunState
from support.fair_answers import draw_key, get_number, get_outcome, is_passed, score_reasons

BRIDGE = "two_ledgers/weight_on_the_kukri_bridge/no_axis_left"
CONTRACT = "what_it_was_for/no_ice_at_tema/truly_binding"
CLOCK = "between_two_bottles/noon_gun_regulator/same_side"
MIRROR = "the_model_held/mirror_cell/nothing_bears"


def names_of(name: str, reason: str) -> frozenset[str]:
    """The conditions that one reason names."""
    text = json.dumps({"verdict": "impossible", "conflict": [reason]})
    return read_answer(text, draw_key(name)).conflict[0]


def describe_loads() -> str:
    lorry, trailer, bears = (
        get_number(BRIDGE, path) for path in ("lorry.weighs", "trailer.weighs", "second_limit")
    )
    return f"the lorry alone is {lorry:g} t and the trailer alone {trailer:g} t, the bridge bears {bears:g} t"


def compute_tube() -> float:
    """The length of brass with which the errors of both metals cancel."""
    pendulum, brass, steel = (get_number(CLOCK, path) for path in ("pendulum", "first.grows", "second.grows"))
    return pendulum * steel / (brass - steel)


def test_a_full_sentence_with_further_figures_names_the_central_conflict() -> None:
    assert names_of(BRIDGE, describe_loads()) == {"take.second_ledger"}
    assert is_passed(score_reasons(BRIDGE, describe_loads()))


def test_the_whole_conflict_in_full_sentences_earns_everything() -> None:
    trips, trip, clock = (get_number(BRIDGE, path) for path in ("trips", "trip", "clock"))
    found = score_reasons(
        BRIDGE,
        f"{describe_loads()}, so neither of them may be on it",
        f"Carrying takes {trips:g} trips of {trip:g} min, which is {trips * trip:g} min against {clock:g} min",
        "The headman admits no exception and watches from his chair",
    )
    assert found.score == 100


@pytest.mark.parametrize(
    "reason",
    [
        "The contract demands fish fresh on ice, and the ovens would smoke it",
        "The contract wants the fish fresh on ice, while the ovens at {able:g} °C only smoke it, even if they take {amount:g} kg",
    ],
)
def test_the_contract_against_the_ovens_names_the_contract(reason: str) -> None:
    able, amount = (get_number(CONTRACT, path) for path in ("stranger.able", "stranger.amount"))
    assert names_of(CONTRACT, reason.format(able=able, amount=amount)) == {"unfaithful"}


def test_a_note_of_three_words_is_left_for_review_and_is_no_wrong_reason() -> None:
    assert score_reasons(CONTRACT, "contract against ovens").state is RunState.REVIEW


@pytest.mark.parametrize("form", ["{0:.3f} m against {1:g} m", "The brass would have to be {0:.3f} m long, against the {1:g} m of the case"])  # fmt: skip
def test_a_computed_length_against_the_stated_one_names_the_conflict(form: str) -> None:
    found = score_reasons(CLOCK, form.format(compute_tube(), get_number(CLOCK, "case")))
    assert names_of(CLOCK, form.format(compute_tube(), get_number(CLOCK, "case"))) == {"blend.low"}
    assert is_passed(found)


@pytest.mark.parametrize("length", [0.5, 0.8, 3.1])
def test_a_wrong_length_is_not_credited(length: float) -> None:
    reason = f"brass {length:g} m against {get_number(CLOCK, 'case'):g} m"
    assert names_of(CLOCK, reason) == frozenset()
    assert get_outcome(score_reasons(CLOCK, reason)) is None


def test_wrong_weights_are_not_credited_although_the_words_are_right() -> None:
    reason = "the lorry alone is 9 t and the trailer alone 6 t, no more than 5 t are on the bridge at a time"
    assert names_of(BRIDGE, reason) == frozenset()


def test_what_the_record_computes_may_be_stated() -> None:
    """The sag under its own weight is printed nowhere."""
    paths = ("plate", "work.dense", "size", "stiff", "fat.thick", "tolerance")
    plate, dense, size, stiff, thick, tolerance = (get_number(MIRROR, path) for path in paths)
    sag = plate * dense * 9.81 * (size / 2) ** 4 / (stiff * 1e9 * (thick / 100) ** 2) * 1e9
    right = f"Even the thick blank sags by {sag:.0f} nm where {tolerance:g} nm are allowed"
    wrong = f"Even the thick blank sags by {sag / 1.7:.0f} nm where {tolerance:g} nm are allowed"
    assert names_of(MIRROR, right) == {"raise.true_enough"}
    assert names_of(MIRROR, wrong) == frozenset()


def test_added_figures_are_computed_and_not_wrong() -> None:
    ice = get_number(CONTRACT, "rest.figure") + get_number(CONTRACT, "cousin.figure")
    need = get_number(CONTRACT, "need")
    assert names_of(CONTRACT, f"there are {ice:g} kg of ice for {need:g} kg of fish") == {"use_named.enough"}
    assert names_of(CONTRACT, f"there are {ice * 4.3:g} kg of ice for {need:g} kg of fish") == frozenset()


@pytest.mark.parametrize(
    ("name", "reason", "condition"),
    [
        (BRIDGE, "no exceptions, watched", "plead.granted"),
        (BRIDGE, "met by nothing else, no exceptions; he sat on the far side on a chair and watched", "plead.granted"),
        (CONTRACT, "no exception, watched", "have_lifted.free"),
        (CONTRACT, "It admits no exception, and it cannot be complied with otherwise", "have_lifted.free"),
    ],
)  # fmt: skip
def test_quoting_the_rule_counts(name: str, reason: str, condition: str) -> None:
    assert names_of(name, reason) == {condition}


def test_conditions_of_bookkeeping_neither_count_nor_lack() -> None:
    key = draw_key(CONTRACT)
    assert key.wording.bookkeeping & set(key.conflict)
    reasons = [text for name, text in key.wording.conditions.items() if name in key.conflict]
    assert score_reasons(CONTRACT, *reasons).score == 100
    said = "The loading has not begun, so it cannot be seen through"
    assert not names_of(CONTRACT, said) & key.wording.bookkeeping


def test_limits_of_one_act_that_read_alike_are_named_together() -> None:
    assert "use_alone.low" in names_of(CLOCK, "Any metal alone cancels nothing")


# reasons that only repeat the situation


QUOTED = "There is no other bridge"


@pytest.mark.parametrize("padding", ["", ", because of 0.015, 0.02, 0.03, 0.05"])
def test_a_sentence_repeated_from_the_text_is_left_for_review(padding: str) -> None:
    assert names_of(BRIDGE, QUOTED) & set(draw_key(BRIDGE).conflict)
    found = score_reasons(BRIDGE, f"{QUOTED}{padding}")
    assert (found.state, found.score) == (RunState.REVIEW, None)
    assert "only repeats what the situation states" in found.note


def test_a_reason_of_its_own_beside_a_repeated_sentence_is_enough() -> None:
    key = draw_key(BRIDGE)
    named = frozenset(key.conflict)
    assert list_doubts_about_reasons([QUOTED], [named], key)
    assert list_doubts_about_reasons([QUOTED, describe_loads()], [named, named], key) == ()
    assert is_passed(score_reasons(BRIDGE, QUOTED, describe_loads()))


def test_a_list_of_figures_compares_nothing() -> None:
    lorry, trailer, bears = (
        get_number(BRIDGE, path) for path in ("lorry.weighs", "trailer.weighs", "second_limit")
    )
    assert names_of(BRIDGE, f"{lorry:g} t, {trailer:g} t, {bears:g} t") == frozenset()
    assert names_of(BRIDGE, f"{lorry:g} t against {bears:g} t") != frozenset()
