"""Reads the specification's tables, which are transcribed by hand into `tables/` and never generated from code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("tables")
_BAR: Final = re.compile(r"(?<!\\)\|")


def table(name: str) -> list[dict[str, str]]:
    """The rows of the first table of `tables/NAME.md`, each by column; bold print is dropped."""
    lines = (FOLDER / f"{name}.md").read_text(encoding="utf-8").splitlines()
    rows = [_cells(line) for line in lines if line.startswith("|")]
    header, _rule, *body = rows
    return [dict(zip(header, row, strict=True)) for row in body]


def _cells(line: str) -> list[str]:
    return [
        cell.strip().replace("**", "").replace(r"\|", "|") for cell in _BAR.split(line.strip().strip("|"))
    ]
