"""Checks of any scenario text, ours or foreign."""
