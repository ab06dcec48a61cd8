"""Implementation of `im blueprint`: list blueprints, check files with many seeds, preview a draw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.progress import track
from rich.table import Table

from impossible_moments.blueprints import (
    Catalogue,
    InstanceTrial,
    Offer,
    OfferSurvey,
    build_catalogue,
    draw_and_check_instance,
    find_duplicate_titles,
    load_blueprints_of_skins,
    load_shipped_catalogue,
    survey_offer_over_seeds,
)
from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE, FOUND_ERRORS
from impossible_moments.cli.output.content_remarks import print_remarks
from impossible_moments.cli.output.formatting import (
    escape_control_characters,
    escape_for_terminal,
    print_json,
)
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.prose import PlaceholderError
from impossible_moments.mechanics.records import load_document

MOST_REASONS = 8
"""The most reasons of an offer that are printed in full if many offers are checked."""
FEW_OFFERS = 6
"""The most offers of which every reason is printed."""


def list_blueprints(*, as_json: bool) -> int:
    """Print every blueprint with its skins, statuses and tiers."""
    catalogue = load_shipped_catalogue()
    if as_json:
        print_json([_convert_offer_to_dict(offer) for offer in catalogue.iterate_offers()])
        return DONE
    console = Console()
    console.print(_build_blueprint_table(catalogue))
    count = Counter(offer.skin.name for offer in catalogue.iterate_offers())
    console.print(
        f"{len(catalogue.blueprints)} blueprints, {len(count)} skins, {sum(count.values())} offers."
    )
    return DONE


def _build_blueprint_table(catalogue: Catalogue) -> Table:
    """Return a table of the blueprints, with the name of each category above its blueprints."""
    table = create_table(
        "blueprint", "skins", "statuses", "tiers", "key idea", whole=("blueprint", "skins"), right=("skins",)
    )
    category = ""
    for blueprint in sorted(catalogue.blueprints.values(), key=lambda each: (each.category, each.name)):
        if blueprint.category != category:
            category = blueprint.category
            table.add_row(f"[bold]{category}[/]")
        offers = [offer for offer in catalogue.iterate_offers() if offer.blueprint is blueprint]
        statuses = sorted({offer.claim for offer in offers})
        tiers = sorted({offer.tier or "" for offer in offers} - {""})
        skins = str(len(catalogue.skins.get(blueprint.name, ())))
        table.add_row(
            blueprint.name, skins, ", ".join(statuses), ", ".join(tiers), escape_for_terminal(blueprint.idea)
        )
    return table


def check_blueprints(paths: Sequence[Path], *, seeds: int, as_json: bool) -> int:
    """Draw every offer of the files with many seeds and print a survey. Return the exit status."""
    files = tuple(_find_blueprint_files(paths))
    catalogue = build_catalogue(files, load_blueprints_of_skins(files)) if files else load_shipped_catalogue()
    offers = [
        offer for offer in catalogue.iterate_offers() if not files or _is_offer_from_files(offer, files)
    ]
    if not offers:
        raise ConfigurationError("These files contain no skin to check. A blueprint needs at least one skin.")
    progress = Console(stderr=True)
    library = load_everyday_library()
    shown = track(offers, "drawing", console=progress, transient=True, disable=not progress.is_terminal)
    family = load_shipped_catalogue()
    found = [survey_offer_over_seeds(offer, library, range(seeds), family=family) for offer in shown]
    if as_json:
        print_json([_convert_survey_to_dict(each) for each in found])
    else:
        _print_surveys(found)
        print_remarks(found)
    twice = find_duplicate_titles(catalogue)
    for title, names in twice.items():
        progress.print(
            f"Duplicate title `{escape_control_characters(title)}` in {' and '.join(names)}.",
            style="red",
            highlight=False,
        )
    return DONE if all(each.accepted for each in found) and not twice else FOUND_ERRORS


def preview_blueprint_draw(path: Path, *, seed: int, variant: str | None) -> int:
    """Print the public text of one draw of every matching offer, and the reasons why a check rejected it."""
    files = tuple(_find_blueprint_files([path]))
    catalogue = build_catalogue(files, load_blueprints_of_skins(files))
    offers = _select_offers_of_variant(
        [offer for offer in catalogue.iterate_offers() if _is_offer_from_files(offer, (path,))], path, variant
    )
    console, library = Console(), load_everyday_library()
    for offer in offers:
        tried = draw_and_check_instance(offer, library, seed, 0)
        console.rule(escape_control_characters(f"{tried.instance.record['title']} · {offer.name}"))
        console.print(f"{tried.status} · {tried.tier} · {tried.profile}", style="dim")
        if tried.report.record is not None and tried.report.tie is not None:
            _print_public_text(tried, console)
        for reason in tried.reasons:
            console.print(escape_control_characters(reason), style="red", highlight=False, markup=False)
    return DONE


def _print_public_text(tried: InstanceTrial, console: Console) -> None:
    try:
        prose = tried.prose
    except PlaceholderError as problem:
        console.print(
            escape_control_characters(f"The text cannot be printed: {problem}."),
            style="red",
            highlight=False,
            markup=False,
        )
        return
    for name, text in prose.items():
        console.print(f"\n[bold]{name}[/bold]")
        console.print(escape_control_characters(text), highlight=False, markup=False)


def _select_offers_of_variant(offers: Sequence[Offer], path: Path, variant: str | None) -> Sequence[Offer]:
    """Return the offers of a variant, or all offers. Raise a ConfigurationError if there are none."""
    if not offers:
        raise ConfigurationError(f"{path.name} contains no skin. A blueprint needs at least one skin.")
    chosen = [offer for offer in offers if variant in {None, offer.variant}]
    if not chosen:
        known = sorted({offer.variant for offer in offers})
        raise ConfigurationError(
            f"{path.name} contains no skin for the variant {variant}.{suggest_names(variant or '', known)} "
            f"The variants are {', '.join(known)}."
        )
    return chosen


def _find_blueprint_files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the named files, the YAML files of folders, and the skins in the folder of a blueprint's name."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.yaml"))
        else:
            yield path
            yield from sorted(path.with_suffix("").glob("*.yaml"))


def _is_offer_from_files(offer: Offer, files: Sequence[Path]) -> bool:
    """Return whether one of the files is the blueprint or the skin of the offer."""
    names = _read_blueprint_and_skin_names(files)
    return ("skin", offer.skin.name) in names or ("blueprint", offer.blueprint.name) in names


def _read_blueprint_and_skin_names(files: Sequence[Path]) -> frozenset[tuple[str, str]]:
    found = set()
    for path in files:
        data = load_document(path)
        kind = "skin" if data.get("format") == "im-skin/1" else "blueprint"
        found.add((kind, str(data.get("name"))))
    return frozenset(found)


def _print_surveys(found: Sequence[OfferSurvey]) -> None:
    console = Console()
    figures = ("accepted", "CPU s")
    table = create_table(
        "offer", "status", "accepted", "tier", "profile", "CPU s", whole=figures, right=figures
    )
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
            console.print(f"\nThe blueprint {each.offer.name} was rejected:", style="bold")
            listed = each.reasons.most_common(None if len(found) <= FEW_OFFERS else MOST_REASONS)
            for reason, count in listed:
                console.print(
                    escape_control_characters(f"  {count} × {reason}"), highlight=False, markup=False
                )
            if left := len(each.reasons) - len(listed):
                console.print(
                    f"  and {left} more; check the file of this offer alone to see them.", highlight=False
                )


def _convert_offer_to_dict(offer: Offer) -> dict[str, object]:
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


def _convert_survey_to_dict(each: OfferSurvey) -> dict[str, object]:
    return {
        **_convert_offer_to_dict(each.offer),
        "tried": each.tried,
        "accepted": each.accepted,
        "tiers": dict(each.tiers),
        "profiles": dict(each.profiles),
        "reasons": dict(each.reasons.most_common()),
        "remarks": [{**finding.to_data(), "times": times} for finding, times in each.remarks.most_common()],
        "cpu_seconds": round(each.seconds, 3),
    }
