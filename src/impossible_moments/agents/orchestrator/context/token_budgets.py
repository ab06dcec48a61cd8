"""Token budgets: how much text an agent may receive and hand in (specification 3.2).

Context has three levels. The first (template, frameworks, rubrics) is in every agent's prompt, see
`reference_text`. The second is the view of the scenario, which is fitted to the budget here. The third, the
details that did not fit, is listed in the view under `on_demand` with their sizes, and can be read on demand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from impossible_moments.agents.orchestrator.context.view_summaries import iterate_shorter_views
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
from impossible_moments.llm import BYTES_OF_A_TOKEN, DataSizes, estimate_text_tokens

ALWAYS_LOADED: Final = 5_000
"""The most tokens that the first level may take in a prompt."""
MESSAGE_BODY: Final = 4_000
"""1.3: the longest body of a message."""
DEFAULT_SUPPORTING_BUDGET: Final = 10_000
"""The budget of an agent that the table does not list in a phase, such as ATHENA revising in VALIDATE."""
_TEXT_SEPARATORS: Final = ("\n\n", "\n", ". ", " ")

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
class TokenBudgets:
    """The token budgets in force. Settings may only lower them."""

    limits: Mapping[str, int] = field(default_factory=dict)
    """The most tokens that an agent gets in any phase, from settings."""

    def get_budget(self, agent: str, phase: Phase) -> int:
        """Return an agent's token budget in a phase."""
        limit = self.limits.get(agent)
        if agent not in ROLES:
            return DEFAULT_SUPPORTING_BUDGET if limit is None else limit
        budget = LEAD_BUDGETS[phase].get(agent) or SUPPORTING_BUDGETS.get(phase, {}).get(
            agent, DEFAULT_SUPPORTING_BUDGET
        )
        return budget if limit is None else min(budget, limit)

    def limit_agent_budget(self, agent: str, tokens: int) -> TokenBudgets:
        """Return the budgets with an upper limit for one agent.

        For an additional agent the limit is its exact budget. Raises `ConfigurationError` if it is not
        positive.
        """
        if tokens < 1:
            raise ConfigurationError(
                f"{agent} has a budget of {tokens} tokens. A budget is a positive number: raise it or leave it out."
            )
        return replace(self, limits={**self.limits, agent: min(tokens, self.limits.get(agent, tokens))})

    def shorten_view_to_budget(self, view: dict[str, Any], agent: str, phase: Phase) -> dict[str, Any]:
        """Return the longest form of a view that fits the agent's budget.

        Brief, notes, demands, narrative and record are never cut, nor is an author's own seed document before
        DOCUMENT. If they alone exceed the budget, the shortest form is returned. A human gets the whole view.
        """
        budget, sizes = self.get_budget(agent, phase), DataSizes()
        if agent == HUMAN or sizes.estimate_tokens(view) <= budget:
            return view
        keeps_own_seed = phase is not Phase.DOCUMENT
        forms = iter(iterate_shorter_views(view, agent, keeps_own_seed=keeps_own_seed, sizes=sizes))
        fitted = next(forms)
        while sizes.estimate_tokens(fitted) > budget:
            shorter = next(forms, None)
            if shorter is None:
                break
            fitted = shorter
        return fitted


@dataclass(frozen=True, slots=True)
class BodyPart:
    """A part of a body that was too long for one message."""

    number: int
    parts: int
    text: str

    @property
    def depends_on(self) -> tuple[int, ...]:
        """The numbers of the parts that must be read first."""
        return tuple(range(1, self.number))


def split_message_body(body: str, limit: int = MESSAGE_BODY) -> tuple[BodyPart, ...]:
    """Split a body into parts of at most `limit` tokens.

    It is split at paragraphs if possible, otherwise at lines, sentences or words. The parts joined give the
    body.
    """
    assert limit >= 1
    texts: list[str] = []
    rest = body
    while estimate_text_tokens(rest) > limit:
        part = _take_longest_start_within_limit(rest, limit)
        texts.append(part)
        rest = rest[len(part) :]
    if rest or not texts:
        texts.append(rest)
    return tuple(BodyPart(number, len(texts), text) for number, text in enumerate(texts, start=1))


def _take_longest_start_within_limit(text: str, limit: int) -> str:
    longest_part = text[: limit * BYTES_OF_A_TOKEN]
    while (size := estimate_text_tokens(longest_part)) > limit:
        longest_part = longest_part[: max(1, min(len(longest_part) - 1, len(longest_part) * limit // size))]
    for separator in _TEXT_SEPARATORS:
        # A break in the first half would make many small parts.
        place = longest_part.rfind(separator, len(longest_part) // 2)
        if place > 0:
            return longest_part[: place + len(separator)]
    return longest_part
