"""A slit in a tank: a small world whose record uses unusual names for its actions."""

from __future__ import annotations

from functools import cache

from impossible_moments.evaluation.answer_key import AnswerKey
from support.scored_scenarios import build_small_key
from support.small_worlds import build_action, build_approach, build_thing


@cache
def build_leaking_tank() -> AnswerKey:
    """Build the answer key; only the soap is long enough and holds."""
    return build_small_key(
        quantities=["work = 12[min]", "gap = 28[mm]", "road = 150[min]", "clock = 5[h]", "wear = 2.4[mm/h]"],
        things=[
            build_thing("tank", "ready = false", "done = false", label="the petrol tank", kind="place"),
            build_thing(
                "soap", "spans = 80[mm]", "flaw = 0.2[mm/h]", "here = false", label="a cake of green soap"
            ),
            build_thing(
                "glue", "spans = 100[mm]", "flaw = 40[mm/h]", "here = true", label="a tube of rubber cement"
            ),
            build_thing("wax", "spans = 60[mm]", "flaw = 25[mm/h]", "here = true", label="a stump of candle"),
            build_thing("book", "kept = false", label="the log book"),
        ],
        roles="plug(o) = o.spans > 0[mm]",
        actions=[
            build_action("bring(k: plug)", "k.here = true", when=("away = not k.here",)),
            build_action(
                "try_it(k: plug, t: tank)",
                "t.ready = true",
                when=("at_hand = k.here", "spans = k.spans >= gap", "fine = k.flaw <= wear"),
            ),
            build_action("carry_on(t: tank)", "t.done = true", when=("prepared = t.ready",), takes="road"),
        ],
        goal="tank.done",
        deadline="clock",
        approaches=[
            build_approach("way", "bring(soap); try_it(soap, tank); carry_on(tank)"),
            build_approach("trap", "try_it(glue, tank)", ends="blocked try_it.fine"),
        ],
        insights=["try_it(soap, *) = Petrol dissolves what is greasy and leaves alone what water dissolves."],
        prose={
            "narrative": "Nothing is told.",
            "environment": "Width of the slit: {gap|mm}. What may be lost: {wear|mm/h}. The road takes {road|min}.",
            "objects": "{thing:soap}: closes a slit of {soap.spans|mm}; petrol takes from it {soap.flaw|mm/h}.",
        },
    )
