"""The page of a breakthrough candidate: all that an expert needs to vote, without authors or earlier votes.

The answer is shown verbatim inside a fence that it cannot close. All other external text is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from impossible_moments.domain.evaluation_protocol import LEAST_AGREEING_EXPERTS, PANEL
from impossible_moments.evaluation.breakthroughs.candidates import (
    BreakthroughCandidate,
    CandidateStage,
    CandidateStanding,
)
from impossible_moments.evaluation.breakthroughs.events import CRITERIA, VERIFICATION_METHODS
from impossible_moments.evaluation.breakthroughs.novelty import CANNOT_TELL, SIMILARITY_THRESHOLD, KnownLimit
from impossible_moments.evaluation.reports.report_elements import escape_invisible
from impossible_moments.scenarios import (
    NOTHING,
    escape_inline,
    join_paragraphs,
    render_bullet_list,
    render_table,
)

UNJUDGED: Final = "not judged; the panel has only the answer"
HIDDEN: Final = "The author and the other votes are shown after the panel has decided."
_FENCE: Final = "`"
_LEAST_FENCE: Final = 3


def render_candidate_page(candidate: BreakthroughCandidate, authors: Sequence[str] = ()) -> str:
    """Render the whole page as Markdown. The same events give the same bytes."""
    return join_paragraphs(*_render_sections(candidate, authors)) + "\n"


def describe_stage_results(candidate: BreakthroughCandidate) -> dict[CandidateStage, str]:
    """Return a description of the result of each stage."""
    novelty = candidate.collected.novelty
    return {
        CandidateStage.FILTER: _describe_filter(candidate),
        CandidateStage.NOVELTY: f"{novelty.found}",
        CandidateStage.PLAUSIBILITY: _describe_judging(candidate),
        CandidateStage.PANEL: _describe_panel(candidate),
        CandidateStage.VERIFICATION: _describe_verification(candidate),
    }


def _render_sections(candidate: BreakthroughCandidate, authors: Sequence[str]) -> Iterator[str]:
    collected = candidate.collected
    yield f"# Breakthrough candidate {candidate.name}"
    yield f"{collected.scenario_id}: {escape_inline(collected.title)}. Standing: **{candidate.standing}**."
    yield f"The situation is described in [public/{collected.scenario_id}.md](../public/{collected.scenario_id}.md)."
    yield render_table(("Stage", "Result"), describe_stage_results(candidate).items())
    yield "## The answer"
    yield "Verbatim, as a model wrote it. Any instructions in it are part of the answer."
    yield format_fenced_text(collected.answer)
    yield from _render_figures(candidate)
    yield from _render_novelty(candidate)
    yield from _render_panel(candidate, authors)
    if candidate.verified is not None:
        verified = candidate.verified
        yield "## Verification"
        yield render_bullet_list(
            (
                f"Tier {verified.tier}, {VERIFICATION_METHODS[verified.tier]}: {verified.result}",
                f"By {', '.join(verified.experts)}",
                f"Evidence: {verified.evidence}",
            )
        )


def _render_figures(candidate: BreakthroughCandidate) -> Iterator[str]:
    collected = candidate.collected
    yield "## Its figures"
    yield render_table(
        ("Figure", "Stated", "May be claimed"),
        (
            (name, collected.figures.get(name, "not in a readable form"), may)
            for name, may in collected.claims.items()
        ),
    )
    if collected.filtered.unstated:
        yield (
            "The judges flagged it by figures that they found in its text, which the results do not store. Check the figures "
            "of the answer against the conditions yourself."
        )
    met_conditions = set(collected.filtered.met)
    yield "### Conditions of the envelope"
    yield render_table(
        ("Condition", "As the record writes it", "Met"),
        (
            (name, f"`{body}`", "yes" if name in met_conditions else "unknown: figures not stated")
            for name, body in collected.envelope.items()
        ),
    )
    yield "### Known limits"
    yield render_table(
        ("Limit", "As the record writes it", "Source", "Exceeded", "By a factor", "In its whole range"),
        (_format_limit_row(each) for each in collected.novelty.limits),
    )
    yield "### Quantities in the conditions and limits"
    yield render_table(("Quantity", "As the record writes it"), collected.quantities.items())


def _format_limit_row(limit: KnownLimit) -> tuple[str, ...]:
    exceeded = "unknown: figures not stated" if limit.passed is None else _format_yes_no(limit.passed)
    factor = NOTHING if limit.factor is None else f"{limit.factor:.4g}"
    doubt = _format_yes_no(limit.beyond_doubt) if limit.passed else NOTHING
    return limit.name, f"`{limit.condition}`", limit.source, exceeded, factor, doubt


def _render_novelty(candidate: BreakthroughCandidate) -> Iterator[str]:
    novelty = candidate.collected.novelty
    yield "## Novelty against the knowledge boundary"
    yield f"Finding: {novelty.found}. {escape_inline(novelty.reason)}"
    yield render_table(
        ("Known approach", "Description", "Nearest line of the answer", "Cosine"),
        ((each.approach, each.told, each.line, f"{each.cosine:.2f}") for each in novelty.nearest),
    )
    yield f"From {SIMILARITY_THRESHOLD:.2f} a line counts as similar to the approach ({escape_inline(novelty.compared_by)}). This comparison cannot decide:"
    yield render_bullet_list(CANNOT_TELL)


def _render_panel(candidate: BreakthroughCandidate, authors: Sequence[str]) -> Iterator[str]:
    yield "## Questions for the expert"
    yield render_table(("Question", "Yes means"), CRITERIA.items())
    if not candidate.is_decided:
        options = " ".join(f"--{each} yes|no" for each in CRITERIA)
        yield f"A candidate is confirmed if {LEAST_AGREEING_EXPERTS} of {PANEL} experts say yes to all four. {HIDDEN}"
        yield format_fenced_text(
            f"im breakthroughs review {candidate.name} --expert NAME {options} --reason TEXT"
        )
        return
    yield "## The panel"
    yield render_table(
        ("Expert", *(each.capitalize() for each in CRITERIA), "Reason"),
        (
            (vote.expert, *(_format_yes_no(getattr(vote, each)) for each in CRITERIA), vote.reason)
            for vote in candidate.votes
        ),
    )
    yield f"Decided: **{_get_panel_decision(candidate)}**. The answer is by {', '.join(map(escape_inline, authors)) or 'an unknown author'}."


def _get_panel_decision(candidate: BreakthroughCandidate) -> CandidateStanding:
    return (
        CandidateStanding.REJECTED
        if candidate.standing is CandidateStanding.REJECTED
        else CandidateStanding.CONFIRMED
    )


def _describe_filter(candidate: BreakthroughCandidate) -> str:
    filter_result = candidate.collected.filtered
    if not filter_result.passes:
        return "passed by figures that judges found in its text; it does not state them in the form"
    return f"passed: meets {', '.join(filter_result.met)}; exceeds {', '.join(filter_result.beyond)}"


def _describe_judging(candidate: BreakthroughCandidate) -> str:
    judging = candidate.judging
    if judging is None:
        return UNJUDGED
    verdict = "above the threshold on all" if judging.flagged else "below the threshold for expert review"
    # a judge may be the model that answered, so judges are not named
    by = f" ({len(judging.judges)} judges)" if judging.judges else ""
    return f"{verdict}: {judging.points}{by}"


def _describe_panel(candidate: BreakthroughCandidate) -> str:
    count = f"{len(candidate.votes)} of {PANEL} votes"
    return f"{_get_panel_decision(candidate)}, {count}" if candidate.is_decided else count


def _describe_verification(candidate: BreakthroughCandidate) -> str:
    if candidate.verified is None:
        return "not yet"
    verified = candidate.verified
    return f"{verified.result}, tier {verified.tier}, {VERIFICATION_METHODS[verified.tier]}"


def _format_yes_no(claim: bool) -> str:  # noqa: FBT001 - the claim is the only argument
    return "yes" if claim else "no"


def format_fenced_text(text: str) -> str:
    """Return a text verbatim inside a fence longer than any in it, with invisible characters escaped."""
    lines = [escape_invisible(each) for each in re.split(r"\r\n|\r|\n", text)]
    longest = max((len(each) for each in re.findall(f"{_FENCE}+", text)), default=0)
    fence = _FENCE * max(_LEAST_FENCE, longest + 1)
    return "\n".join((f"{fence}text", *lines, fence))
