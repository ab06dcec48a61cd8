"""The first record of the documentation with a complete section `wording`."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import Any, Final

from impossible_moments.mechanics.records import load_document

EXAMPLE: Final = Path(__file__).parents[2] / "examples" / "first_record.yaml"
WORDING: Final[dict[str, Any]] = {
    "actions": [
        {
            "call": "tie(magnet, *)",
            "menu": "Tie {m} to {l}",
            "deed": "{m} is knotted to one end of {l}.",
            "needs_said": ["magnet = {m}", "joined = tie | knot | fasten | hook", "line = {l}"],
            "implied": ["takes {l} out of the boot"],
            "also": ["make a fishing line of {l} with {m} as its hook"],
            "near_misses": ["hold {m} over the grate by hand"],
        },
        {
            "call": "fish",
            "menu": "Let {m} down and pull {k} up",
            "deed": "{m} is let down on its line until it holds {k}, and is pulled up.",
            "needs_said": ["up = pull up | fish | lift | haul | draw up", "keys = {k}"],
            "near_misses": ["let {m} lie on the keys"],
        },
        {
            "call": "reach_down",
            "menu": "Reach down for {k}",
            "deed": "An arm is put through the grate.",
            "needs_said": ["keys = {k}", "arm = reach | arm | hand"],
        },
    ],
    "conditions": [
        "tie.l = the line reaches down {depth|m}",
        "reach_down.long_enough = an arm reaches down {depth|m}",
    ],
    "bookkeeping": ["fish.hangs"],
    "decoy_premises": [
        "the keys lie {depth|m} below the grate",
        "the train goes in {train|min}",
        "the umbrella is rolled up",
    ],
    "uncertainties": [
        "arm = how far down an arm reaches",
        "depth = how deep the keys lie",
        "train = when the train goes",
    ],
    "harmless": ["look through the grate", "count your money", "tell a passer-by what happened"],
    "names": ["lace = shoe lace | shoestring", "keys = key ring"],
}


def build_worded_record(**changes: Any) -> dict[str, Any]:
    """Return the record with its wording, of which some fields are replaced."""
    record = load_document(EXAMPLE)
    assert isinstance(record, dict)
    return {**record, "wording": {**deepcopy(WORDING), **changes}}
