"""Create one scenario end to end with a recorded cast, and look at what came of it.

Run it from the repository: `python examples/single_scenario.py`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from impossible_moments import Pipeline
from impossible_moments.agents.adapters.replay_adapter import RunRecording
from impossible_moments.pipeline.performers import ScriptedPerformer

RECORDING = Path(__file__).parent / "blast_room_run.json"


def main() -> None:
    """Lead the cast through the six phases and print the beginnings of the three documents."""
    recording = RunRecording.load(RECORDING)
    with tempfile.TemporaryDirectory() as folder:
        pipeline = Pipeline(performer=ScriptedPerformer(recording.answer, name=recording.name), output=folder)
        result = pipeline.generate(recording.brief)
    print(f"{result.scenario_id} is {result.state}.\n")
    for name in ("public_document", "evaluation_document", "methodology_trace"):
        lines = getattr(result, name).splitlines()
        print(f"--- {name}, {len(lines)} lines")
        print("\n".join(lines[:12]), "\n")


if __name__ == "__main__":
    main()
