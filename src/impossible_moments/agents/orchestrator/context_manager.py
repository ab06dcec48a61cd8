"""The context manager: reduces a dossier to what an agent may read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final

from impossible_moments.agents.orchestrator.context.isolation_matrix import (
    BEFORE_REFINE,
    ISOLATION_MATRIX,
    JOINT,
    RESERVED,
    VALIDATORS,
    Audience,
    Matrix,
    compute_visibility_ceiling,
)
from impossible_moments.agents.orchestrator.seed_changes import RESTS_ON, collect_current_deliverables
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from impossible_moments.domain.dossier import Dossier, DossierEntry
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import HUMAN, ORCHESTRATOR, Phase
from impossible_moments.errors import ConfigurationError

EVERYTHING: Final = "all"
DISPUTES: Final = frozenset({"challenge", "veto"})
"""The entries of the disagreement log that every agent reads from the reveal on."""


@dataclass(frozen=True)
class ContextPolicy:
    """The isolation matrix in force. Settings may narrow it and never widen it."""

    matrix: Matrix = field(default_factory=lambda: ISOLATION_MATRIX)

    def __post_init__(self) -> None:
        for content, cells in self.matrix.items():
            for phase, audience in cells.items():
                for agent in sorted(audience):
                    _require_allowed_content(content, agent, phase)

    def list_visible_contents(self, agent: str, phase: Phase) -> frozenset[ContentLabel]:
        """Return the contents that `agent` may read in `phase`. A human may read everything."""
        if agent == HUMAN:
            return frozenset(ContentLabel)
        return frozenset(
            content for content, cells in self.matrix.items() if agent in cells.get(phase, frozenset())
        )

    def build_view(self, dossier: Dossier, agent: str, phase: Phase) -> dict[str, Any]:
        """Build the view of a dossier that `agent` receives in `phase`, as plain data."""
        visible = self.list_visible_contents(agent, phase)
        view: dict[str, Any] = {}
        if brief := dossier.brief.to_visible_data(visible):
            view["brief"] = brief
        superseded = _find_superseded_kinds(dossier)
        sections = (
            _build_view_section(entry, agent, visible, superseded)
            for entry in _list_newest_deliverables(dossier)
            if not _would_unblind_reader(entry, agent, phase)
        )
        view["sections"] = [section for section in sections if section["fields"]]
        # the notes that `demands` repeats in a structured form come last
        notes = sorted(dossier.list_notes_for(agent, phase), key=lambda note: note.demand is not None)
        view["notes"] = [note.text for note in notes]
        if demands := [note.demand.to_data() for note in notes if note.demand is not None]:
            view["demands"] = demands
        if notices := dossier.list_notices_for(agent, phase):
            view["notices"] = [notice.text for notice in notices]
        if ContentLabel.REVISION in visible and (disputes := _list_disputes(dossier)):
            view["disputes"] = disputes
        return view

    def narrow_for_agent(self, agent: str, policy: Mapping[Phase, Iterable[str]]) -> ContextPolicy:
        """Return the policy with fewer contents for one agent. Phases that are not named stay as they are."""
        if agent in {HUMAN, ORCHESTRATOR}:
            raise ConfigurationError(
                f"The context of {agent} cannot be narrowed: only agents have a context policy. Leave it out."
            )
        visible = {phase: self.list_visible_contents(agent, phase) for phase in Phase}
        for phase, names in policy.items():
            visible[phase] = _resolve_content_names(names, agent, phase, visible[phase])
        return self._set_visible_contents(agent, visible)

    def add_agent(self, name: str, policy: Mapping[Phase, Iterable[str]]) -> ContextPolicy:
        """Return the policy with an additional agent. It reads nothing in phases that are not named."""
        if name.upper() in RESERVED or any(self.list_visible_contents(name, phase) for phase in Phase):
            raise ConfigurationError(
                f"An additional agent cannot be called {name}: that name already has a context policy. Choose another name."
            )
        visible = {
            phase: _resolve_content_names(names, name, phase, compute_visibility_ceiling(name, phase))
            for phase, names in policy.items()
        }
        return self._set_visible_contents(name, visible)

    def open_for_joint_assessment(self) -> ContextPolicy:
        """Return the policy for the time after both validators have handed in their reports.

        Each may then also read the other's report. Their confidences stay hidden, and a revised seed is
        validated under the ordinary policy again.
        """
        shared: Audience = frozenset().union(
            *(self.matrix.get(content, {}).get(Phase.VALIDATE, frozenset()) for content in JOINT)
        )
        opened = {
            content: {**self.matrix.get(content, {}), Phase.VALIDATE: shared & VALIDATORS}
            for content in JOINT
        }
        return replace(self, matrix={**self.matrix, **opened})

    def _set_visible_contents(
        self, agent: str, visible: Mapping[Phase, frozenset[ContentLabel]]
    ) -> ContextPolicy:
        def compute_audience(content: ContentLabel, phase: Phase) -> Audience:
            others = self.matrix.get(content, {}).get(phase, frozenset()) - {agent}
            return others | {agent} if content in visible.get(phase, frozenset()) else others

        return replace(
            self,
            matrix={
                content: {phase: compute_audience(content, phase) for phase in Phase}
                for content in ContentLabel
            },
        )


def _require_allowed_content(content: ContentLabel, agent: str, phase: Phase) -> None:
    joint = content in JOINT and phase is Phase.VALIDATE and agent in VALIDATORS
    ceiling = compute_visibility_ceiling(agent, phase)
    if content not in ceiling and not joint:
        raise _make_hidden_content_error(content, agent, phase, ceiling)


def _make_hidden_content_error(
    content: ContentLabel, agent: str, phase: Phase, ceiling: frozenset[ContentLabel]
) -> ConfigurationError:
    left = ", ".join(sorted(each.name.lower() for each in ceiling))
    return ConfigurationError(
        f"{agent} may not read `{content.name.lower()}` in {phase}: the isolation matrix hides it, and settings can "
        f"only narrow the matrix. Allowed there: {left or 'nothing'}."
    )


def _resolve_content_names(
    names: Iterable[str], agent: str, phase: Phase, ceiling: frozenset[ContentLabel]
) -> frozenset[ContentLabel]:
    """Return the contents that settings name. Raise if the agent may not read one of them."""
    labels: set[ContentLabel] = set()
    for name in names:
        if name.lower() == EVERYTHING:
            labels |= ceiling
            continue
        content = _parse_content_name(name)
        if content not in ceiling:
            raise _make_hidden_content_error(content, agent, phase, ceiling)
        labels.add(content)
    return frozenset(labels)


def _parse_content_name(name: str) -> ContentLabel:
    for content in ContentLabel:
        if name.lower() in {content.name.lower(), content.value.lower()}:
            return content
    known = ", ".join(content.name.lower() for content in ContentLabel)
    raise ConfigurationError(f"`{name}` is not a content of a scenario. The contents are {known}.")


def _list_newest_deliverables(dossier: Dossier) -> list[DossierEntry]:
    """Return the last deliverable of each kind from each author, in the order of their submission."""
    found: dict[tuple[str, type[LabelledModel]], DossierEntry] = {}
    for entry in reversed(dossier.entries):
        found.setdefault((entry.author, type(entry.deliverable)), entry)
    return list(reversed(found.values()))


def _list_disputes(dossier: Dossier) -> list[dict[str, Any]]:
    """Return the challenges and vetoes of the run with what was said and how they ended, as plain data (5.1)."""
    return [
        {name: value for name, value in asdict(each).items() if value}
        for each in dossier.disagreements
        if each.kind in DISPUTES
    ]


def _would_unblind_reader(entry: DossierEntry, reader: str, phase: Phase) -> bool:
    """Return whether an agent's own work would reveal something it may not know in a phase.

    In CLASSIFY this is what an additional agent wrote in other phases. After a redesign it is everything
    written after the reveal, except the seed document, which its author continues to revise.
    """
    if reader != entry.author or reader == HUMAN:
        return False
    if reader not in RESERVED and phase is Phase.CLASSIFY:
        return entry.phase is not Phase.CLASSIFY
    is_informed_entry = phase in BEFORE_REFINE and entry.phase not in BEFORE_REFINE
    return is_informed_entry and not isinstance(entry.deliverable, SeedDocument)


def _find_superseded_kinds(dossier: Dossier) -> frozenset[tuple[str, type[LabelledModel]]]:
    """Return the authors and kinds of the newest deliverables that are about an earlier version of the scenario."""
    current = {kind: collect_current_deliverables(dossier, kind) for kind in RESTS_ON}
    return frozenset(
        (entry.author, kind)
        for entry in dossier.entries
        if (kind := type(entry.deliverable)) in current and entry.author not in current[kind]
    )


def _build_view_section(
    entry: DossierEntry,
    reader: str,
    visible: frozenset[ContentLabel],
    superseded: frozenset[tuple[str, type[LabelledModel]]],
) -> dict[str, Any]:
    sees_everything = reader in {entry.author, HUMAN}
    # The number and time of its revisions reveal what the validators thought of a document.
    sees_solution = sees_everything or ContentLabel.SOLUTION in visible
    is_superseded = sees_solution and (entry.author, type(entry.deliverable)) in superseded
    return {
        "author": entry.author,
        "phase": str(entry.phase) if sees_solution else None,
        "document": type(entry.deliverable).__name__,
        "iteration": entry.iteration if sees_solution else None,
        **({"superseded": True} if is_superseded else {}),
        "fields": entry.deliverable.model_dump(mode="json")
        if sees_everything
        else _select_visible_fields(entry, visible),
    }


def _select_visible_fields(entry: DossierEntry, visible: frozenset[ContentLabel]) -> dict[str, Any]:
    # An additional agent may have read the solution, so its work counts as an extension whatever its labels are.
    if entry.author not in RESERVED and ContentLabel.EXTENSION not in visible:
        return {}
    return entry.deliverable.to_visible_data(visible)
