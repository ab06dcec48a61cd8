"""Everyday library, assembled from the data files beside this module.

- `base.yaml`: the standard agent, the vocabulary and the kinds
- `affordances.yaml`: the roles that things can fill
- `operators/`: the actions that any agent can perform, one file for each domain
- `mechanisms.yaml`: formulas that can be called by name
- `materials.csv`, `people.csv` and `objects.csv`: the figures
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from impossible_moments.library.data_tables import (
    load_everyday_objects,
    load_human_capabilities,
    load_materials,
)
from impossible_moments.library.library_rows import (
    build_agent_property_lines,
    build_material_rows,
    build_object_rows,
)
from impossible_moments.mechanics.records import (
    DocumentError,
    Library,
    LibraryForm,
    load_document,
    parse_document,
)

_HERE = "impossible_moments.library"


@lru_cache(maxsize=1)
def load_everyday_library() -> Library:
    """Build the library that ships with the package. The result is cached."""
    base = _read_yaml_mapping("base.yaml")
    parts = [
        _read_yaml_mapping("affordances.yaml"),
        *(_read_yaml_mapping(f"operators/{name}") for name in _list_operator_files()),
    ]
    base["further"] = "".join(part.get("properties") or "" for part in parts)
    base["roles"] = "".join(part.get("roles") or "" for part in parts)
    base["actions"] = [
        {"domain": part["domain"], **action} for part in parts for action in part.get("actions", ())
    ]
    base["templates"] = _read_yaml_mapping("mechanisms.yaml")["templates"]
    agent = next(row for row in base["things"] if row["name"] == "you")
    agent_properties = "".join(part.get("agent") or "" for part in (base, *parts))
    agent["props"] += "\n".join(build_agent_property_lines(agent_properties, load_human_capabilities()))
    base.pop("agent", None)
    base["things"] += [*build_object_rows(load_everyday_objects()), *build_material_rows(load_materials())]
    return Library(LibraryForm.model_validate(base))


def load_library_file(path: Path) -> Library:
    """Load a library from a file; raise `DocumentError` if the file is not a valid library."""
    try:
        return Library(LibraryForm.model_validate(load_document(path)))
    except ValidationError as problem:
        first = problem.errors()[0]
        place = "/".join(str(part) for part in first["loc"])
        raise DocumentError(f"{path.name} is not a library: at /{place}, {first['msg'].lower()}.") from None


def _get_data_folder() -> Traversable:
    return files(_HERE)


def _list_operator_files() -> Iterator[str]:
    """Return the names of the operator files, sorted."""
    folder = _get_data_folder().joinpath("operators")
    return iter(sorted(each.name for each in folder.iterdir() if each.name.endswith(".yaml")))


def _read_yaml_mapping(name: str) -> dict[str, Any]:
    text = _get_data_folder().joinpath(name).read_text(encoding="utf-8")
    found = parse_document(text, name=name)
    if not isinstance(found, dict):
        raise DocumentError(f"The library file {name} is not a mapping; write `name: value` lines.")
    return found
