"""The rows of a gate: those of its table, and those that an extension appends (specification 8.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, overload

from impossible_moments.agents.orchestrator.gate_checks.case import Case, Check, Lack
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.vocabulary import ORCHESTRATOR, Phase
from impossible_moments.errors import ConfigurationError

EXTENSION: Final = "Extension"
_KEYS: Final = frozenset({"name", "check", "required", "addressee"})


@dataclass(frozen=True)
class Criterion:
    """One row of a gate's table."""

    method: str
    name: str
    required: str
    """The required value, in words."""
    check: Check
    binding: bool = True
    """Whether a gate stays shut without it."""


class Criteria(Sequence[Criterion]):
    """The rows of one gate, in order. Rows can be appended; none can be changed or taken away."""

    def __init__(self, phase: Phase, rows: Sequence[Criterion]) -> None:
        self._phase = phase
        self._rows = list(rows)

    def append(self, row: Criterion | Mapping[str, object]) -> None:
        """Add a criterion: a row, or a mapping with `name`, `check` (a question about `deliverables`) and `required`.

        `deliverables` holds what each agent has handed in in this phase, by the agent's name. With `addressee` the
        note goes to an agent; without, no agent reads it.
        """
        criterion = row if isinstance(row, Criterion) else _read(row, self._phase)
        if any(criterion.name == other.name for other in self._rows):
            raise ConfigurationError(
                f"the gate of {self._phase} has a criterion called {criterion.name!r} already. Criteria are added "
                "and never replaced: give it another name."
            )
        self._rows.append(criterion)

    @overload
    def __getitem__(self, at: int) -> Criterion: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Criterion]: ...
    def __getitem__(self, at: int | slice) -> Criterion | Sequence[Criterion]:
        return self._rows[at]

    def __len__(self) -> int:
        return len(self._rows)


def _read(row: Mapping[str, object], phase: Phase) -> Criterion:
    unknown = sorted(set(row) - _KEYS)
    if unknown:
        raise ConfigurationError(
            f"a criterion for {phase} has {', '.join(unknown)}, which no criterion has. Its keys are {', '.join(sorted(_KEYS))}."
        )
    name, check = row.get("name"), row.get("check")
    required, addressee = row.get("required", True), row.get("addressee", ORCHESTRATOR)
    if not isinstance(name, str) or not name.strip() or not callable(check):
        raise ConfigurationError(
            f"a criterion for {phase} has the name {name!r} and the check {check!r}. It needs a name in words and a "
            "check that is called with the deliverables and says whether they suffice."
        )
    if not isinstance(required, bool) or not isinstance(addressee, str):
        raise ConfigurationError(
            f"the criterion {name!r} for {phase} has required={required!r} and addressee={addressee!r}. `required` is "
            "True or False, `addressee` the name of an agent."
        )
    return Criterion(EXTENSION, name, "holds", _asked(name, check, phase, addressee), binding=required)


def _asked(name: str, question: Callable[..., object], phase: Phase, addressee: str) -> Check:
    """A check that puts a question to what was handed in."""

    def check(case: Case) -> Iterator[Lack]:
        if not question(_deliverables(case, phase)):
            yield Lack(addressee, f"The criterion {name} is not met.")

    return check


def _deliverables(case: Case, phase: Phase) -> Mapping[str, tuple[Labelled, ...]]:
    found: dict[str, tuple[Labelled, ...]] = {}
    for entry in case.dossier.entries:
        if entry.phase is phase:
            found[entry.author] = (*found.get(entry.author, ()), entry.deliverable)
    return found
