"""Plans: what a plan does decides, not the things that it names; values, verbs and fields may be worded in any way."""

from __future__ import annotations

from random import Random

import pytest

from impossible_moments.evaluation.results import RunState
from support.fair_answers import draw_key, get_number, get_outcome, is_passed, score_plan

MANIFEST = "already_half_said/smudge_in_the_manifest/the_rest"
HATCHERY = "both_from_one/night_log_of_the_hatchery/the_third"
LIFT = "nobody_wrote_that/attendant_goes_along/the_saying"
HERD = "the_wrong_way_home/black_ground/against_the_saying"
DEPOSIT = "way_into_the_ring/the_room_deposit/one_door"
HUM = "the_loud_suspect/hum_on_air/the_quiet_one"
CUTS = "cure_that_feeds/the_republics_programme/contested"
MILL = "whose_ruler/notches_at_the_mill/plain"
QUIZ = "lose_to_win/golden_goal_double/less_is_more"
BALLOT = "lose_to_win/mulberry_ballot/less_is_more"
DISPATCH = "left_for_the_other/net_control_chimoio/in_turn"
BOTHY = "hold_out/bothy_night/both_needed"
TAPE = "disputed_makeshift/tape_for_the_gala/contested"
NEEDLE = "effect_in_dispute/needle_and_cuff/found_true"
ROSTER = "hard_numbers/ferry_roster/contested"
BLANK = "the_model_held/mirror_cell/one_way"
ALL = (NEEDLE, ROSTER, BLANK, MANIFEST, HATCHERY, DEPOSIT, HUM, MILL, QUIZ, BALLOT, DISPATCH, BOTHY)

RIDE = {"assumption": "the attendant has to ride up together with the load"}
LIGHT = {"assumption": "nobody may strike a light on a day like this"}
CRUX = {"verdict": "contested", "crux": "how much the cuts shrink the income of the republic"}

VERBS = (
    "take", "put", "push", "pull", "lift", "carry", "throw", "tie", "hang", "open", "close", "break", "cut", "pour", "fill",
    "heat", "cool", "light", "wet", "dry", "cover", "wedge", "shake", "connect",
)  # fmt: skip
"""Everyday verbs, as the built-in random model draws them."""


# what a plan does


def test_the_first_digit_is_not_the_check_digit() -> None:
    assert not is_passed(score_plan(MANIFEST, "Send the first digit of the key with the beacon key"))
    right = "Send the check digit, the sum of all digits modulo 10, by pressing the beacon key"
    assert score_plan(MANIFEST, right).score == 100


def test_the_idea_without_the_means_earns_its_insight_and_is_not_0() -> None:
    idea = score_plan(MANIFEST, "send the check digit, sum mod 10").score
    assert idea is not None
    assert idea > (score_plan(MANIFEST, "Send the first digit of the key with the beacon key").score or 0)


def test_wires_to_the_wrong_box_do_not_serve_the_right_one() -> None:
    lay = "Lay the quail at the top and the ostrich at the bottom of the tall box"
    assert get_outcome(score_plan(HATCHERY, "Wire the heater into the new cabinet", lay)) == 0
    assert score_plan(HATCHERY, "Wire the heater into the tall box without a fan", lay).score == 100


@pytest.mark.parametrize(
    "step",
    [
        "Ride up alone in the goods lift",
        "You ride up alone in the lift and leave the press below",
        "Send Don Anselmo up alone in the goods lift",
    ],
)
def test_somebody_who_rides_alone_does_not_bring_the_load(step: str) -> None:
    assert not is_passed(score_plan(LIFT, step, **RIDE))
    right = "Put the press into the goods lift alone and have Don Anselmo take the stairs"
    assert get_outcome(score_plan(LIFT, right, **RIDE)) == 100


@pytest.mark.parametrize(
    "steps",
    [
        ("Set the hay wagon alight", "Take the herd onto the burnt ground"),
        ("Set fire to the wagon and take the horses downwind",),
        ("Draw the hay wagon out of the grass", "Set fire to the hay wagon and take the horses downwind"),
    ],
)
def test_a_wagon_set_alight_is_not_burnt_grass(steps: tuple[str, ...]) -> None:
    assert not is_passed(score_plan(HERD, *steps, **LIGHT))


def test_the_burnt_grass_is_accepted() -> None:
    steps = (
        "Pull the hay wagon out of the grass",
        "Light the grass downwind with a match and bring the herd onto the black ground",
    )
    assert get_outcome(score_plan(HERD, *steps, **LIGHT)) == 100


@pytest.mark.parametrize("step", ["wait 1 min", {"do": "wait", "value": "1 min"}])
@pytest.mark.parametrize("name", [MANIFEST, BOTHY])
def test_waiting_a_minute_is_no_answer(name: str, step: object) -> None:
    assert not is_passed(score_plan(name, step))


