"""Invented documents in the form of other authors, and imports of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from impossible_moments.evaluation.imported_scenarios.blind_documents import build_blind_document
from impossible_moments.evaluation.imported_scenarios.document_parser import parse_imported_document
from impossible_moments.evaluation.imported_scenarios.importer import import_documents, write_imported_batch
from impossible_moments.evaluation.imported_scenarios.stated_keys import StatedKey, build_stated_key

HATCH: Final = """\
# FX-0001: The Milk Float

**Category**: Locked Room
**Tier**: SPARK (Tier 1 -- Easy)
**Status**: {status}
**Correct Answer**: {outcome}

---

## Scenario

You stand in the cold store of a dairy. The steel door has swung shut and its handle came off outside. The compressor blows
at full power, and you wear a shirt.

### Environment

- **Room**: 3 m by 4 m, tiled, 2 degrees C
- **Status**: open to the loading bay in summer only
- **Ceiling**: a trap for the milk hoist, 60 cm wide, held by one bolt on this side

### What is easy to overlook

The hoist's chain hangs within reach.

### Available Objects

| Object | Mass | Notes |
|---|---|---|
| Churn | 9 kg | full of cream |
| Broom | 1 kg | wooden |

### Human Capabilities (assumed)

| Parameter | Value |
|---|---|
| Climbs | 3 m of chain |

---

## Why This Looks Impossible

The door is all one looks at, and LOOKSWORD hides the rest.

### Common Wrong Answers

| Wrong Answer | Why It Fails |
|---|---|
| "Batter the steel door with the churn" | WRONGWORD: the door is 5 cm thick. |
| "Stop the compressor with the broom" | The grille is in the way. |

## Verified Solution

### Key Insight: The ceiling has a door of its own

SOLUTIONWORD. Draw the bolt, then climb the chain into the loft.

## Key Insights

1. **The ceiling opens.** INSIGHTWORD explains the trap.
2. **A chain is a ladder.**

---

## Distractor Analysis

- **The churn** looks like a ram. DISTRACTORWORD.

## Evaluation Criteria

| Response | Score | Reasoning |
|---|---|---|
| Climb the hoist chain through the ceiling trap | Correct | CRITERIAWORD |
| Wait for the morning shift | Wrong | too cold |

## Design Notes

NOTESWORD.
"""
SECRET_WORDS: Final = (
    "LOOKSWORD", "WRONGWORD", "SOLUTIONWORD", "INSIGHTWORD", "DISTRACTORWORD", "CRITERIAWORD", "NOTESWORD",
)  # fmt: skip
OUTCOME: Final = "UNBOLT THE CEILING TRAP AND CLIMB THE HOIST CHAIN"


def build_document(
    *, status: str = "KS (Known Solution)", outcome: str = OUTCOME, number: str = "FX-0001"
) -> str:
    """Build a complete document."""
    return HATCH.format(status=status, outcome=outcome).replace("FX-0001", number)


def build_key(*, status: str = "KS (Known Solution)", outcome: str = OUTCOME) -> StatedKey:
    """Build the key of a document."""
    foreign = parse_imported_document(build_document(status=status, outcome=outcome), "made.md")
    return build_stated_key(foreign, build_blind_document(foreign, "FX-0001"), "FX-0001")


def import_documents_into(path: Path, *documents: str) -> Path:
    """Import documents from JSONL into a folder."""
    source = path / "source.jsonl"
    source.write_text("\n".join(json.dumps({"markdown": each}) for each in documents), encoding="utf-8")
    made = import_documents([source], outside=path / "foreign")
    assert made.refused == ()
    write_imported_batch(made, path / "foreign")
    return path / "foreign"
