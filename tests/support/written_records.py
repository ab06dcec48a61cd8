"""Small records as plain data, valid in form, which together use every field."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Data = dict[str, Any]

_SHED: Data = {
    "format": "im-mechanics/1",
    "title": "The Shed",
    "category": "The Locked Room",
    "quantities": ["left = 10[min]", "pull = 60[N]", "mu = 0.6 (0.4..0.9) assumed @ estimate: dry oak"],
    "things": [
        {"name": "door", "label": "the door", "kind": "boundary", "props": ["open = false", "stiff = 40[N]"]},
        {"name": "bar", "label": "an iron bar", "kind": "object", "like": None, "props": ["length = 0.8[m]"]},
    ],
    "roles": ["lever(o) = o.length >= 0.5[m]"],
    "actions": [
        {
            "of": None,
            "do": "prise(b: lever, d: door)",
            "when": ["strong = pull >= d.stiff"],
            "then": ["d.open = true"],
            "takes": "2[min]",
            "unattended": False,
        },
        {"do": "wait_it_out(d: door)", "then": ["d.stiff = 30[N]"], "takes": "left"},
    ],
    "goal": "door.open",
    "deadline": "left",
    "approaches": [
        {"name": "lever_it", "plan": ["prise(bar, door)"], "ends": "goal", "why": "a bar is a lever"},
        {"name": "sit", "plan": ["wait_it_out(door)"], "ends": "short", "why": "somebody may come"},
    ],
    "insights": ["prise(bar, *) = A bar is a lever."],
    "status": {"claim": "KS-Singular", "ways": ["lever_it"], "traps": ["sit"], "fragile_in": []},
    "prose": {
        "narrative": "You stand before {thing:door} with {thing:bar} and {left|min} to go.",
        "threat": None,
    },
}

_PUZZLES: list[Data] = [
    {
        "kind": "code",
        "name": "shelf",
        "items": ["lamp", "gull"],
        "length": 2,
        "keep": ["used(i) = i.dust == 0", "all(i) = true"],
        "order": ["by_place(i) = i.place", "by_size(i) = i.tall"],
        "read": ["knots(i) = i.knots", "letters(i) = i.letters"],
        "clues": ["c = order == 'by_size' @ start small"],
        "answer": "used/by_size/knots",
        "tempting": ["used/by_place/knots"],
        "gives": ["box.open = true"],
    },
    {
        "kind": "clues",
        "name": "fuses",
        "unknowns": ["red = choose {1, 2}", "blue = choose {1, 2}"],
        "different": ["red", "blue"],
        "clues": ["left = red < blue @ red sits left"],
        "asks": ["red"],
        "gives": [],
    },
    {
        "kind": "signal",
        "name": "rope",
        "states": ["low", "snag"],
        "acts": ["low = haul", "snag = slack"],
        "signals": ["one = one | none", "two = two"],
        "told": ["a pull may get lost"],
        "agreed": False,
        "reads": ["none = hold"],
        "knows": ["tender = the book"],
        "gives": [],
    },
    {
        "kind": "diagnosis",
        "name": "glow",
        "observations": ["shed = true @ it glows"],
        "hypotheses": [
            {"name": "battery", "predicts": ["shed = true"]},
            {"name": "paint", "predicts": ["shed = false"]},
        ],
        "gives": [],
    },
]


def build_shed() -> Data:
    """Build a world with one solution and one trap."""
    return deepcopy(_SHED)


def build_complete_record() -> Data:
    """Build a record with every section, valid in form only."""
    return {
        **build_shed(),
        "rates": ["level = 1[m/s]"],
        "never": ["wet = level >= 1[m] @ it floods"],
        "prefer": "least time",
        "puzzles": deepcopy(_PUZZLES),
        "cover": ["door.open = sit"],
        "scale": {"variable": "s", "human": "1", "regimes": ["re"], "flips": ["sit = goal"]},
        "misdirection": {"obvious": "sit", "clue": "the hole shows {left|min}", "hides": ["left"]},
        "missing": {
            "component": "a clock",
            "functions": ["ticks(o) = o.beat > 0 @ it beats"],
            "near": [],
            "without": ["sit"],
        },
        "frontier": {
            "claims": ["u = choose 0..1"],
            "envelope": ["enough = u >= 0.5"],
            "known": ["shown = u <= 0.1 @ trial"],
        },
        "status": {"claim": "CT", "crux": "mu", "at_low": "sit", "at_high": None},
        "prose": dict.fromkeys(
            ("narrative", "environment", "threat", "position", "objects", "capabilities"), "You stand here."
        ),
    }


STATUSES: tuple[Data, ...] = (
    {"claim": "KS-Multiple", "ways": ["a", "b"], "traps": ["c"]},
    {"claim": "KS-Fragile", "ways": "a", "traps": "b, c", "fragile_in": ["mu"]},
    {"claim": "OF", "tried": ["a"]},
    {"claim": "PX", "conflict": ["prise.strong", "deadline"], "chains": []},
    {"claim": "MT", "premise": "wet", "inside": ["a"], "outside": ["b"]},
    {"claim": "DG", "plan": "a", "dressing": ["b"]},
)