@pytest.mark.parametrize(
    "step", ["give deposit to ferryman", {"do": "give", "with": ["deposit"], "to": "ferryman"}]
)
def test_the_key_thing_with_the_right_act_counts(step: object) -> None:
    rest = ("The guests pay the innkeeper", "The innkeeper pays the fishmonger, who buys ice")
    assert score_plan(DEPOSIT, step, *rest).score == 100
    alone, wrong = score_plan(DEPOSIT, step), score_plan(DEPOSIT, "give deposit to fishmonger")
    assert (alone.score or 0) > (wrong.score or 0)


@pytest.mark.parametrize(
    "steps",
    [
        ("Clip the bulldog clip on the transformer",),
        ("A long organ pipe sounds because its valve does not shut", "Clip the bulldog clip on the transformer"),
        ("The hum comes from an organ pipe that is ciphering",),
    ],
)  # fmt: skip
def test_the_deciding_step_is_never_added(steps: tuple[str, ...]) -> None:
    found = score_plan(HUM, *steps)
    assert not is_passed(found)
    assert "treat(aid, quiet)" not in found.calls


# reasons of a plan


@pytest.mark.parametrize(
    "because",
    [
        ["It is off the mains frequency, so it is the pipe speaking by itself"],
        ["49.2 Hz is not 50 Hz, and an open pipe of 3.49 m speaks at 343/(2*3.49) = 49.1 Hz"],
        "Not the transformer, since the hum went on without power.\nNot the cables, since it is not at 50 Hz.\nSo a pipe speaks.",
        [
            "The transformer is out: the hum went on with the breaker out",
            "The transformer is out for another reason too: 49.2 Hz is no mains frequency",
            "The dimmer is out for the same reasons",
        ],
        [],
    ],
)
def test_reasons_in_words_in_computed_figures_or_in_several_lines_cost_nothing(because: object) -> None:
    found = score_plan(HUM, "Close the valve of the long organ pipe with the bulldog clip", because=because)
    assert found.score == 100


@pytest.mark.parametrize(
    "further", ["have the flood boards caulked with tow", "have the boards counted in the loft"]
)
def test_something_else_in_the_place_of_a_deed_is_left_for_review(further: str) -> None:
    """The value says the deed as well, but the step in its place is a listed near miss."""
    meant = round(get_number(MILL, "meant"))
    chosen = f"Choose the whole number of teeth by which the boards are raised: {meant}"
    assert is_passed(score_plan(MILL, chosen))
    found = score_plan(MILL, chosen, further)
    assert found.state is RunState.REVIEW
    assert "read elsewhere" in found.note


# values


@pytest.mark.parametrize("form", ["{0:g}", "{0:g} teeth", "{1:g} cm", "{2:g} m", "{3:g} mm"])
def test_a_count_may_be_given_in_what_it_counts(form: str) -> None:
    tooth = get_number(MILL, "tooth")
    meant = round(get_number(MILL, "meant"))
    for teeth, outcome in ((meant, 100), (round(0.6 * meant), 0)):
        value = form.format(teeth, teeth * tooth, teeth * tooth / 100, teeth * tooth * 10)
        assert get_outcome(score_plan(MILL, f"Raise the flood boards by {value}")) == outcome


@pytest.mark.parametrize("said", ["three answers", "3 answers", "3 points", "three slips"])
def test_a_count_may_be_a_word_and_have_a_noun(said: str) -> None:
    assert get_number(QUIZ, "score") - get_number(QUIZ, "mark") == 3
    assert score_plan(QUIZ, f"Hand back {said}", "Let the gong go and the board be read").score == 100


def test_what_is_credited_is_not_what_is_handed_back() -> None:
    credited = "The clause credits 8"
    assert not any(call.startswith("choose(") for call in score_plan(QUIZ, credited).calls)
    assert score_plan(QUIZ, "Hand back three answers", credited).score == 100
    worked_out = "Hand back 3 answers, which leaves 16 points; the clause credits 8 and makes 24"
    assert score_plan(QUIZ, worked_out).score == 100


def test_the_result_of_a_sum_is_the_value() -> None:
    notches, brick, joint = (get_number(MILL, path) for path in ("notches", "brick.height", "key"))
    total, tooth = notches * (brick + joint), get_number(MILL, "tooth")
    sums = f"{notches:g} × {brick + joint:g} mm = {total:g} mm"
    assert score_plan(MILL, f"Raise the boards by {sums}").score == 100
    assert (
        score_plan(MILL, f"Raise the boards by {sums}, that is {total / tooth / 10:.0f} teeth").score == 100
    )


def test_a_wrong_count_is_wrong() -> None:
    assert get_outcome(score_plan(QUIZ, "Hand two answers back", "Let the gong go")) == 0
    assert get_outcome(score_plan(BALLOT, "Keep 30 members of the tree side at home")) == 0


# verbs and fields


@pytest.mark.parametrize(
    "step",
    [
        {"do": "write", "value": "sign the deep cuts"},
        {"do": "sign", "with": ["the deep cuts"]},
        {"do": "choose", "with": ["the deep cuts"]},
        {"do": "use", "with": ["the deep cuts"]},
        {"do": "choose", "with": ["the deep cuts"], "to": "the republic"},
        {"do": "sign", "with": ["the deep cuts"], "to": "the creditors"},
    ],
)
def test_write_sign_choose_and_use_are_equal_and_a_further_field_changes_nothing(step: object) -> None:
    assert score_plan(CUTS, step, "Carry the tax reform through", **CRUX).score == 100


