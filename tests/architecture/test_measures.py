"""Names, sizes and front doors stay within the limits of the house style."""

from __future__ import annotations

from functools import cache

import pytest

from architecture.measures import (
    PACKAGE,
    Measures,
    find_inner_imports,
    is_lone_participle,
    measure_tree,
    quantile,
    read_public_names,
    starts_with_verb,
)

LEAST_VERB_SHARE = 0.90
MOST_PARTICIPLE_SHARE = 0.01
MOST_MODULES_IN_FOLDER = 25
MOST_SUPPRESSIONS = 5.2
"""Per 1,000 lines."""
MOST_LINES_P90 = 250
MOST_PUBLIC_NAMES = 40


@cache
def measured() -> Measures:
    return measure_tree()


def test_functions_start_with_a_verb() -> None:
    others = sorted({name for name in measured().names if not starts_with_verb(name)})

    assert measured().verb_share >= LEAST_VERB_SHARE, f"these do not: {others}"


def test_functions_are_not_named_by_a_lone_participle() -> None:
    found = sorted({name for name in measured().names if is_lone_participle(name)})

    assert measured().participle_share < MOST_PARTICIPLE_SHARE, f"these are: {found}"


def test_a_folder_has_few_enough_modules() -> None:
    full = {
        name: count for name, count in measured().modules_in_folder.items() if count > MOST_MODULES_IN_FOLDER
    }

    assert full == {}


def test_mechanics_is_imported_through_its_front_doors() -> None:
    assert find_inner_imports("impossible_moments.mechanics") == []


def test_few_checks_are_suppressed() -> None:
    assert measured().suppressions_per_thousand <= MOST_SUPPRESSIONS


def test_nine_of_ten_files_are_short() -> None:
    assert quantile(measured().file_lengths, 0.9) < MOST_LINES_P90


def test_a_front_door_has_few_enough_public_names() -> None:
    doors = sorted(path.parent for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE)
    sizes = {door.relative_to(PACKAGE).as_posix(): len(read_public_names(door)) for door in doors}
    wide = {name: size for name, size in sizes.items() if size > MOST_PUBLIC_NAMES}

    assert any(sizes.values()), "no front door lists its names"
    assert wide == {}, f"the sizes of all front doors: {sizes}"


@pytest.mark.parametrize("name", ["parse_plan", "is_open", "run", "from_text", "to_json", "read"])
def test_a_verb_is_recognized(name: str) -> None:
    assert starts_with_verb(name)


@pytest.mark.parametrize("name", ["plan", "margin", "told", "chosen", "seeds_in", "status_of"])
def test_a_name_without_a_verb_is_recognized(name: str) -> None:
    assert not starts_with_verb(name)


@pytest.mark.parametrize(
    ("name", "lone"), [("told", True), ("mended", True), ("read", False), ("made_by", False)]
)
def test_a_lone_participle_is_recognized(name: str, *, lone: bool) -> None:
    assert is_lone_participle(name) is lone
