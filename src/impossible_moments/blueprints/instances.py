"""Instances: a blueprint in one skin and variant with all values drawn, as a record and its notes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from pydantic import ValidationError

from impossible_moments.blueprints.catalogue import Offer
from impossible_moments.blueprints.draw_changes import (
    NO_CHANGES,
    NO_ORIGIN,
    DrawChanges,
    DrawOrigin,
    format_option_group,
    replace_stated_values,
)
from impossible_moments.blueprints.exchanged_things import MergedLayers, find_changed_draws_and_dependents
from impossible_moments.blueprints.file_models import OptionGroup, Overlay, ScenarioNotes
from impossible_moments.blueprints.open_places import require_complete_skin
from impossible_moments.blueprints.overlays import Data, merge_overlays
from impossible_moments.blueprints.parameter_draws import draw_values, substitute_draws
from impossible_moments.blueprints.random_streams import create_random_stream
from impossible_moments.blueprints.scenario_tables import add_tables_to_prose
from impossible_moments.blueprints.variant_crossing import combine_story_with_variant_ending
from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import Library, describe_form_problems

FORMAT = "im-mechanics/1"
RULES: Final = "rules"
"""The part of a skin's prose that maps names to the rules of the situation. They are listed below the threat."""


@dataclass(frozen=True)
class BlueprintInstance:
    """A drawn record as data, the notes on it, and the offer it was drawn from."""

    offer: Offer
    record: Data
    notes: ScenarioNotes
    origin: DrawOrigin = NO_ORIGIN
    """The draws behind the values, and the record before they were filled in."""


@dataclass(frozen=True, slots=True)
class DrawSource:
    """The offer whose random streams an instance uses, so that shared draws have the same values."""

    offer: str
    """The name of the offer that was drawn first. It has the same skin."""
    redraw_count: int = 0
    """How often the draws of the own variant were drawn again."""


def draw_instance(
    offer: Offer,
    library: Library,
    *names: object,
    turn: int | None = None,
    following: DrawSource | None = None,
    changes: DrawChanges = NO_CHANGES,
) -> BlueprintInstance:
    """Draw every value that an offer leaves open.

    `names` (seed, attempt) identify the random streams. `following` uses the streams of another offer. The
    title is drawn as well, unless `turn` gives the number of titles used before. `changes` replaces some of the
    draws, and all others keep their values.
    """
    require_complete_skin(offer)
    names = (*names, offer.name if following is None else following.offer)
    chosen_options = {
        name: _draw_option_indices(
            name,
            options,
            *names,
            *(("anew", again) if (again := changes.redraws.get(format_option_group(name))) else ()),
        )
        for name, options in offer.skin.options.items()
    }
    if following is not None and following.redraw_count:
        own = dict.fromkeys(list_draws_of_variant(offer), following.redraw_count)
        changes = replace(changes, redraws={**own, **changes.redraws})
    return _assemble_instance(offer, library, chosen_options, names, turn, changes=changes)


def build_placeholder_instance(
    offer: Offer, library: Library, chosen_options: Mapping[str, Sequence[int]]
) -> BlueprintInstance:
    """Build an instance with the given options and with placeholder numbers that mean nothing."""
    return _assemble_instance(offer, library, chosen_options, ("imagined", offer.name), 0)


def _assemble_instance(
    offer: Offer,
    library: Library,
    chosen_options: Mapping[str, Sequence[int]],
    names: tuple[object, ...],
    turn: int | None,
    *,
    changes: DrawChanges = NO_CHANGES,
) -> BlueprintInstance:
    layers = tuple(_list_overlays_of_offer(offer, chosen_options))
    story = (
        tuple(_list_overlays_of_offer(replace(offer, variant=offer.narrated_variant), chosen_options))
        if offer.narrated_variant
        else ()
    )
    draws = {name: text for layer in (*story, *layers) for name, text in layer.draws.items()}
    values = draw_values(draws, *names, redraws=changes.redraws, fixed=changes.values)
    texts = {name: text for layer in (*layers, *story) for name, text in layer.texts.items()}
    values |= {name: substitute_draws(text, values) for name, text in texts.items()}
    titles = list_titles(offer)
    title = (
        create_random_stream(*names, "", "title").choice(titles)
        if turn is None
        else titles[turn % len(titles)]
    )
    head = {"format": FORMAT, "title": title, "category": offer.blueprint.category}
    merged = _merge_offer_overlays(head, layers)
    if story:
        before = {name: text for layer in story for name, text in layer.draws.items()}
        merged = combine_story_with_variant_ending(
            merged,
            _merge_offer_overlays(head, story),
            offer.depth,
            find_changed_draws_and_dependents(before, draws),
        )
    record, notes = (
        _substitute_values(merged.record, values),
        _validate_notes(_substitute_values(merged.notes, values), offer),
    )
    record["prose"] = _assemble_prose(record.get("prose"), offer)
    record = replace_stated_values(record, changes.lines)
    origin = DrawOrigin({**draws, **texts}, values, merged.record)
    return BlueprintInstance(offer, add_tables_to_prose(record, notes, library), notes, origin)


