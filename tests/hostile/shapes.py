"""Records that are hostile by their shape: well-formed JSON in which fields hold what they may not."""

from __future__ import annotations

import json
from collections.abc import Iterator

from support.written_records import Data, build_complete_record

WRONG: dict[str, object] = {
    "null": None, "a number": 7, "a lie": True, "text": "text", "a list of lists": [[["x"]]],
    "a map of maps": {"x": {"y": {}}},
}  # fmt: skip
TAKES_BOTH = {"quantities", "roles", "rates", "never", "insights", "cover", "goal", "deadline", "prefer"}
TAKES = {
    "text": TAKES_BOTH | {"title"},
    "null": TAKES_BOTH | {"scale", "misdirection", "missing", "frontier"},
}


def shapes() -> Iterator[tuple[str, str]]:
    """The records by name."""
    for name in build_complete_record():
        for words, value in WRONG.items():
            if name not in TAKES.get(words, ()):
                yield f"{name} as {words}", record(**{name: value})
    for name in ("format", "title", "category", "approaches", "status", "prose"):
        yield (
            f"no {name}",
            json.dumps({key: value for key, value in build_complete_record().items() if key != name}),
        )
    yield "no field at all", "{}"
    yield "a puzzle of unknown kind", record(puzzles=[{"kind": "riddle", "name": "x"}])
    yield "a puzzle without a kind", record(puzzles=[{"name": "x"}])
    yield "a puzzle whose kind is a map", record(puzzles=[{"kind": {"kind": "code"}}])
    yield (
        "a code of a million signs",
        record(puzzles=[{**build_complete_record()["puzzles"][0], "length": 10**6}]),
    )
    yield "seven puzzles", record(puzzles=build_complete_record()["puzzles"][:1] * 7)
    yield "an unknown claim", record(status={"claim": "KS", "ways": ["a"], "traps": ["b"]})
    yield "a claim in a list", record(status={"claim": ["CT"]})
    yield "the block of another claim", record(status={"claim": "PX", "ways": ["a"], "traps": ["b"]})
    yield "a field in the wrong place", record(narrative="x")
    yield "a misspelt field", record(catgory="x")
    yield "plan as nested lists", record(approaches=[{**approach("a"), "plan": {"a": [[[]]]}}])
    yield "a name with a line end", record(approaches=[approach("a\n")])
    yield "a name of dots", record(approaches=[approach("../a")])
    yield "a name of sixty letters", record(approaches=[approach("a" * 60)])


def record(**changes: object) -> str:
    """A record of right shape but for the changes, as JSON, with signs beyond ASCII escaped."""
    return json.dumps({**build_complete_record(), **changes})


def approach(name: str) -> Data:
    """An approach of right shape but for its name."""
    return {"name": name, "plan": ["a(b)"], "ends": "goal", "why": "so"}
