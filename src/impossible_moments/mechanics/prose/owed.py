"""Checks that the prose names all things, states all needed values and prints disputed ranges."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.prose.parts import Part
from impossible_moments.mechanics.prose.printing import suggestion
from impossible_moments.mechanics.prose.template import Label, Shown
from impossible_moments.mechanics.prose.tie import Tie


def check_named(parts: Iterable[Part], requirements: Tie, findings: Findings) -> None:
    """Add a finding for each thing that no placeholder names."""
    named = {piece.thing for part in parts for piece in part.pieces if isinstance(piece, Label)}
    for thing, path in requirements.must_name.items():
        if thing not in named:
            label = requirements.labels.get(thing, thing)
            findings.add(
                "prose.thing-unnamed",
                path,
                f"the prose does not name the thing `{thing}`",
                found=f"no {{thing:{thing}}}",
                expected=f"{{thing:{thing}}}, which prints `{label}`; or remove the thing from the record",
            )


def check_stated(parts: Iterable[Part], requirements: Tie, findings: Findings) -> None:
    """Add a finding for each given quantity that is not printed, and each needed value that is not stated."""
    shown = _shown(parts)
    for name, path in requirements.must_print.items():
        if name not in shown:
            placeholder = suggestion(name, requirements)
            findings.add(
                "prose.given-unprinted",
                path,
                f"the prose does not print the given quantity `{name}`",
                found=f"no {placeholder}",
                expected=f"{placeholder} in the prose; or make `{name}` assumed, with a range and a source",
            )
    stated = shown | requirements.told_in_words
    for path, reader in requirements.needed.items():
        missing = requirements.unstated_behind(path, stated)
        if set(missing) - set(
            requirements.must_print
        ):  # given quantities that are not printed were reported above
            code = "prose.deadline" if path == "deadline" else "prose.insufficient"
            findings.add(
                code,
                "/prose",
                _unknowable(path, reader, missing, requirements),
                expected=_ways_to_state(path, missing, requirements),
            )


def _shown(parts: Iterable[Part]) -> frozenset[str]:
    return frozenset(piece.name for part in parts for piece in part.pieces if isinstance(piece, Shown))


def _unknowable(path: str, reader: str, missing: tuple[str, ...], requirements: Tie) -> str:
    if missing == (path,) and path in requirements.quoted:
        return f"`{path}`, {reader}, is quoted without its number; words alone do not state a measured value"
    if missing == (path,):
        return f"`{path}`, {reader}, is neither printed nor quoted"
    names = ", ".join(f"`{name}`" for name in missing)
    return f"`{path}`, {reader}, is not printed and cannot be derived from what is printed: nothing states {names}"


def _ways_to_state(path: str, missing: tuple[str, ...], requirements: Tie) -> str:
    if missing != (path,):
        return f"{' and '.join(suggestion(name, requirements) for name in missing)}; or {suggestion(path, requirements)}"
    if path in requirements.quoted:
        return f"{suggestion(path, requirements)} in the prose, preferably within the quote"
    printable = requirements.printable.get(path)
    quote = f"a quote after its line, `{path.rpartition('.')[2]} = ... @ exact words of the prose`"
    if printable is not None and isinstance(printable.value, bool):
        return f"a statement in words, with {quote}"
    return f"{suggestion(path, requirements)}; or {quote}"


def check_disputed(parts: Iterable[Part], requirements: Tie, findings: Findings) -> None:
    """Add a finding for each disputed quantity if an end of its range is not printed."""
    shown = _shown(parts)
    for name, path in requirements.disputed.items():
        ends = [end for end in (f"{name}.low", f"{name}.high") if end not in shown]
        if ends:
            findings.add(
                "prose.disputed-untold",
                path,
                f"`{name}` is disputed, but the prose does not print {' or '.join(f'`{end}`' for end in ends)}",
                found=f"no {' and no '.join(suggestion(end, requirements) for end in ends)}",
                expected=f"both positions, {suggestion(f'{name}.low', requirements)} and {suggestion(f'{name}.high', requirements)}",
            )
