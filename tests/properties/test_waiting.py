"""Both executors, written apart, tell the same of small worlds in which things flow and plans wait."""

from __future__ import annotations

from typing import Any, Final

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from impossible_moments.evaluation.reference_executor.plan_replay import ReplayOutcome, replay_plan
from impossible_moments.mechanics.execution.outcomes import PlanOutcome
from support.small_worlds import analyse_record, build_action, build_record, build_thing

# marks lie apart from where states start, settle and stop, so that no end hangs on the last digit
MARKS: Final = ("0.73", "1.37", "3.19", "4.91", "7.77")
FLOWS: Final = (
    "fast", "0*fast", "0 - slow", "slow", "fast*(aim - {it})", "slow*(aim - {it})", "slow*{it}",
    "0 - fast*sqrt({it})", "fast if elapsed > lag else 0*fast", "fast if {it} < edge else slow",
    "fast if box.open else 0*fast", "slow*{other}", "fast*({other} - {it})",
    "fast*min({it}, edge)/aim",
)  # fmt: skip
# the second executor takes its time with this one: alone, and not for ever
TOILSOME: Final = ("slow*(1 + sin(slow*elapsed))",)
CONDITIONS: Final = (
    "tub >= {mark}", "tub > {mark}", "tub <= {mark}", "vat < {mark}", "tub + vat >= {mark}", "tub == {mark}",
    "tub >= {mark} and vat <= {mark}", "tub >= {mark} or elapsed >= lag", "elapsed >= lag + span", "box.open",
    "abs(tub - {mark}) < 0.01", "not (tub < {mark})", "max(tub, vat) >= {mark}", "tub >= angle", "vat >= ten - nil",
)  # fmt: skip
DANGERS: Final = (
    "tub >= {mark}", "vat > {mark}", "tub > {mark} and tub < {mark} + nil", "elapsed > lag + lag", "1/(tub - {mark}) > aim",
)  # fmt: skip

VALUES: Final = {
    "fast": ("0.1", "1", "0.037"), "slow": ("0.01", "0.003"), "aim": ("2", "5", "12"), "lag": ("13", "70"), "need": MARKS,
    "peril": MARKS, "left": ("60", "500", "4000"), "tub": ("0", "1", "6"), "vat": ("0", "2"),
}  # fmt: skip

marks = st.sampled_from(MARKS)
spans = st.sampled_from(("0.2", "5", "30", "170", "3000"))
conditions = st.builds(lambda text, mark: text.format(mark=mark), st.sampled_from(CONDITIONS), marks)
calls = st.one_of(
    st.builds("wait({}[s])".format, spans),
    conditions.map("wait_until('{}')".format),
    conditions.map("wait_until('{}')".format),
    st.sampled_from(("soak(box)", "lift(cup)", "dip(cup)", "choose(angle=3)")),
)


def world(*flows: str, never: tuple[str, ...] = (), hurried: bool = True, **values: str) -> dict[str, Any]:
    """A record with a tub and a vat that flow, a danger or none, a deadline or none, and some values of its own."""
    stated = {
        "fast": "0.1", "slow": "0.01", "aim": "5", "lag": "13", "need": "3.19", "peril": "4.91", "left": "500", "tub": "0",
        "vat": "0", **values,
    }  # fmt: skip
    units = {
        "fast": "[1/s]",
        "slow": "[1/s]",
        "lag": "[s]",
        "left": "[s]",
        "tub": " (0..10) state",
        "vat": " (0..10) state",
    }
    return build_record(
        quantities=[
            *(f"{name} = {value}{units.get(name, '')}" for name, value in stated.items()),
            "edge = 4", "nil = 0.003", "work = 10[s]", "span = 41[s]", "ten = 10", "angle = choose 1..5",
        ],
        things=[build_thing("cup", "open = false"), build_thing("box", "open = false")],
        actions=[
            build_action("lift(c: cup)", "c.open = true", when=("deep = tub >= need",)),
            build_action("dip(c: cup)", "tub = tub/2"),
            build_action("soak(b: box)", "b.open = true", unattended=True, takes="span"),
        ],
        rates=[
            f"{name} = {flow.format(it=name, other=other)}"
            for (name, other), flow in zip((("tub", "vat"), ("vat", "tub")), flows, strict=False)
        ],
        never=[f"bad = {each.format(mark='peril')} @ it is bad" for each in never],
        goal="cup.open",
        **({"deadline": "left"} if hurried else {}),
    )  # fmt: skip


