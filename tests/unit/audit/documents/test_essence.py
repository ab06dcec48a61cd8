"""What a scenario is about is taken from its Markdown."""

from __future__ import annotations

from impossible_moments.audit.documents.essence import LONGEST_PART, extract_essence

TEXT = """# IM-0001: The Pipe

**Correct Answer**: Float the **key** up.

## Scenario

Mirela stands in a cellar.

- a list

| Object | Mass |
|---|---|
| Bucket (red) | 1 kg |
| **Salt** | 2 kg |

## Key Insights: Lift by Water

**Brine is heavier than water.** So things rise.
"""


def test_the_narrative_is_the_prose_of_the_scenario() -> None:
    assert extract_essence("a", TEXT).narrative == "Mirela stands in a cellar."


def test_objects_go_by_their_bare_names() -> None:
    assert extract_essence("a", TEXT).objects == ("Bucket", "Salt")


def test_the_solution_is_the_answer_of_the_header() -> None:
    assert extract_essence("a", TEXT).solution == "Float the key up."


def test_insights_are_the_heading_and_the_bold_leads() -> None:
    assert extract_essence("a", TEXT).insights == ("Lift by Water", "Brine is heavier than water.")


def test_a_text_without_form_is_its_own_narrative() -> None:
    essence = extract_essence("a", "Just words.")

    assert (essence.narrative, essence.objects, essence.solution) == ("Just words.", (), "")


def test_a_narrative_has_an_end() -> None:
    assert len(extract_essence("a", "word " * LONGEST_PART).narrative) <= LONGEST_PART
