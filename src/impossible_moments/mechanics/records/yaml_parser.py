"""YAML parser that builds plain data from events and rejects everything that a document may not contain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml

from impossible_moments.mechanics.records import document_values as values
from impossible_moments.mechanics.records.document_values import MAX_DEPTH, MAX_PARTS, DocumentProblem

_PARSER: Final = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)  # only its events are used, not its constructors
_CORE: Final = "tag:yaml.org,2002:"
_TAGS: Final = {
    f"{_CORE}{name}": kind
    for name, kind in {"str": str, "int": int, "float": float, "bool": bool, "null": type(None)}.items()
}
_WORDS: Final = {"": None, "~": None, "null": None, "Null": None, "NULL": None, "true": True, "True": True,
                 "TRUE": True, "false": False, "False": False, "FALSE": False}  # fmt: skip
_NOT_FINITE: Final = re.compile(r"[-+]?(?:\.(?:inf|Inf|INF)|Infinity)|\.(?:nan|NaN|NAN)|NaN")
_INTEGER: Final = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")  # 0472 may be a code and stays text
_FLOAT: Final = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_ADVICE: Final = (
    (
        "mapping values",
        "put a text that contains `: ` in quotes, and align the fields of a map",
    ),
    ("start any token", "indent with spaces, and put a text that begins with @, % or a back quote in quotes"),
    ("expected key", "align the fields of a map, and put a text that begins with { or [ in quotes"),
    ("<block end>", "align the fields of a map, and put a text that begins with { or [ in quotes"),
    ("',' or", "close each bracket, and put a text that begins with { or [ in quotes"),
    ("end of stream", "close each quote and bracket"),
)


def parse_yaml(text: str) -> object:
    """Parse a YAML text into plain data. Raise `DocumentProblem` if it is not valid or not allowed."""
    builder = _DataBuilder()
    for number, event in enumerate(_iterate_events(text)):
        line = event.start_mark.line + 1 if event.start_mark else 1
        if number >= MAX_PARTS:
            raise DocumentProblem(
                f"the document has more than {MAX_PARTS:,} parts, the maximum; shorten it", line
            )
        builder.add_event(event, line)
    if not builder.documents:
        raise DocumentProblem("the document is empty, but must be a map of fields; write `field: value`")
    return builder.root[0]


def _iterate_events(text: str) -> Iterator[yaml.Event]:
    try:
        yield from yaml.parse(text, Loader=_PARSER)
    except (yaml.YAMLError, ValueError) as problem:
        mark = getattr(problem, "problem_mark", None)
        words = str(getattr(problem, "problem", ""))
        advice = next(
            (advice for sign, advice in _ADVICE if sign in words), "check indentation, quotes and brackets"
        )
        raise DocumentProblem(
            f"not valid YAML; {advice}", mark.line + 1 if mark else None, syntax=True
        ) from None


@dataclass
class _DataBuilder:
    """Builder of plain data from YAML events. It rejects what a document may not contain."""

    root: list[object] = field(default_factory=list)
    documents: int = 0
    _open: list[list[object] | dict[str, object]] = field(default_factory=list)
    _keys: list[str | None] = field(default_factory=list)

    def add_event(self, event: yaml.Event, line: int) -> None:
        match event:
            case yaml.AliasEvent() | yaml.NodeEvent(anchor=str()):
                raise DocumentProblem(
                    "anchors and aliases are not supported; write the value out where it is needed", line
                )
            case yaml.DocumentStartEvent():
                self.documents += 1
                if self.documents > 1:
                    raise DocumentProblem(
                        "a second document begins here, but only one is allowed; remove it", line
                    )
            case yaml.ScalarEvent() if self._is_next_value_a_key():
                self._keys[-1] = self._check_key(event, line)
            case yaml.ScalarEvent():
                self._add_value(_convert_scalar(event, line))
            case yaml.MappingStartEvent() | yaml.SequenceStartEvent():
                self._open_collection(event, line)
            case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                self._open.pop()
                self._keys.pop()

    def _is_next_value_a_key(self) -> bool:
        return bool(self._open) and isinstance(self._open[-1], dict) and self._keys[-1] is None

    def _check_key(self, event: yaml.ScalarEvent, line: int) -> str:
        """Return a key as text, as it is written, including `on`, `1` and `null`."""
        if event.tag is not None:
            raise _make_tag_problem(event.tag, line)
        if event.value == "<<" and event.implicit[0]:
            raise DocumentProblem("the merge key `<<` is not supported; write the fields out", line)
        if event.value in self._open[-1]:
            raise values.make_duplicate_key_problem(event.value, line)
        return values.check_text_value(str(event.value), line)

    def _open_collection(self, event: yaml.CollectionStartEvent, line: int) -> None:
        if event.tag is not None:
            raise _make_tag_problem(event.tag, line)
        if self._is_next_value_a_key():
            raise DocumentProblem(
                "a list or map is used as a key, but a key must be text; put it in quotes", line
            )
        if len(self._open) == MAX_DEPTH:
            raise DocumentProblem(
                f"the document is nested more than {MAX_DEPTH} levels deep here, the maximum; flatten it",
                line,
            )
        value: list[object] | dict[str, object] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._add_value(value)
        self._open.append(value)
        self._keys.append(None)

    def _add_value(self, value: object) -> None:
        into = self._open[-1] if self._open else self.root
        if isinstance(into, list):
            into.append(value)
        else:
            into[str(self._keys[-1])] = value
            self._keys[-1] = None


def _convert_scalar(event: yaml.ScalarEvent, line: int) -> object:
    text = values.check_text_value(str(event.value), line)
    if event.tag is None:
        return _resolve_unquoted_text(text, line) if event.implicit[0] else text
    if event.tag not in _TAGS:
        raise _make_tag_problem(event.tag, line)
    value = text if _TAGS[event.tag] is str else _resolve_unquoted_text(text, line)
    if type(value) is not _TAGS[event.tag]:
        raise DocumentProblem(
            f"`{values.format_short_text(text)}` does not match its tag; remove the tag", line
        )
    return value


def _resolve_unquoted_text(text: str, line: int) -> object:
    """Return the value of an unquoted text: a word of YAML 1.2, a decimal number, or the text itself."""
    if text in _WORDS:
        return _WORDS[text]
    if _NOT_FINITE.fullmatch(text):
        values.reject_infinite_number(text, line)
    if _INTEGER.fullmatch(text):
        return values.parse_integer(text, line)
    return values.parse_decimal(text, line) if _FLOAT.fullmatch(text) else text


def _make_tag_problem(tag: str, line: int) -> DocumentProblem:
    printed_tag = values.format_short_text(str(tag).replace(_CORE, "!!"), 60)
    return DocumentProblem(
        f"the tag `{printed_tag}` is not supported; write plain maps, lists, texts and numbers", line
    )
