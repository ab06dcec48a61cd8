"""Overlays: partial documents laid one over the other, so that a skin says only what it changes.

What an overlay names it replaces, and what it does not name stays. Lines go by the name before their `=`, things and
approaches by their `name`, actions by their verb, paragraphs by their key. `drop` takes things out by these names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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


def laid_over(base: Mapping[str, Any], *overlays: Mapping[str, Any]) -> Data:
    """The base with each overlay laid over it in turn; neither is changed."""
    result = dict(base)
    for overlay in overlays:
        result = _maps(result, overlay)
    return result


def _maps(base: Mapping[str, Any], overlay: Mapping[str, Any]) -> Data:
    result = dict(base)
    for name, items in _dropped(overlay.get("drop")).items():
        result[name] = _without(result.get(name), items, name)
    for name, value in overlay.items():
        if name != "drop":
            result[name] = _merged(result.get(name), value, name)
    return result


def _merged(base: Any, value: Any, name: str) -> Any:  # noqa: ANN401 - a document's parts are of any kind
    if base is None or name in WHOLE:
        return _maps({}, value) if isinstance(value, Mapping) and name not in WHOLE else value
    if name in LINES and not _holds_notes(base):
        return list(_merged_lines(base, value).values())
    if isinstance(base, Mapping) and isinstance(value, Mapping):
        return _maps(base, value)
    if _is_named_list(base) and _is_named_list(value):
        return _merged_items(base, value)
    return value


def _holds_notes(value: object) -> bool:
    """Whether it is a map of maps: the telling's notes on insights are no lines, though they bear that name."""
    return isinstance(value, Mapping) and any(isinstance(item, Mapping) for item in value.values())


def _merged_lines(base: object, value: object) -> dict[str, str]:
    return {**_by_head(base), **_by_head(value)}


def _by_head(value: object) -> dict[str, str]:
    try:
        return {split_line(line, example="rim = 3.6[m]").head: line for line in split_lines(value)}
    except LineError as problem:
        raise ConfigurationError(f"a line cannot be read: {problem}.") from None


def _is_named_list(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, Mapping) and _name(item) for item in value)
    )


def _name(item: Mapping[str, Any]) -> str:
    return str(item.get("name") or str(item.get("do", "")).partition("(")[0].strip())


def _merged_items(base: Iterable[Mapping[str, Any]], value: Iterable[Mapping[str, Any]]) -> list[Data]:
    result = {_name(item): dict(item) for item in base}
    for item in value:
        result[_name(item)] = _maps(result.get(_name(item), {}), item)
    return list(result.values())


def _dropped(drop: object) -> dict[str, list[str]]:
    if drop is None:
        return {}
    if not isinstance(drop, Mapping):
        raise ConfigurationError("`drop` names sections and what goes, as in `drop: {things: [rope]}`.")
    return {str(name): [items] if isinstance(items, str) else list(items) for name, items in drop.items()}


def _without(base: Any, names: list[str], section: str) -> Any:  # noqa: ANN401
    known: Mapping[str, object]
    keep: Callable[[Mapping[str, object]], Any]
    if section in LINES and not _holds_notes(base):
        known, keep = _by_head(base), lambda kept: list(kept.values())
    elif isinstance(base, Mapping):
        known, keep = base, dict
    else:
        known, keep = {_name(item): item for item in base or ()}, lambda kept: list(kept.values())
    for name in names:
        if name not in known:
            raise ConfigurationError(f"`drop` takes `{name}` out of {section}, and it is not there.")
    return keep({name: item for name, item in known.items() if name not in names})
