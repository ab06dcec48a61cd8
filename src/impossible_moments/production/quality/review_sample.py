"""A sample of the scenarios for review by people: four questions each, and the answers in a file (specification 7.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from pathlib import Path
from random import Random
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import load_document
from impossible_moments.production.quality.quality_report import CheckState, QualityCheck
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios
from impossible_moments.scenarios import write_file_atomically

REVIEW_FILE: Final = "review_sample.yaml"
SAMPLED_SHARE: Final = 0.1
QUESTIONS: Final[Mapping[str, str]] = {
    "solved": "Did you solve it yourself, from the public text alone, and does your answer agree with the key?",
    "physics": "Are the claims and figures of the evaluation document right?",
    "ethics": "Is the scenario free of harm, as the ethical assessment states?",
    "difficulty": "Does the difficulty feel as stated?",
}
Answer = Literal["yes", "no", ""]


class ReviewRow(BaseModel):
    """The answers of a reviewer about one scenario. An empty answer is open."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    scenario: str
    reviewer: str = ""
    solved: Answer = ""
    physics: Answer = ""
    ethics: Answer = ""
    difficulty: Answer = ""
    remark: str = ""

    @property
    def answers(self) -> dict[str, str]:
        """The answers by question."""
        return {
            "solved": self.solved,
            "physics": self.physics,
            "ethics": self.ethics,
            "difficulty": self.difficulty,
        }


class ReviewFile(BaseModel):
    """The file of all answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["im-review/1"]
    sample: tuple[ReviewRow, ...]


def choose_review_sample(released: ReleasedScenarios, seed: int) -> tuple[str, ...]:
    """Return a tenth of the scenarios, at least one, chosen by the seed."""
    names = sorted(released.entries)
    count = max(1, ceil(SAMPLED_SHARE * len(names)))
    return tuple(sorted(Random(f"review/{seed}").sample(names, count)))  # noqa: S311 - a sample


def write_review_sample(released: ReleasedScenarios, seed: int) -> Path:
    """Write the file with the questions if it does not exist. Answers that it holds are never overwritten."""
    path = released.folder / REVIEW_FILE
    if not path.exists():
        lines = [
            "# Answer yes or no. An unanswered question is an empty text. State your name as the reviewer.",
            *(f"# {name}: {question}" for name, question in QUESTIONS.items()),
            "format: im-review/1",
            "sample:",
        ]
        for name in choose_review_sample(released, seed):
            lines += [f"  - scenario: {name}", '    reviewer: ""']
            lines += [f'    {question}: ""' for question in (*QUESTIONS, "remark")]
        write_file_atomically(path, "\n".join(lines) + "\n")
    return path


def check_review_sample(released: ReleasedScenarios) -> QualityCheck:
    """Read the answers. A `no` fails, and an open question keeps the check open."""
    path = released.folder / REVIEW_FILE
    if not path.exists():
        return QualityCheck(
            "review sample",
            CheckState.OPEN,
            f"no sample was drawn; `im release check --draw-sample` writes {REVIEW_FILE} with a tenth of the scenarios",
        )
    rows = _load_rows(path)
    problems = tuple(_find_objections(rows, released))
    open_questions = sum(not answer for row in rows for answer in row.answers.values())
    summary = f"{len(rows)} scenarios in {REVIEW_FILE}, {open_questions} of {len(rows) * len(QUESTIONS)} questions open"
    state = CheckState.FAILED if problems else CheckState.OPEN if open_questions else CheckState.PASSED
    return QualityCheck("review sample", state, summary, problems)


def _find_objections(rows: tuple[ReviewRow, ...], released: ReleasedScenarios) -> Iterator[str]:
    for row in rows:
        if row.scenario not in released.entries:
            yield f"{row.scenario} is in {REVIEW_FILE} and not in the set"
        for name, answer in row.answers.items():
            if answer == "no":
                yield f"{row.scenario}: {name}: {row.reviewer or 'a reviewer'} says no{f' ({row.remark})' if row.remark else ''}"


def _load_rows(path: Path) -> tuple[ReviewRow, ...]:
    try:
        return ReviewFile.model_validate(load_document(path)).sample
    except ValidationError as problem:
        first = problem.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(
            f"{path} is not valid at {place}: {first['msg']}. Answers are yes, no or an empty text."
        ) from None
