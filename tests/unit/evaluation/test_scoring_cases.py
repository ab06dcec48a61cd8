"""Every case of unfair scoring that a referee found, in one table with the fair verdict.

`test_fair_plans.py`, `test_fair_reasons.py` and `test_fair_runs.py` test most of them in more variants.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import pytest

from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import score_answer
from support.fair_answers import (
    PASSES,
    build_plan,
    draw_key,
    get_number,
    get_outcome,
    is_passed,
    score_plan,
    score_reasons,
)

MANIFEST = "already_half_said/smudge_in_the_manifest/the_rest"
HATCHERY = "both_from_one/night_log_of_the_hatchery/the_third"
LIFT = "nobody_wrote_that/attendant_goes_along/the_saying"
HERD = "the_wrong_way_home/black_ground/against_the_saying"
DEPOSIT = "way_into_the_ring/the_room_deposit/one_door"
HUM = "the_loud_suspect/hum_on_air/the_quiet_one"
CUTS = "cure_that_feeds/the_republics_programme/contested"
LARVAE = "cure_that_feeds/larvae_at_low_light/contested"
MILL = "whose_ruler/notches_at_the_mill/plain"
QUIZ = "lose_to_win/golden_goal_double/less_is_more"
DISPATCH = "left_for_the_other/net_control_chimoio/in_turn"
GLASSES = "one_unsung_property/oath_in_windhoek/in_plain_sight"
BRIDGE = "two_ledgers/weight_on_the_kukri_bridge/no_axis_left"
CONTRACT = "what_it_was_for/no_ice_at_tema/truly_binding"
CLOCK = "between_two_bottles/noon_gun_regulator/same_side"
GLUE = "little_of_another/glued_in/right_kind"
WHEEL = "cut_what_feeds_it/wheel_in_the_hammam/outlives_the_day"
ATOLL = "bread_from_air/atoll_breadfruit/contested"

HATCH = ("Wire the heater into the tall box without a fan", "Lay the quail at the top and the ostrich at the bottom of the tall box")  # fmt: skip
CHECK_DIGIT = "Send the check digit, the sum of all digits modulo 10, by pressing the beacon key"
LIGHT = {"assumption": "nobody may strike a light on a day like this"}
CRUX = {"verdict": "contested", "crux": "how much the cuts shrink the income of the republic"}
REFORM = "Carry the tax reform through"
BOOM = ("Lay the boom across the bay", "Keep the skimmer going until all is taken up")
HARM = {"verdict": "contested", "crux": "how much oil that goes down harms the larvae"}
SPRAY = ("Spray the dispersant from the plane", "Keep the skimmer going until all is taken up")
CLIP = "Close the valve of the long organ pipe with the bulldog clip"
PAYMENTS = ("The guests pay the innkeeper", "The innkeeper pays the fishmonger, who buys ice")
ORDERS = (
    "Tell the ginnery to pack the sand into its cotton sacks",
    "Tell the crane to put the sacks on the bridge for the test",
    "Tell the engineer to sign",
    "Tell the lorries to stack the sand in the gap of the dyke",
)
LONG_THINKING = (
    f"{'Let me think. ' * 800}\n{build_plan('Put on the spectacles in her hair and read the oath')}"
)


class Fair(StrEnum):
    """The fair verdict on an answer."""

    FULL = "100 points"
    ACCEPTED = "accepted"
    NOT_ACCEPTED = "rejected or left for review"
    CREDITED = "worth more than the verdict alone"
    PARTLY = "worth something, and not accepted"
    NEVER_0 = "accepted or left for review"
    REVIEW = "left for review"


@dataclass(frozen=True)
class Case:
    """An answer, what is special about it, and its fair verdict."""

    about: str
    score: Callable[[], ScoredAnswer]
    fair: Fair


def plan(name: str, *steps: object, **more: object) -> Callable[[], ScoredAnswer]:
    return lambda: score_plan(name, *steps, **more)


def reasons(name: str, *lines: str) -> Callable[[], ScoredAnswer]:
    return lambda: score_reasons(name, *lines)


def text(name: str, words: str) -> Callable[[], ScoredAnswer]:
    return lambda: score_answer(words, draw_key(name))


def weigh_the_lorry() -> ScoredAnswer:
    lorry, trailer, bears = (
        get_number(BRIDGE, path) for path in ("lorry.weighs", "trailer.weighs", "second_limit")
    )
    said = f"the lorry alone is {lorry:g} t and the trailer alone {trailer:g} t, the bridge bears {bears:g} t"
    return score_reasons(BRIDGE, said)


def compare_brass(length: float | None) -> ScoredAnswer:
    pendulum, brass, steel = (get_number(CLOCK, path) for path in ("pendulum", "first.grows", "second.grows"))
    needed = pendulum * steel / (brass - steel) if length is None else length
    return score_reasons(CLOCK, f"{needed:.3f} m against {get_number(CLOCK, 'case'):g} m")


def raise_boards(unit: str) -> ScoredAnswer:
    teeth = round(get_number(MILL, "meant"))
    forms = {"cm": f"{teeth * get_number(MILL, 'tooth'):g} cm", "teeth": f"{teeth} teeth", "none": f"{teeth}"}
    return score_plan(MILL, f"Raise the flood boards by {forms[unit]}")


def wait_as_told() -> ScoredAnswer:
    minutes = get_number(GLUE, "doing")
    return score_plan(
        GLUE,
        "Pour the varnish remover on the glue",
        {"do": "wait", "value": f"{minutes:g} min"},
        "Go out through the door",
    )


def doubt_the_cork() -> ScoredAnswer:
    cork, towel, stop = (get_number(WHEEL, path) for path in ("right.leaves", "weak.leaves", "idle"))
    return score_reasons(
        WHEEL,
        f"the towel lets through {towel:g} W, and {stop:g} W keep the wheel turning",
        f"the cork lets through {cork:g} W, but the warm plate turns the wheel for more than 5 h, and the signing is sooner",
    )


def state_turn(grams: float) -> ScoredAnswer:
    crux = f"how many grams of nitrogen the wall takes from the air on a square metre in a day; from {grams:g} g on I would choose the wall"
    return score_plan(
        ATOLL, "Fetch the droppings from the frigate-bird cliff by canoe", verdict="contested", crux=crux
    )


def use_everything(name: str) -> ScoredAnswer:
    things = [each.label for each in draw_key(name).analysis.world.things.values() if each.own]
    return score_plan(name, *({"do": "use", "with": [each]} for each in things))


CASES = (
    Case("a conflict as a full sentence with further figures", weigh_the_lorry, Fair.ACCEPTED),
    Case("a contract set against the ovens, in a sentence", reasons(CONTRACT, "The contract demands fish fresh on ice, and the ovens would smoke it"), Fair.CREDITED),
    Case("a computed length against the stated one", lambda: compare_brass(None), Fair.ACCEPTED),
    Case("a wrong length against the stated one", lambda: compare_brass(0.5), Fair.NOT_ACCEPTED),
    Case("the quoted rule as a reason", reasons(BRIDGE, "no exception, watched"), Fair.CREDITED),
    Case("a demand repeated from the text as the only reason", reasons(BRIDGE, "There is no other bridge"), Fair.NOT_ACCEPTED),
    Case("a length in centimetres where teeth are counted", lambda: raise_boards("cm"), Fair.ACCEPTED),
    Case("a count with its noun", lambda: raise_boards("teeth"), Fair.ACCEPTED),
    Case("a bare count", lambda: raise_boards("none"), Fair.ACCEPTED),
    Case("a count with another noun", plan(QUIZ, "Hand back 3 points", "Let the gong go and the board be read"), Fair.FULL),
    Case("a count as a word", plan(QUIZ, "Hand back three answers", "Let the gong go and the board be read"), Fair.FULL),
    Case("what a clause credits is not what is handed back", plan(QUIZ, "The clause credits 8"), Fair.NOT_ACCEPTED),
    Case("write, with the deed as the value", plan(CUTS, {"do": "write", "value": "sign the deep cuts"}, REFORM, **CRUX), Fair.FULL),
    Case("choose instead of sign", plan(CUTS, {"do": "choose", "with": ["the deep cuts"]}, REFORM, **CRUX), Fair.FULL),
    Case("use instead of sign", plan(CUTS, {"do": "use", "with": ["the deep cuts"]}, REFORM, **CRUX), Fair.FULL),
    Case("a readable choice with a receiver", plan(CUTS, {"do": "choose", "with": ["the deep cuts"], "to": "the republic"}, REFORM, **CRUX), Fair.FULL),
    Case("a thing that is chosen and then signed", plan(CUTS, "Choose the deep cuts", "Sign the deep cuts", REFORM, **CRUX), Fair.FULL),
    Case("informing people beside the plan", plan(HATCHERY, "Tell the keeper what you are about to do", *HATCH), Fair.FULL),
    Case("filming beside the plan", plan(HATCHERY, "Film the wiring for the owner", *HATCH), Fair.FULL),
    Case("signalling beside the plan", plan(HATCHERY, "Signal to the people in the yard", *HATCH), Fair.FULL),
    Case("cutting ice, which the record does not know", plan(HATCHERY, "Cut a block of ice for the water trough", *HATCH), Fair.FULL),
    Case("walking a further leg of the way", plan(HATCHERY, *HATCH, "Walk the rest of the way home"), Fair.FULL),
    Case("spreading droppings, which the record does not know", plan(HATCHERY, *HATCH, "Spread the droppings over the field"), Fair.FULL),
    Case("a dispatcher who acts by telling", plan(DISPATCH, *ORDERS), Fair.FULL),
    Case("wires to the wrong box", plan(HATCHERY, "Wire the heater into the new cabinet", HATCH[1]), Fair.NOT_ACCEPTED),
    Case("a rider alone without the load", plan(LIFT, "Ride up alone in the goods lift", assumption="the attendant has to ride up together with the load"), Fair.NOT_ACCEPTED),
    Case("a wagon set alight instead of the grass", plan(HERD, "Set the hay wagon alight", "Take the herd onto the burnt ground", **LIGHT), Fair.NOT_ACCEPTED),
    Case("the first digit instead of the check digit", plan(MANIFEST, "Send the first digit of the key with the beacon key"), Fair.NOT_ACCEPTED),
    Case("the check digit with its means", plan(MANIFEST, CHECK_DIGIT), Fair.FULL),
    Case("waiting for a minute", plan(MANIFEST, "wait 1 min"), Fair.NOT_ACCEPTED),
    Case("the key thing given to the right person", plan(DEPOSIT, "give deposit to ferryman", *PAYMENTS), Fair.FULL),
    Case("the deciding step left out, another one stated", plan(HUM, "Clip the bulldog clip on the transformer"), Fair.NOT_ACCEPTED),
    Case("a plan with reasons in words", plan(HUM, CLIP, because=["It is off the mains frequency, so it is the pipe speaking by itself"]), Fair.FULL),
    Case("a plan with computed figures as reasons", plan(HUM, CLIP, because=["an open pipe of 3.49 m speaks at 343/(2*3.49) = 49.1 Hz"]), Fair.FULL),
    Case("a step that is not understood", plan(MANIFEST, "Fettle the frobnitz"), Fair.REVIEW),
    Case("use, over every object", lambda: use_everything(MANIFEST), Fair.NOT_ACCEPTED),
    Case("use, over every object of another scenario", lambda: use_everything(HATCHERY), Fair.NOT_ACCEPTED),
    Case("a right answer in plain words", text(MANIFEST, "Add up all the digits of the key and send the last figure of the sum with the beacon key."), Fair.NEVER_0),
    Case("a short answer after long thinking", text(GLASSES, LONG_THINKING), Fair.FULL),
    Case("the plan alone, without reasons", plan(GLASSES, "Put on the spectacles in her hair"), Fair.FULL),
    Case("a safe plan that is called solvable", plan(LARVAE, *BOOM), Fair.ACCEPTED),
    Case("a gamble that is called solvable", plan(LARVAE, *SPRAY), Fair.NOT_ACCEPTED),
    Case("the idea without the means", plan(MANIFEST, "Send the check digit, the sum of all digits modulo 10"), Fair.PARTLY),
    Case("several reasons for one alternative", plan(HUM, CLIP, because=["The hum went on without power", "It is no mains frequency", "The dimmer is out, too"]), Fair.FULL),
    Case("bookkeeping as a reason", reasons(BRIDGE, "The lorry has not been driven onto the bridge yet"), Fair.NOT_ACCEPTED),
    Case("a plea that is refused, as the only reason", reasons(BRIDGE, "pleading is refused"), Fair.NOT_ACCEPTED),
    Case("a gamble that is called contested", plan(LARVAE, *SPRAY, **HARM), Fair.NOT_ACCEPTED),
    Case("a safe plan that is called contested", plan(LARVAE, *BOOM, **HARM), Fair.ACCEPTED),
    Case("a gamble with the plan for the other end", plan(LARVAE, *SPRAY, other_plans=[list(BOOM)], **HARM), Fair.FULL),
    Case("waiting for as long as a stated deed takes", wait_as_told, Fair.FULL),
    Case("true reasons that imply the rest of the conflict", doubt_the_cork, Fair.REVIEW),
    Case("a turning point in another unit", lambda: state_turn(278), Fair.NEVER_0),
    Case("a wrong turning point in another unit", lambda: state_turn(100), Fair.NOT_ACCEPTED),
    Case("a right plan with two verdicts", plan(MANIFEST, CHECK_DIGIT, verdict="solvable or impossible"), Fair.REVIEW),
)  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.about.replace(" ", "_"))
def test_the_verdict_is_fair(case: Case) -> None:
    found = case.score()
    match case.fair:
        case Fair.FULL:
            assert found.score == 100, found
        case Fair.ACCEPTED:
            assert is_passed(found), found
        case Fair.NOT_ACCEPTED:
            assert not is_passed(found), found
        case Fair.CREDITED:
            assert (get_outcome(found) or 0) > (get_outcome(score_reasons(BRIDGE)) or 0) > 0, found
        case Fair.PARTLY:
            assert 0 < (found.score or 0) < PASSES, found
        case Fair.NEVER_0:
            assert is_passed(found) or get_outcome(found) is None, found
        case Fair.REVIEW:
            assert (found.state, found.score) == (RunState.REVIEW, None), found


def test_every_verdict_occurs() -> None:
    assert {case.fair for case in CASES} == set(Fair)
    assert len({case.about for case in CASES}) == len(CASES)
