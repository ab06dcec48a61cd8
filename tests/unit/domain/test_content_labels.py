"""Content labels: what is cut out of a deliverable, and what stays."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import (
    ContentLabel,
    LabelledModel,
    find_unlabelled_fields,
    get_field_labels,
)
from support.canaries import list_deliverable_models


class Part(LabelledModel):
    shown: Annotated[str, ContentLabel.NARRATIVE]
    hidden: Annotated[str, ContentLabel.SOLUTION] = "hidden"


class Whole(LabelledModel):
    part: Part
    parts: tuple[Part, ...] = ()
    named: dict[str, Part] = Field(default_factory=dict)
    covered: Annotated[tuple[Part, ...], ContentLabel.SOLUTION] = ()
    both: Annotated[str, ContentLabel.PHYSICS, ContentLabel.MATHEMATICS] = "both"
    bare: str = "bare"


PART = Part(shown="shown")
WHOLE = Whole(part=PART, parts=(PART, PART), named={"one": PART}, covered=(PART,))


def test_a_field_is_shown_to_whoever_may_read_its_label() -> None:
    assert PART.to_visible_data({ContentLabel.NARRATIVE}) == {"shown": "shown"}


def test_a_field_without_a_label_is_shown_to_nobody() -> None:
    assert "bare" not in WHOLE.to_visible_data(frozenset(ContentLabel))


def test_a_model_in_a_field_without_a_label_shows_what_its_own_labels_allow() -> None:
    assert WHOLE.to_visible_data({ContentLabel.NARRATIVE})["part"] == {"shown": "shown"}


def test_models_in_a_list_are_cut_each_by_its_own_labels() -> None:
    assert WHOLE.to_visible_data({ContentLabel.NARRATIVE})["parts"] == [
        {"shown": "shown"},
        {"shown": "shown"},
    ]


def test_models_in_a_map_are_cut_each_by_its_own_labels() -> None:
    assert WHOLE.to_visible_data({ContentLabel.NARRATIVE})["named"] == {"one": {"shown": "shown"}}


def test_the_label_of_a_field_covers_what_is_in_it() -> None:
    assert WHOLE.to_visible_data({ContentLabel.SOLUTION})["covered"] == [
        {"shown": "shown", "hidden": "hidden"}
    ]


@pytest.mark.parametrize("label", [ContentLabel.PHYSICS, ContentLabel.MATHEMATICS])
def test_a_field_with_two_labels_is_hidden_from_whoever_may_read_one(label: ContentLabel) -> None:
    assert "both" not in WHOLE.to_visible_data({label})


def test_a_field_with_two_labels_is_shown_to_whoever_may_read_both() -> None:
    assert WHOLE.to_visible_data({ContentLabel.PHYSICS, ContentLabel.MATHEMATICS}) == {"both": "both"}


def test_what_holds_nothing_readable_is_left_out() -> None:
    assert WHOLE.to_visible_data(frozenset()) == {}


def test_what_is_shown_is_plain_data() -> None:
    class Coded(LabelledModel):
        content: Annotated[ContentLabel, ContentLabel.NARRATIVE] = ContentLabel.VOTES
        pairs: Annotated[dict[str, tuple[int, ...]], ContentLabel.NARRATIVE]

    assert Coded(pairs={"a": (1, 2)}).to_visible_data({ContentLabel.NARRATIVE}) == {
        "content": ContentLabel.VOTES.value,
        "pairs": {"a": [1, 2]},
    }


def test_labels_are_read_from_every_field() -> None:
    assert get_field_labels(Part) == {
        "shown": frozenset({ContentLabel.NARRATIVE}),
        "hidden": frozenset({ContentLabel.SOLUTION}),
    }


def test_a_leaf_without_a_label_is_named_with_its_path() -> None:
    class Outer(LabelledModel):
        inner: Whole

    assert list(find_unlabelled_fields(Outer)) == ["Outer.inner > Whole.bare"]


def test_a_deliverable_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        PART.shown = "other"  # type: ignore[misc]


def test_a_field_that_no_model_has_is_refused() -> None:
    with pytest.raises(ValidationError, match="Extra inputs"):
        Part.model_validate({"shown": "x", "more": "y"})


@pytest.mark.parametrize(
    "model", [GenerationBrief, *list_deliverable_models()], ids=lambda model: model.__name__
)
def test_only_confidences_of_disputes_wear_no_label(model: type[LabelledModel]) -> None:
    # nobody reads them: they are weighed, and shown with a position once everything is shown
    bare = {path.rpartition(" > ")[2] for path in find_unlabelled_fields(model)}

    assert bare <= {"Challenge.confidence", "ChallengeResponse.confidence", "Ballot.confidence"}


def test_no_two_contents_can_be_called_by_one_name() -> None:
    called: dict[str, set[ContentLabel]] = {}
    for content in ContentLabel:
        for name in (content.name.lower(), content.value.lower()):
            called.setdefault(name, set()).add(content)

    assert [name for name, contents in called.items() if len(contents) > 1] == []
