"""Vocabulary of the specification: agents, phases, statuses, tiers, dimensions and message types."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, Literal, TypeAlias, get_args

from impossible_moments.mechanics.records import Category as Category  # noqa: PLC0414 - one list of categories for all

ATHENA: Final = "ATHENA"
GALILEO: Final = "GALILEO"
EULER: Final = "EULER"
NEWTON: Final = "NEWTON"
SOCRATES: Final = "SOCRATES"
ORCHESTRATOR: Final = "ORCHESTRATOR"
HUMAN: Final = "HUMAN"
ROLES: Final = (ATHENA, GALILEO, EULER, NEWTON, SOCRATES)
"""The five agents in the order of the specification's tables."""


class Phase(StrEnum):
    """The six phases, in order."""

    SEED = "SEED"
    VALIDATE = "VALIDATE"
    GROUND = "GROUND"
    CLASSIFY = "CLASSIFY"
    REFINE = "REFINE"
    DOCUMENT = "DOCUMENT"


CATEGORIES: Final[tuple[Category, ...]] = get_args(Category)
Status: TypeAlias = Literal["KS", "CT", "OF", "PX", "MT", "DG"]
STATUSES: Final[tuple[Status, ...]] = get_args(Status)
Subtype: TypeAlias = Literal["KS-Singular", "KS-Multiple", "KS-Fragile"]
Tier: TypeAlias = Literal["SPARK", "FRACTURE", "RUPTURE", "SINGULARITY", "IMPOSSIBLE"]
TIERS: Final[tuple[Tier, ...]] = get_args(Tier)
ImpossibilityType: TypeAlias = Literal["I", "II", "III"]
Strength: TypeAlias = Literal["weak", "moderate", "strong"]
Level: TypeAlias = Literal["LOW", "MEDIUM", "HIGH"]


class DifficultyDimension(StrEnum):
    """The six difficulty dimensions, in the order of the profile I.D.C.B.T.X."""

    I = "Insight Depth"  # noqa: E741 - the specification's letter
    D = "Distractor Density"
    C = "Counter-Intuitive Index"
    B = "Domain Bridge"
    T = "Temporal Pressure"
    X = "Trap Depth"


class MessageType(StrEnum):
    """What a message is for."""

    DELIVERABLE = "DELIVERABLE"
    CHALLENGE = "CHALLENGE"
    RESPONSE = "RESPONSE"
    VOTE = "VOTE"
    VETO = "VETO"
    ESCALATION = "ESCALATION"
    BREAKTHROUGH = "BREAKTHROUGH"


def parse_main_status(status: str) -> Status:
    """Return the status without its subtype, such as KS for KS-Fragile.

    Raise `ValueError` if the text is not a solution status.
    """
    found = status.partition("-")[0]
    for known in STATUSES:
        if known == found:
            return known
    raise ValueError(f"`{status}` is not a solution status; the statuses are {', '.join(STATUSES)}")
