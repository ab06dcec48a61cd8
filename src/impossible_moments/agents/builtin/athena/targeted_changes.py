"""Targeted changes of a design: the draws behind one subject are drawn again or set, and everything else stays."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.demand_subjects import DemandTarget
from impossible_moments.agents.builtin.athena.design_origin import DesignOrigin
from impossible_moments.agents.builtin.athena.distractor_strength import ALMOST_WORKS
from impossible_moments.blueprints import (
    ScenarioDraft,
    UnreadableDraft,
    format_option_group,
    iterate_stated_lines,
)
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.language import UNDEFINED, UnitError, parse_unit

REDRAWS: Final = 12
"""How often the draws behind a subject are drawn before the next one is taken as it comes."""
MOST_NAMED: Final = 6
_NUMBER: Final = re.compile(r"(-?\d+(?:\.\d+)?)\s*(?:\[([^\[\]]+)\]|([A-Za-zµ°%][\w/*²³]*))?")

Drawer = Callable[[DesignOrigin], ScenarioDraft]
Wish = Callable[[ScenarioDraft], bool]


@dataclass(frozen=True, slots=True)
class DesignChange:
    """A changed design, and what was changed in words."""

    origin: DesignOrigin
    draft: ScenarioDraft
    text: str


@dataclass(frozen=True)
class DesignChanger:
    """Changer of one design. `draw` draws the design of an origin."""

    origin: DesignOrigin
    draft: ScenarioDraft
    draw: Drawer

    def set_proposed_value(self, path: str, proposal: str) -> DesignChange | None:
        """Set a quantity to the value that a proposal states, if the blueprint's range allows it."""
        value = self._read_proposed_value(path, proposal)
        if value is None:
            return None
        drawn = self.draft.instance.origin.fit_stated_value(path, value)
        if drawn is not None:
            return self.take_origin(self.origin.set_value(*drawn))
        if self.draft.instance.origin.find_source_draws(path):
            return None  # its range excludes the value
        return self.state_value(path, value)

    def state_value(self, path: str, value: float) -> DesignChange | None:
        """State another value, in the unit of the quantity, where the blueprint states a fixed one."""
        quantity = self.draft.design.world.quantities.get(path)
        is_outside = quantity is not None and not _is_within_stated_range(quantity, value)
        if (
            quantity is None
            or is_outside
            or path not in dict(iterate_stated_lines(self.draft.instance.record))
        ):
            return None
        unit = quantity.display_unit.text if quantity.display_unit is not None else ""
        return self.take_origin(self.origin.set_line(path, f"{value:.6g}" + (f"[{unit}]" if unit else "")))

    def redraw_paths(self, paths: tuple[str, ...], wish: Wish | None = None) -> DesignChange | None:
        """Draw the values behind some quantities again, until `wish` holds if that can be had."""
        origin = self.draft.instance.origin
        names = frozenset().union(*(origin.find_source_draws(path) for path in paths))
        return self.redraw_names(names, wish)

    def redraw_names(self, names: frozenset[str], wish: Wish | None = None) -> DesignChange | None:
        """Draw some draws or option groups again. Return None if that changes nothing."""
        first: DesignChange | None = None
        for times in range(1, REDRAWS + 1) if names else ():
            found = self.take_origin(self.origin.add_redraws(names, times))
            if found is None:
                continue
            if wish is None or wish(found.draft):
                return found
            first = first or found
        return first

    def redraw_everything(self) -> DesignChange | None:
        """Draw all numbers again, in the same situation."""
        origin = self.draft.instance.origin
        lines = [line for _, line in iterate_stated_lines(origin.template)]
        return self.redraw_names(origin.find_draws_of_text(lines))

    def exchange_thing(self, thing: str) -> DesignChange | None:
        """Take another option of the groups that bring a thing in."""
        skin = self.draft.instance.offer.skin
        groups = frozenset(
            format_option_group(name)
            for name, group in skin.options.items()
            if len(group.of) > group.take and any(thing in _list_things(option.record) for option in group.of)
        )
        return self.redraw_names(groups)

    def change_wording(self) -> DesignChange | None:
        """Take another wording: options and choices of words that no number depends on."""
        origin, skin = self.draft.instance.origin, self.draft.instance.offer.skin
        lines = [line for _, line in iterate_stated_lines(origin.template)]
        words = origin.find_draws_of_text(origin.template.get("prose")) - origin.find_draws_of_text(lines)
        groups = frozenset(
            format_option_group(name) for name, group in skin.options.items() if len(group.of) > group.take
        )
        return self.redraw_names(words) or self.redraw_names(groups)

    def take_origin(self, origin: DesignOrigin) -> DesignChange | None:
        """Draw a changed design. Return None if it is the same, or if it cannot be read."""
        try:
            draft = self.draw(origin)
        except (UnreadableDraft, ConfigurationError):
            return None
        if draft.instance.record == self.draft.instance.record:
            return None
        return DesignChange(origin, draft, describe_changes(self.draft, draft))

    def _read_proposed_value(self, path: str, proposal: str) -> float | None:
        """Return the number of a proposal in the unit of the quantity, or None."""
        quantity = self.draft.design.world.quantities.get(path)
        if quantity is None or not quantity.is_number:
            return None
        for number, bracketed, plain in _NUMBER.findall(proposal):
            try:
                unit = parse_unit(bracketed or plain or "1")
            except UnitError:
                continue
            stated = quantity.display_unit
            if stated is not None and unit.dimension == stated.dimension:
                return stated.from_si(unit.to_si(float(number)))
            if stated is None and unit.dimension.is_plain:
                return float(number)
        return None


