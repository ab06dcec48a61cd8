"""Expression trees of the record language, and their text form."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from impossible_moments.mechanics.language.dimensions import PLAIN, Dimension


@dataclass(frozen=True, slots=True)
class Number:
    """A number in SI. `text` is the number as the author wrote it."""

    value: float
    dimension: Dimension = PLAIN
    text: str = ""

    @property
    def is_bare_zero(self) -> bool:
        """Whether this is a zero without a unit, which is compatible with every dimension."""
        return self.value == 0 and self.dimension.is_plain


@dataclass(frozen=True, slots=True)
class Text:
    """A quoted word, such as `'out'`."""

    value: str


@dataclass(frozen=True, slots=True)
class Truth:
    """One of the literals `true` and `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class Name:
    """Name of a quantity, a constant or a bound variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Property:
    """`thing.property`, where the thing may be a bound variable."""

    thing: str
    name: str

    @property
    def path(self) -> str:
        """Path `thing.property`, the name of this property in the world."""
        return f"{self.thing}.{self.name}"


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """`left operator right`, with operator one of + - * /."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Power:
    """`base ** exponent`, where the exponent is a fixed number without a unit."""

    base: Expression
    exponent: float


@dataclass(frozen=True, slots=True)
class UnaryMinus:
    """`-inner`."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left operator right`, with operator one of < <= > >= == !=."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Conjunction:
    """`a and b and ...`."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """`a or b or ...`."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    """`not inner`."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Conditional:
    """`then if test else otherwise`."""

    test: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """Call of a function of the language."""

    function: str
    arguments: tuple[Expression, ...]


Expression: TypeAlias = (
    Number | Text | Truth | Name | Property | Arithmetic | Power | UnaryMinus
    | Comparison | Conjunction | Disjunction | Negation | Conditional | FunctionCall
)  # fmt: skip

TRUE: Final = Truth(value=True)
FALSE: Final = Truth(value=False)

# name: (fewest arguments, most arguments)
FUNCTIONS: Final[Mapping[str, tuple[int, int]]] = {
    "sqrt": (1, 1), "abs": (1, 1), "exp": (1, 1), "log": (1, 1), "sin": (1, 1), "cos": (1, 1), "tan": (1, 1),
    "asin": (1, 1), "acos": (1, 1), "atan": (1, 1), "ceil": (1, 1), "floor": (1, 1), "min": (2, 8), "max": (2, 8),
}  # fmt: skip


def list_children(tree: Expression) -> tuple[Expression, ...]:
    """Return the direct children of a node."""
    match tree:
        case Arithmetic(_, left, right) | Comparison(_, left, right):
            return (left, right)
        case Power(inner, _) | UnaryMinus(inner) | Negation(inner):
            return (inner,)
        case Conjunction(parts) | Disjunction(parts) | FunctionCall(_, parts):
            return parts
        case Conditional(test, then, otherwise):
            return (test, then, otherwise)
        case _:
            return ()


def walk_nodes(tree: Expression) -> Iterator[Expression]:
    """Yield every node of a tree, starting with the root."""
    yield tree
    for child in list_children(tree):
        yield from walk_nodes(child)


@lru_cache(maxsize=4096)
def collect_paths(tree: Expression) -> frozenset[str]:
    """Return the names and `thing.property` paths that occur in a tree."""
    return frozenset(
        node.name if isinstance(node, Name) else node.path
        for node in walk_nodes(tree)
        if isinstance(node, Name | Property)
    )


def replace_leaves(tree: Expression, leaf: Callable[[Name | Property], Expression]) -> Expression:
    """Return the tree with each name and property replaced by the result of `leaf` for it."""
    match tree:
        case Name() | Property():
            return leaf(tree)
        case Arithmetic(operator, left, right):
            return Arithmetic(operator, replace_leaves(left, leaf), replace_leaves(right, leaf))
        case Comparison(operator, left, right):
            return Comparison(operator, replace_leaves(left, leaf), replace_leaves(right, leaf))
        case Power(inner, exponent):
            return Power(replace_leaves(inner, leaf), exponent)
        case UnaryMinus(inner):
            return UnaryMinus(replace_leaves(inner, leaf))
        case Negation(inner):
            return Negation(replace_leaves(inner, leaf))
        case Conjunction(parts):
            return Conjunction(tuple(replace_leaves(part, leaf) for part in parts))
        case Disjunction(parts):
            return Disjunction(tuple(replace_leaves(part, leaf) for part in parts))
        case FunctionCall(function, parts):
            return FunctionCall(function, tuple(replace_leaves(part, leaf) for part in parts))
        case Conditional(test, then, otherwise):
            return Conditional(
                replace_leaves(test, leaf), replace_leaves(then, leaf), replace_leaves(otherwise, leaf)
            )
        case _:
            return tree


