"""Authors are told every name that they cannot choose."""

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.records.author_guide import render_author_guide
from impossible_moments.mechanics.world import render_taken_names
from impossible_moments.mechanics.world.building.declarations import RESERVED


def test_every_reserved_word_and_library_name_is_listed() -> None:
    library = load_everyday_library()
    words = set(render_taken_names(library).replace(".", " ").replace(",", " ").split())

    assert words >= RESERVED
    assert words >= set(library.verbs)
    assert words >= {*library.form.always, "bears", "holds", "withstands"}


def test_the_guide_to_records_lists_the_reserved_words() -> None:
    line = next(
        each for each in render_author_guide(load_everyday_library()).splitlines() if "Reserved names" in each
    )

    assert set(line.replace(";", " ").replace(".", " ").replace(":", " ").split()) >= RESERVED
