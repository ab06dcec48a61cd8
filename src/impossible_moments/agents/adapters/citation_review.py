"""A grounding report as a model hands it in: works that the bibliography does not hold are marked, and count nowhere."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from impossible_moments.domain.grounding import UNVERIFIED, GroundingReport


def marked(report: GroundingReport, works: Collection[str]) -> GroundingReport:
    """The report with every citation marked that is no key of the bibliography."""
    constructs = tuple(
        each.model_copy(update={"citations": _marked(each.citations, works)}) for each in report.constructs
    )
    further = _marked(report.further_citations, works)
    return report.model_copy(update={"constructs": constructs, "further_citations": further})


def faults_of(report: GroundingReport) -> Iterator[str]:
    """What a marked report is handed back for."""
    unknown = [each.removeprefix(UNVERIFIED) for each in report.cited if each.startswith(UNVERIFIED)]
    if unknown:
        yield (
            f"the bibliography does not hold {', '.join(unknown[:10])}: cite keys that `find_works` gives; any other "
            "citation is marked as unverified and counts for no gate"
        )


def _marked(citations: Iterable[str], works: Collection[str]) -> tuple[str, ...]:
    return tuple(
        each if each in works else f"{UNVERIFIED}{each.removeprefix(UNVERIFIED)}" for each in citations
    )
