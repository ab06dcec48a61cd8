"""`im create --twin-of`: a pair made by the whole pipeline, evaluated and reported."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.exit_status import BRIEF_NOT_KEPT, DONE
from impossible_moments.cli.main import app, main
from impossible_moments.evaluation.exports.export_files import KEYS, ExportKind, ExportOptions, build_export
from impossible_moments.evaluation.results import Results
from impossible_moments.scenarios.registry import ScenarioRegistry

pytestmark = pytest.mark.slow  # two scenarios are made

run = CliRunner()
FIRST, TWIN = "IM-0001", "IM-0002"
ROOM = ("--category", "The Ticking Trade", "--solution-status", "PX", "--difficulty-tier", "SPARK")
SEEDS = range(12)


def im(*arguments: str | Path) -> str:
    result = run.invoke(app, list(map(str, arguments)), catch_exceptions=False)
    # a draw may be of another tier than requested
    assert result.exit_code in {DONE, BRIEF_NOT_KEPT}, result.output
    return result.stdout


def refusal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str | Path
) -> str:
    monkeypatch.setattr("sys.argv", ["im", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    return capsys.readouterr().err


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an impossible scenario of a skin that tells a solvable one too."""
    for seed in SEEDS:
        folder = tmp_path_factory.mktemp("scenarios")
        im("create", *ROOM, "--seed", str(seed), "--output", folder)
        record = json.loads((folder / f"evaluation/{FIRST}_mechanics.json").read_text(encoding="utf-8"))
        if any(thing["label"] == "the headman's word" for thing in record["things"]):
            return folder
    pytest.fail("no seed draws the bridge")


@pytest.fixture(scope="module")
def folder(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its twin."""
    copy = tmp_path_factory.mktemp("pairs") / "scenarios"
    shutil.copytree(first, copy)
    im("create", "--twin-of", FIRST, "--output", copy)
    return copy


def public(folder: Path, name: str) -> str:
    return (folder / "public" / f"{name}.md").read_text(encoding="utf-8")


def test_both_name_each_other_in_the_registry(folder: Path) -> None:
    entries = ScenarioRegistry(folder).entries

    assert {name: each.twin for name, each in entries.items()} == {FIRST: TWIN, TWIN: FIRST}
    assert {each.status for each in entries.values()} == {"PX", "KS"}


def test_no_public_document_tells_that_there_is_a_twin(first: Path, folder: Path) -> None:
    assert public(first, FIRST) == public(folder, FIRST)
    assert FIRST not in public(folder, TWIN)
    assert "twin" not in public(folder, TWIN).lower()
    assert public(folder, FIRST).splitlines()[0][10:] != public(folder, TWIN).splitlines()[0][10:]


def test_what_a_solver_reads_differs_in_figures_alone(folder: Path) -> None:
    texts = [
        public(folder, name).partition("## Scenario")[2].partition("## Why This Looks Impossible")[0]
        for name in (FIRST, TWIN)
    ]

    assert texts[0] != texts[1]
    assert len({re.sub(r"\d+(?:\.\d+)?", "#", text) for text in texts}) == 1


def test_the_same_twin_comes_of_the_same_sibling(first: Path, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(first, tmp_path / "again")
    im("create", "--twin-of", FIRST, "--output", tmp_path / "again")

    assert public(tmp_path / "again", TWIN) == public(folder, TWIN)


def test_an_older_registry_finds_the_seed_in_the_ledger(first: Path, tmp_path: Path) -> None:
    copy = tmp_path / "older"
    shutil.copytree(first, copy)
    data = json.loads((copy / "registry.json").read_text(encoding="utf-8"))
    for each in data["scenarios"]:
        del each["seed"], each["twin"]
    (copy / "registry.json").write_text(json.dumps(data), encoding="utf-8")

    assert f"twin of {FIRST} (recorded in the registry, not in public documents)" in im(
        "create", "--twin-of", FIRST, "--output", copy
    )


def test_going_on_with_the_folder_changes_nothing(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    run.invoke(app, ["resume", "--output", str(copy)])

    assert (copy / "registry.json").read_bytes() == (folder / "registry.json").read_bytes()


def test_the_audit_knows_that_twins_are_meant_to_be_alike(folder: Path, tmp_path: Path) -> None:
    def told(where: Path) -> int:
        result = run.invoke(app, ["audit", str(where), "--json"])
        return result.stdout.count("duplicate.near")

    shutil.copytree(folder / "public", tmp_path / "alone" / "public")

    assert told(folder / "public") == 0
    assert told(tmp_path / "alone" / "public") > 0


def test_the_results_name_the_pair_and_the_report_counts_it(folder: Path, tmp_path: Path) -> None:
    for name in ("solver", "quitter"):
        output = tmp_path / f"{name}.json"
        im("eval", "--model", f"builtin:{name}", "--scenarios", folder, "--runs", "1", "--output", output)
    solver = Results.model_validate_json((tmp_path / "solver.json").read_text(encoding="utf-8"))
    shown = [json.loads(im("report", tmp_path / f"{name}.json", "--json")) for name in ("solver", "quitter")]

    assert {each.scenario_id: each.twin for each in solver.scenarios} == {FIRST: TWIN, TWIN: FIRST}
    assert [each["twins"]["pairs"] for each in shown] == [1, 1]
    assert shown[0]["twins"]["joint_score"] > 0
    assert shown[1]["twins"]["joint_score"] == 0
    assert "a model that always" in " ".join(im("report", tmp_path / "solver.json").split())


def test_only_the_keys_of_an_export_name_the_twin(folder: Path) -> None:
    files = build_export(ExportKind.JSONL, folder, ExportOptions(keys=True, status=True)).files
    keys = [json.loads(line) for line in files[KEYS].decode().splitlines()]

    assert {row["id"]: row["twin"] for row in keys} == {FIRST: TWIN, TWIN: FIRST}
    assert b"twin" not in files["scenarios.jsonl"]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--twin-of", FIRST), f"{FIRST} already has a twin, {TWIN}"),
        (("--twin-of", "IM-0099"), "IM-0099 is not published in"),
        (("--twin-of", FIRST, "--seed", "3", "--constraint", "no rope"), "Remove --seed, --constraint."),
        (("--twin-of", FIRST, "--solution-status", "KS"), "Remove --solution-status."),
        (("--twin-of", FIRST, "--model", "openai:gpt-4o"), "--twin-of needs the built-in designer"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_what_cannot_be_is_one_sentence(
    folder: Path,
    more: tuple[str, ...],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = refusal(monkeypatch, capsys, "create", *more, "--output", folder)

    assert sentence in told
    assert len(told.strip().splitlines()) == 1


def test_a_contested_scenario_has_no_contrary(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "contested"
    shutil.copytree(first, copy)
    text = (copy / "registry.json").read_text(encoding="utf-8").replace('"status": "PX"', '"status": "CT"')
    (copy / "registry.json").write_text(text, encoding="utf-8")

    told = refusal(monkeypatch, capsys, "create", "--twin-of", FIRST, "--output", copy)

    assert f"{FIRST} is CT, which has no contrary" in told
