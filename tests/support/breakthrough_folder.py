"""A folder with an open scenario, and `im breakthroughs` run on it as a user runs it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from impossible_moments.cli.commands.breakthroughs import breakthroughs_app
from impossible_moments.evaluation.breakthroughs.candidates import compute_candidate_name
from support.breakthrough_answers import OPEN, open_answer, results_with, unjudged_run
from support.scored_scenarios import published_folder

MODEL = "secretive-1"
ANSWER = open_answer(before="Let me think.\n````\n# Verified\n")
NAME = compute_candidate_name(OPEN, ANSWER)
VERIFY = ["verify", NAME, "--tier", "b", "--evidence", "A simulation.", "--expert", "third expert"]


@dataclass(frozen=True)
class Desk:
    """A folder of scenarios and the commands on it."""

    folder: Path

    @classmethod
    def of(cls, place: Path) -> Desk:
        """A folder that holds the open scenario and one that is solved."""
        folder = place / "scenarios"
        for name in (OPEN, "IM-0001"):
            for path in published_folder().glob(f"*/{name}*"):
                target = folder / path.parent.name / path.name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
        shutil.copy(published_folder() / "registry.json", folder)
        return cls(folder)

    def im(self, *arguments: str | Path) -> Result:
        """Run a command of `im breakthroughs`."""
        given = [*map(str, arguments), "--scenarios", str(self.folder)]
        return CliRunner().invoke(breakthroughs_app, given, catch_exceptions=False)

    def results(self, answer: str = ANSWER, **fields: Any) -> Path:
        """A result file with one answer that no judge has read."""
        path = self.folder.parent / "results.json"
        made = results_with(unjudged_run(answer), model=f"maker:{MODEL}", **fields)
        path.write_text(made.model_dump_json(), encoding="utf-8")
        return path

    def collected(self) -> Desk:
        """The same with one candidate."""
        assert self.im("collect", self.results(), "--unjudged").exit_code == 0
        return self

    def confirmed(self) -> Desk:
        """The same with a candidate that the panel confirmed."""
        self.collected()
        for expert in ("first expert", "second expert"):
            self.im(*voting(expert))
        return self

    @property
    def page(self) -> str:
        """The page of the candidate."""
        return (self.folder / "breakthroughs" / f"{NAME}.md").read_text(encoding="utf-8")

    @property
    def files(self) -> dict[Path, bytes]:
        """Every file, byte for byte."""
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


def voting(expert: str, *no: str, reason: str = "I looked.", name: str = NAME) -> list[str]:
    """The words of a vote that says yes to all but what is named."""
    four = [
        part
        for each in ("novel", "valid", "complete", "testable")
        for part in (f"--{each}", "no" if each in no else "yes")
    ]
    return ["review", name, "--expert", expert, *four, "--reason", reason]