def take_known_branches(tree: Expression) -> Expression:
    """Return the tree with each conditional whose test is a literal replaced by the branch that is taken.

    A zero that is then added or subtracted is left out.
    """
    match tree:
        case Conditional(Truth(value), then, otherwise):
            return take_known_branches(then if value else otherwise)
        case Arithmetic(operator, left, right):
            first, second = take_known_branches(left), take_known_branches(right)
            if operator in {"+", "-"} and isinstance(right, Conditional) and _is_zero(second):
                return first
            return Arithmetic(operator, first, second)
        case Comparison(operator, left, right):
            return Comparison(operator, take_known_branches(left), take_known_branches(right))
        case Conjunction(parts):
            return Conjunction(tuple(map(take_known_branches, parts)))
        case FunctionCall(function, parts):
            return FunctionCall(function, tuple(map(take_known_branches, parts)))
        case _:
            return tree


def _is_zero(tree: Expression) -> bool:
    return isinstance(tree, Number) and tree.value == 0


def bind_variables(tree: Expression, bindings: Mapping[str, Expression]) -> Expression:
    """Return the tree with its variables replaced by their bindings.

    With `tool` bound to the text `lid`, `tool.edge` becomes `lid.edge`.
    """
    if not bindings:
        return tree

    def bind_leaf(node: Name | Property) -> Expression:
        if isinstance(node, Name):
            return bindings.get(node.name, node)
        target = bindings.get(node.thing)
        return Property(target.value, node.name) if isinstance(target, Text) else node

    return replace_leaves(tree, bind_leaf)


_PRECEDENCES: Final = {
    "or": 1,
    "and": 2,
    "not": 3,
    "compare": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "neg": 7,
    "**": 8,
}


def format_expression(tree: Expression, outer: int = 0) -> str:
    """Return the tree in the syntax of the language, in parentheses if it binds weaker than `outer`."""
    text, strength = _format_node(tree)
    return f"({text})" if strength < outer else text


def _format_node(tree: Expression) -> tuple[str, int]:
    match tree:
        case Number(value, dimension, text):
            return text or (f"{value:.6g}" if dimension.is_plain else f"{value:.6g}[SI]"), 9
        case Text(value):
            return f"'{value}'", 9
        case Truth(value):
            return ("true" if value else "false"), 9
        case Name(name):
            return name, 9
        case Property():
            return tree.path, 9
        case Arithmetic(operator, left, right):
            strength = _PRECEDENCES[operator]
            gap = " " if strength == _PRECEDENCES["+"] else ""
            return (
                f"{format_expression(left, strength)}{gap}{operator}{gap}{format_expression(right, strength + 1)}",
                strength,
            )
        case Power(inner, exponent):
            return f"{format_expression(inner, _PRECEDENCES['**'] + 1)}**{exponent:g}", _PRECEDENCES["**"]
        case UnaryMinus(inner):
            return f"-{format_expression(inner, _PRECEDENCES['neg'])}", _PRECEDENCES["neg"]
        case Comparison(operator, left, right):
            strength = _PRECEDENCES["compare"]
            return (
                f"{format_expression(left, strength + 1)} {operator} {format_expression(right, strength + 1)}",
                strength,
            )
        case Conjunction(parts):
            return " and ".join(
                format_expression(part, _PRECEDENCES["and"] + 1) for part in parts
            ), _PRECEDENCES["and"]
        case Disjunction(parts):
            return " or ".join(
                format_expression(part, _PRECEDENCES["or"] + 1) for part in parts
            ), _PRECEDENCES["or"]
        case Negation(inner):
            return f"not {format_expression(inner, _PRECEDENCES['not'])}", _PRECEDENCES["not"]
        case Conditional(test, then, otherwise):
            return (
                f"{format_expression(then, 1)} if {format_expression(test, 1)} else {format_expression(otherwise, 1)}",
                0,
            )
        case FunctionCall(function, parts):
            return f"{function}({', '.join(format_expression(part) for part in parts)})", 9
