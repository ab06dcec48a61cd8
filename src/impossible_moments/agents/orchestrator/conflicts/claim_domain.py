"""The domain of a disputed claim, decided by fixed rules from where it stands and what it is about.

Neither party can choose the domain. Rules are tried in the order of `RULES`, and the first that applies
decides. A claim can lie in two domains: if it stands in fields of both, or if it compares quantities of both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from impossible_moments.agents.orchestrator.conflicts.domain_authority import AUTHORITY, get_home_domain
from impossible_moments.agents.orchestrator.conflicts.evidence_evaluation import EvidenceEvaluator
from impossible_moments.agents.orchestrator.conflicts.quantity_relations import (
    list_stated_quantities,
    list_stated_relations,
)
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel, get_field_labels
from impossible_moments.domain.disputes import (
    PROVING,
    Ballot,
    ChallengeResponse,
    Domain,
    Evidence,
    EvidenceKind,
    VetoReview,
)
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import ATHENA
from impossible_moments.mechanics.language import TIME, Dimension
from impossible_moments.mechanics.language.dimensions import DOLLAR, EURO, INFORMATION

LEAST_WORDS: Final = 2
"""A field is named by a claim that contains it if the field has at least this many words."""
_COUNTED: Final = frozenset(
    base for dimension in (TIME, INFORMATION, EURO, DOLLAR) for base, _ in dimension.powers
)
"""Base quantities that are counted and summed. All other ones are physical."""

# fmt: off
LABEL_DOMAINS: Final[Mapping[ContentLabel, Domain]] = {
    ContentLabel.NARRATIVE:      "design",
    ContentLabel.SOLUTION:       "design",
    ContentLabel.PHYSICS:        "physics",
    ContentLabel.MATHEMATICS:    "mathematics",
    ContentLabel.GROUNDING:      "grounding",
    ContentLabel.CLASSIFICATION: "classification",
}
"""The domain of a field by its label. Fields with other labels lie in their author's own domain."""
SEED_FIELD_DOMAINS: Final[Mapping[str, Domain | None]] = {
    # Fields of the seed document with another domain than their label. None places no claim.
    "scenario.objects":                      "physics",
    "scenario.capabilities":                 "physics",
    "scenario.environment":                  "physics",
    "solution_sketch.steps":                 "physics",
    "solution_sketch.impossibility_proof":   "mathematics",
    "insight_chain.fixedness_type":          "grounding",
    "solution_sketch.claims":                None,  # decided by their expressions
    "distractor_inventory.name":             None,  # a distractor is also a row of the object table
    "mechanics":                             None,  # the record's own text is decided by its quantities
}
EVIDENCE_DOMAINS: Final[Mapping[EvidenceKind, Domain | None]] = {
    "physical principle": "physics",
    "physical meaning":   "physics",
    "derivation":         "physics",
    "proof":              "mathematics",
    "epistemology":       "classification",
    "unfairness":         "design",
    "calculation":        None,  # decided by its quantities alone
    "citation":           None,  # a source can support a claim of any domain
}
# fmt: on
_FIXEDNESS: Final = re.compile(r"\bfixedness type|\binsight chain\b", re.IGNORECASE)
"""The names of the fields that GALILEO grounds, also where they are empty."""
_STATUS: Final = re.compile(r"\b(?:KS|CT|OF|PX|MT|DG)\b")
_ANSWERS: Final = (Ballot, ChallengeResponse, VetoReview)
"""Answers within disputes. A claim that is repeated in one of them does not stand there."""


@dataclass(frozen=True, slots=True)
class ClaimPlacement:
    """The domains of a claim, in the order of the table of authority, and the rule that decided."""

    domains: tuple[Domain, ...]
    rule: str

    @property
    def domain(self) -> Domain:
        """The first domain, which names the expert and the authority."""
        return self.domains[0]


@dataclass(frozen=True, slots=True)
class DisputedClaim:
    """A claim with what is needed to decide its domain."""

    dossier: Dossier
    challenged: str
    text: str
    evaluator: EvidenceEvaluator


