"""Token estimates that are the same on every machine and for every model, and need no download."""

from __future__ import annotations

import json
from typing import Final

BYTES_OF_A_TOKEN: Final = 4


def estimate_text_tokens(text: str) -> int:
    """Estimate how many tokens a text has, at four bytes a token."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_OF_A_TOKEN)


def estimate_data_tokens(data: object) -> int:
    """Estimate how many tokens plain data have when they are written as JSON."""
    return estimate_text_tokens(json.dumps(data, ensure_ascii=False))
