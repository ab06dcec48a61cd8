"""The parts of scenario creation that depend on the solution status (specification 3.4).

The isolation matrix is the same for every status. The status changes what ATHENA hands in, what the
validators examine, and how SOCRATES's blind classification is interpreted. What SOCRATES is asked must not
depend on the status.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from impossible_moments.domain.classification import ClassificationReport
from impossible_moments.domain.seed import SolutionSketch
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Status

SketchPart: TypeAlias = Literal["steps", "claims", "impossibility_proof", "evaluation_criteria"]

BLIND_TASK: Final = (
    "Classify the scenario as a solver meets it for the first time: its solution status, the type of its "
    "impossibility, its difficulty, its ethics and what it tests."
)


class BlindFinding(StrEnum):
    """What a blind classification reveals about the design."""

    TOO_OBVIOUS = "The hidden assumption was named without seeing the solution."
    WELL_HIDDEN = "The hidden assumption was not found without seeing the solution."
    TOO_TRANSPARENT = "The trivial solution was seen at once."
    WELL_DISGUISED = "The trivial solution was not seen."
    STRONG_MIRAGE = "The scenario was taken for something else than it is, as its mirage intends."


@dataclass(frozen=True)
class StatusPolicy:
    """The requirements and tasks for one status."""

    status: Status
    needs: tuple[SketchPart, ...]
    """Parts of the solution sketch that must be present."""
    forbids: tuple[SketchPart, ...]
    """Parts of the solution sketch that would contradict the status."""
    tasks: Mapping[str, str]
    """The task of each agent."""
    mistaken_for: frozenset[Status] = frozenset()
    """Blind classifications that indicate a strong mirage."""

    def list_sketch_deficiencies(
        self, sketch: SolutionSketch, ignored: frozenset[SketchPart] = frozenset()
    ) -> tuple[str, ...]:
        """Return the missing and the forbidden parts of a sketch, as sentences for ATHENA."""
        missing_parts = (
            f"{_describe_sketch_part(part)} missing: {self.tasks[ATHENA]}"
            for part in self.needs
            if part not in ignored and not getattr(sketch, part)
        )
        surplus = (
            f"{_describe_sketch_part(part)} given, which contradicts {self.status}: {self.tasks[ATHENA]}"
            for part in self.forbids
            if part not in ignored and getattr(sketch, part)
        )
        return (*missing_parts, *surplus)

    def derive_blind_finding(self, report: ClassificationReport) -> BlindFinding | None:
        """Derive what SOCRATES's blind report reveals about the design, if anything.

        ATHENA receives it in REFINE.
        """
        match self.status:
            case "MT":
                return BlindFinding.TOO_OBVIOUS if report.premise_named.strip() else BlindFinding.WELL_HIDDEN
            case "DG":
                found = report.status == "DG"
                return BlindFinding.TOO_TRANSPARENT if found else BlindFinding.WELL_DISGUISED
            case _:
                return BlindFinding.STRONG_MIRAGE if report.status in self.mistaken_for else None


def get_status_policy(status: Status) -> StatusPolicy:
    """Return the policy of a status."""
    return _POLICIES[status]


def _describe_sketch_part(part: SketchPart) -> str:
    return {
        "steps": "the steps of a solution are",
        "claims": "physical claims are",
        "impossibility_proof": "an impossibility proof is",
        "evaluation_criteria": "evaluation criteria are",
    }[part]


def _build_agent_tasks(athena: str, newton: str, euler: str) -> Mapping[str, str]:
    return {
        ATHENA: athena,
        NEWTON: newton,
        EULER: euler,
        GALILEO: "Ground the scenario: the construct behind each insight, the literature, and comparable benchmarks.",
        SOCRATES: BLIND_TASK,
    }


_SOLVED: Final = _build_agent_tasks(
    "Sketch one path to the solution, with times and the physical claims that it rests on.",
    "Validate every physical claim of the solution.",
    "Verify every calculation of the solution, its timing and its sensitivity.",
)
_CONTESTED: Final = _build_agent_tasks(
    "Sketch the candidate solutions and what experts dispute about them.",
    "Validate every physical claim of each candidate, and say where the physics leaves the dispute open.",
    "Verify every calculation of each candidate, and find the value at which the better one changes.",
)
_OPEN_TASKS: Final = _build_agent_tasks(
    "Give the best known approach or the criteria that any valid answer must meet. There is no verified solution.",
    "Validate the evaluation criteria, not a solution: they must be physically meaningful and require what is needed.",
    "Validate the evaluation criteria, not a solution: they must be computable and free of contradiction.",
)
_PARADOX: Final = _build_agent_tasks(
    "Give the scenario and the proof that it is impossible within its constraints.",
    "Validate the physical premises of the impossibility proof.",
    "Validate the impossibility proof independently, step by step.",
)
_METAMORPHIC: Final = _build_agent_tasks(
    "Name the hidden assumption, and sketch the solution that becomes possible once it is challenged.",
    "Validate that nothing works within the assumption, and that the solution beyond it holds.",
    "Verify that nothing works within the assumption, and every calculation of the solution beyond it.",
)
_DEGENERATE: Final = _build_agent_tasks(
    "Give the trivially simple solution that the narrative disguises.",
    "Validate that the simple solution works as it stands.",
    "Verify that the simple solution works with no further step.",
)

# fmt: off
_ROWS: Final = (
    #            status  needs                     forbids                             tasks         mistaken for
    StatusPolicy("KS", ("steps", "claims"),        ("impossibility_proof",),           _SOLVED,      frozenset({"OF"})),
    StatusPolicy("CT", ("steps", "claims"),        ("impossibility_proof",),           _CONTESTED),
    StatusPolicy("OF", ("evaluation_criteria",),   ("impossibility_proof",),           _OPEN_TASKS),
    StatusPolicy("PX", ("impossibility_proof",),   ("steps",),                         _PARADOX,     frozenset({"KS", "CT"})),
    StatusPolicy("MT", ("steps", "claims"),        (),                                 _METAMORPHIC),
    StatusPolicy("DG", ("steps",),                 ("impossibility_proof",),           _DEGENERATE),
)
# fmt: on
_POLICIES: Final[Mapping[Status, StatusPolicy]] = {row.status: row for row in _ROWS}
