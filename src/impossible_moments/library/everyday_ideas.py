"""Everyday ideas: homely moves, when each applies, and the words by which a text closes or a record models it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from pydantic import Field

from impossible_moments.mechanics.records import BaseForm, parse_document


class _ConditionForm(BaseForm):
    says: str = Field(min_length=1)
    fields: list[str] = Field(default=[])
    kinds: list[str] = Field(default=[])
    ends: list[str] = Field(default=[])
    properties: list[str] = Field(default=[])
    units: list[str] = Field(default=[])
    words: list[str] = Field(default=[])


class _IdeaForm(BaseForm):
    says: str = Field(min_length=1)
    when: list[str]
    closed: list[str] = Field(min_length=1)
    modelled: list[str] = Field(min_length=1)
    close: str = Field(min_length=1)


class _IdeasFile(BaseForm):
    conditions: dict[str, _ConditionForm]
    ideas: dict[str, _IdeaForm]


@dataclass(frozen=True, slots=True)
class IdeaCondition:
    """A condition on record and text. It holds if any of its entries occurs."""

    name: str
    says: str
    """What the condition means, as part of a sentence."""
    fields: frozenset[str]
    kinds: frozenset[str]
    ends: frozenset[str]
    properties: frozenset[str]
    units: frozenset[str]
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EverydayIdea:
    """A homely move that a reader tries before anything clever."""

    name: str
    says: str
    when: tuple[IdeaCondition, ...]
    """All of these hold if the idea applies. An idea without conditions always applies."""
    closed: tuple[str, ...]
    """Phrases which, in one sentence of the text, suggest that a fact closes the idea."""
    modelled: tuple[str, ...]
    """Words which, in an approach or action, suggest that the record models the idea."""
    close: str
    """How an author closes it."""


@lru_cache(maxsize=1)
def load_everyday_ideas() -> Mapping[str, EverydayIdea]:
    """Return the ideas of `everyday_ideas.yaml` by name."""
    name = "everyday_ideas.yaml"
    text = files("impossible_moments.library").joinpath(name).read_text(encoding="utf-8")
    form = _IdeasFile.model_validate(parse_document(text, name=name))
    conditions = {each: _build_condition(each, row) for each, row in form.conditions.items()}
    return {
        each: EverydayIdea(
            each,
            row.says,
            tuple(conditions[condition] for condition in row.when),
            tuple(row.closed),
            tuple(row.modelled),
            row.close,
        )
        for each, row in form.ideas.items()
    }


def _build_condition(name: str, row: _ConditionForm) -> IdeaCondition:
    return IdeaCondition(
        name,
        row.says,
        frozenset(row.fields),
        frozenset(row.kinds),
        frozenset(row.ends),
        frozenset(row.properties),
        frozenset(row.units),
        tuple(row.words),
    )
