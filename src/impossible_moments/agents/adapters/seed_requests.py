"""How a language model is asked for a seed document: for a proposal first, and for a revision of it later.

A revision lists operations on the last seed document, so that a model need not write the whole document again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import ValidationError

from impossible_moments.agents.adapters.seed_faults import (
    find_seed_faults,
    find_tier_faults,
    find_unanswered_demands,
)
from impossible_moments.agents.adapters.seed_patches import PatchError, apply_seed_revision
from impossible_moments.agents.adapters.seed_review import complete_seed_document, restore_derived_parts
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.agents.orchestrator.revision_history import describe_answer
from impossible_moments.agents.tools.tool_results import limit_result_length
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.seed_revision import RevisionOperation, SeedProposal, SeedRevision
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.llm import ReviewedDeliverable
from impossible_moments.mechanics.records import Library

REVISION_TASK: Final = (
    "Hand in a SeedRevision: only the operations that change your last seed document, which is in the context, and one "
    "answer to each of the {demands} entries of `demands`. The operations are applied in order to that document, and the "
    "result is checked as a whole."
)


@dataclass(frozen=True)
class SeedProposalRequest:
    """A request for the first seed document of a scenario."""

    ask: Ask
    library: Library

    def review(self, proposal: SeedProposal) -> ReviewedDeliverable[SeedProposal]:
        """Complete a proposal from its record and find its faults."""
        brief = self.ask.assignment.context.get("brief") or {}
        completed, computed = complete_seed_document(proposal, self.library)
        assert isinstance(completed, SeedProposal), "completion keeps the type"
        faults = (*find_tier_faults(proposal.profile, brief), *find_seed_faults(completed, computed, brief))
        return ReviewedDeliverable(completed, faults)

    def convert_to_seed(self, proposal: LabelledModel) -> SeedDocument:
        """Return the seed document of a reviewed proposal."""
        assert isinstance(proposal, SeedProposal)
        return proposal.to_seed_document()

    def describe_reply(self, proposal: LabelledModel) -> Mapping[str, Any]:
        """Return what the seed document does not contain, for the usage record."""
        assert isinstance(proposal, SeedProposal)
        return {"intended_profile": str(proposal.profile), "profile_reasons": dict(proposal.profile_reasons)}


@dataclass(frozen=True)
class SeedRevisionRequest:
    """A request to revise the last seed document of a scenario."""

    ask: Ask
    library: Library
    last_seed: SeedDocument

    def review(self, revision: SeedRevision) -> ReviewedDeliverable[SeedRevision]:
        """Apply a revision to the last seed document and find the faults of the result."""
        context = self.ask.assignment.context
        faults = [*find_unanswered_demands(revision, len(context.get("demands", ())))]
        try:
            seed = self._apply(revision)
        except PatchError as problem:
            return ReviewedDeliverable(revision, (*faults, str(problem)))
        completed, computed = complete_seed_document(seed, self.library)
        faults += find_seed_faults(completed, computed, context.get("brief") or {})
        return ReviewedDeliverable(revision, tuple(faults))

    def convert_to_seed(self, revision: LabelledModel) -> SeedDocument:
        """Return the revised seed document. Raise `PatchError` if an operation cannot be applied."""
        assert isinstance(revision, SeedRevision)
        completed, _ = complete_seed_document(self._apply(revision), self.library)
        notes = (*self.last_seed.revision_notes, *self._describe_answers(revision))
        return completed.model_copy(update={"revision_notes": notes})

    def _describe_answers(self, revision: SeedRevision) -> tuple[str, ...]:
        """Return a note for each answered demand: the demand word for word, and what was done about it."""
        demands = self.ask.assignment.context.get("demands", ())
        return tuple(
            describe_answer(demands[each.demand - 1], each.answer, each.explanation)
            for each in sorted(revision.answers, key=lambda each: each.demand)
            if each.demand <= len(demands)
        )

    def check_revision(self, operations: list[RevisionOperation]) -> dict[str, Any]:
        """Apply operations to your last seed document and return the findings, before you hand them in.

        Args:
            operations: the operations of a revision, in order

        """
        trial = SeedRevision(operations=tuple(operations), confidence=self.last_seed.confidence)
        try:
            seed = self._apply(trial)
        except PatchError as problem:
            return {"accepted": False, "findings": [str(problem)]}
        completed, computed = complete_seed_document(seed, self.library)
        brief = self.ask.assignment.context.get("brief") or {}
        findings = list(find_seed_faults(completed, computed, brief))
        return limit_result_length(
            {"accepted": not findings, "status": computed.full_status or "undecided", "findings": findings}
        )

    def describe_reply(self, revision: LabelledModel) -> Mapping[str, Any]:
        """Return what the seed document does not contain, for the usage record."""
        assert isinstance(revision, SeedRevision)
        return {
            "operations": [f"{each.op} {each.path}" for each in revision.operations],
            "demand_answers": [each.model_dump(mode="json") for each in revision.answers],
        }

    def _apply(self, revision: SeedRevision) -> SeedDocument:
        base = restore_derived_parts(self.last_seed, self.library)
        return apply_seed_revision(base.model_dump(mode="json"), revision)


def build_seed_request(ask: Ask, library: Library) -> SeedProposalRequest | SeedRevisionRequest:
    """Return the request for a seed document: a revision if the context shows the whole last one, else a proposal."""
    last_seed = _find_last_seed(ask.assignment.context)
    if last_seed is None:
        return SeedProposalRequest(_ask_for(ask, SeedProposal, ask.assignment.task), library)
    demands = len(ask.assignment.context.get("demands", ()))
    task = f"{ask.assignment.task} {REVISION_TASK.format(demands=demands)}"
    return SeedRevisionRequest(_ask_for(ask, SeedRevision, task), library, last_seed)


def _ask_for(ask: Ask, returns: type[LabelledModel], task: str) -> Ask:
    assignment = replace(ask.assignment, task=task, returns=returns.__name__)
    return replace(ask, assignment=assignment, returns=returns)


def _find_last_seed(context: Mapping[str, Any]) -> SeedDocument | None:
    for section in reversed(context.get("sections", ())):
        if section["document"] == SeedDocument.__name__ and section["author"] == ATHENA:
            try:
                return SeedDocument.model_validate(section["fields"])
            except ValidationError:
                return None  # a summary, which cannot be patched
    return None
