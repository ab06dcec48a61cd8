"""Which thing a phrase means: by its words, however they are put, and several where it may mean several."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.thing_names import extract_word_stems, stem_word
from support.scored_scenarios import build_small_key


@pytest.fixture(scope="module")
def key() -> AnswerKey:
    labels = {
        "you": "you",
        "red": "a red plastic bucket",
        "blue": "a blue plastic bucket",
        "ladder": "the aluminium ladder",
        "knives": "the butcher's knives",
        "rope": "a rope",
        "coil": "a coil of hemp rope",
        "berries": "the berries",
    }
    things = [
        {"name": name, "label": label, "kind": "person" if name == "you" else "object"}
        for name, label in labels.items()
    ]
    goal = {"props": ["wet = false"]}
    return build_small_key(
        things=[*things[:1], {**things[1], **goal}, *things[2:]],
        actions=[{"do": "soak(b: red)", "then": ["b.wet = true"], "takes": "5[s]"}],
        goal="red.wet",
        approaches=[{"name": "way", "plan": ["soak(red)"], "ends": "goal", "why": "it is worth a try"}],
    )


@pytest.mark.parametrize(
    ("phrase", "meant"),
    [
        ("a red plastic bucket", ("red",)),
        ("the red plastic bucket", ("red",)),
        ("my Red Plastic Bucket!", ("red",)),
        ("red bucket", ("red",)),
        ("the red one", ("red",)),
        ("ladder", ("ladder",)),
        ("the ladders", ("ladder",)),
        ("an aluminium ladder that leans on the wall", ("ladder",)),
        ("the butcher's knives", ("knives",)),
        ("knives of the butcher", ("knives",)),
        ("berry", ("berries",)),
        ("bucket", ("red", "blue")),
        ("plastic bucket", ("red", "blue")),
        ("a rope", ("rope",)),
        ("the coil of rope", ("coil",)),
        ("hemp", ("coil",)),
        ("yourself", ("you",)),
        ("me", ("you",)),
        ("RED", ("red",)),
        ("a crowbar", ()),
        ("the", ()),
        ("", ()),
        ("...", ()),
        ("\N{SNOWMAN}", ()),
    ],
)
def test_a_phrase_means_the_things_whose_words_it_has(
    phrase: str, meant: tuple[str, ...], key: AnswerKey
) -> None:
    assert set(key.names.resolve_phrase(phrase)) == set(meant)


def test_a_phrase_that_lists_several_things_means_none_of_them(key: AnswerKey) -> None:
    assert key.names.resolve_phrase("a red plastic bucket, a blue plastic bucket, the butcher's knives") == ()
    assert key.names.resolve_phrase("aluminium ladder butcher's knives") == ()


@cache
def small_world() -> AnswerKey:
    return build_small_key(
        things=[{"name": "door", "label": "the door", "props": ["shut = true"]}],
        actions=[{"do": "pull(d: door)", "then": ["d.shut = false"], "takes": "5[s]"}],
        goal="not door.shut",
        approaches=[{"name": "way", "plan": ["pull(door)"], "ends": "goal", "why": "it is worth a try"}],
    )


@given(st.text(max_size=60))
def test_any_phrase_means_things_of_the_world_and_always_the_same(phrase: str) -> None:
    names = small_world().names
    assert set(names.resolve_phrase(phrase)) <= set(names.world.things)
    assert names.resolve_phrase(phrase) == names.resolve_phrase(phrase)


@pytest.mark.parametrize(
    ("word", "other"),
    [("doors", "door"), ("berries", "berry"), ("opened", "opening"), ("butcher's", "butcher"), ("is", "is")],
)
def test_words_of_one_stem_are_one_word(word: str, other: str) -> None:
    assert stem_word(word) == stem_word(other)


def test_words_that_say_nothing_are_left_out() -> None:
    assert extract_word_stems("the rope of the house") == extract_word_stems("house rope")
