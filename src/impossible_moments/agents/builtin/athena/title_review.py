"""Review of titles: which words of a name stand for a thing that only the answer uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.mechanics.language import expressions as ex

_WORD: Final = re.compile(r"[^\W\d_]{4,}")


def find_revealing_words(name: str, declared: DeclaredDesign) -> Iterator[str]:
    """Yield the words of a name that stand for a thing which only the answer uses."""
    answering = {
        argument
        for plan in declared.answering
        for move in declared.plans[plan]
        for argument in move.arguments
    }
    tempting = {
        argument for plan in declared.traps for move in declared.plans[plan] for argument in move.arguments
    }
    goal = {path.partition(".")[0] for path in ex.collect_paths(declared.world.goal)}
    named = _collect_words(name)
    for thing in sorted(answering - tempting - goal):
        label = declared.world.things[thing].label if thing in declared.world.things else ""
        for word in sorted(named & _collect_words(label)):
            yield f"The name “{name}” names {label}, which only the answer uses (“{word}”)."


def _collect_words(text: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(text))
