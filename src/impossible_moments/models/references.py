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
USUAL: Final[Mapping[str, str]] = {"openai": "gpt-4o", "anthropic": "claude-sonnet-4-5"}
"""What a provider's bare name stands for."""
EXAMPLES: Final = "openai:gpt-4o, anthropic:claude-sonnet-4-5, local:llama3.1@http://127.0.0.1:11434/v1"
LONGEST: Final = 300

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
    found = _FORM.fullmatch(written) if len(written) <= LONGEST else None
    if found is None:
        raise ConfigurationError(
            f"`{written[:60]}` names no model. A model is written provider:name, with @URL behind it where it is "
            f"served elsewhere: {EXAMPLES}."
        )
    provider, name, url = found["provider"], found["name"], found["url"] or ""
    if url and urlsplit(url).username is not None:
        raise ConfigurationError(
            "a model's address holds a user name or a password, and references are written into traces. "
            "Give the key through the environment instead."
        )
    if provider == LOCAL and not url:
        url = LOCAL_URL
    return ModelReference(provider, name, url.rstrip("/"))
