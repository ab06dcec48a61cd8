"""Names, values, calls, conditions and verdicts of a record in words."""
