"""Drafts of messages: types, confidences and summaries of replies."""

from __future__ import annotations

import pytest

from impossible_moments.agents.deliverables import DELIVERABLES
from impossible_moments.domain.disputes import Breakthrough, Challenge, Veto
from impossible_moments.domain.refinement import RefinementBallot, RefinementRevote, ReviewMemo
from impossible_moments.domain.validation import JointAssessment
from impossible_moments.domain.vocabulary import NEWTON, MessageType
from impossible_moments.pipeline.messages.message_drafts import (
    LONGEST_SUMMARY,
    REPLY_TYPES,
    list_reply_drafts,
    shorten_to_sentence,
)
from support.scripted_runs import build_veto

NOT_DOCUMENTS = {
    each.__name__
    for each in (Challenge, Veto, Breakthrough, JointAssessment, RefinementBallot, RefinementRevote)
}
"""Parts of replies, a reply that consists of several documents, and what the orchestrator computes."""


@pytest.mark.parametrize("name", sorted(set(DELIVERABLES) - NOT_DOCUMENTS))
def test_every_document_that_needs_a_confidence_has_a_place_for_it(name: str) -> None:
    model = DELIVERABLES[name]
    has_confidence = any(hasattr(model, each) or each in model.model_fields for each in ("confidence", "overall_confidence"))  # fmt: skip

    assert has_confidence or REPLY_TYPES.get(name) is MessageType.RESPONSE


def test_a_dispute_without_a_confidence_has_that_of_its_report() -> None:
    memo = ReviewMemo(text="Look. And again.", vetoes=(build_veto(),), concerns=("ice",), confidence=0.6)
    report, veto = list_reply_drafts(memo, NEWTON)

    assert (report.summary, report.concerns, report.confidence) == ("Look", ("ice",), 0.6)
    assert (veto.kind, veto.confidence, veto.fields) == (MessageType.VETO, 0.6, frozenset({"vetoes"}))


@pytest.mark.parametrize("text", ["word " * 400, "x" * 2000])
def test_a_summary_that_was_cut_says_so(text: str) -> None:
    summary = shorten_to_sentence(text)

    assert len(summary) <= LONGEST_SUMMARY
    assert summary.endswith("…")
