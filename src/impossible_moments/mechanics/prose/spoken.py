"""Checks for content of the prose that does not come from the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.prose.measures import forms_showing, read_unit
from impossible_moments.mechanics.prose.numbers import exact, written
from impossible_moments.mechanics.prose.numerals import Numeral, is_one_numeral, numeral_value, numerals_in
from impossible_moments.mechanics.prose.parts import MOST_OF_A_KIND, Part
from impossible_moments.mechanics.prose.passages import collapsed
from impossible_moments.mechanics.prose.printing import PlaceholderError, printed
from impossible_moments.mechanics.prose.template import Said
from impossible_moments.mechanics.prose.tie import Tie
from impossible_moments.mechanics.prose.vocabulary import giveaways_in, in_some_label, known_things_in
from impossible_moments.mechanics.units import UnitError


def check_placeholders(part: Part, requirements: Tie, findings: Findings) -> None:
    """Add a finding for each placeholder that cannot be printed."""
    wrong = 0
    for piece in part.pieces:
        try:
            printed(piece, requirements)
        except PlaceholderError as problem:
            found = part.around(piece.start, piece.end)
            findings.add("prose.placeholder", part.path, problem.what, found=found, expected=problem.expected)
            wrong += 1
        if wrong == MOST_OF_A_KIND:  # the search for suggestions is slow
            return


def check_numbers(part: Part, requirements: Tie, findings: Findings) -> None:
    """Add a finding for each number outside placeholders."""
    for start, numeral in islice(_numerals(part), MOST_OF_A_KIND):
        end = start + len(numeral.text)
        said = f"{{say:{_as_said(numeral)}}} if it is not part of the mechanics"
        meant = ", ".join(_showing(numeral.text, numeral.value, part.text[end:], requirements))
        findings.add(
            "prose.number",
            part.path,
            f"the number `{numeral.text}` is outside a placeholder",
            found=part.around(start, end),
            expected=f"{meant or 'a placeholder such as {rim|m}'}, or {said}",
        )


def _numerals(part: Part) -> Iterator[tuple[int, Numeral]]:
    for plain in part.plain():
        for numeral in sorted(numerals_in(plain.raw), key=lambda each: each.start):
            yield plain.start + numeral.start, numeral


def _as_said(numeral: Numeral) -> str:
    """Return a number in a form that `{say:...}` accepts: as written, else in digits."""
    forms = [collapsed(numeral.text)]
    if numeral.value is not None:
        forms.append(written(exact(numeral.value)))
    return next((form for form in forms if is_one_numeral(form)), "...")


def _showing(text: str, value: float | None, behind: str, requirements: Tie) -> dict[str, bool]:
    """Return up to three placeholders that print a number, each with whether it prints the form in the prose.

    The form is the same if the unit follows the number in the prose, or if the quantity has no unit. Such
    placeholders come first.
    """
    if value is None:
        return {}
    near = _unit_at_the_start(behind)
    shown: dict[str, bool] = {}
    for name, printable in requirements.printable.items():
        for form in islice(forms_showing(value, printable, near), 1):
            in_words = form == "plain" and text[:1].isalpha()
            shown[f"{{{name}|{'words' if in_words else form}}}"] = form in {near, "plain"}
    return dict(sorted(shown.items(), key=lambda each: not each[1])[:3])


def _unit_at_the_start(text: str) -> str:
    word = (text[:40].split() or [""])[0].strip(".,;:!?()-")
    try:
        return read_unit(word).text
    except UnitError:
        return ""


def check_leaks(part: Part, findings: Findings) -> None:
    """Add a finding for each word that names the status or the kind of question, once per word."""
    seen: set[str] = set()
    for plain in part.plain():
        for word in giveaways_in(plain.raw):
            text = collapsed(word.text)
            if text.lower() in seen:
                continue
            seen.add(text.lower())
            findings.add(
                "prose.leak",
                part.path,
                f"`{text}` reveals to the solver what kind of question this is",
                found=part.around(plain.start + word.start, plain.start + word.end),
                expected="words that the people in the scene would use, such as `nobody has managed it yet`",
            )


def note_said(part: Part, requirements: Tie, findings: Findings) -> None:
    """Add a note for the reviewer on each number in a `{say:...}` placeholder."""
    said = (piece for piece in part.pieces if isinstance(piece, Said) and is_one_numeral(piece.text))
    for piece in islice(said, MOST_OF_A_KIND):
        shown = _showing(piece.text, numeral_value(piece.text), part.text[piece.end :], requirements)
        meant = ", ".join(placeholder for placeholder, alike in shown.items() if alike)
        findings.add(
            "prose.said",
            part.path,
            f"the number `{piece.text}` is stated with `say:` and is not part of the mechanics",
            found=part.around(piece.start, piece.end),
            expected=f"{meant} if it is that quantity" if meant else "",
        )


def check_unknown_things(parts: Iterable[Part], requirements: Tie, findings: Findings) -> None:
    """Add a finding for each thing in the prose that the library knows and the record does not list, once."""
    seen: set[str] = set()
    for part in parts:
        for plain in part.plain():
            for word, entry in known_things_in(plain.raw, requirements.catalogue):
                if entry in seen:
                    continue
                seen.add(entry)
                if not in_some_label(entry, requirements.labels.values()):
                    findings.add(
                        "prose.thing-unknown",
                        part.path,
                        f"`{collapsed(word.text)}` is a usable thing that the record does not list",
                        found=part.around(plain.start + word.start, plain.start + word.end),
                        expected=f"a thing with `like: {requirements.catalogue[entry]}`, and {{thing:its_name}} here; "
                        "or use another word",
                    )
