"""Questions to humans: asks that wait in the ledger, without a runner, until they are answered."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.ledger.answered_asks import LEVEL, AnsweredAsk, get_answer, record_answer
from impossible_moments.ledger.leases import ScenarioState
from impossible_moments.ledger.store import LedgerTransaction


@dataclass(frozen=True, slots=True)
class HumanQuestion:
    """An ask to a human."""

    scenario: str
    key: str
    round_number: int
    assignment_hash: str
    assignment: bytes
    """What the human receives, as JSON."""
    returns: str
    """Name of the model of the expected answer."""
    asked_at: float
    due_at: float


_INSERT_QUESTION: Final = """
    INSERT INTO questions (scenario, ask_key, round_number, assignment_hash, assignment, returns, asked_at, due_at)
    VALUES (:scenario, :key, :round_number, :assignment_hash, :assignment, :returns, :asked_at, :due_at)
    ON CONFLICT DO NOTHING
"""
_PENDING: Final = """
    SELECT scenario, ask_key, round_number, assignment_hash, assignment, returns, asked_at, due_at
    FROM questions
    WHERE NOT EXISTS (SELECT 1 FROM answers
        WHERE answers.scenario = questions.scenario AND answers.ask_key = questions.ask_key)
    ORDER BY due_at, scenario, ask_key
"""
# Storing and answering a question both update the scenario's row first. The row is their lock if transactions run
# concurrently: without it a scenario could be suspended at the moment when its question is answered.
_UPDATE_CHANGE_TIME: Final = "UPDATE scenarios SET changed_at = :now WHERE scenario = :scenario"
_SUSPEND_SCENARIO: Final = """
    UPDATE scenarios SET state = :awaiting, owner = ''
    WHERE scenario = :scenario AND owner = :owner
"""
_RESUME_SCENARIO: Final = (
    "UPDATE scenarios SET state = :running WHERE scenario = :scenario AND state = :awaiting"
)


def suspend_for_questions(
    transaction: LedgerTransaction, questions: tuple[HumanQuestion, ...], *, owner: str, now: float
) -> tuple[AnsweredAsk, ...]:
    """Suspend a scenario until its questions are answered, and return the answers present by now.

    It is suspended only if an answer is missing. A question that was stored before keeps its times.
    """
    scenario = questions[0].scenario
    transaction.execute_change(_UPDATE_CHANGE_TIME, scenario=scenario, now=now)
    found = [get_answer(transaction, scenario, question.key) for question in questions]
    for question in questions:
        transaction.execute_change(
            _INSERT_QUESTION,
            scenario=scenario,
            key=question.key,
            round_number=question.round_number,
            assignment_hash=question.assignment_hash,
            assignment=zlib.compress(question.assignment, LEVEL),
            returns=question.returns,
            asked_at=question.asked_at,
            due_at=question.due_at,
        )
    if None in found:
        transaction.execute_change(
            _SUSPEND_SCENARIO, scenario=scenario, owner=owner, awaiting=ScenarioState.AWAITING_HUMAN
        )
    return tuple(answer for answer in found if answer is not None)


def list_escalated_scenarios(transaction: LedgerTransaction) -> frozenset[str]:
    """Return the scenarios about which a human was asked, whether or not there is an answer."""
    return frozenset(row[0] for row in transaction.fetch_rows("SELECT DISTINCT scenario FROM questions"))


def list_pending_questions(transaction: LedgerTransaction) -> tuple[HumanQuestion, ...]:
    """Return the unanswered questions, the most urgent first."""
    return tuple(
        HumanQuestion(scenario, key, number, hashed, zlib.decompress(assignment), *others)
        for scenario, key, number, hashed, assignment, *others in transaction.fetch_rows(_PENDING)
    )


def record_human_answer(transaction: LedgerTransaction, scenario: str, answer: AnsweredAsk) -> None:
    """Store a human's answer, and let the scenario run again when none of its questions is open.

    Raises `ConfigurationError` if the question was answered before.
    """
    transaction.execute_change(_UPDATE_CHANGE_TIME, scenario=scenario, now=answer.answered_at)
    if record_answer(transaction, scenario, answer) is not answer:
        raise ConfigurationError(
            f"{scenario}: the review {answer.key} has already been answered. A decision is final: `im review list` lists the open reviews."
        )
    if not any(question.scenario == scenario for question in list_pending_questions(transaction)):
        transaction.execute_change(
            _RESUME_SCENARIO,
            scenario=scenario,
            running=ScenarioState.RUNNING,
            awaiting=ScenarioState.AWAITING_HUMAN,
        )
