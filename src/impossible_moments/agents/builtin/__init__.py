"""The built-in cast: programs for the five core agents and four additional ones. No key, network or clock."""

from impossible_moments.agents.builtin.additional_agents.record_mutations import read_quantity
from impossible_moments.agents.builtin.athena.offer_selection import (
    UnreachableBrief,
    explain_unused_contributions,
    list_reachable_targets,
)
from impossible_moments.agents.builtin.athena.twin_scenarios import PublishedSibling
from impossible_moments.agents.builtin.cast import (
    BUILTIN_AGENTS,
    BuiltinCast,
    load_builtin_cast,
    load_extended_cast,
)

__all__ = [
    "BUILTIN_AGENTS",
    "BuiltinCast",
    "PublishedSibling",
    "UnreachableBrief",
    "explain_unused_contributions",
    "list_reachable_targets",
    "load_builtin_cast",
    "load_extended_cast",
    "read_quantity",
]
