"""The common verbs of plans, independent of the verbs of a scenario's own record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from impossible_moments.errors import ConfigurationError
from impossible_moments.mechanics.records import load_document

GENERAL: Final = ("use", "do")
"""Families that only say that a thing is used; a step with such a verb matches any call with its things."""
LONGEST_PHRASE: Final = 200
"""Maximum characters of a verb phrase; a longer text is not read as a verb."""
_MOST_WORDS: Final = 24
_TABLE: Final = Path(__file__).with_name("verbs.yaml")
_WORDS: Final = re.compile(r"[^\W\d_]+|[,;/&+]")
_CLAUSE_SEPARATORS: Final = frozenset({"and", "then", "or", ",", ";", "/", "&", "+"})
_CLAUSES: Final = frozenset("what which who whom whose when where until till while because since".split())
_CAUSATIVE_VERBS: Final = frozenset({"let", "have", "allow"})
_PURPOSE_FAMILIES: Final = frozenset({"use", "test", "start", "prepare", "choose"})
"""Families after which `to` introduces the actual action: use it to open, try to open."""
_MOST_WORDS_BETWEEN: Final = 3
"""Maximum words between a verb and its particle: `set the old dry hay on fire`."""
_FILLERS: Final = frozenset(
    "a an the it its them him her this that these those i you we they your my our their his some".split()
)
_HEADING: Final = 'A step: {"do": "put", "with": ["the crate"], "to": "the hatch"}. A number, time or wording goes into "value".'


class _FrozenModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class VerbExample(_FrozenModel):
    """An example step in the form that answers use."""

    do: str
    things: tuple[str, ...] = Field(default=(), alias="with")
    to: str = ""
    value: str = ""


class CommonVerb(_FrozenModel):
    """One verb of the common list."""

    verb: str = Field(pattern=r"^[a-z]+$")
    means: str = Field(min_length=1)
    """The one-sentence explanation shown to solvers."""
    also: tuple[str, ...]
    """Synonyms and short phrases, used to read free answers."""
    example: VerbExample


class _VerbTable(_FrozenModel):
    verbs: Mapping[str, tuple[CommonVerb, ...]]
    shared: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, str]
    actions: Mapping[str, tuple[str, ...]]


def list_common_verbs() -> tuple[CommonVerb, ...]:
    """Return every verb of the common list, in the order shown to solvers."""
    return tuple(chain.from_iterable(_load_verb_table().verbs.values()))


@cache
def render_verb_list() -> str:
    """Return the text about verbs shown to every solver; it is the same for all scenarios."""
    groups = (
        "\n".join((f"[{group}]", *(f"{verb.verb}: {verb.means}" for verb in verbs)))
        for group, verbs in _load_verb_table().verbs.items()
    )
    return "\n".join((_HEADING, *groups))


def find_common_verbs_for_answer_phrase(word: str) -> tuple[str, ...]:
    """Return the common verbs that a word or short phrase of an answer stands for; empty if it is unknown.

    Actions joined by `and` or a comma are read one after the other. `use it to open` is both `use` and
    `open`.
    """
    words = _split_into_words(word)
    return _remove_duplicates(
        chain.from_iterable(_find_action_phrase_families(part) for part in _split_joined_actions(words))
    )


def find_common_verbs_for_record_verb(verb: str) -> tuple[str, ...]:
    """Return the common verbs that describe a verb of a record or the library, the best first.

    A verb that is not in the table, as in a contributed record, is read by the words of its name.
    """
    listed_families = _load_verb_table().actions.get(verb)
    if listed_families is not None:
        return listed_families
    words = _split_into_words(verb)
    phrase_families = _find_first_verb_families(words)
    return (
        _remove_duplicates(
            (*phrase_families, *chain.from_iterable(_look_up_phrase((word,)) for word in words))
        )
        or GENERAL[:1]
    )


def _split_into_words(text: str) -> tuple[str, ...]:
    if len(text) > LONGEST_PHRASE:
        return ()
    plain = text.casefold().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    return tuple(word for word in _WORDS.findall(plain)[:_MOST_WORDS] if word not in _FILLERS)


def _split_joined_actions(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the phrases of joined actions; a phrase that is known as a whole is not split."""
    if words in _build_phrase_index():
        yield words
        return
    part: list[str] = []
    for word in words:
        if word in _CLAUSE_SEPARATORS:
            yield tuple(part)
            part = []
        else:
            part.append(word)
    yield tuple(part)


