"""Closed lists of names on the command line: similar names for a typing error, and options with fixed values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from enum import StrEnum
from itertools import islice
from typing import Final, TypeVar

import typer
from typer.models import ArgumentInfo, OptionInfo

LONGEST_NAME: Final = 80
"""Characters of a name that are compared. Longer names are not typing errors."""
MOST_NAMES: Final = 3
SHORTEST_PART: Final = 4
"""Least characters of a text that is looked for inside the known names."""
Choice = TypeVar("Choice", bound=StrEnum)


def find_similar_names(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names most similar to an unknown one, the most similar first.

    Names that contain the given one come before others. Case is ignored, and spaces, hyphens and underscores are
    alike.
    """
    spelled = {_normalize_name(each): each for each in known}
    wanted = _normalize_name(name[:LONGEST_NAME])
    longer = [each for each in spelled if wanted in each] if len(wanted) >= SHORTEST_PART else []
    close = get_close_matches(wanted, spelled, n=MOST_NAMES)
    found = dict.fromkeys((*sorted(longer, key=len), *close))
    return [spelled[each] for each in islice(found, MOST_NAMES)]


def suggest_names(name: str, known: Iterable[str]) -> str:
    """Return ` Did you mean ...?` with similar known names, or an empty string if none is similar.

    The text follows the sentence about the unknown name.
    """
    *others, last = find_similar_names(name, known) or [""]
    if not last:
        return ""
    return f" Did you mean {', '.join(others)}{' or ' if others else ''}{last}?"


def build_choice_option(
    kind: type[StrEnum],
    *names: str,
    help: str,  # noqa: A002 - typer's name
    show_default: bool = True,
) -> OptionInfo:
    """Return the declaration of an option that takes a value of an enumeration, in any case.

    `names` are the names of the option, if the parameter has another one.
    """
    option: OptionInfo = typer.Option(
        *names,
        help=help,
        show_default=show_default,
        parser=_build_choice_parser(kind),
        autocompletion=_build_choice_completer(kind),
    )
    return option


def build_choice_argument(kind: type[StrEnum], *, help: str) -> ArgumentInfo:  # noqa: A002 - typer's name
    """Return the declaration of an argument that takes a value of an enumeration, in any case."""
    argument: ArgumentInfo = typer.Argument(
        help=help, parser=_build_choice_parser(kind), autocompletion=_build_choice_completer(kind)
    )
    return argument


def _build_choice_parser(kind: type[Choice]) -> Callable[[str], Choice]:
    def parse_choice(text: str) -> Choice:
        for each in kind:
            if each.casefold() == text.casefold():
                return each
        raise typer.BadParameter(
            f"`{text[:LONGEST_NAME]}` is not one of {', '.join(kind)}.{suggest_names(text, kind)}"
        )

    return parse_choice


def _build_choice_completer(kind: type[StrEnum]) -> Callable[[str], list[str]]:
    def complete_choice(incomplete: str) -> list[str]:
        return [each.value for each in kind if each.casefold().startswith(incomplete.casefold())]

    return complete_choice


def _normalize_name(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")
