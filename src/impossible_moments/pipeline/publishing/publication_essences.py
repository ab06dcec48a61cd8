"""The parts of a publication that are compared, as the ledger keeps them."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

from impossible_moments.ledger import publications
from impossible_moments.scenarios.similarity import ComparedScenario


def format_essence(essence: ComparedScenario) -> bytes:
    """Return an essence as JSON."""
    return json.dumps(asdict(essence), ensure_ascii=False).encode()


def parse_essence(publication: publications.Publication) -> ComparedScenario:
    """Return the essence of a publication under the name of its scenario."""
    data = json.loads(publication.essence)
    listed = {name: tuple(data[name]) for name in ("objects", "insights")}
    return replace(ComparedScenario(**{**data, **listed}), name=publication.scenario)
