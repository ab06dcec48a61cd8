"""NEWTON: checks stated values against real things and people. It neither searches nor proves."""
