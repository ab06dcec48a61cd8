"""A draw is refused with a reason for each thing that its telling lacks or that reads badly."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.instance_trials import (
    REQUIRED_NOTES,
    InstanceTrial,
    draw_and_check_instance,
)
from impossible_moments.library.everyday_library import load_everyday_library
from support.small_blueprints import change_offer, find_room_offer

LAST = "climb_out(step, *)"


@cache
def unchanged(name: str = "ice_house/one_way") -> InstanceTrial:
    return draw_and_check_instance(find_room_offer(name), load_everyday_library(), 0, 0)


def reasons(offer: Offer) -> tuple[str, ...]:
    return draw_and_check_instance(offer, load_everyday_library(), 0, 0).reasons


def after(name: str = "ice_house/one_way", **layer: dict[str, Any]) -> tuple[str, ...]:
    """The reasons against a draw of the room with something laid over it."""
    return reasons(change_offer(find_room_offer(name), **layer))


def styles(narrative: object, **prose: object) -> list[str]:
    """What is said of the style of a narrative."""
    drop = {"prose": {"drop": {"narrative": ["opening", "room", "clock"]}, "narrative": narrative, **prose}}
    return [reason for reason in after(record=drop) if reason.startswith("style")]


def words(count: int, paragraphs: int = 2) -> dict[str, str]:
    """A narrative of so many words, no sentence twice."""
    each = [f"w{number}" for number in range(count)]
    cut = [each[part::paragraphs] for part in range(paragraphs)]
    return {f"p{part}": " ".join(found) + "." for part, found in enumerate(cut)}


@pytest.mark.parametrize("name", ["ice_house/one_way", "ice_house/unlatched", "organ_loft/nothing_holds"])
def test_a_draw_that_nothing_speaks_against_is_accepted(name: str) -> None:
    tried = unchanged(name)

    assert tried.reasons == ()
    assert tried.accepted


@pytest.mark.parametrize("field", REQUIRED_NOTES)
def test_a_telling_that_lacks_a_field_is_refused(field: str) -> None:
    assert f"telling.missing write `{field}` in a `telling` section" in after(telling={field: None})


def test_what_must_be_told_is_what_the_document_needs() -> None:
    assert set(REQUIRED_NOTES) == {
        "concept",
        "why_it_matters",
        "looks_impossible",
        "excluded",
        "correct_outcome",
        "category_match",
    }


def test_an_impossibility_needs_its_argument_in_words() -> None:
    said = after("organ_loft/nothing_holds", telling={"proof": None})

    assert said == ("telling.missing write `proof`: the argument in words",)


def test_what_is_no_impossibility_needs_no_argument() -> None:
    assert unchanged().instance.notes.proof is None


def test_what_has_no_single_answer_needs_criteria() -> None:
    said = after("ice_house/unlatched", telling={"criteria": []})

    assert said == ("telling.missing write `criteria`: the conditions that any valid answer must satisfy",)


@pytest.mark.parametrize("part", ["threat", "position"])
def test_threat_and_position_must_be_written(part: str) -> None:
    said = after(record={"prose": {part: None}})

    assert f"telling.missing write `prose: {{{part}: ...}}` in the record" in said


def test_an_insight_without_a_note_is_refused() -> None:
    assert after(telling={"drop": {"insights": [LAST]}}) == (
        f"telling.insight add the type and domain of the insight `{LAST}`",
    )


def test_an_insight_that_needs_one_nobody_tells_of_is_refused() -> None:
    assert after(telling={"insights": {LAST: {"needs": ["fly(*)"]}}}) == (
        "telling.insight add the insight `fly(*)`, which another insight needs",
    )


def test_a_thing_that_no_way_needs_must_be_told_of() -> None:
    assert after(telling={"drop": {"distractors": ["tapper"]}}) == (
        "telling.distractor no solution needs `tapper`: write its `use`, how it `tempts` and why it `fails`",
    )


def _nothing_idle(*unsaid: str) -> InstanceTrial:
    """The room without any thing that no way needs, and without some of its wrong answers."""
    return draw_and_check_instance(
        change_offer(
            find_room_offer(),
            record={
                "drop": {"things": ["tapper", "stool"], "approaches": ["tap_at_it", "stand_on_the_stool"]},
                "prose": {
                    "narrative": {"room": "{thing:opening} {thing:shell} {thing:step} {thing:hammer}."}
                },
                "status": {
                    "claim": "KS-Singular",
                    "ways": ["break_and_climb"],
                    "traps": ["jump_for_it", "shoulder_the_door"],
                },
            },
            telling={
                "drop": {
                    "distractors": ["tapper", "stool"],
                    "wrong": ["tap_at_it", "stand_on_the_stool", *unsaid],
                }
            },
        ),
        load_everyday_library(),
        0,
        0,
    )


def test_where_no_thing_is_idle_the_wrong_answers_mislead() -> None:
    tried = _nothing_idle("shoulder_the_door")

    assert tried.distractors == {"jump_for_it": "strong"}
    assert not any(reason.startswith("telling.distractor") for reason in tried.reasons)


def test_something_must_mislead() -> None:
    tried = _nothing_idle("jump_for_it", "shoulder_the_door")

    assert "telling.distractor describe at least 1 misleading things or approaches" in tried.reasons


def test_an_approach_that_fails_is_put_as_a_wrong_answer() -> None:
    assert after(telling={"drop": {"wrong": ["jump_for_it"]}}) == (
        "telling.wrong add the approach `jump_for_it` as a wrong answer, with the reason",
    )


@pytest.mark.parametrize(
    ("record", "telling", "lacking"),
    [
        ({"drop": {"props": ["mass"]}}, {}, "mass"),
        ({"drop": {"props": ["length", "width", "height"]}}, {}, "size"),
        ({}, {"materials": {"tapper": ""}}, "material"),
    ],
    ids=["mass", "size", "material"],
)
def test_what_can_be_picked_up_has_mass_size_and_stuff(
    record: dict[str, Any], telling: dict[str, Any], lacking: str
) -> None:
    said = after(record={"things": [{"name": "tapper", **record}]}, telling=telling)

    assert f"telling.table the object `tapper` has no {lacking}" in said


def test_what_can_be_picked_up_has_something_noted_of_it() -> None:
    said = after(
        record={
            "things": [{"name": "rag", "label": "a rag", "props": "mass = 2[kg]; length = 2[m]"}],
            "prose": {"position": "You stand {crossing|m} off with {thing:rag}."},
        },
        telling={"materials": {"rag": "linen"}},
    )

    assert "telling.table the object `rag` has no notes" in said


def test_puzzles_of_rules_need_neither_mass_nor_size() -> None:
    offer = change_offer(
        find_room_offer(), record={"things": [{"name": "tapper", "drop": {"props": ["mass"]}}]}
    )
    ruled = replace(offer, blueprint=offer.blueprint.model_copy(update={"category": "The Invisible Wall"}))

    assert [reason for reason in reasons(ruled) if reason.startswith("telling.table")] == []


@pytest.mark.parametrize(
    "telling",
    [
        {"concept": "It is {nowhere.high|m} up."},
        {"excluded": "It is {opening.sill|kg} up."},
        {"criteria": ["It is {nowhere|m} up."]},
        {"distractors": {"tapper": {"fails": "It is {nowhere|m} up."}}},
        {"wrong": {"tap_at_it": {"why": "It is {nowhere|m} up."}}},
        {"environment": {"Light": "{nowhere|m}"}},
        {"notes": {"step": "{nowhere|m}"}},
    ],
    ids=lambda telling: next(iter(telling)),
)
def test_a_placeholder_that_stands_for_nothing_is_refused(telling: dict[str, Any]) -> None:
    said = after(telling=telling)

    assert any(reason.startswith("telling.placeholder") for reason in said)


@pytest.mark.parametrize("count", [99, 321])
def test_a_narrative_that_is_too_short_or_too_long_is_refused(count: int) -> None:
    assert styles(words(count)) == [f"style.length the narrative has {count} words; write 100 to 320"]


@pytest.mark.parametrize("count", [100, 320])
def test_a_narrative_may_have_a_hundred_to_two_hundred_and_sixty_words(count: int) -> None:
    assert styles(words(count)) == []


@pytest.mark.parametrize("count", [1, 5])
def test_a_narrative_of_too_few_or_too_many_paragraphs_is_refused(count: int) -> None:
    assert styles(words(120, count)) == [
        f"style.paragraphs the narrative has {count} paragraphs; write two to four"
    ]


@pytest.mark.parametrize("count", [2, 3, 4])
def test_a_narrative_may_have_two_to_four_paragraphs(count: int) -> None:
    assert styles(words(120, count)) == []


def test_a_sentence_that_stands_twice_is_refused() -> None:
    once = "The water comes up the stairs. "
    said = styles(words(100) | {"twice": f"{once} {once.upper()} It does."})

    assert said == ["style.twice the sentence `the water comes up the stairs.` occurs twice"]


def test_a_sentence_may_not_stand_in_two_parts_either() -> None:
    once = "The water comes up the stairs."
    said = styles(words(100) | {"once": once}, threat=once)

    assert said == ["style.twice the sentence `the water comes up the stairs.` occurs twice"]


def test_the_false_picture_does_not_repeat_the_story() -> None:
    sentence = "The water comes up the stairs."
    record = {"prose": {"threat": sentence}}
    said = after(record=record, telling={"looks_impossible": sentence})

    assert "style.twice the sentence `the water comes up the stairs.` occurs twice" in said


def test_a_cry_may_come_twice() -> None:
    assert styles(words(100) | {"cry": "Get out of there. Get out of there."}) == []


@pytest.mark.parametrize("rule", ["null", "No way back", "unlit."])
def test_a_listed_rule_is_a_sentence(rule: str) -> None:
    rules = {"ice": "The ice melts.", "door": "The door is shut.", "lamp": "The lamp burns.", "other": rule}
    reported = styles(words(100), threat="The water comes up the stairs.", rules=rules)

    assert reported == [
        f"style.rules the rule `{rule}` is not a sentence; to drop a rule, write `name: null` without quotes"
    ]


def test_a_rule_that_is_listed_twice_is_refused() -> None:
    rule = "A blow of the hammer, divided by what the pane takes, is the share that is broken."
    again = "A blow of the hammer, divided by what the pane takes, decides. The lamp burns."
    rules = {"ice": "The ice melts.", "door": rule, "lamp": again}
    reported = styles(words(100), threat="The water comes up the stairs.", rules=rules)

    assert len(reported) == 1
    assert reported[0].startswith("style.twice two rules begin with `A blow of the hammer, divided")
    assert "give it the same name" in reported[0]


def test_a_status_that_is_not_the_claimed_one_is_refused() -> None:
    status = {"claim": "KS-Multiple", "ways": ["break_and_climb"], "traps": ["tap_at_it"]}
    said = after(record={"status": status})

    assert any(
        reason.startswith("status.other it computes as KS-Singular, but KS-Multiple is claimed: ")
        for reason in said
    )


def test_what_the_check_finds_refuses_a_draw() -> None:
    said = after(record={"things": [{"name": "arch", "label": "an arch", "kind": "boundary"}]})

    assert any(reason.startswith("prose.thing-unnamed error") for reason in said)


def test_a_record_that_cannot_be_read_is_refused_for_that_alone() -> None:
    tried = draw_and_check_instance(
        change_offer(find_room_offer(), record={"goal": "you.at =="}), load_everyday_library(), 0, 0
    )

    assert tried.reasons
    assert not any(reason.startswith(("telling", "style", "status")) for reason in tried.reasons)
    assert (tried.status, tried.tier, tried.profile, tried.distractors) == ("undecided", None, None, {})


def test_a_reason_is_told_once() -> None:
    said = after(telling={"concept": "{nowhere|m}", "excluded": "{nowhere|m}"})

    assert len(said) == len(set(said))


def test_a_trial_has_what_was_computed_of_it() -> None:
    tried = unchanged()

    assert (tried.status, str(tried.profile), tried.tier) == ("KS-Singular", "2.3.2.2.2.4", "FRACTURE")
    assert tried.distractors == {"tapper": "weak", "stool": "strong"}
    assert tried.insight_calls == ("swing_at(hammer, *)", LAST)
    assert [each.needs for each in tried.insights] == [(), (1,)]


def test_where_nothing_works_the_telling_says_what_misleads() -> None:
    tried = unchanged("organ_loft/nothing_holds")

    assert set(tried.distractors) == set(tried.instance.notes.distractors)


def test_the_prose_is_printed_with_its_numbers() -> None:
    tried = unchanged()
    sill = tried.render_template("{opening.sill|m}")

    assert sill in tried.prose["threat"]
    assert "{" not in "".join(tried.prose.values())


def test_the_same_names_give_the_same_trial() -> None:
    again = draw_and_check_instance(find_room_offer(), load_everyday_library(), 0, 0)

    assert again.instance.record == unchanged().instance.record


def test_a_draw_without_an_environment_table_is_refused_with_what_to_write() -> None:
    trial = unchanged()
    silent = dict.fromkeys((*trial.instance.notes.words, "exit.leads"), "")
    said = after(telling={"words": silent, "drop": {"notes": [*trial.instance.notes.notes]}})

    assert any(reason.startswith("telling.table the environment table has no row") for reason in said)
    assert not any("environment table" in reason for reason in trial.reasons)


@pytest.mark.parametrize(
    ("outcome", "noted"),
    [
        ("Break it and climb.", True),
        ("Break it and shove the bench under it; the two may be done in either order.", False),
    ],
)
def test_an_outcome_that_allows_other_orders_settles_them(outcome: str, noted: bool) -> None:  # noqa: FBT001
    offer = change_offer(find_room_offer("ice_house/one_way"), telling={"correct_outcome": outcome})
    trial = draw_and_check_instance(offer, load_everyday_library(), 0, 0)

    assert ("key.order-free" in {each.code for each in trial.reading_findings}) == noted
