"""Models of the claimed status, one for each status with the block that it requires.

A block only repeats what the checker computes from the rest of the record. No computation reads it, so
changing a block cannot change the computed status.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from impossible_moments.mechanics.records.base_form import BaseForm, Identifier, Names

StatusName: TypeAlias = Literal["KS-Singular", "KS-Multiple", "KS-Fragile", "CT", "OF", "PX", "MT", "DG"]


class KnownSolution(BaseForm):
    """Status with one way, several independent ways, or a way that works only for favourable values."""

    claim: Literal["KS-Singular", "KS-Multiple", "KS-Fragile"] = Field(
        description="KS-Singular: one way. KS-Multiple: several. KS-Fragile: works at the stated values and fails somewhere "
        "in the range of an assumed quantity.",
        examples=["KS-Singular"],
    )
    ways: Names = Field(
        description="The approaches that reach the goal. Every way that the search finds must be among them.",
        examples=[["tube_and_string"]],
        min_length=1,
    )
    traps: Names = Field(
        description="The approaches that fail; all others.",
        examples=[["tape_it", "ribbon_tie"]],
        min_length=1,
    )
    fragile_in: Names = Field(
        default=[],
        description="KS-Fragile only: the assumed quantities in whose range every way fails somewhere; else empty.",
        examples=[["strength"]],
    )


class Contested(BaseForm):
    """Status in which the best answer depends on a disputed quantity."""

    claim: Literal["CT"] = Field(description="Contested.", examples=["CT"])
    crux: str = Field(description="The disputed quantity.", examples=["fanned"])
    at_low: Identifier | None = Field(
        description="The approach that is best at the low end of its range; null if none works there.",
        examples=["blow"],
    )
    at_high: Identifier | None = Field(
        description="The approach that is best at the high end; null if none works there.", examples=["choke"]
    )


class OpenFrontier(BaseForm):
    """Status in which no known plan works and nothing rules one out. Needs the section `frontier`."""

    claim: Literal["OF"] = Field(description="Open frontier.", examples=["OF"])
    tried: Names = Field(
        description="The approaches that fall short; all of them.", examples=[["field_unit"]], min_length=1
    )


class Paradox(BaseForm):
    """Status of a provably impossible goal. Every boundary thing must be covered against every mechanism."""

    claim: Literal["PX"] = Field(description="Paradox.", examples=["PX"])
    conflict: Names = Field(
        description="A smallest set of the record's own conditions that excludes the goal together with the library's, which always count and are not listed: "
        "verb.condition, verb.slot, deadline, names of never-lines, answer.puzzle.",
        examples=[["leap.reaches", "haul_up.holds", "deadline"]],
        min_length=1,
    )
    chains: Names = Field(
        description="Approaches of two or more calls that come closest.", examples=[["fill_and_float"]]
    )


class Metamorphic(BaseForm):
    """Status in which nothing works until a premise that nothing imposes is dropped."""

    claim: Literal["MT"] = Field(description="Metamorphic.", examples=["MT"])
    premise: Identifier = Field(description="The never-line that is only a premise.", examples=["wet"])
    inside: Names = Field(
        description="Approaches that fail, whether they keep the premise or drop it.",
        examples=[["crowd", "come_back"]],
        min_length=1,
    )
    outside: Names = Field(
        description="Approaches that break the premise and reach the goal without it.",
        examples=[["alongside"]],
        min_length=1,
    )


class Degenerate(BaseForm):
    """Status with a trivial solution under a heavy narrative."""

    claim: Literal["DG"] = Field(description="Degenerate.", examples=["DG"])
    plan: Identifier = Field(description="The trivial approach.", examples=["post_it"])
    dressing: Names = Field(
        description="The approaches that the narrative suggests; all others.",
        examples=[["sneak"]],
        min_length=1,
    )


Status: TypeAlias = Annotated[
    KnownSolution | Contested | OpenFrontier | Paradox | Metamorphic | Degenerate,
    Field(discriminator="claim"),
]
