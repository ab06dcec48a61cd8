"""Implementation of `im blueprint show` and `im blueprint new-skin`: what a new skin of a blueprint starts from."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from impossible_moments.blueprints import (
    BlueprintForm,
    Catalogue,
    load_extended_catalogue,
    load_shipped_catalogue,
)
from impossible_moments.blueprints.skin_authoring import (
    BlueprintOutline,
    build_skin_template,
    outline_blueprint,
)
from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import escape_control_characters, print_json
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.language import IDENTIFIER


def show_blueprint(name: str, *, folder: Path | None, as_json: bool) -> int:
    """Print the outline of a blueprint, of the shipped ones or of a folder. Return the exit status."""
    catalogue = _load_catalogue(folder)
    blueprint = _find_blueprint(catalogue, name)
    outline = outline_blueprint(blueprint, catalogue.skins.get(name, ()))
    if as_json:
        print_json(outline.to_data())
    else:
        _print_outline(outline)
    return DONE


def print_skin_template(name: str, *, skin: str, folder: Path | None) -> int:
    """Print the template of a skin on standard output, to be written to a file. Return the exit status."""
    if not IDENTIFIER.fullmatch(skin):
        raise ConfigurationError(
            f"`{skin}` is not a name for a skin. Write letters, digits and underscores, as in cinema_in_asmara."
        )
    catalogue = _load_catalogue(folder)
    blueprint = _find_blueprint(catalogue, name)
    sys.stdout.write(build_skin_template(blueprint, catalogue.skins.get(name, ()), skin))
    return DONE


def _load_catalogue(folder: Path | None) -> Catalogue:
    return load_shipped_catalogue() if folder is None else load_extended_catalogue(folder)


def _find_blueprint(catalogue: Catalogue, name: str) -> BlueprintForm:
    if name not in catalogue.blueprints:
        raise ConfigurationError(
            f"There is no blueprint `{name}`.{suggest_names(name, sorted(catalogue.blueprints))} `im blueprint list` "
            "shows all."
        )
    return catalogue.blueprints[name]


def _print_outline(outline: BlueprintOutline) -> None:
    console = Console()
    _print_line(console, f"{outline.name} · {outline.category}", "bold")
    _print_line(console, outline.idea)
    example = f", as the skin {outline.example} has them" if outline.example else ""
    _print_section(console, "Draws", outline.draws)
    _print_section(console, f"Draws that a skin must give{example}", outline.open_draws)
    _print_section(console, "Quantities", outline.quantities)
    _print_section(console, f"Quantities and properties that every skin states{example}", outline.supplied)
    _print_section(console, "Things", outline.things)
    _print_section(console, "Roles", outline.roles)
    _print_section(console, "Calls", outline.calls)
    _print_section(console, "Approaches", outline.approaches)
    _print_section(console, "Insights", outline.insights)
    _print_section(console, "Variants", _describe_variants(outline))
    _print_section(console, "Texts that a skin must supply", outline.texts)
    _print_section(console, "Skins", (", ".join(outline.skins),) if outline.skins else ())
    _print_line(console, f"\n`im blueprint new-skin {outline.name} > skin.yaml` writes a template.", "dim")


def _describe_variants(outline: BlueprintOutline) -> Iterable[str]:
    for each in outline.variants:
        tier = f", expected at {each.tier}" if each.tier else ""
        yield f"{each.name}: {each.status}{tier}"
        yield from (f"  {change}" for change in each.changes)


def _print_section(console: Console, title: str, lines: Iterable[str]) -> None:
    found = list(lines)
    if found:
        _print_line(console, f"\n{title}", "bold")
        for line in found:
            _print_line(console, f"  {line}")


def _print_line(console: Console, text: str, style: str = "") -> None:
    console.print(escape_control_characters(text), style=style, highlight=False, markup=False, soft_wrap=True)