Rule: TypeAlias = Callable[[DisputedClaim], frozenset[Domain]]


def decide_claim_domains(claim: DisputedClaim) -> ClaimPlacement:
    """Return the domains of a claim by the first rule that applies."""
    for name, rule in RULES.items():
        domains = rule(claim)
        if domains:
            return ClaimPlacement(_sort_domains(domains), name)
    raise AssertionError("the last rule always applies")


def list_dispute_domains(
    claim_domains: tuple[Domain, ...],
    evidence: Mapping[str, tuple[Evidence, ...]],
    evaluator: EvidenceEvaluator,
) -> tuple[Domain, ...]:
    """Return the domains that a claim and the evidence of its parties lie in, the claim's first.

    Evidence by which a party may overrule the claim's authority lies in the claim's domain.
    """
    override = AUTHORITY[claim_domains[0]].override
    found: set[Domain] = set()
    for agent, pieces in evidence.items():
        for piece in pieces:
            if not override.is_supported_by_agent(agent, (piece,)):
                found |= list_evidence_domains(piece, evaluator)
    return (*claim_domains, *_sort_domains(found - set(claim_domains)))


def list_evidence_domains(evidence: Evidence, evaluator: EvidenceEvaluator) -> frozenset[Domain]:
    """Return the domains of a piece of evidence: of what it computes, if it computes, else of its kind."""
    computed = _classify_expression(evidence.expression, evaluator)
    if not computed and evidence.kind in PROVING:
        computed = _classify_quantities(evidence.text)
    by_kind = EVIDENCE_DOMAINS[evidence.kind]
    return computed or (frozenset({by_kind}) if by_kind is not None else frozenset())


def _classify_sketch_claim(claim: DisputedClaim) -> frozenset[Domain]:
    """Classify a claim of ATHENA's sketch, named by its identifier or its text, by what it computes."""
    seed = claim.dossier.find_latest_deliverable(SeedDocument)
    if claim.challenged != ATHENA or seed is None:
        return frozenset()
    wanted = normalize_claim(claim.text)
    for each in seed.solution_sketch.claims:
        if wanted in {normalize_claim(each.claim_id), normalize_claim(each.text)}:
            return (
                _classify_expression(each.expression, claim.evaluator)
                or _classify_quantities(each.text)
                or frozenset({"design"})
            )
    return frozenset()


def _classify_by_equal_field(claim: DisputedClaim) -> frozenset[Domain]:
    wanted = normalize_claim(claim.text)
    return _collect_domains(claim, lambda text: normalize_claim(text) == wanted)


def _classify_by_quoting_field(claim: DisputedClaim) -> frozenset[Domain]:
    """Classify a claim of several words that a field contains."""
    wanted = normalize_claim(claim.text)
    if len(wanted.split()) <= LEAST_WORDS:
        return frozenset()
    return _collect_domains(claim, lambda text: wanted in normalize_claim(text))


def _classify_by_status(claim: DisputedClaim) -> frozenset[Domain]:
    """Classify a claim that names a solution status."""
    return frozenset({"classification"}) if _STATUS.search(claim.text) else frozenset()


def _classify_by_named_field(claim: DisputedClaim) -> frozenset[Domain]:
    """Classify a claim of ATHENA that contains a field's text or name: whole words of it, or in quotation marks."""
    if claim.challenged != ATHENA:
        return frozenset()
    if _FIXEDNESS.search(claim.text):
        return frozenset({"grounding"})
    padded = f" {normalize_claim(claim.text)} "

    def is_named(text: str) -> bool:
        name = normalize_claim(text)
        is_quoted = any(f"{mark}{text.strip()}{mark}" in claim.text for mark in "`\"'")
        return is_quoted or (len(name.split()) >= LEAST_WORDS and f" {name} " in padded)

    return _collect_domains(claim, is_named)


def _classify_by_quantities(claim: DisputedClaim) -> frozenset[Domain]:
    return _classify_quantities(claim.text) if claim.challenged == ATHENA else frozenset()


