"""Two processes that design the same scenario at the same time: one is published, the other is designed anew."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.ledger import LedgerStore, ScenarioState, leases
from impossible_moments.pipeline import LEDGER
from impossible_moments.scenarios import ScenarioRegistry
from support.dossiers import BRIEF
from support.scripted_runs import build_pipeline

SCRIPT = """
import sys, time
from pathlib import Path
from impossible_moments.agents.adapters import BuiltinAdapter
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.pipeline import Pipeline

folder, name = Path(sys.argv[1]), sys.argv[2]

class Meeting(BuiltinAdapter):
    async def perform(self, ask):
        # both processes have begun before either goes on, so neither knows the other's scenario
        (folder / f"{name}.begun").touch()
        while len(list(folder.glob("*.begun"))) < 2:
            time.sleep(0.05)
        return await super().perform(ask)

# two briefs, for which the same design is drawn
brief = GenerationBrief(
    category="The Locked Room", solution_status="KS", difficulty_tier="FRACTURE", seed=1, constraints=(name,)
)
result = Pipeline(output=folder / "scenarios", performer=Meeting()).generate(brief)
print(result.scenario_id, result.state, len(result.replaced))
"""


def test_two_processes_that_draw_the_same_design_publish_two_different_scenarios(tmp_path: Path) -> None:
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(tmp_path), name], stdout=subprocess.PIPE, text=True
        )
        for name in ("one", "two")
    ]
    lines = sorted(run.communicate(timeout=300)[0].split() for run in runs)
    assert [run.returncode for run in runs] == [0, 0]

    registry = ScenarioRegistry(tmp_path / "scenarios")
    with LedgerStore(tmp_path / "scenarios" / LEDGER) as store:
        rows = {row.scenario: row for row in store.read_and_wait(leases.list_scenario_rows)}
    # one of the first two was discarded, and a third was designed in its place
    (loser,) = (row for row in rows.values() if row.state is ScenarioState.DISCARDED)
    (winner,) = {"IM-0001", "IM-0002"} - {loser.scenario}
    assert f"too near to {winner}" in loser.reason
    assert GenerationBrief.model_validate_json(rows["IM-0003"].brief).replaces == loser.scenario
    assert sorted(registry.entries) == sorted([winner, "IM-0003"])
    assert registry.entries[winner].name != registry.entries["IM-0003"].name
    assert lines == sorted([[winner, "accepted", "0"], ["IM-0003", "accepted", "1"]])


def test_a_duplicate_of_a_scenario_published_meanwhile_is_discarded_with_its_reason(tmp_path: Path) -> None:
    pipeline = build_pipeline(tmp_path, parallel_pipelines=2)
    other = BRIEF.model_copy(update={"scenario_id": "IM-0002", "replaces": "IM-0900"})
    results = {each.scenario_id: each for each in pipeline.generate_all([BRIEF, other])}

    # the second is already a new design for a duplicate, so there is no third
    duplicate = next(each for each in results.values() if each.state is ScenarioState.DISCARDED)
    assert "too near to IM-000" in duplicate.reason
    assert len(pipeline.registry.entries) == 1
    with pipeline.open_ledger() as store:
        found = store.read_and_wait(partial(leases.get_scenario_row, scenario=duplicate.scenario_id))
    assert found is not None
    assert (found.state, found.phase, found.reason) == (
        ScenarioState.DISCARDED,
        "DOCUMENT",
        duplicate.reason,
    )
