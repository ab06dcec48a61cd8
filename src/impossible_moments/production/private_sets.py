"""Private sets: the same plan from a secret seed, written where no repository can pick it up."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path
from typing import Final

from impossible_moments.errors import ConfigurationError

_LEAST_LENGTH: Final = 16
_PROJECT_MARKS: Final = (".git", "pyproject.toml")
_LARGEST_SEED: Final = 2**62


def load_secret_seed(path: Path) -> int:
    """Return the seed that a secret text gives. Raise `ConfigurationError` if the text is too short to be secret."""
    try:
        text = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise ConfigurationError(
            f"No such file: {path}. Write a secret of at least {_LEAST_LENGTH} characters into it, or use --new-seed."
        ) from None
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigurationError(f"Cannot read {path} ({problem}).") from None
    if len(text) < _LEAST_LENGTH:
        raise ConfigurationError(
            f"The secret in {path} has {len(text)} characters; use at least {_LEAST_LENGTH}, or --new-seed to draw one."
        )
    return int.from_bytes(hashlib.sha256(f"im-private\n{text}".encode()).digest()[:8], "big") % _LARGEST_SEED


def write_new_secret(path: Path) -> None:
    """Write a new random secret that only its owner can read. An existing file is not overwritten."""
    try:
        path.touch(mode=0o600, exist_ok=False)
    except FileExistsError:
        raise ConfigurationError(
            f"{path} exists; leave out --new-seed to use it, or name another file."
        ) from None
    except OSError as problem:
        raise ConfigurationError(f"Cannot write {path} ({problem.strerror}).") from None
    path.write_text(secrets.token_urlsafe(32) + "\n", encoding="utf-8")


def require_outside_projects(path: Path, what: str) -> None:
    """Raise `ConfigurationError` if a path lies below a repository or project, from which it could be published."""
    absolute = path.expanduser().resolve()
    for parent in (absolute, *absolute.parents):
        for mark in _PROJECT_MARKS:
            if (parent / mark).exists():
                raise ConfigurationError(
                    f"{path} lies in the project {parent}. A private {what} stays outside of repositories; name another place."
                )
