"""The page about the orchestrator says what the code does."""

from __future__ import annotations

import re

import pytest

from impossible_moments.agents.extensions import GROUP
from impossible_moments.domain.vocabulary import Phase
from support.orchestrator_tables import PAGE, PLACE, TABLES
from support.six_agents import PLUGIN

RENEW = "PYTHONPATH=tests python -m support.orchestrator_tables"


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def written(name: str) -> str:
    """A table as it stands on the page."""
    found = [each for each in PLACE.finditer(page()) if each[2] == name]
    assert len(found) == 1, f"the page has {len(found)} places for the table {name}"
    return found[0][0].removeprefix(found[0][1]).removesuffix(found[0][3])


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_the_page_is_the_code_s(name: str) -> None:
    assert written(name) == TABLES[name]().strip(), f"docs/orchestrator.md is out of date: run `{RENEW}`"


def test_no_place_on_the_page_asks_for_a_table_that_nobody_makes() -> None:
    assert {found[2] for found in PLACE.finditer(page())} <= set(TABLES)


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_is_told_in_a_paragraph_of_its_own(phase: Phase) -> None:
    assert f"\n**{phase}.** " in page()


def test_the_gate_row_of_the_page_is_the_plugin_s() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", page(), re.DOTALL)

    assert code.strip() in (PLUGIN / "turing_agent/gates.py").read_text(encoding="utf-8")


def test_the_configuration_entry_of_the_page_is_the_plugin_s() -> None:
    (entry,) = re.findall(r"```yaml\n(.*?)```", page(), re.DOTALL)

    assert entry in (PLUGIN / "turing_agent/config.yaml").read_text(encoding="utf-8")


def test_the_entry_point_of_the_page_is_the_plugin_s() -> None:
    (lines,) = re.findall(r"```toml\n(.*?)```", page(), re.DOTALL)

    assert GROUP in lines
    assert lines in (PLUGIN / "pyproject.toml").read_text(encoding="utf-8")
