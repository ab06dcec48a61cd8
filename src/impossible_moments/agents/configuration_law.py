"""Rules that settings cannot change: phases and vetoes of the five core agents, and what agents may see."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from impossible_moments.agents.orchestrator.context_budget import LEAD_BUDGETS
from impossible_moments.agents.orchestrator.context_matrix import RESERVED, most_visible
from impossible_moments.agents.orchestrator.gate_checks.limits import CONFIDENCE
from impossible_moments.domain.labels import Content
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, ROLES, SOCRATES, Phase
from impossible_moments.mechanics.document_values import excerpt

ALL: Final = "all"
OPEN_TO_FURTHER_AGENTS: Final = tuple(phase for phase in Phase if phase is not Phase.SEED)
"""The phases of additional agents. Only ATHENA works in SEED."""


class Post(NamedTuple):
    """The fixed rules of one of the five core agents."""

    works_in: tuple[Phase, ...]
    may_list: tuple[Phase, ...]
    """Phases that the configuration may list or omit. The agent is asked in them in either case."""
    vetoes: bool


# fmt: off
POSTS: Final[Mapping[str, Post]] = MappingProxyType({
    ATHENA:   Post((Phase.SEED,     Phase.REFINE, Phase.DOCUMENT), (Phase.VALIDATE,), vetoes=False),
    GALILEO:  Post((Phase.GROUND,   Phase.REFINE, Phase.DOCUMENT), (),                vetoes=False),
    EULER:    Post((Phase.VALIDATE, Phase.REFINE, Phase.DOCUMENT), (),                vetoes=True),
    NEWTON:   Post((Phase.VALIDATE, Phase.REFINE, Phase.DOCUMENT), (),                vetoes=True),
    SOCRATES: Post((Phase.CLASSIFY, Phase.REFINE, Phase.DOCUMENT), (),                vetoes=False),
})
# fmt: on


def wrong_names(names: Iterable[str]) -> str | None:
    """Return why the agent names are invalid, or None."""
    seen: set[str] = set()
    for name in names:
        if not (name.isascii() and name.isidentifier()):
            return f"`agents/{excerpt(name)}` is not a valid name; a name consists of letters, digits and _, and does not start with a digit"
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


def wrong_absence(name: str, *, enabled: bool) -> str | None:
    """Return why the agent cannot be disabled, or None."""
    if enabled or name.upper() not in ROLES:
        return None
    return f"`agents/{name}/enabled` is false; the five core agents are always enabled, and only additional agents can be disabled"


def wrong_phases(name: str, phases: Collection[Phase], leads: Collection[Phase]) -> str | None:
    """Return why the phases of an agent are invalid, or None. `leads` are the phases that it leads."""
    post = POSTS.get(name.upper())
    needed = () if post is None else post.works_in
    allowed = OPEN_TO_FURTHER_AGENTS if post is None else (*post.works_in, *post.may_list)
    if not phases or not set(needed) <= set(phases) <= set(allowed):
        given = ", ".join(phases) or "empty"
        rule = (
            f"an additional agent works in one or more of {', '.join(allowed)}"
            if post is None
            else f"the phases of the five core agents are fixed, and {name} works in {', '.join(needed)}"
        )
        return f"`agents/{name}/phases` is {given}; {rule}"
    if not set(leads) <= set(phases):
        return f"`agents/{name}/lead_phases` is {', '.join(leads)}; an agent can lead only its own phases, which are {', '.join(phases)}"
    return None


def wrong_veto(name: str, *, can_veto: bool) -> str | None:
    """Return why the veto right of an agent is invalid, or None. An additional agent may have it or not."""
    post = POSTS.get(name.upper())
    if post is None or post.vetoes is can_veto:
        return None
    vetoers = " and ".join(role for role, each in POSTS.items() if each.vetoes)
    return f"`agents/{name}/can_veto` is {str(can_veto).lower()}; of the five core agents only {vetoers} can veto, so it must be {str(post.vetoes).lower()}"


def wrong_threshold(name: str, threshold: float) -> str | None:
    """Return why an agent's confidence threshold is invalid, or None."""
    least = CONFIDENCE.get(name.upper(), 0.0)
    if threshold >= least:
        return None
    return f"`agents/{name}/confidence_threshold` is {threshold:g}; settings may tighten it but not loosen it, so give a number from {least:g} to 1"


def wrong_budget(name: str, tokens: int) -> str | None:
    """Return why an agent's token budget is invalid, or None."""
    most = max((row.get(name.upper(), 0) for row in LEAD_BUDGETS.values()), default=0)
    if not most or tokens <= most:
        return None
    return f"`agents/{name}/max_token_budget` is {tokens}; settings may tighten it but not loosen it, so give a number from 1000 to {most}"


def wrong_view(name: str, policy: Mapping[Phase, Iterable[str]]) -> str | None:
    """Return why a context policy is invalid, or None. It may only list content that the agent may see."""
    for phase, shown in policy.items():
        ceiling = most_visible(name.upper(), phase)
        for each in shown:
            if each.lower() != ALL and not any(_is_called(content, each) for content in ceiling):
                choices = ", ".join(
                    content.name.lower() for content in sorted(ceiling, key=list(Content).index)
                )
                return (
                    f"`agents/{name}/context_policy/{phase}` lists {each!r}, which {_why_not(each)}; "
                    f"it can show {choices or 'nothing'}"
                )
    return None


def _why_not(name: str) -> str:
    known = any(_is_called(content, name) for content in Content)
    return "the isolation matrix hides" if known else "is not a content type"


def _is_called(content: Content, name: str) -> bool:
    return name.lower() in {content.name.lower(), content.value.lower()}
