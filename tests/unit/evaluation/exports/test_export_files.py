"""Exports: whole, the same each time, and silent about the answers; and the environment they score with."""

from __future__ import annotations

import importlib.util
import json
import math
import re
import shutil
import sys
import tomllib
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from impossible_moments.cli.actions.export import export_scenario_folder
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.environment import Environment
from impossible_moments.evaluation.exports.export_files import (
    KEYS,
    Export,
    ExportKind,
    ExportOptions,
    build_export,
    build_rows,
    write_export,
)
from impossible_moments.evaluation.runs.baselines import answer_by_search, answer_impossible
from impossible_moments.evaluation.scoring import compute_reward, score_answer
from impossible_moments.library.everyday_library import load_everyday_library
from support.sample_scenarios import CONTESTED, IMPOSSIBLE, SIMPLE, SOLVABLE, create_benchmark

pytestmark = pytest.mark.slow  # the four scenarios take seconds to make

ROOT = Path(__file__).parents[4]
PLAIN = ExportOptions()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return create_benchmark(tmp_path_factory.mktemp("scenarios"))


@pytest.fixture
def environment(folder: Path) -> Environment:
    return Environment(folder)


def read_lines(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.decode().splitlines()]


def without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)


def hf(folder: Path, options: ExportOptions = PLAIN) -> Export:
    return build_export(ExportKind.HF, folder, options)


