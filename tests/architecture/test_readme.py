"""What README.md shows of the command line is what the commands print.

An excerpt stands between two comments:

    <!-- output: im verify examples/blast_room.yaml -->
    a fenced block with everything that the command prints
    <!-- end output -->
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
EXCERPT = re.compile(
    r"^<!-- output: (.+?) -->\n+```\w*\n(.*?)^```\n+<!-- end output -->$", re.DOTALL | re.MULTILINE
)
MARK = re.compile(r"^<!-- output:", re.MULTILINE)
FEWEST = 1


def read_excerpts(text: str) -> list[tuple[str, str]]:
    """The commands of a page with the output that it shows for each."""
    return EXCERPT.findall(text)


def printed(command: str, folder: Path) -> str:
    """What a command prints on a terminal without colours, 100 columns wide."""
    for path in ROOT.iterdir():
        if not path.name.startswith("."):
            (folder / path.name).symlink_to(path)  # the command reads the project and writes elsewhere
    keys = {name for name in os.environ if name.endswith("_API_KEY")}
    environment = {name: value for name, value in os.environ.items() if name not in keys} | {
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
    }
    run = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return run.stdout


def trimmed(text: str) -> list[str]:
    """The lines without spaces at their ends and without empty lines before and after."""
    return [line.rstrip() for line in text.strip().splitlines()]


def test_the_page_shows_outputs_and_each_is_found() -> None:
    text = README.read_text(encoding="utf-8")

    assert len(read_excerpts(text)) >= FEWEST, "README.md shows no output of a command"
    assert len(read_excerpts(text)) == len(MARK.findall(text)), (
        "an excerpt is not closed or has no fenced block"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", [command for command, _ in read_excerpts(README.read_text(encoding="utf-8"))]
)
def test_a_command_prints_what_the_page_shows(command: str, tmp_path: Path) -> None:
    (shown,) = [text for each, text in read_excerpts(README.read_text(encoding="utf-8")) if each == command]

    assert trimmed(shown) == trimmed(printed(command, tmp_path)), f"README.md is out of date: run `{command}`"


def test_an_excerpt_is_read_with_its_command() -> None:
    page = "a\n<!-- output: im x --y -->\n```text\none\n\ntwo\n```\n<!-- end output -->\nb\n"

    assert read_excerpts(page) == [("im x --y", "one\n\ntwo\n")]
    assert read_excerpts(page.replace("<!-- end output -->", "")) == []
