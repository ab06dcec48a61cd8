"""Quotes as evidence: they stand in the prose, say something, and are not denied where they stand."""

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
"""How far before a quote a denial reaches."""
_LOOK_BACK: Final = 500
_DENIALS: Final = {word: word for word in ("not", "no", "never", "nobody", "without")} | {"cannot": "not"}
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
# "No, it sets hard" answers and does not deny.
_CLAUSE_END: Final = re.compile(r"""(?:[.!?;:]["'”’)]*|\bno,)\s""", re.IGNORECASE)  # noqa: RUF001 - typeset quotes
_WORD: Final = re.compile(r"[\w'’]+")  # noqa: RUF001 - a typeset apostrophe


def check_quotes(parts: Iterable[Part], tie: Tie, findings: Findings) -> None:
    """Add each quote that stands in no part, with the passage that comes closest, and each that proves nothing."""
    texts = [collapsed(part.text) for part in parts]
    wrong = 0
    for path, quote in tie.quotes:
        words = collapsed(quote)
        before = list(islice(_words_before(words, texts), MOST_OF_A_KIND))
        if before:
            _check_weight(path, words, before, tie, findings)
            continue
        wrong += 1
        near = closest(words, texts) if wrong <= MOST_OF_A_KIND else ""
        findings.add(
            "prose.quote",
            path,
            "the quote does not stand in the prose word for word",
            found=words or "an empty quote",
            expected=near
            or "words copied from one part, placeholders as written: at {kindle|K} it takes fire",
        )


def _words_before(quote: str, texts: Iterable[str]) -> Iterator[list[str]]:
    """For each place where a quote stands, the few words before it within its clause."""
    for text in texts:
        for place in places_of(quote, text):
            before = _PLACEHOLDER.sub("figure", text[max(place - _LOOK_BACK, 0) : place])
            yield _WORD.findall(_CLAUSE_END.split(before)[-1])[-WORDS_BEFORE:]


def _check_weight(path: str, quote: str, before: Sequence[list[str]], tie: Tie, findings: Findings) -> None:
    if _is_weak(quote, tie):
        findings.add(
            "prose.quote-weak",
            path,
            "the quote is too short to be evidence",
            found=quote,
            expected="two words or more, one of them of four letters or more, or a figure",
        )
    elif denials := _denials(quote, before):
        words, denial = denials
        findings.add(
            "prose.quote-weak",
            path,
            f"the quote is denied by `{denial}` before it",
            found=f"{' '.join(words)} {quote}",
            expected="words that the prose asserts; or a quote that begins with what denies it",
        )


def _is_weak(quote: str, tie: Tie) -> bool:
    text = "".join(_as_words(piece, tie) for piece in pieces_of(quote))
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    return len(words) < FEWEST_WORDS or all(sum(map(str.isalpha, word)) < FEWEST_LETTERS for word in words)


def _as_words(piece: AnyPiece, tie: Tie) -> str:
    match piece:
        case Label(thing=thing):
            return tie.labels.get(thing, thing)
        case Said(text=text):
            return text
        case Shown():
            return "figure"
        case _:
            return piece.raw


def _denials(quote: str, before: Iterable[list[str]]) -> tuple[list[str], str] | None:
    """The words before a quote and the one that denies it; None where the prose asserts it at least once."""
    own = {_denial(word) for word in _WORD.findall(_PLACEHOLDER.sub("figure", quote))}
    first: tuple[list[str], str] | None = None
    for words in before:
        denial = next((word for word in words if _denial(word) and _denial(word) not in own), None)
        if denial is None:
            return None
        first = first or (words, denial)
    return first


def _denial(word: str) -> str:
    """What a word denies with, `isn't` by its `n't`; empty if it does not."""
    plain = word.lower().replace("’", "'").strip("'")  # noqa: RUF001 - a typeset apostrophe
    return "n't" if plain.endswith("n't") else _DENIALS.get(plain, "")


def check_nevers(tie: Tie, findings: Findings) -> None:
    """Add each never-line that compares measured quantities and whose quote prints none of them."""
    for path, (quote, read) in tie.never_reads.items():
        measured = sorted(name for name in read if _is_measured(name, tie))
        told = {piece.name for piece in pieces_of(quote) if isinstance(piece, Shown)}
        told |= {name.removesuffix(".low").removesuffix(".high") for name in told}
        if measured and not told & read:
            findings.add(
                "prose.never-vague",
                path,
                "the quote names a danger and no threshold of it",
                found=collapsed(quote),
                expected=f"{' or '.join(suggestion(name, tie) for name in measured[:3])} within the quoted words",
            )


def _is_measured(name: str, tie: Tie) -> bool:
    """Whether a path is a number with a dimension, and not zero."""
    printable = tie.printable.get(name)
    if printable is None or printable.dimension is None or printable.dimension.is_plain:
        return False
    return bool(number_of(printable))
