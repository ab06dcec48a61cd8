"""Groups of conflict conditions: in a record with long plans, conditions on the same state count as one."""

from __future__ import annotations

from collections.abc import Sequence

from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis


def group_conflict_names(analysis: WorldAnalysis, names: Sequence[str]) -> list[frozenset[str]]:
    """Return the names of a conflict in the groups that are needed or not needed as a whole.

    Usually each name is a group. If the record states its longest plan, many actions have a condition on the same
    stock, and the question is whether that stock matters.
    """
    if analysis.world.record.longest_plan is None:
        return [frozenset({name}) for name in names]
    world = analysis.world
    trees = {test.name: test.tree for move in analysis.searcher.moves for test in move.tests}
    trees |= {never.name: never.tree for never in world.never_rules}
    groups: dict[frozenset[str], set[str]] = {}
    for name in names:
        tree = trees.get(name)
        read = frozenset() if tree is None else world.collect_stated_quantities(tree) & world.mutable
        groups.setdefault(frozenset(read) or frozenset({name}), set()).add(name)
    return [frozenset(each) for each in groups.values()]
