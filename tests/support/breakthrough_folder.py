"""A folder with an open scenario, and the commands of `im breakthroughs` on it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from typer.testing import CliRunner, Result

from impossible_moments.cli.commands.breakthroughs import breakthroughs_app
from impossible_moments.evaluation.breakthroughs.candidates import compute_candidate_name
from support.breakthrough_answers import OPEN, build_open_answer, build_results, build_unjudged_run
from support.scored_scenarios import create_published_folder

MODEL = "secretive-1"
CANDIDATE: Final = "<candidate>"
"""Placeholder for the name of the candidate in the arguments of `run_command`; computing the name takes seconds."""
VERIFY = [
    "verify",
    CANDIDATE,
    "--tier",
    "b",
    "--result",
    "confirmed",
    "--reason",
    "A simulation.",
    "--by",
    "third expert",
]


@cache
def build_passing_answer() -> str:
    """Build the answer that becomes the candidate."""
    return build_open_answer(before="Let me think.\n````\n# Verified\n")


@cache
def get_candidate_name() -> str:
    """Return the name of the candidate."""
    return compute_candidate_name(OPEN, build_passing_answer())


@dataclass(frozen=True)
class BreakthroughFolder:
    """A folder of scenarios and the commands on it."""

    folder: Path

    @classmethod
    def create(cls, place: Path) -> BreakthroughFolder:
        """Create a folder with an open and a solved scenario."""
        folder = place / "scenarios"
        for name in (OPEN, "IM-0001"):
            for path in create_published_folder().glob(f"*/{name}*"):
                target = folder / path.parent.name / path.name
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, target)
        shutil.copy(create_published_folder() / "registry.json", folder)
        return cls(folder)

    def run_command(self, *arguments: str | Path) -> Result:
        """Run a command of `im breakthroughs`."""
        named = [get_candidate_name() if each == CANDIDATE else str(each) for each in arguments]
        given = [*named, "--scenarios", str(self.folder)]
        return CliRunner().invoke(breakthroughs_app, given, catch_exceptions=False)

    def write_results(self, answer: str = "", **fields: Any) -> Path:
        """Write a result file with one unjudged answer, by default the passing one."""
        path = self.folder.parent / "results.json"
        made = build_results(
            build_unjudged_run(answer or build_passing_answer()), model=f"maker:{MODEL}", **fields
        )
        path.write_text(made.model_dump_json(), encoding="utf-8")
        return path

    def collect_candidate(self) -> BreakthroughFolder:
        """Collect one candidate and return this folder."""
        assert self.run_command("collect", self.write_results(), "--unjudged").exit_code == 0
        return self

    def confirm_candidate(self) -> BreakthroughFolder:
        """Collect a candidate, let the panel confirm it, and return this folder."""
        self.collect_candidate()
        for expert in ("first expert", "second expert"):
            self.run_command(*build_vote_arguments(expert))
        return self

    @property
    def page(self) -> str:
        """The page of the candidate."""
        return (self.folder / "breakthroughs" / f"{get_candidate_name()}.md").read_text(encoding="utf-8")

    @property
    def files(self) -> dict[Path, bytes]:
        """Every file, byte for byte."""
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}


def build_vote_arguments(
    expert: str, *no: str, reason: str = "I looked.", name: str = CANDIDATE
) -> list[str]:
    """Return the command-line arguments of a vote that says yes to every criterion except the named ones."""
    four = [
        part
        for each in ("novel", "valid", "complete", "testable")
        for part in (f"--{each}", "no" if each in no else "yes")
    ]
    return ["review", name, "--expert", expert, *four, "--reason", reason]
