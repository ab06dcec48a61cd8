"""The correspondence: a run read as messages."""

from __future__ import annotations

from typing import Final

from impossible_moments.agents.orchestrator.context.token_budgets import MESSAGE_BODY
from impossible_moments.agents.orchestrator.message_rules import find_message_problems
from impossible_moments.domain.disputes import Challenge, Evidence
from impossible_moments.domain.dossier import DossierEntry
from impossible_moments.domain.message import Message
from impossible_moments.domain.refinement import ReviewMemo
from impossible_moments.domain.vocabulary import ATHENA, NEWTON, ORCHESTRATOR, MessageType, Phase
from impossible_moments.ledger.answered_asks import AnsweredAsk
from impossible_moments.llm.token_estimates import estimate_text_tokens
from impossible_moments.pipeline.message_history import build_message_history
from support.dossiers import make_full_dossier

DISPUTED: Final = Challenge(
    challenged=ATHENA, claim="the table slides", evidence=(Evidence(kind="calculation", text="58.9 N"),), confidence=0.8,
)  # fmt: skip


def _answer(number: int, entry: DossierEntry) -> AnsweredAsk:
    return AnsweredAsk(
        key=f"{entry.phase}/{entry.author}/topic-{number}/1",
        round_number=number,
        assignment_hash="",
        reply=entry.deliverable.model_dump_json().encode(),
        returns=type(entry.deliverable).__name__,
        model="script",
    )


def _run(*entries: DossierEntry) -> tuple[Message, ...]:
    return build_message_history(
        "IM-0001", [_answer(number, entry) for number, entry in enumerate(entries, start=1)]
    )


def _whole() -> tuple[DossierEntry, ...]:
    return tuple(entry for entry in make_full_dossier(Phase.DOCUMENT).entries if entry.author != ORCHESTRATOR)


def test_every_message_of_a_run_keeps_the_rules_of_communication() -> None:
    assert [problem for message in _run(*_whole()) for problem in find_message_problems(message)] == []


def test_every_answer_is_at_least_one_message_to_the_orchestrator() -> None:
    messages = _run(*_whole())
    assert len(messages) >= len(_whole())
    assert {message.recipient for message in messages} == {ORCHESTRATOR}


def test_a_vote_is_a_vote_and_a_report_a_deliverable() -> None:
    kinds = {message.message_type for message in _run(*_whole())}
    assert kinds == {MessageType.DELIVERABLE, MessageType.VOTE}


def test_a_challenge_inside_a_memo_is_a_message_of_its_own_that_depends_on_the_memo() -> None:
    memo = ReviewMemo(text="Look at the floor.", challenges=(DISPUTED,), confidence=0.8)
    report, challenge = _run(DossierEntry(Phase.REFINE, NEWTON, memo))
    assert challenge.message_type is MessageType.CHALLENGE
    assert challenge.content.dependencies == (report.message_id,)
    assert challenge.content.evidence == ("58.9 N",)
    assert "the table slides" not in report.content.body


def test_a_body_that_is_too_long_is_split_and_each_part_names_those_before_it() -> None:
    memo = ReviewMemo(text="and so on. " * 6_000, confidence=0.8)
    parts = _run(DossierEntry(Phase.REFINE, NEWTON, memo))
    assert len(parts) > 1
    assert all(estimate_text_tokens(part.content.body) <= MESSAGE_BODY for part in parts)
    assert [len(part.content.dependencies) for part in parts] == list(range(len(parts)))


def test_identifiers_are_the_same_at_every_reading() -> None:
    first, second = (_run(*_whole()) for _ in range(2))
    assert [each.message_id for each in first] == [each.message_id for each in second]
    assert len({each.message_id for each in first}) == len(first)
