"""English dictionary: a word list with affix rules, and British spellings by rule."""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import Final

_DATA: Final = "impossible_moments.audit.spelling.dictionary"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz'"
_VOWEL_LETTERS: Final = "aeiouy"
_KEYS: Final = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_VOWELS: Final = re.compile(r"[aeiouy]+")
_DOUBLED: Final = re.compile(r"(.)\1+")
_SHORT: Final = 4
_LONG: Final = 7
_MOST_CHANGES: Final = 2
_LONGEST_CORRECTED: Final = 24
"""Longer words get no suggestion, because the number of candidates grows with the length."""

# fmt: off
_BRITISH: Final = tuple(
    (re.compile(pattern), american)
    for pattern, american in (
        # A British spelling, and the American one that the word list has. Each is tried at every place.
        (r"our",                "or"),   # neighbour
        (r"(?<=[aeiou])ll(?=[aeiouy])", "l"),  # travelled
        (r"l(?=l?(?:ful|ment)|$)", "ll"),  # skilful, fulfil, distil
        (r"is(?=e|i|a)",        "iz"),   # realise, realising, realisation
        (r"ys(?=e|i)",          "yz"),   # analyse
        (r"re(?=s?$|d$)",       "er"),   # metre, centred
        (r"ae",                 "e"),    # encyclopaedia
        (r"oe",                 "e"),    # manoeuvre
        (r"ogue",               "og"),   # catalogue
        (r"ence(?=s?$)",        "ense"),  # defence
        (r"ise$",               "ice"),  # to practise
        (r"ise(?=d$|s$)",       "ice"),  # practised
        (r"mme",                "m"),    # programme
        (r"ough(?=s?$)",        "ow"),   # plough
        (r"ough(?=ed$|ing$)",   "ow"),   # ploughed
        (r"^grey",              "gray"),
        (r"^tyre",              "tire"),
        (r"^kerb",              "curb"),
        (r"^aluminium",         "aluminum"),
        (r"que(?=s?$)",         "ck"),   # cheque
        (r"ould",               "old"),  # mould
        (r"ph",                 "f"),    # sulphur
        (r"xion",               "ction"),  # connexion
        (r"e(?=able|ment)",     ""),     # sizeable, judgement
        (r"ah(?=s?$)",          "a"),    # verandah
        (r"towards$",           "toward"),
        (r"ueing$",             "uing"),  # queueing
        (r"^sc(?=ept)",         "sk"),   # sceptic
        (r"arte",               "arti"),  # artefact
        (r"aero",               "air"),  # aeroplane
        (r"aught",              "aft"),  # draught
        (r"^mou(?=s)",          "mu"),   # moustache
        (r"xe(?=s?$)",          "x"),    # axe
        (r"y(?=s?$)",           "ey"),   # whisky
        (r"ey$",                "y"),    # storey
        (r"eys$",               "ies"),  # storeys
        (r"nt$",                "ned"),  # learnt
        (r"lt$",                "lled"),  # spilt
        (r"(?<=[^aeiou])y$",    "ie"),   # aunty
        (r"ine(?=s?$)",         "in"),   # glycerine
        (r"lyer",               "lier"),  # flyer
        (r"ough",               "augh"),  # nought
        (r"wn$",                "wed"),  # sawn
        (r"au",                 "u"),    # flautist
    )
)
# fmt: on


@dataclass(frozen=True, slots=True)
class AffixRule:
    """An affix: what it removes and adds, and the stems that take it."""

    flag: str
    removed: str
    added: str
    condition: re.Pattern[str]
    combines: bool
    """Whether the affix stands beside an affix of the other kind."""

    def find_suffix_stem(self, word: str) -> str | None:
        """Return the stem of a word with this suffix, or None."""
        if not word.endswith(self.added) or len(word) <= len(self.added):
            return None
        stem = word[: len(word) - len(self.added)] + self.removed
        return stem if self.condition.search(stem) else None

    def find_prefix_stem(self, word: str) -> str | None:
        """Return the stem of a word with this prefix, or None."""
        if not word.startswith(self.added) or len(word) <= len(self.added):
            return None
        return self.removed + word[len(self.added) :]


