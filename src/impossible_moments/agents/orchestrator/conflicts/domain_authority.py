"""The table of domain authority: which agent prevails in which domain, and who may override it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.disputes import Domain, Evidence, EvidenceKind
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES

ANYONE: Final = "ANYONE"


@dataclass(frozen=True, slots=True)
class AuthorityOverride:
    """The agents that may overrule an authority, and the kinds of evidence they need."""

    agents: tuple[str, ...]
    evidence_kinds: frozenset[EvidenceKind]
    jointly: bool = False

    def is_supported_by_agent(self, agent: str, evidence: Iterable[Evidence]) -> bool:
        """Return whether an agent may overrule and brings suitable evidence.

        For a joint override, this covers the agent's own part only.
        """
        allowed = ANYONE in self.agents or agent in self.agents
        return allowed and any(each.kind in self.evidence_kinds for each in evidence)

    def can_be_made_by_agent_alone(self, agent: str, evidence: Iterable[Evidence]) -> bool:
        """Return whether an agent can overrule on its own."""
        return not self.jointly and self.is_supported_by_agent(agent, evidence)

    def list_agents_that_must_join(self, agent: str) -> tuple[str, ...]:
        """Return the other agents that must join an agent's override."""
        return (
            tuple(each for each in self.agents if each != agent)
            if self.jointly and agent in self.agents
            else ()
        )


@dataclass(frozen=True, slots=True)
class DomainAuthority:
    """A row of the table: the agent that prevails in a domain, and how it can be overridden."""

    name: str
    """The domain in the specification's words."""
    prevails: str
    override: AuthorityOverride


def build_override(
    *agents: str, evidence: Iterable[EvidenceKind], jointly: bool = False
) -> AuthorityOverride:
    """Build the last column of a row from agents and kinds of evidence."""
    return AuthorityOverride(agents, frozenset(evidence), jointly)


# fmt: off
AUTHORITY: Final[Mapping[Domain, DomainAuthority]] = {
    # 1.4, level 2                                              prevails   may be overridden by
    "physics":        DomainAuthority("Physical feasibility",         NEWTON,    build_override(EULER, evidence=["proof"])),
    "mathematics":    DomainAuthority("Mathematical correctness",     EULER,     build_override(NEWTON, evidence=["physical meaning"])),
    "grounding":      DomainAuthority("Cognitive science grounding",  GALILEO,   build_override(SOCRATES, evidence=["epistemology"])),
    "classification": DomainAuthority("Solution classification",      SOCRATES,  build_override(NEWTON, EULER, evidence=["proof", "derivation", "calculation"], jointly=True)),
    "design":         DomainAuthority("Creative design",              ATHENA,    build_override(ANYONE, evidence=["unfairness"])),
}
# fmt: on


def get_home_domain(agent: str) -> Domain:
    """Return the domain an agent is the authority on. Additional agents get the design."""
    for domain, row in AUTHORITY.items():
        if row.prevails == agent:
            return domain
    return "design"
