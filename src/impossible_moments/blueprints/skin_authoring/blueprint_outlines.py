"""Outlines of blueprints: what they hold, and what a skin of them must supply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.file_models import BlueprintForm, SkinForm
from impossible_moments.blueprints.instance_trials import REQUIRED_NOTES
from impossible_moments.blueprints.parameter_draws import find_referenced_draws
from impossible_moments.blueprints.skin_authoring.skin_templates import choose_example_skin
from impossible_moments.mechanics.records import parse_line, split_lines

_EXAMPLE: Final = "rim = 3.6[m]"


@dataclass(frozen=True, slots=True)
class VariantOutline:
    """An ending of a blueprint: its status, and what it changes."""

    name: str
    status: str
    tier: str
    changes: tuple[str, ...]
    """The things, approaches and insights that the variant adds, changes or drops."""


@dataclass(frozen=True, slots=True)
class BlueprintOutline:
    """The parts of a blueprint as lines of text."""

    name: str
    category: str
    idea: str
    draws: tuple[str, ...]
    open_draws: tuple[str, ...]
    """Draws that the blueprint uses and that a skin must give, each with those of the example skin."""
    quantities: tuple[str, ...]
    things: tuple[str, ...]
    roles: tuple[str, ...]
    calls: tuple[str, ...]
    approaches: tuple[str, ...]
    insights: tuple[str, ...]
    variants: tuple[VariantOutline, ...]
    supplied: tuple[str, ...]
    """Lines of the record that every skin states and the blueprint does not, as the example skin states them."""
    texts: tuple[str, ...]
    """The texts that a skin must supply."""
    skins: tuple[str, ...]
    example: str

    def to_data(self) -> dict[str, Any]:
        """Return the outline as plain data."""
        return asdict(self)


def outline_blueprint(blueprint: BlueprintForm, skins: tuple[SkinForm, ...]) -> BlueprintOutline:
    """Return the outline of a blueprint. Examples are taken from the skin that supports the most variants."""
    example = choose_example_skin(skins)
    record = blueprint.record
    return BlueprintOutline(
        blueprint.name,
        blueprint.category,
        blueprint.idea,
        tuple(f"{draw}: {text}" for draw, text in blueprint.draws.items()),
        tuple(_list_open_draws(blueprint, example)),
        _list_lines(record.get("quantities")),
        tuple(_describe_thing(thing) for thing in record.get("things") or ()),
        _list_lines(record.get("roles")),
        tuple(_describe_call(action) for action in record.get("actions") or ()),
        tuple(
            f"{each['name']}: {_join(each.get('plan'))} -> {each.get('ends', 'left to the skin')}"
            for each in record.get("approaches") or ()
        ),
        _list_lines(record.get("insights")),
        tuple(_outline_variant(blueprint, skins, variant) for variant in blueprint.variants),
        tuple(_list_supplied_lines(blueprint, skins)),
        tuple(_list_needed_texts(blueprint)),
        tuple(skin.name for skin in skins),
        example.name if example is not None else "",
    )


def _list_lines(value: object) -> tuple[str, ...]:
    return tuple(" ".join(line.split()) for line in split_lines(value))


def _join(value: object) -> str:
    return value if isinstance(value, str) else "; ".join(map(str, value)) if isinstance(value, list) else ""


def _describe_thing(thing: Mapping[str, Any]) -> str:
    like = f", like {thing['like']}" if thing.get("like") else ""
    props = "; ".join(split_lines(thing.get("props"))) or "no properties"
    return f"{thing['name']} ({thing.get('kind') or 'object'}{like}; `{thing.get('label', '')}`): {props}"


def _describe_call(action: Mapping[str, Any]) -> str:
    when, then = ("; ".join(split_lines(action.get(part))) for part in ("when", "then"))
    takes = f"; takes {action['takes']}" if action.get("takes") else ""
    return f"{action['do']}: {f'when {when}; ' if when else ''}then {then or 'nothing'}{takes}"


def _list_open_draws(blueprint: BlueprintForm, example: SkinForm | None) -> Iterator[str]:
    for variant in (None, *blueprint.variants):
        layers = [blueprint] if variant is None else [blueprint, blueprint.variants[variant]]
        used = frozenset().union(
            *(find_referenced_draws(f"{each.record} {each.telling} {each.draws}") for each in layers[-1:])
        )
        given = {name for each in layers for name in (*each.draws, *each.texts)}
        for name in sorted(used - given):
            text = _find_draw(example, name, variant) if example is not None else ""
            where = "" if variant is None else f" (variant {variant})"
            yield f"{name}{where}" + (f": {text}" if text else "")


def _find_draw(skin: SkinForm, name: str, variant: str | None) -> str:
    overlays = [skin, *(each for group in skin.options.values() for each in group.of)]
    chosen = skin.variants.values() if variant is None else filter(None, [skin.variants.get(variant)])
    return next(
        (
            each.draws.get(name) or each.texts.get(name, "")
            for each in (*chosen, *overlays)
            if name in each.draws or name in each.texts
        ),
        "",
    )


def _outline_variant(blueprint: BlueprintForm, skins: Iterable[SkinForm], name: str) -> VariantOutline:
    variant = blueprint.variants[name]
    record = variant.record
    changes = [
        f"{section}: {', '.join(names)}"
        for section in ("things", "actions", "approaches", "insights", "quantities", "never")
        if (names := _list_entry_names(record.get(section)))
    ]
    changes += [
        f"drops {section}: {_join(items) or items}" for section, items in (record.get("drop") or {}).items()
    ]
    changes += (
        [f"draws: {', '.join(f'{draw} {text}' for draw, text in variant.draws.items())}"]
        if variant.draws
        else []
    )
    bearer = next((skin for skin in skins if name in skin.variants), None)
    return VariantOutline(name, _find_claim(blueprint, bearer, name), variant.tier or "", tuple(changes))


def _find_claim(blueprint: BlueprintForm, skin: SkinForm | None, variant: str) -> str:
    if skin is not None:
        return Offer(blueprint, skin, variant).claim
    for record in (blueprint.variants[variant].record, blueprint.record):
        status = record.get("status")
        if isinstance(status, Mapping) and "claim" in status:
            return str(status["claim"])
    return "left to the skin"


def _list_entry_names(value: object) -> list[str]:
    if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        return [str(item.get("name") or item.get("do") or item.get("call")) for item in value]
    return [parse_line(line, example=_EXAMPLE).head for line in split_lines(value)]


def _list_supplied_lines(blueprint: BlueprintForm, skins: tuple[SkinForm, ...]) -> Iterator[str]:
    """Yield the quantities and properties that all skins state and the blueprint does not."""
    stated = _collect_stated_lines(blueprint.record)
    found = [_collect_stated_lines(skin.record) for skin in skins]
    example = choose_example_skin(skins)
    for path, line in _collect_stated_lines(example.record).items() if example is not None else ():
        if path not in stated and all(path in each for each in found):
            yield line


def _collect_stated_lines(record: Mapping[str, Any]) -> dict[str, str]:
    lines = {parse_line(line, example=_EXAMPLE).head: line for line in split_lines(record.get("quantities"))}
    for thing in record.get("things") or ():
        for line in split_lines(thing.get("props")):
            lines[f"{thing['name']}.{parse_line(line, example=_EXAMPLE).head}"] = f"{thing['name']}.{line}"
    return lines


def _list_needed_texts(blueprint: BlueprintForm) -> Iterator[str]:
    """Yield the texts that a skin must supply, because the blueprint does not."""
    yield "place, voice, titles, and the `label` of each thing"
    yield "record.prose: narrative (two to four paragraphs), threat, rules (3 to 14 sentences), position"
    for name in REQUIRED_NOTES:
        if not blueprint.telling.get(name):
            yield f"telling.{name}"
    approaches = blueprint.record.get("approaches") or ()
    failing = [
        each["name"]
        for each in approaches
        if each.get("ends") != "goal" and each["name"] not in (blueprint.telling.get("wrong") or {})
    ]
    if failing:
        yield f"telling.wrong, for each approach that fails: {', '.join(failing)}"
    yield "telling.distractors, for each thing that no way needs; telling.materials, for each object without a row of the library"
    status = {_find_claim(blueprint, None, variant) for variant in blueprint.variants}
    if "PX" in status:
        yield "telling.proof (PX)"
    if status & {"OF", "CT", "MT", "DG"}:
        yield "telling.criteria (OF, CT, MT, DG)"
    words = blueprint.telling.get("words") or {}
    silent = [name for name in _list_names_of_quantities(blueprint) if name not in words]
    if silent:
        yield f"telling.words, or a placeholder of the prose, for {', '.join(silent)}"
    calls = [
        str(each["call"])
        for each in (blueprint.record.get("wording") or {}).get("actions") or ()
        if not each.get("near_misses")
    ]
    if calls:
        yield f"record.wording.actions, near_misses of the calls of working plans: {', '.join(calls)}"
    yield "record.wording: three or more harmless deeds and three decoy_premises, unless the blueprint has them"


def _list_names_of_quantities(blueprint: BlueprintForm) -> list[str]:
    return [
        parse_line(line, example=_EXAMPLE).head
        for line in split_lines(blueprint.record.get("quantities"))
        if "[" in line
    ]