def describe_changes(before: ScenarioDraft, after: ScenarioDraft) -> str:
    """Describe what differs between two drafts: the stated values, or the things or the wording."""
    old, new = (dict(iterate_stated_lines(draft.instance.record)) for draft in (before, after))
    changed = [
        f"{path} from {_cut_value(old[path])} to {_cut_value(new[path])}"
        for path in new
        if path in old and old[path] != new[path]
    ]
    added = [path for path in new if path not in old]
    removed = [path for path in old if path not in new]
    parts = []
    if changed:
        more = f" and {len(changed) - MOST_NAMED} more" if len(changed) > MOST_NAMED else ""
        parts.append(f"changed {', '.join(changed[:MOST_NAMED])}{more}")
    if added or removed:
        parts.append(f"took other things ({len(removed)} quantities left, {len(added)} came)")
    titles = before.instance.record.get("title"), after.instance.record.get("title")
    if titles[0] != titles[1]:
        parts.append(f"took the name “{titles[1]}” in place of “{titles[0]}”")
    if before.instance.record.get("prose") != after.instance.record.get("prose") and not parts:
        parts.append("took another wording of the text")
    return "; ".join(parts) or "changed the record"


def _cut_value(line: str) -> str:
    return line.partition("@")[0].partition("(")[0].strip()


def _is_within_stated_range(quantity: object, value: float) -> bool:
    low, high = getattr(quantity, "low", None), getattr(quantity, "high", None)
    unit = getattr(quantity, "display_unit", None)
    si = unit.to_si(value) if unit is not None else value
    return (low is None or si >= low) and (high is None or si <= high)


def _list_things(record: dict[str, object]) -> Iterator[str]:
    things = record.get("things")
    for thing in things if isinstance(things, list) else ():
        if isinstance(thing, dict):
            yield str(thing.get("name"))


def wish_claims_hold(target: DemandTarget) -> Wish | None:
    """Return the wish that the claims of a demand hold at the stated values, or None if it names none.

    A claim about something that the design does not contain never holds.
    """
    if not target.claims:
        return None

    def holds(draft: ScenarioDraft) -> bool:
        engine = draft.design.engine
        if not all(map(engine.has_all_names, target.claims)):
            return False
        try:
            return all(bool(engine.evaluate_expression(tree)) for tree in target.claims)
        except UNDEFINED:
            return False

    return holds


def wish_more_time(before: ScenarioDraft) -> Wish:
    """Return the wish that the stated steps of the solution leave a larger share of the deadline."""
    left = _measure_time_left(before)
    return lambda draft: _measure_time_left(draft) > left


def _measure_time_left(draft: ScenarioDraft) -> float:
    declared = DeclaredDesign(draft.design)
    shares = [declared.estimate_time_left(name) for name in declared.answering]
    return min((share for share in shares if share is not None), default=1.0)


def wish_trap_moved(before: ScenarioDraft, trap: str, *, nearer: bool) -> Wish:
    """Return the wish that a wrong answer fails by less (`nearer`) or by more than before, and still fails."""
    margin = _measure_stop(before, trap)

    def is_moved(draft: ScenarioDraft) -> bool:
        now = _measure_stop(draft, trap)
        if now is None or margin is None or now > -ALMOST_WORKS:
            return False
        return now > margin if nearer else now < margin

    return is_moved


def _measure_stop(draft: ScenarioDraft, trap: str) -> float | None:
    stop = DeclaredDesign(draft.design).find_stop(trap)
    return None if stop is None else stop.margin
