"""Checks of scenario texts from any source."""

from impossible_moments.audit.document_audit import audit_document
from impossible_moments.audit.duplicates import add_duplicate_findings
from impossible_moments.audit.findings import AuditFinding, DocumentAudit, create_finding
from impossible_moments.audit.spelling.english_dictionary import EnglishDictionary, load_english_dictionary

__all__ = [
    "AuditFinding",
    "DocumentAudit",
    "EnglishDictionary",
    "add_duplicate_findings",
    "audit_document",
    "create_finding",
    "load_english_dictionary",
]
