"""Exit statuses of all commands."""

from typing import Final

DONE: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
AWAITING_HUMAN: Final = 3
DISCARDED: Final = 4
FOUND_ERRORS: Final = 5
BRIEF_NOT_KEPT: Final = 6
"""A scenario was accepted, but its status, its tier or a constraint is not as the brief asked."""
INTERRUPTED: Final = 130
"""Ended by Ctrl-C, as shells count it."""
