"""Overlays: partial documents merged over each other, so that a skin states only its changes.

An overlay replaces the entries it names and keeps all others. Lines are matched by the name before their `=`,
things and approaches by their `name`, actions by their verb, wordings by their `call`, paragraphs by their key. `drop` removes entries
by these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import LineError, parse_line, split_lines

Data: TypeAlias = dict[str, Any]

LINES: Final = frozenset(
    {"quantities", "roles", "rates", "never", "agrees", "insights", "cover", "props", "when", "then", "keep", "order", "read"}
    | {"clues", "signals", "acts", "reads", "knows", "observations", "unknowns", "flips", "functions", "near", "claims"}
    | {"envelope", "known", "gives", "predicts", "needs_said", "answers", "conditions", "premises", "names", "uncertainties"}
)  # fmt: skip
"""Record fields that hold lines, at any depth."""
WHOLE: Final = frozenset({"status", "plan"})
"""Fields that are replaced as a whole, because their entries belong together."""
UNITED: Final = frozenset({"bookkeeping"})
"""Lists of names to which an overlay adds."""


def merge_overlays(
    base: Mapping[str, Any], *overlays: Mapping[str, Any], lines: frozenset[str] = LINES
) -> Data:
    """Return the base with each overlay merged over it in turn, leaving all arguments unchanged.

    `lines` names the fields that hold lines.
    """
    result = dict(base)
    for overlay in overlays:
        result = _OverlayMerger(lines).merge_maps(result, overlay)
    return result


@dataclass(frozen=True, slots=True)
class _OverlayMerger:
    """Merger of partial documents. `lines` names the fields that hold lines."""

    lines: frozenset[str]

    def merge_maps(self, base: Mapping[str, Any], overlay: Mapping[str, Any]) -> Data:
        """Merge one map over another, after removing the entries that it drops."""
        result = dict(base)
        for name, items in _parse_drop_section(overlay.get("drop")).items():
            result[name] = self._remove_entries(result.get(name), items, name)
        for name, value in overlay.items():
            if name != "drop":
                result[name] = self._merge_value(result.get(name), value, name)
        return result

    def _merge_value(self, base: Any, value: Any, name: str) -> Any:  # noqa: ANN401 - a document's parts are of any kind
        if base is None and name not in self.lines and _is_list_of_named_mappings(value):
            return self._merge_mappings_by_name((), value)
        if base is None or name in WHOLE:
            return self.merge_maps({}, value) if isinstance(value, Mapping) and name not in WHOLE else value
        if name in self.lines:
            return list(
                {
                    **_index_quantity_lines_by_name(base, name),
                    **_index_quantity_lines_by_name(value, name),
                }.values()
            )
        if name in UNITED:
            return list(dict.fromkeys([*base, *value]))
        if isinstance(base, Mapping) and isinstance(value, Mapping):
            # paragraphs may have any name
            return (_OverlayMerger(frozenset()) if name == "prose" else self).merge_maps(base, value)
        if _is_list_of_named_mappings(base) and _is_list_of_named_mappings(value):
            return self._merge_mappings_by_name(base, value)
        return value

    def _merge_mappings_by_name(
        self, base: Iterable[Mapping[str, Any]], value: Iterable[Mapping[str, Any]]
    ) -> list[Data]:
        result = {_get_mapping_name(item): dict(item) for item in base}
        for item in value:
            result[_get_mapping_name(item)] = self.merge_maps(result.get(_get_mapping_name(item), {}), item)
        return list(result.values())

    def _remove_entries(self, base: Any, names: list[str], section: str) -> Any:  # noqa: ANN401
        known: Mapping[str, object]
        if isinstance(base, str) and section not in self.lines:
            raise ConfigurationError(
                f"the blueprint section `drop` cannot remove parts of the section {section}, which is a single text; replace it instead."
            )
        if section in self.lines:
            known = _index_quantity_lines_by_name(base, section)
        elif isinstance(base, Mapping):
            known = base
        else:
            known = {
                _get_mapping_name(item) if isinstance(item, Mapping) else str(item): item
                for item in base or ()
            }
        for name in names:
            if name not in known:
                raise ConfigurationError(
                    f"the blueprint section `drop` removes `{name}` from the section {section}, but there is no such entry."
                )
        kept = {name: item for name, item in known.items() if name not in names}
        return kept if isinstance(base, Mapping) and section not in self.lines else list(kept.values())


def _index_quantity_lines_by_name(value: object, section: str) -> dict[str, str]:
    try:
        return {parse_line(line, example="rim = 3.6[m]").head: line for line in split_lines(value)}
    except LineError as problem:
        raise ConfigurationError(
            f"a line of the blueprint section `{section}` cannot be parsed: {problem}."
        ) from None


def _is_list_of_named_mappings(value: object) -> bool:
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, Mapping) and _get_mapping_name(item) for item in value)
    )


def _get_mapping_name(item: Mapping[str, Any]) -> str:
    return str(item.get("name") or item.get("call") or str(item.get("do", "")).partition("(")[0].strip())


def _parse_drop_section(drop: object) -> dict[str, list[str]]:
    if drop is None:
        return {}
    if not isinstance(drop, Mapping):
        raise ConfigurationError(
            "the blueprint section `drop` must map sections to names, as in `drop: {things: [rope]}`."
        )
    return {
        str(name): [items] if isinstance(items, str) else list(items or ()) for name, items in drop.items()
    }
