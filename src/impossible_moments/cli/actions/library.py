"""Implementation of `im show library`, `object`, `operators` and `template`: content of the library."""

from __future__ import annotations

import json
import sys
from collections import Counter

from rich.table import Table

from impossible_moments.cli.choices import suggest_names
from impossible_moments.cli.exit_status import DONE
from impossible_moments.cli.output.formatting import escape_for_terminal
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import (
    find_row_affordances,
    iterate_operator_uses,
    load_everyday_library,
    load_everyday_objects,
    load_figure_sources,
    load_human_capabilities,
    load_materials,
    load_research_works,
)
from impossible_moments.mechanics.records import Library, LibraryAction, LibraryRow


def show_library_summary(*, as_json: bool) -> int:
    """Print the name, hash and size of the library."""
    known = load_everyday_library()
    form = known.form
    counts = {
        "objects": len(load_everyday_objects()),
        "materials": len(load_materials()),
        "capabilities of people": len({each.name for each in load_human_capabilities()}),
        "affordances": len(form.roles),
        "operators": len(form.actions),
        "mechanism templates": len(form.templates),
        "properties": len(form.properties),
        "dangers": len(form.never),
        "works behind the figures": len(load_figure_sources()),
        "research works": len(load_research_works()),
    }
    domains = Counter(action.domain for action in form.actions)
    formulas = Counter(each.domain for each in form.templates)
    groups = Counter(each.group for each in load_everyday_objects().values())
    if as_json:
        _print_json(
            {
                "library": str(known), "counts": counts, "operators": dict(sorted(domains.items())),
                "templates": dict(sorted(formulas.items())), "objects": dict(sorted(groups.items())),
            }
        )  # fmt: skip
        return DONE
    console = Console()
    console.print(f"[bold]{known}[/]")
    if form.note:
        console.print(escape_for_terminal(form.note))
    table = Table(box=None, pad_edge=False, show_header=False)
    for name, count in counts.items():
        table.add_row(f"{count:,}", name)
    console.print(table)
    for name, found in (("operators", domains), ("templates", formulas), ("objects", groups)):
        console.print(
            f"[bold]{name}[/] by {'group' if name == 'objects' else 'domain'}: {_format_counts_by_name(found)}"
        )
    console.print(
        "\n`im show object NAME`, `im show operators --for NAME`, `im show template NAME` show details.",
        style="dim",
    )
    return DONE


def show_object(name: str, *, as_json: bool) -> int:
    """Print the properties, affordances and applicable operators of one library object."""
    known = load_everyday_library()
    row = _find_library_row(known, name)
    serves, uses = find_row_affordances(row, known), list(iterate_operator_uses(row, known))
    if as_json:
        _print_json(
            {
                "name": row.name, "label": row.label, "kind": row.kind, "group": row.group, "source": row.source, "props": row.props,
                "uses": row.uses, "affordances": serves, "operators": [use.operator.action.verb for use in uses],
            }
        )  # fmt: skip
        return DONE
    console = Console()
    console.print(
        f"[bold]{escape_for_terminal(row.label)}[/] · {row.name} · {row.kind}"
        + (f" · {row.group}" if row.group else "")
    )
    made = load_everyday_objects().get(row.name)
    if made is not None:
        shares = ", ".join(f"{each.replace('_', ' ')} {share:.0%}" for each, share in made.materials.items())
        console.print(f"made of {shares} ({made.solid:g} litres)")
    for line in row.props:
        console.print(f"  {escape_for_terminal(line)}", highlight=False)
    console.print(f"source: {escape_for_terminal(_format_source(row.source))}")
    if row.uses:
        console.print(f"everyday uses: {', '.join(row.uses)}")
    if serves:
        console.print(f"can serve as: {', '.join(serves)}")
    console.print(f"used by {len(uses)} operators: {', '.join(use.operator.action.verb for use in uses)}")
    return DONE


def show_operators(for_: str | None, domain: str | None, *, as_json: bool) -> int:
    """Print all operators, those of a domain, or those that an object can take part in."""
    known = load_everyday_library()
    chosen = list(known.form.actions)
    slots: dict[str, str] = {}
    if for_ is not None:
        slots = {
            use.operator.action.verb: use.slot
            for use in iterate_operator_uses(_find_library_row(known, for_), known)
        }
        chosen = [action for action in chosen if action.do.split("(")[0] in slots]
    if domain is not None:
        domains = sorted({action.domain for action in known.form.actions})
        if domain not in domains:
            raise ConfigurationError(
                f"Unknown domain {domain}.{suggest_names(domain, domains)} The domains are {', '.join(domains)}."
            )
        chosen = [action for action in chosen if action.domain == domain]
    if as_json:
        _print_json([action.model_dump() for action in chosen])
        return DONE
    console = Console()
    table = create_table("domain", "operator", "what happens")
    for action in chosen:
        table.add_row(
            action.domain, escape_for_terminal(action.do), escape_for_terminal(_describe_operator(action))
        )
    console.print(table)
    console.print(f"{len(chosen)} operators" + (f" for {for_}" if for_ else "") + f" in {known}", style="dim")
    return DONE


def show_templates(name: str | None, *, as_json: bool) -> int:
    """Print one formula template with its parameters, range and source, or a list of all templates."""
    known = load_everyday_library()
    templates = known.templates.by_name
    if name is not None and name not in templates:
        raise ConfigurationError(
            f"The library has no template {name}.{suggest_names(name, templates)} `im show template` lists all templates."
        )
    chosen = [templates[name]] if name is not None else list(templates.values())
    if as_json:
        _print_json([each.form.model_dump() for each in chosen])
        return DONE
    console = Console()
    if name is None:
        table = create_table("domain", "call", "gives", "about")
        for each in chosen:
            table.add_row(
                each.form.domain,
                escape_for_terminal(each.form.call),
                escape_for_terminal(each.form.gives),
                escape_for_terminal(each.form.about),
            )
        console.print(table)
        return DONE
    form = chosen[0].form
    console.print(f"[bold]{escape_for_terminal(form.call)}[/] gives \\[{escape_for_terminal(form.gives)}]")
    console.print(escape_for_terminal(form.about))
    console.print(f"  = {escape_for_terminal(form.formula)}", highlight=False)
    for line in form.valid:
        console.print(f"  where {escape_for_terminal(line)}", highlight=False)
    if form.example:
        console.print(
            f"  for example {escape_for_terminal(', '.join(f'{key} = {value}' for key, value in form.example.items()))}",
            highlight=False,
        )
    console.print(f"source: {escape_for_terminal(_format_source(form.source))}")
    return DONE


def _find_library_row(known: Library, name: str) -> LibraryRow:
    row = known.rows.get(name.strip().lower().replace(" ", "_").replace("-", "_"))
    if row is None:
        raise ConfigurationError(f"The library has no object {name}.{suggest_names(name, known.rows)}")
    return row


def _describe_operator(action: LibraryAction) -> str:
    when = "; ".join(line.partition("=")[2].strip() for line in action.when)
    return f"{action.about or action.do}\nwhen {when}\nthen {'; '.join(action.then)}\ntakes {action.takes}"


def _format_source(source: str) -> str:
    """Return the bibliographic entry for a source key, or the source unchanged if the key is unknown."""
    key, _, place = source.partition(",")
    work = load_figure_sources().get(key.strip())
    if work is None:
        return source
    return f"{work.authors} ({work.year}), {work.title}{',' if place else ''}{place}"


def _format_counts_by_name(found: Counter[str]) -> str:
    return ", ".join(f"{name or 'other'} {count}" for name, count in sorted(found.items()))


def _print_json(data: object) -> None:
    json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")
