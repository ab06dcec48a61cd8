"""An author's thinking is found; what a person in the story says or does is not taken for it."""

from __future__ import annotations

import pytest

from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.leaks.leftover_thinking import find_author_remarks, find_possible_author_remarks

THINKING = (
    "Hmm, that gives too much.",
    "Wait, the door opens inwards.",
    "It holds 5 kg... wait, 6 kg.",
    "Let me recalculate the load.",
    "Let's recheck the angle.",
    "Let me verify this.",
    "It is heavy. Actually, it is light.",
    "This seems too high. Let us use 4 m.",
    "Correction: the rope is 4 m.",
    "Revised calculation: 12 N",
    "Revised Key Insight",
    "TODO name the bucket",
    "FIXME",
    "I made an error above.",
    "This doesn't work. Let us try steel.",
    "We need a different approach.",
    "But wait, the lamp is on.",
    "No, scratch that. Oops, the same again.",
    "For the scenario to work as intended, the lid is loose.",
    "- Actually: it is open",
)
STORY = (
    '"Wait, let me check the gate!" said the keeper.',
    "“Hmm, actually, no,” she says.",
    "You wait for the tide.",
    "They wait, and nothing comes.",
    "It actually holds.",
    "The clerk corrected the list.",
    "The keeper let me in.",
    "A todo list hangs on the wall.",
    "The new approach road is closed.",
    'The sign reads "TODO" in red.',
    "The total is too high for one person.",
    "He starts over the fence.",
    "Nothing works; the lamp is out.",
)


@pytest.mark.parametrize("text", THINKING)
def test_thinking_is_found_at_its_line(text: str) -> None:
    assert [remark.line for remark in find_author_remarks(MarkdownDocument(f"A calm line.\n{text}"))] == [2]


@pytest.mark.parametrize("text", STORY)
def test_a_story_is_no_thinking(text: str) -> None:
    assert list(find_author_remarks(MarkdownDocument(text))) == []


def test_a_line_is_reported_once_however_much_thinking_it_holds() -> None:
    assert len(list(find_author_remarks(MarkdownDocument("Hmm. Wait, oops. TODO")))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "The arm reaches 2 m (too short). **Alternative**: use the broom.",
        "Output = requires a heat balance",
        "Updated plan: lower the bucket first.",
        "Does it float? No, it sinks by then.",
        "The number should be verified.",
        "The margin is too small. However, the rope stretches.",
    ],
)
def test_a_line_that_corrects_itself_or_stays_open_is_a_doubt(line: str) -> None:
    assert [each.line for each in find_possible_author_remarks(MarkdownDocument(line))] == [1]


@pytest.mark.parametrize(
    "line",
    [
        "You can use the broom or, at worst, the mop.",
        "The plan is to lower the bucket first.",
        '"Does it float? No, it sinks," says the guard.',
        "The alternative route is closed.",
        "Hmm, that gives too much.",
    ],
    ids=["a choice", "a plan", "speech", "a route", "already certain"],
)
def test_a_plain_line_is_no_doubt(line: str) -> None:
    assert list(find_possible_author_remarks(MarkdownDocument(line))) == []


def test_beside_a_certain_remark_less_is_enough() -> None:
    amid = "## Load\n\nWait, that is the wrong rope.\n\nThe knot is the simplest part.\n\n## Rope\n\nThe knot is the simplest part.\n"

    assert [each.line for each in find_possible_author_remarks(MarkdownDocument(amid))] == [5]
