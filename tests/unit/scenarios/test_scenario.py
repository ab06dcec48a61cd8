"""A public document reads back as the scenario it was made from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from impossible_moments.audit.document_audit import audit_document
from impossible_moments.domain.seed import NO_BODILY_LIMIT
from impossible_moments.errors import ConfigurationError
from impossible_moments.scenarios.scenario import Scenario
from support.built_documents import BY_STATUS, build_golden_documents


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in (2, 1, 10000):
        text = build_golden_documents().public.replace("IM-0007", f"IM-{number:04d}", 1)
        (tmp_path / f"IM-{number:04d}.md").write_text(text, encoding="utf-8")
    return tmp_path


def test_the_header_reads_back() -> None:
    found = Scenario.parse(build_golden_documents().public, "text")
    header = (found.scenario_id, found.title, found.category, found.tier, found.profile, found.status)
    assert header == ("IM-0007", "The Blast Room", "The Locked Room", "FRACTURE", "3.2.2.2.3.2", "KS")


def test_the_canary_reads_back() -> None:
    assert (
        Scenario.parse(build_golden_documents().public, "text").canary
        == build_golden_documents().metadata.canary
    )


def test_the_last_section_ends_before_the_canary() -> None:
    assert (
        Scenario.parse(build_golden_documents().public, "text").sections["Common Wrong Answers"].endswith("|")
    )


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_the_blind_text_says_nothing_of_status_difficulty_or_traps(name: str) -> None:
    blind = Scenario.parse(build_golden_documents(name).public, "text").blind
    told = (
        "**Status**",
        "**Difficulty**",
        "**Category**",
        "Correct Outcome",
        "Why This Looks",
        "Wrong Answer",
        "Canary",
    )
    assert [word for word in told if word in blind] == []


@pytest.mark.parametrize("name", BY_STATUS.values())
def test_the_blind_text_gives_nothing_away(name: str) -> None:
    findings = audit_document(Scenario.parse(build_golden_documents(name).public, "text").blind).errors
    assert [each for each in findings if each.code.startswith("leak")] == []


def test_the_blind_text_gives_the_situation_before_the_task_the_rules_and_the_tables() -> None:
    blind = Scenario.parse(build_golden_documents().public, "text").blind
    parts = (
        "The bolt goes home",
        "### Position / Starting State",
        "### Threat / Challenge",
        "### Environment",
    )
    positions = [blind.index(part) for part in parts]
    assert positions == sorted(positions)
    assert positions[0] == 0


def test_the_blind_text_leaves_out_a_capability_table_without_limits() -> None:
    scenario = Scenario.parse(build_golden_documents().public, "text")
    assert "### Agent Capabilities" in scenario.blind

    row = f"| Parameter | Value |\n| --- | --- |\n| {NO_BODILY_LIMIT[0]} | {NO_BODILY_LIMIT[1]} |"
    bare = replace(scenario, sections={**scenario.sections, "Agent Capabilities": row})
    assert "Agent Capabilities" not in bare.blind


def test_a_folder_is_read_in_order_of_numbers(folder: Path) -> None:
    assert [each.scenario_id for each in Scenario.load_directory(folder)] == [
        "IM-0001",
        "IM-0002",
        "IM-10000",
    ]


def test_a_folder_above_the_public_one_will_do(folder: Path) -> None:
    folder.rename(folder.parent / "public")
    assert len(Scenario.load_directory(folder.parent)) == 3


def test_mechanics_beside_public_documents_are_not_read(folder: Path) -> None:
    (folder / "IM-0001_mechanics.json").write_text("{", encoding="utf-8")
    (folder / "IM-0001_eval.md").write_text("no scenario", encoding="utf-8")
    assert len(Scenario.load_directory(folder)) == 3


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No such folder"):
        Scenario.load_directory(tmp_path / "nowhere")


def test_a_document_without_title_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="does not begin with a title"):
        Scenario.parse("## Scenario\n", "IM-0001.md")


def test_a_document_says_which_section_it_lacks() -> None:
    text = build_golden_documents().public.replace("### Available Objects", "### Things")
    with pytest.raises(ConfigurationError, match="lacks Available Objects"):
        Scenario.parse(text, "IM-0007.md")


def test_a_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "IM-0001.md").write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigurationError, match="UTF-8"):
        Scenario.load_directory(tmp_path)
