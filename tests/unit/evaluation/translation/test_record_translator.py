"""A scripted translator reads answers: what they say is executed, and nothing that they do not say."""

from __future__ import annotations

import json

from impossible_moments.evaluation.interpretation import StepKind
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.translation import build_coded_record
from impossible_moments.evaluation.translation.record_translator import TRANSLATED
from support.worded_scenarios import (
    GRATE_ANSWER,
    ScriptedTranslation,
    build_bottles_key,
    build_call,
    build_fish,
    build_grate_key,
    build_reading,
    build_tie,
    find_code,
    find_statement,
    get_step_kinds,
    refuse_lines_with,
)

KEY = build_grate_key()


# right answers


def test_a_right_answer_is_executed_and_explained() -> None:
    means = ScriptedTranslation(build_reading(build_tie(), build_fish()))
    found = means.interpret(KEY, GRATE_ANSWER)
    scored = found.compute_score(KEY)
    assert (scored.state, scored.score) == (RunState.SCORED, 100.0)
    assert scored.calls == ("tie(magnet, lace)", "fish(magnet, keys)")
    assert TRANSLATED in scored.flags
    assert [(each.kind, each.call) for each in found.entries] == [
        ("verdict", "solvable"), ("call", "tie(magnet, lace)"), ("call", "fish(magnet, keys)"),
    ]  # fmt: skip
    assert found.entries[1].said["joined"] == "I tie the fridge magnet"
    assert len(means.panel.heard) == 2


def test_harmless_steps_are_free_and_considered_ones_are_ignored() -> None:
    text = f"First I look through the grate. Reaching down with my arm would not do. {GRATE_ANSWER}"
    plan = [
        {"quote": "I look through the grate", "kind": "harmless"},
        {"quote": "Reaching down with my arm would not do", "kind": "considered only"},
        build_tie(), build_fish(),
    ]  # fmt: skip
    found = ScriptedTranslation(build_reading(*plan)).interpret(KEY, text)
    assert get_step_kinds(found) == [StepKind.HARMLESS, StepKind.CALL, StepKind.CALL]
    assert found.compute_score(KEY).score == 100.0
    assert "considered only" in [each.kind for each in found.entries]


def test_needed_words_may_stand_in_another_sentence() -> None:
    text = "My boot lace is long enough. It can be done: I tie the fridge magnet to it and fish the keys up."
    tie = build_tie("I tie the fridge magnet to it", line="My boot lace")
    assert (
        ScriptedTranslation(build_reading(tie, build_fish("fish the keys up")))
        .interpret(KEY, text)
        .compute_score(KEY)
        .score
        == 100
    )


def test_one_word_of_the_sentence_is_enough_for_a_statement_but_not_one_of_elsewhere() -> None:
    short = build_tie(joined="tie", magnet="magnet", line="lace")
    assert (
        ScriptedTranslation(build_reading(short, build_fish()))
        .interpret(KEY, GRATE_ANSWER)
        .compute_score(KEY)
        .score
        == 100
    )
    elsewhere = build_tie("my boot lace", joined="tie", magnet="magnet", line="lace")
    assert (
        get_step_kinds(
            ScriptedTranslation(build_reading(elsewhere, build_fish())).interpret(KEY, GRATE_ANSWER)
        )[0]
        is StepKind.UNREAD
    )


def test_an_answer_in_the_plan_form_is_quoted_without_its_syntax() -> None:
    plan = [
        {"do": "tie", "with": ["the fridge magnet"], "to": "my boot lace"},
        {"do": "fish", "with": ["the keys"]},
    ]
    text = f"Thinking ...\n{json.dumps({'verdict': 'solvable', 'plan': plan}, indent=1)}"
    tie = build_tie(
        '"do": "tie", "with": ["the fridge magnet"], "to": "my boot lace"',
        joined='"do": "tie"',
        magnet="magnet",
    )
    fish = build_fish('"do": "fish", "with": ["the keys"]', up='"do": "fish"', keys="the keys")
    form = {"verdict": "solvable", "verdict_quote": '"verdict": "solvable"', "plan": [tie, fish]}
    found = ScriptedTranslation(form).interpret(KEY, text)
    assert found.compute_score(KEY).score == 100
    assert found.answer is not None
    assert found.answer.answer_tokens < len(text) / 4


def test_a_chosen_value_is_set_before_the_call_that_uses_it_and_an_unsaid_step_is_added() -> None:
    key = build_bottles_key()
    text = "It can be done. Mix the glycerine with water from the main, two parts to one, and fill the loop with it."
    blend = build_call(
        key, "blend(first, second)", "Mix the glycerine with water from the main",
        first="the glycerine", second="water from the main", mixed="Mix the glycerine with water",
    )  # fmt: skip
    blend["values"] = [{"code": find_code(key, "share"), "value": "66.7", "quote": "two parts to one"}]
    found = ScriptedTranslation(build_reading(blend)).interpret(key, text)
    scored = found.compute_score(key)
    assert scored.calls == ("choose(share=0.667)", "blend(first, second)", "carry_on(work)")
    assert scored.score == 100
    assert [each.call for each in found.entries][1:] == ["choose(share=0.667)", "blend(first, second)"]


