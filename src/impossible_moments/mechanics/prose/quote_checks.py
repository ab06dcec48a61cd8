"""Checks of quotes that serve as evidence: they occur in the prose, are long enough and are not negated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose.parts import MOST_OF_A_KIND, ProsePart
from impossible_moments.mechanics.prose.passages import (
    collapse_whitespace,
    find_closest_passage,
    find_quote_positions,
)
from impossible_moments.mechanics.prose.placeholders import suggest_placeholder
from impossible_moments.mechanics.prose.requirements import ProseRequirements
from impossible_moments.mechanics.prose.template import (
    AnyTemplatePiece,
    SaidNumber,
    ShownValue,
    ThingLabel,
    parse_template,
)
from impossible_moments.mechanics.prose.unit_formats import get_numeric_value

FEWEST_WORDS: Final = 2
FEWEST_LETTERS: Final = 4
WORDS_BEFORE: Final = 3
"""Number of words before a quote in which a negation counts."""
_LOOK_BACK: Final = 500
_NEGATIONS: Final = {word: word for word in ("not", "no", "never", "nobody", "without")} | {"cannot": "not"}
_PLACEHOLDER: Final = re.compile(r"\{[^{}]*\}")
# The "no" in "No, it sets hard" is an answer and not a negation.
_CLAUSE_END: Final = re.compile(r"""(?:[.!?;:]["'”’)]*|\bno,)\s""", re.IGNORECASE)  # noqa: RUF001 - typeset quotes
_WORD: Final = re.compile(r"[\w'’]+")  # noqa: RUF001 - a typeset apostrophe


def check_quotes(parts: Iterable[ProsePart], requirements: ProseRequirements, findings: Findings) -> None:
    """Add a finding for each quote that does not occur in the prose, is too short, or is negated."""
    texts = [collapse_whitespace(part.text) for part in parts]
    wrong_count = 0
    for path, quote in requirements.quotes:
        words = collapse_whitespace(quote)
        before = list(islice(_find_words_before_quote(words, texts), MOST_OF_A_KIND))
        if before:
            _report_weak_or_negated_quote(path, words, before, requirements, findings)
            continue
        wrong_count += 1
        closest_passage = find_closest_passage(words, texts) if wrong_count <= MOST_OF_A_KIND else ""
        findings.add(
            "prose.quote",
            path,
            "the quote does not occur in the prose word for word",
            found=words or "an empty quote",
            expected=closest_passage
            or "words copied from one part, with placeholders as written: at {kindle|K} it takes fire",
        )


def _find_words_before_quote(quote: str, texts: Iterable[str]) -> Iterator[list[str]]:
    """Yield, for each occurrence of a quote, the last words before it in the same clause."""
    for text in texts:
        for place in find_quote_positions(quote, text):
            before = _PLACEHOLDER.sub("figure", text[max(place - _LOOK_BACK, 0) : place])
            yield _WORD.findall(_CLAUSE_END.split(before)[-1])[-WORDS_BEFORE:]


def _report_weak_or_negated_quote(
    path: str, quote: str, before: Sequence[list[str]], requirements: ProseRequirements, findings: Findings
) -> None:
    if _is_weak_quote(quote, requirements):
        findings.add(
            "prose.quote-weak",
            path,
            "the quote is too short to be evidence",
            found=quote,
            expected="at least two words, one of them with at least four letters, or a number",
        )
    elif denials := _find_negation(quote, before):
        words, denial = denials
        findings.add(
            "prose.quote-weak",
            path,
            f"the quote is negated by `{denial}` before it",
            found=f"{' '.join(words)} {quote}",
            expected="words that the prose asserts; or a quote that includes the negation",
        )


def _is_weak_quote(quote: str, requirements: ProseRequirements) -> bool:
    text = "".join(_convert_piece_to_words(piece, requirements) for piece in parse_template(quote))
    words = [word for word in text.split() if any(map(str.isalnum, word))]
    return len(words) < FEWEST_WORDS or all(sum(map(str.isalpha, word)) < FEWEST_LETTERS for word in words)


def _convert_piece_to_words(piece: AnyTemplatePiece, requirements: ProseRequirements) -> str:
    match piece:
        case ThingLabel(thing=thing):
            return requirements.labels.get(thing, thing)
        case SaidNumber(text=text):
            return text
        case ShownValue():
            return "figure"
        case _:
            return piece.raw


def _find_negation(quote: str, before: Iterable[list[str]]) -> tuple[list[str], str] | None:
    """Return the words before a quote and the word that negates it, or None if an occurrence is asserted."""
    quote_negations = {_extract_negation(word) for word in _WORD.findall(_PLACEHOLDER.sub("figure", quote))}
    first: tuple[list[str], str] | None = None
    for words in before:
        denial = next(
            (
                word
                for word in words
                if _extract_negation(word) and _extract_negation(word) not in quote_negations
            ),
            None,
        )
        if denial is None:
            return None
        first = first or (words, denial)
    return first


def _extract_negation(word: str) -> str:
    """Return the negation in a word, such as `n't` for `isn't`, or an empty text if there is none."""
    plain = word.lower().replace("’", "'").strip("'")  # noqa: RUF001 - a typeset apostrophe
    return "n't" if plain.endswith("n't") else _NEGATIONS.get(plain, "")


def check_never_line_quotes(requirements: ProseRequirements, findings: Findings) -> None:
    """Add a finding for each never-line that compares measured values if its quote prints none of them."""
    for path, (quote, names_read) in requirements.never_reads.items():
        measured = sorted(name for name in names_read if _is_measured_path(name, requirements))
        printed_names = {piece.name for piece in parse_template(quote) if isinstance(piece, ShownValue)}
        printed_names |= {name.removesuffix(".low").removesuffix(".high") for name in printed_names}
        if measured and not printed_names & names_read:
            findings.add(
                "prose.never-vague",
                path,
                "the quote names a danger without its threshold",
                found=collapse_whitespace(quote),
                expected=f"{' or '.join(suggest_placeholder(name, requirements) for name in measured[:3])} within the quoted words",
            )


def _is_measured_path(name: str, requirements: ProseRequirements) -> bool:
    """Return whether a path is a non-zero number with a dimension."""
    printable = requirements.printable.get(name)
    if printable is None or printable.dimension is None or printable.dimension.is_plain:
        return False
    return bool(get_numeric_value(printable))
