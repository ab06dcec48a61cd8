"""`im schema`: the published form of the record."""

from __future__ import annotations

import json
from pathlib import Path

import typer

from impossible_moments.errors import ConfigurationError
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.mechanics.schema import record_schema, schema_report, tool_schema


def export(folder: Path) -> None:
    """Write both schemas and say how large they are."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, schema in (
            ("mechanics.schema.json", record_schema()),
            ("mechanics.tool.json", tool_schema(everyday())),
        ):
            (folder / name).write_text(
                json.dumps(schema, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
            )
            typer.echo(f"wrote {folder / name}")
    except OSError as problem:
        raise ConfigurationError(
            f"cannot write to {folder}: {problem.strerror or problem}. Choose a folder you may write to."
        ) from None
    sizes = ", ".join(f"{name} {value}" for name, value in schema_report(everyday()).items())
    typer.echo(f"tool schema: {sizes}")
