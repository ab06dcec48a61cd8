"""Every count and every quotation in a methodology trace is true of the ledger of its run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.ledger_runs import read_ledger_run
from support.trace_facts import (
    CHECKS,
    TraceText,
    check_creation_counts,
    check_revisions,
    find_false_statements,
)
from support.traced_scenarios import TracedScenario, publish_scenarios, select_briefs

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> list[TracedScenario]:
    """Three scenarios: a known solution, a meta-trap that SOCRATES may see through, and an open frontier."""
    briefs = [brief for brief in select_briefs() if brief.solution_status in {"KS", "MT", "OF"}]
    return publish_scenarios(tmp_path_factory.mktemp("traced"), briefs, most=3)


def test_every_statement_of_a_trace_is_true(sample: list[TracedScenario]) -> None:
    assert len(sample) == 3
    problems = {each.scenario: find_false_statements(each.trace, each.run) for each in sample}
    assert problems == {each.scenario: [] for each in sample}


@pytest.mark.parametrize(
    ("pattern", "false"),
    [
        (r"Phase 5: \d+", "Phase 5: 7"),
        (r"Challenges issued: \d+ \(resolved: \d+", "Challenges issued: 9 (resolved: 9"),
        (r"Vetoes issued: \d+", "Vetoes issued: 3"),
        (r"Revision count: \d+", "Revision count: 8"),
        (r"Claims validated: \d+", "Claims validated: 99"),
        (r"Citations provided: \d+", "Citations provided: 99"),
        (r"Physics confidence: [\d.]+", "Physics confidence: 0.01"),
        (r"\| NEWTON \| — \| [\d.]+", "| NEWTON | — | 0.01"),
        (r"\| Insight Depth \(I\) \| \d", "| Insight Depth (I) | 0"),
        (r"NEWTON APPROVE[A-Z-]* \(", "NEWTON REVISE ("),
        (r"\| Supermajority: 4 \| APPROVE", "| Supermajority: 5 | APPROVE"),
        (r"Judged \d+ claim", "Judged 77 claim"),
        (r"“[^“”]+”", "“Nobody has ever said this.”"),
    ],
)
def test_a_false_statement_is_found(sample: list[TracedScenario], pattern: str, false: str) -> None:
    each = sample[0]
    changed, count = re.subn(pattern, false, each.trace, count=1)
    assert count == 1, f"the trace has no `{pattern}`"
    assert find_false_statements(changed, each.run) != []


def test_a_trace_of_another_run_is_found_out(sample: list[TracedScenario]) -> None:
    first, second = sample[0], sample[1]
    silent = {check for check in CHECKS if not list(check(TraceText(first.trace), second.run))}
    assert silent <= {check_creation_counts, check_revisions}  # two runs may have the same counts


def test_a_ledger_without_the_scenario_has_no_answers(tmp_path: Path) -> None:
    assert read_ledger_run(tmp_path, "IM-0001").answers == ()
