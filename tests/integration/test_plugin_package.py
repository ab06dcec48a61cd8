"""A sixth agent by prompt, configuration and gate row, and not one line of the package changed (specification 8.3)."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from impossible_moments.agents.extensions import GROUP, load_extensions
from impossible_moments.agents.orchestrator.configuration import load_configuration
from impossible_moments.agents.orchestrator.consensus_engine import ConsensusLevel, tally_readiness_votes
from impossible_moments.agents.orchestrator.context.isolation_matrix import CONFIDENCES
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.orchestrator import create_scenario
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES
from impossible_moments.agents.scripted_players import Player, run_flow_with_player
from impossible_moments.domain.additional_agent_reports import FurtherReport, FurtherValidation
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.refinement import DesignVote, ReadinessVote, RefinementBallot, StatusVote
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA, ROLES, SOCRATES, Phase
from impossible_moments.errors import ConfigurationError
from support.canaries import CanaryPlanter, format_view
from support.dossiers import BRIEF, make_full_dossier
from support.six_agents import (
    CONFIG,
    MEMO,
    PLUGIN,
    TURING,
    build_rules,
    build_turing_deliverables,
    extend_with_plugin,
    make_six_agent_player,
    run_accepted_scenario,
    run_scenario,
)

ROOT: Final = Path(__file__).parents[2]
ROW: Final = "TURING_assessment_complete"
BEFORE_REFINE: Final = (Phase.SEED, Phase.VALIDATE, Phase.GROUND, Phase.CLASSIFY)


def test_a_run_with_six_agents_is_accepted() -> None:
    assert run_accepted_scenario().end.is_accepted, run_accepted_scenario().end.reason


def test_turing_is_asked_in_the_phases_of_its_entry_and_in_no_other() -> None:
    phases = [ask.assignment.phase for ask in run_accepted_scenario().list_asks_to(TURING)]

    assert list(dict.fromkeys(phases)) == [Phase.VALIDATE, Phase.CLASSIFY, Phase.REFINE, Phase.DOCUMENT]


def test_turing_hands_in_what_the_five_hand_in_and_a_report_of_its_own_before() -> None:
    handed_in = [
        type(each.deliverable)
        for each in run_accepted_scenario().end.dossier.entries
        if each.author == TURING
    ]

    # a ballot also holds votes on the status and the design, which the script leaves to the player
    scripted = {type(each) for each in build_turing_deliverables()}
    assert set(handed_in) == scripted | {StatusVote, DesignVote}


def test_the_gate_waits_for_turing_s_assessment() -> None:
    # the row is in the gate, and a roster without TURING cannot meet it
    end = run_scenario(make_six_agent_player(), config=None).end

    assert end.discarded_in is Phase.VALIDATE
    assert ROW in end.dossier.reviews[-1].reason


def test_the_row_stands_after_those_of_the_specification() -> None:
    with extend_with_plugin():
        names = [row.name for row in PHASE_GATES["VALIDATE"]["criteria"]]

    assert names[-1] == ROW


def test_the_row_is_appended_word_for_word() -> None:
    words = (PLUGIN / "turing_agent/gates.py").read_text(encoding="utf-8")

    assert (
        'PHASE_GATES["VALIDATE"]["criteria"].append({\n'
        '    "name": f"{new_agent_name}_assessment_complete",\n'
        '    "check": lambda deliverables: new_agent_name in deliverables,\n'
        '    "required": True\n'
        "})"
    ) in words


def test_the_prompt_has_the_sections_of_the_specification() -> None:
    prompt = load_configuration(CONFIG).prompts[TURING]

    assert [line for line in prompt.splitlines() if line.startswith("#")] == [
        "# TURING System Prompt",
        "## Role",
        "## Cognitive Model",
        "## Primary Outputs",
        "## Evaluation Criteria",
        "## What This Agent Does NOT Do",
        "## System Prompt",
    ]


def test_the_configuration_is_the_packaged_one_but_for_turing() -> None:
    mine, packaged = load_configuration(CONFIG), load_configuration()

    assert {name: entry for name, entry in mine.roster.items() if name != TURING} == packaged.roster
    assert (mine.gates, mine.limits) == (packaged.gates, packaged.limits)


# What TURING reads


def planted() -> tuple[Dossier, dict[str, frozenset[ContentLabel]]]:
    """The dossier of a run with a canary in every field of its seed, and the labels of each canary."""
    seed, leaves = CanaryPlanter(Random(1)).plant(SeedDocument)  # noqa: S311 - the same document each time
    dossier = Dossier.create_for_brief(BRIEF).add_deliverable(Phase.SEED, ATHENA, seed)
    return dossier, {leaf.canary: leaf.labels for leaf in leaves if leaf.canary}


@pytest.mark.parametrize("phase", [Phase.VALIDATE, Phase.CLASSIFY])
def test_turing_reads_the_narrative_and_nothing_of_the_solution(phase: Phase) -> None:
    dossier, canaries = planted()
    text = format_view(build_rules().desk.policy.build_view(dossier, TURING, phase))

    assert {label for canary, labels in canaries.items() if canary in text for label in labels} == {
        ContentLabel.NARRATIVE
    }


@pytest.mark.parametrize("phase", BEFORE_REFINE)
def test_turing_reads_nobody_s_confidence_before_refine(phase: Phase) -> None:
    assert not build_rules().desk.policy.list_visible_contents(TURING, phase) & CONFIDENCES


def test_what_turing_was_given_before_refine_holds_no_section_but_the_seed() -> None:
    early = [
        ask for ask in run_accepted_scenario().list_asks_to(TURING) if ask.assignment.phase in BEFORE_REFINE
    ]

    assert [[section["document"] for section in ask.assignment.context["sections"]] for ask in early] == [
        ["SeedDocument"],
        ["SeedDocument"],
    ]


def test_nobody_reads_turing_s_reports_before_refine() -> None:
    words = [each.text for each in build_turing_deliverables() if isinstance(each, FurtherReport)]
    early = [
        ask
        for ask in run_accepted_scenario().asks
        if ask.agent != TURING and ask.assignment.phase in BEFORE_REFINE
    ]

    assert [ask.key for ask in early for word in words if word in json.dumps(ask.assignment.context)] == []


@pytest.mark.parametrize("role", ROLES)
def test_each_of_the_five_reads_turing_s_reports_in_refine(role: str) -> None:
    memo = next(
        ask for ask in run_accepted_scenario().list_asks_to(role) if ask.key == f"REFINE/{role}/memo/1"
    )
    text = json.dumps(memo.assignment.context)

    assert all(each.text in text for each in build_turing_deliverables() if isinstance(each, FurtherReport))


@pytest.mark.parametrize("phase", [Phase.VALIDATE, Phase.GROUND, Phase.REFINE])
def test_a_further_agent_s_own_earlier_work_does_not_unblind_it_in_classify(phase: Phase) -> None:
    report = FurtherReport(text="The table is a step.", confidence=0.7)
    dossier = make_full_dossier(Phase.GROUND).add_deliverable(phase, TURING, report)

    view = build_rules().desk.policy.build_view(dossier, TURING, Phase.CLASSIFY)

    assert "The table is a step." not in format_view(view)


def test_a_further_agent_reads_its_own_earlier_work_elsewhere() -> None:
    report = FurtherReport(text="The table is a step.", confidence=0.7)
    dossier = make_full_dossier(Phase.GROUND).add_deliverable(Phase.VALIDATE, TURING, report)

    assert "The table is a step." in format_view(
        build_rules().desk.policy.build_view(dossier, TURING, Phase.REFINE)
    )


def test_the_five_are_given_the_same_before_refine_with_turing_and_without() -> None:
    asks: list[Ask] = []
    run_flow_with_player(create_scenario(BRIEF, build_rules(None)), make_six_agent_player(), asks)
    five = [ask.assignment for ask in asks if ask.assignment.phase in BEFORE_REFINE]

    with_turing = [
        ask.assignment
        for ask in run_accepted_scenario().asks
        if ask.agent != TURING and ask.assignment.phase in BEFORE_REFINE
    ]

    assert with_turing == five


# How six vote


def test_six_votes_need_five() -> None:
    tally = tally_readiness_votes(dict.fromkeys((*ROLES, TURING), "APPROVE"))

    assert (tally.level, tally.needed) == (ConsensusLevel.SUPERMAJORITY, 5)


def votes_of(*dissenters: str) -> Player:
    """The cast in which some vote REVISE."""
    player = make_six_agent_player()
    revise = ReadinessVote(vote="REVISE", changes=("make it harder",), addressed_to=ATHENA, confidence=0.9)

    def answer(ask: Ask) -> LabelledModel:
        reply = player(ask)
        if isinstance(reply, RefinementBallot) and ask.agent in dissenters:
            return reply.model_copy(update={"readiness": revise})
        return reply

    return answer


def test_five_of_six_carry_the_vote_against_turing() -> None:
    assert run_scenario(votes_of(TURING)).end.is_accepted


def test_four_of_six_do_not_carry_the_vote() -> None:
    end = run_scenario(votes_of(TURING, SOCRATES)).end

    assert end.discarded_in is Phase.REFINE
    assert "supermajority of 6 needs 5" in end.dossier.reviews[-1].reason


def test_a_doubt_under_turing_s_threshold_is_logged() -> None:
    unsure = FurtherValidation(text="I cannot tell.", confidence=0.55)

    logged = run_scenario(make_six_agent_player(instead=(unsure,))).end.dossier.disagreements

    assert [(each.topic, each.outcome) for each in logged if each.kind == "confidence"] == [
        ("TURING is unsure", "the confidence is 0.55, and 0.6 is expected")
    ]


# What is published


def documents() -> Any:
    found = run_accepted_scenario().end.documents
    assert found is not None
    return found


# fmt: off
IN_THE_TRACE = [
    f"### {TURING}: ReviewMemo",
    MEMO,
    f"### {TURING}: FurtherValidation",
    f"### {TURING}: FurtherClassification",
    f"### AGENT TRACE: {TURING}",
    "What I found: No common strategy solves it.",
    "| Dimension | ATHENA | GALILEO | EULER | NEWTON | SOCRATES | TURING | Median |",
    "| TURING | — | 0.70 | — | 0.65 | 0.80 | 0.85 |",
]
# fmt: on


@pytest.mark.parametrize("line", IN_THE_TRACE)
def test_turing_s_work_stands_in_the_trace(line: str) -> None:
    assert line in documents().trace


def test_turing_s_prompt_has_its_version_in_the_metadata() -> None:
    assert documents().metadata.agent_versions[TURING].prompt


@pytest.mark.parametrize("tier", ["public", "evaluation"])
def test_turing_is_not_mentioned_to_solvers_and_graders(tier: str) -> None:
    assert TURING not in getattr(documents(), tier)


def test_the_same_replies_of_six_give_the_same_bytes() -> None:
    again = run_scenario(make_six_agent_player()).end.documents

    assert again == documents()


# How the row gets there


def test_an_installed_package_whose_agent_is_not_in_the_roster_changes_nothing(
    installed: Callable[[str], None],
) -> None:
    installed("turing_agent.gates")

    assert load_extensions(ROLES) == ()


def test_a_package_that_cannot_be_imported_is_named(installed: Callable[[str], None]) -> None:
    installed("turing_agent.nowhere")

    with pytest.raises(
        ConfigurationError,
        match=r"Cannot import turing_agent\.nowhere, the module of the package that extends TURING",
    ):
        load_extensions((*ROLES, TURING))


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts the metadata of an installed package on the path, as an installer would."""

    def install(module: str) -> None:
        folder = tmp_path / "turing_agent-0.1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: turing-agent\nVersion: 0.1.0\n")
        (folder / "entry_points.txt").write_text(f"[{GROUP}]\nTURING = {module}\n")
        monkeypatch.syspath_prepend(str(tmp_path))

    return install


