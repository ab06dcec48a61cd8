"""Instances: a blueprint in one skin and variant with all values drawn, as a record and its notes."""

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
    """A drawn record as data, the notes on it, and the offer it was drawn from."""

    offer: Offer
    record: Data
    telling: Telling


@dataclass(frozen=True, slots=True)
class Following:
    """The offer whose random streams an instance uses, so that shared draws have the same values."""

    offer: str
    """The name of the offer that was drawn first. It has the same skin."""
    anew: int = 0
    """How often the draws of the own variant were drawn again."""


def instance(
    offer: Offer,
    library: Library,
    *names: object,
    turn: int | None = None,
    following: Following | None = None,
) -> Instance:
    """Draw every value that an offer leaves open.

    `names` (seed, attempt) identify the random streams. `following` uses the streams of another offer. The
    title is drawn as well, unless `turn` gives the number of titles used before.
    """
    names = (*names, offer.name if following is None else following.offer)
    chosen = {name: _drawn_places(name, options, *names) for name, options in offer.skin.options.items()}
    return _instance(offer, library, chosen, names, turn, anew=0 if following is None else following.anew)


def imagined(offer: Offer, library: Library, chosen: Mapping[str, Sequence[int]]) -> Instance:
    """Build an instance with the given options and with placeholder numbers that mean nothing."""
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
        raise ConfigurationError(
            f"`{name}` takes {options.take} options, but lists only {len(options.of)}."
        )
    return stream(*names, "options", name).sample(range(len(options.of)), options.take)


def own_draws(offer: Offer) -> frozenset[str]:
    """Return the names that the variant of an offer draws itself, without computed ones."""
    layers = (offer.blueprint.variants[offer.variant], offer.skin.variants[offer.variant])
    return frozenset(
        name for layer in layers for name, text in layer.draws.items() if not text.strip().startswith("=")
    )


def titles_of(offer: Offer) -> list[str]:
    """Return the titles of an offer: those of the variant whose wording it uses, or those of its skin."""
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
    """Return the prose with its named paragraphs joined. Paragraphs set to null are left out."""
    if not isinstance(prose, Mapping):
        raise ConfigurationError(
            f"{offer.name} has no prose: write `prose: {{narrative: ...}}` in the skin's record."
        )
    return {name: _joined(text) for name, text in prose.items() if text is not None}


def _joined(text: object) -> object:
    if not isinstance(text, Mapping):
        return text
    return "\n\n".join(" ".join(str(part).split()) for part in text.values() if part is not None)
