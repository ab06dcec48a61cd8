"""What the record demands of its prose: things named, values stated, disputes told."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.mechanics.findings import Findings
from impossible_moments.mechanics.prose.parts import Part
from impossible_moments.mechanics.prose.printing import suggestion
from impossible_moments.mechanics.prose.template import Label, Shown
from impossible_moments.mechanics.prose.tie import Tie


def check_named(parts: Iterable[Part], tie: Tie, findings: Findings) -> None:
    """Add each thing that no placeholder names."""
    named = {piece.thing for part in parts for piece in part.pieces if isinstance(piece, Label)}
    for thing, path in tie.must_name.items():
        if thing not in named:
            label = tie.labels.get(thing, thing)
            findings.add(
                "prose.thing-unnamed",
                path,
                f"thing `{thing}` is not named in the prose",
                found=f"no {{thing:{thing}}}",
                expected=f"{{thing:{thing}}}, which prints `{label}`; or a record without it",
            )


def check_stated(parts: Iterable[Part], tie: Tie, findings: Findings) -> None:
    """Add each given quantity that is not printed, and each value a solution reads and cannot know."""
    shown = _shown(parts)
    for name, path in tie.must_print.items():
        if name not in shown:
            placeholder = suggestion(name, tie)
            findings.add(
                "prose.given-unprinted",
                path,
                f"given quantity `{name}` is not printed",
                found=f"no {placeholder}",
                expected=f"{placeholder} in the prose; or `{name}` assumed, with a range and a source",
            )
    stated = shown | tie.told_in_words
    for path, reader in tie.needed.items():
        missing = tie.unstated_behind(path, stated)
        if set(missing) - set(tie.must_print):  # a given that is not printed was found above
            code = "prose.deadline" if path == "deadline" else "prose.insufficient"
            findings.add(
                code,
                "/prose",
                _unknowable(path, reader, missing, tie),
                expected=_ways_to_state(path, missing, tie),
            )


def _shown(parts: Iterable[Part]) -> frozenset[str]:
    return frozenset(piece.name for part in parts for piece in part.pieces if isinstance(piece, Shown))


def _unknowable(path: str, reader: str, missing: tuple[str, ...], tie: Tie) -> str:
    if missing == (path,) and path in tie.quoted:
        return f"`{path}`, {reader}, is quoted without its figure: words alone do not tell a measured number"
    if missing == (path,):
        return f"`{path}`, {reader}, is neither printed nor quoted"
    names = ", ".join(f"`{name}`" for name in missing)
    return f"`{path}`, {reader}, is not printed, nor does it follow from what is: nothing states {names}"


def _ways_to_state(path: str, missing: tuple[str, ...], tie: Tie) -> str:
    if missing != (path,):
        return f"{' and '.join(suggestion(name, tie) for name in missing)}; or {suggestion(path, tie)}"
    if path in tie.quoted:
        return f"{suggestion(path, tie)} in the prose, best within the quote itself"
    printable = tie.printable.get(path)
    quote = f"its quote behind its line, `{path.rpartition('.')[2]} = ... @ exact words of the prose`"
    if printable is not None and isinstance(printable.value, bool):
        return f"told in words, with {quote}"
    return f"{suggestion(path, tie)}; or {quote}"


def check_disputed(parts: Iterable[Part], tie: Tie, findings: Findings) -> None:
    """Add each disputed quantity of which an end is not printed."""
    shown = _shown(parts)
    for name, path in tie.disputed.items():
        ends = [end for end in (f"{name}.low", f"{name}.high") if end not in shown]
        if ends:
            findings.add(
                "prose.disputed-untold",
                path,
                f"`{name}` is disputed, and the prose does not print {' nor '.join(f'`{end}`' for end in ends)}",
                found=f"no {' and no '.join(suggestion(end, tie) for end in ends)}",
                expected=f"who holds {suggestion(f'{name}.low', tie)}, and who holds {suggestion(f'{name}.high', tie)}",
            )
