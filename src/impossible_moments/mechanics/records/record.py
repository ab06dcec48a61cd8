"""Model of a record: sections and fields, each with a description and an example.

A person or a language model fills in this form, and its JSON Schema is published. This module does not
interpret the lines of a record.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from impossible_moments.mechanics.records.base_form import BaseForm, Identifier, Lines, Names, Sentence
from impossible_moments.mechanics.records.plans import LONGEST_PLAN, PlanError, PlannedCall
from impossible_moments.mechanics.records.prose_form import ProseForm as ProseForm  # noqa: PLC0414 - re-exported as part of the record
from impossible_moments.mechanics.records.puzzle_forms import Puzzle
from impossible_moments.mechanics.records.status_forms import Status
from impossible_moments.mechanics.records.wording_forms import TextOrNumber, WordingForm

Category: TypeAlias = Literal[
    "The Locked Room", "The Wrong Toolbox", "The Misdirection", "The Cascade", "The Babel Problem",
    "The Lilliput Conundrum", "The Ticking Trade", "The Ghost Machine", "The Last Ingredient",
    "The Invisible Wall", "The Memory Palace", "The Horizon Problem",
]  # fmt: skip
ThingKind: TypeAlias = Literal["object", "place", "boundary", "person", "substance", "rule"]


def _parse_plan_field(value: object) -> list[str]:
    try:
        return PlannedCall.split_plan(value)
    except PlanError as problem:
        raise ValueError(str(problem)) from None


PlanCalls: TypeAlias = Annotated[list[str], BeforeValidator(_parse_plan_field)]


class ThingForm(BaseForm):
    """A thing that the prose names."""

    name: Identifier = Field(
        description="Name used in lines and calls. `you` is the solver and always exists.", examples=["drain"]
    )
    label: Sentence = Field(
        description="Its name in the prose, with its article. {thing:name} prints it, capitalised at the start of a sentence.",
        examples=["the floor drain"],
    )
    kind: ThingKind = Field(
        default="object",
        description="boundary: what encloses or separates (wall, door, hatch, window). rule: a rule made by people. "
        "The other kinds have their usual meaning.",
        examples=["boundary"],
    )
    like: Identifier | None = Field(
        default=None,
        description="Row of the library whose properties it inherits, or null.",
        examples=["wooden_ladder"],
    )
    props: Lines = Field(
        default=[],
        description="Properties, `name = value`, in the quantity syntax; numbers, words, true or false. Actions may change them. A fact stated "
        "in words has its quote: `dust = 0 @ kept clean`.",
        examples=[["bore = 110[mm]", "open = false"]],
    )


class ActionForm(BaseForm):
    """An action that a solver can take."""

    of: Identifier | None = Field(
        default=None,
        description="Library verb or mechanism that it specialises (break, climb, squeeze, open, ...), or null.",
        examples=["squeeze"],
    )
    do: str = Field(
        description="verb(slot: type, ...). A type is a thing's name, a role, or one of thing, object, place, boundary, "
        "person, substance, rule, number. Each slot is a variable in the other fields.",
        examples=["undo(tool: driver, plate: vent)"],
    )
    when: Lines = Field(
        default=[],
        description="Named conditions, all needed, tested in this order when the action starts: `name = condition`.",
        examples=[["edge_fits = tool.edge <= plate.slot"]],
    )
    then: Lines = Field(
        description="Effects, `thing.property = value` or `state = value`. All are computed from the state at the end of the duration.",
        examples=[["plate.open = true"]],
    )
    takes: str = Field(
        description="Duration: an expression of named quantities, or a quantity `4[min] (3..6) @ estimate: handwork`, which is assumed and named verb.takes (without a range: 20 % either way).",
        examples=["people*each"],
    )
    unattended: bool = Field(
        default=False,
        description="True: it continues while you do other things, and its effects come at its end.",
        examples=[False],
    )


class ApproachForm(BaseForm):
    """A plan that a solver might try, whether it works or not."""

    name: Identifier = Field(description="Name of the approach.", examples=["tape_it"])
    plan: PlanCalls = Field(
        description="Calls in order, at most 12: the record's actions, library verbs, answer(puzzle, 'value'), wait(20[s]), "
        "wait_until('condition'), choose(name=35[deg]), challenge('quote of a premise'). Answering, choosing and challenging take no time.",
        examples=[["wrap(tape, hose)", "drive(bus)"]],
        min_length=1,
    )
    ends: str = Field(
        description="How it ends: `goal`; `late` (goal met after the deadline); `short` (all calls succeed, goal not met); "
        "`blocked verb.condition` or `blocked verb.slot` (the first that fails); `blocked answer.puzzle`; `blocked wait_until` (the condition never becomes true); `never name`.",
        examples=["blocked wrap.s"],
    )
    why: Sentence = Field(
        description="One sentence: why a solver would try it, or why it works.",
        examples=["tape is what one wraps round leaks"],
    )


class ScaleForm(BaseForm):
    """Section for physics that changes with size."""

    variable: Identifier = Field(description="The quantity that is the scale.", examples=["s"])
    human: TextOrNumber = Field(description="Its value at human size.", examples=["1"])
    regimes: Names = Field(
        default=[],
        description="Plain-number quantities that name the regime (Reynolds, Bond).",
        examples=[["re"]],
    )
    flips: Lines = Field(
        description="How approaches end at human size: `approach = end`.",
        examples=[["just_step = never broken"]],
    )


class MisdirectionForm(BaseForm):
    """Section for an obvious approach that fails, and the clue that reveals it."""

    obvious: Identifier = Field(
        description="The approach that most solvers try first.", examples=["follow_track"]
    )
    clue: Sentence = Field(
        description="The clue, word for word as in the prose template, placeholders as written.",
        examples=["the auger hole shows {ice|cm} of ice"],
    )
    hides: Names = Field(
        description="Given quantities with a range (or thing.property) that the clue reveals. At other values in their ranges the "
        "obvious approach works.",
        examples=[["ice"]],
        min_length=1,
    )


class MissingForm(BaseForm):
    """Section for a component that is missing."""

    component: Sentence = Field(description="What is missing.", examples=["the darkroom clock"])
    functions: Lines = Field(
        description="What it would do: `function(o) = test @ meaning`.",
        examples=[["keeps_time(o) = o.drift <= tol @ marks the bath"]],
    )
    near: Lines = Field(
        default=[],
        description="Near substitutes and the one function each fails: `thing = function`.",
        examples=[["candle = stays_dark"]],
    )
    without: Names = Field(
        default=[],
        description="Approaches that reach the goal without any substitute.",
        examples=[["dilute"]],
    )


class FrontierForm(BaseForm):
    """Section for a real open problem: what an answer may claim, what it must satisfy, and what is known."""

    claims: Lines = Field(
        description="Free design variables: `name = choose low..high[unit]`.",
        examples=[["uptake = choose 0..1"]],
    )
    envelope: Lines = Field(
        description="What any valid answer must satisfy, physics included: `name = condition`.",
        examples=[["enough = uptake*cycles*sorbent >= need"]],
    )
    known: Lines = Field(
        description="The best results shown so far, as conditions on the claims, each with its source: `name = condition @ source`.",
        examples=[["shown_uptake = uptake <= uptake_known @ field trial, table 2"]],
    )


class Record(BaseForm):
    """The computable part of a scenario. Everything else is computed from it."""

    format: Literal["im-mechanics/1"] = Field(
        description="Always im-mechanics/1.", examples=["im-mechanics/1"]
    )
    title: Annotated[str, Field(min_length=1, max_length=120)] = Field(
        description="Title of the scenario.", examples=["Clear Sky"]
    )
    category: Category = Field(description="One of the twelve categories.", examples=["The Locked Room"])
    quantities: Lines = Field(
        default=[],
        description="One line each. Given (must be printed): `rim = 3.6[m]`. Assumed (not printed): `mu = 0.6 (0.4..0.9) assumed "
        "@ source`, or `@ estimate: why`. Disputed by experts: `k = 0.5[K/h] (0.1..3) disputed @ both positions`. Chosen by the "
        "solver: `angle = choose 10..80[deg]`. Changing: `level = 0[m] (0..3) state`. Derived: `rise = inflow/area`. A given quantity that a "
        "clue reveals: `ice = 5[cm] (5..30) given`. Constants g, pi, R_gas, sigma_sb exist. Temperatures in K or degC.",
        examples=[["rim = 3.6[m]", "mu = 0.6 (0.4..0.9) assumed @ estimate: wet hose", "rise = inflow/area"]],
    )
    things: list[ThingForm] = Field(
        default=[],
        description="Everything in the prose that matters or misleads.",
        examples=[
            [
                {
                    "name": "drain",
                    "label": "the floor drain",
                    "kind": "boundary",
                    "like": None,
                    "props": ["bore = 110[mm]"],
                }
            ]
        ],
        max_length=60,
    )
    roles: Lines = Field(
        default=[],
        description="Tests for what may fill a slot: `role(o) = test on o`. A thing without the property fails the test.",
        examples=[["clamp(o) = o.pull >= burst"]],
    )
    actions: list[ActionForm] = Field(
        default=[], description="The possible actions. Not needed for a pure puzzle.", examples=[[{"of": None, "do": "drive(b: bus)", "when": ["coolant_in = hose.filled"], "then": ["you.at = 'hall'"], "takes": "distance/speed", "unattended": False}]], max_length=60,
    )  # fmt: skip
    rates: Lines = Field(
        default=[],
        description="How states change by themselves: `state = change per time`; may depend on states.",
        examples=[["level = leak/area if not hole.shut else 0[m/s]"]],
    )
    never: Lines = Field(
        default=[],
        description="What must not happen: `name = condition @ exact quote of the prose that imposes it`, or `@ library: name` of one of the library's dangers, or "
        "`@ premise: exact quote` for an assumption that the words only suggest and nothing imposes (MT).",
        examples=[["ablaze = core >= kindle @ at {kindle|K} it takes fire"]],
    )
    agrees: Lines = Field(
        default=[],
        description="Relations that must hold between stated numbers: geometry, sums, masses, durations that are stated twice. "
        "`name = condition`; == means within 1 %.",
        examples=[["diagonal_fits = diagonal == sqrt(side**2 + (side/2)**2)"]],
    )
    goal: str | None = Field(
        default=None,
        description="Condition to reach; null if answering every puzzle is the goal.",
        examples=["you.at == 'out'"],
    )
    deadline: str | None = Field(
        default=None,
        description="Time by which the goal must be met: an expression of quantities; null if none.",
        examples=["left*bottle/(breathing*pressure)"],
    )
    prefer: str | None = Field(
        default=None, description="What makes one working plan better than another: `most margin` (default), `least time`, `most STATE` or `least STATE` "
        "for a state that the goal or a never-line reads. Decides the best plan of a CT.", examples=["least core"],
    )  # fmt: skip
    longest_plan: int | None = Field(
        default=None,
        description="For long plans: the most calls of a plan. All states are then followed exactly, so there may be no choices, "
        "unattended work or rates that help. Null: 12 calls.",
        examples=[None],
        ge=1,
        le=LONGEST_PLAN,
    )
    puzzles: list[Puzzle] = Field(
        default=[],
        description="Puzzles played by answer(name, 'value'): code, clues, signal, diagnosis.",
        examples=[
            [
                {
                    "kind": "signal",
                    "name": "pulls",
                    "states": ["low_air", "snagged"],
                    "acts": ["low_air = haul", "snagged = slack"],
                    "signals": ["one = one | none", "two = two | one", "three = three | two"],
                    "agreed": True,
                    "reads": [],
                    "told": ["a pull may get lost"],
                    "knows": [],
                    "gives": ["line.understood = true"],
                }
            ]
        ],
        max_length=6,
    )
    approaches: list[ApproachForm] = Field(
        description="The way or ways, and every wrong answer worth naming. Two or more.",
        examples=[
            [
                {
                    "name": "tape_it",
                    "plan": ["wrap(tape, hose)"],
                    "ends": "blocked wrap.s",
                    "why": "tape is for leaks",
                }
            ]
        ],
        max_length=40,
    )
    insights: Lines = Field(
        default=[],
        description="`call = sentence`: what a solver must see to make that call; * for any argument.",
        examples=[["bind(a_string, *) = A string wound tight is a clamp."]],
    )
    cover: Lines = Field(
        default=[],
        description="PX: what closes each cell boundary.mechanism that the library cannot close itself: `wall.climb = approach`, or "
        "`door.open = @ exact quote` that rules it out.",
        examples=[["wall.climb = brace_climb", "door.open = @ welded shut"]],
    )
    scale: ScaleForm | None = Field(
        default=None,
        description="The Lilliput Conundrum: the scale; else null.",
        examples=[{"variable": "s", "human": "1", "regimes": ["re"], "flips": ["just_step = never broken"]}],
    )
    misdirection: MisdirectionForm | None = Field(
        default=None,
        description="The Misdirection: obvious plan and clue; else null.",
        examples=[
            {"obvious": "follow_track", "clue": "the auger hole shows {ice|cm} of ice", "hides": ["ice"]}
        ],
    )
    missing: MissingForm | None = Field(
        default=None,
        description="The Last Ingredient: what is missing; else null.",
        examples=[
            {
                "component": "the darkroom clock",
                "functions": ["keeps_time(o) = o.drift <= tol @ marks the bath"],
                "near": ["candle = stays_dark"],
                "without": ["dilute"],
            }
        ],
    )
    frontier: FrontierForm | None = Field(
        default=None,
        description="OF: claims, envelope and known limits; else null.",
        examples=[
            {
                "claims": ["uptake = choose 0..1", "cycles = choose 1..96"],
                "envelope": ["enough = uptake*cycles*sorbent >= need"],
                "known": ["shown = uptake*cycles <= best_yield @ work, table 2"],
            }
        ],
    )
    wording: WordingForm | None = Field(
        default=None,
        description="How answers in plain words speak of the actions, values, conditions and premises. Needed for menus and for exact reading of answers.",
        examples=[None],
    )
    status: Status = Field(
        description="The claimed status with its block. It is compared with the computed status.",
        examples=[{"claim": "KS-Singular", "ways": ["a"], "traps": ["b"], "fragile_in": []}],
    )
    prose: ProseForm = Field(
        description="The public text.",
        examples=[
            {
                "narrative": "You ...",
                "environment": None,
                "threat": None,
                "position": None,
                "objects": None,
                "capabilities": None,
            }
        ],
    )
