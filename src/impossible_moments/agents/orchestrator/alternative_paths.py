"""Other ways to the goal that validators name in any report, and that the record does not declare."""

from __future__ import annotations

from typing import Final

from impossible_moments.agents.orchestrator.seed_changes import collect_current_deliverables
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import FeasibilityCheck, MathematicsReport, PhysicsReport

ANOTHER_WAY: Final = "Another way leads to the goal: "


def find_undeclared_paths(dossier: Dossier) -> dict[str, tuple[str, ...]]:
    """Return each way that the record does not declare, with the validators that name it in a current report."""
    seed = dossier.find_latest_deliverable(SeedDocument)
    # a report may add a remark to a plan that it writes out
    declared = {plan for plan in list_declared_plans(seed) if plan} if seed is not None else set()
    found: dict[str, tuple[str, ...]] = {}
    reports: tuple[tuple[str, PhysicsReport | MathematicsReport | FeasibilityCheck], ...] = (
        *collect_current_deliverables(dossier, PhysicsReport).items(),
        *collect_current_deliverables(dossier, MathematicsReport).items(),
        *collect_current_deliverables(dossier, FeasibilityCheck).items(),
    )
    for author, report in reports:
        for path in report.alternative_paths:
            if not any(path.startswith(plan) for plan in declared):
                found[path] = tuple(dict.fromkeys((*found.get(path, ()), author)))
    return found


def list_declared_plans(seed: SeedDocument) -> frozenset[str]:
    """Return the plans that the record declares as approaches, written as a report writes a plan."""
    approaches = seed.mechanics.get("approaches") or []
    plans = (each.get("plan") or "" for each in approaches if isinstance(each, dict))
    calls = (plan.split(";") if isinstance(plan, str) else map(str, plan) for plan in plans)
    return frozenset(" then ".join(call.strip() for call in plan) for plan in calls)
