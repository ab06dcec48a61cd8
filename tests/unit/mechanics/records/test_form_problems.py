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
