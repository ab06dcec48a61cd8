"""The excerpts in the guide to traces are those of a real run.

`python -m architecture.test_reading_traces` in the folder `tests` writes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from support.disputed_runs import get_trace

GUIDE: Final = Path(__file__).parents[2] / "docs/reading_traces.md"
EXCERPT: Final = re.compile(r"<!-- excerpt: (.+?) -->\n(.*?)\n<!-- end -->", re.DOTALL)


def read_log(heading: str) -> str:
    return get_trace().partition(f"\n## {heading}\n")[2].partition("\n## ")[0].strip()


def read_athena_disputes() -> str:
    own = get_trace().partition("### AGENT TRACE: ATHENA\n")[2].partition("#### 6.")[0]
    return "#### 4." + own.partition("#### 4.")[2].rstrip()


def read_socrates_lines() -> str:
    own = get_trace().partition("### SOCRATES (Philosophy)\n")[2].partition("\n## ")[0]
    return "\n".join(line for line in own.splitlines() if "lassification" in line)


READERS: Final[dict[str, Callable[[], str]]] = {
    "Disagreement Log": lambda: read_log("Disagreement Log"),
    "ATHENA": read_athena_disputes,
    "SOCRATES": read_socrates_lines,
    "Confidence Heatmap": lambda: read_log("Confidence Heatmap"),
}


def format_excerpt(name: str) -> str:
    """Indent an excerpt, so that its headings are no headings of the guide."""
    return "\n".join(f"    {line}".rstrip() for line in f"\n{READERS[name]()}\n".split("\n"))


@pytest.mark.parametrize("name", READERS)
def test_an_excerpt_is_that_of_the_run(name: str) -> None:
    assert dict(EXCERPT.findall(GUIDE.read_text(encoding="utf-8")))[name] == format_excerpt(name)


def test_the_guide_follows_the_order_of_the_specification() -> None:
    headings = re.findall(r"^## (\d)\. (.+)$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    words = ("disagreement", "blind", "heatmap", "NEWTON", "GALILEO")
    assert [number for number, _ in headings] == ["1", "2", "3", "4", "5"]
    assert all(word in title for word, (_, title) in zip(words, headings, strict=True))


def write_excerpts() -> None:
    """Write the excerpts of the run into the guide."""
    text = GUIDE.read_text(encoding="utf-8")
    written = EXCERPT.sub(
        lambda found: f"<!-- excerpt: {found[1]} -->\n{format_excerpt(found[1])}\n<!-- end -->", text
    )
    GUIDE.write_text(written, encoding="utf-8")


if __name__ == "__main__":
    write_excerpts()
