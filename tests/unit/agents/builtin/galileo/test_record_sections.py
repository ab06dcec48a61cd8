"""Lines of a section are counted alike in a text and in a list."""

from __future__ import annotations

import pytest

from impossible_moments.agents.builtin.galileo.record_sections import count_record_lines
from support.finished_dossiers import build_seed


@pytest.mark.parametrize("lines", ["a = 1[s]\n\nb = 2[m]\n", ["a = 1[s]", "b = 2[m]"]])
def test_lines_are_counted_and_not_letters(lines: object) -> None:
    seed = build_seed("blast_room")
    changed = seed.model_copy(update={"mechanics": {**seed.mechanics, "quantities": lines}})
    assert count_record_lines(changed, "quantities") == 2


def test_a_section_that_is_not_there_has_no_lines() -> None:
    assert count_record_lines(build_seed("blast_room"), "nothing") == 0