def _merge_offer_overlays(head: Data, layers: Sequence[Overlay]) -> MergedLayers:
    record = merge_overlays(head, *(layer.record for layer in layers))
    return MergedLayers(record, merge_overlays({}, *(layer.telling for layer in layers), lines=frozenset()))


def _list_overlays_of_offer(offer: Offer, chosen_options: Mapping[str, Sequence[int]]) -> Iterator[Overlay]:
    yield offer.blueprint
    yield offer.skin
    for name, options in offer.skin.options.items():
        yield from (options.of[place] for place in sorted(chosen_options[name]))
    yield offer.blueprint.variants[offer.variant]
    yield offer.skin.variants[offer.variant]


def _draw_option_indices(name: str, options: OptionGroup, *names: object) -> list[int]:
    if options.take > len(options.of):
        raise ConfigurationError(
            f"the blueprint's option group `{name}` takes {options.take} options, but lists only {len(options.of)}."
        )
    return create_random_stream(*names, "options", name).sample(range(len(options.of)), options.take)


def list_draws_of_variant(offer: Offer) -> frozenset[str]:
    """Return the names that the variant of an offer draws itself, without computed ones."""
    layers = (offer.blueprint.variants[offer.variant], offer.skin.variants[offer.variant])
    return frozenset(
        name for layer in layers for name, text in layer.draws.items() if not text.strip().startswith("=")
    )


def list_titles(offer: Offer) -> list[str]:
    """Return the titles of an offer: those of the variant whose wording it uses, or those of its skin."""
    titles = offer.skin.variants[offer.narrated_variant or offer.variant].titles or offer.skin.titles
    if not titles:
        raise ConfigurationError(
            f"the blueprint {offer.name} has no title: write `titles: [...]` in the skin."
        )
    return titles


def _substitute_values(value: Any, values: Mapping[str, str]) -> Any:  # noqa: ANN401 - a document's parts are of any kind
    match value:
        case str():
            return substitute_draws(value, values)
        case Mapping():
            return {name: _substitute_values(item, values) for name, item in value.items()}
        case list():
            return [_substitute_values(item, values) for item in value]
        case _:
            return value


def _validate_notes(data: Data, offer: Offer) -> ScenarioNotes:
    try:
        return ScenarioNotes.model_validate(data)
    except ValidationError as problem:
        listed = " ".join(describe_form_problems(ScenarioNotes, problem))
        raise ConfigurationError(
            f"the section `telling` of the blueprint {offer.name} is not valid: {listed}"
        ) from None


def _assemble_prose(prose: object, offer: Offer) -> Data:
    """Return the prose with its named paragraphs joined and its rules listed below the threat.

    Paragraphs and rules set to null are left out.
    """
    if not isinstance(prose, Mapping):
        raise ConfigurationError(
            f"the blueprint {offer.name} has no prose: write `prose: {{narrative: ...}}` in the skin's record."
        )
    texts = {name: _join_paragraphs(text) for name, text in prose.items() if text is not None}
    rules = texts.pop(RULES, None)
    if rules is None or not texts.get("threat"):
        return texts  # a missing threat is reported, and rules alone are none
    if not isinstance(prose[RULES], Mapping):
        raise ConfigurationError(
            f"the rules of the blueprint {offer.name} have no names: write `rules: {{name: sentence, ...}}`."
        )
    listed = "\n".join(
        f"- {' '.join(str(rule).split())}" for rule in prose[RULES].values() if rule is not None
    )
    return texts | {"threat": f"{texts.get('threat', '')}\n\n{listed}".strip()}


def _join_paragraphs(text: object) -> object:
    if not isinstance(text, Mapping):
        return text
    return "\n\n".join(" ".join(str(part).split()) for part in text.values() if part is not None)
