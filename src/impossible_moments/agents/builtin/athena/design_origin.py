"""Origin of a design: the catalogue entry it was drawn from, and every change of its draws since."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

from impossible_moments.blueprints import DrawChanges


@dataclass(frozen=True, slots=True)
class DesignOrigin:
    """What reproduces a draft together with the brief: offer, attempt, title and changes of the draws."""

    offer: str
    attempt: int = 0
    turn: int = 0
    changes: DrawChanges = field(default_factory=DrawChanges)
    used: tuple[str, ...] = ()
    """Offers that were proposed before and given up."""

    def add_redraws(self, names: frozenset[str], times: int = 1) -> DesignOrigin:
        """Return the origin with some draws drawn again. A value that was set before is drawn as well."""
        redraws = dict(self.changes.redraws)
        for name in sorted(names):
            redraws[name] = redraws.get(name, 0) + times
        values = {name: value for name, value in self.changes.values.items() if name not in names}
        return replace(self, changes=replace(self.changes, redraws=redraws, values=values))

    def set_value(self, name: str, value: str) -> DesignOrigin:
        """Return the origin with a draw set to a value."""
        return replace(self, changes=replace(self.changes, values={**self.changes.values, name: value}))

    def set_line(self, path: str, value: str) -> DesignOrigin:
        """Return the origin with the stated value of a quantity that no draw feeds."""
        return replace(self, changes=replace(self.changes, lines={**self.changes.lines, path: value}))


def format_origin(origin: DesignOrigin) -> str:
    """Return an origin as text, the same for equal origins."""
    data: dict[str, Any] = {"offer": origin.offer, "attempt": origin.attempt, "turn": origin.turn}
    for name in ("redraws", "values", "lines"):
        if changes := getattr(origin.changes, name):
            data[name] = dict(changes)
    if origin.used:
        data["used"] = list(origin.used)
    return json.dumps(data, sort_keys=True)


def parse_origin(text: str) -> DesignOrigin | None:
    """Parse the text of an origin. Return None if a design does not come from the catalogue."""
    try:
        data = json.loads(text)
        changes = DrawChanges(data.get("redraws", {}), data.get("values", {}), data.get("lines", {}))
        return DesignOrigin(
            str(data["offer"]), int(data["attempt"]), int(data["turn"]), changes, tuple(data.get("used", ()))
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
