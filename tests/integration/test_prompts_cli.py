"""`im prompts`: versions, changes, and the test of a new prompt on completed scenarios, with a model behind a real server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.cli.main import app, main
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.llm.consultation_tasks import HAND_IN
from impossible_moments.scenarios import Scenario
from support.model_double import ROLE, SCENE, RecordedModel, record_scenarios
from support.providers.conversation import Brain, Call, Question, Reply
from support.providers.server import serve_provider

BRIEFS = (
    GenerationBrief(
        category="The Locked Room", solution_status="KS", difficulty_tier="FRACTURE", scenario_id="IM-0001"
    ),
    GenerationBrief(
        category="The Misdirection", solution_status="DG", difficulty_tier="SPARK", scenario_id="IM-0002"
    ),
)


def packaged_prompt() -> str:
    return load_configuration().prompts["EULER"]


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> tuple[RecordedModel, Path]:
    """Two completed scenarios in a folder, and a model that knows what was handed in."""
    folder = tmp_path_factory.mktemp("scenarios")
    understudy, results = record_scenarios(BRIEFS, folder)
    assert [result.state for result in results] == ["accepted", "accepted"]
    return understudy, folder


@pytest.fixture
def prompt(tmp_path: Path) -> Path:
    path = tmp_path / "euler_v1.1.md"
    path.write_text(
        packaged_prompt().replace("You verify quantities.", "You verify every quantity."), encoding="utf-8"
    )
    return path


def knowing(understudy: RecordedModel, change: Callable[[str, dict[str, Any]], Any] | None = None) -> Brain:
    """A brain that hands in what was recorded, changed if wanted; `change` is told the phase."""
    lines = RecordedModel()
    lines._lines = understudy._lines

    def brain(question: Question) -> Reply:
        user = question.messages[0].text
        line = json.loads(json.dumps(lines.find_recorded_answer(question.system, user)))
        if change is not None:
            change(SCENE.search(user)[1], line)  # type: ignore[index]
        return Reply(calls=(Call(HAND_IN, line),))

    return brain


def im(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["prompts", *arguments])


def sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command says about bad input."""
    monkeypatch.setattr("sys.argv", ["im", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert stop.value.code == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    return said[0]


def trial(folder: Path, prompt: Path, brain: Brain, *more: str, agent: str = "EULER") -> tuple[int, Any]:
    """The exit status and the JSON of a test on the two scenarios."""
    with serve_provider(brain) as server:
        result = im(
            *("test", agent, "--prompt", str(prompt), "--model", f"local:understudy@{server.openai_url}"),
            *("--output", str(folder), "--scenarios", "2", "--json", *more),
        )
    assert result.exit_code in {0, 5}, result.output
    return result.exit_code, json.loads(result.stdout)


def test_every_prompt_is_listed_with_its_version_and_size() -> None:
    rows = {row["agent"]: row for row in json.loads(im("list", "--json").stdout)}
    settings = load_configuration()

    assert {name: rows[name]["version"] for name in settings.roster} == dict(settings.prompt_versions)
    assert rows["ATHENA"]["tokens"] > rows["ATHENA"]["tokens_with_seeds_only"] > 0
    assert [name for name, row in rows.items() if row["tokens_with_seeds_only"]] == ["ATHENA"]
    assert not rows["DARWIN"]["enabled"]


def test_the_list_names_versions_whole_on_a_narrow_terminal() -> None:
    shown = im("list").stdout

    assert all(version in shown for version in load_configuration().prompt_versions.values())


def test_another_sentence_is_a_minor_change(prompt: Path) -> None:
    result = im("diff", "euler", "--prompt", str(prompt))

    assert result.exit_code == 0
    assert "+You verify every quantity." in result.stdout
    assert "changed  System Prompt: +1 -1 lines" in result.stdout
    assert "a minor refinement" in result.stdout
    assert "Version: euler_v1.1_" in result.stdout


def test_another_scope_is_a_major_change_and_the_name_follows(prompt: Path) -> None:
    prompt.write_text(packaged_prompt().replace("## Role\n", "## Role\nWrites poems.\n"), encoding="utf-8")
    data = json.loads(im("diff", "EULER", "--prompt", str(prompt), "--json").stdout)

    assert data["major"]
    assert data["by_convention"].startswith("euler_v2_")
    assert data["proposed"] == "euler_v1.1_" + data["by_convention"].removeprefix("euler_v2_")


def test_the_same_text_changes_nothing(prompt: Path) -> None:
    prompt.write_text(packaged_prompt(), encoding="utf-8")

    assert im("diff", "EULER", "--prompt", str(prompt)).stdout.startswith("The two texts are identical")


@pytest.mark.slow
def test_a_prompt_that_changes_no_outcome_may_be_deployed(
    rehearsal: tuple[RecordedModel, Path], prompt: Path
) -> None:
    understudy, folder = rehearsal
    systems: list[str] = []
    line_for = knowing(understudy)

    def brain(question: Question) -> Reply:
        systems.append(question.system)
        return line_for(question)

    status, data = trial(folder, prompt, brain)

    assert (status, data["changed"]) == (0, 0)
    assert data["verdict"] == "No change: the prompt may be deployed."
    assert {ROLE.search(each)[1] for each in systems} == {"EULER"}  # type: ignore[index]
    # votes and traces are asked for without the method of the role, and none with its old text
    assert sum("You verify every quantity." in each for each in systems) >= len(data["scenarios"])
    assert not any("You verify quantities." in each for each in systems)
    assert data["usage"]["asks"] == data["usage"]["requests"] == len(systems) >= 10
    assert [row["unrecorded"] for row in data["scenarios"]] == [[], []]
    first = next(row for row in data["scenarios"] if row["scenario"] == "IM-0001")
    assert first["new"] == first["recorded"]
    published = Scenario.load(folder / "public" / "IM-0001.md")
    assert (first["new"]["classification"], first["new"]["tier"]) == (published.status, published.tier)
    assert "(" in first["new"]["solution"][0]


@pytest.mark.slow
def test_an_agent_that_is_no_longer_sure_sends_scenarios_to_a_human(
    rehearsal: tuple[RecordedModel, Path], prompt: Path
) -> None:
    understudy, folder = rehearsal

    def unsure(phase: str, line: dict[str, Any]) -> None:
        if phase == "VALIDATE":
            line["confidence"] = 0.2

    status, data = trial(folder, prompt, knowing(understudy, unsure))

    assert (status, data["changed"]) == (5, 2)
    assert data["verdict"] == "2 of 2 scenarios would change: review before deployment."
    assert {row["new"]["state"] for row in data["scenarios"]} == {"awaiting human"}
    assert all(
        "a human would have to answer VALIDATE/HUMAN" in row["changes"][0] for row in data["scenarios"]
    )


def test_a_model_that_hands_in_nothing_readable_fails_and_says_so(
    rehearsal: tuple[RecordedModel, Path], prompt: Path
) -> None:
    status, data = trial(rehearsal[1], prompt, lambda _: Reply("I would rather not."))

    assert (status, data["changed"]) == (5, 2)
    assert all(row["changes"][0].startswith("failed: ") for row in data["scenarios"])


@pytest.mark.slow
def test_what_would_change_is_shown_to_people_too(
    rehearsal: tuple[RecordedModel, Path], prompt: Path
) -> None:
    with serve_provider(knowing(rehearsal[0])) as server:
        result = im(
            *("test", "EULER", "--prompt", str(prompt), "--model", f"local:understudy@{server.openai_url}"),
            *("--output", str(rehearsal[1]), "--scenarios", "2"),
        )

    assert result.exit_code == 0
    published = Scenario.load(rehearsal[1] / "public" / "IM-0001.md")
    assert f"classification: {published.status}\n" in result.stdout
    assert "Changes may be caused by the model as well as by the prompt" in result.stdout
    assert result.stdout.endswith("No change: the prompt may be deployed.\n")
    assert "the 2 newest scenarios" in result.stderr


@pytest.mark.slow
def test_too_few_scenarios_are_made_on_the_spot_and_it_is_said(
    rehearsal: tuple[RecordedModel, Path], prompt: Path
) -> None:
    with serve_provider(lambda _: Reply("No.")) as server:
        result = im(
            *("test", "EULER", "--prompt", str(prompt), "--model", f"local:understudy@{server.openai_url}"),
            *("--output", str(rehearsal[1]), "--scenarios", "3", "--json"),
        )

    assert "the built-in cast creates 3 temporary scenarios" in result.stderr
    assert len(json.loads(result.stdout)["scenarios"]) == 3


def test_a_limit_that_is_reached_leaves_no_verdict(
    rehearsal: tuple[RecordedModel, Path], prompt: Path, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.yaml"
    with serve_provider(knowing(rehearsal[0])) as server:
        model = f"local:understudy@{server.openai_url}"
        prices.write_text(f'"{model}": {{input: 10, output: 10}}', encoding="utf-8")
        result = im(
            *("test", "EULER", "--prompt", str(prompt), "--model", model, "--output", str(rehearsal[1])),
            *("--scenarios", "2", "--json", "--spending-limit", "0.3", "--prices", str(prices)),
        )

    data = json.loads(result.stdout)
    assert result.exit_code == 1
    assert "spending limit" in data["stopped"]
    assert "No verdict" in data["verdict"]
    assert 0 < float(data["usage"]["cost"]) <= 0.3


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["test", "nobody", "--prompt", "PROMPT"], "`nobody` is not an agent of the configuration"),
        (["diff", "nobody", "--prompt", "PROMPT"], "The agents are ATHENA, GALILEO"),
        (["diff", "EULER", "--prompt", "nowhere.md"], "No such file: nowhere.md"),
        (["diff", "EULER", "--prompt", "EMPTY"], "is empty"),
        (["test", "EULER", "--prompt", "EMPTY", "--model", "local:x"], "is empty"),
        (["diff", "EULER", "--prompt", "BYTES"], "UTF-8"),
        (["test", "EULER", "--prompt", "PROMPT"], "a program that does not read prompts"),
        (
            ["test", "EULER", "--prompt", "PROMPT", "--model", "NEWTON=local:x"],
            "a program that does not read prompts",
        ),
        (["test", "EULER", "--prompt", "PROMPT", "--model", "replay:x.json"], "is a recording"),
        (["test", "EULER", "--prompt", "PROMPT", "--model", "nothing"], "`nothing` is not a model reference"),
        (
            ["test", "EULER", "--prompt", "PROMPT", "--model", "local:x", "--output", "FOLDER"],
            "contains no ledger.sqlite",
        ),
    ],
)
def test_bad_input_is_one_sentence_and_status_2(
    arguments: list[str],
    part: str,
    prompt: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = prompt.parent
    (folder / "empty.md").write_text(" \n", encoding="utf-8")
    (folder / "bytes.md").write_bytes(b"\xff\xfe\x00")
    names = {"PROMPT": prompt, "EMPTY": folder / "empty.md", "BYTES": folder / "bytes.md", "FOLDER": folder}
    given = [str(names.get(each, each)) for each in arguments]

    assert part in sentence(monkeypatch, capsys, "prompts", *given)
