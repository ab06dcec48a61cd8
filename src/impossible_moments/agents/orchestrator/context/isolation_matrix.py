"""The isolation matrix: which agent may read which content in which phase (specification 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from impossible_moments.domain.content_labels import ContentLabel
from impossible_moments.domain.vocabulary import (
    ATHENA,
    EULER,
    GALILEO,
    HUMAN,
    NEWTON,
    ORCHESTRATOR,
    ROLES,
    SOCRATES,
    Phase,
)

Audience: TypeAlias = frozenset[str]
Matrix: TypeAlias = Mapping[ContentLabel, Mapping[Phase, Audience]]

ALL: Final = ROLES
NO: Final = ()  # exists, but is hidden
__: Final = ()  # does not exist yet


def _build_audience_by_phase(*cells: Iterable[str]) -> Mapping[Phase, Audience]:
    return MappingProxyType({phase: frozenset(cell) for phase, cell in zip(Phase, cells, strict=True)})


# fmt: off
ISOLATION_MATRIX: Final[Matrix] = MappingProxyType({
    #                                  SEED       VALIDATE         GROUND      CLASSIFY     REFINE DOCUMENT
    ContentLabel.NARRATIVE:            _build_audience_by_phase([ATHENA],  [NEWTON, EULER], [GALILEO],  [SOCRATES],  ALL,   ALL),
    ContentLabel.SOLUTION:             _build_audience_by_phase([ATHENA],  [NEWTON, EULER], [GALILEO],  NO,          ALL,   ALL),
    ContentLabel.ATHENA_CONFIDENCE:    _build_audience_by_phase([ATHENA],  NO,              NO,         NO,          ALL,   ALL),
    ContentLabel.PHYSICS:              _build_audience_by_phase(__,        [NEWTON],        [GALILEO],  NO,          ALL,   ALL),
    ContentLabel.MATHEMATICS:          _build_audience_by_phase(__,        [EULER],         [GALILEO],  NO,          ALL,   ALL),
    # Two validators share this row. Neither may read the other's, and each has its own as its author.
    ContentLabel.VALIDATOR_CONFIDENCE: _build_audience_by_phase(__,        NO,              NO,         NO,          ALL,   ALL),
    ContentLabel.GROUNDING:            _build_audience_by_phase(__,        __,              [GALILEO],  NO,          ALL,   ALL),
    ContentLabel.GALILEO_CONFIDENCE:   _build_audience_by_phase(__,        __,              [GALILEO],  NO,          ALL,   ALL),
    ContentLabel.CLASSIFICATION:       _build_audience_by_phase(__,        __,              __,         [SOCRATES],  ALL,   ALL),
    ContentLabel.VOTES:                _build_audience_by_phase(__,        __,              __,         __,          ALL,   ALL),
    # Rows that the specification does not state.
    # Title and "Why This Looks Impossible" hint at the answer: everybody reads them with the narrative but the blind reader.
    ContentLabel.APPEARANCE:           _build_audience_by_phase([ATHENA],  [NEWTON, EULER], [GALILEO],  NO,          ALL,   ALL),
    ContentLabel.SOCRATES_CONFIDENCE:  _build_audience_by_phase(__,        __,              __,         [SOCRATES],  ALL,   ALL),
    ContentLabel.BRIEF:                _build_audience_by_phase([ATHENA],  [ATHENA],        NO,         NO,          ALL,   ALL),
    ContentLabel.REVISION:             _build_audience_by_phase(NO,        NO,              NO,         NO,          ALL,   ALL),  # before the reveal carried by notes
    ContentLabel.REVIEW:               _build_audience_by_phase(__,        __,              __,         __,          ALL,   ALL),
    ContentLabel.TRACE:                _build_audience_by_phase(__,        __,              __,         __,          ALL,   ALL),
    ContentLabel.EXTENSION:            _build_audience_by_phase(NO,        NO,              NO,         NO,          ALL,   ALL),
})
# fmt: on

BEFORE_REFINE: Final = frozenset({Phase.SEED, Phase.VALIDATE, Phase.GROUND, Phase.CLASSIFY})
CONFIDENCES: Final = frozenset(
    {
        ContentLabel.ATHENA_CONFIDENCE,
        ContentLabel.VALIDATOR_CONFIDENCE,
        ContentLabel.GALILEO_CONFIDENCE,
        ContentLabel.SOCRATES_CONFIDENCE,
    }
)
JOINT: Final = frozenset({ContentLabel.PHYSICS, ContentLabel.MATHEMATICS})
VALIDATORS: Final = frozenset({NEWTON, EULER})
RESERVED: Final = frozenset({*ROLES, ORCHESTRATOR, HUMAN})
"""Names that no additional agent may take."""


def compute_visibility_ceiling(agent: str, phase: Phase) -> frozenset[ContentLabel]:
    """Return the most that any settings can let an agent read in a phase.

    An additional agent may read what one of the five roles reads in the same phase. So it reads nothing of
    the solution in CLASSIFY, and no confidences before REFINE.
    """
    audiences = {content: cells[phase] for content, cells in ISOLATION_MATRIX.items()}
    if agent in ROLES:
        return frozenset(content for content, audience in audiences.items() if agent in audience)
    readable = frozenset(content for content, audience in audiences.items() if audience)
    return readable - CONFIDENCES if phase in BEFORE_REFINE else readable