def loaded(folder: Path) -> ModuleType:
    """The module `utils.py` of an export, as the harness loads it."""
    spec = importlib.util.spec_from_file_location("utils", folder / "utils.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# What a model sees


def test_a_prompt_tells_neither_status_nor_tier_nor_outcome_nor_traps(environment: Environment) -> None:
    for row in build_rows(environment, ExportOptions(status=True)):
        scenario = environment.scenarios[row["id"]]
        hidden = [scenario.tier, scenario.profile, scenario.correct_outcome, scenario.canary, scenario.title]
        hidden += [scenario.sections["Common Wrong Answers"], scenario.sections["Why This Looks Impossible"]]

        assert [each for each in hidden if each in row["prompt"]] == []
        assert not re.search(rf"\b{scenario.status}\b", row["prompt"])


@pytest.mark.parametrize("kind", [ExportKind.JSONL, ExportKind.HF, ExportKind.LM_EVAL])
def test_nothing_of_the_answers_is_in_an_export_unless_it_is_asked_for(
    folder: Path, kind: ExportKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_pyarrow(monkeypatch)
    whole = b"".join(build_export(kind, folder, PLAIN).files.values()).decode()

    environment = Environment(folder)
    for name, scenario in environment.scenarios.items():
        insights = [each.text for each in environment.load_key(name).insights]
        assert insights
        assert [each for each in (scenario.correct_outcome, *insights) if each in whole] == []
    assert '"status":' not in whole
    assert '"mechanics":' not in whole


def test_status_is_told_beside_the_prompt_when_it_is_asked_for(environment: Environment) -> None:
    assert all("status" not in row for row in build_rows(environment, PLAIN))
    assert [row["status"] for row in build_rows(environment, ExportOptions(status=True))] == [
        "KS",
        "DG",
        "CT",
        "PX",
    ]


# Files


@pytest.mark.parametrize("kind", list(ExportKind))
def test_an_export_is_the_same_bytes_each_time(folder: Path, kind: ExportKind) -> None:
    assert build_export(kind, folder, PLAIN) == build_export(kind, folder, PLAIN)


def test_every_scenario_is_a_line_with_its_canary(folder: Path) -> None:
    (content,) = build_export(ExportKind.JSONL, folder, PLAIN).files.values()
    found = read_lines(content)

    assert [row["id"] for row in found] == [SOLVABLE, SIMPLE, CONTESTED, IMPOSSIBLE]
    assert len({row["canary"] for row in found}) == 4
    assert all(row["canary"].startswith("im-canary-") for row in found)


def test_exported_keys_score_as_the_published_ones_do(folder: Path, environment: Environment) -> None:
    found = read_lines(build_export(ExportKind.JSONL, folder, ExportOptions(keys=True)).files[KEYS])

    for row in found:
        key = AnswerKey.from_record(row["id"], row["mechanics"], load_everyday_library())
        answer = answer_by_search(environment.scenarios[row["id"]])
        assert score_answer(answer, key) == environment.score_answer(row["id"], answer)


def test_keys_of_an_earlier_export_are_not_left_lying_in_a_later_one(folder: Path, tmp_path: Path) -> None:
    write_export(build_export(ExportKind.JSONL, folder, ExportOptions(keys=True)).files, tmp_path)

    with pytest.raises(ConfigurationError, match=r"contains keys\.jsonl, which is not part of this export"):
        write_export(build_export(ExportKind.JSONL, folder, PLAIN).files, tmp_path)


def test_an_export_may_be_written_again_and_into_a_cloned_repository(folder: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("", encoding="utf-8")
    files = build_export(ExportKind.JSONL, folder, PLAIN).files

    write_export(files, tmp_path)
    write_export(files, tmp_path)

    assert (tmp_path / "scenarios.jsonl").read_bytes() == files["scenarios.jsonl"]


# Hugging Face


def test_without_pyarrow_the_data_are_lines_and_a_sentence_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_pyarrow(monkeypatch)
    made = hf(folder)

    assert "data/test.jsonl" in made.files
    assert any("pyarrow is not installed" in each for each in made.messages)


def test_with_pyarrow_the_data_are_parquet_and_hold_the_same_rows(
    folder: Path, environment: Environment, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    write_export(hf(folder).files, tmp_path)

    assert parquet.read_table(tmp_path / "data" / "test.parquet").to_pylist() == build_rows(
        environment, PLAIN
    )


def test_the_card_has_a_header_whose_split_is_a_file_of_the_folder(folder: Path) -> None:
    files = hf(folder).files
    _, header, body = files["README.md"].decode().split("---\n", 2)
    told = yaml.safe_load(header)

    assert told["license"] == "apache-2.0"
    assert told["size_categories"] == ["n<1K"]
    (split,) = told["configs"][0]["data_files"]
    assert split["split"] == "test"
    assert split["path"] in files
    assert re.search(r"Canary: im-canary-[0-9a-f]{8}-[0-9a-f]{12}\*", body)
    for heading in ("How it was made", "Intended use", "Limits", "Licence"):
        assert f"## {heading}\n" in body


def test_the_croissant_has_every_required_field_and_the_hash_of_the_data(folder: Path) -> None:
    files = hf(folder).files
    told = json.loads(files["croissant.json"])
    (data,) = told["distribution"]

    # Croissant 1.0, required of a data set
    required = "@context @type conformsTo name description license url creator datePublished".split()
    assert [each for each in required if not told.get(each)] == []
    assert told["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert data["sha256"] == sha256(files[data["contentUrl"]]).hexdigest()
    (records,) = told["recordSet"]
    assert [each["name"] for each in records["field"]] == list(build_rows(Environment(folder), PLAIN)[0])
    assert all(each["source"]["fileObject"]["@id"] == data["@id"] for each in records["field"])


def test_the_day_of_publication_is_asked_for_where_no_registry_tells_it(folder: Path, tmp_path: Path) -> None:
    for part in ("public", "evaluation"):
        shutil.copytree(folder / part, tmp_path / part)

    with pytest.raises(ConfigurationError, match="--published 2026-01-31"):
        hf(tmp_path)
    made = hf(tmp_path, ExportOptions(published="2026-02-03"))
    assert json.loads(made.files["croissant.json"])["datePublished"] == "2026-02-03"


# lm-evaluation-harness


def test_the_harness_scores_by_the_reward_and_counts_what_has_no_score(
    folder: Path, environment: Environment, tmp_path: Path
) -> None:
    write_export(build_export(ExportKind.LM_EVAL, folder, PLAIN).files, tmp_path)
    utils = loaded(tmp_path)

    for name, scenario in environment.scenarios.items():
        answer = answer_by_search(scenario)
        found = utils.process_results({"id": name}, [answer])
        assert found == {"reward": environment.reward(name, answer), "unscored": 0.0}
        assert found["reward"] > 0
        silent = utils.process_results({"id": name}, [""])
        assert math.isnan(silent["reward"])
        assert silent["unscored"] == 1.0


def test_the_task_names_functions_that_are_there_and_shows_the_prompt_alone(
    folder: Path, tmp_path: Path
) -> None:
    write_export(build_export(ExportKind.LM_EVAL, folder, PLAIN).files, tmp_path)

    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda _, node: f"!{node.value}")
    told = yaml.load((tmp_path / "impossible_moments.yaml").read_text(encoding="utf-8"), Loader)  # noqa: S506 - a safe one

    for field in ("custom_dataset", "process_results"):
        module, _, function = told[field].partition(".")
        assert module == "!utils"
        assert callable(getattr(loaded(tmp_path), function))
    assert told["doc_to_text"] == "{{prompt}}"
    assert told["generation_kwargs"]["until"] == []


def test_scenarios_that_were_moved_are_found_by_a_variable(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_export(build_export(ExportKind.LM_EVAL, folder, PLAIN).files, tmp_path)
    monkeypatch.setenv("IMPOSSIBLE_MOMENTS_SCENARIOS", str(tmp_path / "gone"))

    with pytest.raises(ConfigurationError, match=r"No such folder: .*gone"):
        loaded(tmp_path).process_results({"id": SOLVABLE}, ["{}"])


# The environment


def test_a_reward_is_the_score_of_the_answer_in_any_order(environment: Environment) -> None:
    answers = {
        name: (answer_by_search(each), answer_impossible(each), "")
        for name, each in environment.scenarios.items()
    }
    first = {name: [environment.reward(name, each) for each in given] for name, given in answers.items()}
    again = {
        name: [environment.reward(name, each) for each in given] for name, given in reversed(answers.items())
    }
    expected = {
        name: [
            compute_reward(each, AnswerKey.load(environment.rubrics, name, load_everyday_library()))
            for each in given
        ]
        for name, given in answers.items()
    }

    assert first == again == expected
    assert first[SOLVABLE] == [1.0, 0.0, None]
    rewards = [each for each in first[IMPOSSIBLE] if each is not None]
    assert 0 < rewards[1] < rewards[0] <= 1


def test_a_key_is_read_once(folder: Path, tmp_path: Path) -> None:
    for part in ("public", "evaluation"):
        shutil.copytree(folder / part, tmp_path / part)
    environment = Environment(tmp_path)
    answer = answer_by_search(environment.scenarios[SOLVABLE])
    before = environment.reward(SOLVABLE, answer)
    shutil.rmtree(tmp_path / "evaluation")

    assert environment.reward(SOLVABLE, answer) == before == 1.0


def test_a_folder_of_public_documents_finds_the_keys_beside_it(folder: Path) -> None:
    environment = Environment(folder / "public")

    assert environment.reward(SOLVABLE, answer_by_search(environment.scenarios[SOLVABLE])) == 1.0
    assert environment.get_document_path(SOLVABLE) == folder / "public" / "IM-0001.md"


def remove_wording(folder: Path, scenario_id: str) -> None:
    path = folder / "evaluation" / f"{scenario_id}_mechanics.json"
    record = json.loads(path.read_text(encoding="utf-8"))
    del record["wording"]
    path.write_text(json.dumps(record), encoding="utf-8")


def test_a_contested_scenario_is_executable_if_its_record_has_wording(
    environment: Environment,
) -> None:
    assert environment.executable == (SOLVABLE, SIMPLE, CONTESTED, IMPOSSIBLE)
    for name in environment.executable:
        answer = answer_by_search(environment.scenarios[name])
        assert environment.score_answer(name, answer).score is not None


def test_a_scenario_without_wording_is_not_offered_for_training(folder: Path, tmp_path: Path) -> None:
    environment = Environment(shutil.copytree(folder, tmp_path / "scenarios"))
    remove_wording(tmp_path / "scenarios", CONTESTED)

    assert environment.executable == (SOLVABLE, SIMPLE, IMPOSSIBLE)
    scored = environment.score_answer(CONTESTED, answer_by_search(environment.scenarios[CONTESTED]))
    assert (scored.state, scored.score, scored.components) == ("unscored", None, None)
    assert "add the section" in scored.note
    assert environment.reward(CONTESTED, "{}") is None
    assert environment.reward(SOLVABLE, answer_by_search(environment.scenarios[SOLVABLE])) == 1.0


def test_a_strange_scenario_is_one_sentence(environment: Environment) -> None:
    with pytest.raises(
        ConfigurationError, match=r"'IM-9999' is not a scenario of .*, which contains 4, IM-0001 to IM-0004"
    ):
        environment.reward("IM-9999", "{}")


# The command


def test_the_command_writes_and_says_what(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export_scenario_folder("jsonl", folder, tmp_path / "out", as_json=True) == 0
    told = json.loads(capsys.readouterr().out)

    assert told["files"] == [str(tmp_path / "out" / "scenarios.jsonl")]
    assert len(read_lines((tmp_path / "out" / "scenarios.jsonl").read_bytes())) == 4


def test_inspect_needs_no_files_and_is_told_how_to_run(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert export_scenario_folder("inspect", folder, tmp_path / "out") == 0

    assert "inspect eval impossible_moments/moments -T scenarios=" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", ["csv", ""])
def test_an_unknown_kind_is_one_sentence(folder: Path, tmp_path: Path, kind: str) -> None:
    with pytest.raises(
        ConfigurationError, match=r"is not an export format\. The formats are hf, inspect, lm-eval, jsonl"
    ):
        export_scenario_folder(kind, folder, tmp_path)


def test_an_export_into_the_folder_of_the_scenarios_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigurationError, match="which contains the answer keys"):
        export_scenario_folder("jsonl", folder, folder / "public")


def test_a_folder_without_scenarios_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="contains no public documents"):
        export_scenario_folder("jsonl", tmp_path, tmp_path / "out")


def test_an_output_that_is_a_file_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine", encoding="utf-8")

    with pytest.raises(ConfigurationError, match="is a file; name a folder"):
        export_scenario_folder("jsonl", folder, tmp_path / "out")
    assert (tmp_path / "out").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("kind", ["inspect", "lm-eval"])
def test_keys_go_only_where_they_are_a_file_of_their_own(folder: Path, tmp_path: Path, kind: str) -> None:
    with pytest.raises(ConfigurationError, match="use jsonl or hf"):
        export_scenario_folder(kind, folder, tmp_path / "out", options=ExportOptions(keys=True))


def test_inspect_finds_the_task_by_its_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert project["entry-points"]["inspect_ai"] == {
        "impossible_moments": "impossible_moments.evaluation.task"
    }
