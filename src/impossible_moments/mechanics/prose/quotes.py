"""Checks of quotes that serve as evidence: they occur in the prose, are long enough and are not negated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.prose.measures import number_of
from impossible_moments.mechanics.prose.parts import MOST_OF_A_KIND, Part
from impossible_moments.mechanics.prose.passages import closest, collapsed, places_of
from impossible_moments.mechanics.prose.printing import suggestion
from impossible_moments.mechanics.prose.template import AnyPiece, Label, Said, Shown, pieces_of
from impossible_moments.mechanics.prose.tie import Tie

FEWEST_WORDS: Final = 2
FEWEST_LETTERS: Final = 4
WORDS_BEFORE: Final = 3
"""Number of words before a quote in which a negation counts."""
_LOOK_BACK: Final = 500
_DENIALS: Final = {word: word for word in ("not", "no", "never", "nobody", "without")} | {"cannot": "not"}
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
# The "no" in "No, it sets hard" is an answer and not a negation.
_CLAUSE_END: Final = re.compile(r"""(?:[.!?;:]["'”’)]*|\bno,)\s""", re.IGNORECASE)  # noqa: RUF001 - typeset quotes
_WORD: Final = re.compile(r"[\w'’]+")  # noqa: RUF001 - a typeset apostrophe


def check_quotes(parts: Iterable[Part], requirements: Tie, findings: Findings) -> None:
    """Add a finding for each quote that does not occur in the prose, is too short, or is negated."""
    texts = [collapsed(part.text) for part in parts]
    wrong = 0
    for path, quote in requirements.quotes:
        words = collapsed(quote)
        before = list(islice(_words_before(words, texts), MOST_OF_A_KIND))
        if before:
            _check_weight(path, words, before, requirements, findings)
            continue
        wrong += 1
        near = closest(words, texts) if wrong <= MOST_OF_A_KIND else ""
        findings.add(
            "prose.quote",
            path,
            "the quote does not occur in the prose word for word",
            found=words or "an empty quote",
            expected=near
            or "words copied from one part, with placeholders as written: at {kindle|K} it takes fire",
        )


def _words_before(quote: str, texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield, for each occurrence of a quote, the last words before it in the same clause."""
    for text in texts:
        for place in places_of(quote, text):
            before = _PLACEHOLDER.sub("figure", text[max(place - _LOOK_BACK, 0) : place])
            yield _WORD.findall(_CLAUSE_END.split(before)[-1])[-WORDS_BEFORE:]


def _check_weight(
    path: str, quote: str, before: Sequence[list[str]], requirements: Tie, findings: Findings
) -> None:
    if _is_weak(quote, requirements):
        findings.add(
            "prose.quote-weak",
            path,
            "the quote is too short to be evidence",
            found=quote,
            expected="at least two words, one of them with at least four letters, or a number",
        )
    elif denials := _denials(quote, before):
        words, denial = denials
        findings.add(
            "prose.quote-weak",
            path,
            f"the quote is negated by `{denial}` before it",
            found=f"{' '.join(words)} {quote}",
            expected="words that the prose asserts; or a quote that includes the negation",
        )


def _is_weak(quote: str, requirements: Tie) -> bool:
    text = "".join(_as_words(piece, requirements) for piece in pieces_of(quote))
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    return len(words) < FEWEST_WORDS or all(sum(map(str.isalpha, word)) < FEWEST_LETTERS for word in words)


def _as_words(piece: AnyPiece, requirements: Tie) -> str:
    match piece:
        case Label(thing=thing):
            return requirements.labels.get(thing, thing)
        case Said(text=text):
            return text
        case Shown():
            return "figure"
        case _:
            return piece.raw


def _denials(quote: str, before: Iterable[list[str]]) -> tuple[list[str], str] | None:
    """Return the words before a quote and the word that negates it, or None if an occurrence is asserted."""
    own = {_denial(word) for word in _WORD.findall(_PLACEHOLDER.sub("figure", quote))}
    first: tuple[list[str], str] | None = None
    for words in before:
        denial = next((word for word in words if _denial(word) and _denial(word) not in own), None)
        if denial is None:
            return None
        first = first or (words, denial)
    return first


def _denial(word: str) -> str:
    """Return the negation in a word, such as `n't` for `isn't`, or an empty text if there is none."""
    plain = word.lower().replace("’", "'").strip("'")  # noqa: RUF001 - a typeset apostrophe
    return "n't" if plain.endswith("n't") else _DENIALS.get(plain, "")


def check_nevers(requirements: Tie, findings: Findings) -> None:
    """Add a finding for each never-line that compares measured values if its quote prints none of them."""
    for path, (quote, read) in requirements.never_reads.items():
        measured = sorted(name for name in read if _is_measured(name, requirements))
        printed = {piece.name for piece in pieces_of(quote) if isinstance(piece, Shown)}
        printed |= {name.removesuffix(".low").removesuffix(".high") for name in printed}
        if measured and not printed & read:
            findings.add(
                "prose.never-vague",
                path,
                "the quote names a danger without its threshold",
                found=collapsed(quote),
                expected=f"{' or '.join(suggestion(name, requirements) for name in measured[:3])} within the quoted words",
            )


def _is_measured(name: str, requirements: Tie) -> bool:
    """Return whether a path is a non-zero number with a dimension."""
    printable = requirements.printable.get(name)
    if printable is None or printable.dimension is None or printable.dimension.is_plain:
        return False
    return bool(number_of(printable))