def _classify_by_author(claim: DisputedClaim) -> frozenset[Domain]:
    """Place any other claim in its author's own domain (4.1: the challenged agent's authority applies)."""
    return frozenset({get_home_domain(claim.challenged)})


RULES: Final[Mapping[str, Rule]] = {
    "a claim of the solution sketch": _classify_sketch_claim,
    "the text of a field": _classify_by_equal_field,
    "part of a field": _classify_by_quoting_field,
    "a solution status": _classify_by_status,
    "the name of a field's entry": _classify_by_named_field,
    "its quantities": _classify_by_quantities,
    "its author": _classify_by_author,
}
"""The rules in the order in which they are tried, by what they decide from."""


def normalize_claim(text: str) -> str:
    """Return a claim without differences of case, white space and the full stop."""
    return " ".join(text.casefold().split()).rstrip(".")


def _classify_expression(expression: str, evaluator: EvidenceEvaluator) -> frozenset[Domain]:
    """Classify the comparisons of an expression: with physical quantities, or only with times and numbers."""
    if not expression:
        return frozenset()
    return frozenset(
        _classify_dimensions(dimensions)
        for dimensions in evaluator.list_compared_dimensions(expression)
        if dimensions
    )


def _classify_quantities(text: str) -> frozenset[Domain]:
    """Classify a text by its quantities.

    Plain numbers count only in a stated relation: `3 keys` is no mathematics, and `2 + 2 = 4` is.
    """
    measured = frozenset(
        each.dimension for each in list_stated_quantities(text) if not each.dimension.is_plain
    )
    if measured:
        return frozenset({_classify_dimensions(measured)})
    return frozenset({"mathematics"}) if list_stated_relations(text) else frozenset()


def _classify_dimensions(dimensions: frozenset[Dimension]) -> Domain:
    bases = {base for dimension in dimensions for base, _ in dimension.powers}
    return "mathematics" if bases <= _COUNTED else "physics"


def _collect_domains(claim: DisputedClaim, is_meant: Callable[[str], bool]) -> frozenset[Domain]:
    """Return the domains of the challenged agent's fields whose text is meant."""
    found: set[Domain] = set()
    newest = {
        type(entry.deliverable): entry.deliverable
        for entry in claim.dossier.entries
        if entry.author == claim.challenged and not isinstance(entry.deliverable, _ANSWERS)
    }
    for deliverable in newest.values():
        for path, text, labels in _iterate_texts(deliverable):
            if text.strip() and is_meant(text):
                found |= _get_field_domains(claim.challenged, deliverable, path, labels)
    return frozenset(found)


def _iterate_texts(
    value: object, path: str = "", labels: frozenset[ContentLabel] = frozenset()
) -> Iterator[tuple[str, str, frozenset[ContentLabel]]]:
    """Yield every text of a deliverable with its path and the labels that apply to it."""
    match value:
        case LabelledModel():
            for name, own in get_field_labels(type(value)).items():
                yield from _iterate_texts(
                    getattr(value, name), f"{path}.{name}" if path else name, own or labels
                )
        case str():
            yield path, value, labels
        case tuple() | list():
            for each in value:
                yield from _iterate_texts(each, path, labels)
        case dict():
            for each in value.values():
                yield from _iterate_texts(each, path, labels)
        case _:
            pass


def _get_field_domains(
    author: str, deliverable: LabelledModel, path: str, labels: frozenset[ContentLabel]
) -> frozenset[Domain]:
    if isinstance(deliverable, SeedDocument):
        for prefix, domain in SEED_FIELD_DOMAINS.items():
            if path == prefix or path.startswith(f"{prefix}."):
                return frozenset({domain}) if domain is not None else frozenset()
    found = frozenset(LABEL_DOMAINS[label] for label in labels if label in LABEL_DOMAINS)
    return found or frozenset({get_home_domain(author)})


def _sort_domains(domains: frozenset[Domain] | set[Domain]) -> tuple[Domain, ...]:
    return tuple(domain for domain in AUTHORITY if domain in domains)
