"""Mistakes in the form of a document: all at once, each with its place and the likely right name."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.blueprints.catalogue import build_catalogue
from impossible_moments.errors import ConfigurationError

BAD = """
format: im-skin/1
blueprint: plain
name: bare
place: nowhere
voices: none
titles: [Bare]
record: {}
options: {tools: {take: 1, off: []}}
variants: {only: {tire: SPARK}}
"""


def test_all_mistakes_of_a_file_are_reported_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(BAD, encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        build_catalogue([path])
    text = str(raised.value)
    assert text.startswith("bad.yaml is not a valid skin:\n")
    assert "at /voice, `voice` is missing." in text
    assert "at /voices, `voices` is not a field here. Did you mean `voice`?" in text
    assert "at /options/tools/off, `off` is not a field here. Did you mean `of`?" in text
    assert "at /variants/only/tire, `tire` is not a field here. Did you mean `tier`?" in text


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "variants: {only: }",
            "at /variants/only, nothing stands where a map of fields belongs: write it as in `only: {}`.",
        ),
        (
            "variants: [only]",
            "a list stands where a map of names to values belongs: write it as in `variants: {one_way: {}}`.",
        ),
        (
            "titles: Bare",
            "a text stands where a list belongs: write it as in `titles: [Second Reel, The Last Showing]`.",
        ),
        (
            "draws: {sill: [2, 3]}",
            "at /draws/sill, a list stands where a text belongs: write it as in `sill: ",
        ),
        ("options: {tools: {take: 1, of: [lamp]}}", "where a map of fields belongs: write it as in `- {}`."),
    ],
)
def test_a_value_of_the_wrong_type_is_answered_with_an_example(
    tmp_path: Path, line: str, sentence: str
) -> None:
    path = tmp_path / "bad.yaml"
    usual = {"titles": "titles: [Bare]", "variants": "variants: {only: {}}"}
    lines = [each for name, each in usual.items() if not line.startswith(name)]
    head = "format: im-skin/1\nblueprint: plain\nname: bare\nplace: nowhere\nvoice: none\n"
    path.write_text(head + "\n".join([*lines, line]), encoding="utf-8")
    with pytest.raises(ConfigurationError) as raised:
        build_catalogue([path])
    assert sentence in str(raised.value)
