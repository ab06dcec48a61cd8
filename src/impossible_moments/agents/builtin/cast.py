"""The built-in cast: the program of each agent, and how it is asked."""

from __future__ import annotations

from functools import lru_cache

from impossible_moments.agents.builtin.athena.choosing import Unreachable, fitting, reachable
from impossible_moments.agents.builtin.athena.role import Athena
from impossible_moments.agents.builtin.athena.twinning import Sibling
from impossible_moments.agents.builtin.euler.role import Euler
from impossible_moments.agents.builtin.further import Cassandra, Darwin, Hypatia, Turing
from impossible_moments.agents.builtin.galileo.role import Galileo
from impossible_moments.agents.builtin.newton.role import Newton
from impossible_moments.agents.builtin.role import Role, Unasked
from impossible_moments.agents.builtin.socrates.role import Socrates
from impossible_moments.agents.builtin.views import View
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.blueprints.catalogue import Catalogue, shipped
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.labels import Labelled
from impossible_moments.domain.vocabulary import Category, Status, Tier, main_status
from impossible_moments.knowledge.everyday import everyday
from impossible_moments.mechanics.check import Report
from impossible_moments.mechanics.library import Library
from impossible_moments.solving.lore import Lore
from impossible_moments.solving.publication import shortcoming


class Cast:
    """The programs of all agents.

    An agent keeps no state between asks: what it may know is in the assignment.
    """

    def __init__(self, catalogue: Catalogue, library: Library) -> None:
        self.catalogue, self.library = catalogue, library
        self.lore = Lore(catalogue, library)
        self._designer = Athena(catalogue, self.lore)
        roles: tuple[Role, ...] = (
            self._designer,
            Galileo(),
            Euler(library),
            Newton(library),
            Socrates(self.lore),
            Darwin(library),
            Turing(self.lore),
            Hypatia(),
            Cassandra(),
        )
        self.roles = {role.name: role for role in roles}

    def reader(self, document: str, report: Report) -> str | None:
        """Return why a public document cannot be solved from its text alone, or None if it can."""
        return shortcoming(document, report, self.lore)

    def answer(self, ask: Ask) -> Labelled:
        """Return the deliverable of the agent that is asked."""
        role = self.roles.get(ask.agent)
        if role is None:
            raise Unasked(f"The built-in cast has no {ask.agent}. Its agents are {', '.join(self.roles)}.")
        return role.perform(View(ask.assignment), ask.returns)

    def usual(self, **given: str | None) -> tuple[Category, Status, Tier]:
        """Choose a category, status and tier that some blueprint makes.

        Values in `given` are kept. Raise `UnreachableBrief` if no blueprint makes them.
        """
        status = given.get("solution_status")
        wanted = (given.get("category"), status and main_status(status), given.get("difficulty_tier"))
        found = [
            each
            for each in reachable(self.catalogue)
            if all(want in {None, have} for want, have in zip(wanted, each, strict=True))
        ]
        if not found:
            requested = ", ".join(want for want in wanted if want)
            ways = sorted(
                {
                    f"{status} at {tier}"
                    for category, status, tier in reachable(self.catalogue)
                    if wanted[0] in {None, category}
                }
            )
            raise Unreachable(
                f"no blueprint makes {requested}. Reachable{f' for {wanted[0]}' if wanted[0] else ''}: {'; '.join(ways)}."
            )
        return min(
            found, key=lambda each: (each[1] != "KS", each[2] != "FRACTURE", each[0] != "The Locked Room")
        )

    def twin_brief(self, sibling: Sibling) -> GenerationBrief:
        """Build the brief of the twin of a published scenario. Raise `UnreachableBrief` if it has none."""
        return self._designer.twin_brief(sibling)

    def admit(self, brief: GenerationBrief) -> None:
        """Raise `UnreachableBrief`, with what is reachable, if no blueprint can satisfy the brief."""
        fitting(self.catalogue, brief)


@lru_cache(maxsize=1)
def builtin_cast() -> Cast:
    """Load the cast with the shipped blueprints and library."""
    return Cast(shipped(), everyday())
