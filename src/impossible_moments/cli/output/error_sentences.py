"""Sentences for errors that end a command."""

from __future__ import annotations

import os
from typing import Final

from impossible_moments.errors import ImpossibleMomentsError

LONGEST_NAME: Final = 120


def describe_error(error: ImpossibleMomentsError | OSError | UnicodeError) -> str:
    """Return an error as a sentence. Of a file it says which one, and what the system says about it."""
    if isinstance(error, OSError) and error.filename is not None:
        reason = (error.strerror or type(error).__name__).lower()
        name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else str(error.filename)
        shown = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
        return f"{shown}: {reason}. Name another path, or change the permissions of this one."
    if isinstance(error, UnicodeError):
        return f"A text is not valid UTF-8 ({error.reason if isinstance(error, UnicodeDecodeError | UnicodeEncodeError) else error}). Write it as UTF-8."
    return str(error)
