"""How a model is named: `provider:name`, with `@URL` where it is served somewhere else than usual."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from impossible_moments.errors import ConfigurationError

LOCAL: Final = "local"
LOCAL_URL: Final = "http://127.0.0.1:11434/v1"
"""Where Ollama listens; vLLM and the llama.cpp server are named with their own."""
USUAL: Final[Mapping[str, str]] = {"openai": "gpt-4o", "anthropic": "claude-sonnet-5-5"}
"""What a provider's bare name stands for."""
EXAMPLES: Final = "openai:gpt-4o, anthropic:claude-sonnet-5-5, local:llama3.1@http://127.0.0.1:11434/v1"
LONGEST: Final = 300
LONGEST_NAME: Final = 200

_FORM: Final = re.compile(
    r"(?P<provider>[a-z][a-z0-9_-]*)[:/](?P<name>[^\s@]+(?:@(?!https?://)[^\s@]+)*)(?:@(?P<url>https?://\S+))?"
)


@dataclass(frozen=True, slots=True)
class ModelReference:
    """A model, and where it is served if not where its provider usually is."""

    provider: str
    name: str
    base_url: str = ""

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}" + (f"@{self.base_url}" if self.base_url else "")


def reference(text: str) -> ModelReference:
    """Read a reference; `provider/name` is read as `provider:name`, and a bare provider as its usual model."""
    written = text.strip()
    if written in USUAL:
        return ModelReference(written, USUAL[written])
    found = _FORM.fullmatch(written) if len(written) <= LONGEST and written.isprintable() else None
    if found is None or len(found["name"]) > LONGEST_NAME:
        raise ConfigurationError(
            f"`{_shown(written)}` names no model. A model is written provider:name, with @URL behind it where it is "
            f"served elsewhere: {EXAMPLES}."
        )
    provider, name, url = found["provider"], found["name"], found["url"] or ""
    if url:
        _refuse_no_address(url)
    if provider == LOCAL and not url:
        url = LOCAL_URL
    return ModelReference(provider, name, url.rstrip("/"))


def _refuse_no_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        reachable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, reachable = urlsplit(""), False
    if not reachable:
        raise ConfigurationError(
            f"what stands behind the @ of a model is no address of a server. Write it like {LOCAL_URL}."
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            "a model's address holds a user name, a password or a query, and references are written into traces. "
            "Give the key through the environment instead."
        )


def _shown(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text[:60])
