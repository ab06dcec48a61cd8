"""Which content label each field of a deliverable wears, as written down."""

from __future__ import annotations

from collections import Counter

from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import ContentLabel, LabelledModel
from spec.transcribed import table
from support.canaries import list_deliverable_models, list_labelled_leaves
from support.every_case import find_failures

ROWS = {row["Path"]: row for row in table("field_labels")}
MODELS: tuple[type[LabelledModel], ...] = (GenerationBrief, *list_deliverable_models())
LEAVES = {path: labels for model in MODELS for path, labels in list_labelled_leaves(model).items()}


def row_for(path: str) -> str | None:
    """The row that speaks of a field: its own, or that of what it is part of."""
    parts = path.split(".")
    wider = [".".join([*parts[:depth], "*"]) for depth in range(len(parts) - 1, 0, -1)]
    return next((row for row in [path, *wider] if row in ROWS), None)


def labels_in(cell: str) -> set[ContentLabel]:
    return set() if cell == "none" else {ContentLabel(label) for label in cell.split(" + ")}


def check_labels(leaf: tuple[str, frozenset[ContentLabel]]) -> None:
    path, labels = leaf
    row = row_for(path)
    assert row is not None, f"{path} is in no row of the table"
    assert labels == labels_in(ROWS[row]["Label"])


def test_a_field_wears_the_label_that_is_written_down() -> None:
    assert find_failures(check_labels, {path: (path, labels) for path, labels in LEAVES.items()}) == []


def test_every_row_speaks_of_a_field_that_exists() -> None:
    assert set(ROWS) - {row_for(path) for path in LEAVES} == set()


def test_no_field_has_two_rows() -> None:
    assert [
        path for path, count in Counter(row["Path"] for row in table("field_labels")).items() if count > 1
    ] == []
