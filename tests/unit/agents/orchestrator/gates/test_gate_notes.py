"""No deficiency note tells its addressee what the isolation matrix hides from it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from impossible_moments.agents.orchestrator.context.isolation_matrix import ISOLATION_MATRIX
from impossible_moments.agents.orchestrator.quality_gates import GateDeficiency, build_specified_gates
from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.vocabulary import ATHENA, NEWTON, ROLES, Phase
from support.gate_faults import FAULTS, INVALID_REASON, OTHER_WAY, GateFault

GATES = build_specified_gates()
SHORTEST = 8
"""Characters from which a text that stands in a note was taken from somewhere."""


def hidden_from(agent: str, phase: Phase, dossier: Dossier) -> Iterator[str]:
    """The texts of others' work that an agent may not read in a phase, and that do not stand in what it may."""
    # a challenge goes to whom it challenges, and a veto back to its author: the addressee is their reader
    readable = frozenset(
        content
        for content in ContentLabel
        if content is ContentLabel.REVISION or agent in ISOLATION_MATRIX[content][phase]
    )
    known = str(
        [
            entry.deliverable.model_dump()
            if entry.author == agent
            else entry.deliverable.to_visible_data(readable)
            for entry in dossier.entries
        ]
    )
    for entry in dossier.entries:
        if entry.author != agent:
            yield from (
                text
                for text in texts_in(entry.deliverable.to_visible_data(frozenset(ContentLabel) - readable))
                if text not in known
                and text not in {INVALID_REASON, OTHER_WAY}  # a demand reaches its addressee word for word
            )


def texts_in(value: object) -> Iterator[str]:
    match value:
        case str() if len(value) >= SHORTEST:
            yield value
        case dict():
            for inner in value.values():
                yield from texts_in(inner)
        case list():
            for inner in value:
                yield from texts_in(inner)


def deficiencies(fault: GateFault) -> tuple[GateDeficiency, ...]:
    gate = GATES[fault.phase]
    return gate.decide(fault.dossier, 1, resources=fault.resources, documents=fault.documents).deficiencies


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.phase}: {fault.criterion}")
def test_a_note_quotes_nothing_that_is_hidden(fault: GateFault) -> None:
    told = [
        (each.addressee, text)
        for each in deficiencies(fault)
        if each.addressee in ROLES
        for text in hidden_from(each.addressee, fault.phase, fault.dossier)
        if text in each.text
    ]

    assert told == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.phase}: {fault.criterion}")
def test_a_note_is_a_sentence(fault: GateFault) -> None:
    for each in deficiencies(fault):
        assert each.text[0].isupper()
        assert each.text.rstrip(")").endswith((".", "`"))


def test_the_reason_of_an_invalid_claim_reaches_athena_word_for_word() -> None:
    fault = next(each for each in FAULTS if each.criterion == "No INVALID claims without revision")

    demands = [each.demand for each in deficiencies(fault) if each.addressee == ATHENA and each.demand]

    assert [(each.demanded_by, each.evidence) for each in demands] == [(NEWTON, INVALID_REASON)]
