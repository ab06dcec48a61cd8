"""Condensed contexts: a model first sees what the ask needs and reads the rest on demand (specification 3.2).

A condensed context is a part of what the isolation policy lets the agent read in the phase, and reading on
demand reads only from that. Therefore a model cannot read anything that the isolation matrix hides.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any, Final

from impossible_moments.agents.adapters.context_selection import (
    select_needed_fields,
    select_needed_sections,
)
from impossible_moments.agents.orchestrator.context.view_summaries import (
    SHORT_DOCUMENT,
    iterate_shorter_views,
    list_omitted_fields,
    measure_document,
    read_omitted_field,
)
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON, Phase
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm import estimate_data_tokens

RECORD: Final = "mechanics"
SCENARIO: Final = "scenario"
WORDING: Final = "wording"
"""The part of a record by which answers are read. No deliverable of a validator is about it."""
TOKEN_LIMITS: Final[Mapping[str, int]] = {
    "Ballot": 4_000,
    "VetoReview": 4_000,
}
"""Tokens of context that are first shown for a deliverable that has no selection of fields."""
_WORK_WITH_RECORDS: Final = frozenset({ATHENA, NEWTON, EULER})
"""The agents that write or compute the record and are shown it. Others see only texts about it."""
LONGEST_READ: Final = SHORT_DOCUMENT
"""Characters that one reading on demand returns. A later reading continues where it ended."""
_LONG_FIELD: Final = 1_000
"""Characters from which the list of what is left out states the size of a field."""
READ: Final = "read_section"


def condense_context(ask: Ask) -> dict[str, Any]:
    """Return the context of an ask as it is first shown: what its deliverable needs, complete.

    `on_demand` lists what is left out or cut, with its size in characters. A note that a demand repeats in a
    structured form is left out.
    """
    returns = ask.returns.__name__
    token_limit = TOKEN_LIMITS.get(returns)
    has_selection = select_needed_fields(returns, ask.agent) is not None
    is_fitted = token_limit is None and not has_selection
    given = ask.assignment.context if is_fitted else ask.assignment.readable_context
    # figures that were computed for the task are only in the context
    view = _remove_repeated_notes(_remove_entry({**ask.assignment.context, **given}, "on_demand"))
    if has_selection:
        condensed = {**view, "sections": select_needed_sections(view, returns, ask.agent)}
        if ask.agent != ATHENA:
            condensed = _remove_unneeded_record_parts(condensed)
    elif token_limit is not None:
        condensed = _shorten_to_limit(_remove_fields(view, RECORD), ask.agent, token_limit)
    elif ask.agent in _WORK_WITH_RECORDS:
        condensed = view if ask.agent == ATHENA else _remove_unneeded_record_parts(view)
    else:
        condensed = _remove_fields(view, RECORD)
    condensed = _remove_details(condensed)
    if ask.assignment.phase is Phase.CLASSIFY:
        return condensed  # a blind reading has no tools, and starts from what it is shown
    omitted = list_omitted_fields(ask.assignment.readable_context, condensed["sections"])
    shown = {(each["author"], each["document"]) for each in condensed["sections"]}
    lines = [
        _format_omitted_document(
            each, ask.assignment.readable_context, is_shown=(each["author"], each["document"]) in shown
        )
        for each in omitted
    ]
    return {**condensed, "on_demand": lines} if lines else condensed


def _remove_details(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view without the empty entries of the brief, and without the phase and number of each document.

    Only the newest document of an author and type is in a view, and work on an earlier version is marked.
    """
    sections = [
        {name: value for name, value in each.items() if name not in {"phase", "iteration"}}
        for each in view["sections"]
    ]
    brief = {name: value for name, value in (view.get("brief") or {}).items() if value not in (None, "", [])}
    return {**view, "sections": sections, **({"brief": brief} if "brief" in view else {})}


