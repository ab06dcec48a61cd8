"""The ledger: every answered ask and message, the state of every scenario and its runner, in one database."""

from impossible_moments.ledger import leases
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
from impossible_moments.ledger.publications import (
    Publication,
    change_publication_metadata,
    get_known_registry,
    get_publication,
    get_publication_at,
    list_publication_numbers,
    list_publications,
    list_scenarios_with_signature,
    record_publication,
    set_beginnings,
    set_known_registry,
)
from impossible_moments.ledger.published_documents import get_documents, record_documents
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
    "Publication",
    "ScenarioClosing",
    "ScenarioRow",
    "ScenarioState",
    "change_publication_metadata",
    "compute_brief_identity",
    "copy_answers_of_earlier_rounds",
    "get_answer",
    "get_documents",
    "get_known_registry",
    "get_publication",
    "get_publication_at",
    "leases",
    "list_answers",
    "list_answers_without_messages",
    "list_escalated_scenarios",
    "list_message_ids",
    "list_messages",
    "list_pending_questions",
    "list_publication_numbers",
    "list_publications",
    "list_scenarios_with_signature",
    "list_usages",
    "parse_database_url",
    "record_answer",
    "record_answer_with_messages",
    "record_ask_event",
    "record_documents",
    "record_human_answer",
    "record_messages",
    "record_publication",
    "set_beginnings",
    "set_known_registry",
    "suspend_for_questions",
]
