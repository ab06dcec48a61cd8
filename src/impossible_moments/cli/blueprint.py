"""Implementation of `im blueprint`: list blueprints, check files with many seeds, preview a draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

from impossible_moments.blueprints.catalogue import (
    Offer,
    catalogue_of,
    shipped,
    shipped_for,
    titles_twice,
)
from impossible_moments.blueprints.surveys import Survey, survey
from impossible_moments.blueprints.trials import trial
from impossible_moments.cli.outcome import DONE, FOUND_ERRORS
from impossible_moments.cli.printing import print_json, visible
from impossible_moments.errors import ConfigurationError
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.mechanics.documents import load

MOST_REASONS = 8


def list_blueprints(*, as_json: bool) -> int:
    """Print every blueprint with its skins, statuses and tiers."""
    catalogue = shipped()
    if as_json:
        print_json([_offer_data(offer) for offer in catalogue.offers()])
        return DONE
    table = Table("Category", "Blueprint", "Skins", "Statuses", "Tiers", "Key idea")
    for blueprint in sorted(catalogue.blueprints.values(), key=lambda each: (each.category, each.name)):
        offers = [offer for offer in catalogue.offers() if offer.blueprint is blueprint]
        statuses = sorted({offer.claim for offer in offers})
        tiers = sorted({offer.tier or "" for offer in offers} - {""})
        skins = str(len(catalogue.skins.get(blueprint.name, ())))
        table.add_row(
            blueprint.category, blueprint.name, skins, ", ".join(statuses), ", ".join(tiers), blueprint.idea
        )
    console = Console()
    console.print(table)
    count = Counter(offer.skin.name for offer in catalogue.offers())
    console.print(
        f"{len(catalogue.blueprints)} blueprints, {len(count)} skins, {sum(count.values())} offers."
    )
    return DONE


def check_blueprints(paths: Sequence[Path], *, seeds: int, as_json: bool) -> int:
    """Draw every offer of the files with many seeds and print a survey. Return the exit status."""
    files = tuple(_files(paths))
    catalogue = catalogue_of(files, shipped_for(files)) if files else shipped()
    offers = [offer for offer in catalogue.offers() if not files or _is_of(offer, files)]
    if not offers:
        raise ConfigurationError("These files contain no skin to check. A blueprint needs at least one skin.")
    progress = Console(stderr=True)
    library = everyday()
    shown = track(offers, "drawing", console=progress, transient=True, disable=not progress.is_terminal)
    found = [survey(offer, library, range(seeds)) for offer in shown]
    if as_json:
        print_json([_survey_data(each) for each in found])
    else:
        _show(found)
    twice = titles_twice(catalogue)
    for title, names in twice.items():
        progress.print(
            f"Duplicate title `{visible(title)}` in {' and '.join(names)}.", style="red", highlight=False
        )
    return DONE if all(each.accepted for each in found) and not twice else FOUND_ERRORS


def preview(path: Path, *, seed: int, variant: str | None) -> int:
    """Print the public text of one draw of every matching offer, and the reasons why a check rejected it."""
    files = tuple(_files([path]))
    catalogue = catalogue_of(files, shipped_for(files))
    offers = [
        offer for offer in catalogue.offers() if _is_of(offer, (path,)) and variant in {None, offer.variant}
    ]
    if not offers:
        raise ConfigurationError(
            f"{path.name} contains no skin{f' for the variant {variant}' if variant else ''}."
        )
    console, library = Console(), everyday()
    for offer in offers:
        tried = trial(offer, library, seed, 0)
        console.rule(visible(f"{tried.instance.record['title']} · {offer.name}"))
        console.print(f"{tried.status} · {tried.tier} · {tried.profile}", style="dim")
        if tried.report.record is not None and tried.report.tie is not None:
            for name, text in tried.prose.items():
                console.print(f"\n[bold]{name}[/bold]")
                console.print(visible(text), highlight=False, markup=False)
        for reason in tried.reasons:
            console.print(visible(reason), style="red", highlight=False, markup=False)
    return DONE


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the named files, the YAML files of folders, and the skins in the folder of a blueprint's name."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yaml"))
        else:
            yield path
            yield from sorted(path.with_suffix("").glob("*.yaml"))


def _is_of(offer: Offer, files: Sequence[Path]) -> bool:
    """Return whether one of the files is the blueprint or the skin of the offer."""
    names = _names(files)
    return ("skin", offer.skin.name) in names or ("blueprint", offer.blueprint.name) in names


def _names(files: Sequence[Path]) -> frozenset[tuple[str, str]]:
    found = set()
    for path in files:
        data = load(path)
        kind = "skin" if data.get("format") == "im-skin/1" else "blueprint"
        found.add((kind, str(data.get("name"))))
    return frozenset(found)


def _show(found: Sequence[Survey]) -> None:
    console = Console()
    table = Table(Column("Offer", overflow="fold"), "Status", "Accepted", "Tier", "Profile", "CPU s")
    for each in found:
        tier = ", ".join(f"{name} {count}" for name, count in each.tiers.most_common())
        if each.tier_differs:
            tier += f" (expected {each.offer.tier})"
        profile = each.profiles.most_common(1)[0][0] if each.profiles else ""
        table.add_row(
            each.offer.name,
            each.offer.claim,
            f"{each.accepted}/{each.tried}",
            tier,
            profile,
            f"{each.seconds / max(each.tried, 1):.2f}",
        )
    console.print(table)
    for each in found:
        if each.reasons:
            console.print(f"\n{each.offer.name} was rejected:", style="bold")
            for reason, count in each.reasons.most_common(MOST_REASONS):
                console.print(visible(f"  {count} × {reason}"), highlight=False, markup=False)


def _offer_data(offer: Offer) -> dict[str, object]:
    return {
        "category": offer.blueprint.category,
        "blueprint": offer.blueprint.name,
        "skin": offer.skin.name,
        "variant": offer.variant,
        "status": offer.claim,
        "tier": offer.tier,
        "place": offer.skin.place,
        "voice": offer.skin.voice,
    }


def _survey_data(each: Survey) -> dict[str, object]:
    return {
        **_offer_data(each.offer),
        "tried": each.tried,
        "accepted": each.accepted,
        "tiers": dict(each.tiers),
        "profiles": dict(each.profiles),
        "reasons": dict(each.reasons.most_common()),
        "cpu_seconds": round(each.seconds, 3),
    }
