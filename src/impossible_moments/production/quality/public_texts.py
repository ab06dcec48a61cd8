"""Check the public texts with the auditor: sums, times, densities, leaks, left-over thinking."""

from __future__ import annotations

from impossible_moments.audit import audit_document
from impossible_moments.production.quality.quality_report import QualityCheck, build_check
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios


def check_public_texts(released: ReleasedScenarios) -> QualityCheck:
    """Audit what a solver sees of every public document. Warnings are counted and do not fail."""
    problems: list[str] = []
    warnings = 0
    for name in released.scenarios:
        found = audit_document(released.read_text(f"public/{name}.md") or "", name, blind=True)
        warnings += len(found.warnings)
        problems += (f"{name}:{each.line}: {each.code}: {each.what}" for each in found.errors)
    return build_check("texts", f"{len(released.scenarios)} texts audited, {warnings} warnings", problems)
