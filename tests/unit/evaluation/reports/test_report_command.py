"""`im report`: what it prints and writes, and what it refuses in one sentence."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from impossible_moments.cli.actions.report import read_results, report_results
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.results import Results
from support.sample_results import build_many_results, build_results, build_scenario


def written(path: Path, made: Results) -> Path:
    path.write_text(made.model_dump_json(), encoding="utf-8")
    return path


@pytest.fixture
def one(tmp_path: Path) -> Path:
    return written(tmp_path / "one.json", build_many_results(40))


def changed(path: Path, change: dict[str, Any], *, scenario_at: int | None = 0) -> Path:
    """The file with some fields of a scenario, or of the whole, replaced."""
    data = json.loads(path.read_text(encoding="utf-8"))
    (data if scenario_at is None else data["scenarios"][scenario_at]).update(change)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_one_file_is_reported_on_the_terminal_as_html_and_as_markdown(
    one: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    html, markdown = tmp_path / "one.html", tmp_path / "one.md"

    assert report_results([one], html=html, markdown=markdown, as_json=False) == 0
    shown = capsys.readouterr()
    assert "Report card" in shown.out
    assert "Wrote " in shown.err
    assert html.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert markdown.read_text(encoding="utf-8").startswith("# Impossible Moments")


def test_the_same_file_gives_the_same_bytes(one: Path, tmp_path: Path) -> None:
    pages = [tmp_path / "a.html", tmp_path / "b.html"]
    for page in pages:
        report_results([one], html=page, markdown=None, as_json=True)

    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_json_is_one_document_and_nothing_else(one: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report_results([one], html=None, markdown=None, as_json=True) == 0
    data = json.loads(capsys.readouterr().out)

    assert data["im_score"]["value"] == pytest.approx(build_many_results(40).im_score)
    assert data["im_score"]["low"] <= data["im_score"]["value"] <= data["im_score"]["high"]
    assert len(data["categories"]) == 12


def test_several_files_are_a_leaderboard(
    one: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = written(tmp_path / "other.json", build_many_results(40, skill=0.4, seed=2, model="maker:strong"))

    assert report_results([one, other], html=tmp_path / "x.html", markdown=None, as_json=True) == 0
    data = json.loads(capsys.readouterr().out)["leaderboard"]
    assert [each["model"] for each in data] == ["maker:strong", "maker:model"]
    assert data[0]["behind"] is None
    assert data[1]["behind"]["difference"]["value"] > 0


def test_two_files_of_one_model_are_told_apart_by_their_names(
    one: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report_results(
        [one, written(tmp_path / "two.json", build_many_results(40, seed=2))],
        html=None,
        markdown=None,
        as_json=True,
    )
    names = {each["model"] for each in json.loads(capsys.readouterr().out)["leaderboard"]}

    assert names == {f"maker:model ({tmp_path / name})" for name in ("one.json", "two.json")}


def test_words_of_others_do_nothing_to_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "[red]\x1b]0;owned\x07[/red] [link=http://evil.example]x[/link] \u202e"
    made = build_results(
        build_scenario("a", [90, None], title=text, tier="IMPOSSIBLE"), model=text, cost=text
    )
    report_results([written(tmp_path / "x.json", made)], html=None, markdown=None, as_json=False)
    shown = capsys.readouterr().out

    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown
    assert "[red]\\x1b]0;owned" in shown


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is not a result file"),
        (b"\xff\xfe\x00", "is not a result file"),
        (b"[1, 2]", "is not a result file"),
        (b'{"model": "m"}', "at scenarios"),
        (b'{"model": "m", "scenarios": [], "extra\\u001b": 1}', "at extra\\x1b"),
        (b'{"model": "m", "scenarios": [], "version": "9"}', "unknown result version 9"),
    ],
)
def test_a_file_that_is_no_result_gets_one_sentence(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    with pytest.raises(ConfigurationError) as refused:
        read_results(path)

    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tier": "EASY"}, "has an unknown tier: EASY. Known values are SPARK"),
        ({"category": "The Attic"}, "has an unknown category: The Attic"),
        ({"status": "??"}, "has an unknown status: ??"),
        ({"scenario_id": "IM-0001"}, "occurs twice"),
        ({"predicted": 250}, "has the prediction 250"),
        ({"runs": [{"number": 1, "state": "scored", "score": float("nan")}]}, "has the score nan in run 1"),
        ({"runs": [{"number": 1, "state": "scored", "score": -3}]}, "A score must be between 0 and 110"),
    ],
)
def test_a_scenario_that_breaks_a_rule_is_named(one: Path, change: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match="scenario") as refused:
        read_results(changed(one, change))

    assert words in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(ConfigurationError, match="Cannot read"):
            report_results([path], html=None, markdown=None, as_json=False)
    with pytest.raises(ConfigurationError, match="No result file was named"):
        report_results([], html=None, markdown=None, as_json=False)


def test_a_report_never_overwrites_what_it_reads(one: Path) -> None:
    before = one.read_bytes()
    with pytest.raises(ConfigurationError, match="is an input file"):
        report_results([one], html=one.parent / "." / one.name, markdown=None, as_json=False)

    assert one.read_bytes() == before


def test_bad_places_for_the_report_are_refused_before_anything_is_written(one: Path, tmp_path: Path) -> None:
    for html, markdown in (
        (tmp_path / "x.html", tmp_path / "no folder" / "x.md"),
        (tmp_path, None),
        (tmp_path / "x.html", tmp_path / "x.html"),
    ):
        with pytest.raises(ConfigurationError):
            report_results([one], html=html, markdown=markdown, as_json=False)
    assert not (tmp_path / "x.html").exists()


@pytest.mark.slow
def test_2500_runs_are_reported_in_a_fair_multiple_of_250(tmp_path: Path) -> None:
    def cost(path: Path) -> float:
        began = time.process_time()
        report_results([path], html=tmp_path / "x.html", markdown=tmp_path / "x.md", as_json=True)
        return time.process_time() - began

    small, large = (
        written(tmp_path / "s.json", build_many_results(50)),
        written(tmp_path / "l.json", build_many_results(500)),
    )
    cost(small)  # what is loaded once is not counted
    assert min(cost(large) for _ in range(2)) < max(60 * min(cost(small) for _ in range(3)), 5.0)
