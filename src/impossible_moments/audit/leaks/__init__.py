"""Checks of text that reveals the solution, and of left-over thinking of the author."""
