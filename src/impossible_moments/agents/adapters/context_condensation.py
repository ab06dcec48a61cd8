"""Condensed contexts: a model first sees what the ask needs and reads the rest on demand (specification 3.2).

A condensed context is a part of the context that the isolation policy allows, and reading on demand reads
only from that context. Therefore a model cannot read anything that the isolation matrix hides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from impossible_moments.agents.orchestrator.context.view_summaries import iterate_shorter_views
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.agent_trace import AgentTrace
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON
from impossible_moments.errors import ConfigurationError
from impossible_moments.llm import estimate_data_tokens

RECORD: Final = "mechanics"
SCENARIO: Final = "scenario"
"""The public text, which an agent's trace of its own work does not need."""
TOKEN_LIMITS: Final[Mapping[str, int]] = {
    "ReviewMemo": 4_500,
    "InformedClassification": 3_500,
    "RefinementBallot": 2_800,
    "FeasibilityCheck": 2_800,
    "AgentTrace": 2_400,
    "Ballot": 4_000,
    "VetoReview": 4_000,
}
"""Tokens of context that are first shown for a deliverable. Others get the whole context."""
_WORK_WITH_RECORDS: Final = frozenset({ATHENA, NEWTON, EULER})
"""The agents that write or compute the record and are shown it. Others see only texts about it."""
LONGEST_READ: Final = 12_000
"""Characters that one reading on demand returns."""


def condense_context(ask: Ask) -> dict[str, Any]:
    """Return the context of an ask as it is first shown, cut to the size that its deliverable allows."""
    view, token_limit = (
        _move_on_demand_to_left_out(ask.assignment.context),
        TOKEN_LIMITS.get(ask.returns.__name__),
    )
    if token_limit is None:
        return view if ask.agent in _WORK_WITH_RECORDS else _remove_fields(view, RECORD)
    condensed = _remove_fields(view, RECORD, *((SCENARIO,) if ask.returns is AgentTrace else ()))
    for form in chain(
        iterate_shorter_views(condensed, ask.agent), _iterate_views_with_fewer_documents(condensed, ask.agent)
    ):
        if estimate_data_tokens(condensed) <= token_limit:
            break
        condensed = form
    return _add_list_of_omitted_documents(condensed, view)


def _iterate_views_with_fewer_documents(view: dict[str, Any], reader: str) -> Iterator[dict[str, Any]]:
    """Yield the shortest form of a view with ever fewer documents, oldest first.

    The seed document and the reader's own documents stay.
    """
    *_, shortest = (view, *iterate_shorter_views(view, reader))
    sections = [*shortest["sections"]]
    for section in shortest["sections"]:
        if section["author"] != reader and section["document"] != "SeedDocument":
            sections = [each for each in sections if each is not section]
            yield {**shortest, "sections": sections}


def _move_on_demand_to_left_out(view: dict[str, Any]) -> dict[str, Any]:
    """Move the `on_demand` list of a view to `left_out`: the token budget cut it, so it cannot be read."""
    if "on_demand" not in view:
        return view
    omitted = [
        f"{each['author']} {each['document']}: {' '.join(each['fields'])}" for each in view["on_demand"]
    ]
    return {**{name: value for name, value in view.items() if name != "on_demand"}, "left_out": omitted}


def read_field_on_demand(view: Mapping[str, Any], author: str, document: str, field: str = "") -> Any:  # noqa: ANN401 - any plain data
    """Return a field of the latest document of an author, or the names of its fields if no field is given.

    Raise `ConfigurationError` if the view has no such document or field.
    """
    for section in reversed(view.get("sections", ())):
        if (section["author"], section["document"]) == (author.upper(), document):
            fields = section["fields"]
            if field and field not in fields:
                raise ConfigurationError(
                    f"{document} has no field `{field}`; its fields are {', '.join(fields)}."
                )
            return fields[field] if field else list(fields)
    available = ", ".join(f"{each['author']} {each['document']}" for each in view.get("sections", ()))
    raise ConfigurationError(
        f"No {document} of {author} in this context. Available: {available or 'nothing'}."
    )


def _remove_fields(view: dict[str, Any], *fields: str) -> dict[str, Any]:
    sections = [
        {**each, "fields": {name: value for name, value in each["fields"].items() if name not in fields}}
        for each in view["sections"]
    ]
    return _add_list_of_omitted_documents({**view, "sections": sections}, view)


def _add_list_of_omitted_documents(condensed: dict[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
    """Add the list of the documents that `condensed` leaves out of `view`, in full or in part."""
    kept = {
        (each["author"], each["document"], each.get("iteration")): each["fields"]
        for each in condensed["sections"]
    }
    omitted = []
    for section in view["sections"]:
        kept_fields = kept.get((section["author"], section["document"], section.get("iteration")), {})
        if any(kept_fields.get(name) != value for name, value in section["fields"].items()):
            omitted.append(f"{section['author']} {section['document']}")
    return {**condensed, "on_demand": list(dict.fromkeys(omitted))} if omitted else condensed