def _remove_repeated_notes(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view without the notes whose content is in `demands`. They are the last ones."""
    demands, notes = view.get("demands", ()), view.get("notes", ())
    return {**view, "notes": notes[: len(notes) - len(demands)]} if demands else view


def _shorten_to_limit(view: dict[str, Any], reader: str, token_limit: int) -> dict[str, Any]:
    condensed = view
    for form in chain(
        iterate_shorter_views(view, reader, keeps_own_seed=False),
        _iterate_views_with_fewer_documents(view, reader),
    ):
        if estimate_data_tokens(_remove_entry(condensed, "on_demand")) <= token_limit:
            break
        condensed = form
    return _remove_entry(condensed, "on_demand")


def _iterate_views_with_fewer_documents(view: dict[str, Any], reader: str) -> Iterator[dict[str, Any]]:
    """Yield the shortest form of a view with ever fewer documents, oldest first.

    The seed document and the reader's own documents stay.
    """
    *_, shortest = (view, *iterate_shorter_views(view, reader, keeps_own_seed=False))
    sections = [*shortest["sections"]]
    for section in shortest["sections"]:
        if section["author"] != reader and section["document"] != "SeedDocument":
            sections = [each for each in sections if each is not section]
            yield {**shortest, "sections": sections}


def _format_omitted_document(omitted: Mapping[str, Any], view: Mapping[str, Any], *, is_shown: bool) -> str:
    """Name what is missing of a document, with sizes in characters.

    The fields are named if the document is shown in part or is too long to be read as a whole.
    """
    author, document = omitted["author"], omitted["document"]
    superseded = any(
        each.get("superseded")
        for each in view["sections"]
        if (each["author"], each["document"]) == (author, document)
    )
    name = f"{author} {document}{' (of an earlier version)' if superseded else ''}"
    size = measure_document(view, author, document)
    if not is_shown and size <= SHORT_DOCUMENT:
        return f"{name}: whole ({size:,})"
    return f"{name}: {', '.join(_format_field_size(*each) for each in omitted['fields'].items())}"


def _format_field_size(field: str, size: int) -> str:
    return f"{field} ({size:,})" if size >= _LONG_FIELD else field


def _remove_unneeded_record_parts(view: dict[str, Any]) -> dict[str, Any]:
    """Return a view whose records have no wording of answers, and no prose where the scenario printed from it is shown."""
    sections = []
    for section in view["sections"]:
        record = section["fields"].get(RECORD)
        if isinstance(record, dict):
            left_out = {WORDING, "prose"} if SCENARIO in section["fields"] else {WORDING}
            shorter = {name: value for name, value in record.items() if name not in left_out}
            section = {**section, "fields": {**section["fields"], RECORD: shorter}}  # noqa: PLW2901 - a copy
        sections.append(section)
    return {**view, "sections": sections}


def _remove_fields(view: dict[str, Any], *fields: str) -> dict[str, Any]:
    sections = [
        {**each, "fields": {name: value for name, value in each["fields"].items() if name not in fields}}
        for each in view["sections"]
    ]
    return {**view, "sections": sections}


def _remove_entry(view: dict[str, Any], entry: str) -> dict[str, Any]:
    return {name: value for name, value in view.items() if name != entry}


def build_section_reader(view: dict[str, Any], phase: Phase) -> Callable[..., dict[str, Any]]:
    """Build the tool that reads a field on demand from a view that has passed the policy of a phase."""

    def read_section(author: str, document: str, field: str = "", start: int = 0) -> dict[str, Any]:
        """Return fields of a document, or a short document whole.

        Args:
            author: such as NEWTON
            document: such as PhysicsReport
            field: such as claims or mechanics/prose, or several separated by commas; empty for the whole document
            start: the character at which to continue a long field

        """
        try:
            text = json.dumps(_read_fields(view, author, document, field), ensure_ascii=False)
        except ConfigurationError as problem:
            raise ConfigurationError(
                f"{problem} Only what you may read in {phase} is available; name a document and a field from `on_demand`."
            ) from None
        if not 0 <= start < len(text):
            raise ConfigurationError(
                f"`start` is {start}, and the field has {len(text):,} characters; give a start from 0 to {len(text) - 1}."
            )
        part = text[start : start + LONGEST_READ]
        end = start + len(part)
        rest = {"continues_at": end, "characters": len(text)} if end < len(text) else {}
        return {"value": part, **rest}

    return read_section


def _read_fields(view: dict[str, Any], author: str, document: str, field: str) -> Any:  # noqa: ANN401 - any plain data
    names = [each.strip() for each in field.split(",") if each.strip()]
    if len(names) > 1:
        return {name: read_omitted_field(view, author, document, name) for name in names}
    return read_omitted_field(view, author, document, *names)