def test_a_wrong_value_fails_as_it_should() -> None:
    key = build_bottles_key()
    text = "It can be done. Mix glycerine and water half and half, 50 % each, and fill the loop."
    blend = build_call(
        key, "blend(first, second)", "Mix glycerine and water half and half",
        first="Mix glycerine", second="glycerine and water", mixed="Mix glycerine and water",
    )  # fmt: skip
    blend["values"] = [{"code": find_code(key, "share"), "value": "50", "quote": "half and half, 50 % each"}]
    scored = ScriptedTranslation(build_reading(blend)).interpret(key, text).compute_score(key)
    assert scored.components is not None
    assert (scored.state, scored.components.outcome) == (RunState.SCORED, 0.0)
    assert "blend.low" in scored.note


def test_waiting_is_executed_and_may_be_too_long() -> None:
    text = "It can be done. I wait for ten minutes. I tie the fridge magnet to my boot lace. Then I fish the keys up."
    wait = {
        "quote": "I wait for ten minutes", "kind": "call", "code": "W1",
        "said": [{"name": "time", "quote": "ten minutes"}],
    }  # fmt: skip
    scored = (
        ScriptedTranslation(build_reading(wait, build_tie(), build_fish()))
        .interpret(KEY, text)
        .compute_score(KEY)
    )
    assert scored.calls[0] == "wait(600[s])"
    assert scored.components is not None
    assert scored.components.outcome == 0
    assert "late" in scored.note


# what does not count


def test_a_call_without_the_needed_words_does_not_count() -> None:
    """The answer names the right things and never says that they are joined."""
    text = "It can be done. I use the fridge magnet and my boot lace. Then I fish the keys up."
    tie = build_tie("I use the fridge magnet and my boot lace", joined="")
    found = ScriptedTranslation(build_reading(tie, build_fish())).interpret(KEY, text)
    assert get_step_kinds(found) == [StepKind.NEAR_MISS, StepKind.CALL]
    assert found.entries[1].reason == "the answer does not say 'joined'"
    scored = found.compute_score(KEY)
    assert scored.components is not None
    assert scored.components.outcome == 0


def test_the_right_thing_with_the_wrong_deed_is_refused_by_the_second_pass() -> None:
    """The first pass stretches the words; the second one sees that they say something else."""
    text = "It can be done. I hold the fridge magnet and my boot lace over the grate. I fish the keys up."
    stretched = build_tie(
        "I hold the fridge magnet and my boot lace over the grate",
        joined="I hold the fridge magnet and my boot lace",
    )
    means = ScriptedTranslation(
        build_reading(stretched, build_fish()), refuse_lines_with("I hold the fridge")
    )
    found = means.interpret(KEY, text)
    assert get_step_kinds(found) == [StepKind.UNREAD, StepKind.CALL]
    assert found.entries[1].reason == "the second pass calls it unfaithful: another deed"
    scored = found.compute_score(KEY)
    assert (scored.state, scored.score) == (RunState.REVIEW, None)
    assert "I hold the fridge magnet" in scored.note
    shown = means.prompts[1]
    assert "not this: hold a fridge magnet over the grate by hand" in shown
    assert "says 'joined' (such as tie | knot | fasten | hook) with: 'I hold the fridge magnet" in shown


def test_what_the_record_does_not_know_and_matters_goes_to_review_with_its_words() -> None:
    text = "It can be done. I borrow a vacuum cleaner from the shop and suck the keys up."
    step = {
        "quote": "I borrow a vacuum cleaner", "kind": "not modelled", "what": "borrows a cleaner", "matters": True,
    }  # fmt: skip
    scored = ScriptedTranslation(build_reading(step)).interpret(KEY, text).compute_score(KEY)
    assert scored.state is RunState.REVIEW
    assert "I borrow a vacuum cleaner" in scored.note
    idle = {**step, "matters": False}
    found = ScriptedTranslation(build_reading(idle, build_tie(), build_fish())).interpret(
        KEY, f"{text} {GRATE_ANSWER}"
    )
    assert found.compute_score(KEY).score == 100


def test_it_adds_nothing_that_was_not_said() -> None:
    scored = ScriptedTranslation(build_reading(build_fish())).interpret(KEY, GRATE_ANSWER).compute_score(KEY)
    assert scored.calls == ("fish(magnet, keys)",)
    assert scored.components is not None
    assert scored.components.outcome == 0


# assumptions


def test_a_decoy_is_not_the_assumption() -> None:
    codes = build_coded_record(KEY).premises
    text = f"Nothing says that the umbrella must stay rolled up. {GRATE_ANSWER}"
    premise = {
        "code": find_statement(codes, "rolled up"),
        "quote": "Nothing says that the umbrella must stay rolled up",
    }
    found = ScriptedTranslation(build_reading(build_tie(), build_fish(), premise=premise)).interpret(
        KEY, text
    )
    assert found.answer is not None
    assert (found.answer.premises, found.answer.names_decoy) == (frozenset(), True)
