"""The catalogue of blueprints and their skins, shipped or loaded from other files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from impossible_moments.blueprints.document_cache import load_documents
from impossible_moments.blueprints.earned_tiers import load_earned_tiers
from impossible_moments.blueprints.file_models import BlueprintForm, SkinForm
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import (
    BaseForm,
    Category,
    describe_form_problems,
    load_document,
)

F = TypeVar("F", bound=BaseForm)


@dataclass(frozen=True, slots=True)
class Offer:
    """A blueprint in one skin and one variant: everything but the drawn numbers."""

    blueprint: BlueprintForm
    skin: SkinForm
    variant: str
    narrated_variant: str = ""
    """The variant whose wording is used, if it is not the own one."""
    depth: int = 0
    """How much is then taken from the own variant besides its draws; see `DEPTHS` in `variant_crossing`."""
    earned_tier: str | None = None
    """The tier that draws of the offer earned when they were last surveyed, or None if they were not."""

    @property
    def name(self) -> str:
        """The name used in messages and random streams."""
        words = f" told as {self.narrated_variant}" if self.narrated_variant else ""
        return f"{self.blueprint.name}/{self.skin.name}/{self.variant}{words}"

    @property
    def claim(self) -> str:
        """The status, with its subtype, that the offer is written for."""
        for overlay in reversed(self.records):
            status = overlay.get("status")
            if isinstance(status, dict) and isinstance(status.get("claim"), str):
                return str(status["claim"])
        raise ConfigurationError(
            f"the blueprint {self.name} has no status: write `status: {{claim: ...}}` in its record."
        )

    @property
    def tier(self) -> str | None:
        """The difficulty tier that the offer earned, else the one that its author expects, else None."""
        return self.earned_tier or self.expected_tier

    @property
    def expected_tier(self) -> str | None:
        """The difficulty tier that the author expects, or None if none is given."""
        return self.skin.variants[self.variant].tier or self.blueprint.variants[self.variant].tier

    @property
    def records(self) -> tuple[dict[str, object], ...]:
        """The partial records, without options, in the order in which they are merged."""
        return (
            self.blueprint.record,
            self.skin.record,
            self.blueprint.variants[self.variant].record,
            self.skin.variants[self.variant].record,
        )


@dataclass(frozen=True)
class Catalogue:
    """Blueprints by name, and the skins of each blueprint."""

    blueprints: dict[str, BlueprintForm]
    skins: dict[str, tuple[SkinForm, ...]] = field(default_factory=dict)
    source: str | None = None
    """Name and hash of the files that were added to the shipped ones. None for the shipped catalogue."""
    earned_tiers: Mapping[str, str] = field(default_factory=dict)
    """The tiers that offers earned, by their names."""
    contributed: frozenset[str] = frozenset()
    """The names of the offers whose blueprint or skin is from the added files. They are drawn before others."""

    def iterate_offers(self, category: Category | None = None) -> Iterator[Offer]:
        """Iterate over all offers, optionally of one category, in a fixed order."""
        for name in sorted(self.blueprints):
            blueprint = self.blueprints[name]
            if category is None or blueprint.category == category:
                for skin in self.skins.get(name, ()):
                    for variant in skin.variants:
                        offer = Offer(blueprint, skin, variant)
                        yield replace(offer, earned_tier=self.earned_tiers.get(offer.name))


@lru_cache(maxsize=1)
def load_shipped_catalogue() -> Catalogue:
    """Load the catalogue that ships with the package."""
    with as_file(_locate_families_folder()) as folder:
        return replace(build_catalogue(sorted(folder.rglob("*.yaml"))), earned_tiers=load_earned_tiers())


def load_extended_catalogue(folder: Path) -> Catalogue:
    """Load the shipped catalogue with the blueprints and skins of a folder, which win on equal names.

    Its `source` names the folder and the content of its files. The place of the folder does not matter.
    """
    paths = sorted(path for path in folder.rglob("*.yaml") if path.is_file()) if folder.is_dir() else []
    if not paths:
        raise ConfigurationError(
            f"{folder} has no blueprints. Name a folder with blueprint or skin files (*.yaml)."
        )
    digest = sha256()
    for path in paths:
        digest.update(f"{path.relative_to(folder).as_posix()}\0".encode())
        digest.update(path.read_bytes())
    catalogue = build_catalogue(paths, load_shipped_catalogue())
    return replace(catalogue, source=f"{folder.resolve().name} ({digest.hexdigest()[:12]})")


def load_blueprints_of_skins(paths: Sequence[Path]) -> Catalogue:
    """Load the shipped blueprints that the skins in the given files belong to.

    Other shipped files are not read, so an error in them has no effect.
    """
    with as_file(_locate_families_folder()) as folder:
        blueprint_names = {str(load_document(path).get("blueprint") or "") for path in paths}
        found = sorted(path for name in blueprint_names - {""} for path in folder.rglob(f"{name}.yaml"))
        return build_catalogue(found)


def find_duplicate_titles(catalogue: Catalogue) -> dict[str, list[str]]:
    """Return the titles used by more than one skin or variant, each with the names of its users."""
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


def _locate_families_folder() -> Traversable:
    return files("impossible_moments.blueprints").joinpath("families")


def build_catalogue(paths: Iterable[Path], base: Catalogue | None = None) -> Catalogue:
    """Build a catalogue from blueprint and skin files, added to `base` if it is given.

    A blueprint or skin replaces an earlier one of the same name. A blueprint that replaces one of `base` does not
    take over its skins, which were written for the other one.
    """
    blueprints = dict(base.blueprints) if base else {}
    skins = {name: {skin.name: skin for skin in of} for name, of in (base.skins if base else {}).items()}
    listed = list(paths)
    for path, data in zip(listed, load_documents(listed), strict=True):
        if data.get("format") == "im-skin/1":
            skin = _validate_file(SkinForm, data, path)
            skins.setdefault(skin.blueprint, {})[skin.name] = skin
        else:
            blueprint = _validate_file(BlueprintForm, {**data, "skins": _add_blueprint_names(data)}, path)
            if base is not None and blueprint.name in base.blueprints:
                inherited = {each.name for each in base.skins.get(blueprint.name, ())}
                kept = skins.get(blueprint.name, {})
                skins[blueprint.name] = {
                    name: skin
                    for name, skin in kept.items()
                    if name not in inherited or skin not in base.skins[blueprint.name]
                }
            blueprints[blueprint.name] = blueprint
            for skin in blueprint.skins:
                skins.setdefault(blueprint.name, {})[skin.name] = skin
    _check_skin_references(blueprints, skins)
    catalogue = Catalogue(
        blueprints, {name: tuple(of[each] for each in sorted(of)) for name, of in skins.items()}
    )
    if base is None:
        return catalogue
    unchanged = _find_unchanged_skins(catalogue, base)
    names = frozenset(offer.name for offer in catalogue.iterate_offers())
    return replace(
        catalogue,
        earned_tiers={
            name: tier for name, tier in base.earned_tiers.items() if name.rpartition("/")[0] in unchanged
        },
        contributed=frozenset(name for name in names if name.rpartition("/")[0] not in unchanged),
    )


def _find_unchanged_skins(catalogue: Catalogue, base: Catalogue) -> frozenset[str]:
    """Return the skins, as `blueprint/skin`, that are the same in the catalogue as in `base`."""
    return frozenset(
        f"{name}/{skin.name}"
        for name, skins in catalogue.skins.items()
        for skin in skins
        if catalogue.blueprints[name] is base.blueprints.get(name) and skin in base.skins.get(name, ())
    )


def _add_blueprint_names(data: dict[str, object]) -> list[object]:
    """Return the skins inside a blueprint file, each with the name of its blueprint filled in."""
    skins = data.get("skins") or []
    if not isinstance(skins, list):
        return [skins]
    return [{"blueprint": data.get("name"), **skin} if isinstance(skin, dict) else skin for skin in skins]


def _validate_file(form: type[F], data: dict[str, object], path: Path) -> F:
    try:
        return form.model_validate(data)
    except ValidationError as problem:
        kind = "blueprint" if form is BlueprintForm else "skin"
        listed = describe_form_problems(form, problem)
        separator = " " if len(listed) == 1 else "\n  "
        raise ConfigurationError(
            f"{path.name} is not a valid {kind}:{separator}{separator.join(listed)}"
        ) from None


def _check_skin_references(
    blueprints: dict[str, BlueprintForm], skins: dict[str, dict[str, SkinForm]]
) -> None:
    for name, of in skins.items():
        if name not in blueprints:
            raise ConfigurationError(
                f"the skin {next(iter(of))} belongs to the blueprint {name}, but there is no such blueprint."
            )
        for skin in of.values():
            for variant in skin.variants:
                if variant not in blueprints[name].variants:
                    known = ", ".join(blueprints[name].variants)
                    raise ConfigurationError(
                        f"the skin {skin.name} has a variant {variant}, but {name} has only {known}."
                    )
