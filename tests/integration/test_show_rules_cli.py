"""`im show`: the rules as they are in force, and what was published."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.agents.orchestrator.context.isolation_matrix import ISOLATION_MATRIX
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES
from impossible_moments.cli.actions.rules import PROTOCOLS
from impossible_moments.cli.commands.show import SolutionStatusOption
from impossible_moments.cli.main import app, main
from impossible_moments.domain.vocabulary import STATUSES, TIERS, Phase
from support.played_scenarios import make_obliging_player, run_scenario

run = CliRunner()
VETO = """\
stateDiagram-v2
    [*] --> RAISED
    RAISED --> DOWNGRADED: INVALID
"""


@pytest.fixture(scope="module")
def scenarios(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scenarios")
    run_scenario(folder, make_obliging_player())
    return folder


def test_the_matrix_has_every_content_of_the_code() -> None:
    result = run.invoke(app, ["show", "matrix"])

    assert result.exit_code == 0
    assert all(str(content).split()[0] in result.stdout for content in ISOLATION_MATRIX)


def test_the_matrix_as_json_is_the_code_s() -> None:
    cells = json.loads(run.invoke(app, ["show", "matrix", "--json"]).stdout)

    assert {
        (content, phase): frozenset(readers)
        for content, row in cells.items()
        for phase, readers in row.items()
    } == {(content, phase): cell for content, row in ISOLATION_MATRIX.items() for phase, cell in row.items()}


def test_the_gates_as_json_have_every_criterion_of_the_code() -> None:
    gates = json.loads(run.invoke(app, ["show", "gates", "--json"]).stdout)

    assert {phase: [row["name"] for row in gate["criteria"]] for phase, gate in gates.items()} == {
        phase: [row.name for row in gate.criteria] for phase, gate in PHASE_GATES.items()
    }


def test_a_criterion_says_what_it_means_for_a_status() -> None:
    gates = json.loads(run.invoke(app, ["show", "gates", "seed", "--json"]).stdout)
    sketch = next(row for row in gates["SEED"]["criteria"] if row["name"] == "Solution sketch present")

    assert sketch["statuses"]["PX"] == "replaced by the impossibility proof"


def test_one_gate_is_shown_alone() -> None:
    result = run.invoke(app, ["show", "gates", "GROUND"])

    assert "GROUND, 3 attempts" in result.stdout
    assert "SEED" not in result.stdout


def test_the_tiers_are_shown_from_the_easiest_to_the_hardest() -> None:
    shown = run.invoke(app, ["show", "tiers"]).stdout

    places = [shown.index(tier) for tier in TIERS]
    assert places == sorted(places)


def test_a_protocol_is_a_mermaid_diagram() -> None:
    assert run.invoke(app, ["show", "protocol", "veto"]).stdout.startswith(VETO)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_protocol_as_json_ends_where_nothing_leads_on(name: str) -> None:
    data = json.loads(run.invoke(app, ["show", "protocol", name, "--json"]).stdout)

    assert set(data["terminal"]).isdisjoint(each["from"] for each in data["transitions"])


def test_a_published_scenario_is_shown_as_it_stands(scenarios: Path) -> None:
    result = run.invoke(app, ["show", "scenario", "IM-0001", "--output", str(scenarios)])

    assert result.stdout == (scenarios / "public" / "IM-0001.md").read_text(encoding="utf-8")


def test_a_published_scenario_as_json_is_read_into_its_parts(scenarios: Path) -> None:
    result = run.invoke(app, ["show", "scenario", "IM-0001", "--output", str(scenarios), "--json"])

    assert json.loads(result.stdout)["title"] == "The Blast Room"


def test_a_trace_is_shown_as_it_stands(scenarios: Path) -> None:
    result = run.invoke(app, ["show", "trace", "IM-0001", "--output", str(scenarios)])

    assert result.stdout.startswith("# METHODOLOGY TRACE: IM-0001")


def test_a_prompt_names_what_its_agent_may_read() -> None:
    result = run.invoke(app, ["show", "prompt", "socrates", "classify", "--json"])

    assert json.loads(result.stdout)["assignment"]["context"] == {
        "may_read": ["Classification", "SOCRATES confidence", "Scenario narrative"]
    }


def test_a_phase_with_several_tasks_says_which_there_are() -> None:
    result = run.invoke(app, ["show", "prompt", "NEWTON", "REFINE"])

    assert "memo, votes, physics, feasibility" in result.stderr


def test_a_task_is_chosen_by_its_topic() -> None:
    result = run.invoke(app, ["show", "prompt", "NEWTON", "REFINE", "--topic", "votes"])

    assert "YOUR TASK:\nVote on the scenario as it stands." in result.stdout


def test_the_statuses_of_the_option_are_the_vocabulary_s() -> None:
    assert tuple(SolutionStatusOption) == STATUSES


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["gates", "REVIEW"], f"The phases are {', '.join(Phase)}"),
        (["protocol", "tea"], "The protocols are challenge, veto, escalation, breakthrough"),
        (["scenario", "IM-0009"], "IM-0009 is not published in scenarios"),
        (["scenario", "../../etc/passwd"], "is not a scenario ID"),
        (["prompt", "DARWIN", "SEED"], "The agents are ATHENA, GALILEO, EULER, NEWTON, SOCRATES"),
        (["prompt", "NEWTON", "SEED"], "NEWTON is asked nothing in SEED"),
    ],
)
def test_what_does_not_exist_is_answered_with_a_sentence_and_status_2(
    arguments: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["im", "show", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    assert (stop.value.code, sentence in capsys.readouterr().err) == (2, True)
