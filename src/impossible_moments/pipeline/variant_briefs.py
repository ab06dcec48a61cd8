"""The briefs of variants for an accepted scenario, from the mutations that DARWIN reported."""

from __future__ import annotations

from impossible_moments.agents.builtin import PublishedSibling, load_builtin_cast, read_quantity
from impossible_moments.domain.additional_agent_reports import FURTHER_REPORTS, Mutation
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.dossier import Dossier
from impossible_moments.domain.seed import SeedDocument


def build_variant_briefs(dossier: Dossier, *, most: int) -> tuple[GenerationBrief, ...]:
    """Build at most `most` briefs of variants for the built-in designer.

    Mutations of values that the final record no longer has are left out. Each remaining one is computed again.
    The result is empty if the scenario was not drawn from the catalogue, because only such scenarios can be drawn
    again with one changed quantity, or if it was drawn from a contributor's blueprints. Revisions of the draw are kept.
    """
    seed = dossier.find_latest_deliverable(SeedDocument)
    if seed is None or dossier.brief.blueprints is not None:
        return ()  # a contributor's blueprint may have the name of a shipped one
    mutations = [
        each
        for each in _list_reported_mutations(dossier)
        if read_quantity(seed.mechanics, each.quantity) == each.before
    ]
    parent = PublishedSibling(dossier.brief.scenario_id, seed.mechanics, dossier.brief.seed, seed.drawn_as)
    return load_builtin_cast().build_variant_briefs(parent, mutations, most=most) if mutations else ()


def _list_reported_mutations(dossier: Dossier) -> list[Mutation]:
    return [
        mutation
        for kind in FURTHER_REPORTS.values()
        for _, report in sorted(dossier.find_latest_deliverable_by_author(kind).items())
        for mutation in report.mutations
    ]
