"""Implementations of the `im` commands."""
