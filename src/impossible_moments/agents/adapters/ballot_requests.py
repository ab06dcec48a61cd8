"""How a language model is asked for a second ballot: only for the divided parts. All other votes stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import ValidationError

from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.phases.refinement_votes import DIVIDED_PARTS
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.refinement import DistractorReview, RefinementBallot, RefinementRevote
from impossible_moments.llm import ReviewedDeliverable

REVOTE_TASK: Final = (
    "The agents are divided, and your notes quote every position with its reason. Vote again on {parts} only, and keep "
    "your vote if nothing convinces you. A part that you leave out stands as you voted, and so does a distractor that you "
    "do not name."
)
_PARTS: Final[Mapping[str, str]] = {
    # part of a ballot: the document under which it was filed
    "calibration": "CalibrationVote",
    "distractors": "DistractorReview",
    "status": "StatusVote",
    "design": "DesignVote",
    "readiness": "ReadinessVote",
}


@dataclass(frozen=True)
class RevoteRequest:
    """A request for the divided parts of a ballot."""

    ask: Ask
    last_ballot: RefinementBallot
    divided: tuple[str, ...]

    def review(self, revote: RefinementRevote) -> ReviewedDeliverable[RefinementRevote]:
        """Find the divided parts on which the agent has not voted."""
        missing = [part for part in self.divided if getattr(revote, part) is None]
        faults = tuple(f"`{part}` is divided: vote on it again, or repeat your vote" for part in missing)
        return ReviewedDeliverable(revote, faults)

    def convert_to_ballot(self, revote: LabelledModel) -> RefinementBallot:
        """Return the last ballot with the parts of the second vote in place."""
        assert isinstance(revote, RefinementRevote)
        given = {name: part for name, part in revote if isinstance(part, LabelledModel)}
        if revote.distractors is not None:
            given["distractors"] = _merge_findings(self.last_ballot.distractors, revote.distractors)
        return self.last_ballot.model_copy(update=given)


def build_revote_request(ask: Ask) -> RevoteRequest | None:
    """Return the request for a second vote, or None if the ask is for a first one."""
    divided = tuple(ask.assignment.context.get(DIVIDED_PARTS, ()))
    last_ballot = _find_last_ballot(ask.assignment.readable_context, ask.agent) if divided else None
    if last_ballot is None:
        return None
    task = REVOTE_TASK.format(parts=" and ".join(f"`{part}`" for part in divided))
    assignment = replace(ask.assignment, task=task, returns=RefinementRevote.__name__)
    return RevoteRequest(replace(ask, assignment=assignment, returns=RefinementRevote), last_ballot, divided)


def _find_last_ballot(view: Mapping[str, Any], agent: str) -> RefinementBallot | None:
    filed = {each["document"]: each["fields"] for each in view["sections"] if each["author"] == agent}
    try:
        return RefinementBallot.model_validate({part: filed.get(kind) for part, kind in _PARTS.items()})
    except ValidationError:
        return None


def _merge_findings(last: DistractorReview, again: DistractorReview) -> DistractorReview:
    changed = {finding.name: finding for finding in again.findings}
    known = [changed.pop(finding.name, finding) for finding in last.findings]
    return again.model_copy(update={"findings": (*known, *changed.values())})
