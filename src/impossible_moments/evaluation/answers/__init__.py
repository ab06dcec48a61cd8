"""Deterministic reading of answers: parsing, resolving steps to calls, and executing plans."""
