"""A document's form, filled: headings come from the form, and whatever is filled in is never read as form."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import Literal, TypeAlias

Form: TypeAlias = Literal["public", "evaluation", "trace"]


def filled(form: Form, parts: Mapping[str, str]) -> str:
    """The document; every place must be given, and nothing beside them."""
    template = _form(form)
    if unknown := sorted(set(parts) - set(template.get_identifiers())):
        raise KeyError(f"the form {form} has no place for {', '.join(unknown)}")
    return f"{template.substitute(parts).rstrip()}\n"


@lru_cache(maxsize=3)
def _form(form: Form) -> Template:
    return Template(files("impossible_moments.scenarios.templates").joinpath(f"{form}.md").read_text("utf-8"))
