"""Calibration of the validators' confidence: how often later checks object, by the confidence of an approving report.

`python -m benchmarks.confidence 100` draws documents, changes one stated number in each of them by up to 60 %, lets
NEWTON and EULER report, and compares the confidence of each report without an objection with what later checks find:
the check of the record, the other validator, and the distractor reviews.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from copy import deepcopy
from random import Random
from typing import Any, Final

from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.athena.offer_selection import UnreachableBrief, list_reachable_targets
from impossible_moments.agents.builtin.athena.scenario_draws import NoReadableDraw
from impossible_moments.agents.builtin.cast import BuiltinCast, load_builtin_cast
from impossible_moments.agents.orchestrator.context_manager import ContextPolicy
from impossible_moments.agents.orchestrator.flow import Assignment
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.refinement import RefinementBallot
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from impossible_moments.mechanics.checks import verify_record
from impossible_moments.mechanics.records.quantities import QuantityError, parse_quantity

BINS: Final = (0.0, 0.7, 0.8, 0.85, 0.9, 0.95, 1.01)
LARGEST_CHANGE: Final = 0.6
UNCHANGED: Final = 0.3
"""The share of documents that are left as they were drawn."""
REPORTS: Final[Mapping[str, type[PhysicsReport | MathematicsReport]]] = {
    NEWTON: PhysicsReport,
    EULER: MathematicsReport,
}


def draw_documents(
    cast: BuiltinCast, count: int, seed: int = 1
) -> Iterator[tuple[GenerationBrief, SeedDocument]]:
    """Draw documents of all categories in a random order, most of them with one number changed."""
    stream = Random(seed)  # noqa: S311 - a repeatable draw, no secret
    targets = sorted(list_reachable_targets(cast.catalogue))
    stream.shuffle(targets)
    for number, (category, status, tier) in enumerate((targets * (count // len(targets) + 1))[:count]):
        brief = GenerationBrief(category=category, solution_status=status, difficulty_tier=tier, seed=number)
        try:
            document = ask(cast, Dossier.create_for_brief(brief), ATHENA, Phase.SEED, SeedDocument)
        except (NoReadableDraw, UnreachableBrief):
            continue
        assert isinstance(document, SeedDocument)
        yield brief, document if stream.random() < UNCHANGED else change_one_number(document, stream)


def ask(
    cast: BuiltinCast, dossier: Dossier, agent: str, phase: Phase, returns: type[LabelledModel]
) -> LabelledModel:
    """Ask a role of the built-in cast as a run would."""
    context = ContextPolicy().build_view(dossier, agent, phase)
    assignment = Assignment(agent, phase, "IM-0001", "Judge.", context, returns.__name__, 100_000)
    return cast.roles[agent].make_deliverable(AssignmentView(assignment), returns)


def change_one_number(document: SeedDocument, stream: Random) -> SeedDocument:
    """Multiply one free number of the record by a random factor. Its range is kept if the value stays inside."""
    data: dict[str, Any] = deepcopy(document.mechanics)
    lines = data.get("quantities") or []
    lines = lines.splitlines() if isinstance(lines, str) else list(lines)
    numbers = [place for place, line in enumerate(lines) if _is_plain_number(line)]
    if not numbers:
        return document
    place = stream.choice(numbers)
    name, _, rest = lines[place].partition("=")
    value, _, unit = rest.strip().partition("[")
    factor = 1 + stream.uniform(-LARGEST_CHANGE, LARGEST_CHANGE)
    lines[place] = f"{name.strip()} = {float(value) * factor:.3g}" + (f"[{unit}" if unit else "")
    data["quantities"] = lines
    return document.model_copy(update={"mechanics": data})


def _is_plain_number(line: str) -> bool:
    try:
        quantity = parse_quantity(line)
    except QuantityError:
        return False
    return isinstance(quantity.value, float) and quantity.low is None and not quantity.source


def find_later_findings(
    cast: BuiltinCast, dossier: Dossier, document: SeedDocument, agent: str
) -> Iterator[str]:
    """Yield what other checks than an agent's own report find."""
    yield from (finding.code for finding in verify_record(document.mechanics, cast.library).findings.errors)
    other = EULER if agent == NEWTON else NEWTON
    report = ask(cast, dossier, other, Phase.VALIDATE, REPORTS[other])
    assert isinstance(report, PhysicsReport | MathematicsReport)
    yield from (correction.problem for correction in report.corrections_needed)
    for role in (NEWTON, EULER):
        context = ContextPolicy().build_view(dossier, role, Phase.REFINE)
        assignment = Assignment(
            role, Phase.REFINE, "IM-0001", "Judge.", context, RefinementBallot.__name__, 100_000
        )
        review = cast.roles[role].review_distractor_inventory(AssignmentView(assignment))
        yield from (each.remark for each in review.findings if each.verdict != "right")


def iterate_table_lines(count: int) -> Iterator[str]:
    """Yield the table: for each agent and bin, how many approving reports, and the share that others object to."""
    cast = load_builtin_cast()
    rows: dict[tuple[str, float], list[bool]] = defaultdict(list)
    objected: dict[str, int] = defaultdict(int)
    for brief, document in draw_documents(cast, count):
        dossier = Dossier.create_for_brief(brief).add_deliverable(Phase.SEED, ATHENA, document)
        for agent, kind in REPORTS.items():
            report = ask(cast, dossier, agent, Phase.VALIDATE, kind)
            assert isinstance(report, PhysicsReport | MathematicsReport)
            if report.corrections_needed or report.vetoes:
                objected[agent] += 1
                continue
            floor = max(low for low in BINS if low <= report.confidence)
            rows[agent, floor].append(any(find_later_findings(cast, dossier, document, agent)))
    yield f"{'agent':<8} {'confidence':<12} {'approving':>9} {'later findings':>15}"
    for (agent, floor), found in sorted(rows.items()):
        ceiling = BINS[BINS.index(floor) + 1]
        yield f"{agent:<8} {floor:.2f} to {min(ceiling, 1.0):.2f} {len(found):>9} {sum(found) / len(found):>14.0%}"
    yield "; ".join(f"{agent} objected to {objected[agent]} of {count}" for agent in REPORTS)


def main() -> None:
    """Print the table."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for line in iterate_table_lines(count):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
