"""Halves of a split scenario: each is designed for its own reading of the disputed point."""

from __future__ import annotations

from dataclasses import replace

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.redesigns import RedesignWish
from impossible_moments.agents.builtin.athena.revisions import Reviser
from impossible_moments.agents.builtin.athena.scenario_draws import DesignDesk, ProposedDraw
from impossible_moments.agents.builtin.athena.seed_documents import build_seed_document
from impossible_moments.domain.brief import DisputedReading, GenerationBrief
from impossible_moments.domain.vocabulary import ATHENA


def propose_for_reading(desk: DesignDesk, brief: GenerationBrief, reading: DisputedReading) -> ProposedDraw:
    """Propose a situation that the reading is about, changed as the reading of another agent demands.

    ATHENA's own reading is that the design stands as it is drawn.
    """
    agent, _, text = reading.text.partition(": ")
    proposed = desk.propose(brief, prefers=RedesignWish.from_wanted_text(text).rank_offer)
    note = f"One half of {reading.of or 'a split scenario'}, with the reading of {agent}: {text}"
    if agent == ATHENA:
        return replace(proposed, revision_notes=(note,))
    demand = RevisionDemand(text, demanded_by=agent)
    revised = Reviser(desk, brief).revise(build_seed_document(proposed), (demand,))
    return replace(revised, revision_notes=(note, *revised.revision_notes))
