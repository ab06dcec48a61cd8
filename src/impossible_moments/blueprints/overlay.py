"""Overlays: partial documents laid one over the other, so that a skin says only what it changes.

What an overlay names it replaces, and what it does not name stays. Lines go by the name before their `=`, things and
approaches by their `name`, actions by their verb, paragraphs by their key. `drop` takes things out by these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.lines import LineError, split_line, split_lines

Data: TypeAlias = dict[str, Any]

LINES: Final = frozenset(
    {"quantities", "roles", "rates", "never", "agrees", "insights", "cover", "props", "when", "then", "keep", "order", "read"}
    | {"clues", "signals", "acts", "reads", "knows", "observations", "unknowns", "flips", "functions", "near", "claims"}
    | {"envelope", "known", "gives", "predicts"}
)  # fmt: skip
"""Fields of a record that hold lines, wherever they stand."""
WHOLE: Final = frozenset({"status", "plan"})
"""Fields that are replaced as one: a claim's block belongs together."""


def laid_over(base: Mapping[str, Any], *overlays: Mapping[str, Any], lines: frozenset[str] = LINES) -> Data:
    """The base with each overlay laid over it in turn; neither is changed. `lines` names the fields that hold lines."""
    result = dict(base)
    for overlay in overlays:
        result = _Laying(lines).maps(result, overlay)
    return result


@dataclass(frozen=True, slots=True)
class _Laying:
    lines: frozenset[str]

    def maps(self, base: Mapping[str, Any], overlay: Mapping[str, Any]) -> Data:
        """A map over a map, with what it drops taken out first."""
        result = dict(base)
        for name, items in _dropped(overlay.get("drop")).items():
            result[name] = self._without(result.get(name), items, name)
        for name, value in overlay.items():
            if name != "drop":
                result[name] = self._merged(result.get(name), value, name)
        return result

    def _merged(self, base: Any, value: Any, name: str) -> Any:  # noqa: ANN401 - a document's parts are of any kind
        if base is None and name not in self.lines and _is_named_list(value):
            return self._items((), value)
        if base is None or name in WHOLE:
            return self.maps({}, value) if isinstance(value, Mapping) and name not in WHOLE else value
        if name in self.lines:
            return list({**_by_head(base, name), **_by_head(value, name)}.values())
        if isinstance(base, Mapping) and isinstance(value, Mapping):
            # paragraphs may bear any name
            return (_Laying(frozenset()) if name == "prose" else self).maps(base, value)
        if _is_named_list(base) and _is_named_list(value):
            return self._items(base, value)
        return value

    def _items(self, base: Iterable[Mapping[str, Any]], value: Iterable[Mapping[str, Any]]) -> list[Data]:
        result = {_name(item): dict(item) for item in base}
        for item in value:
            result[_name(item)] = self.maps(result.get(_name(item), {}), item)
        return list(result.values())

    def _without(self, base: Any, names: list[str], section: str) -> Any:  # noqa: ANN401
        known: Mapping[str, object]
        if isinstance(base, str) and section not in self.lines:
            raise ConfigurationError(
                f"`drop` takes parts out of {section}, which is one text: replace it instead."
            )
        if section in self.lines:
            known = _by_head(base, section)
        elif isinstance(base, Mapping):
            known = base
        else:
            known = {_name(item) if isinstance(item, Mapping) else str(item): item for item in base or ()}
        for name in names:
            if name not in known:
                raise ConfigurationError(f"`drop` takes `{name}` out of {section}, and it is not there.")
        kept = {name: item for name, item in known.items() if name not in names}
        return kept if isinstance(base, Mapping) and section not in self.lines else list(kept.values())


def _by_head(value: object, section: str) -> dict[str, str]:
    try:
        return {split_line(line, example="rim = 3.6[m]").head: line for line in split_lines(value)}
    except LineError as problem:
        raise ConfigurationError(f"a line of `{section}` cannot be read: {problem}.") from None


def _is_named_list(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, Mapping) and _name(item) for item in value)
    )


def _name(item: Mapping[str, Any]) -> str:
    return str(item.get("name") or str(item.get("do", "")).partition("(")[0].strip())


def _dropped(drop: object) -> dict[str, list[str]]:
    if drop is None:
        return {}
    if not isinstance(drop, Mapping):
        raise ConfigurationError("`drop` names sections and what goes, as in `drop: {things: [rope]}`.")
    return {
        str(name): [items] if isinstance(items, str) else list(items or ()) for name, items in drop.items()
    }
