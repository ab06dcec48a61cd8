"""The computable part of a scenario: its record, and everything computed from it."""
