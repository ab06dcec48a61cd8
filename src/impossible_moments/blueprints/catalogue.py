"""The catalogue: all blueprints with their skins, those that ship and those of a folder or file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from impossible_moments.blueprints.forms import BlueprintForm, SkinForm
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.documents import load
from impossible_moments.mechanics.form import Form
from impossible_moments.mechanics.record import Category

F = TypeVar("F", bound=Form)


@dataclass(frozen=True, slots=True)
class Offer:
    """A blueprint in a skin in a variant: everything but the numbers."""

    blueprint: BlueprintForm
    skin: SkinForm
    variant: str
    told: str = ""
    """The variant in whose words it is told, where that is another one."""
    depth: int = 0
    """How much beside its draws is then taken from the variant itself; see `crossing`."""

    @property
    def name(self) -> str:
        """Its name in messages and streams."""
        words = f" told as {self.told}" if self.told else ""
        return f"{self.blueprint.name}/{self.skin.name}/{self.variant}{words}"

    @property
    def claim(self) -> str:
        """The status it is made for, with its subtype."""
        for overlay in reversed(self.records):
            status = overlay.get("status")
            if isinstance(status, dict) and isinstance(status.get("claim"), str):
                return str(status["claim"])
        raise ConfigurationError(
            f"{self.name} claims no status: write `status: {{claim: ...}}` in its record."
        )

    @property
    def tier(self) -> str | None:
        """The tier it is expected to come out at."""
        return self.skin.variants[self.variant].tier or self.blueprint.variants[self.variant].tier

    @property
    def records(self) -> tuple[dict[str, object], ...]:
        """The partial records, without options, in the order in which they are laid over each other."""
        return (
            self.blueprint.record,
            self.skin.record,
            self.blueprint.variants[self.variant].record,
            self.skin.variants[self.variant].record,
        )


@dataclass(frozen=True)
class Catalogue:
    """Blueprints by name, and the skins of each."""

    blueprints: dict[str, BlueprintForm]
    skins: dict[str, tuple[SkinForm, ...]] = field(default_factory=dict)

    def offers(self, category: Category | None = None) -> Iterator[Offer]:
        """All that can be drawn from, in a fixed order."""
        for name in sorted(self.blueprints):
            blueprint = self.blueprints[name]
            if category is None or blueprint.category == category:
                for skin in self.skins.get(name, ()):
                    yield from (Offer(blueprint, skin, variant) for variant in skin.variants)


@lru_cache(maxsize=1)
def shipped() -> Catalogue:
    """The blueprints that ship with the package."""
    with as_file(_families()) as folder:
        return catalogue_of(sorted(folder.rglob("*.yaml")))


def shipped_for(paths: Sequence[Path]) -> Catalogue:
    """What ships and belongs to some files: the blueprints of their skins, and nothing else that might be broken."""
    with as_file(_families()) as folder:
        wanted = {str(load(path).get("blueprint") or "") for path in paths}
        found = sorted(path for name in wanted - {""} for path in folder.rglob(f"{name}.yaml"))
        return catalogue_of(found)


def titles_twice(catalogue: Catalogue) -> dict[str, list[str]]:
    """The titles that more than one skin or variant bears, with who bears them."""
    bearers: dict[str, list[str]] = {}
    for name in sorted(catalogue.skins):
        for skin in catalogue.skins[name]:
            groups = {f"{name}/{skin.name}": skin.titles}
            groups |= {
                f"{name}/{skin.name}/{variant}": each.titles for variant, each in skin.variants.items()
            }
            for bearer, titles in groups.items():
                for title in titles:
                    bearers.setdefault(title, []).append(bearer)
    return {title: names for title, names in bearers.items() if len(names) > 1}


def _families() -> Traversable:
    return files("impossible_moments.blueprints").joinpath("families")


def catalogue_of(paths: Iterable[Path], base: Catalogue | None = None) -> Catalogue:
    """The blueprints and skins of some files, added to a catalogue; one of the same name takes the earlier's place."""
    blueprints = dict(base.blueprints) if base else {}
    skins = {name: {skin.name: skin for skin in of} for name, of in (base.skins if base else {}).items()}
    for path in paths:
        data = load(path)
        if data.get("format") == "im-skin/1":
            skin = _read(SkinForm, data, path)
            skins.setdefault(skin.blueprint, {})[skin.name] = skin
        else:
            blueprint = _read(BlueprintForm, {**data, "skins": _named(data)}, path)
            blueprints[blueprint.name] = blueprint
            for skin in blueprint.skins:
                skins.setdefault(blueprint.name, {})[skin.name] = skin
    _fit(blueprints, skins)
    return Catalogue(blueprints, {name: tuple(of[each] for each in sorted(of)) for name, of in skins.items()})


def _named(data: dict[str, object]) -> list[object]:
    """The skins in a blueprint's own file, which need not repeat whose they are."""
    skins = data.get("skins") or []
    if not isinstance(skins, list):
        return [skins]
    return [{"blueprint": data.get("name"), **skin} if isinstance(skin, dict) else skin for skin in skins]


def _read(form: type[F], data: dict[str, object], path: Path) -> F:
    try:
        return form.model_validate(data)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = "/".join(str(part) for part in first["loc"])
        kind = "blueprint" if form is BlueprintForm else "skin"
        raise ConfigurationError(
            f"{path.name} is no {kind}: at /{place}, {_lowered(first['msg'])}."
        ) from None


def _lowered(sentence: str) -> str:
    """A sentence in the middle of another: what it lists keeps its capitals."""
    return sentence[:1].lower() + sentence[1:]


def _fit(blueprints: dict[str, BlueprintForm], skins: dict[str, dict[str, SkinForm]]) -> None:
    for name, of in skins.items():
        if name not in blueprints:
            raise ConfigurationError(
                f"the skin {next(iter(of))} belongs to the blueprint {name}, and there is none of that name."
            )
        for skin in of.values():
            for variant in skin.variants:
                if variant not in blueprints[name].variants:
                    known = ", ".join(blueprints[name].variants)
                    raise ConfigurationError(
                        f"the skin {skin.name} tells a variant {variant}, and {name} has {known} only."
                    )
