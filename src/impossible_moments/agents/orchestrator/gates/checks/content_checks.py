"""Checks of a seed document as its readers see it: warnings for ATHENA that do not close the gate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from impossible_moments.agents.orchestrator.gates.gate_case import Check, GateCase, make_seed_check
from impossible_moments.agents.orchestrator.gates.public_text_comparison import (
    MOST_NAMED,
    collect_public_texts,
)
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.content import (
    KeyText,
    PublicText,
    TableRow,
    check_claim,
    check_key_words,
    check_proof,
    check_public_text,
)
from impossible_moments.mechanics.findings import Findings


def build_public_text(seed: SeedDocument) -> PublicText:
    """Return the public part of a seed document."""
    scenario = seed.scenario
    rows = (
        *(
            TableRow("environment", row.feature, tuple(row.specification.split("; ")))
            for row in scenario.environment
        ),
        *(
            TableRow("objects", row.name, (row.mass, row.dimensions, row.material, *row.notes.split("; ")))
            for row in scenario.objects
        ),
        *(TableRow("capabilities", row.parameter, (row.value,)) for row in scenario.capabilities),
    )
    further = (scenario.name, collect_public_texts(seed)["looks impossible"])
    return PublicText(scenario.narrative, scenario.threat, scenario.position, rows, further)


def list_seed_key_texts(seed: SeedDocument) -> tuple[KeyText, ...]:
    """Return the texts of a seed document that only the answer key has."""
    wrong_answers = enumerate(seed.wrong_answers, 1)
    return (
        KeyText("correct outcome", seed.correct_outcome),
        KeyText("impossibility proof", seed.solution_sketch.impossibility_proof),
        *(
            KeyText(f"step {number}", step.action)
            for number, step in enumerate(seed.solution_sketch.steps, 1)
        ),
        *(
            KeyText(f"wrong answer {number}", f"{each.answer} {each.why_wrong}")
            for number, each in wrong_answers
        ),
        *(KeyText(f"distractor {each.name}", each.why_irrelevant) for each in seed.distractor_inventory),
    )


def list_reading_problems(seed: SeedDocument) -> tuple[str, ...]:
    """Return what a first-time reader of a seed document would stumble over, each with its code and place."""
    findings = Findings()
    text = build_public_text(seed)
    check_public_text(text, findings)
    check_key_words(list_seed_key_texts(seed), text, findings)
    for claim in seed.solution_sketch.claims:
        check_claim(f"claim {claim.claim_id}", claim.text, claim.expression, findings)
    if seed.solution_sketch.impossibility_proof:
        check_proof(
            KeyText("impossibility proof", seed.solution_sketch.impossibility_proof), text, (), (), findings
        )
    return tuple(
        f"{finding.code}, {finding.where}: {finding.what}.{_quote_found_text(finding.found)}"
        for finding in islice(findings, MOST_NAMED)
    )


def _quote_found_text(found: str | None) -> str:
    return f" Found: “{found}”." if found else ""


def _find_reading_problems(_case: GateCase, seed: SeedDocument) -> Iterator[str]:
    yield from list_reading_problems(seed)


check_text_reads_well: Final[Check] = make_seed_check(_find_reading_problems)
