"""The ledger: every answered ask and message, the state of every scenario and its runner, in one database."""

from impossible_moments.ledger import leases, publications
from impossible_moments.ledger.answered_asks import (
    AnsweredAsk,
    AskEvent,
    AskEventKind,
    copy_answers_of_earlier_rounds,
    get_answer,
    list_answers,
    list_usages,
    record_answer,
    record_ask_event,
)
from impossible_moments.ledger.brief_identity import compute_brief_identity
from impossible_moments.ledger.database import DatabaseUrl, LedgerLocation, parse_database_url
from impossible_moments.ledger.human_questions import (
    HumanQuestion,
    list_escalated_scenarios,
    list_pending_questions,
    record_human_answer,
    suspend_for_questions,
)
from impossible_moments.ledger.leases import (
    FINISHED,
    Lease,
    NewScenario,
    ScenarioClosing,
    ScenarioRow,
    ScenarioState,
)
from impossible_moments.ledger.messages import (
    MessageRow,
    list_answers_without_messages,
    list_message_ids,
    list_messages,
    record_answer_with_messages,
    record_messages,
)
from impossible_moments.ledger.store import LedgerStore, LedgerTransaction

__all__ = [
    "FINISHED",
    "AnsweredAsk",
    "AskEvent",
    "AskEventKind",
    "DatabaseUrl",
    "HumanQuestion",
    "Lease",
    "LedgerLocation",
    "LedgerStore",
    "LedgerTransaction",
    "MessageRow",
    "NewScenario",
    "ScenarioClosing",
    "ScenarioRow",
    "ScenarioState",
    "compute_brief_identity",
    "copy_answers_of_earlier_rounds",
    "get_answer",
    "leases",
    "list_answers",
    "list_answers_without_messages",
    "list_escalated_scenarios",
    "list_message_ids",
    "list_messages",
    "list_pending_questions",
    "list_usages",
    "parse_database_url",
    "publications",
    "record_answer",
    "record_answer_with_messages",
    "record_ask_event",
    "record_human_answer",
    "record_messages",
    "suspend_for_questions",
]