@st.composite
def worlds(draw: st.DrawFn) -> dict[str, Any]:
    """Such a record, drawn."""
    hurried = draw(st.booleans())
    flow = draw(st.sampled_from((*FLOWS, *FLOWS, *TOILSOME) if hurried else FLOWS))
    return world(
        flow,
        *draw(st.lists(st.sampled_from(FLOWS), max_size=0 if flow in TOILSOME else 1)),
        never=tuple(draw(st.lists(st.sampled_from(DANGERS), max_size=1))),
        hurried=hurried,
        **{name: draw(st.sampled_from(each)) for name, each in VALUES.items()},
    )


def ends(data: dict[str, Any], plan: list[str]) -> tuple[PlanOutcome, ReplayOutcome]:
    """How a plan ends, by either executor."""
    analysis = analyse_record(data)
    return analysis.executor.run_plan(analysis.executor.parse_plan(plan)), replay_plan(analysis.world, plan)


def alike(first: PlanOutcome, second: ReplayOutcome) -> bool:
    same = (first.end, first.reaches_goal) == (second.end, second.reaches_goal)
    return same and first.time == pytest.approx(second.time, rel=1e-3, abs=1e-3)


def threatens(data: dict[str, Any]) -> bool:
    """Whether a danger holds from the start: then none comes true, and the executors differ in when they see it."""
    analysis = analyse_record(data)
    return any(holds(analysis.engine.build_start_values()) for _, holds, _ in analysis.executor.never_rules)


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(worlds().filter(lambda data: not threatens(data)), st.lists(calls, min_size=1, max_size=4))
def test_both_executors_end_alike_at_the_same_moment(data: dict[str, Any], plan: list[str]) -> None:
    first, second = ends(data, plan)
    # one that cannot follow the rates says so, and tells nothing else
    assume("blocked rates" not in {first.end, second.end})

    assert alike(first, second), (first.end, first.time, second)


POLE: Final = ("1/(tub - {mark}) > aim",)
SETTLING, LATER = "fast*(aim - {it})", "fast if elapsed > lag else 0*fast"


@pytest.mark.parametrize(
    ("data", "plan", "end", "time"),
    [
        (world(SETTLING, hurried=False), ["wait_until('tub >= 4.91')"], "short", 40.17),
        (world(SETTLING, hurried=False), ["wait_until('tub > 7.77')"], "blocked wait_until", 0),
        (world(SETTLING, aim="12", hurried=False), ["wait_until('abs(tub - 3.19) < 0.01')"], "short", 3.0788),
        (world("fast", hurried=False), ["wait_until('abs(tub - 3.19) < 0.01')"], "short", 31.8),
        (world(LATER, fast="1", tub="6", peril="7.77", never=POLE), ["wait(170[s])"], "never bad", 14.77),
        (world("fast*({other} - {it})", fast="1", tub="6", peril="0.73", never=POLE), ["wait(170[s])"], "never bad", 1.8643),
        (world("fast", "fast", peril="0.73", never=POLE, hurried=False), ["wait_until('tub >= 7.77')"], "never bad", 7.3),
        (world("fast", never=("tub > {mark} and tub < {mark} + nil",)), ["soak(box)", "wait_until('tub > 7.77')"], "never bad", 49.1),
        (world("fast", left="60"), ["wait(50[s])", "wait_until('vat > 1.37')"], "blocked wait_until", 50),
    ],
    ids=[
        "a first step that cancels itself out", "what never comes", "a corner on a curve", "a corner on a line",
        "a pole passed upwards", "a pole passed downwards", "a pole on a line",
        "a danger that hardly lasts", "twice the deadline",
    ],
)  # fmt: skip
def test_both_executors_end_rightly_where_one_once_did_not(
    data: dict[str, Any], plan: list[str], end: str, time: float
) -> None:
    first, second = ends(data, plan)

    assert (first.end, second.end) == (end, end)
    assert (first.time, second.time) == pytest.approx((time, time), rel=1e-3)
