"""The three documents have the headings, lines and tables of the specification, word for word and in its order."""

from __future__ import annotations

import re
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest
import yaml

from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.vocabulary import ROLES, parse_main_status
from support.built_documents import BY_STATUS, build_golden_documents

TABLES: Any = yaml.safe_load((Path(__file__).parent / "tables/documents.yaml").read_text(encoding="utf-8"))


def headings(text: str) -> list[str]:
    return [line for line in text.splitlines() if re.match(r"#{2,3} ", line)]


def heads(text: str) -> list[list[str]]:
    lines = text.splitlines()
    return [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line, below in pairwise(lines)
        if below.startswith("| ---")
    ]


def test_the_public_document_has_its_sections_in_order() -> None:
    assert headings(build_golden_documents().public) == TABLES["public"]["headings"]


def test_the_public_document_has_its_header_in_order() -> None:
    assert (
        re.findall(r"^\*\*(.+?)\*\*: ", build_golden_documents().public, re.MULTILINE)
        == TABLES["public"]["header"]
    )


@pytest.mark.parametrize(("status", "name"), BY_STATUS.items())
def test_the_evaluation_document_has_its_sections_in_order(status: str, name: str) -> None:
    tables = TABLES["evaluation"]
    first = tables["solution_headings"][parse_main_status(status)]
    assert headings(build_golden_documents(name).evaluation) == [first, *tables["headings"]]


def test_the_trace_begins_with_its_sections_in_order() -> None:
    wanted = TABLES["trace"]["headings"]
    assert headings(build_golden_documents().trace)[: len(wanted)] == wanted


def test_the_trace_holds_what_is_assembled_in_order() -> None:
    wanted = TABLES["trace"]["assembly"]
    assert [heading for heading in headings(build_golden_documents().trace) if heading in wanted] == wanted


@pytest.mark.parametrize("line", TABLES["trace"]["lines"])
def test_the_trace_has_each_line(line: str) -> None:
    assert re.search(rf"^- {re.escape(line)}:", build_golden_documents().trace, re.MULTILINE)


@pytest.mark.parametrize("tier", ["public", "evaluation", "trace"])
def test_the_tables_have_their_columns(tier: str) -> None:
    found = heads(getattr(build_golden_documents(), tier))
    assert [table for table in TABLES[tier]["tables"] if table not in found] == []


def test_each_agent_trace_has_its_seven_parts() -> None:
    archive = build_golden_documents().trace.partition("## Agent Trace Archive")[2]
    assert re.findall(r"^#### (.+)$", archive, re.MULTILINE) == TABLES["trace"]["parts"] * len(ROLES)


@pytest.mark.parametrize("tier", TABLES["tiers"])
def test_a_profile_inside_the_bounds_of_a_tier_alone_has_that_tier(tier: str) -> None:
    inside = {name: bounds(line) for name, line in TABLES["tiers"].items()}
    own = {profile for profile in product(range(1, 6), repeat=6) if within(profile, inside[tier])}
    others = [each for name, each in inside.items() if name != tier]
    alone = [profile for profile in own if not any(within(profile, each) for each in others)]
    assert {choose_difficulty_tier(profile, "KS") for profile in alone} == {(tier, True)}


def bounds(line: str) -> list[tuple[int, int]]:
    """The bounds of six dimensions as the specification writes them."""
    return [bound(part.strip()) for part in line.split(",")]


def bound(part: str) -> tuple[int, int]:
    if part.startswith("any"):
        return 1, 5
    match = re.fullmatch(r"[IDCBTX](<=|>=|=)(\d)(?:-(\d))?", part)
    assert match is not None
    low, high = int(match[2]), int(match[3] or match[2])
    return {"<=": (1, high), ">=": (low, 5), "=": (low, high)}[match[1]]


def within(profile: tuple[int, ...], limits: list[tuple[int, int]]) -> bool:
    return all(low <= score <= high for score, (low, high) in zip(profile, limits, strict=True))
