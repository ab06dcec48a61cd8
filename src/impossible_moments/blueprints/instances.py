"""Instances: one blueprint, skin and variant with everything drawn, as a record and its telling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.crossing import crossed
from impossible_moments.blueprints.draws import drawn, substituted
from impossible_moments.blueprints.exchanges import Laid, moved
from impossible_moments.blueprints.forms import Options, Overlay, Telling
from impossible_moments.blueprints.overlay import Data, laid_over
from impossible_moments.blueprints.streams import stream
from impossible_moments.blueprints.tables import with_tables
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.library import Library

FORMAT = "im-mechanics/1"


@dataclass(frozen=True)
class Instance:
    """A record as data, what is said of it, and where it comes from."""

    offer: Offer
    record: Data
    telling: Telling


@dataclass(frozen=True, slots=True)
class Following:
    """Whose draws an instance follows: what both have in common comes out the same for both."""

    offer: str
    """The name of the offer that was drawn first; it has the same skin."""
    anew: int = 0
    """How often what the follower's variant alone draws was drawn before."""


def instance(
    offer: Offer,
    library: Library,
    *names: object,
    turn: int | None = None,
    following: Following | None = None,
) -> Instance:
    """Draw everything that an offer leaves open; `names` (seed, attempt) say for whom.

    The title is drawn too, unless `turn` says that so many titles were used before.
    """
    names = (*names, offer.name if following is None else following.offer)
    chosen = {name: _drawn_places(name, options, *names) for name, options in offer.skin.options.items()}
    return _instance(offer, library, chosen, names, turn, anew=0 if following is None else following.anew)


def imagined(offer: Offer, library: Library, chosen: Mapping[str, Sequence[int]]) -> Instance:
    """What an offer with certain options looks like, numbers aside: those are imagined and mean nothing."""
    return _instance(offer, library, chosen, ("imagined", offer.name), 0)


def _instance(
    offer: Offer,
    library: Library,
    chosen: Mapping[str, Sequence[int]],
    names: tuple[object, ...],
    turn: int | None,
    *,
    anew: int = 0,
) -> Instance:
    layers = tuple(_layers(offer, chosen))
    story = tuple(_layers(replace(offer, variant=offer.told), chosen)) if offer.told else ()
    draws = {name: text for layer in (*story, *layers) for name, text in layer.draws.items()}
    values = drawn(draws, *names, anew=anew, of=own_draws(offer))
    texts = {name: text for layer in (*layers, *story) for name, text in layer.texts.items()}
    values |= {name: substituted(text, values) for name, text in texts.items()}
    titles = titles_of(offer)
    title = stream(*names, "", "title").choice(titles) if turn is None else titles[turn % len(titles)]
    head = {"format": FORMAT, "title": title, "category": offer.blueprint.category}
    laid = _laid(head, layers)
    if story:
        before = {name: text for layer in story for name, text in layer.draws.items()}
        laid = crossed(laid, _laid(head, story), offer.depth, moved(before, draws))
    record, telling = _filled(laid.record, values), _telling(_filled(laid.telling, values), offer)
    record["prose"] = _prose(record.get("prose"), offer)
    return Instance(offer, with_tables(record, telling, library), telling)


def _laid(head: Data, layers: Sequence[Overlay]) -> Laid:
    record = laid_over(head, *(layer.record for layer in layers))
    return Laid(record, laid_over({}, *(layer.telling for layer in layers), lines=frozenset()))


def _layers(offer: Offer, chosen: Mapping[str, Sequence[int]]) -> Iterator[Overlay]:
    yield offer.blueprint
    yield offer.skin
    for name, options in offer.skin.options.items():
        yield from (options.of[place] for place in sorted(chosen[name]))
    yield offer.blueprint.variants[offer.variant]
    yield offer.skin.variants[offer.variant]


def _drawn_places(name: str, options: Options, *names: object) -> list[int]:
    if options.take > len(options.of):
        raise ConfigurationError(f"`{name}` takes {options.take} of {len(options.of)} options.")
    return stream(*names, "options", name).sample(range(len(options.of)), options.take)


def own_draws(offer: Offer) -> frozenset[str]:
    """The names that an offer's variant draws by itself, or in its own way; what it computes depends on others."""
    told = (offer.blueprint.variants[offer.variant], offer.skin.variants[offer.variant])
    return frozenset(
        name for layer in told for name, text in layer.draws.items() if not text.strip().startswith("=")
    )


def titles_of(offer: Offer) -> list[str]:
    """The titles that an offer can bear: those of the variant it is told as, or else its skin's."""
    titles = offer.skin.variants[offer.told or offer.variant].titles or offer.skin.titles
    if not titles:
        raise ConfigurationError(f"{offer.name} has no title: write `titles: [...]` in the skin.")
    return titles


def _filled(value: Any, values: Mapping[str, str]) -> Any:  # noqa: ANN401 - a document's parts are of any kind
    match value:
        case str():
            return substituted(value, values)
        case Mapping():
            return {name: _filled(item, values) for name, item in value.items()}
        case list():
            return [_filled(item, values) for item in value]
        case _:
            return value


def _telling(data: Data, offer: Offer) -> Telling:
    try:
        return Telling.model_validate(data)
    except ValidationError as problem:
        first = problem.errors()[0]
        place = "/".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"{offer.name}: at /telling/{place}, {first['msg'].lower()}.") from None


def _prose(prose: object, offer: Offer) -> Data:
    """The prose with its named paragraphs joined; a paragraph set to null is left out."""
    if not isinstance(prose, Mapping):
        raise ConfigurationError(
            f"{offer.name} has no prose: write `prose: {{narrative: ...}}` in the skin's record."
        )
    return {name: _joined(text) for name, text in prose.items() if text is not None}


def _joined(text: object) -> object:
    if not isinstance(text, Mapping):
        return text
    return "\n\n".join(" ".join(str(part).split()) for part in text.values() if part is not None)
