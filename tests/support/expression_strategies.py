"""Hypothesis strategies for expression trees, boxes to evaluate them over, and points of those boxes."""

from __future__ import annotations

from hypothesis import strategies as st

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import Box

NUMBERS = ("x", "y", "z")
FACTS = ("open", "lit")
CIRCULAR = ("exp", "log", "sin", "cos", "tan", "asin", "acos", "atan", "ceil", "floor")
OPERATORS = ("<", "<=", ">", ">=", "==", "!=")
EXPONENTS = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 1 / 3, -0.5, -1.0, -2.0, -3.0)

# round numbers meet each other, and zero, far more often than drawn ones would
_ROUND = (0.0, 1.0, -1.0, 0.5, 2.0, 3.0, -2.5, 10.0, 0.1, 0.3, 1e-9, 1e-3, 1e6, 1 / 3)
_EDGES = (1e-170, -1e-170, 1e150, -1e150, 5e-324, 1e-12, 1e9)


def values(*, edges: bool) -> st.SearchStrategy[float]:
    """Draw numbers; with `edges` also numbers that overflow when multiplied."""
    drawn = st.sampled_from(_ROUND) | st.floats(-100, 100, allow_subnormal=edges)
    return drawn | st.sampled_from(_EDGES) if edges else drawn


def numbers(*, algebraic: bool = False, edges: bool = False) -> st.SearchStrategy[Expression]:
    """Draw trees that are numbers."""
    return _build_tree_strategies(algebraic=algebraic, edges=edges)[0]


def conditions(*, algebraic: bool = False, edges: bool = False) -> st.SearchStrategy[Expression]:
    """Draw trees that are truth values."""
    return _build_tree_strategies(algebraic=algebraic, edges=edges)[1]


def _build_tree_strategies(
    *, algebraic: bool, edges: bool
) -> tuple[st.SearchStrategy[Expression], st.SearchStrategy[Expression]]:
    leaves: st.SearchStrategy[Expression] = st.builds(ex.Number, values(edges=edges))
    leaves |= st.sampled_from(NUMBERS).map(ex.Name)
    truths: st.SearchStrategy[Expression] = st.deferred(lambda: _build_truth_strategy(number, truths))

    def build_larger_trees(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
        names = st.sampled_from(("sqrt", "abs") if algebraic else ("sqrt", "abs", *CIRCULAR))
        call = st.builds(lambda name, only: ex.FunctionCall(name, (only,)), names, inner)
        pick = st.builds(
            lambda name, parts: ex.FunctionCall(name, tuple(parts)),
            st.sampled_from(("min", "max")),
            st.lists(inner, min_size=2, max_size=3),
        )
        choice = st.builds(
            ex.Conditional, st.builds(ex.Comparison, st.sampled_from(OPERATORS), inner, inner), inner, inner
        )
        arithmetic = st.builds(ex.Arithmetic, st.sampled_from("+-*/"), inner, inner)
        power = st.builds(ex.Power, inner, st.sampled_from(EXPONENTS))
        return arithmetic | arithmetic | power | call | pick | choice | st.builds(ex.UnaryMinus, inner)

    number = st.recursive(leaves, build_larger_trees, max_leaves=8)
    return number, truths


def _build_truth_strategy(
    number: st.SearchStrategy[Expression], truth: st.SearchStrategy[Expression]
) -> st.SearchStrategy[Expression]:
    comparison = st.builds(ex.Comparison, st.sampled_from(OPERATORS), number, number)
    parts = st.lists(truth, min_size=2, max_size=3).map(tuple)
    joined = (
        st.builds(ex.Conjunction, parts) | st.builds(ex.Disjunction, parts) | st.builds(ex.Negation, truth)
    )
    return comparison | comparison | st.sampled_from(FACTS).map(ex.Name) | joined


@st.composite
def boxes(draw: st.DrawFn, *, edges: bool = False) -> Box:
    """Draw a box over all names, including truth values."""
    box: dict[str, tuple[float, float] | bool] = {name: draw(st.booleans()) for name in FACTS}
    for name in NUMBERS:
        low, high = sorted(draw(values(edges=edges)) + 0.0 for _ in range(2))  # + 0.0: no negative zero
        box[name] = (low, high)
    return box


def points(box: Box) -> st.SearchStrategy[dict[str, float | bool]]:
    """Draw points of a box, often at its ends."""
    return st.fixed_dictionaries(
        {
            name: st.just(known) if isinstance(known, bool) else _draw_within(known)
            for name, known in box.items()
            if isinstance(known, bool | tuple)
        }
    )


def _draw_within(bounds: tuple[float, float]) -> st.SearchStrategy[float | bool]:
    middle = min(max(bounds[0] / 2 + bounds[1] / 2, bounds[0]), bounds[1])
    return st.sampled_from((*bounds, middle)) | st.floats(*bounds)
