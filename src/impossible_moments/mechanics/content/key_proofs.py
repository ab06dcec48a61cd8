"""Checks of the arguments in an answer key: proofs, claims and distractors."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from impossible_moments.mechanics.content.scenario_texts import KeyText, PublicText, collect_stems
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.expression_parser import ExpressionError, parse_expression

FEWEST_PROOF_WORDS: Final = 12
FEWEST_SHARED_WORDS: Final = 3
_BOOKKEEPING: Final = re.compile(r"\b[a-z]+_[a-z_]+(?:\.[a-z_]+)?\b|\b[a-z]+\.[a-z_]+\b(?!\s)|`[^`]+`")
_NEGATION: Final = re.compile(
    r"\b(?:not?|never|nor|neither|without|instead|leave|ignore|refuse|drop|fails?|too|cannot|only|alone|than|off|away|short|wrong)\b",
    re.IGNORECASE,
)
_EMPTY_COMPARISON: Final = re.compile(
    r"\b(?:is|are) (?:more|greater) than (?:0|zero|nothing)\b", re.IGNORECASE
)


def check_proof(
    proof: KeyText,
    text: PublicText,
    conflict: Iterable[str],
    bookkeeping: Collection[str],
    findings: Findings,
) -> None:
    """Report a proof that is empty, speaks in names of the record, or rests on bookkeeping conditions alone."""
    words = proof.text.split()
    shared = collect_stems(proof.text) & text.stems
    names = _BOOKKEEPING.findall(proof.text)
    if len(words) < FEWEST_PROOF_WORDS or len(shared) < FEWEST_SHARED_WORDS:
        problem = f"the proof has {len(words)} words, of which {len(shared)} are words of the text"
    elif names:
        problem = f"the proof speaks in names of the record: {', '.join(dict.fromkeys(names))}"
    else:
        problem = ""
    if problem:
        findings.add(
            "key.proof-empty",
            proof.where,
            problem,
            found=proof.text,
            expected="what could be tried, why each fails and by how much, in the words of the text",
        )
    conditions = list(conflict)
    if conditions and all(name in bookkeeping for name in conditions):
        findings.add(
            "key.proof-empty",
            "/status/conflict",
            f"every condition of the conflict is bookkeeping: {', '.join(conditions)}",
            expected="at least one condition that compares quantities of the text",
        )


def check_claim(where: str, text: str, expression: str, findings: Findings) -> None:
    """Report a claim that says only that something is more than zero."""
    if _EMPTY_COMPARISON.search(text) or _compares_with_zero(expression):
        findings.add(
            "key.claim-empty",
            where,
            "the claim says only that a quantity is more than zero",
            found=text or expression,
            expected="the comparison that decides, with both figures: `12 + 52 = 64 t·m, limit 80`",
        )


def _compares_with_zero(expression: str) -> bool:
    try:
        tree = parse_expression(expression) if expression.strip() else None
    except ExpressionError:
        return False
    match tree:
        case ex.Comparison(">" | ">=" | "!=", ex.Name() | ex.Property(), ex.Number(value)):
            return value == 0
        case ex.Comparison("<" | "<=" | "!=", ex.Number(value), ex.Name() | ex.Property()):
            return value == 0
        case _:
            return False


def check_distractors(
    distractors: Mapping[str, str], used: Mapping[str, str], outcome: str, findings: Findings
) -> None:
    """Report a distractor that a working plan uses, or that the correct outcome names.

    `distractors` gives the label of each distractor, `used` the call for each thing that a working plan uses, and
    `outcome` the correct outcome in words.
    """
    for name, label in distractors.items():
        if name in used:
            findings.add(
                "key.distractor-used",
                f"/telling/distractors/{name}",
                f"the distractor `{name}` is used by a working plan: `{used[name]}`",
                found=name,
                expected="a thing that no working plan uses",
            )
        elif label and collect_stems(label) and _names_as_used(outcome, label):
            findings.add(
                "key.distractor-named",
                f"/telling/distractors/{name}",
                f"the correct outcome speaks of `{label}`, which is listed as a distractor",
                found=outcome,
                expected="an outcome without it, or another distractor",
            )


def _names_as_used(outcome: str, label: str) -> bool:
    """Return whether a clause of the outcome has all words of a label and no negation."""
    return any(
        collect_stems(label) <= collect_stems(clause) and not _NEGATION.search(clause)
        for clause in re.split(r"[.;,:]", outcome)
    )
