"""API keys: found in the environment, in a file outside the project, or passed in; held in memory and written nowhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError

SUFFIX: Final = "_API_KEY"
FILE_VARIABLE: Final = "IM_KEYS_FILE"
USUAL_FILE: Final = Path("~/.config/impossible-moments/keys.env")
LARGEST_FILE: Final = 100_000
HIDDEN: Final = "[key]"
_SHORTEST: Final = 6
"""A shorter secret would be struck out of ordinary words."""


class Keys:
    """Keys by provider. They do not print, and `scrubbed` takes them out of what others wrote."""

    def __init__(self, keys: Mapping[str, str] | None = None, *, for_all: str | None = None) -> None:
        stripped = {name.lower(): key.strip() for name, key in (keys or {}).items()}
        self._keys = {name: key for name, key in stripped.items() if key}
        self._for_all = for_all.strip() or None if for_all else None

    def of(self, provider: str) -> str | None:
        """The key of a provider; one that was passed in goes to every provider that has none of its own."""
        key = self._keys.get(provider.lower().replace("-", "_"), self._for_all)
        if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
            # what cannot be sent would come back in an error, spelled so that `scrubbed` does not know it
            raise ConfigurationError(
                f"the key for {provider} holds white space or letters that no key has. Copy it again, and nothing else."
            )
        return key

    def scrubbed(self, text: str) -> str:
        """The text without any key."""
        for key in sorted({*self._keys.values(), self._for_all or ""}, key=len, reverse=True):
            if len(key) >= _SHORTEST:
                text = text.replace(key, HIDDEN)
        return text

    def __repr__(self) -> str:
        return f"Keys({', '.join(sorted(self._keys)) or 'none'})"


def variable_of(provider: str) -> str:
    """The environment variable a provider's key is looked for in."""
    return f"{provider.upper().replace('-', '_')}{SUFFIX}"


def found_keys(
    api_key: str | None = None, *, environ: Mapping[str, str] | None = None, project: Path | None = None
) -> Keys:
    """All keys there are. What is passed in comes before the environment, and the environment before the file."""
    around = os.environ if environ is None else environ
    named = around.get(FILE_VARIABLE)
    file = Path(named or USUAL_FILE).expanduser()
    written = _read(file, project or Path.cwd()) if named or file.is_file() else {}
    everywhere = {**written, **{name: key for name, key in around.items() if name.endswith(SUFFIX)}}
    keys = {name.removesuffix(SUFFIX): key for name, key in everywhere.items()}
    return Keys({} if api_key else keys, for_all=api_key)


def _read(file: Path, project: Path) -> dict[str, str]:
    if file.resolve().is_relative_to(project.resolve()) and project.resolve() != Path.home():
        raise ConfigurationError(
            f"{file.name} with the keys lies inside the project, where it is soon published by accident. "
            f"Move it out, for example to {USUAL_FILE}, and name it in {FILE_VARIABLE}."
        )
    try:
        lines = file.read_text(encoding="utf-8")[:LARGEST_FILE].splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(
            f"{file} with the keys cannot be read. It is a text file of lines such as OPENAI{SUFFIX}=..."
        ) from None
    found = {}
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and name.strip().endswith(SUFFIX):
            found[name.strip()] = value.strip().strip("'\"")
    return found
