"""The isolation matrix: which agent may read which content in which phase (specification 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

from impossible_moments.domain.labels import Content
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
Matrix: TypeAlias = Mapping[Content, Mapping[Phase, Audience]]

ALL: Final = ROLES
NO: Final = ()  # exists, but is hidden
__: Final = ()  # does not exist yet


def _row(*cells: Iterable[str]) -> Mapping[Phase, Audience]:
    return MappingProxyType({phase: frozenset(cell) for phase, cell in zip(Phase, cells, strict=True)})


# fmt: off
ISOLATION_MATRIX: Final[Matrix] = MappingProxyType({
    #                                  SEED       VALIDATE         GROUND      CLASSIFY     REFINE DOCUMENT
    Content.NARRATIVE:            _row([ATHENA],  [NEWTON, EULER], [GALILEO],  [SOCRATES],  ALL,   ALL),
    Content.SOLUTION:             _row([ATHENA],  [NEWTON, EULER], [GALILEO],  NO,          ALL,   ALL),
    Content.ATHENA_CONFIDENCE:    _row([ATHENA],  NO,              NO,         NO,          ALL,   ALL),
    Content.PHYSICS:              _row(__,        [NEWTON],        [GALILEO],  NO,          ALL,   ALL),
    Content.MATHEMATICS:          _row(__,        [EULER],         [GALILEO],  NO,          ALL,   ALL),
    # Two validators share this row. Neither may read the other's, and each has its own as its author.
    Content.VALIDATOR_CONFIDENCE: _row(__,        NO,              NO,         NO,          ALL,   ALL),
    Content.GROUNDING:            _row(__,        __,              [GALILEO],  NO,          ALL,   ALL),
    Content.GALILEO_CONFIDENCE:   _row(__,        __,              [GALILEO],  NO,          ALL,   ALL),
    Content.CLASSIFICATION:       _row(__,        __,              __,         [SOCRATES],  ALL,   ALL),
    Content.VOTES:                _row(__,        __,              __,         __,          ALL,   ALL),
    # Rows that the specification does not state.
    Content.SOCRATES_CONFIDENCE:  _row(__,        __,              __,         [SOCRATES],  ALL,   ALL),
    Content.BRIEF:                _row([ATHENA],  [ATHENA],        NO,         NO,          ALL,   ALL),
    Content.REVISION:             _row(NO,        NO,              NO,         NO,          NO,    NO),  # carried by notes
    Content.REVIEW:               _row(__,        __,              __,         __,          ALL,   ALL),
    Content.TRACE:                _row(__,        __,              __,         __,          ALL,   ALL),
    Content.EXTENSION:            _row(NO,        NO,              NO,         NO,          ALL,   ALL),
})
# fmt: on

BEFORE_REFINE: Final = frozenset({Phase.SEED, Phase.VALIDATE, Phase.GROUND, Phase.CLASSIFY})
CONFIDENCES: Final = frozenset(
    {
        Content.ATHENA_CONFIDENCE,
        Content.VALIDATOR_CONFIDENCE,
        Content.GALILEO_CONFIDENCE,
        Content.SOCRATES_CONFIDENCE,
    }
)
JOINT: Final = frozenset({Content.PHYSICS, Content.MATHEMATICS})
VALIDATORS: Final = frozenset({NEWTON, EULER})
RESERVED: Final = frozenset({*ROLES, ORCHESTRATOR, HUMAN})
"""Names that no additional agent may take."""


def most_visible(agent: str, phase: Phase) -> frozenset[Content]:
    """Return the most that any settings can let an agent read in a phase.

    An additional agent may read what one of the five roles reads in the same phase. So it reads nothing of
    the solution in CLASSIFY, and no confidences before REFINE.
    """
    audiences = {content: cells[phase] for content, cells in ISOLATION_MATRIX.items()}
    if agent in ROLES:
        return frozenset(content for content, audience in audiences.items() if agent in audience)
    readable = frozenset(content for content, audience in audiences.items() if audience)
    return readable - CONFIDENCES if phase in BEFORE_REFINE else readable
