"""What speaks for a line being a hint, sign by sign."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.documents.parts import split_document_parts
from impossible_moments.audit.leaks.hint_signs import MOST_CUES, HintSign, compute_hint_signs
from impossible_moments.scenarios.similarity.embedding import load_wordllama_embedder


def row(line: str, *, section: str = "Environment") -> dict[HintSign, float]:
    text = (
        f"# IM-9102: A\n\n**Correct Answer**: Float the cork on brine\n\n## Scenario\n\nA cellar.\n\n### {section}\n\n{line}\n\n"
        "## Verified Solution\n\nPour salt until the cork rises.\n\n## Distractor Analysis\n\nThe magnet attracts nothing here.\n"
    )
    document = MarkdownDocument(text)
    signs = compute_hint_signs(document, split_document_parts(document), load_wordllama_embedder())
    assert signs is not None
    place = next(at for at, each in enumerate(signs.lines) if each.text == line)
    return dict(zip(HintSign, signs.rows[place], strict=True))


@pytest.mark.parametrize(
    ("sign", "line", "plain"),
    [
        (HintSign.ANSWER, "A cork floats on brine.", "The ceiling is painted white."),
        (HintSign.SOLUTION, "Salt makes a cork rise higher.", "The ceiling is painted white."),
        (HintSign.ANSWER_WORDS, "A jar of brine and a cork.", "A jar of plums and a lid."),
        (HintSign.DISTRACTOR_WORDS, "A magnet on a nail.", "A jar of plums and a lid."),
        (HintSign.DISMISSES, "The net is of no use here, being torn.", "The net hangs on the wall."),
        (HintSign.SUGGESTS, "The lid is good for scooping.", "The lid is made of tin."),
        (HintSign.CAN, "The tap can be turned by hand.", "The tap is made of brass."),
        (HintSign.BOLD, "The tap **turns only after the valve below it is shut**.", "The tap **turns**."),
        (HintSign.STRESSED, "The tap is **made of brass** and old.", "**Tap made of brass**: old."),
    ],
)
def test_a_sign_is_stronger_where_it_shows(sign: HintSign, line: str, plain: str) -> None:
    assert row(line)[sign] > row(plain)[sign]


@pytest.mark.parametrize(
    ("section", "sign"),
    [
        ("Available Objects", HintSign.OBJECT),
        ("Human Capabilities", HintSign.CAPABILITY),
        ("The Narrative", HintSign.NARRATIVE),
    ],
)
def test_where_a_line_stands_is_a_sign(section: str, sign: HintSign) -> None:
    assert row("A jar of plums.", section=section)[sign] == 1
    assert row("A jar of plums.")[sign] == 0


def test_a_cue_counts_a_few_times_at_most() -> None:
    assert row("It can, can, can, can, can be moved.")[HintSign.CAN] == MOST_CUES


@pytest.mark.parametrize(
    ("solution", "known"),
    [("\n## Verified Solution\n\nPour salt until the cork rises.\n", True), ("", False)],
    ids=["with a solution", "with nothing to compare"],
)
def test_a_document_without_an_answer_line_is_compared_with_its_solution(
    solution: str, *, known: bool
) -> None:
    document = MarkdownDocument(f"# IM-9104: A\n\n## Scenario\n\nA cellar with a cork.\n{solution}")

    assert (
        compute_hint_signs(document, split_document_parts(document), load_wordllama_embedder()) is not None
    ) is known
