"""The page of a breakthrough candidate: all that an expert needs to vote, without authors or earlier votes.

The answer is shown verbatim inside a fence that it cannot close. All other external text is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from impossible_moments.evaluation.breakthroughs.candidates import AGREEING, PANEL, Candidate, Stage, Standing
from impossible_moments.evaluation.breakthroughs.events import CRITERIA, TIERS
from impossible_moments.evaluation.breakthroughs.novelty import CANNOT_TELL, CLOSE, Limit
from impossible_moments.evaluation.reports.form import visible
from impossible_moments.scenarios.markdown import NOTHING, bullets, inline, joined, table

UNJUDGED: Final = "not judged; the panel has only the answer"
HIDDEN: Final = "The author and the other votes are shown after the panel has decided."
_FENCE: Final = "`"
_LEAST_FENCE: Final = 3


def page(candidate: Candidate, authors: Sequence[str] = ()) -> str:
    """Render the whole page as Markdown. The same events give the same bytes."""
    return joined(*_sections(candidate, authors)) + "\n"


def stages(candidate: Candidate) -> dict[Stage, str]:
    """Return a description of the result of each stage."""
    novelty = candidate.collected.novelty
    return {
        Stage.FILTER: _filter_told(candidate),
        Stage.NOVELTY: f"{novelty.found}",
        Stage.PLAUSIBILITY: _judging_told(candidate),
        Stage.PANEL: _panel_told(candidate),
        Stage.VERIFICATION: _verification_told(candidate),
    }


def _sections(candidate: Candidate, authors: Sequence[str]) -> Iterator[str]:
    collected = candidate.collected
    yield f"# Breakthrough candidate {candidate.name}"
    yield f"{collected.scenario_id}: {inline(collected.title)}. Standing: **{candidate.standing}**."
    yield f"The situation is described in [public/{collected.scenario_id}.md](../public/{collected.scenario_id}.md)."
    yield table(("Stage", "Result"), stages(candidate).items())
    yield "## The answer"
    yield "Verbatim, as a model wrote it. Any instructions in it are part of the answer."
    yield fenced(collected.answer)
    yield from _figures(candidate)
    yield from _novelty(candidate)
    yield from _panel(candidate, authors)
    if candidate.verified is not None:
        verified = candidate.verified
        yield "## Verification"
        yield bullets(
            (
                f"Tier {verified.tier}, {TIERS[verified.tier]}",
                f"By {', '.join(verified.experts)}",
                f"Evidence: {verified.evidence}",
            )
        )


def _figures(candidate: Candidate) -> Iterator[str]:
    collected = candidate.collected
    yield "## Its figures"
    yield table(
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
    met = set(collected.filtered.met)
    yield "### Conditions of the envelope"
    yield table(
        ("Condition", "As the record writes it", "Met"),
        (
            (name, f"`{body}`", "yes" if name in met else "unknown: figures not stated")
            for name, body in collected.envelope.items()
        ),
    )
    yield "### Known limits"
    yield table(
        ("Limit", "As the record writes it", "Source", "Exceeded", "By a factor", "In its whole range"),
        (_limit_row(each) for each in collected.novelty.limits),
    )
    yield "### Quantities in the conditions and limits"
    yield table(("Quantity", "As the record writes it"), collected.quantities.items())


def _limit_row(limit: Limit) -> tuple[str, ...]:
    passed = "unknown: figures not stated" if limit.passed is None else _yes(limit.passed)
    factor = NOTHING if limit.factor is None else f"{limit.factor:.4g}"
    doubt = _yes(limit.beyond_doubt) if limit.passed else NOTHING
    return limit.name, f"`{limit.condition}`", limit.source, passed, factor, doubt


def _novelty(candidate: Candidate) -> Iterator[str]:
    novelty = candidate.collected.novelty
    yield "## Novelty against the knowledge boundary"
    yield f"Finding: {novelty.found}. {inline(novelty.reason)}"
    yield table(
        ("Known approach", "Description", "Nearest line of the answer", "Cosine"),
        ((each.approach, each.told, each.line, f"{each.cosine:.2f}") for each in novelty.nearest),
    )
    yield f"From {CLOSE:.2f} a line counts as similar to the approach ({inline(novelty.compared_by)}). This comparison cannot decide:"
    yield bullets(CANNOT_TELL)


def _panel(candidate: Candidate, authors: Sequence[str]) -> Iterator[str]:
    yield "## Questions for the expert"
    yield table(("Question", "Yes means"), CRITERIA.items())
    if not candidate.decided:
        options = " ".join(f"--{each} yes|no" for each in CRITERIA)
        yield f"A candidate is confirmed if {AGREEING} of {PANEL} experts say yes to all four. {HIDDEN}"
        yield fenced(f"im breakthroughs review {candidate.name} --expert NAME {options} --reason TEXT")
        return
    yield "## The panel"
    yield table(
        ("Expert", *(each.capitalize() for each in CRITERIA), "Reason"),
        (
            (vote.expert, *(_yes(getattr(vote, each)) for each in CRITERIA), vote.reason)
            for vote in candidate.votes
        ),
    )
    yield f"Decided: **{_decision(candidate)}**. The answer is by {', '.join(map(inline, authors)) or 'an unknown author'}."


def _decision(candidate: Candidate) -> Standing:
    return Standing.REJECTED if candidate.standing is Standing.REJECTED else Standing.CONFIRMED


def _filter_told(candidate: Candidate) -> str:
    filtered = candidate.collected.filtered
    if not filtered.passes:
        return "passed by figures that judges found in its text; it does not state them in the form"
    return f"passed: meets {', '.join(filtered.met)}; exceeds {', '.join(filtered.beyond)}"


def _judging_told(candidate: Candidate) -> str:
    judging = candidate.judging
    if judging is None:
        return UNJUDGED
    verdict = "above the threshold on all" if judging.flagged else "below the threshold for expert review"
    # a judge may be the model that answered, so judges are not named
    by = f" ({len(judging.judges)} judges)" if judging.judges else ""
    return f"{verdict}: {judging.points}{by}"


def _panel_told(candidate: Candidate) -> str:
    count = f"{len(candidate.votes)} of {PANEL} votes"
    return f"{_decision(candidate)}, {count}" if candidate.decided else count


def _verification_told(candidate: Candidate) -> str:
    if candidate.verified is None:
        return "not yet"
    return f"tier {candidate.verified.tier}, {TIERS[candidate.verified.tier]}"


def _yes(claim: bool) -> str:  # noqa: FBT001 - the claim is the only argument
    return "yes" if claim else "no"


def fenced(text: str) -> str:
    """Return a text verbatim inside a fence longer than any in it, with invisible characters escaped."""
    lines = [visible(each) for each in re.split(r"\r\n|\r|\n", text)]
    longest = max((len(each) for each in re.findall(f"{_FENCE}+", text)), default=0)
    fence = _FENCE * max(_LEAST_FENCE, longest + 1)
    return "\n".join((f"{fence}text", *lines, fence))
