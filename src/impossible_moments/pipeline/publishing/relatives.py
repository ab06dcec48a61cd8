"""Relatives of a scenario: those that are meant to be similar to it, judged one by one."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from impossible_moments.domain.brief import GenerationBrief, parse_stored_brief
from impossible_moments.ledger import LedgerTransaction, leases, publications


def select_relatives(
    transaction: LedgerTransaction, scenario: str, *, among: Iterable[str]
) -> frozenset[str]:
    """Return the relatives of a scenario among some scenarios. It is one of its own.

    They are the sibling of a twin, the family of a variant, the other half of a split scenario, and those of the same
    place, which are alike in words.
    """
    brief = _read_brief(transaction, scenario)
    return frozenset(
        name
        for name in among
        if name == scenario or (brief is not None and _is_relative(transaction, brief, name))
    )


def _is_relative(transaction: LedgerTransaction, brief: GenerationBrief, name: str) -> bool:
    if brief.twin is not None:
        return name == brief.twin.of
    if brief.composed is None and brief.variant is None and brief.reading is None:
        return False
    other, published = _read_brief(transaction, name), _read_metadata(transaction, name)
    if brief.composed is not None:
        place = brief.composed.place
        is_enrolled = other is not None and other.composed is not None and other.composed.place == place
        return is_enrolled or published.get("place") == place
    if brief.variant is not None:
        parent = brief.variant.of
        is_enrolled = other is not None and other.variant is not None and other.variant.of == parent
        return is_enrolled or name == parent or published.get("parent") == parent
    return (
        other is not None
        and other.reading is not None
        and brief.reading is not None
        and other.reading.of == brief.reading.of
    )


def _read_brief(transaction: LedgerTransaction, name: str) -> GenerationBrief | None:
    row = leases.get_scenario_row(transaction, name)
    return None if row is None else parse_stored_brief(row.brief)


def _read_metadata(transaction: LedgerTransaction, name: str) -> dict[str, Any]:
    publication = publications.get_publication(transaction, name)
    found: dict[str, Any] = (
        json.loads(publication.metadata) if publication is not None and publication.metadata else {}
    )
    return found
