"""The page of a candidate: an expert finds everything there, and no word of an answer forges any of it."""

from __future__ import annotations

import re

import pytest

from impossible_moments.evaluation.breakthroughs.candidate_page import (
    UNJUDGED,
    describe_stage_results,
    format_fenced_text,
    render_candidate_page,
)
from impossible_moments.evaluation.breakthroughs.candidates import BreakthroughCandidate, CandidateStage
from impossible_moments.evaluation.breakthroughs.events import CRITERIA, CandidateCollected
from impossible_moments.evaluation.breakthroughs.frontier_filter import FilterResult
from impossible_moments.evaluation.breakthroughs.novelty import (
    CANNOT_TELL,
    ApproachLikeness,
    KnownLimit,
    NoveltyFinding,
    NoveltyReport,
)
from support.breakthrough_answers import (
    FLAGGED,
    build_collected_event,
    build_confirmed_candidate,
    build_verified_event,
    build_vote,
)

HOSTILE = (
    "```\n# Verified\n````\n## The panel\n~~~\n<script>x</script>\n| a | b |\n\r# Cut\x85# Next\u2028# Last\x1b[31m\n"
    "`````text\nStanding: **verified**\n"
)
LIMIT = KnownLimit(
    "shown_white", "white <= whitest", "Li et al. 2021", passed=True, beyond_doubt=True, factor=9.5
)
EVENT = build_collected_event(
    HOSTILE,
    figures={"white": "0.998"},
    claims={"white": "choose 0.9..0.999"},
    envelope={"freezes": "clear*sky >= duty"},
    quantities={"whitest": "0.981 assumed @ Li 2021"},
    novelty=NoveltyReport(
        NoveltyFinding.FAMILIAR,
        "Its text resembles `paint_it`.",
        (LIMIT,),
        nearest=(ApproachLikeness("paint_it", "paint the plate", "# Paint | it\n# Forged", 0.61),),
        compared_by="embedder 1",
    ),
)


def headings(text: str) -> list[str]:
    """The headings that a reader of Markdown sees: lines outside of fences, by the rule of CommonMark."""
    found, fence = [], ""
    for line in re.split(r"\r\n|\r|\n", text):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence:
            if re.fullmatch(rf" {{0,3}}{re.escape(fence[0])}{{{len(fence)},}}[ \t]*", line):
                fence = ""
        elif mark is not None:
            fence = mark[1]
        elif line.startswith("#"):
            found.append(line)
    assert not fence
    return found


OURS = [
    f"# Breakthrough candidate {EVENT.candidate}",
    "## The answer",
    "## Its figures",
    "### Conditions of the envelope",
    "### Known limits",
    "### Quantities in the conditions and limits",
    "## Novelty against the knowledge boundary",
    "## Questions for the expert",
]


def test_a_hostile_answer_forges_no_heading() -> None:
    assert headings(render_candidate_page(BreakthroughCandidate(EVENT))) == OURS


def test_a_hostile_answer_is_shown_whole_and_prints_nothing_unseen() -> None:
    text = render_candidate_page(BreakthroughCandidate(EVENT))
    assert "\x1b" not in text
    assert "\\x1b[31m" in text
    assert "<script>x</script>" in text.partition("## The answer")[2].partition("## Its figures")[0]
    assert "<script>" not in text.partition("## Its figures")[2]


@pytest.mark.parametrize("text", ["", "`", "````", "a\n`````` \nb", "~~~", "\r```\r# x", "``` `"])
def test_no_text_closes_its_fence(text: str) -> None:
    assert headings(f"{format_fenced_text(text)}\n# Ours") == ["# Ours"]


def test_words_of_others_stay_in_their_cells() -> None:
    reason = "Fine | really\n\n## Verification\n\n[link](http://x) <b>"
    candidate = BreakthroughCandidate(EVENT)
    for expert in ("first | expert", "second expert"):
        candidate = candidate.apply_event(build_vote(expert, candidate=EVENT.candidate, reason=reason))
    text = render_candidate_page(candidate, ["# maker:model\n## Forged"])
    assert headings(text) == [*OURS, "## The panel"]
    assert "](http" not in text
    assert "<b>" not in text.partition("## The panel")[2]


def test_an_expert_finds_figures_conditions_limits_words_and_questions() -> None:
    text = render_candidate_page(BreakthroughCandidate(EVENT))
    for part in (
        "| white | 0.998 | choose 0.9..0.999 |",
        "| freezes | `clear*sky >= duty` | yes |",
        "| shown_white | `white <= whitest` | Li et al. 2021 | yes | 9.5 | yes |",
        "| whitest | 0.981 assumed @ Li 2021 |",
        "| 0.61 |",
        f"im breakthroughs review {EVENT.candidate}",
        *CRITERIA.values(),
        *CANNOT_TELL,
    ):
        assert part in text


def test_a_page_names_no_author_and_no_vote_before_the_panel_has_decided() -> None:
    candidate = BreakthroughCandidate(EVENT).apply_event(
        build_vote("first expert", "valid", candidate=EVENT.candidate, reason="Entropy.")
    )
    text = render_candidate_page(candidate)
    assert "1 of 3 votes" in text
    assert "first expert" not in text
    assert "Entropy" not in text


def test_a_decided_page_tells_votes_reasons_and_author() -> None:
    text = render_candidate_page(build_confirmed_candidate(EVENT), ("maker:model",))
    assert "| first expert | yes | yes | yes | yes | I looked. |" in text
    assert "Decided: **candidate confirmed by panel**. The answer is by maker:model." in text
    assert "im breakthroughs review" not in text


def test_a_verified_page_tells_how() -> None:
    text = render_candidate_page(
        build_confirmed_candidate(EVENT).apply_event(build_verified_event(EVENT.candidate)), ("maker:model",)
    )
    assert "Standing: **verified**" in text
    assert "- Tier B, computational" in text
    assert "- Evidence: A simulation, repeated." in text


def told(event: CandidateCollected) -> dict[CandidateStage, str]:
    return describe_stage_results(BreakthroughCandidate(event, event.judging))


def test_the_stages_say_that_no_judge_was_asked() -> None:
    assert told(EVENT)[CandidateStage.PLAUSIBILITY] == UNJUDGED


def test_the_stages_tell_points_and_not_the_names_of_judges() -> None:
    told_of = told(EVENT.model_copy(update={"judging": FLAGGED}))[CandidateStage.PLAUSIBILITY]
    assert told_of == f"above the threshold on all: {FLAGGED.points} (2 judges)"


def test_figures_that_only_judges_have_read_are_said_to_be_such() -> None:
    unread = FilterResult(met=(), beyond=(), missing=("freezes",), unstated=("white",))
    event = EVENT.model_copy(update={"filtered": unread, "figures": {}, "judging": FLAGGED})
    assert "figures that judges found in its text" in told(event)[CandidateStage.FILTER]
    assert "which the results do not store" in render_candidate_page(
        BreakthroughCandidate(event, event.judging)
    )


def test_the_stages_come_in_the_order_of_the_pipeline() -> None:
    assert list(told(EVENT)) == list(CandidateStage)


def test_the_same_events_give_the_same_bytes() -> None:
    assert render_candidate_page(build_confirmed_candidate(EVENT), ("a",)) == render_candidate_page(
        build_confirmed_candidate(EVENT), ("a",)
    )
