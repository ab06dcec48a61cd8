"""Readership: which agents may read how much of a document, and in which phases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.disputes import BreakthroughReview
from impossible_moments.domain.dossier import Dossier, DossierEntry
from impossible_moments.domain.vocabulary import Phase

UNFILED: Final = (BreakthroughReview,)
"""Documents that are kept in a log and shown to no agent, because validators must not read each other's work."""


@dataclass(frozen=True, slots=True)
class VisiblePart:
    """How much of a document a reader may read in one phase."""

    reader: str
    phase: Phase
    shown: tuple[str, ...]
    """The paths of the visible fields, such as `scenario` or `solution_sketch.steps`."""
    hidden: tuple[str, ...]
    """The paths of the hidden fields. Empty if the reader may read the whole document."""


def list_visible_parts(
    policy: ContextPolicy,
    brief: GenerationBrief,
    entry: DossierEntry,
    *,
    fields: Set[str],
    readers: Iterable[str],
) -> tuple[VisiblePart, ...]:
    """Return what each reader may read of some fields of a document, in its phase and in each later one.

    The context policy builds the reader's view of a dossier that holds only this document. In VALIDATE it is the
    policy of the joint assessment, which begins when both validators have handed in their reports. Phases in which a
    reader may read nothing are left out.
    """
    if isinstance(entry.deliverable, UNFILED):
        return ()
    whole = _keep_fields(entry.deliverable.model_dump(mode="json"), fields)
    dossier = Dossier(brief, (entry,))
    later = tuple(Phase)[tuple(Phase).index(entry.phase) :]
    found = []
    for reader in readers:
        for phase in later:
            opened = policy.open_for_joint_assessment() if phase is Phase.VALIDATE else policy
            sections = opened.build_view(dossier, reader, phase)["sections"]
            visible = _keep_fields(sections[0]["fields"], fields) if sections else {}
            if visible:
                shown, hidden = _compare_fields(whole, visible)
                found.append(VisiblePart(reader, phase, tuple(shown), tuple(hidden)))
    return tuple(found)


def _compare_fields(whole: Mapping[str, Any], visible: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the paths of the visible and of the hidden fields."""
    shown, hidden = list[str](), list[str]()
    for name, value in whole.items():
        if name not in visible:
            hidden.append(name)
        elif visible[name] == value:
            shown.append(name)
        elif not isinstance(value, dict):
            hidden.append(f"{name} (in part)")
        else:
            inner_shown, inner_hidden = _compare_fields(value, visible[name])
            shown += [f"{name}.{each}" for each in inner_shown]
            hidden += [f"{name}.{each}" for each in inner_hidden]
    return shown, hidden


def _keep_fields(data: Mapping[str, Any], fields: Set[str]) -> dict[str, Any]:
    """Return the fields of these names that are not empty."""
    return dict(_iterate_non_empty({name: value for name, value in data.items() if name in fields}))


def _iterate_non_empty(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        kept = _remove_empty_values(value)
        if kept not in (None, "", [], {}):
            yield name, kept


def _remove_empty_values(value: object) -> object:
    match value:
        case dict():
            return dict(_iterate_non_empty(value))
        case list():
            return [_remove_empty_values(each) for each in value]
        case _:
            return value
