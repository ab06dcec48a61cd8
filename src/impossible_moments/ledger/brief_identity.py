"""The identity of a brief: its content and seed, without the identifier of the scenario that is made from it."""

from __future__ import annotations

import hashlib
import json
from typing import Final

_IDENTIFIER: Final = "scenario_id"


def compute_brief_identity(brief: str) -> str:
    """Return the hash of a brief's content, or an empty string if the text is not a JSON object.

    The order of the fields and the identifier of the scenario do not count.
    """
    try:
        data = json.loads(brief)
    except ValueError:
        return ""
    if not isinstance(data, dict):
        return ""
    content = {name: value for name, value in data.items() if name != _IDENTIFIER}
    written = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()
