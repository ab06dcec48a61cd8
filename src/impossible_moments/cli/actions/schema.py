"""Implementation of `im schema export`: JSON Schemas of the record and of the deliverables."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from impossible_moments.agents import load_earlier_schemas, render_schemas
from impossible_moments.errors import ConfigurationError
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.records import build_record_schema, build_tool_schema, measure_tool_schema


def write_schema_files(folder: Path) -> None:
    """Write all schemas to a folder and print their paths and the size of the tool schema."""
    texts = {
        "mechanics.schema.json": _format_schema(build_record_schema()),
        "mechanics.tool.json": _format_schema(build_tool_schema(load_everyday_library())),
        **load_earlier_schemas(),
        **render_schemas(),
    }
    try:
        for name, text in texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            typer.echo(f"Wrote {path}")
    except OSError as problem:
        raise ConfigurationError(
            f"Cannot write to {folder}: {problem.strerror or problem}. Choose a folder you may write to."
        ) from None
    sizes = ", ".join(
        f"{name} {value}" for name, value in measure_tool_schema(load_everyday_library()).items()
    )
    typer.echo(f"Tool schema: {sizes}")


def _format_schema(schema: object) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
