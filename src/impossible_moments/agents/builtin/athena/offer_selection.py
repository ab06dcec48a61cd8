"""Selection of the offers that fit a brief, in an order that covers the catalogue from seed to seed."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from impossible_moments.agents.orchestrator.brief_constraints import (
    OBJECTS,
    THREAT,
    BriefConstraint,
    ScenarioContent,
    judge_inspiration,
)
from impossible_moments.blueprints import Catalogue, Offer, create_random_stream
from impossible_moments.composition import ComposedOptions, NoComposedDraw, draw_composed
from impossible_moments.domain.brief import GenerationBrief, TwinWanted, VariantWanted
from impossible_moments.domain.vocabulary import (
    CATEGORIES,
    STATUSES,
    TIERS,
    Category,
    Status,
    Tier,
    parse_main_status,
)
from impossible_moments.errors import ConfigurationError


class UnreachableBrief(ConfigurationError):
    """A brief that no blueprint can satisfy. The message names what is reachable instead."""


def collect_offer_content(offer: Offer) -> ScenarioContent:
    """Return the texts of an offer before it is drawn. Numbers of objects and deadlines are not known yet."""
    skin = offer.skin
    prose = skin.record.get("prose")
    threat = prose.get("threat") if isinstance(prose, Mapping) else None
    return ScenarioContent(
        {
            "narrative": f"{skin.place} {skin.voice} {skin.name.replace('_', ' ')} {prose or ''}",
            THREAT: f"{skin.threat} {threat or ''}",
            OBJECTS: str(skin.record.get("things", "")),
        }
    )


def find_composed_offer(brief: GenerationBrief, skipped: int = 0) -> Offer:
    """Return the offer of a composed scenario, after `skipped` earlier draws of the same seed.

    Raise `UnreachableBrief` if the place has no such draw.
    """
    wanted = brief.composed
    assert wanted is not None, "only briefs of composed scenarios are drawn here"
    options = ComposedOptions(
        status="PX" if brief.solution_status == "PX" else "KS",
        other_way=wanted.other_way,
        category=brief.category,
        skipped=skipped,
        attempt=wanted.attempt,
    )
    try:
        draw = draw_composed(wanted.level, brief.seed, wanted.place, options)
    except NoComposedDraw as problem:
        raise UnreachableBrief(str(problem)) from None
    return draw.offer


def find_twin_offer(catalogue: Catalogue, twin: TwinWanted) -> Offer:
    """Return the offer from which a twin is drawn.

    Raise `UnreachableBrief` if the catalogue no longer has it.
    """
    blueprint, skin, sibling_variant = (*twin.drawn_as.split("/"), "", "")[:3]
    found = {each.name: each for each in catalogue.skins.get(blueprint, ())}.get(skin)
    if found is None or not {sibling_variant, twin.variant} <= found.variants.keys():
        raise UnreachableBrief(
            f"The twin of {twin.of} needs the variant {twin.variant} of {twin.drawn_as}, but the catalogue has no skin "
            "with both. Install the blueprints with which the twin was requested."
        )
    words = sibling_variant if twin.told_alike else ""
    return Offer(
        catalogue.blueprints[blueprint], found, twin.variant, narrated_variant=words, depth=twin.depth
    )


def find_parent_offer(catalogue: Catalogue, wanted: VariantWanted) -> Offer:
    """Return the offer from which the parent of a variant was drawn.

    Raise `UnreachableBrief` if the catalogue no longer has it.
    """
    blueprint, skin, variant = (*wanted.drawn_as.split("/"), "", "")[:3]
    found = {each.name: each for each in catalogue.skins.get(blueprint, ())}.get(skin)
    if found is None or variant not in found.variants:
        raise UnreachableBrief(
            f"The variant of {wanted.of} is drawn from {wanted.drawn_as}, which the catalogue does not have. Install the "
            "blueprints with which the variant was requested."
        )
    return Offer(catalogue.blueprints[blueprint], found, variant)


def find_fitting_offers(catalogue: Catalogue, brief: GenerationBrief) -> tuple[Offer, ...]:
    """Return the offers of the brief's category, status and tier.

    Raise `UnreachableBrief` if there are none.
    """
    if brief.composed is not None:
        return (find_composed_offer(brief),)
    if brief.twin is not None:
        return (find_twin_offer(catalogue, brief.twin),)
    if brief.variant is not None:
        return (find_parent_offer(catalogue, brief.variant),)
    offers = tuple(catalogue.iterate_offers(brief.category))
    found = tuple(
        offer
        for offer in offers
        if parse_main_status(offer.claim) == brief.solution_status and offer.tier == brief.difficulty_tier
    )
    if not found:
        raise UnreachableBrief(_describe_unreachable_brief(brief, offers))
    # if no offer has the wanted subtype, the result states that the brief is not kept
    return tuple(offer for offer in found if offer.claim == brief.status_subtype) or found


def explain_unused_contributions(catalogue: Catalogue, brief: GenerationBrief) -> str:
    """Return why no contributed offer fits the brief, with what each of them makes. Empty if one fits."""
    added = [offer for offer in catalogue.iterate_offers() if offer.name in catalogue.contributed]
    fitting = {offer.name for offer in find_fitting_offers(catalogue, brief)}
    if any(offer.name in fitting for offer in added):
        return ""
    wanted = f"{brief.category}, {brief.status_subtype or brief.solution_status}, {brief.difficulty_tier}"
    made = "; ".join(
        f"{offer.name} makes {offer.blueprint.category}, {offer.claim}, {offer.tier or 'no tier'}"
        for offer in added
    )
    return f"None of your offers fits the brief ({wanted}), so a shipped one is drawn: {made or 'the files have no skin'}."


def _describe_unreachable_brief(brief: GenerationBrief, offers: Sequence[Offer]) -> str:
    reachable = {(parse_main_status(offer.claim), offer.tier) for offer in offers if offer.tier}
    if not reachable:
        return f"no blueprint of {brief.category} is installed; `im blueprint list` shows what there is."
    by_status = [
        f"{status} at {', '.join(tier for tier in TIERS if (status, tier) in reachable)}"
        for status in STATUSES
        if any(status == each for each, _ in reachable)
    ]
    return (
        f"no blueprint makes {brief.category} with status {brief.solution_status} at {brief.difficulty_tier}. "
        f"Reachable there: {'; '.join(by_status)}."
    )


def list_reachable_targets(
    catalogue: Catalogue, claim: str | None = None
) -> tuple[tuple[Category, Status, Tier], ...]:
    """Return every category, status and tier that has an offer, in the order of the specification.

    `claim` leaves only the offers with this subtype.
    """
    found = {
        (offer.blueprint.category, parse_main_status(offer.claim), offer.tier)
        for offer in catalogue.iterate_offers()
        if offer.tier is not None and claim in {None, offer.claim}
    }
    return tuple(
        (category, status, tier)
        for category in CATEGORIES
        for status in STATUSES
        for tier in TIERS
        if (category, status, tier) in found
    )


def order_offers(
    offers: Sequence[Offer], brief: GenerationBrief, contributed: Container[str] = frozenset()
) -> Iterator[Offer]:
    """Return the offers in the order in which they are tried.

    Those whose names are `contributed`, which a user added to the catalogue, come before all others.
    Offers that satisfy more of the brief's constraints come first. Among equals, neighbouring seeds start at
    neighbouring places of one fixed shuffle, so that a series of seeds uses all offers before it repeats one.
    """
    shuffled = sorted(offers, key=lambda offer: offer.name)
    create_random_stream(brief.category, brief.solution_status, brief.difficulty_tier, "order").shuffle(
        shuffled
    )
    shuffled = spread_similar_offers_apart(shuffled)
    start = brief.seed % len(shuffled)
    rotated = shuffled[start:] + shuffled[:start]
    return iter(
        sorted(rotated, key=lambda offer: (offer.name not in contributed, _rank_by_constraints(offer, brief)))
    )


def _rank_by_constraints(offer: Offer, brief: GenerationBrief) -> tuple[int, int]:
    """Return a sort key: few unmet constraints first, then a matching inspiration."""
    if not (brief.constraints or brief.inspiration_seed):
        return 0, 0
    content = collect_offer_content(offer)
    verdicts = [BriefConstraint(text).judge(content).verdict for text in brief.constraints]
    inspiration = judge_inspiration(brief.inspiration_seed or "", content).verdict
    return verdicts.count("unmet"), -verdicts.count("met") - (inspiration == "met")


def spread_similar_offers_apart(offers: Sequence[Offer]) -> list[Offer]:
    """Reorder the offers so that those of one skin, then those of one blueprint, are far apart."""
    rounds: dict[tuple[int, int], list[Offer]] = {}
    seen: dict[str, int] = {}
    for offer in offers:
        skin = f"{offer.blueprint.name}/{offer.skin.name}"
        turn = seen.get(skin, 0)
        in_family = seen.get(f"{offer.blueprint.name}#{turn}", 0)
        seen[skin], seen[f"{offer.blueprint.name}#{turn}"] = turn + 1, in_family + 1
        rounds.setdefault((turn, in_family), []).append(offer)
    return [offer for key in sorted(rounds) for offer in rounds[key]]


def count_catalogue_laps(offers: Sequence[Offer], brief: GenerationBrief) -> int:
    """Return how often a series of seeds has used all offers before this seed. It selects the next title."""
    return brief.seed // len(offers)
