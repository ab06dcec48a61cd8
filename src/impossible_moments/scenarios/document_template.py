"""Filling of document templates: inserted text is never interpreted as part of the template."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["public", "evaluation", "trace"]


def fill_document_template(form: Form, parts: Mapping[str, str]) -> str:
    """Return the document with all placeholders filled.

    Raise `KeyError` if a placeholder has no value or a value has no placeholder.
    """
    template = _load_document_template(form)
    if unknown := sorted(set(parts) - set(template.get_identifiers())):
        raise KeyError(f"The template {form} has no placeholder for {', '.join(unknown)}")
    return f"{template.substitute(parts).rstrip()}\n"


@lru_cache(maxsize=3)
def _load_document_template(form: Form) -> Template:
    return Template(files("impossible_moments.scenarios.templates").joinpath(f"{form}.md").read_text("utf-8"))
