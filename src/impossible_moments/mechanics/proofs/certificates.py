"""Certificates of proofs: the splitting of the box, or the statement of a solver.

A certificate can be converted to plain data (`to_data`) and parsed again (`parse_certificate`). A stored
proof can therefore be checked again from the conditions and the box alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Literal, TypeAlias

Data: TypeAlias = str | float | bool | Sequence["Data"] | Mapping[str, "Data"] | None
Method: TypeAlias = Literal["interval", "branch-and-bound", "z3"]


@dataclass(frozen=True, slots=True)
class RefutedLeaf:
    """Leaf of a splitting: a part of the box in which the named condition is false everywhere."""

    condition: str


@dataclass(frozen=True, slots=True)
class NumericSplit:
    """Node of a splitting: a box cut at the value `at` of `name`. Both parts include the cut."""

    name: str
    at: float
    low: Tree
    high: Tree


@dataclass(frozen=True, slots=True)
class CaseSplit:
    """Node of a splitting: a box divided by the possible values of a fact or a word."""

    name: str
    cases: tuple[tuple[bool | str, Tree], ...]


Tree: TypeAlias = RefutedLeaf | NumericSplit | CaseSplit


@dataclass(frozen=True, slots=True)
class SplittingCertificate:
    """Certificate that divides the box into parts and names a condition that fails in each part."""

    tree: Tree

    @property
    def used_conditions(self) -> frozenset[str]:
        """Conditions that fail in at least one part."""
        return frozenset(
            node.condition for node in _iterate_tree_nodes(self.tree) if isinstance(node, RefutedLeaf)
        )

    def remove_irrelevant_cuts(self, names_by_condition: Mapping[str, Set[str]]) -> SplittingCertificate:
        """Return the certificate without cuts along names that no condition of its leaves reads.

        The search may cut along a name of a condition that no leaf needs in the end. The two parts of such
        a cut differ in nothing that the leaves read, so either of them proves both.
        """
        certificate = self
        while True:
            relevant = frozenset[str]().union(
                *(names_by_condition[name] for name in certificate.used_conditions)
            )
            reduced = SplittingCertificate(_keep_cuts_along(certificate.tree, relevant))
            if reduced == certificate:
                return certificate
            certificate = reduced

    def to_data(self) -> Mapping[str, Data]:
        """Return the certificate as plain data."""
        return {"splitting": _convert_tree_to_data(self.tree)}


@dataclass(frozen=True, slots=True)
class SolverStatement:
    """Certificate that consists of the statement of a solver that conditions conflict."""

    core: tuple[str, ...]
    statement: str

    def to_data(self) -> Mapping[str, Data]:
        """Return the certificate as plain data."""
        return {"core": list(self.core), "statement": self.statement}


Certificate: TypeAlias = SplittingCertificate | SolverStatement


@dataclass(frozen=True, slots=True)
class Proof:
    """Proof that no point of the box satisfies all conditions: those named in `core` already conflict."""

    core: tuple[str, ...]
    method: Method
    certificate: Certificate


def parse_certificate(data: Data) -> Certificate:
    """Parse a certificate from plain data; raise `ValueError` if the data are not a certificate."""
    match data:
        case {"splitting": tree, **rest} if not rest:
            return SplittingCertificate(_parse_tree(tree))
        case {"core": [*names], "statement": str() as statement, **rest} if not rest:
            return SolverStatement(tuple(_parse_condition_name(name) for name in names), statement)
        case _:
            raise ValueError("A certificate has either `splitting`, or `core` and `statement`")


def _iterate_tree_nodes(tree: Tree) -> Iterator[Tree]:
    pending = [tree]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, NumericSplit):
            pending += (node.high, node.low)
        elif isinstance(node, CaseSplit):
            pending += [branch for _, branch in node.cases]


def _keep_cuts_along(tree: Tree, names: Set[str]) -> Tree:
    """Return a tree in which each cut along another name is replaced by its first part."""
    match tree:
        case RefutedLeaf():
            return tree
        case NumericSplit(name, at, low, high):
            first = _keep_cuts_along(low, names)
            return NumericSplit(name, at, first, _keep_cuts_along(high, names)) if name in names else first
        case CaseSplit(name, cases):
            if name not in names:
                return _keep_cuts_along(cases[0][1], names)
            return CaseSplit(name, tuple((value, _keep_cuts_along(branch, names)) for value, branch in cases))


def _convert_tree_to_data(tree: Tree) -> Data:
    match tree:
        case RefutedLeaf(condition):
            return {"false": condition}
        case NumericSplit(name, at, low, high):
            return {
                "split": name,
                "at": at,
                "low": _convert_tree_to_data(low),
                "high": _convert_tree_to_data(high),
            }
        case CaseSplit(name, cases):
            return {"cases": name, "of": [[value, _convert_tree_to_data(branch)] for value, branch in cases]}


def _parse_tree(data: Data) -> Tree:
    match data:
        case {"false": str() as condition, **rest} if not rest:
            return RefutedLeaf(condition)
        case {"split": str() as name, "at": float() | int() as at, "low": low, "high": high, **rest} if (
            not rest
        ):
            return NumericSplit(name, float(at), _parse_tree(low), _parse_tree(high))
        case {"cases": str() as name, "of": [*cases], **rest} if not rest:
            return CaseSplit(name, tuple(_parse_case(case) for case in cases))
        case _:
            raise ValueError(
                "A part of a splitting has `false`, or `split`, `at`, `low` and `high`, or `cases` and `of`"
            )


def _parse_case(data: Data) -> tuple[bool | str, Tree]:
    match data:
        case [bool() | str() as value, branch]:
            return value, _parse_tree(branch)
        case _:
            raise ValueError("A case is a list of a truth value or a word, and a splitting")


def _parse_condition_name(data: Data) -> str:
    if not isinstance(data, str):
        raise ValueError("A core is a list of condition names")  # noqa: TRY004 - invalid external data
    return data
