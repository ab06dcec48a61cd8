"""The limits of a search for plans, and the situation in which it starts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from impossible_moments.mechanics.language.scalar_evaluation import Value
from impossible_moments.mechanics.records.plans import MAX_CALLS


@dataclass
class SearchBounds:
    """The limits of a search. Nodes are counted over all searches that share the bounds.

    `stop` is called for each node and ends the search once it returns true, for example after a timeout.
    """

    nodes: int = 20_000
    depth: int = MAX_CALLS
    used: int = 0
    exhausted: bool = True
    stop: Callable[[], bool] | None = None

    def spend_nodes(self, cost: int = 1) -> bool:
        """Add the cost of a node. Return False once the limits are reached."""
        self.used += cost
        if self.used > self.nodes or (self.stop is not None and self.stop()):
            self.exhausted = False
        return self.exhausted


@dataclass(frozen=True, slots=True)
class SearchSituation:
    """The start and the restrictions of a search.

    `changes` replaces stated values, `lifted` names never-lines to ignore, and calls that are in `forbidden`
    or use a thing of `without_things` are not allowed.
    """

    changes: Mapping[str, Value] = field(default_factory=dict)
    lifted: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    without_things: frozenset[str] = frozenset()
