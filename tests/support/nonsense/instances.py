"""Random instances of JSON Schemas, valid in form only."""

from __future__ import annotations

from random import Random
from typing import Any, Final, TypeAlias

Schema: TypeAlias = dict[str, Any]
WORDS: Final = (
    "rope", "glacier", "the", "because", "seven", "unless", "violet", "3.5 m", "under", "42 kg", "door", "never",
    "burns", "{load|kg}", "quietly", "spoon", "12 s", "is", "of", "valve", "therefore", "a", "lantern", "proves",
)  # fmt: skip
IDENTIFIER: Final = "^[A-Za-z0-9_.-]{1,40}$"
MOST_ITEMS: Final = 4
OPTIONAL_SHARE: Final = 0.7
"""Share of optional fields that are present."""
DEEPEST: Final = 6


def draw_instance(schema: Schema, dice: Random) -> Any:
    """Draw a random value that the schema allows."""
    return _draw_value(schema, schema.get("$defs", {}), dice, 0)


def draw_words(dice: Random, most: int = 12) -> str:
    """Draw at most `most` random words."""
    return " ".join(dice.choices(WORDS, k=dice.randint(0, most)))


def _draw_value(schema: Schema, definitions: Schema, dice: Random, depth: int) -> Any:  # noqa: PLR0911
    if "$ref" in schema:
        return _draw_value(definitions[schema["$ref"].rpartition("/")[2]], definitions, dice, depth)
    if "anyOf" in schema:
        return _draw_value(dice.choice(schema["anyOf"]), definitions, dice, depth)
    if "const" in schema or "enum" in schema:
        return dice.choice(schema.get("enum", [schema.get("const")]))
    match schema.get("type"):
        case "object":
            return _draw_object(schema, definitions, dice, depth)
        case "array":
            least = schema.get("minItems", 0)
            most = schema.get("maxItems", max(least, MOST_ITEMS if depth < DEEPEST else 0))
            inner = schema.get("prefixItems") or [schema.get("items", {})] * dice.randint(least, most)
            return [_draw_value(each, definitions, dice, depth + 1) for each in inner]
        case "string":
            return _draw_text(schema, dice)
        case "number" | "integer" as kind:
            return _draw_number(schema, dice, whole=kind == "integer")
        case "boolean":
            return dice.random() < 0.5
        case _:
            return None


def _draw_object(schema: Schema, definitions: Schema, dice: Random, depth: int) -> dict[str, Any]:
    named = schema.get("properties", {})
    required = schema.get("required", ())
    found = {
        name: _draw_value(part, definitions, dice, depth + 1)
        for name, part in named.items()
        if name in required or dice.random() < OPTIONAL_SHARE
    }
    further = schema.get("additionalProperties")
    if isinstance(further, dict):
        names = dice.sample(["I", "D", "C", "B", "T", "X", "../../x", "", "rope"], k=dice.randint(0, 4))
        found |= {name: _draw_value(further, definitions, dice, depth + 1) for name in names}
    return found


def _draw_text(schema: Schema, dice: Random) -> str:
    if schema.get("pattern") == IDENTIFIER:
        return dice.choice(["C1", "C2", "..", "-", "a" * 40])
    assert "pattern" not in schema, f"{schema['pattern']} has no instances here yet"
    return draw_words(dice)


def _draw_number(schema: Schema, dice: Random, *, whole: bool) -> float:
    least, most = float(schema.get("minimum", -1e9)), float(schema.get("maximum", 1e9))
    drawn = dice.choice([least, most, dice.uniform(least, most), min(max(0.99, least), most)])
    return round(drawn) if whole else drawn
