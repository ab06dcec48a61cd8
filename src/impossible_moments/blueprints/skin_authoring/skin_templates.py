"""Templates of new skins: the structure of a blueprint's skin, with every text marked as left to write.

A text that is left to write contains the word `TODO`. A skin that still has one is not drawn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import yaml

from impossible_moments.blueprints.file_models import BlueprintForm, SkinForm
from impossible_moments.blueprints.open_places import TODO
from impossible_moments.blueprints.overlays import LINES
from impossible_moments.blueprints.parameter_draws import (
    find_referenced_draws,
    is_computed_draw,
    is_numeric_draw,
)
from impossible_moments.mechanics.records import parse_line, split_lines

_LINE_WIDTH: Final = 1_000
_CITED: Final = frozenset({"known", "envelope"})
"""Fields with lines whose source is a work and no quote of the text."""
_ESTIMATED: Final = re.compile(r"\b(?:assumed|disputed)\s*$")
_QUOTE: Final = f"{TODO}: words copied from your text"
_HINTS: Final[Mapping[str, str]] = {
    "place": "the place and the time, in a few words",
    "voice": "who tells it and who is quoted",
    "threat": "the goal and the deadline, in one or two plain sentences",
    "position": "who you are, what you have, and what an answer must state",
    "label": "its name in this setting, with the article",
    "menu": "the deed as an entry of a list",
    "deed": "the deed as a sentence",
    "why": "why it tempts or fails, with the figure",
    "use": "the everyday use of the thing",
    "tempts": "the idea by which it misleads",
    "fails": "the property, with its number, that defeats the idea",
    "answer": "the wrong answer as a reader would state it",
    "looks_impossible": "the wrong picture in the mind of a reader, which does not repeat the story",
    "excluded": "what this picture leaves out",
    "correct_outcome": "the answer in one sentence, in the words of this skin",
    "proof": "the argument in words: why nothing works",
    "concept": "the idea of the scenario in one sentence",
    "why_it_matters": "what a solver must be able to do",
    "category_match": "why it belongs to its category",
}
"""What is to be written, by the name of the field."""
_PARAGRAPHS: Final = (
    f"{TODO}: where you are, who you are, what has happened, and what is lost and when",
    f"{TODO}: each thing at hand, plainly, as {{thing:NAME}}",
    f"{TODO}: the tension, what others propose, and one plain question",
)
"""What the first, the middle and the last paragraph of a narrative say."""
_STRUCTURE: Final = frozenset(
    {"name", "call", "do", "of", "kind", "like", "ends", "type", "domain", "goal", "deadline", "claim", "unit", "tolerance"}
    | {"longest_plan", "prefer", "takes", "tier", "blueprint", "format", "category", "variable"}
)  # fmt: skip
"""Fields whose text is a name or an expression, which is kept."""
_WHOLE: Final = frozenset(
    {
        "plan",
        "status",
        "words",
        "modelled_ideas",
        "bookkeeping",
        "when",
        "then",
        "needs",
        "puzzles",
        "scale",
        "misdirection",
    }
)
"""Fields that are kept as they are, with all they contain."""
_LEFT_OUT: Final = frozenset({"closed_ideas", "inapplicable_ideas", "also", "implied", "open_questions"})
"""Fields that a skin may have, and that a template need not."""
_SENTENCES: Final = frozenset(
    {"insights", "needs_said", "conditions", "uncertainties", "names", "answers", "premises"}
)
"""Fields with lines whose right side is a text."""
_REQUIRED: Final = ("looks_impossible", "excluded", "correct_outcome")


def choose_example_skin(skins: tuple[SkinForm, ...]) -> SkinForm | None:
    """Return the skin that supports the most variants, the first of equals. None if there is none."""
    return max(skins, key=lambda skin: len(skin.variants), default=None)


def build_skin_template(blueprint: BlueprintForm, skins: tuple[SkinForm, ...], name: str = "my_skin") -> str:
    """Return a skin file for a blueprint in which every text is left to write.

    Numbers, things and calls are those of the skin that supports the most variants, because they are known to work.
    """
    example = choose_example_skin(skins)
    skin = example.model_dump(exclude_unset=True) if example is not None else _build_bare_skin(blueprint)
    data = _TextRemover(_list_draws_in_structure(blueprint, skin)).blank(skin)
    data |= {"format": "im-skin/1", "blueprint": blueprint.name, "name": name, "titles": [f"{TODO}: a title"]}
    record, telling = data.setdefault("record", {}), data.setdefault("telling", {})
    record["prose"] = _blank_prose(record.get("prose"))
    record["wording"] = _trim_wording(record.get("wording"), blueprint)
    for field in _REQUIRED:
        telling[field] = _todo(field)
    data["variants"] = {variant: _trim_variant(each, blueprint) for variant, each in data["variants"].items()}
    return _format_template(data, blueprint, example)


def _build_bare_skin(blueprint: BlueprintForm) -> dict[str, Any]:
    things = [
        {"name": each["name"], "label": ""} for each in blueprint.record.get("things") or () if "name" in each
    ]
    return {
        "place": "",
        "voice": "",
        "record": {"things": things},
        "telling": {"materials": {each["name"]: "" for each in things if each["name"] != "you"}},
        "variants": {variant: {} for variant in blueprint.variants},
    }


def _todo(field: str) -> str:
    return f"{TODO}: {_HINTS.get(field, 'the words of this setting')}"


def _list_draws_in_structure(blueprint: BlueprintForm, skin: Mapping[str, Any]) -> frozenset[str]:
    """Return the draws that are used outside texts, so that their values must keep their form."""
    layers = [blueprint.model_dump(), *(variant.model_dump() for variant in blueprint.variants.values())]
    layers += [dict(skin), *map(dict, skin["variants"].values())]
    return frozenset(
        name
        for layer in layers
        for section, part in (layer.get("record") or {}).items()
        if section not in {"prose", "wording", "insights"}
        for name in find_referenced_draws(str(part))
    )


@dataclass(frozen=True)
class _TextRemover:
    """Marks every text of a skin as left to write and keeps its structure."""

    kept_draws: frozenset[str]
    """Draws whose values the blueprint needs as they are."""
    lines: frozenset[str] = LINES
    """Fields that hold lines. The notes have none."""

    def blank(self, value: Any, field: str = "") -> Any:  # noqa: ANN401 - a document's parts are of any kind
        """Return a part of a skin without its texts."""
        if field in _WHOLE or (field in _STRUCTURE and isinstance(value, str)):
            return value
        if field in self.lines and not _has_nested_entries(value):
            return [_blank_line(line, field) for line in split_lines(value)]
        if isinstance(value, Mapping):
            return self._blank_map(value, field)
        if isinstance(value, list):
            texts = all(isinstance(item, str) for item in value)
            return [_todo(field)] * min(len(value), 3) if texts else [self.blank(item) for item in value]
        return _todo(field) if isinstance(value, str) else value

    def _blank_map(self, value: Mapping[str, Any], field: str) -> dict[str, Any]:
        kept = {name: item for name, item in value.items() if name not in _LEFT_OUT}
        match field:
            case "drop":
                return kept
            case "draws" | "texts":
                return {name: self._blank_draw(name, str(text)) for name, text in value.items()}
            case _:
                return {name: self._blank_entry(name, item) for name, item in kept.items()}

    def _blank_entry(self, name: str, value: Any) -> Any:  # noqa: ANN401
        remover = replace(self, lines=frozenset()) if name == "telling" else self
        return remover.blank(value, str(name))

    def _blank_draw(self, name: str, text: str) -> str:
        is_kept = name in self.kept_draws or is_computed_draw(text) or is_numeric_draw(text)
        return text if is_kept else f"{TODO}: this | that"


def _has_nested_entries(value: object) -> bool:
    return isinstance(value, Mapping) and any(isinstance(item, Mapping) for item in value.values())


def _blank_line(line: str, field: str) -> str:
    """Return a line with its sentence, or the quote behind its `@`, left to write."""
    if field in _SENTENCES:
        return f"{parse_line(line, example='rim = 3.6[m]', evidence=False).head} = {TODO}: the words of this setting"
    stated, at, source = line.partition(" @ ")
    if not at or field in _CITED or _ESTIMATED.search(stated) or source.strip() == "law":
        return line
    prefix = "premise: " if source.startswith("premise:") else ""
    return f"{stated} @ {prefix}{_QUOTE}"


def _blank_prose(prose: object) -> dict[str, Any]:
    prose = prose if isinstance(prose, Mapping) else {}
    rules = prose.get("rules")
    names = [name for name, rule in rules.items() if rule is not None] if isinstance(rules, Mapping) else []
    narrative = prose.get("narrative")
    paragraphs = list(narrative) if isinstance(narrative, Mapping) else ["arrival", "things", "question"]
    hints = [_PARAGRAPHS[0], *[_PARAGRAPHS[1]] * (len(paragraphs) - 2), _PARAGRAPHS[2]][-len(paragraphs) :]
    return {
        "narrative": dict(zip(paragraphs, hints, strict=True)),
        "threat": _todo("threat"),
        "rules": dict.fromkeys(
            names or ("first", "second", "third"),
            f"{TODO}: one rule or limit, with its figures as {{NAME|unit}}",
        ),
        "position": _todo("position"),
    }


def _trim_wording(wording: object, blueprint: BlueprintForm) -> dict[str, Any]:
    """Return the wording without what the blueprint states already, except that each call needs a near miss."""
    kept = dict(wording) if isinstance(wording, Mapping) else {}
    shared = blueprint.record.get("wording") or {}
    entries: dict[str, Any] = {}
    for entry in kept.get("actions") or ():
        stated = {
            each["call"]: each for each in shared.get("actions") or () if _get_verb(each) == _get_verb(entry)
        }
        if not stated:
            entries[entry["call"]] = entry
        elif not any(each.get("near_misses") for each in stated.values()):
            call = entry["call"] if entry["call"] in stated else next(iter(stated))
            entries[call] = {"call": call, "near_misses": [f"{TODO}: another deed with the same thing"]}
    kept = {
        name: item
        for name, item in kept.items()
        if name not in {"actions", "conditions", "uncertainties", "drop"}
    } | {
        name: [line for line in kept[name] if not _is_stated(line, shared.get(name))]
        for name in ("conditions", "uncertainties")
        if name in kept
    }
    kept |= {"actions": list(entries.values())} if entries else {}
    kept |= {"decoy_premises": [f"{TODO}: a statement of the text that is not what decides"] * 3}
    return {name: item for name, item in kept.items() if item}


def _is_stated(line: str, shared: object) -> bool:
    heads = {parse_line(each, example="rim = 3.6[m]", evidence=False).head for each in split_lines(shared)}
    return parse_line(line, example="rim = 3.6[m]", evidence=False).head in heads


def _get_verb(entry: Mapping[str, Any]) -> str:
    return str(entry["call"]).partition("(")[0].strip()


def _trim_variant(variant: Mapping[str, Any], blueprint: BlueprintForm) -> dict[str, Any]:
    """Return a variant of the template: its own texts, without a wording that the blueprint has."""
    record = dict(variant.get("record") or {})
    if "wording" in record:
        record["wording"] = {
            name: item
            for name, item in _trim_wording(record["wording"], blueprint).items()
            if name != "decoy_premises"
        }
    return (
        {**variant, "record": {name: item for name, item in record.items() if item}}
        if record
        else dict(variant)
    )


def _format_template(data: dict[str, Any], blueprint: BlueprintForm, example: SkinForm | None) -> str:
    """Return the template as YAML, with a comment above each section."""
    source = (
        f"The figures are those of the skin `{example.name}`: change them to fit your setting."
        if example is not None
        else "The blueprint has no skin yet: add the draws, quantities and properties that `im blueprint check` asks for."
    )
    head = (
        f"# A skin of {blueprint.name}: {blueprint.idea}\n# Write a text wherever TODO stands, and delete what your setting "
        f"does not need.\n# {source}\n# `im blueprint show {blueprint.name}` prints the things, calls and variants; `im blueprint check FILE` lists what is left.\n"
    )
    order = ("format", "blueprint", "name", "place", "voice", "threat", "titles", "draws", "texts", "options", "record", "telling", "variants")  # fmt: skip
    sections = [(name, data[name]) for name in order if data.get(name)]
    return head + "".join(
        (f"# {_COMMENTS[name]}\n" if name in _COMMENTS else "") + _dump({name: item})
        for name, item in sections
    )


_COMMENTS: Final[Mapping[str, str]] = {
    "place": "For people who choose a skin: the place, the narrator, and the source of pressure.",
    "titles": "One of them is drawn.",
    "draws": "What differs from draw to draw: `low..high by step`, `this | that` or `= formula`. `$name` stands for it.",
    "options": "Alternatives of which some are drawn.",
    "record": "The parts of the record that this setting changes or adds, and its text.",
    "telling": "Texts for the key and the tables. Every thing that no way needs is a distractor.",
    "variants": "The endings that this skin supports. Delete those that it does not.",
}


class _PlainDumper(yaml.SafeDumper):
    """Writes YAML without anchors, which records may not have."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ANN401, ARG002 - the signature of the library
        return True


def _dump(data: Mapping[str, Any]) -> str:
    return yaml.dump(
        dict(data),
        Dumper=_PlainDumper,
        sort_keys=False,
        allow_unicode=True,
        width=_LINE_WIDTH,
        default_flow_style=False,
    )
