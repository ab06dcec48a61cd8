"""The built-in cast: the program of each agent, and how it is asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from impossible_moments.agents.builtin.additional_agents import Cassandra, Darwin, Hypatia, Turing
from impossible_moments.agents.builtin.assignment_view import AssignmentView
from impossible_moments.agents.builtin.athena.offer_selection import (
    UnreachableBrief,
    find_fitting_offers,
    list_reachable_targets,
)
from impossible_moments.agents.builtin.athena.role import Athena
from impossible_moments.agents.builtin.athena.twin_scenarios import PublishedSibling
from impossible_moments.agents.builtin.euler.role import Euler
from impossible_moments.agents.builtin.galileo.role import Galileo
from impossible_moments.agents.builtin.newton.role import Newton
from impossible_moments.agents.builtin.role import Role, UnanswerableAsk
from impossible_moments.agents.builtin.socrates.role import Socrates
from impossible_moments.agents.orchestrator.flow import Ask
from impossible_moments.blueprints import (
    Catalogue,
    load_extended_catalogue,
    load_shipped_catalogue,
    measure_contributed_tiers,
)
from impossible_moments.domain.additional_agent_reports import Mutation
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.vocabulary import SUBTYPES, Category, Status, Tier, parse_main_status
from impossible_moments.library import load_everyday_library
from impossible_moments.mechanics.checks import CheckReport
from impossible_moments.mechanics.records import Library
from impossible_moments.solver import KnownSituations, explain_insufficient_document

BUILTIN_AGENTS: Final = tuple(
    role.name for role in (Athena, Galileo, Euler, Newton, Socrates, Darwin, Turing, Hypatia, Cassandra)
)
"""The agents that have a built-in program."""


class BuiltinCast:
    """The programs of all agents.

    An agent keeps no state between asks: what it may know is in the assignment.
    """

    def __init__(self, catalogue: Catalogue, library: Library) -> None:
        self.catalogue, self.library = catalogue, library
        self.situations = KnownSituations(catalogue, library)
        self._designer = Athena(catalogue, self.situations)
        roles: tuple[Role, ...] = (
            self._designer,
            Galileo(self.situations),
            Euler(library),
            Newton(library),
            Socrates(),
            Darwin(library),
            Turing(self.situations),
            Hypatia(library),
            Cassandra(),
        )
        for role in roles:
            role.evidence_library = library
        self.roles = {role.name: role for role in roles}

    def find_document_shortcoming(self, document: str, report: CheckReport) -> str | None:
        """Return why a public document cannot be solved from its text alone, or None if it can."""
        return explain_insufficient_document(document, report, self.situations)

    def answer(self, ask: Ask) -> LabelledModel:
        """Return the deliverable of the agent that is asked."""
        role = self.roles.get(ask.agent)
        if role is None:
            raise UnanswerableAsk(
                f"The built-in cast has no {ask.agent}. Its agents are {', '.join(self.roles)}."
            )
        return role.make_deliverable(AssignmentView(ask.assignment), ask.returns)

    def choose_reachable_target(self, **given: str | None) -> tuple[Category, Status, Tier]:
        """Choose a category, status and tier that some blueprint makes.

        Values in `given` are kept. Raise `UnreachableBrief` if no blueprint makes them.
        """
        status = given.get("solution_status")
        target = (given.get("category"), status and parse_main_status(status), given.get("difficulty_tier"))
        subtype = status if status in SUBTYPES else None
        # without an offer of the subtype, the result states that the brief is not kept
        found = self._find_targets(target, subtype) or self._find_targets(target, None)
        if not found:
            requested = ", ".join(want for want in target if want)
            targets = sorted(
                {
                    f"{status} at {tier}"
                    for category, status, tier in list_reachable_targets(self.catalogue)
                    if target[0] in {None, category}
                }
            )
            raise UnreachableBrief(
                f"no blueprint makes {requested}. Reachable{f' for {target[0]}' if target[0] else ''}: {'; '.join(targets)}."
            )
        added = {
            (offer.blueprint.category, parse_main_status(offer.claim), offer.tier)
            for offer in self.catalogue.iterate_offers()
            if offer.name in self.catalogue.contributed and subtype in {None, offer.claim}
        }
        return min(
            found,
            key=lambda each: (
                each not in added,
                each[1] != "KS",
                each[2] != "FRACTURE",
                each[0] != "The Locked Room",
            ),
        )

    def _find_targets(
        self, target: Sequence[str | None], subtype: str | None
    ) -> list[tuple[Category, Status, Tier]]:
        return [
            each
            for each in list_reachable_targets(self.catalogue, subtype)
            if all(want in {None, have} for want, have in zip(target, each, strict=True))
        ]

    def draw_seed_document(self, brief: GenerationBrief, offer: str) -> SeedDocument:
        """Draw an offer of the catalogue for a brief, and return its seed document."""
        return self._designer.draw_seed_document(brief, offer)

    def build_twin_brief(self, sibling: PublishedSibling) -> GenerationBrief:
        """Build the brief of the twin of a published scenario. Raise `UnreachableBrief` if it has none."""
        return self._designer.build_twin_brief(sibling)

    def build_variant_briefs(
        self, parent: PublishedSibling, mutations: Sequence[Mutation], *, most: int
    ) -> tuple[GenerationBrief, ...]:
        """Build at most `most` briefs of variants of a published scenario, or none if no variant is acceptable."""
        return self._designer.build_variant_briefs(parent, mutations, most=most)

    def require_feasible_brief(self, brief: GenerationBrief) -> None:
        """Raise `UnreachableBrief`, with what is reachable, if no blueprint can satisfy the brief."""
        if brief.blueprints != self.catalogue.source:
            raise UnreachableBrief(
                f"{brief.scenario_id or 'The brief'} needs {_name_blueprints(brief.blueprints)}, and this run has "
                f"{_name_blueprints(self.catalogue.source)}. Give the same files with --blueprints DIR, or leave it out if "
                "none are needed."
            )
        find_fitting_offers(self.catalogue, brief)


def _name_blueprints(source: str | None) -> str:
    return "the shipped blueprints alone" if source is None else f"the blueprints {source}"


@lru_cache(maxsize=1)
def load_builtin_cast() -> BuiltinCast:
    """Load the cast with the shipped blueprints and library."""
    return BuiltinCast(load_shipped_catalogue(), load_everyday_library())


def load_extended_cast(folder: Path) -> BuiltinCast:
    """Load the cast with the blueprints and skins of a folder beside the shipped ones."""
    library = load_everyday_library()
    return BuiltinCast(measure_contributed_tiers(load_extended_catalogue(folder), library), library)
