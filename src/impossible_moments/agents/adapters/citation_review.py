"""Review of the citations in a grounding report. Works outside the bibliography are marked as unverified."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from impossible_moments.domain.grounding import UNVERIFIED, GroundingReport


def mark_unverified_citations(report: GroundingReport, works: Collection[str]) -> GroundingReport:
    """Return the report with every citation marked that is not a key of the bibliography."""
    constructs = tuple(
        each.model_copy(
            update={"citations": _mark_citations_missing_from_bibliography(each.citations, works)}
        )
        for each in report.constructs
    )
    further = _mark_citations_missing_from_bibliography(report.further_citations, works)
    return report.model_copy(update={"constructs": constructs, "further_citations": further})


def find_citation_faults(report: GroundingReport) -> Iterator[str]:
    """Yield the faults for which a marked report is returned to the model."""
    unknown = [each.removeprefix(UNVERIFIED) for each in report.cited_keys if each.startswith(UNVERIFIED)]
    if unknown:
        yield (
            f"not in the bibliography: {', '.join(unknown[:10])}. Cite keys that `find_works` returns. Any other "
            "citation is marked as unverified and does not count for any gate"
        )


def _mark_citations_missing_from_bibliography(
    citations: Iterable[str], works: Collection[str]
) -> tuple[str, ...]:
    return tuple(
        each if each in works else f"{UNVERIFIED}{each.removeprefix(UNVERIFIED)}" for each in citations
    )
