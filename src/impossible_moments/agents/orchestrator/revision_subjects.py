"""Subjects of corrections: the names of the parts of a seed document, and the part that a free spelling means.

Agents that want the same change may write `solution_sketch step 2`, `step 2` or the call of the step. Before
corrections are counted or merged, each spelling is resolved to the name of the part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from impossible_moments.domain.content_labels import LabelledModel
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import Correction

# fmt: off
PARTS: Final = {
    # name: other spellings, which may be fields of the seed document
    "concept":             ("concept_summary",),
    "mirage":              ("impossibility_mirage", "looks_impossible", "excluded_by_model", "apparent impossibility"),
    "title":               ("name", "scenario name"),
    "narrative":           ("text", "scenario", "story", "prose"),
    "environment":         ("environment table",),
    "threat":              (),
    "position":            (),
    "objects":             ("object table",),
    "capabilities":        ("capability table",),
    "solution_sketch":     ("sketch", "solution"),
    "impossibility_proof": ("proof",),
    "evaluation_criteria": ("criteria",),
    "distractor_inventory": ("distractors",),
    "wrong_answers":       (),
    "correct_outcome":     ("outcome",),
    "open_questions":      (),
    "category_match":      ("category",),
    "mechanics":           ("record",),
}
"""The parts of a seed document that have no names of their own inside the document."""
# fmt: on
_OPTIONAL_PARTS: Final = frozenset({"impossibility_proof", "evaluation_criteria"})
_LISTED_FIELDS: Final = {"insight_chain": "I", "steps": "S"}
_ENTRIES_BY_WORD: Final = frozenset({"quantities", "actions"})
_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+")
_MORE_NUMBERS: Final = r"(?:\s*(?:,|and|to|-)\s*\d{1,2}\b)*"
_STEP: Final = re.compile(rf"\bsteps?[\s_#./\[]*(\d{{1,2}}\b{_MORE_NUMBERS})")
_INSIGHT: Final = re.compile(rf"\binsights?[\s_#]*(\d{{1,2}}\b{_MORE_NUMBERS})")
_PATH_SEPARATOR: Final = re.compile(r"[/.\[\]]+")
_CORRECTION_FIELDS: Final = frozenset({"corrections", "corrections_needed"})


def asks_for_corrections(returns: type[LabelledModel]) -> bool:
    """Return whether a deliverable has a field for corrections."""
    return not _CORRECTION_FIELDS.isdisjoint(returns.model_fields)


def list_revision_subjects(seed: SeedDocument) -> tuple[str, ...]:
    """Return the names of the parts of a seed document: claims, steps, insights, distractors, things and fields."""
    sketch = seed.solution_sketch
    numbered = (
        *(f"S{number}" for number, _ in enumerate(sketch.steps, 1)),
        *(f"I{number}" for number, _ in enumerate(seed.insight_chain, 1)),
    )
    names = (
        *(claim.claim_id for claim in sketch.claims),
        *numbered,
        *(distractor.name for distractor in seed.distractor_inventory),
        *(label for _, label in _iterate_things(seed)),
        *(part for part in PARTS if part not in _OPTIONAL_PARTS or getattr(sketch, part)),
    )
    return tuple(dict.fromkeys(names))


def resolve_subject(text: str, seed: SeedDocument) -> str:
    """Return the name of the part that a spelling means, or the spelling in lower case if it means none."""
    plain = _normalize(text)
    if not plain:
        return ""
    spellings = _map_spellings_to_names(seed)
    found = spellings.get(plain) or spellings.get(_ARTICLE.sub("", plain)) or _resolve_path(plain, seed)
    if found:
        return found
    for pattern, letter in ((_STEP, "S"), (_INSIGHT, "I")):
        if numbers := set(pattern.findall(plain)):
            return (
                f"{letter}{number}" if len(numbers) == 1 and (number := numbers.pop()).isdecimal() else plain
            )
    mentioned = {name for spelling, name in spellings.items() if _mentions(plain, spelling)}
    return mentioned.pop() if len(mentioned) == 1 else plain


def resolve_correction(correction: Correction, seed: SeedDocument | None) -> str:
    """Return the name of the part that a correction is about, or an empty text if it names none."""
    if seed is None:
        return _normalize(correction.subject)
    return resolve_subject(correction.subject, seed)


def _normalize(text: str) -> str:
    return " ".join(text.casefold().replace("`", " ").replace('"', " ").split()).strip(" .:;'")


def _mentions(plain: str, spelling: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(spelling)}(?![\w(]|\.\w)", plain) is not None


def _map_spellings_to_names(seed: SeedDocument) -> dict[str, str]:
    """Return the name of each spelling. Names that come first win."""
    found: dict[str, str] = {}
    for spelling, name in _iterate_spellings(seed):
        found.setdefault(_normalize(spelling), name)
        found.setdefault(_ARTICLE.sub("", _normalize(spelling)), name)
    return found


def _iterate_spellings(seed: SeedDocument) -> Iterator[tuple[str, str]]:
    sketch = seed.solution_sketch
    for claim in sketch.claims:
        yield claim.claim_id, claim.claim_id
        yield f"claim {claim.claim_id}", claim.claim_id
    for number, step in enumerate(sketch.steps, 1):
        yield f"S{number}", f"S{number}"
        if step.call:
            yield step.call, f"S{number}"
        yield step.action, f"S{number}"
    for number, insight in enumerate(seed.insight_chain, 1):
        yield f"I{number}", f"I{number}"
        yield insight.text, f"I{number}"
    for distractor in seed.distractor_inventory:
        yield distractor.name, distractor.name
    for name, label in _iterate_things(seed):
        yield label, label
        yield name, label
    for part, others in PARTS.items():
        yield part, part
        yield from ((other, part) for other in others)
    # The name of an action stands for its step if only one step uses it.
    actions = [step.call.partition("(")[0] for step in sketch.steps if step.call]
    for number, step in enumerate(sketch.steps, 1):
        if step.call and actions.count(action := step.call.partition("(")[0]) == 1:
            yield action, f"S{number}"


def _iterate_things(seed: SeedDocument) -> Iterator[tuple[str, str]]:
    """Yield the name and the label of each thing of the record."""
    things = seed.mechanics.get("things")
    for thing in things if isinstance(things, list | tuple) else ():
        if isinstance(thing, dict) and isinstance(thing.get("name"), str):
            label = thing.get("label")
            yield thing["name"], label if isinstance(label, str) and label else thing["name"]


def _resolve_path(plain: str, seed: SeedDocument) -> str:
    """Return the part at a path such as `solution_sketch/steps/1` or `/mechanics/things/cut/props`, or an empty text."""
    tokens = [each.strip() for each in _PATH_SEPARATOR.split(plain) if each.strip()]
    if len(tokens) < 2 or tokens[0] not in SeedDocument.model_fields:  # noqa: PLR2004 - a path has two parts
        return ""
    if tokens[0] == "mechanics" and tokens[1] in _ENTRIES_BY_WORD and len(tokens) > 2:  # noqa: PLR2004 - as above
        return _resolve_record_entry(tokens[1], tokens[2], seed)
    value: Any = seed.model_dump(mode="json")
    name = ""
    for at, token in enumerate(tokens):
        value = _get_member(value, token)
        if value is None:
            break
        name = _name_member(value, tokens[at - 1] if at else "", token) or name
    return name


def _resolve_record_entry(field: str, token: str, seed: SeedDocument) -> str:
    """Return the quantity or the step of an entry of the record that is given by its number or its name."""
    name = token
    entries = seed.mechanics.get(field)
    if isinstance(entries, str):
        entries = [each for each in re.split(r"[;\n]", entries) if each.strip()]
    if token.isdecimal() and isinstance(entries, list | tuple) and int(token) < len(entries):
        entry = entries[int(token)]
        text = entry.get("do", "") if isinstance(entry, dict) else str(entry)
        name = _normalize(re.split(r"[=(]", text)[0])
    return _map_spellings_to_names(seed).get(name, name)


def _get_member(value: object, token: str) -> object:
    match value:
        case dict():
            return value.get(token)
        case list() if token.isdecimal():
            return value[int(token)] if int(token) < len(value) else None
        case list():
            named = (
                each
                for each in value
                if isinstance(each, dict) and _normalize(str(each.get("name"))) == token
            )
            return next(named, None)
        case _:
            return None


def _name_member(value: object, field: str, token: str) -> str:
    if field in _LISTED_FIELDS and token.isdecimal():
        return f"{_LISTED_FIELDS[field]}{int(token) + 1}"
    if isinstance(value, dict):
        for key in ("claim_id", "label", "name"):
            if field and isinstance(value.get(key), str):
                return str(value[key]) if field in {"claims", "distractor_inventory", "things"} else ""
    return next((part for part, others in PARTS.items() if token == part or token in others), "")
