"""Checks of numbers: equations, ratios, totals and other amounts in prose."""
