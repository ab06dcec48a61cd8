"""JSON Schema of the record: a permissive one for editors, and a strict one for tools of language models."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final, TypeAlias, get_args

from pydantic import BeforeValidator
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from impossible_moments.mechanics.records.author_guide import render_author_guide
from impossible_moments.mechanics.records.base_form import BaseForm, Lines, Names
from impossible_moments.mechanics.records.form_structure import list_record_forms
from impossible_moments.mechanics.records.library import Library
from impossible_moments.mechanics.records.record import PlanCalls, Record

Schema: TypeAlias = dict[str, Any]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
BYTES_PER_TOKEN: Final = 4
"""Rule of thumb for counting tokens, because tokenizers differ between providers."""

_LIMITS: Final[dict[str, Callable[[Any], str]]] = {
    "minItems": "at least {}".format,
    "maxItems": "at most {}".format,
    "minimum": "at least {}".format,
    "maximum": "at most {}".format,
    "maxLength": "at most {} characters".format,
    "pattern": lambda _: "letters, digits and underscores",
    "minLength": lambda _: "",
    "format": str,
}
_DROPPED_KEYWORDS: Final = {"title", "default", "examples", "discriminator", *_LIMITS}
_TEXTS: Final[Schema] = {"type": "array", "items": {"type": "string"}}
_SCALARS: Final[Schema] = {"type": ["string", "number", "boolean"]}
_LOOSE_LINES: Final[list[Schema]] = [
    {
        "type": "array",
        "items": {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": _SCALARS}]},
    },
    {"type": "string"},
    {"type": "object", "additionalProperties": _SCALARS},
    {"type": "null"},
]
_LOOSE_FIELDS: Final = (
    # type of the field, and the JSON schemas of all spellings that it accepts
    (Lines, _LOOSE_LINES),
    (Names, [_TEXTS, {"type": "string"}, {"type": "null"}]),
    (PlanCalls, [_TEXTS, {"type": "string"}]),
)


class _UnsortedSchemaGenerator(GenerateJsonSchema):
    """Schema generator that keeps the fields of examples in their written order."""

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:  # noqa: ARG002
        return value


def build_record_schema() -> Schema:
    """Return the permissive schema of a record in YAML or JSON, including the shorter spellings of fields."""
    schema: Schema = {
        "$schema": DRAFT,
        **Record.model_json_schema(schema_generator=_UnsortedSchemaGenerator),
        "title": "Record im-mechanics/1",
    }
    for form in list_record_forms():
        properties = (schema if form is Record else schema["$defs"][form.__name__])["properties"]
        for name, spellings in _find_loose_fields(form):
            properties[name] = {"anyOf": spellings, **_remove_keys(properties[name], {"type", "items"})}
    return schema


def _find_loose_fields(form: type[BaseForm]) -> Iterator[tuple[str, list[Schema]]]:
    for name, field in form.model_fields.items():
        for kind, spellings in _LOOSE_FIELDS:
            reader = next(mark for mark in get_args(kind) if isinstance(mark, BeforeValidator))
            if reader in field.metadata:
                yield name, deepcopy(spellings)


def build_tool_schema(library: Library | None = None) -> Schema:
    """Return the strict schema for tools of language models.

    Every field is required, and keywords that providers of strict tools reject are left out. With a library,
    the description contains the author guide with the vocabulary of the library.
    """
    source = Record.model_json_schema(schema_generator=_UnsortedSchemaGenerator)
    definitions_source = source.pop("$defs")
    schema = _to_strict_schema(source, definitions_source)
    definitions = {
        name: _to_strict_schema(part, definitions_source) for name, part in definitions_source.items()
    }
    referenced = set(_find_references(schema))
    while (
        unvisited := {inner for name in referenced for inner in _find_references(definitions[name])}
        - referenced
    ):
        referenced |= unvisited
    if library is not None:
        schema["description"] = f"{schema['description']}\n{render_author_guide(library)}"
    return {**schema, "$defs": {name: definitions[name] for name in definitions if name in referenced}}


def _to_strict_schema(schema: Schema, definitions: Schema) -> Schema:
    """Return a schema in strict form. Its description replaces the keywords that are left out."""
    if "$ref" in schema and len(schema) > 1:  # some providers reject other keywords beside a reference
        schema = {**definitions[schema["$ref"].rpartition("/")[2]], **_remove_keys(schema, {"$ref"})}
    strict = {
        key: value for key, value in schema.items() if key not in {*_DROPPED_KEYWORDS, "const", "oneOf"}
    }
    if "const" in schema:
        strict["enum"] = [schema["const"]]
    for key in {"oneOf", "anyOf"} & set(schema):
        strict["anyOf"] = [_to_strict_schema(part, definitions) for part in schema[key]]
    if "items" in schema:
        strict["items"] = _to_strict_schema(schema["items"], definitions)
    if "properties" in schema:
        strict["properties"] = {
            name: {**_to_strict_schema(part, definitions), "description": _format_field_description(part)}
            for name, part in schema["properties"].items()
        }
        strict |= {"required": list(schema["properties"]), "additionalProperties": False}
    return strict


def _format_field_description(schema: Schema) -> str:
    """Return the description of a field with its limits and its example."""
    parts = [schema, *schema.get("anyOf", [])]
    limits = [words(part[key]) for part in parts for key, words in _LIMITS.items() if key in part]
    limit_note = f" ({', '.join(filter(None, limits))})" if any(limits) else ""
    example = json.dumps(schema["examples"][0], ensure_ascii=False)
    return f"{schema['description'].rstrip('.')}{limit_note}. e.g. {example}"


def _remove_keys(schema: Schema, keys: set[str]) -> Schema:
    return {key: value for key, value in schema.items() if key not in keys}


def _find_references(schema: object) -> Iterator[str]:
    match schema:
        case {"$ref": str(reference)}:
            yield reference.rpartition("/")[2]
        case dict():
            for value in schema.values():
                yield from _find_references(value)
        case list():
            for value in schema:
                yield from _find_references(value)


def convert_record_to_normal_form(record: Record) -> dict[str, Any]:
    """Return the record as JSON data with every field written out. Parsing it gives the same record."""
    return record.model_dump(mode="json")


def measure_tool_schema(library: Library | None = None) -> dict[str, int | str]:
    """Return the size of the tool schema in the measures that providers limit."""
    schema = build_tool_schema(library)
    size = len(json.dumps(schema, ensure_ascii=False, separators=(",", ":")).encode())
    return {
        "bytes": size,
        "tokens": size // BYTES_PER_TOKEN,
        "tokens_are": f"estimated at {BYTES_PER_TOKEN} bytes each",
        "definitions": len(schema["$defs"]),
        "properties": sum(map(_count_properties, (schema, *schema["$defs"].values()))),
        "depth": _measure_nesting_depth(schema, schema["$defs"]),
    }


def _count_properties(schema: Schema) -> int:
    inner = schema.get("properties", {})
    return len(inner) + sum(_count_properties(part) for part in inner.values())


def _measure_nesting_depth(schema: Schema, definitions: Schema) -> int:
    """Return the deepest nesting of objects and lists, with references followed."""
    if "$ref" in schema:
        return _measure_nesting_depth(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
    nested = 1 + max((_measure_nesting_depth(part, definitions) for part in inner), default=0) if inner else 0
    return max([nested, *(_measure_nesting_depth(part, definitions) for part in schema.get("anyOf", []))])
