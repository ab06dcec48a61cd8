"""Checks for content of the prose that does not come from the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.units import UnitError
from impossible_moments.mechanics.prose.number_formats import format_decimal, to_exact_decimal
from impossible_moments.mechanics.prose.numerals import (
    Numeral,
    evaluate_numeral,
    find_numerals,
    is_one_numeral,
)
from impossible_moments.mechanics.prose.parts import MOST_OF_A_KIND, ProsePart
from impossible_moments.mechanics.prose.passages import collapse_whitespace
from impossible_moments.mechanics.prose.placeholders import PlaceholderError, render_piece
from impossible_moments.mechanics.prose.requirements import ProseRequirements
from impossible_moments.mechanics.prose.template import SaidNumber
from impossible_moments.mechanics.prose.unit_formats import find_forms_printing, parse_untrusted_unit
from impossible_moments.mechanics.prose.vocabulary import (
    find_giveaway_words,
    find_known_things,
    is_catalogue_entry_in_labels,
)


def check_placeholders(part: ProsePart, requirements: ProseRequirements, findings: Findings) -> None:
    """Add a finding for each placeholder that cannot be printed."""
    wrong_count = 0
    for piece in part.pieces:
        try:
            render_piece(piece, requirements)
        except PlaceholderError as problem:
            found = part.get_excerpt(piece.start, piece.end)
            findings.add(
                "prose.placeholder", part.path, problem.message, found=found, expected=problem.expected
            )
            wrong_count += 1
        if wrong_count == MOST_OF_A_KIND:  # the search for suggestions is slow
            return


def check_plain_numbers(part: ProsePart, requirements: ProseRequirements, findings: Findings) -> None:
    """Add a finding for each number outside placeholders."""
    for start, numeral in islice(_iterate_plain_numerals(part), MOST_OF_A_KIND):
        end = start + len(numeral.text)
        suggestion = f"{{say:{_format_said_number(numeral)}}} if it is not part of the mechanics"
        placeholders = ", ".join(
            _find_matching_placeholders(numeral.text, numeral.value, part.text[end:], requirements)
        )
        findings.add(
            "prose.number",
            part.path,
            f"the number `{numeral.text}` is outside a placeholder",
            found=part.get_excerpt(start, end),
            expected=f"{placeholders or 'a placeholder such as {rim|m}'}, or {suggestion}",
        )


def _iterate_plain_numerals(part: ProsePart) -> Iterator[tuple[int, Numeral]]:
    for plain in part.iterate_plain_text():
        for numeral in sorted(find_numerals(plain.raw), key=lambda each: each.start):
            yield plain.start + numeral.start, numeral


def _format_said_number(numeral: Numeral) -> str:
    """Return a number in a form that `{say:...}` accepts: as written, else in digits."""
    forms = [collapse_whitespace(numeral.text)]
    if numeral.value is not None:
        forms.append(format_decimal(to_exact_decimal(numeral.value)))
    return next((form for form in forms if is_one_numeral(form)), "...")


def _find_matching_placeholders(
    text: str, value: float | None, text_after: str, requirements: ProseRequirements
) -> dict[str, bool]:
    """Return up to three placeholders that print a number, each with whether it prints the form in the prose.

    The form is the same if the unit follows the number in the prose, or if the quantity has no unit. Such
    placeholders come first.
    """
    if value is None:
        return {}
    unit = _parse_leading_unit(text_after)
    matches: dict[str, bool] = {}
    for name, printable in requirements.printable.items():
        for form in islice(find_forms_printing(value, printable, unit), 1):
            in_words = form == "plain" and text[:1].isalpha()
            matches[f"{{{name}|{'words' if in_words else form}}}"] = form in {unit, "plain"}
    return dict(sorted(matches.items(), key=lambda each: not each[1])[:3])


def _parse_leading_unit(text: str) -> str:
    word = (text[:40].split() or [""])[0].strip(".,;:!?()-")
    try:
        return parse_untrusted_unit(word).text
    except UnitError:
        return ""


def check_status_leaks(part: ProsePart, findings: Findings) -> None:
    """Add a finding for each word that names the status or the kind of question, once per word."""
    seen: set[str] = set()
    for plain in part.iterate_plain_text():
        for word in find_giveaway_words(plain.raw):
            text = collapse_whitespace(word.text)
            if text.lower() in seen:
                continue
            seen.add(text.lower())
            findings.add(
                "prose.leak",
                part.path,
                f"`{text}` reveals to the solver what kind of question this is",
                found=part.get_excerpt(plain.start + word.start, plain.start + word.end),
                expected="words that the people in the scene would use, such as `nobody has managed it yet`",
            )


def report_numbers_in_say_placeholders(
    part: ProsePart, requirements: ProseRequirements, findings: Findings
) -> None:
    """Add a note for the reviewer on each number in a `{say:...}` placeholder."""
    said_numbers = (
        piece for piece in part.pieces if isinstance(piece, SaidNumber) and is_one_numeral(piece.text)
    )
    for piece in islice(said_numbers, MOST_OF_A_KIND):
        matches = _find_matching_placeholders(
            piece.text, evaluate_numeral(piece.text), part.text[piece.end :], requirements
        )
        placeholders = ", ".join(placeholder for placeholder, alike in matches.items() if alike)
        findings.add(
            "prose.said",
            part.path,
            f"the number `{piece.text}` is stated with `say:` and is not part of the mechanics",
            found=part.get_excerpt(piece.start, piece.end),
            expected=f"{placeholders} if it is that quantity" if placeholders else "",
        )


def check_unknown_things(
    parts: Iterable[ProsePart], requirements: ProseRequirements, findings: Findings
) -> None:
    """Add a finding for each thing in the prose that the library knows and the record does not list, once."""
    seen: set[str] = set()
    for part in parts:
        for plain in part.iterate_plain_text():
            for word, entry in find_known_things(plain.raw, requirements.catalogue):
                if entry in seen:
                    continue
                seen.add(entry)
                if not is_catalogue_entry_in_labels(entry, requirements.labels.values()):
                    findings.add(
                        "prose.thing-unknown",
                        part.path,
                        f"`{collapse_whitespace(word.text)}` is a usable thing that the record does not list",
                        found=part.get_excerpt(plain.start + word.start, plain.start + word.end),
                        expected=f"a thing with `like: {requirements.catalogue[entry]}`, and {{thing:its_name}} here; "
                        "or use another word",
                    )
