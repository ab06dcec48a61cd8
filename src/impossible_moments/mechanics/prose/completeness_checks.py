"""Checks that the prose names all things, states all needed values and prints disputed ranges."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.prose.parts import ProsePart
from impossible_moments.mechanics.prose.placeholders import suggest_placeholder
from impossible_moments.mechanics.prose.requirements import ProseRequirements
from impossible_moments.mechanics.prose.template import ShownValue, ThingLabel


def check_things_named(
    parts: Iterable[ProsePart], requirements: ProseRequirements, findings: Findings
) -> None:
    """Add a finding for each thing that no placeholder names."""
    named = {piece.thing for part in parts for piece in part.pieces if isinstance(piece, ThingLabel)}
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


def check_values_stated(
    parts: Iterable[ProsePart], requirements: ProseRequirements, findings: Findings
) -> None:
    """Add a finding for each given quantity that is not printed, and each needed value that is not stated."""
    printed_names = _collect_printed_names(parts)
    for name, path in requirements.must_print.items():
        if name not in printed_names:
            placeholder = suggest_placeholder(name, requirements)
            findings.add(
                "prose.given-unprinted",
                path,
                f"the prose does not print the given quantity `{name}`",
                found=f"no {placeholder}",
                expected=f"{placeholder} in the prose; or make `{name}` assumed, with a range and a source",
            )
    stated_names = printed_names | requirements.paths_stated_in_words
    for path, reader in requirements.needed.items():
        missing = requirements.find_unstated_names(path, stated_names)
        if set(missing) - set(
            requirements.must_print
        ):  # given quantities that are not printed were reported above
            code = "prose.deadline" if path == "deadline" else "prose.insufficient"
            findings.add(
                code,
                "/prose",
                _describe_unstated_value(path, reader, missing, requirements),
                expected=_suggest_how_to_state_value(path, missing, requirements),
            )


def _collect_printed_names(parts: Iterable[ProsePart]) -> frozenset[str]:
    return frozenset(piece.name for part in parts for piece in part.pieces if isinstance(piece, ShownValue))


def _describe_unstated_value(
    path: str, reader: str, missing: tuple[str, ...], requirements: ProseRequirements
) -> str:
    if missing == (path,) and path in requirements.quoted:
        return f"`{path}`, {reader}, is quoted without its number; words alone do not state a measured value"
    if missing == (path,):
        return f"`{path}`, {reader}, is neither printed nor quoted"
    names = ", ".join(f"`{name}`" for name in missing)
    return f"`{path}`, {reader}, is not printed and cannot be derived from what is printed: nothing states {names}"


def _suggest_how_to_state_value(path: str, missing: tuple[str, ...], requirements: ProseRequirements) -> str:
    if missing != (path,):
        return f"{' and '.join(suggest_placeholder(name, requirements) for name in missing)}; or {suggest_placeholder(path, requirements)}"
    if path in requirements.quoted:
        return f"{suggest_placeholder(path, requirements)} in the prose, preferably within the quote"
    printable = requirements.printable.get(path)
    quote = f"a quote after its line, `{path.rpartition('.')[2]} = ... @ exact words of the prose`"
    if printable is not None and isinstance(printable.value, bool):
        return f"a statement in words, with {quote}"
    return f"{suggest_placeholder(path, requirements)}; or {quote}"


def check_disputed_ranges(
    parts: Iterable[ProsePart], requirements: ProseRequirements, findings: Findings
) -> None:
    """Add a finding for each disputed quantity if an end of its range is not printed."""
    printed_names = _collect_printed_names(parts)
    for name, path in requirements.disputed.items():
        ends = [end for end in (f"{name}.low", f"{name}.high") if end not in printed_names]
        if ends:
            findings.add(
                "prose.disputed-untold",
                path,
                f"`{name}` is disputed, but the prose does not print {' or '.join(f'`{end}`' for end in ends)}",
                found=f"no {' and no '.join(suggest_placeholder(end, requirements) for end in ends)}",
                expected=f"both positions, {suggest_placeholder(f'{name}.low', requirements)} and {suggest_placeholder(f'{name}.high', requirements)}",
            )
