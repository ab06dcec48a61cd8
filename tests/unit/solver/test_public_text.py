"""A public text is the same whichever way a solver is given it."""

from __future__ import annotations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from impossible_moments.blueprints.instance_trials import draw_and_check_instance
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.scenarios.scenario import Scenario
from impossible_moments.solver.public_text import PublicText, normalize_label, normalize_whitespace
from impossible_moments.solver.solver import solve_public_text
from support.small_blueprints import (
    ROOM_OFFERS,
    build_room_situations,
    change_offer,
    draw_room,
    extract_public_text,
    find_room_offer,
    load_room,
    render_public_document,
)

HEADS = {"Feature", "Object", "Parameter", "---"}


def test_the_names_are_those_of_every_offer_of_the_room() -> None:
    assert [offer.name.partition("/")[2] for offer in load_room().iterate_offers()] == list(ROOM_OFFERS)


def of_document(document: str) -> PublicText:
    return PublicText.from_scenario(Scenario.parse(document, "the document"))


def rows(text: PublicText) -> list[tuple[str, ...]]:
    return [row for row in text.rows if row[0] not in HEADS]


@settings(max_examples=8, phases=[Phase.generate])  # a seed has no smaller one
@given(name=st.sampled_from(ROOM_OFFERS), seed=st.integers(0, 99))
def test_a_document_says_what_the_narrative_says(name: str, seed: int) -> None:
    tried = draw_room(name, seed)
    printed, given_ = of_document(render_public_document(tried)), extract_public_text(tried)

    assert printed.parts == given_.parts
    assert rows(printed) == rows(given_)


@pytest.mark.parametrize("name", ROOM_OFFERS)
def test_a_document_is_solved_as_the_narrative_is(name: str) -> None:
    tried = draw_room(name)
    printed, given_ = (
        solve_public_text(each, build_room_situations())
        for each in (of_document(render_public_document(tried)), extract_public_text(tried))
    )

    assert printed.reading == given_.reading
    assert (printed.status, printed.plans, printed.unstated_numbers) == (
        given_.status,
        given_.plans,
        given_.unstated_numbers,
    )


@pytest.mark.parametrize("note", ["marked A|B", "marked <A>"], ids=["bar", "bracket"])
def test_signs_that_mean_something_in_a_document_read_back(note: str) -> None:
    tried = draw_and_check_instance(
        change_offer(find_room_offer(), telling={"notes": {"step": note}}), load_everyday_library(), 0, 0
    )

    assert rows(of_document(render_public_document(tried))) == rows(extract_public_text(tried))


def test_only_what_a_blind_solver_is_shown_is_read() -> None:
    text = of_document(render_public_document(draw_room()))

    assert "hit the light with the ice scoop" not in text.lowercase_text
    assert "you picture a tool" not in text.lowercase_text
    assert "fracture" not in text.lowercase_text


def test_everything_else_stands_in_the_whole_text() -> None:
    text = extract_public_text(draw_room())

    for word in (
        "soft as a kiss",
        "the compressor coughed",
        "hatch light",
        "beech and steel",
        "jump",
    ):
        assert word in text.lowercase_text


@pytest.mark.parametrize("head", ["hatch light", "the Hatch light", "A hatch  light", "HATCH LIGHT"])
def test_a_row_is_found_without_article_or_capitals(head: str) -> None:
    row = extract_public_text(draw_room()).find_row(head)

    assert row is not None
    assert row[0] == "Hatch light"


def test_a_row_is_not_found_by_a_part_of_its_name() -> None:
    assert extract_public_text(draw_room()).find_row("hatch") is None


@pytest.mark.parametrize(("text", "tidied"), [("a\n\n b ", "a b"), (r"a\[b", "a[b"), ("  ", "")])
def test_white_space_and_escapes_do_not_matter(text: str, tidied: str) -> None:
    assert normalize_whitespace(text) == tidied


@pytest.mark.parametrize(("label", "word"), [("The Lamp", "lamp"), ("an axe", "axe"), ("Theatre", "theatre")])
def test_a_label_is_bare_without_its_article(label: str, word: str) -> None:
    assert normalize_label(label) == word
