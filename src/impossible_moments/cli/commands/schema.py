"""`im schema`: write the JSON Schemas of the record and of the deliverables."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from impossible_moments.errors import ConfigurationError

schema_app = typer.Typer(
    help="JSON Schemas of the mechanics record and of the agents' deliverables.", no_args_is_help=True
)


@schema_app.command("export")
def export_schemas(
    folder: Annotated[Path, typer.Argument(help="Folder to write to. Created if it does not exist.")],
) -> None:
    """Write the JSON Schemas of the record, of its strict form for models, and of each deliverable."""
    from impossible_moments.library import load_everyday_library
    from impossible_moments.mechanics.records import measure_tool_schema

    try:
        for name, text in _render_schema_files().items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            typer.echo(f"Wrote {path}")
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot write to {folder}: {problem.strerror or problem}. Choose a folder you may write to."
        ) from None
    sizes = measure_tool_schema(load_everyday_library())
    typer.echo(f"Tool schema: {', '.join(f'{name} {value}' for name, value in sizes.items())}")


def _render_schema_files() -> dict[str, str]:
    """Return the text of every schema by its file name."""
    from impossible_moments.agents import load_earlier_schemas, render_schemas
    from impossible_moments.library import load_everyday_library
    from impossible_moments.mechanics.records import build_record_schema, build_tool_schema
    from impossible_moments.mechanics.uncertain import build_uncertain_schema

    return {
        "mechanics.schema.json": _format_schema(build_record_schema()),
        "uncertain.schema.json": _format_schema(build_uncertain_schema()),
        "mechanics.tool.json": _format_schema(build_tool_schema(load_everyday_library())),
        **load_earlier_schemas(),
        **render_schemas(),
    }


def _format_schema(schema: object) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
