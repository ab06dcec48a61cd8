"""The schema of a deliverable as models are sent it: without titles, empty defaults and a second way to leave out."""

from __future__ import annotations

from pydantic import BaseModel

from impossible_moments.llm.consultation_tasks import describe_hand_in_tool


class Remark(BaseModel):
    """A remark."""

    title: str
    place: str | None = None
    words: tuple[str, ...] = ()
    kept: bool = True
    number: int | None
    either: int | str | None = None


def test_a_schema_says_what_a_writer_needs_and_no_more() -> None:
    schema = describe_hand_in_tool(Remark).parameters
    assert schema["properties"] == {
        "title": {"type": "string"},
        "place": {"type": "string"},
        "words": {"items": {"type": "string"}, "type": "array"},
        "kept": {"default": True, "type": "boolean"},
        "number": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
        "either": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
    }
    assert schema["required"] == ["title", "number"]
