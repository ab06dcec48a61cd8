"""API keys from the environment, a file outside the project, or an argument.

They are never written anywhere.
"""

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
"""Shorter keys are not replaced, because they could occur in ordinary words."""


class ApiKeys:
    """API keys by provider. Their repr hides them, and `remove_keys` removes them from other text."""

    def __init__(self, keys: Mapping[str, str] | None = None, *, for_all: str | None = None) -> None:
        stripped = {name.lower(): key.strip() for name, key in (keys or {}).items()}
        self._keys = {name: key for name, key in stripped.items() if key}
        self._for_all = for_all.strip() or None if for_all else None

    def get_key(self, provider: str) -> str | None:
        """Return the key of a provider, or None if there is none.

        A key given for all providers is used where a provider has no key of its own.
        """
        key = self._keys.get(provider.lower().replace("-", "_"), self._for_all)
        if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
            # such a key would come back in an error message, escaped so that `remove_keys` cannot find it
            raise ConfigurationError(
                f"The key for {provider} contains white space or characters that keys do not have. Copy it again without them."
            )
        return key

    def remove_keys(self, text: str) -> str:
        """Return the text with every known key replaced."""
        for key in sorted({*self._keys.values(), self._for_all or ""}, key=len, reverse=True):
            if len(key) >= _SHORTEST:
                text = text.replace(key, HIDDEN)
        return text

    def __repr__(self) -> str:
        return f"Keys({', '.join(sorted(self._keys)) or 'none'})"


def get_key_variable(provider: str) -> str:
    """Return the name of the environment variable that holds a provider's key."""
    return f"{provider.upper().replace('-', '_')}{SUFFIX}"


def find_api_keys(
    api_key: str | None = None, *, environ: Mapping[str, str] | None = None, project: Path | None = None
) -> ApiKeys:
    """Find all API keys.

    `api_key` takes precedence over the environment, and the environment over the keys file.
    """
    around = os.environ if environ is None else environ
    named = around.get(FILE_VARIABLE)
    file = Path(named or USUAL_FILE).expanduser()
    written = _read_keys_file(file, project or Path.cwd()) if named or file.is_file() else {}
    everywhere = {**written, **{name: key for name, key in around.items() if name.endswith(SUFFIX)}}
    keys = {name.removesuffix(SUFFIX): key for name, key in everywhere.items()}
    return ApiKeys({} if api_key else keys, for_all=api_key)


def _read_keys_file(file: Path, project: Path) -> dict[str, str]:
    if file.resolve().is_relative_to(project.resolve()) and project.resolve() != Path.home():
        raise ConfigurationError(
            f"The keys file {file.name} is inside the project, where it could be published by accident. "
            f"Move it, for example to {USUAL_FILE}, and set {FILE_VARIABLE} to its path."
        )
    try:
        lines = file.read_text(encoding="utf-8")[:LARGEST_FILE].splitlines()
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(
            f"Cannot read the keys file {file}. It must be a text file with lines such as OPENAI{SUFFIX}=..."
        ) from None
    found = {}
    for line in lines:
        name, equals, value = line.strip().removeprefix("export ").partition("=")
        if equals and name.strip().endswith(SUFFIX):
            found[name.strip()] = value.strip().strip("'\"")
    return found
