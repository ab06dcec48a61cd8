"""The blueprints that ship, as one catalogue. Each file by itself: matrix_shipped_blueprints.py."""

from __future__ import annotations

from collections import Counter

import pytest

from impossible_moments.blueprints.catalogue import find_duplicate_titles, load_shipped_catalogue
from impossible_moments.mechanics.records.documents import load_document
from support.small_blueprints import FAMILIES

FILES = sorted(FAMILIES.rglob("*.yaml"))


def test_every_blueprint_that_ships_is_told_by_some_skin() -> None:
    catalogue = load_shipped_catalogue()

    assert [name for name in catalogue.blueprints if not catalogue.skins.get(name)] == []


def test_no_title_stands_twice() -> None:
    assert find_duplicate_titles(load_shipped_catalogue()) == {}


@pytest.mark.parametrize("kind", ["im-blueprint/1", "im-skin/1"])
def test_no_two_files_of_a_kind_bear_one_name(kind: str) -> None:
    named = Counter(data["name"] for data in map(load_document, FILES) if data["format"] == kind)

    assert [name for name, times in named.items() if times > 1] == []


def test_every_skin_tells_at_least_one_variant() -> None:
    bare = [
        skin.name for skins in load_shipped_catalogue().skins.values() for skin in skins if not skin.variants
    ]

    assert bare == []
