"""What a model is shown of its view at first: what the ask turns on. The rest it can read on demand (specification 3.2).

A condensed view only takes away from what the policy has cut, and reading on demand reads from that view alone: so
nothing can be had that the matrix hides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from impossible_moments.agents.orchestrator.context_summary import shorter
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.domain.tracing import AgentTrace
from impossible_moments.domain.vocabulary import ATHENA, EULER, NEWTON
from impossible_moments.errors import ConfigurationError
from impossible_moments.models.tokens import size_of

RECORD: Final = "mechanics"
SCENARIO: Final = "scenario"
"""The public text: an account of one's own work can do without it."""
ROOM: Final[Mapping[str, int]] = {
    "ReviewMemo": 4_500,
    "InformedClassification": 3_500,
    "CalibrationVote": 2_400,
    "DistractorReview": 2_800,
    "ReadinessVote": 2_400,
    "AgentTrace": 2_400,
    "Ballot": 4_000,
    "VetoReview": 4_000,
}
"""Tokens of context that reviews and votes begin with; what is not named here begins with all there is."""
_WORK_WITH_RECORDS: Final = frozenset({ATHENA, NEWTON, EULER})
"""Others are told what the record says; the record itself is for those who write or compute it."""
LONGEST_READ: Final = 12_000
"""Characters that one reading on demand gives."""


def condensed(ask: Ask) -> dict[str, Any]:
    """The view as it is first shown."""
    view, room = _as_given(ask.assignment.context), ROOM.get(ask.returns.__name__)
    if room is None:
        return view if ask.agent in _WORK_WITH_RECORDS else _without(view, RECORD)
    shown = _without(view, RECORD, *((SCENARIO,) if ask.returns is AgentTrace else ()))
    for form in chain(shorter(shown, ask.agent), _fewer(shown, ask.agent)):
        if size_of(shown) <= room:
            break
        shown = form
    return _naming(shown, view)


def _fewer(view: dict[str, Any], reader: str) -> Iterator[dict[str, Any]]:
    """The shortest form with ever fewer documents of others, older ones first; the scenario and one's own work stay."""
    *_, shortest = (view, *shorter(view, reader))
    sections = [*shortest["sections"]]
    for section in shortest["sections"]:
        if section["author"] != reader and section["document"] != "SeedDocument":
            sections = [each for each in sections if each is not section]
            yield {**shortest, "sections": sections}


def _as_given(view: dict[str, Any]) -> dict[str, Any]:
    """The view, with what its budget left no room for called left out: it is not here to be read."""
    if "on_demand" not in view:
        return view
    gone = [f"{each['author']} {each['document']}: {' '.join(each['fields'])}" for each in view["on_demand"]]
    return {**{name: value for name, value in view.items() if name != "on_demand"}, "left_out": gone}


def read_on_demand(view: Mapping[str, Any], author: str, document: str, field: str = "") -> Any:  # noqa: ANN401 - any plain data
    """A field of a document that the condensed view names, the latest where there are several; without a field, their names."""
    for section in reversed(view.get("sections", ())):
        if (section["author"], section["document"]) == (author.upper(), document):
            fields = section["fields"]
            if field and field not in fields:
                raise ConfigurationError(f"{document} has no field `{field}`; it has {', '.join(fields)}.")
            return fields[field] if field else list(fields)
    there = ", ".join(f"{each['author']} {each['document']}" for each in view.get("sections", ()))
    raise ConfigurationError(f"there is no {document} of {author} here. What there is: {there or 'nothing'}.")


def _without(view: dict[str, Any], *fields: str) -> dict[str, Any]:
    sections = [
        {**each, "fields": {name: value for name, value in each["fields"].items() if name not in fields}}
        for each in view["sections"]
    ]
    return _naming({**view, "sections": sections}, view)


def _naming(shown: dict[str, Any], view: Mapping[str, Any]) -> dict[str, Any]:
    """The shown view with a list of what it leaves out."""
    kept = {
        (each["author"], each["document"], each.get("iteration")): each["fields"]
        for each in shown["sections"]
    }
    gone = []
    for section in view["sections"]:
        rest = kept.get((section["author"], section["document"], section.get("iteration")), {})
        if any(rest.get(name) != value for name, value in section["fields"].items()):
            gone.append(f"{section['author']} {section['document']}")
    return {**shown, "on_demand": list(dict.fromkeys(gone))} if gone else shown
