"""Small pieces of inline SVG: escaped text, and how wide a text will be at most."""

from __future__ import annotations

import unicodedata
from html import escape
from typing import Final

from impossible_moments.evaluation.reports.form import visible

TEXT_SIZE: Final = 13
LINE: Final = 16
_NARROW: Final = 0.64
"""Widths of a letter over the text size, chosen on the wide side: boxes may be too large, never too small."""
_WIDE: Final = 1.05

INK: Final = "#1b1b1b"
QUIET: Final = "#5a5a5a"
RULE: Final = "#c9c9c9"
PAPER: Final = "#fff"
# fmt: off
SERIES: Final = (
    # on light    on dark    dashes
    ("#0b4f9e", "#7db4ff", ""),
    ("#b3440e", "#ff9d6b", "9 4"),
    ("#1f6e3a", "#7fd69b", "2 4"),
    ("#7a2d86", "#dc9be6", "12 4 2 4"),
    ("#7a5b00", "#e3c15a", "5 3"),
    ("#3d3d3d", "#d0d0d0", "1 3 7 3"),
)
# fmt: on
"""How series are told apart: by colour, and by dashes where there is none."""

# A drawing carries its light colours itself, so that it is readable without the page's style; the page restyles it.
_STYLES: Final = {
    "": "",
    "ring": f' class="ring" fill="none" stroke="{RULE}"',
    "ring-figure": f' class="ring-figure" fill="{QUIET}" font-size="11"',
    "quiet": f' class="quiet" fill="{QUIET}" font-size="11"',
    "whisker": ' stroke-width="2"',
    "hollow": f' class="hollow" fill="{PAPER}" stroke-width="2"',
}


def escaped(text: str) -> str:
    """A text that is only text, in HTML as in SVG."""
    return escape(visible(text))


def width_of(text: str, size: float = TEXT_SIZE) -> float:
    """An upper estimate of the width of a line of text."""
    return size * sum(_WIDE if unicodedata.east_asian_width(each) in "WF" else _NARROW for each in text)


def cut_to(text: str, width: float, size: float = TEXT_SIZE) -> str:
    """The text, cut to a width."""
    if width_of(text, size) <= width:
        return text
    while text and width_of(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def place(value: float) -> str:
    """A coordinate, short and the same on every machine."""
    return f"{round(value, 1) + 0.0:.1f}".removesuffix(".0")  # + 0.0: no minus nought


def words(text: str, x: float, y: float, *, anchor: str = "start", kind: str = "") -> str:
    """A line of text at a place."""
    return f'<text x="{place(x)}" y="{place(y)}" text-anchor="{anchor}"{styled(kind)}>{escaped(text)}</text>'


def styled(kind: str) -> str:
    """The attributes of one kind of element: `ring`, `whisker`, `series 2`, `mark 2` and the like."""
    name, _, number = kind.partition(" ")
    if name == "series":
        dashes = SERIES[int(number)][2]
        return ' fill="none" stroke-width="2.2"' + (f' stroke-dasharray="{dashes}"' if dashes else "")
    if name == "mark":
        return f' class="mark" fill="{SERIES[int(number)][0]}" stroke="none"'
    return _STYLES[kind]


def series_group(number: int, parts: str) -> str:
    """What belongs to one series, in its colour."""
    return f'<g class="s{number}" stroke="{SERIES[number][0]}">{parts}</g>'


def line(start: tuple[float, float], end: tuple[float, float], *, kind: str) -> str:
    """A straight line."""
    (x1, y1), (x2, y2) = start, end
    return f'<line x1="{place(x1)}" y1="{place(y1)}" x2="{place(x2)}" y2="{place(y2)}"{styled(kind)}/>'


def drawing(parts: list[str], *, width: float, height: float, title: str, description: str) -> str:
    """A whole drawing that also says in words what it shows."""
    return (
        f'<svg viewBox="0 0 {place(width)} {place(height)}" width="{place(width)}" height="{place(height)}" role="img" '
        f'font-family="system-ui, DejaVu Sans, sans-serif" font-size="{TEXT_SIZE}" fill="{INK}">'
        f"<title>{escaped(title)}</title><desc>{escaped(description)}</desc>{''.join(parts)}</svg>"
    )
