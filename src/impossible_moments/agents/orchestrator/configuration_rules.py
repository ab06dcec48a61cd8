"""Rules that settings cannot change: phases and vetoes of the five core agents, and what agents may see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from impossible_moments.agents.orchestrator.context.isolation_matrix import (
    RESERVED,
    compute_visibility_ceiling,
)
from impossible_moments.agents.orchestrator.context.token_budgets import LEAD_BUDGETS
from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.thresholds import CONFIDENCE
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from impossible_moments.mechanics.records import format_short_text

ALL: Final = "all"
OPEN_TO_FURTHER_AGENTS: Final = tuple(phase for phase in Phase if phase is not Phase.SEED)
"""The phases of additional agents. Only ATHENA works in SEED."""


class CoreAgentRule(NamedTuple):
    """The fixed rules of one of the five core agents."""

    required_phases: tuple[Phase, ...]
    optional_phases: tuple[Phase, ...]
    """Phases that the configuration may list or omit. The agent is asked in them in either case."""
    can_veto: bool


# fmt: off
CORE_AGENT_RULES: Final[Mapping[str, CoreAgentRule]] = MappingProxyType({
    ATHENA:   CoreAgentRule((Phase.SEED,     Phase.REFINE, Phase.DOCUMENT), (Phase.VALIDATE,), can_veto=False),
    GALILEO:  CoreAgentRule((Phase.GROUND,   Phase.REFINE, Phase.DOCUMENT), (),                can_veto=False),
    EULER:    CoreAgentRule((Phase.VALIDATE, Phase.REFINE, Phase.DOCUMENT), (),                can_veto=True),
    NEWTON:   CoreAgentRule((Phase.VALIDATE, Phase.REFINE, Phase.DOCUMENT), (),                can_veto=True),
    SOCRATES: CoreAgentRule((Phase.CLASSIFY, Phase.REFINE, Phase.DOCUMENT), (),                can_veto=False),
})
# fmt: on


def find_name_violation(names: Iterable[str]) -> str | None:
    """Return why the agent names are invalid, or None."""
    seen: set[str] = set()
    for name in names:
        if not (name.isascii() and name.isidentifier()):
            return f"`agents/{format_short_text(name)}` is not a valid name; a name consists of letters, digits and _, and does not start with a digit"
        if name.upper() in RESERVED - set(ROLES):
            return (
                f"`agents/{name}` is a reserved name; use any name other than {', '.join(sorted(RESERVED))}"
            )
        if name.upper() in seen:
            return f"`agents/{name}` occurs twice; upper and lower case make no difference"
        seen.add(name.upper())
    missing = [role.lower() for role in ROLES if role not in seen]
    if missing:
        return f"`agents` lacks {', '.join(missing)}; the five core agents are {', '.join(role.lower() for role in ROLES)}"
    return None


def find_disabled_agent_violation(name: str, *, enabled: bool) -> str | None:
    """Return why the agent cannot be disabled, or None."""
    if enabled or name.upper() not in ROLES:
        return None
    return f"`agents/{name}/enabled` is false; the five core agents are always enabled, and only additional agents can be disabled"


def find_phase_violation(name: str, phases: Collection[Phase], leads: Collection[Phase]) -> str | None:
    """Return why the phases of an agent are invalid, or None. `leads` are the phases that it leads."""
    post = CORE_AGENT_RULES.get(name.upper())
    required_phases = () if post is None else post.required_phases
    allowed = OPEN_TO_FURTHER_AGENTS if post is None else (*post.required_phases, *post.optional_phases)
    if not phases or not set(required_phases) <= set(phases) <= set(allowed):
        listed_phases = ", ".join(phases) or "empty"
        rule = (
            f"an additional agent works in one or more of {', '.join(allowed)}"
            if post is None
            else f"the phases of the five core agents are fixed, and {name} works in {', '.join(required_phases)}"
        )
        return f"`agents/{name}/phases` is {listed_phases}; {rule}"
    if not set(leads) <= set(phases):
        return f"`agents/{name}/lead_phases` is {', '.join(leads)}; an agent can lead only its own phases, which are {', '.join(phases)}"
    return None


def find_veto_violation(name: str, *, can_veto: bool) -> str | None:
    """Return why the veto right of an agent is invalid, or None. An additional agent may have it or not."""
    post = CORE_AGENT_RULES.get(name.upper())
    if post is None or post.can_veto is can_veto:
        return None
    vetoers = " and ".join(role for role, each in CORE_AGENT_RULES.items() if each.can_veto)
    return f"`agents/{name}/can_veto` is {str(can_veto).lower()}; of the five core agents only {vetoers} can veto, so it must be {str(post.can_veto).lower()}"


def find_threshold_violation(name: str, threshold: float) -> str | None:
    """Return why an agent's confidence threshold is invalid, or None."""
    least = CONFIDENCE.get(name.upper(), 0.0)
    if threshold >= least:
        return None
    return f"`agents/{name}/confidence_threshold` is {threshold:g}; settings may tighten it but not loosen it, so give a number from {least:g} to 1"


def find_token_budget_violation(name: str, tokens: int) -> str | None:
    """Return why an agent's token budget is invalid, or None."""
    largest_budget = max((row.get(name.upper(), 0) for row in LEAD_BUDGETS.values()), default=0)
    if not largest_budget or tokens <= largest_budget:
        return None
    return f"`agents/{name}/max_token_budget` is {tokens}; settings may tighten it but not loosen it, so give a number from 1000 to {largest_budget}"


def find_context_policy_violation(name: str, policy: Mapping[Phase, Iterable[str]]) -> str | None:
    """Return why a context policy is invalid, or None. It may only list content that the agent may see."""
    for phase, contents in policy.items():
        ceiling = compute_visibility_ceiling(name.upper(), phase)
        for each in contents:
            if each.lower() != ALL and not any(_is_content_name(content, each) for content in ceiling):
                choices = ", ".join(
                    content.name.lower() for content in sorted(ceiling, key=list(ContentLabel).index)
                )
                return (
                    f"`agents/{name}/context_policy/{phase}` lists {each!r}, which {_explain_hidden_content(each)}; "
                    f"it can show {choices or 'nothing'}"
                )
    return None


def _explain_hidden_content(name: str) -> str:
    known = any(_is_content_name(content, name) for content in ContentLabel)
    return "the isolation matrix hides" if known else "is not a content type"


def _is_content_name(content: ContentLabel, name: str) -> bool:
    return name.lower() in {content.name.lower(), content.value.lower()}
