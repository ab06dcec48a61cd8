"""Exports: scenarios in the formats of other evaluation tools."""
