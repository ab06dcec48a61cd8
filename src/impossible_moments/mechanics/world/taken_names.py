"""The names that a record cannot choose freely: words of the language, and names of the library."""

from __future__ import annotations

from impossible_moments.mechanics.records import Library
from impossible_moments.mechanics.world.building.declarations import RESERVED


def render_taken_names(library: Library) -> str:
    """Return the reserved words, and the things, verbs and properties of a library, as a text for authors."""
    form = library.form
    properties = " ".join(
        line.partition("=")[0].strip().partition("(")[0].partition("[")[0]
        for line in (*form.properties, *form.further)
    )
    return "\n".join(
        (
            f"Reserved words, never a name: {' '.join(sorted(RESERVED))}.",
            f"Things that always exist, never another thing: {' '.join(form.always)}.",
            f"Verbs of the library, never the verb of your own action (write another verb, with `of`): {' '.join(sorted(library.verbs))}.",
            f"Properties of the library, only with its meaning and unit (`look_up` returns them): {properties}.",
        )
    )
