"""How an open point ends: adopted, declined, superseded or carried to a human."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.open_points.point_history import PointHistory
from impossible_moments.agents.orchestrator.open_points.raised_points import normalize_words
from impossible_moments.agents.orchestrator.revision_history import list_changed_values
from impossible_moments.agents.orchestrator.seed_changes import find_changed_parts
from impossible_moments.domain.disputes import Option
from impossible_moments.domain.dossier import AgentNote, ChallengeCase, Dossier, DossierEntry, VetoCase
from impossible_moments.domain.open_points import PointEnd
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import Phase

SettledEnd: TypeAlias = tuple[PointEnd, str]
MOST_QUOTED_CHANGES: Final = 3


def find_point_end(dossier: Dossier, point: PointHistory) -> SettledEnd | None:
    """Return the end of a point with its answer, or None if it is open."""
    if point.is_current:
        return _find_end_of_current_point(dossier, point)
    for place, before, entry in _iterate_revisions(dossier):
        if place > point.last:
            return _describe_revised_point(point, before, entry)
    return "superseded", f"{point.author} no longer raises it in a newer {point.document} or memo."


def _find_end_of_current_point(dossier: Dossier, point: PointHistory) -> SettledEnd | None:
    """Return the end of a point that its author still raises.

    Only a reason to decline it ends it, or a human. An adopted point that is still raised after the revision, or
    before it, is open.
    """
    declined = [given for given in point.answers if given.answer.answer == "declined"]
    if point.answers and declined and point.answers[-1] is declined[-1]:
        return "declined", f"{declined[-1].author}: {declined[-1].answer.reason}"
    for review in dossier.reviews:
        if review.decision.option is Option.RESOLVE and point.raised.words in normalize_words(
            review.question
        ):
            return "human", f"{review.decision.option}: {review.decision.justification}"
    return None


def _iterate_revisions(dossier: Dossier) -> Iterator[tuple[int, SeedDocument, DossierEntry]]:
    """Yield each seed document that differs from the one before it, with its place and that one."""
    last: SeedDocument | None = None
    for place, entry in enumerate(dossier.entries):
        seed = entry.deliverable
        if isinstance(seed, SeedDocument):
            if last is not None and find_changed_parts(last, seed):
                yield place, last, entry
            last = seed


def _describe_revised_point(point: PointHistory, before: SeedDocument, entry: DossierEntry) -> SettledEnd:
    after = entry.deliverable
    assert isinstance(after, SeedDocument), "revisions are seed documents"
    if entry.phase is Phase.SEED:
        return "superseded", "The scenario was designed anew."
    changes = _quote_changes(before, after)
    demands = [note for note in entry.answered_notes if _demands_point(note, point)]
    if demands:
        wanted = [
            point.raised.words,
            *(normalize_words(note.demand.demand) for note in demands if note.demand),
        ]
        new_notes = after.revision_notes[len(before.revision_notes) :]
        answers = [text for text in new_notes if any(each in normalize_words(text) for each in wanted)]
        return "adopted", " ".join(answers) or changes
    return "superseded", f"A revision in {entry.phase} changed what it was about: {changes}"


def _demands_point(note: AgentNote, point: PointHistory) -> bool:
    """Return whether a note demands what a point asks for: in its words, or of its subject for its author."""
    words, demand = point.raised.words, note.demand
    if words in normalize_words(note.text):
        return True
    if demand is None or point.author not in demand.demanded_by.split(", "):
        return False
    demanded, subject = normalize_words(demand.demand), normalize_words(demand.subject)
    return demanded in words or words in demanded or bool(subject and subject in words)


def _quote_changes(before: SeedDocument, after: SeedDocument) -> str:
    if before.scenario.name != after.scenario.name:
        return f"“{before.scenario.name}” became “{after.scenario.name}”"
    lines = [
        line
        for name in ("mechanics", "scenario", "distractor_inventory", "insight_chain", "solution_sketch")
        for line in list_changed_values(
            before.model_dump(mode="json")[name], after.model_dump(mode="json")[name], name
        )
    ]
    more = f" and {len(lines) - MOST_QUOTED_CHANGES} more" if len(lines) > MOST_QUOTED_CHANGES else ""
    return "; ".join(lines[:MOST_QUOTED_CHANGES]) + more


_CHALLENGE_ENDS: Final[dict[str, PointEnd]] = {
    "ACCEPTED": "adopted",
    "PARTIAL": "adopted",
    "UPHELD": "adopted",
    "OVERRIDDEN": "declined",
    "LOGGED": "declined",
    "ESCALATED": "human",
}


def describe_challenge_end(case: ChallengeCase) -> SettledEnd | None:
    """Return the end of a challenge with its reason, or None if it has none."""
    end = _CHALLENGE_ENDS.get(case.outcome)
    if end is None:
        return None
    reason = case.losing_reason or case.response or case.method
    return end, f"{case.outcome}: {reason}"


_VETO_ENDS: Final[dict[str, PointEnd]] = {
    "LIFTED": "adopted",
    "RETURNED": "adopted",
    "RECLASSIFIED": "adopted",
    "DOWNGRADED": "superseded",
    "ESCALATED": "human",
    "DISCARDED": "human",
}


def describe_veto_end(case: VetoCase) -> SettledEnd | None:
    """Return the end of a veto with its reason, or None if it is unresolved."""
    end = _VETO_ENDS.get(case.outcome)
    if end is None:
        return None
    reason = case.defect or case.revision_summary or case.end_reason or case.review_reason
    return end, f"{case.outcome}: {reason}"