INSTALLED_RUN: Final = """
import site, sys
site.addsitedir(sys.argv[1])
from support.six_agents import BRIEF, CONFIG, make_six_agent_player
from impossible_moments.agents.orchestrator.quality_gates import PHASE_GATES
from impossible_moments.pipeline.performers import ScriptedPerformer
from impossible_moments.pipeline.pipeline import Pipeline
from impossible_moments.scenarios.similarity.embedding import TfidfEmbedder

pipeline = Pipeline(CONFIG, performer=ScriptedPerformer(make_six_agent_player()), output=sys.argv[2], embedder=TfidfEmbedder())
result = pipeline.generate(BRIEF)
print(result.state, PHASE_GATES["VALIDATE"]["criteria"][-1].name)
"""


@pytest.mark.slow
def test_the_package_as_installed_brings_its_row_into_a_pipeline(tmp_path: Path) -> None:
    target = tmp_path / "installed"
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"),
            *("--no-build-isolation", "--disable-pip-version-check", "--target", str(target)),
            *("--editable", str(PLUGIN)),
        ],
        check=True,
        cwd=tmp_path,
    )

    made = subprocess.run(
        [sys.executable, "-c", INSTALLED_RUN, str(target), str(tmp_path / "out")],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT / "tests"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert made.stdout.split() == ["accepted", ROW], made.stderr