@dataclass(frozen=True)
class EnglishDictionary:
    """A dictionary of stems with their affix flags."""

    stems: Mapping[str, str]
    prefixes: tuple[AffixRule, ...]
    suffixes: tuple[AffixRule, ...]

    def has_word(self, word: str) -> bool:
        """Return whether a word is English, in American or British spelling, whatever its capitals and accents."""
        plain = _remove_accents(word)
        lowered = plain.lower()
        forms = dict.fromkeys((word, plain, lowered, plain.capitalize()))
        return (
            any(self._has_form(form) for form in forms)
            or (lowered.endswith("s") and self._has_form(lowered[:-1]))
            or any(self._has_form(form) for form in _iterate_american_spellings(lowered))
        )

    def suggest_correction(self, word: str, *, only_swaps: bool = False) -> str:
        """Return the word that was probably meant, or nothing.

        It has two letters swapped, one letter more, less or other, or in long words other vowels and doubled letters.
        So many short words are alike that of these only swapped letters count, as with `only_swaps`.
        """
        lowered = _remove_accents(word).lower()
        if len(lowered) > _LONGEST_CORRECTED:
            return ""
        only_swaps = only_swaps or len(lowered) <= _SHORT
        changes = _iterate_swaps(lowered) if only_swaps else _iterate_single_changes(lowered)
        near = next((each for each in changes if self._has_form(each)), "")
        if near or only_swaps or len(lowered) < _LONG:
            return near
        alike = self._stems_by_skeleton.get(_make_skeleton(lowered), "")
        is_near = alike[-1:] == lowered[-1] and _count_changes(lowered, alike) <= _MOST_CHANGES
        return alike if is_near else ""

    def lacks_apostrophe(self, word: str) -> bool:
        """Return whether a word is a contraction without its apostrophe, such as `doesnt`."""
        lowered = word.lower()
        return any(self._has_form(f"{lowered[:at]}'{lowered[at:]}") for at in range(1, len(lowered)))

    @cached_property
    def _stems_by_skeleton(self) -> Mapping[str, str]:
        """Long stems by what is left of them without vowels and doubled letters."""
        return {_make_skeleton(stem): stem for stem in self.stems if len(stem) >= _LONG and stem.islower()}

    def _has_form(self, word: str) -> bool:
        if word in self.stems or self._has_suffixed_form(word, ""):
            return True
        return any(
            rule.flag in self.stems.get(stem, "")
            or (rule.combines and self._has_suffixed_form(stem, rule.flag))
            for rule in self.prefixes
            if (stem := rule.find_prefix_stem(word)) is not None
        )

    def _has_suffixed_form(self, word: str, prefix_flag: str) -> bool:
        """Return whether a word is a stem with a suffix. A prefix before it must be allowed by the same stem."""
        return any(
            rule.flag in flags and (not prefix_flag or (rule.combines and prefix_flag in flags))
            for rule in self.suffixes
            if (stem := rule.find_suffix_stem(word)) is not None and (flags := self.stems.get(stem, ""))
        )


FURTHER_WORDS: Final = {"ampoule": "MS", "bosun": "MS"}
"""Common words that the packaged list lacks, with the flags of their plural and possessive."""


@lru_cache(maxsize=1)
def load_english_dictionary() -> EnglishDictionary:
    """Load the packaged dictionary, once for a process."""
    data = files(_DATA)
    words = gzip.decompress(data.joinpath("en_US.dic.gz").read_bytes()).decode("utf-8").splitlines()[1:]
    stems: dict[str, str] = dict(FURTHER_WORDS)
    for line in words:
        stem, _, flags = line.partition("/")
        stems[stem] = stems.get(stem, "") + flags
    rules = list(_parse_affix_rules(data.joinpath("en_US.aff").read_text("utf-8")))
    return EnglishDictionary(
        stems,
        tuple(rule for kind, rule in rules if kind == "PFX"),
        tuple(rule for kind, rule in rules if kind == "SFX"),
    )


_HEADER_PARTS: Final = 4
_RULE_PARTS: Final = 5


def _parse_affix_rules(text: str) -> Iterator[tuple[str, AffixRule]]:
    """Yield the prefixes and suffixes of an affix file."""
    combining: dict[str, bool] = {}
    for line in text.splitlines():
        parts = line.split()
        if not parts or parts[0] not in {"PFX", "SFX"}:
            continue
        if len(parts) == _HEADER_PARTS:
            combining[parts[1]] = parts[2] == "Y"
        elif len(parts) >= _RULE_PARTS:
            kind, flag, removed, added, condition = parts[:_RULE_PARTS]
            pattern = re.compile(f"(?:{condition})$" if kind == "SFX" else f"^(?:{condition})")
            rule = AffixRule(
                flag,
                "" if removed == "0" else removed,
                "" if added == "0" else added.partition("/")[0],
                pattern,
                combining.get(flag, False),
            )
            yield kind, rule


def _iterate_american_spellings(word: str) -> Iterator[str]:
    for pattern, american in _BRITISH:
        for found in pattern.finditer(word):
            changed = word[: found.start()] + american + word[found.end() :]
            yield changed
            for second, other in _BRITISH:
                if second is not pattern and second.search(changed):
                    yield second.sub(other, changed, count=1)


def _remove_accents(word: str) -> str:
    decomposed = unicodedata.normalize("NFD", word)
    return "".join(sign for sign in decomposed if not unicodedata.combining(sign))


def _make_skeleton(word: str) -> str:
    """Return a word with all vowels alike and without doubled letters."""
    return _DOUBLED.sub(r"\1", _VOWELS.sub("a", word))


def _count_changes(one: str, other: str) -> int:
    """Return how many letters must be added, removed or replaced to turn one word into another."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        previous, row = row, [at]
        for place, wanted in enumerate(other, 1):
            row.append(min(previous[place] + 1, row[-1] + 1, previous[place - 1] + (letter != wanted)))
    return row[-1]


def _iterate_swaps(word: str) -> Iterator[str]:
    return (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))


def _iterate_single_changes(word: str) -> Iterator[str]:
    """Yield the words that differ by two swapped letters, one surplus, one missing or one wrong letter.

    The first letter is seldom wrong. A wrong letter is another vowel or the neighbour of a key, inside the word.
    """
    yield from _iterate_swaps(word)
    splits = [(word[:at], word[at:]) for at in range(1, len(word) + 1)]
    yield from (left + right[1:] for left, right in splits if right)
    yield from (left + letter + right for left, right in splits for letter in _LETTERS)
    yield from (
        left + letter + right[1:]
        for left, right in splits
        if len(right) > 1
        for letter in _find_confused_letters(right[0])
    )


def _find_confused_letters(letter: str) -> str:
    if letter in _VOWEL_LETTERS:
        return _VOWEL_LETTERS
    row = next((row for row in _KEYS if letter in row), "")
    at = row.find(letter)
    return row[max(at - 1, 0) : at + 2] if row else ""