def _find_action_phrase_families(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the families of one action phrase, including those after `use ... to` or after `let`."""
    end = next((place for place, word in enumerate(words) if word in _CLAUSES), len(words))
    found = _find_first_verb_families(words[: max(end, 1)])
    if found and found[0] in _PURPOSE_FAMILIES and "to" in words:
        return (*found, *_find_first_verb_families(words[words.index("to") + 1 :]))
    if words and words[0] in _CAUSATIVE_VERBS:
        return (*found, *_find_first_verb_families(words[1:]))
    return found


def _find_first_verb_families(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the families of the first known verb among the words: `carefully lift` gives `lift`."""
    for start in range(len(words)):
        if found := _match_leading_verb(words[start:]):
            return found
    return ()


def _match_leading_verb(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the families of the leading verb, also with a distant particle (`set the hay on fire`)."""
    for end in range(len(words), 1, -1):
        if found := _look_up_phrase(words[:end]):
            return found
    for length in range(min(len(words), _compute_longest_phrase()) - 1, 0, -1):
        for start in range(2, min(len(words) - length, _MOST_WORDS_BETWEEN + 1) + 1):
            if found := _look_up_phrase((words[0], *words[start : start + length])):
                return found
    return _look_up_phrase(words[:1])


def _look_up_phrase(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the families of exactly these words, with the verb as written or in its base form."""
    index = _build_phrase_index()
    if not words or words[1:] not in _collect_words_after_verbs():
        return ()
    return next(
        (index[base, *words[1:]] for base in _iterate_base_forms(words[0]) if (base, *words[1:]) in index), ()
    )


def _iterate_base_forms(word: str) -> Iterator[str]:
    """Yield a word and its possible base forms: shoving gives shove, carried gives carry."""
    yield word
    if word in _load_verb_table().forms:
        yield _load_verb_table().forms[word]
    for ending, instead in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < 2:  # noqa: PLR2004 - a verb has at least two letters
            continue
        yield from (stem + letters for letters in instead)
        if stem[-1] == stem[-2] and "" in instead:
            yield stem[:-1]


_ENDINGS: Final = (
    ("ying", ("ie",)),
    ("ing", ("", "e")),
    ("ied", ("y",)),
    ("ed", ("", "e")),
    ("ies", ("y",)),
    ("es", ("", "e")),
    ("s", ("",)),
)


@cache
def _build_phrase_index() -> Mapping[tuple[str, ...], tuple[str, ...]]:
    """Return all known phrases, as tuples of words, with their families."""
    phrases = chain(
        ((word, (verb.verb,)) for verb in list_common_verbs() for word in (verb.verb, *verb.also)),
        _load_verb_table().shared.items(),
    )
    return {key: families for phrase, families in phrases if (key := _split_into_words(phrase))}


@cache
def _collect_words_after_verbs() -> frozenset[tuple[str, ...]]:
    """Return the words after the verb in all known phrases, for fast rejection of unknown ones."""
    return frozenset(key[1:] for key in _build_phrase_index())


@cache
def _compute_longest_phrase() -> int:
    return max(map(len, _build_phrase_index()))


@cache
def _load_verb_table() -> _VerbTable:
    try:
        return _VerbTable.model_validate(load_document(_TABLE))
    except ValidationError as problem:
        first = problem.errors()[0]
        location = ".".join(map(str, first["loc"]))
        raise ConfigurationError(
            f"{_TABLE.name}: {location} is not valid in the table of common verbs ({first['msg']}); correct this entry."
        ) from None


def _remove_duplicates(families: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(families))
