"""Token budgets: how much an agent may be given and may hand in (specification 3.2).

Context has three levels. The first (template, frameworks, rubrics) is in every agent's prompt. The second is the view
of the scenario, which is fitted here. The third, details that did not fit, is named in the view under `on_demand`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from impossible_moments.agents.orchestrator.context_summary import shorter
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    HUMAN,
    NEWTON,
    ROLES,
    SOCRATES,
    Phase,
)
from impossible_moments.errors import ConfigurationError
from impossible_moments.models.tokens import BYTES_OF_A_TOKEN, size_of, tokens

ALWAYS_LOADED: Final = 5_000
"""What the first level may take in a prompt."""
MESSAGE_BODY: Final = 4_000
"""1.3: the longest body of a message."""
SUPPORTING: Final = 10_000
"""For an agent that the table does not name in a phase, as for ATHENA's revisions in VALIDATE."""
_BREAKS: Final = ("\n\n", "\n", ". ", " ")

# fmt: off
LEAD_BUDGETS: Final[Mapping[Phase, Mapping[str, int]]] = {
    Phase.SEED:     {ATHENA: 30_000},
    Phase.VALIDATE: {NEWTON: 20_000, EULER: 20_000},
    Phase.GROUND:   {GALILEO: 20_000},
    Phase.CLASSIFY: {SOCRATES: 15_000},
    Phase.REFINE:   dict.fromkeys(ROLES, 10_000),
    Phase.DOCUMENT: dict.fromkeys(ROLES, 5_000),
}
SUPPORTING_BUDGETS: Final[Mapping[Phase, Mapping[str, int]]] = {
    Phase.VALIDATE: {ATHENA: 10_000},
}
# fmt: on


@dataclass(frozen=True)
class Budgets:
    """The budgets in force. Settings may lower them."""

    limits: Mapping[str, int] = field(default_factory=dict)
    """The most that an agent gets in any phase, from settings."""

    def of(self, agent: str, phase: Phase) -> int:
        """An agent's budget in a phase."""
        limit = self.limits.get(agent)
        if agent not in ROLES:
            return SUPPORTING if limit is None else limit
        given = LEAD_BUDGETS[phase].get(agent) or SUPPORTING_BUDGETS.get(phase, {}).get(agent, SUPPORTING)
        return given if limit is None else min(given, limit)

    def limited(self, agent: str, tokens: int) -> Budgets:
        """The budgets with at most so many tokens for an agent; for a further agent, with just so many."""
        if tokens < 1:
            raise ConfigurationError(
                f"{agent} has a budget of {tokens} tokens. A budget is a positive number: raise it or leave it out."
            )
        return replace(self, limits={**self.limits, agent: min(tokens, self.limits.get(agent, tokens))})

    def fitted(self, view: dict[str, Any], agent: str, phase: Phase) -> dict[str, Any]:
        """The view, in the longest form that keeps to the budget.

        Brief, notes and narrative are never cut: if they alone are longer, the shortest form is what there is. A human
        gets everything.
        """
        budget = self.of(agent, phase)
        if agent == HUMAN or size_of(view) <= budget:
            return view
        forms = iter(shorter(view, agent))
        fitting = next(forms)
        while size_of(fitting) > budget:
            further = next(forms, None)
            if further is None:
                break
            fitting = further
        return fitting


@dataclass(frozen=True, slots=True)
class BodyPart:
    """A part of a body that was too long for one message."""

    number: int
    parts: int
    text: str

    @property
    def depends_on(self) -> tuple[int, ...]:
        """Numbers of the parts that must be read first: the chain back to the first."""
        return tuple(range(1, self.number))


def split_body(body: str, limit: int = MESSAGE_BODY) -> tuple[BodyPart, ...]:
    """A body in parts of at most `limit` tokens, broken at paragraphs, else lines, sentences, words. Joined, they are the body."""
    assert limit >= 1
    texts: list[str] = []
    rest = body
    while tokens(rest) > limit:
        part = _first_part(rest, limit)
        texts.append(part)
        rest = rest[len(part) :]
    if rest or not texts:
        texts.append(rest)
    return tuple(BodyPart(number, len(texts), text) for number, text in enumerate(texts, start=1))


def _first_part(text: str, limit: int) -> str:
    most = text[: limit * BYTES_OF_A_TOKEN]
    while (size := tokens(most)) > limit:
        most = most[: max(1, min(len(most) - 1, len(most) * limit // size))]
    for separator in _BREAKS:
        # a break in the first half would make many small parts
        place = most.rfind(separator, len(most) // 2)
        if place > 0:
            return most[: place + len(separator)]
    return most
