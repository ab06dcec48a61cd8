"""Domain authority: whose assessment prevails in which domain, and who may override it with what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.domain.disputes import Domain, Evidence, EvidenceKind
from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES

ANYONE: Final = "ANYONE"


@dataclass(frozen=True, slots=True)
class Override:
    """Who may overrule an authority, and the evidence that it takes."""

    by: tuple[str, ...]
    with_: frozenset[EvidenceKind]
    jointly: bool = False

    def supported(self, agent: str, evidence: Iterable[Evidence]) -> bool:
        """Whether an agent may overrule and has the evidence for it; where it takes several, whether it is one of them."""
        allowed = ANYONE in self.by or agent in self.by
        return allowed and any(each.kind in self.with_ for each in evidence)

    def met_by(self, agent: str, evidence: Iterable[Evidence]) -> bool:
        """Whether an agent alone overrules."""
        return not self.jointly and self.supported(agent, evidence)

    def partners(self, agent: str) -> tuple[str, ...]:
        """Whom an agent needs beside itself."""
        return tuple(each for each in self.by if each != agent) if self.jointly and agent in self.by else ()


@dataclass(frozen=True, slots=True)
class Authority:
    """A row of the table: the agent that prevails and the condition under which it does not."""

    name: str
    """The domain in the specification's words."""
    prevails: str
    override: Override


def overruled_by(*by: str, with_: Iterable[EvidenceKind], jointly: bool = False) -> Override:
    """The last column of a row."""
    return Override(by, frozenset(with_), jointly)


# fmt: off
AUTHORITY: Final[Mapping[Domain, Authority]] = {
    # 1.4, level 2                                              prevails   may be overridden by
    "physics":        Authority("Physical feasibility",         NEWTON,    overruled_by(EULER, with_=["proof"])),
    "mathematics":    Authority("Mathematical correctness",     EULER,     overruled_by(NEWTON, with_=["physical meaning"])),
    "grounding":      Authority("Cognitive science grounding",  GALILEO,   overruled_by(SOCRATES, with_=["epistemology"])),
    "classification": Authority("Solution classification",      SOCRATES,  overruled_by(NEWTON, EULER, with_=["proof", "derivation", "calculation"], jointly=True)),
    "design":         Authority("Creative design",              ATHENA,    overruled_by(ANYONE, with_=["unfairness"])),
}
# fmt: on


def home_domain(agent: str) -> Domain:
    """The domain an agent speaks for; further agents speak about the design."""
    for domain, row in AUTHORITY.items():
        if row.prevails == agent:
            return domain
    return "design"
