"""Decision trees: a policy as text for readers, and a policy that a player wrote as nested JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from impossible_moments.mechanics.uncertain.compiled_world import BeliefNode, UncertainWorld
from impossible_moments.mechanics.uncertain.policies import Policy
from impossible_moments.mechanics.uncertain.record_forms import Ending

OTHERWISE: Final = "otherwise"
MOST_TREE_NODES: Final = 5000
DEEPEST_TREE: Final = 100
STOP: Final = "STOP"


class DecisionTreeError(ValueError):
    """A decision tree that cannot be read. The message says where and why."""


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """An act, and what to do after each observation. Without an act the player stops."""

    act: str | None
    branches: Mapping[str, DecisionTree]


def parse_decision_tree(data: object, world: UncertainWorld) -> DecisionTree:
    """Return the tree in data. Raise `DecisionTreeError` if it is malformed or too large."""
    count = 0

    def parse_node(part: object, place: str, depth: int) -> DecisionTree:
        nonlocal count
        count += 1
        if depth > DEEPEST_TREE:
            raise DecisionTreeError(f"the tree is more than {DEEPEST_TREE} acts deep")
        if count > MOST_TREE_NODES:
            raise DecisionTreeError(f"the tree has more than {MOST_TREE_NODES} nodes")
        if part is None or (isinstance(part, str) and part.strip().upper() == STOP):
            return DecisionTree(None, {})
        if isinstance(part, str):
            part = {"do": part}
        if not isinstance(part, Mapping):
            raise DecisionTreeError(f"at {place}, there is no object with `do` and `then`")
        code = str(part.get("do", "")).strip().upper()
        if code == STOP:
            return DecisionTree(None, {})
        if code not in world.record.acts:
            raise DecisionTreeError(f"at {place}, `{code[:40]}` is not an act")
        then = part.get("then") or {}
        if isinstance(then, str) or (isinstance(then, Mapping) and "do" in then):
            then = {OTHERWISE: then}
        if not isinstance(then, Mapping):
            raise DecisionTreeError(f"at {place}, `then` is not an object")
        branches = {
            str(see).strip().casefold(): parse_node(each, f"{place}/{see}", depth + 1)
            for see, each in then.items()
        }
        return DecisionTree(code, branches)

    return parse_node(data, "", 0)


def evaluate_decision_tree(world: UncertainWorld, tree: DecisionTree) -> Fraction:
    """Return the exact probability of success of a decision tree.

    An act that cannot be begun, and an observation that the tree does not list, end the episode.
    """

    def evaluate_mass(part: DecisionTree, node: BeliefNode) -> Fraction:
        if part.act is None or world.find_obstacle(part.act, node.visible) is not None:
            return Fraction(0)
        total = Fraction(0)
        for after in world.list_successors(part.act, node):
            if after.ends is Ending.SUCCESS:
                total += after.mass
            elif after.ends is None:
                following = part.branches.get(after.see.casefold(), part.branches.get(OTHERWISE))
                if following is not None:
                    total += after.scale * evaluate_mass(following, after.node)
        return total / world.denominators[part.act]

    return evaluate_mass(tree, world.start) / sum(world.start.weights)


def render_policy(world: UncertainWorld, policy: Policy, most_lines: int = 80) -> str:
    """Return a policy as an indented list, at most so many lines. Observations with the same sequel share a line."""
    lines = list(_iterate_tree_lines(build_decision_tree(world, policy), 0, ""))
    if len(lines) > most_lines:
        lines = [*lines[:most_lines], "- ... (the rest is computed from the record in the same way)"]
    return "\n".join(lines)


def build_decision_tree(world: UncertainWorld, policy: Policy) -> DecisionTree:
    """Return a policy as a decision tree."""

    def build_node(node: BeliefNode) -> DecisionTree:
        act = policy.choose_act(node)
        if act is None:
            return DecisionTree(None, {})
        return DecisionTree(
            act,
            {
                after.see.casefold(): build_node(after.node)
                for after in world.list_successors(act, node)
                if after.ends is None
            },
        )

    return build_node(world.start)


def convert_tree_to_data(tree: DecisionTree) -> object:
    """Return a tree in the form in which a player writes it."""
    if tree.act is None:
        return STOP
    following = list(tree.branches.values())
    if len(following) > 1 and all(each == following[0] for each in following):
        return {"do": tree.act, "then": {OTHERWISE: convert_tree_to_data(following[0])}}
    return {"do": tree.act, "then": {see: convert_tree_to_data(each) for see, each in tree.branches.items()}}


def _iterate_tree_lines(tree: DecisionTree, depth: int, observation: str) -> Iterator[str]:
    yield f"{'  ' * depth}- {observation}{tree.act or 'stop'}"
    groups: list[tuple[DecisionTree, list[str]]] = []
    for see, following in tree.branches.items():
        if following.act is not None:
            same = next((names for each, names in groups if each == following), None)
            if same is None:
                groups.append((following, [see]))
            else:
                same.append(see)
    for following, names in groups:
        seen = " or ".join(f'"{name}"' for name in names)
        # an act with one result needs no mention of it
        words = "then " if len(tree.branches) == 1 else f"after {seen}: "
        yield from _iterate_tree_lines(following, depth + (len(tree.branches) > 1), words)
