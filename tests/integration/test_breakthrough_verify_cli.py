"""`im breakthroughs verify`: a confirmed candidate changes the registry and is listed; no document is changed."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli.actions.breakthroughs.breakthrough_verification import (
    Verification,
    record_verification,
)
from impossible_moments.cli.main import app
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.breakthroughs.candidates import CandidateStanding, compute_candidate_name
from impossible_moments.evaluation.breakthroughs.event_log import BreakthroughLog
from impossible_moments.scenarios import ScenarioRegistry
from support.breakthrough_answers import OPEN, build_open_answer
from support.breakthrough_folder import (
    CANDIDATE,
    MODEL,
    VERIFY,
    BreakthroughFolder,
    build_vote_arguments,
    get_candidate_name,
)

pytestmark = pytest.mark.slow  # the passing answer is found by a search of seconds


@pytest.fixture
def desk(tmp_path: Path) -> BreakthroughFolder:
    return BreakthroughFolder.create(tmp_path).confirm_candidate()


def changelog(desk: BreakthroughFolder) -> str:
    return (desk.folder / "CHANGELOG.md").read_text(encoding="utf-8")


def test_a_confirmed_candidate_turns_the_registry_to_ks_and_changes_no_document(
    desk: BreakthroughFolder,
) -> None:
    before = desk.files
    earlier = ScenarioRegistry(desk.folder).entries[OPEN]
    result = desk.run_command(*VERIFY)
    assert result.exit_code == 0
    changed = {path for path, content in desk.files.items() if before.get(path) != content}
    log = desk.folder / "breakthroughs"
    assert {path for path in changed if not path.name.startswith(".")} == {
        desk.folder / "CHANGELOG.md",
        desk.folder / "registry.json",
        log / "events.jsonl",
        log / f"{get_candidate_name()}.md",
    }
    entry = ScenarioRegistry(desk.folder).entries[OPEN]
    assert (earlier.status, entry.status) == ("OF", "KS")
    assert entry.tier != "IMPOSSIBLE"
    (verification,) = entry.verifications
    assert (verification.candidate, verification.by) == (get_candidate_name(), ("third expert",))
    assert entry.comparable_copy == earlier.comparable_copy
    assert f"- {OPEN} " in changelog(desk)
    assert "changed from OF to KS" in changelog(desk)
    assert f"{get_candidate_name()} by maker:{MODEL}" in changelog(desk)
    assert (
        BreakthroughLog(desk.folder).get_candidate(get_candidate_name()).standing
        is CandidateStanding.VERIFIED
    )
    assert "still state OF" in result.stdout


def test_a_refuted_candidate_leaves_the_scenario_open(desk: BreakthroughFolder) -> None:
    refuted = ["refuted" if each == "confirmed" else each for each in VERIFY]
    assert desk.run_command(*refuted).exit_code == 0
    candidate = BreakthroughLog(desk.folder).get_candidate(get_candidate_name())
    assert candidate.standing is CandidateStanding.REFUTED
    assert ScenarioRegistry(desk.folder).entries[OPEN].status == "OF"
    assert not (desk.folder / "CHANGELOG.md").exists()
    with pytest.raises(ConfigurationError, match="is in the state `refuted by verification`"):
        desk.run_command(*VERIFY)


def test_a_breakthrough_of_the_agents_is_verified_under_the_name_of_its_scenario(tmp_path: Path) -> None:
    desk = BreakthroughFolder.create(tmp_path)
    arguments = [OPEN if each == CANDIDATE else each for each in VERIFY]
    with pytest.raises(ConfigurationError, match="has no breakthrough candidate in the registry"):
        desk.run_command(*arguments)
    ScenarioRegistry(desk.folder).change_entry(OPEN, breakthrough_candidate=True)
    assert desk.run_command(*arguments).exit_code == 0
    assert ScenarioRegistry(desk.folder).entries[OPEN].status == "KS"
    assert changelog(desk).count(f"- {OPEN} ") == 1
    with pytest.raises(ConfigurationError, match="already confirmed"):
        desk.run_command(*arguments)


def test_the_next_step_is_a_command_that_the_program_takes(desk: BreakthroughFolder) -> None:
    _, create, _ = json.loads(desk.run_command(*VERIFY, "--json").stdout)["next"]
    command = shlex.split(create)
    given = dict(zip(command[2::2], command[3::2], strict=True))
    assert command[:2] == ["im", "create"]
    assert given["--solution-status"] == "KS"
    assert Path(given["--output"]) == desk.folder
    named = ["local:x@http://127.0.0.1:9" if each == "MODEL" else each for each in command[1:]]
    result = CliRunner().invoke(app, [*named, "--dry-run"], catch_exceptions=False)
    assert result.exit_code == 0, result.output


def test_no_ks_is_asked_for_at_the_tier_of_what_is_impossible(tmp_path: Path) -> None:
    desk = BreakthroughFolder.create(tmp_path)
    document = desk.folder / "public" / f"{OPEN}.md"
    text = document.read_text(encoding="utf-8")
    hardest = re.sub(r"(?m)^\*\*Difficulty\*\*: \w+", "**Difficulty**: IMPOSSIBLE", text)
    document.write_text(hardest, encoding="utf-8")
    _, create, _ = json.loads(desk.confirm_candidate().run_command(*VERIFY, "--json").stdout)["next"]
    assert "--difficulty-tier SINGULARITY" in create


def test_a_verification_that_died_after_the_changelog_is_finished_by_running_again(
    desk: BreakthroughFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(BreakthroughLog, "add", dies)
        given = Verification(tier="B", result="confirmed", by=("one",), reason="A simulation.")
        with pytest.raises(KeyboardInterrupt):
            record_verification(get_candidate_name(), desk.folder, given, as_json=False)
    assert desk.run_command(*VERIFY).exit_code == 0
    assert changelog(desk).count(get_candidate_name()) == 1


def test_a_second_way_is_a_further_one(desk: BreakthroughFolder) -> None:
    desk.run_command(*VERIFY)
    other = build_open_answer("Breed moths whose wings fold the light away.")
    second = compute_candidate_name(OPEN, other)
    desk.run_command("collect", desk.write_results(other), "--unjudged")
    for expert in ("first expert", "second expert"):
        desk.run_command(*build_vote_arguments(expert, name=second))
    desk.run_command(*[second if each == CANDIDATE else each for each in VERIFY])
    assert changelog(desk).count("from OF to KS") == 1
    assert (
        f"a further solution is verified; changed from KS to KS-Multiple. Breakthrough {second}"
        in changelog(desk)
    )


def test_four_are_no_consensus(desk: BreakthroughFolder) -> None:
    experts = [part for name in ("one", "two", "three", "four") for part in ("--by", name)]
    by_consensus = [
        "verify",
        CANDIDATE,
        "--tier",
        "D",
        "--result",
        "confirmed",
        "--reason",
        "We agree.",
        *experts,
    ]
    with pytest.raises(ConfigurationError, match="needs at least 5"):
        desk.run_command(*by_consensus)
    assert not (desk.folder / "CHANGELOG.md").exists()
    assert desk.run_command(*by_consensus, "--by", "five").exit_code == 0


def test_a_rejected_candidate_is_not_verified(tmp_path: Path) -> None:
    desk = BreakthroughFolder.create(tmp_path).collect_candidate()
    for expert in ("first expert", "second expert"):
        desk.run_command(*build_vote_arguments(expert, "testable"))
    with pytest.raises(ConfigurationError, match="is in the state `rejected`"):
        desk.run_command(*VERIFY)
