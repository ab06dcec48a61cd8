"""What a proof shows for itself: the splitting of the box, or the solver's statement.

A certificate is plain data (`as_data`) and can be read back (`from_data`), so that a proof can be stored and
checked again by somebody who has only the conditions and the box.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

Data: TypeAlias = str | float | bool | Sequence["Data"] | Mapping[str, "Data"] | None
Method: TypeAlias = Literal["interval", "branch-and-bound", "z3"]


@dataclass(frozen=True, slots=True)
class Leaf:
    """A part of the box where the named condition is false everywhere."""

    condition: str


@dataclass(frozen=True, slots=True)
class Split:
    """A box cut at `at` in the direction of `name`; both parts include the cut."""

    name: str
    at: float
    low: Tree
    high: Tree


@dataclass(frozen=True, slots=True)
class Cases:
    """A box taken apart by each value that a fact or a word may have."""

    name: str
    cases: tuple[tuple[bool | str, Tree], ...]


Tree: TypeAlias = Leaf | Split | Cases


@dataclass(frozen=True, slots=True)
class Splitting:
    """The parts that together are the box, and the condition that fails in each."""

    tree: Tree

    @property
    def used(self) -> frozenset[str]:
        """The conditions that fail in some part."""
        return frozenset(node.condition for node in _nodes(self.tree) if isinstance(node, Leaf))

    def as_data(self) -> Mapping[str, Data]:
        """The certificate as plain data."""
        return {"splitting": _as_data(self.tree)}


@dataclass(frozen=True, slots=True)
class Statement:
    """A solver's word that conditions conflict."""

    core: tuple[str, ...]
    statement: str

    def as_data(self) -> Mapping[str, Data]:
        """The certificate as plain data."""
        return {"core": list(self.core), "statement": self.statement}


Certificate: TypeAlias = Splitting | Statement


@dataclass(frozen=True, slots=True)
class Proof:
    """No point of the box satisfies all conditions: those named in `core` already conflict."""

    core: tuple[str, ...]
    method: Method
    certificate: Certificate


def from_data(data: Data) -> Certificate:
    """The certificate that plain data describe; `ValueError` if they describe none."""
    match data:
        case {"splitting": tree, **rest} if not rest:
            return Splitting(_tree(tree))
        case {"core": [*names], "statement": str() as statement, **rest} if not rest:
            return Statement(tuple(_text(name) for name in names), statement)
        case _:
            raise ValueError("a certificate holds either `splitting`, or `core` and `statement`")


def _nodes(tree: Tree) -> Iterator[Tree]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, Split):
            waiting += (node.high, node.low)
        elif isinstance(node, Cases):
            waiting += [branch for _, branch in node.cases]


def _as_data(tree: Tree) -> Data:
    match tree:
        case Leaf(condition):
            return {"false": condition}
        case Split(name, at, low, high):
            return {"split": name, "at": at, "low": _as_data(low), "high": _as_data(high)}
        case Cases(name, cases):
            return {"cases": name, "of": [[value, _as_data(branch)] for value, branch in cases]}


def _tree(data: Data) -> Tree:
    match data:
        case {"false": str() as condition, **rest} if not rest:
            return Leaf(condition)
        case {"split": str() as name, "at": float() | int() as at, "low": low, "high": high, **rest} if (
            not rest
        ):
            return Split(name, float(at), _tree(low), _tree(high))
        case {"cases": str() as name, "of": [*cases], **rest} if not rest:
            return Cases(name, tuple(_case(case) for case in cases))
        case _:
            raise ValueError(
                "a part of a splitting is `false`, or `split`, `at`, `low` and `high`, or `cases` and `of`"
            )


def _case(data: Data) -> tuple[bool | str, Tree]:
    match data:
        case [bool() | str() as value, branch]:
            return value, _tree(branch)
        case _:
            raise ValueError("a case is a truth or a word, and the splitting that follows")


def _text(data: Data) -> str:
    if not isinstance(data, str):
        raise ValueError("a core names conditions")  # noqa: TRY004 - data from outside, refused as a whole
    return data
