"""Variants of a record: single changes of a figure, and what becomes of the scenario then."""
