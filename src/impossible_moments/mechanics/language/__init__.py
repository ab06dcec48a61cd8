"""The expression language: units, parser, types and the evaluators of expressions."""
