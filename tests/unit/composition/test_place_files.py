"""Tests of place files: the documented example, and mistakes that are reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from impossible_moments.composition import LEVEL_TARGETS, draw_from_place, load_place_file
from impossible_moments.errors import ConfigurationError

DOCUMENT = Path(__file__).parents[3] / "docs" / "composition.md"


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "boat_house.yaml"
    path.write_text(DOCUMENT.read_text().split("<!-- place -->\n```yaml\n")[1].split("```")[0])
    return path


@pytest.mark.parametrize("level", [1, 2, 3])
def test_documented_place_is_drawn_at_its_levels(example: Path, level: int) -> None:
    draw = draw_from_place(load_place_file(example), level, 0)
    assert draw.trial.status == "KS-Singular"
    assert not draw.trial.reasons


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("uses: {charge: 60..75}", "uses: {steam: 60..75}", "`steam`, which is not a stock"),
        ("  - name: lake", "  - name: water", "the name `water` is reserved"),
        ("takes: 4..6", "takes: 6..4", "not a range"),
        ("after: [chains]", "after: [ropes]", "`ropes`, which is not a stage"),
        ("machine: motor", "machine: mill", "`mill`, which is not a machine"),
    ],
)
def test_mistakes_are_named(example: Path, old: str, new: str, message: str) -> None:
    text = example.read_text()
    assert old in text
    example.write_text(text.replace(old, new, 1))
    with pytest.raises(ConfigurationError, match=message):
        load_place_file(example)


def test_documented_levels_are_those_of_the_program() -> None:
    table = DOCUMENT.read_text().split("<!-- levels -->\n")[1].split("\n\n")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    assert [row[:2] + row[4:] for row in rows] == [
        [
            str(each.level),
            f"{each.fewest_steps} to {each.most_steps}",
            str(each.fewest_binding),
            f"{each.fewest_states:,} to {each.most_states:,}",
        ]
        for each in LEVEL_TARGETS.values()
    ]
    cells = [[*row[2].split(" to "), row[3]] for row in rows]
    shares = [[float(cell.removesuffix(" %")) / 100 for cell in row] for row in cells]
    assert shares == [
        pytest.approx([each.least_chance, each.most_chance, each.most_greedy])
        for each in LEVEL_TARGETS.values()
    ]
