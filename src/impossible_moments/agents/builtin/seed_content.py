"""The content of a seed document as a key, so that equal documents are computed once."""

from __future__ import annotations

from impossible_moments.domain.seed import SeedDocument

CACHED_SEEDS = 16


def serialize_seed_content(seed: SeedDocument) -> str:
    """Return the document as text without its confidence, which only its author may read."""
    sketch = seed.solution_sketch.model_copy(update={"confidence": 0.0})
    return seed.model_copy(update={"solution_sketch": sketch}).model_dump_json()


def parse_seed_content(content: str) -> SeedDocument:
    """Return the document of a serialized content."""
    return SeedDocument.model_validate_json(content)
