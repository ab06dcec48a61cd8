"""The checks of specification 5.3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from impossible_moments.agents.orchestrator.gates.gate_case import (
    Check,
    GateCase,
    is_blank_or_placeholder,
    make_confidence_check,
    make_report_check,
)
from impossible_moments.domain.grounding import UNVERIFIED, GroundingReport
from impossible_moments.domain.thresholds import LEAST_BENCHMARKS, LEAST_CITATIONS, LEAST_CONSTRUCTS
from impossible_moments.domain.vocabulary import GALILEO


def _find_construct_gaps(case: GateCase, report: GroundingReport) -> Iterator[str]:
    different = {
        _normalize_case_and_spaces(each.construct_tested)
        for each in report.constructs
        if not is_blank_or_placeholder(each.construct_tested)
    }
    if len(different) < LEAST_CONSTRUCTS:
        yield f"Map at least {LEAST_CONSTRUCTS} different cognitive constructs; {len(different)} are there."
    uncited = [
        each.construct_tested for each in report.constructs if not _filter_verified_citations(each.citations)
    ]
    if uncited:
        yield f"Cite a work for {', '.join(uncited)}."
    insights = len(case.seed.insight_chain) if case.seed is not None else 0
    mapped = {each.insight for each in report.constructs}
    open_insights = [str(number) for number in range(1, insights + 1) if number not in mapped]
    if open_insights:
        yield f"Map a construct to insight {', '.join(open_insights)}."


def _find_citation_gaps(case: GateCase, report: GroundingReport) -> Iterator[str]:
    works = case.resources.works
    cited = _filter_verified_citations(report.cited_keys)
    unknown = [key for key in cited if key not in works]
    if unknown:
        yield f"Cite only works of the bibliography; it does not hold {', '.join(unknown)}."
    vague_citations = [
        key
        for key in cited
        if key in works and not (works[key].authors and works[key].year and works[key].title)
    ]
    if vague_citations:
        yield f"Cite works with author, year and title, which {', '.join(vague_citations)} lack."
    specific = len(cited) - len(unknown) - len(vague_citations)
    if specific < LEAST_CITATIONS:
        yield f"Cite at least {LEAST_CITATIONS} different works; {specific} are there."


def _find_missing_prediction_evidence(_case: GateCase, report: GroundingReport) -> Iterator[str]:
    evidence = {
        "the chain of insights": report.compositional_chain,
        "the intuition to override": report.counter_intuitive_demand,
        "resistance to contamination": report.contamination_resistance,
    }
    missing = [name for name, text in evidence.items() if is_blank_or_placeholder(text)]
    if missing:
        yield f"Predicted scores rest on evidence: write on {', '.join(missing)}."


def _find_missing_benchmarks(_case: GateCase, report: GroundingReport) -> Iterator[str]:
    compared_benchmarks = {
        _normalize_case_and_spaces(each.benchmark)
        for each in report.benchmarks
        if not is_blank_or_placeholder(each.difference)
    }
    if len(compared_benchmarks) < LEAST_BENCHMARKS:
        yield f"Compare with at least {LEAST_BENCHMARKS} existing benchmarks and say how each differs; {len(compared_benchmarks)} are there."


def _find_validity_concerns(_case: GateCase, report: GroundingReport) -> Iterator[str]:
    for concern in report.validity_concerns:
        yield f"You flag a concern about construct validity: {concern} Recommend what would remove it, or say why it no longer holds."


def _filter_verified_citations(citations: Iterable[str]) -> tuple[str, ...]:
    """Return the citations that count. Those marked as unverified are shown but do not count."""
    return tuple(each for each in citations if not each.startswith(UNVERIFIED))


def _normalize_case_and_spaces(text: str) -> str:
    return " ".join(text.lower().replace("_", " ").split())


_of_report = partial(make_report_check, GroundingReport, GALILEO)

check_constructs_mapped: Final[Check] = _of_report(_find_construct_gaps)
check_citations_specific: Final[Check] = _of_report(_find_citation_gaps)
check_prediction_present: Final[Check] = _of_report(_find_missing_prediction_evidence)
check_benchmarks_compared: Final[Check] = _of_report(_find_missing_benchmarks)
check_no_validity_concern: Final[Check] = _of_report(_find_validity_concerns)
check_galileo_confidence: Final[Check] = make_confidence_check(
    GALILEO, lambda case: case.collect_deliverables_since_revision(GroundingReport).get(GALILEO)
)
