"""Candidate situations: three to five catalogue entries of the category, each with its constraint set."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from impossible_moments.agents.builtin.athena.claims.claim_wording import format_duration
from impossible_moments.agents.builtin.athena.declared_design import LATE, DeclaredDesign
from impossible_moments.agents.builtin.athena.distractor_strength import label_distractor
from impossible_moments.blueprints import (
    Catalogue,
    Offer,
    ScenarioDraft,
    UnreadableDraft,
    draw_instance,
    load_shipped_catalogue,
    read_draft,
)
from impossible_moments.domain.brief import GenerationBrief
from impossible_moments.domain.seed import Candidate, ConstraintSet
from impossible_moments.mechanics.records import Library, parse_line

CANDIDATES: Final = 4
MOST_NAMED: Final = 3


def list_candidates(
    catalogue: Catalogue,
    library: Library,
    brief: GenerationBrief,
    chosen: ScenarioDraft,
    fitting: Iterable[Offer],
) -> tuple[Candidate, ...]:
    """Return the chosen situation and others, one for each skin.

    Those that fit the brief come before others of its category, and those of this catalogue before shipped ones.
    """
    found = {_name_skin(chosen.instance.offer): describe_candidate(chosen)}
    for offer in chain(
        fitting,
        catalogue.iterate_offers(brief.category),
        # a small catalogue of one's own is compared with the situations that everybody has
        load_shipped_catalogue().iterate_offers(brief.category),
    ):
        if len(found) >= CANDIDATES:
            break
        if _name_skin(offer) in found:
            continue
        try:
            draft = read_draft(draw_instance(offer, library, brief.seed, 0, 0, turn=0), library)
        except UnreadableDraft:
            continue
        found[_name_skin(offer)] = describe_candidate(draft)
    return tuple(found.values())


def _name_skin(offer: Offer) -> str:
    return f"{offer.blueprint.name}/{offer.skin.name}"


def describe_candidate(draft: ScenarioDraft) -> Candidate:
    """Describe a situation in one sentence, with what makes it look impossible and what prunes it."""
    offer, notes = draft.instance.offer, draft.instance.notes
    place = offer.skin.place.rstrip(".")
    declared = DeclaredDesign(draft.design)
    return Candidate(
        situation=f"{place[:1].upper()}{place[1:]}: {offer.blueprint.idea}",
        constraints=ConstraintSet(
            looks_impossible=draft.render_template(notes.looks_impossible or offer.blueprint.idea),
            reconceived=_describe_what_is_reconceived(draft),
            pruned_by=" ".join(_iterate_pruning(draft, declared)),
        ),
    )


def _describe_what_is_reconceived(draft: ScenarioDraft) -> str:
    """Describe what must be seen anew: the thing of the first insight that names one, or the first insight."""
    insights = [parse_line(line, example="", evidence=False) for line in draft.design.record.insights]
    for parts in insights:
        for name in parts.head.partition("(")[2].rstrip(")").split(","):
            if name.strip() in draft.design.world.things:
                label = draft.design.world.things[name.strip()].label
                return f"{label[:1].upper()}{label[1:]}: {parts.body}"
    return insights[0].body if insights else draft.render_template(draft.instance.notes.excluded or "")


def _iterate_pruning(draft: ScenarioDraft, declared: DeclaredDesign) -> Iterator[str]:
    """Yield what removes the other approaches: the clock, the dangers, and the conditions that stop them."""
    late = [name for name in declared.traps if declared.ends[name] == LATE]
    if declared.deadline is not None:
        labels = "; ".join(_label_idea(name, draft) for name in late)
        out = f" rules out: {labels}" if late else " bounds every approach"
        yield f"The deadline of {format_duration(declared.deadline)}{out}."
    stops: dict[str, list[str]] = {}
    for name in declared.traps:
        if declared.ends[name] != LATE:
            stops.setdefault(declared.ends[name].removeprefix("blocked "), []).append(
                _label_idea(name, draft)
            )
    for stop, ideas in list(stops.items())[:MOST_NAMED]:
        yield f"`{stop}` rules out: {'; '.join(ideas)}."


def _label_idea(name: str, draft: ScenarioDraft) -> str:
    label = label_distractor(name, draft)
    return f"{label[:1].lower()}{label[1:]}"
