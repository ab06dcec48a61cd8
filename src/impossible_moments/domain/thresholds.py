"""Thresholds and limits of the specification, one value each with its section.

Settings may tighten a threshold but never loosen it. Other modules import these values and do not repeat them.
Limits that mechanics applies too are defined there, in the lower layer, and imported here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from impossible_moments.domain.vocabulary import ATHENA, EULER, GALILEO, NEWTON, SOCRATES, Phase
from impossible_moments.mechanics.records import LEAST_TIME_MARGIN

# fmt: off
# Confidence
LOWEST_CONFIDENCE: Final = 0.5
"""1.7.5c, 4.3, appendix D: below this confidence in a critical deliverable, a human decides."""
CONFIDENCE: Final[Mapping[str, float]] = MappingProxyType({
    ATHENA:   LOWEST_CONFIDENCE,  # 1.7.5c
    NEWTON:   0.7,                # 5.2
    EULER:    0.7,                # 5.2
    GALILEO:  0.6,                # 5.3
    SOCRATES: 0.6,                # 5.4
})
"""The confidence below which an agent's report is discussed."""
USUAL_CONFIDENCE: Final = 0.6
"""8.3: the threshold of an additional agent that sets none."""
CONFIDENT_OBJECTION: Final = 0.7
"""1.2: from this confidence on, a report of low merit contradicts the scenario."""

# Gates
TIMING_MARGIN: Final = LEAST_TIME_MARGIN
"""5.2, 2.2: the share of the deadline that the timing budget must leave."""
SIMILARITY: Final = 0.85
"""5.1: the cosine similarity from which two scenarios count as the same."""
LOWEST_SIMILARITY: Final = 0.01
"""The strictest similarity threshold that settings may choose."""
ATTEMPTS: Final = 3
"""1.2, 2.4, 5.1: the attempts in a phase. In REFINE these are the first one and two more (5.5 of phase 5)."""
FEWEST_CANDIDATES: Final = 3
MOST_CANDIDATES: Final = 5
"""Phase 1, step 1: the candidate situations, the chosen one included."""
LEAST_EDGE_CASES: Final = 2
"""5.2: the edge cases that a validation report needs."""
LEAST_CONSTRUCTS: Final = 3
"""5.3: the cognitive constructs that a grounding report maps."""
LEAST_CITATIONS: Final = 5
"""5.3: the different works that a grounding report cites."""
LEAST_BENCHMARKS: Final = 3
"""5.3: the existing benchmarks that a grounding report compares with."""
LEAST_JUSTIFICATION_WORDS: Final = 100
"""5.4: a justification of the classification has more words than this."""
ETHICS_QUESTIONS: Final = 7
"""4.4 of phase 4: the questions of the ethical checklist."""

# Disputes and human review
CHALLENGES_PER_AGENT: Final = 3
"""4.1: the most challenges of one agent in a scenario."""
VETOES_PER_AGENT: Final = 2
"""4.2: the most vetoes of one agent in a scenario."""
REDESIGNS: Final = 1
"""1.4, 4.2: how often a veto may send a scenario back to SEED."""
SPLITS: Final = 1
"""4.3: how often a human may split a scenario."""
VARIANTS: Final = 1
"""8.3: how many variants of an accepted scenario DARWIN leads to by default."""
MOST_VARIANTS: Final = 4
"""The largest number of variants that a setting may ask for."""
HOURS_TO_RESPOND: Final = 48
"""4.3: the hours that a human reviewer has to respond."""

# Difficulty
RANGE_TO_DISCUSS: Final = 2
"""5.3 of phase 5: a dimension is discussed if its votes differ by more than this."""

# Production
HEALTHY_ESCALATION_RATES: Final = (0.05, 0.15)
"""4.3: the share of scenarios that a healthy system puts to a human, at least and at most."""
MOST_ESCALATION_RATE: Final = 0.2
"""Appendix D: the share of escalated scenarios of a batch from which on the agents are too contentious."""
HEALTHY_COMPLETION: Final = (0.65, 0.75)
"""Appendix D: the share of the scenarios of a batch that are accepted."""
COMPLETION_LIMITS: Final = (0.5, 0.9)
"""Appendix D: below, too many fail; above, the review is not rigorous."""
COVERAGE_DEVIATIONS: Final = (0.1, 0.2)
"""Appendix D: the healthy deviation of a category or tier from its target, and the one that is a red flag."""
HEALTHY_DURATIONS: Final = (50.0, 70.0)
"""Appendix D: the mean duration of the scenarios of a batch, in minutes."""
MOST_DURATION_DRIFT: Final = 0.2
"""Appendix D: the deviation of the mean duration from batch 1 that is a red flag."""
STANDARD_DEVIATIONS_OF_DRIFT: Final = 2.0
"""7.6: a metric of a batch that deviates further from the earlier ones is investigated."""
LEAST_BREAKTHROUGH_RATE: Final = 0.1
"""Appendix D: more than this share of open scenarios is expected to get a proposal."""
MILESTONES: Final = (0.3, 0.6, 0.9, 1.0)
"""7.5: the shares of the total after which the coverage is audited: 150, 300, 450 and 500 of 500."""
EXPECTED_ATTRITION: Final[Mapping[Phase, float]] = MappingProxyType({
    # 7.7: the expected share of scenarios that each phase discards
    Phase.SEED: 0.05, Phase.VALIDATE: 0.15, Phase.GROUND: 0.03, Phase.CLASSIFY: 0.05, Phase.REFINE: 0.08, Phase.DOCUMENT: 0.02,
})
# fmt: on
