"""Model references: `provider:name`, followed by `@URL` if the model is served at another address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from impossible_moments.errors import ConfigurationError

LOCAL: Final = "local"
LOCAL_URL: Final = "http://127.0.0.1:11434/v1"
"""The address of Ollama. For vLLM and the llama.cpp server the address must be given."""
USUAL: Final[Mapping[str, str]] = {"openai": "gpt-4o", "anthropic": "claude-sonnet-5-5"}
"""The default model of each provider."""
EXAMPLES: Final = "openai:gpt-4o, anthropic:claude-sonnet-5-5, local:llama3.1@http://127.0.0.1:11434/v1"
LONGEST: Final = 300
LONGEST_NAME: Final = 200

_FORM: Final = re.compile(
    r"(?P<provider>[a-z][a-z0-9_-]*)[:/](?P<name>[^\s@]+(?:@(?!https?://)[^\s@]+)*)(?:@(?P<url>https?://\S+))?"
)


@dataclass(frozen=True, slots=True)
class ModelReference:
    """A model, and its server's address if that is not the provider's usual one."""

    provider: str
    name: str
    base_url: str = ""

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}" + (f"@{self.base_url}" if self.base_url else "")


def parse_model_reference(text: str) -> ModelReference:
    """Parse a model reference.

    `provider/name` is read as `provider:name`, and a provider alone as its default model. Raise
    `ConfigurationError` if the text is not a reference.
    """
    written = text.strip()
    if written in USUAL:
        return ModelReference(written, USUAL[written])
    found = _FORM.fullmatch(written) if len(written) <= LONGEST and written.isprintable() else None
    if found is None or len(found["name"]) > LONGEST_NAME:
        raise ConfigurationError(
            f"`{_format_printable_excerpt(written)}` is not a model reference. Write provider:name, followed by @URL if the model is "
            f"served at another address: {EXAMPLES}."
        )
    provider, name, url = found["provider"], found["name"], found["url"] or ""
    if url:
        _require_server_address(url)
    if provider == LOCAL and not url:
        url = LOCAL_URL
    return ModelReference(provider, name, url.rstrip("/"))


def _require_server_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        reachable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, reachable = urlsplit(""), False
    if not reachable:
        raise ConfigurationError(
            f"The text after @ in a model reference is not a server address. Write it like {LOCAL_URL}."
        )
    if parts.username is not None or parts.query or parts.fragment:
        raise ConfigurationError(
            "The address of a model contains a user name, a password or a query, but references are written into "
            "traces. Set the key in the environment instead."
        )


def _format_printable_excerpt(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text[:60])
