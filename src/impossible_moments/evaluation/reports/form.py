"""What a report consists of, before it is rendered: plain text in sections, tables and figures.

No text here carries markup. Whatever renders it escapes all of it, ours and others'.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.evaluation.resampling import Estimate

NOTHING: Final = "—"
_SHORTEST_CUT: Final = 2


@dataclass(frozen=True)
class Column:
    """The head of a column; numbers stand to the right."""

    head: str
    number: bool = False


@dataclass(frozen=True)
class Table:
    """Rows under heads, and the sentence that stands where there are none."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    otherwise: str = "There is none."


@dataclass(frozen=True)
class Radar:
    """Series over the same axes, 0 to 100; a value that does not exist is None."""

    title: str
    axes: tuple[str, ...]
    series: tuple[tuple[str, tuple[float | None, ...]], ...]


@dataclass(frozen=True)
class Whiskers:
    """Named figures with their bars on one scale from 0 to 100."""

    title: str
    rows: tuple[tuple[str, Estimate], ...]


Figure = Radar | Whiskers


@dataclass(frozen=True)
class Section:
    """A part of a report."""

    title: str
    paragraphs: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """A whole report, in the order it is read."""

    title: str
    summary: str
    sections: tuple[Section, ...]


def columns(*heads: str) -> tuple[Column, ...]:
    """Columns from their heads; a head that begins with `#` is that of numbers."""
    return tuple(Column(head.removeprefix("#"), head.startswith("#")) for head in heads)


def quoted(text: str, longest: int = 120) -> str:
    """A text of others on one line: what prints nothing is written out, what is too long is cut."""
    if longest < _SHORTEST_CUT:
        raise ValueError(f"a text cannot be cut to {longest} characters; at least {_SHORTEST_CUT} are needed")
    # cut first: a text of megabytes costs no more than a short one
    line = " ".join(text[: 4 * longest].split())
    seen = visible(line)
    return seen if len(seen) <= longest else f"{seen[: longest - 1].rstrip()}…"


def visible(text: str) -> str:
    """The text with every character that prints nothing written out. Renderers do this too, whatever reaches them."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


def score(value: float | None) -> str:
    """A figure of 0 to 100."""
    return NOTHING if value is None else f"{value:.1f}"


def share(value: float | None) -> str:
    """A figure of 0 to 1, in percent."""
    return NOTHING if value is None else f"{value:.0%}".replace("%", " %")


def signed(value: float | None) -> str:
    """A difference, with its sign."""
    return NOTHING if value is None else f"{value:+.1f}".replace("-", "−")


def with_bar(found: Estimate, form: str = "score") -> str:
    """A figure and its bar; a figure alone where there is no bar."""
    shown = {"score": score, "share": share, "signed": signed}[form]
    if found.low is None or found.high is None:
        return shown(found.value)
    return f"{shown(found.value)} ({shown(found.low)} to {shown(found.high)})"


def chance(p: float | None) -> str:
    """A p value; a very small one as a bound."""
    if p is None:
        return NOTHING
    return "below 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - three places are printed
