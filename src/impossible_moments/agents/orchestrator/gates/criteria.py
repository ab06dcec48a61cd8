"""The rows of a gate: those of its table, and those that an extension appends (specification 8.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, overload

from impossible_moments.agents.orchestrator.gates.gate_case import Check, CheckDeficiency, GateCase
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.vocabulary import ORCHESTRATOR, Phase
from impossible_moments.errors import ConfigurationError

EXTENSION: Final = "Extension"
_KEYS: Final = frozenset({"name", "check", "required", "addressee"})


@dataclass(frozen=True)
class GateCriterion:
    """One row of a gate's table."""

    method: str
    name: str
    required: str
    """The required value, in words."""
    check: Check
    binding: bool = True
    """Whether the gate stays closed until the criterion is met."""


class GateCriteria(Sequence[GateCriterion]):
    """The rows of one gate, in order. Rows can be appended, but not changed or removed."""

    def __init__(self, phase: Phase, rows: Sequence[GateCriterion]) -> None:
        self._phase = phase
        self._rows = list(rows)

    def append(self, row: GateCriterion | Mapping[str, object]) -> None:
        """Add a criterion: a row, or a mapping with `name`, `check` and `required`.

        `check` is called with `deliverables` and returns whether they suffice. `deliverables` maps each
        agent's name to what it has handed in during this phase. The note about a missing criterion goes to
        `addressee`. Without one, no agent reads it.
        """
        criterion = row if isinstance(row, GateCriterion) else _parse_criterion(row, self._phase)
        if any(criterion.name == other.name for other in self._rows):
            raise ConfigurationError(
                f"The gate of {self._phase} already has a criterion called {criterion.name!r}. Criteria can be added "
                "but not replaced: choose another name."
            )
        self._rows.append(criterion)

    @overload
    def __getitem__(self, at: int) -> GateCriterion: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[GateCriterion]: ...
    def __getitem__(self, at: int | slice) -> GateCriterion | Sequence[GateCriterion]:
        return self._rows[at]

    def __len__(self) -> int:
        return len(self._rows)


def _parse_criterion(row: Mapping[str, object], phase: Phase) -> GateCriterion:
    unknown = sorted(set(row) - _KEYS)
    if unknown:
        raise ConfigurationError(
            f"A criterion for {phase} has unknown keys: {', '.join(unknown)}. The allowed keys are {', '.join(sorted(_KEYS))}."
        )
    name, check = row.get("name"), row.get("check")
    required, addressee = row.get("required", True), row.get("addressee", ORCHESTRATOR)
    if not isinstance(name, str) or not name.strip() or not callable(check):
        raise ConfigurationError(
            f"A criterion for {phase} has the name {name!r} and the check {check!r}. It needs a non-empty name and a "
            "check that is called with the deliverables and returns whether they suffice."
        )
    if not isinstance(required, bool) or not isinstance(addressee, str):
        raise ConfigurationError(
            f"The criterion {name!r} for {phase} has required={required!r} and addressee={addressee!r}. `required` must "
            "be True or False, and `addressee` the name of an agent."
        )
    return GateCriterion(
        EXTENSION, name, "holds", _make_deliverables_check(name, check, phase, addressee), binding=required
    )


def _make_deliverables_check(
    name: str, question: Callable[..., object], phase: Phase, addressee: str
) -> Check:
    """Make a check that calls `question` with the deliverables of a phase."""

    def check_deliverables(case: GateCase) -> Iterator[CheckDeficiency]:
        if not question(_collect_deliverables(case, phase)):
            yield CheckDeficiency(addressee, f"The criterion {name} is not met.")

    return check_deliverables


def _collect_deliverables(case: GateCase, phase: Phase) -> Mapping[str, tuple[LabelledModel, ...]]:
    found: dict[str, tuple[LabelledModel, ...]] = {}
    for entry in case.dossier.entries:
        if entry.phase is phase:
            found[entry.author] = (*found.get(entry.author, ()), entry.deliverable)
    return found
