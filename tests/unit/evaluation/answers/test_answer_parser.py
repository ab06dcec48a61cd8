"""Reading of answers: what is there is read, and nothing that a model may write breaks the reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.evaluation.answers.answer_parser import (
    LONGEST_TEXT,
    MOST_BRACES,
    MOST_STEPS,
    AnswerStep,
    AnswerVerdict,
    ParsedAnswer,
    parse_answer,
)
from support.processor_time import measure_least_seconds

PLAIN = '{"verdict": "solvable", "plan": [{"do": "open", "with": ["the door"]}]}'
READ = (AnswerStep("open", ("the door",)),)


def read(text: str) -> ParsedAnswer:
    found = parse_answer(text)
    assert found is not None
    return found


# where the answer stands


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        f"```json\n{PLAIN}\n```",
        f"```\n{PLAIN}\n```\nI hope this helps!",
        f"Let {{x}} be the width. So:\n\n{PLAIN}\n\nThat is all.",
        f"\N{BYTE ORDER MARK}{PLAIN}",
        json.dumps(json.loads(PLAIN), indent=4),
        r"The force is $\frac{F}{A}$ and the set {a, b} is empty. " + PLAIN,
    ],
    ids=["bare", "fenced", "fenced with a tail", "in prose", "byte order mark", "indented", "after formulas"],
)
def test_an_answer_is_found_wherever_it_stands(text: str) -> None:
    assert read(text).plan == READ


def test_of_several_answers_the_last_counts() -> None:
    assert read(f'{{"verdict": "impossible"}} No, wait: {PLAIN}').verdict is AnswerVerdict.SOLVABLE


def test_an_object_that_is_no_answer_does_not_hide_the_one_before() -> None:
    assert read(f'{PLAIN}\n{{"confidence": 0.9}}').plan == READ


def test_an_answer_after_more_braces_than_are_tried_is_found() -> None:
    assert read("{x} " * (2 * MOST_BRACES) + PLAIN).plan == READ


def test_an_answer_in_an_answer_is_part_of_it() -> None:
    assert read('{"verdict": "open", "claims": {"verdict": "solvable"}}').verdict is AnswerVerdict.OPEN


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "The door can be opened.",
        "{'verdict': 'solvable', 'plan': []}",
        '{"verdict": "solvable", "plan": [],}',
        '{"verdict": "solvable", "plan": [',
        '["verdict", "plan"]',
        "{}",
        '{"Verdict": "solvable"}',
    ],
    ids=[
        "empty",
        "blank",
        "prose",
        "single quotes",
        "trailing comma",
        "cut off",
        "list",
        "empty object",
        "capital",
    ],
)
def test_what_is_not_in_the_form_is_no_answer(text: str) -> None:
    assert parse_answer(text) is None


# verdicts


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("solvable", AnswerVerdict.SOLVABLE),
        ("Solvable.", AnswerVerdict.SOLVABLE),
        ("not impossible", AnswerVerdict.SOLVABLE),
        ("possible", AnswerVerdict.SOLVABLE),
        ("IMPOSSIBLE", AnswerVerdict.IMPOSSIBLE),
        ("unsolvable", AnswerVerdict.IMPOSSIBLE),
        ("not solvable", AnswerVerdict.IMPOSSIBLE),
        ("not possible", AnswerVerdict.IMPOSSIBLE),
        ("no", AnswerVerdict.IMPOSSIBLE),
        ("no solution", AnswerVerdict.IMPOSSIBLE),
        ("insoluble", AnswerVerdict.IMPOSSIBLE),
        ("contested", AnswerVerdict.CONTESTED),
        ("open", AnswerVerdict.OPEN),
        ("solvable, though not easily", AnswerVerdict.SOLVABLE),
        ("solvable or impossible", AnswerVerdict.NONE),
        ("solvable impossible contested open", AnswerVerdict.NONE),
        ("perhaps", AnswerVerdict.NONE),
        (None, AnswerVerdict.NONE),
        (True, AnswerVerdict.NONE),
        (["impossible"], AnswerVerdict.IMPOSSIBLE),
    ],
)
def test_a_verdict_is_the_one_that_is_given_and_of_several_none(said: object, meant: AnswerVerdict) -> None:
    assert read(json.dumps({"verdict": said})).verdict is meant


def test_a_plan_without_a_verdict_says_that_it_can_be_done() -> None:
    assert read('{"plan": [{"do": "open"}]}').verdict is AnswerVerdict.SOLVABLE


def test_neither_verdict_nor_plan_is_silence() -> None:
    assert read('{"verdict": "", "plan": []}').is_silent


# steps


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"do": "open", "with": ["a", "b"], "to": "c"}, AnswerStep("open", ("a", "b", "c"))),
        ({"do": "open", "with": "a"}, AnswerStep("open", ("a",))),
        ({"verb": "open", "on": "a"}, AnswerStep("open", ("a",))),
        ({"action": "open", "to": ["a", "a"]}, AnswerStep("open", ("a",))),
        ({"do": "wait", "value": 20}, AnswerStep("wait", (), "20")),
        ("open(a, 'b')", AnswerStep("open", ("a", "b"))),
        ("open", AnswerStep("open")),
    ],
    ids=["all", "one thing", "verb", "action", "number", "call", "word"],
)
def test_a_step_is_read_in_the_ways_models_write_it(written: object, meant: AnswerStep) -> None:
    assert read(json.dumps({"plan": [written]})).plan == (meant,)


@pytest.mark.parametrize("written", [None, 3, True, [], {}, {"with": ["a"]}, {"do": None}, {"do": []}, "  "])
def test_what_is_no_step_is_left_out(written: object) -> None:
    assert read(json.dumps({"verdict": "open", "plan": [written]})).plan == ()


def test_a_plan_is_read_up_to_a_bound() -> None:
    steps = [{"do": f"open {at}"} for at in range(3 * MOST_STEPS)]
    assert len(read(json.dumps({"plan": steps})).plan) == MOST_STEPS


def test_texts_are_cut_to_a_line() -> None:
    found = read(json.dumps({"verdict": "open", "assumption": "a\n" * 10_000}))
    assert len(found.assumption) <= LONGEST_TEXT
    assert "\n" not in found.assumption


def test_half_characters_can_be_written_into_a_file() -> None:
    found = read(r'{"plan": [{"do": "answer", "value": "\ud800"}], "assumption": "\udfff"}')
    assert f"{found.plan[0]} {found.assumption}".encode()


def test_length_is_counted_over_the_whole_text_in_tokens() -> None:
    assert read(PLAIN).token_count == -(-len(PLAIN) // 4)
    assert read(f"{'x' * 4000}{PLAIN}").token_count == 1000 + read(PLAIN).token_count


# harm


HOSTILE = {
    "braces": "{" * 400_000,
    "brackets": "[" * 400_000,
    "deep": '{"plan": ' * 60_000,
    "deep and closed": '{"plan": ' * 900 + "1" + "}" * 900,
    "deep lists in a plan": '{"plan": ' + "[" * 400 + "]" * 400 + "}",
    "open lists in each other": '{"a": [' * 450 + "0," * 190_000,
    "a huge number": '{"plan": 1' + "0" * 300_000 + "}",
    "a number without end": '{"verdict": 1e999999, "plan": [NaN, Infinity]}',
    "many answers": '{"plan": []}' * 30_000,
    "ten megabytes": "x" * 10_000_000 + PLAIN,
    "nulls": "\0" * 1000 + PLAIN,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_no_text_keeps_the_reader_busy(text: str) -> None:
    assert measure_least_seconds(lambda: parse_answer(text), enough=2) < 2


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["open", "impossible", "the door", "wait"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    "verdict", "plan", "other_plans", "conflict", "assumption", "crux", "uncertain", "claims", "because",
)  # fmt: skip
step_like = st.dictionaries(
    st.sampled_from(["do", "verb", "with", "to", "on", "value"]), anything, max_size=5
)
answer_like = st.dictionaries(
    st.sampled_from(FIELDS), anything | st.lists(step_like, max_size=3) | step_like, max_size=9
)


@given(st.text() | anything.map(json.dumps))
def test_any_text_is_read_or_is_no_answer(text: str) -> None:
    found = parse_answer(text)
    assert found is None or isinstance(found, ParsedAnswer)


@given(answer_like)
def test_any_types_anywhere_give_an_answer_of_plain_texts(data: dict[str, Any]) -> None:
    found = parse_answer(json.dumps(data))
    if found is None:
        assert not {"verdict", "plan"} & data.keys()
        return
    steps = [*found.plan, *(each for plan in found.other_plans for each in plan)]
    texts = [part for each in steps for part in (each.do, *each.things, each.value)]
    texts += [*found.conflict, found.assumption, found.crux, *found.uncertain, *found.because]
    assert {type(each) for each in texts} <= {str}
    assert max(map(len, texts), default=0) <= LONGEST_TEXT
