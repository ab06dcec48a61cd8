"""The expression language: units, parser, types and the evaluators of expressions."""

from impossible_moments.mechanics.language import dimensions, expressions
from impossible_moments.mechanics.language.condition_margins import (
    COLDEST,
    ConditionMargin,
    MarginScale,
    compile_condition_margin,
)
from impossible_moments.mechanics.language.dimensions import (
    ENERGY,
    FORCE,
    LENGTH,
    MASS,
    PLAIN,
    SPEED,
    TEMPERATURE,
    TIME,
    Dimension,
)
from impossible_moments.mechanics.language.expression_parser import (
    IDENTIFIER,
    LARGEST_NUMBER,
    MAX_LENGTH,
    ExpressionError,
    list_formula_calls,
    parse_expression,
)
from impossible_moments.mechanics.language.expression_types import (
    ExpressionType,
    ExpressionTypeError,
    NonNumericType,
    infer_type,
    require_condition,
    suggest_similar_name,
)
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.interval_evaluation import IntervalEvaluator
from impossible_moments.mechanics.language.scalar_evaluation import (
    UNDEFINED,
    Closure,
    Value,
    compile_expression,
)
from impossible_moments.mechanics.language.unit_text import normalize_printed_unit, parse_unit_at
from impossible_moments.mechanics.language.units import Unit, UnitError, parse_unit

__all__ = [
    "COLDEST",
    "ENERGY",
    "FORCE",
    "IDENTIFIER",
    "LARGEST_NUMBER",
    "LENGTH",
    "MASS",
    "MAX_LENGTH",
    "PLAIN",
    "SPEED",
    "TEMPERATURE",
    "TIME",
    "UNDEFINED",
    "Closure",
    "ConditionMargin",
    "Dimension",
    "Expression",
    "ExpressionError",
    "ExpressionType",
    "ExpressionTypeError",
    "IntervalEvaluator",
    "MarginScale",
    "NonNumericType",
    "Unit",
    "UnitError",
    "Value",
    "compile_condition_margin",
    "compile_expression",
    "dimensions",
    "expressions",
    "infer_type",
    "list_formula_calls",
    "normalize_printed_unit",
    "parse_expression",
    "parse_unit",
    "parse_unit_at",
    "require_condition",
    "suggest_similar_name",
]
