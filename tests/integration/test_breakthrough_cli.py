"""`im breakthroughs`: from a model's answer behind a provider, past judges, to a panel of experts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.actions.breakthroughs import breakthroughs
from impossible_moments.cli.commands.breakthroughs import breakthroughs_app
from impossible_moments.cli.main import app
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm.consultation_tasks import HAND_IN
from support.breakthrough_folder import (
    CANDIDATE,
    MODEL,
    VERIFY,
    BreakthroughFolder,
    build_passing_answer,
    build_vote_arguments,
    get_candidate_name,
)
from support.judge_scripts import build_verdict
from support.model_conversations import SECRET
from support.providers.conversation import Call, Question, Reply
from support.providers.server import Server, serve_provider

pytestmark = pytest.mark.slow  # the passing answer is found by a search of seconds

QUOTE = "tame bacteria that mends itself"


@pytest.fixture
def empty(tmp_path: Path) -> BreakthroughFolder:
    return BreakthroughFolder.create(tmp_path)


@pytest.fixture
def waiting(empty: BreakthroughFolder) -> BreakthroughFolder:
    return empty.collect_candidate()


# from a model to the log


def brain(points: float) -> Callable[[Question], Reply]:
    """A model that answers, and judges who all give the same."""

    def answer(question: Question) -> Reply:
        if question.model.startswith("judge"):
            return Reply(calls=(Call(HAND_IN, build_verdict("OF", (points,) * 3, QUOTE)),))
        return Reply(text=build_passing_answer())

    return answer


def evaluated(server: Server, desk: BreakthroughFolder, results: Path) -> None:
    models = [f"openai:{name}@{server.openai_url}" for name in (MODEL, "judge-1", "judge-2")]
    result = CliRunner().invoke(
        app,
        [
            "eval", "--model", models[0], "--judge", models[1], "--judge", models[2], "--runs", "2",
            "--scenarios", str(desk.folder), "--output", str(results),
        ],
        catch_exceptions=False,
    )  # fmt: skip
    assert result.exit_code == 0, result.output


def test_an_answer_goes_from_a_model_past_judges_into_the_log(
    empty: BreakthroughFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with serve_provider(brain(9)) as server:
        evaluated(server, empty, tmp_path / "r.json")
    data = json.loads(empty.run_command("collect", tmp_path / "r.json", "--json").stdout)
    assert data["collected"] == [get_candidate_name()]
    (shown,) = json.loads(empty.run_command("list", "--json").stdout)
    assert shown["stages"]["plausibility"].startswith(
        "above the threshold on all: Plausibility: 9; Novelty: 9.5"
    )
    assert MODEL not in json.dumps(shown)


def test_an_answer_that_judges_find_wanting_is_not_collected(
    empty: BreakthroughFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with serve_provider(brain(7)) as server:
        evaluated(server, empty, tmp_path / "r.json")
    data = json.loads(empty.run_command("collect", tmp_path / "r.json", "--unjudged", "--json").stdout)
    assert (data["collected"], data["below"]) == ([], 2)


def test_without_judges_it_is_said_how_to_go_on(empty: BreakthroughFolder) -> None:
    shown = empty.run_command("collect", empty.write_results()).stdout
    assert "New candidates: 0" in shown
    assert "--unjudged includes them): 1" in shown


def test_collecting_twice_changes_no_byte(waiting: BreakthroughFolder) -> None:
    before = waiting.files
    assert (
        "already in the log: 1"
        in waiting.run_command("collect", waiting.write_results(), "--unjudged").stdout
    )
    assert waiting.files == before


def test_the_public_folder_leads_to_the_same_log(waiting: BreakthroughFolder) -> None:
    result = CliRunner().invoke(
        breakthroughs_app,
        ["list", "--json", "--scenarios", str(waiting.folder / "public")],
        catch_exceptions=False,
    )
    assert [each["candidate"] for each in json.loads(result.stdout)] == [get_candidate_name()]


# what experts see


def test_a_page_is_written_that_equals_what_is_shown(waiting: BreakthroughFolder) -> None:
    assert waiting.run_command("show", CANDIDATE).stdout == waiting.page
    assert "\n`````text\nLet me think.\n````\n# Verified\n" in waiting.page
    assert f"im breakthroughs review {get_candidate_name()}" in waiting.page


def test_nothing_that_experts_are_shown_names_the_model_before_the_panel_decides(
    waiting: BreakthroughFolder,
) -> None:
    assert waiting.run_command(*build_vote_arguments("first expert", reason="Entropy falls.")).exit_code == 3
    commands = (["list"], ["list", "--json"], ["show", CANDIDATE, "--json"])
    for text in (waiting.page, *(waiting.run_command(*each).stdout for each in commands)):
        assert get_candidate_name() in text
        assert MODEL not in text
        assert "Entropy" not in text


@pytest.mark.parametrize(
    ("no", "standing"), [((), "candidate confirmed by panel"), (("valid",), "rejected")], ids=["yes", "no"]
)
def test_two_votes_decide_and_then_everything_is_told(
    waiting: BreakthroughFolder, no: tuple[str, ...], standing: str
) -> None:
    assert (
        waiting.run_command(*build_vote_arguments("first expert", *no, reason="One reason.")).exit_code == 3
    )
    result = waiting.run_command(*build_vote_arguments("second expert", *no, reason="Another reason."))
    assert result.exit_code == 0
    for part in (standing, "One reason.", "Another reason.", MODEL):
        assert part in result.stdout
    assert MODEL in waiting.page
    assert f"**{standing}**" in waiting.page


def test_open_candidates_are_one_line_for_the_other_list(waiting: BreakthroughFolder, tmp_path: Path) -> None:
    line = breakthroughs.describe_undecided_candidates(waiting.folder)
    assert line.startswith(
        "1 breakthrough candidate awaiting expert review: see `im breakthroughs list --scenarios "
    )
    assert breakthroughs.describe_undecided_candidates(tmp_path / "elsewhere") == ""
    for expert in ("first expert", "second expert"):
        waiting.run_command(*build_vote_arguments(expert))
    assert breakthroughs.describe_undecided_candidates(waiting.folder) == ""


# what the user must mend

REFUSED: dict[str, tuple[list[str], str]] = {
    "no candidate": (["show", "IM-0001"], "is not a breakthrough candidate in"),
    "no candidate to vote on": (
        ["review", "../x", *build_vote_arguments("a")[2:]],
        "is not a breakthrough candidate in",
    ),
    "no candidate to verify": (["verify", "x", *VERIFY[2:]], "is not a breakthrough candidate in"),
    "the same expert": (build_vote_arguments("FIRST  expert"), "an expert votes only once"),
    "no reason": (build_vote_arguments("second expert", reason=" "), "--reason has 0 characters"),
    "no name": (build_vote_arguments("\u200b"), "printable characters"),
    "not confirmed": (VERIFY, "only a candidate confirmed by the panel"),
    "no file": (["collect", "nowhere.json"], "Cannot read"),
}


@pytest.mark.parametrize(("arguments", "told"), REFUSED.values(), ids=REFUSED)
def test_what_breaks_a_rule_is_one_sentence_and_changes_nothing(
    arguments: list[str], told: str, waiting: BreakthroughFolder
) -> None:
    waiting.run_command(*build_vote_arguments("first expert"))
    before = waiting.files
    with pytest.raises(ConfigurationError, match=told) as problem:
        waiting.run_command(*arguments)
    assert "\n" not in str(problem.value)
    assert str(problem.value).endswith(".")
    assert waiting.files == before


def test_a_file_about_other_scenarios_makes_no_log(empty: BreakthroughFolder) -> None:
    with pytest.raises(ConfigurationError, match="is not a scenario of"):
        empty.run_command("collect", empty.write_results(scenario="IM-9999"))
    assert not (empty.folder / "breakthroughs").exists()


def test_looking_makes_no_folder(empty: BreakthroughFolder) -> None:
    assert "contains no candidates" in " ".join(empty.run_command("list").stdout.split())
    assert json.loads(empty.run_command("list", "--json").stdout) == []
    assert not (empty.folder / "breakthroughs").exists()
