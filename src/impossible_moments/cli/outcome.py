"""Exit statuses, the same for every command."""

from typing import Final

DONE: Final = 0
BAD_INPUT: Final = 2
FOUND_ERRORS: Final = 5