@pytest.mark.parametrize(
    ("name", "first", "rest", "more"),
    [
        (CUTS, ("Choose the deep cuts",), ("Sign the deep cuts", "Carry the tax reform through"), CRUX),
        (TAPE, ("Choose the duct tape", "Buy the duct tape"), ("Cover the warts with the duct tape for 8 weeks",), {"verdict": "contested"}),
    ],
)  # fmt: skip
def test_choosing_and_then_buying_the_same_thing_costs_nothing(
    name: str, first: tuple[str, ...], rest: tuple[str, ...], more: dict[str, str]
) -> None:
    assert score_plan(name, *first, *rest, **more).components == score_plan(name, *rest, **more).components


def test_a_dispatcher_acts_by_telling() -> None:
    told = (
        "Tell the ginnery to pack the sand into its cotton sacks",
        "Tell the crane to put the sacks on the bridge for the test",
        "Tell the engineer to sign",
        "Tell the lorries to stack the sand in the gap of the dyke",
    )
    assert score_plan(DISPATCH, *told).score == 100


# plans without content, and review


def list_labels(name: str) -> list[str]:
    return [each.label for each in draw_key(name).analysis.world.things.values() if each.own]


@pytest.mark.parametrize("name", ALL)
def test_using_everything_is_never_accepted(name: str) -> None:
    labels = list_labels(name)
    assert not is_passed(score_plan(name, *({"do": "use", "with": [each]} for each in labels)))
    # as the built-in optimist does
    first = labels[0]
    assert not is_passed(
        score_plan(name, *({"do": "use", "with": [first], "to": each} for each in labels[1:3]))
    )


@pytest.mark.parametrize("name", ALL)
def test_random_verbs_on_random_things_are_not_accepted(name: str) -> None:
    labels = list_labels(name)
    for seed in range(8):
        draws = Random(seed)  # noqa: S311 - not secret
        steps = [
            {"do": draws.choice(VERBS), "with": [draws.choice(labels)], "to": draws.choice(labels)}
            for _ in range(3)
        ]
        assert not is_passed(score_plan(name, *steps)), steps


@pytest.mark.parametrize(
    ("steps", "cause"),
    [
        (("Fettle the frobnitz",), "'Fettle the frobnitz' was not read: the record has no such action"),
        (("Use the beacon key",), "it does not say"),
    ],
)
def test_review_names_its_cause(steps: tuple[str, ...], cause: str) -> None:
    found = score_plan(MANIFEST, *steps)
    assert found.state is RunState.REVIEW
    assert cause in found.note
    assert "verb" not in f"{found.note} {found.flags}"


def test_a_value_that_was_not_read_is_the_cause_of_review() -> None:
    found = score_plan(MILL, "Raise the flood boards high enough")
    assert (found.state, found.score) == (RunState.REVIEW, None)
    assert "no value was read for the whole number of teeth" in found.note


def test_an_amount_that_is_filled_in_later_is_not_a_second_share() -> None:
    name = "between_two_bottles/loop_in_yakutsk/proportion"
    loop = get_number(name, "loop")
    found = score_plan(
        name,
        {"do": "stir together", "with": ["the glycerine", "water"], "value": f"{0.61 * loop:.0f} l and {0.39 * loop:.0f} l"},
        {"do": "fill by hand pump", "to": "the loop", "value": f"{loop:g} l"},
    )  # fmt: skip
    assert is_passed(found) or found.state is RunState.REVIEW


def test_a_motion_that_is_dropped_is_not_put() -> None:
    """Of two named options the one with the longer name is not the choice: the step is ambiguous."""
    name = "what_a_rule_does/late_at_the_nursery/measured_response"
    dropped = score_plan(name, "Put the motion for the fine, and drop the staggered closing")
    assert dropped.state is RunState.REVIEW
    assert "it can be read as" in dropped.note
    assert is_passed(score_plan(name, "Put the motion for the staggered closing"))


# insights


NURSERY = "what_a_rule_does/late_at_the_nursery/measured_response"
CONCRETE = "buy_the_clock/call_from_the_pier/nobody_may"


def test_the_act_that_an_insight_warns_of_does_not_show_it() -> None:
    fine = score_plan(NURSERY, "Put the fine to the vote").components
    assert fine is not None
    assert (fine.outcome, fine.insight) == (0, 0)
    staggered = score_plan(NURSERY, "Put the staggered closing to the vote").components
    assert staggered is not None
    assert (staggered.outcome, staggered.insight) == (100, 100)


def test_a_named_premise_and_a_plan_without_it_show_all_insights() -> None:
    sugar = [
        "Mix the canteen's sugar into the drum of concrete",
        "Pour all of the concrete by hand and with the small hoist",
    ]
    assumption = "nothing goes in a drum but cement, sand, stone and water"
    found = score_plan(CONCRETE, *sugar, assumption=assumption).components
    assert found is not None
    assert (found.outcome, found.insight) == (100, 100)
