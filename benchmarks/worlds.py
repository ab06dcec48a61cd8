"""Worlds made for measuring: many interchangeable objects and operators, and a tank that fills."""

from __future__ import annotations

from impossible_moments.mechanics.records.record import Record

_PROSE = {"narrative": "A world for measuring."}
_STATUS = {"claim": "KS-Singular", "ways": ["a"], "traps": ["b"]}
_APPROACHES = [
    {"name": "a", "plan": ["finish(o9)"], "ends": "goal", "why": "it is there"},
    {"name": "b", "plan": ["finish(o9)"], "ends": "goal", "why": "it is there"},
]


def wide_world() -> Record:
    """Ten objects with different properties and twenty operators; the goal needs a chain of six."""
    things = [
        {
            "name": f"o{n}",
            "label": f"thing {n}",
            "props": [f"size = {n + 1}[cm]", f"mass = {10 - n}[kg]", "ready = false", "bent = false"],
        }
        for n in range(10)
    ]
    actions = [
        {
            "do": f"ready{n}(o: object)",
            "when": [f"after = o{n - 1}.ready", f"big = o.size >= o{n}.size"],
            "then": [f"o{n}.ready = true"],
            "takes": "5[s]",
        }
        for n in range(1, 6)
    ]
    actions.append(
        {
            "do": "ready0(o: object)",
            "when": ["light = o.mass <= o4.mass"],
            "then": ["o0.ready = true"],
            "takes": "5[s]",
        }
    )
    actions += [
        {
            "do": f"bend{n}(o: object)",
            "when": [f"soft = o.mass >= o{n}.mass"],
            "then": ["o.bent = true"],
            "takes": "3[s]",
        }
        for n in range(10)
    ]
    actions += [
        {
            "do": f"join{n}(a: object, b: object)",
            "when": ["fits = a.size >= b.size", f"bent = o{n}.bent"],
            "then": ["a.ready = true"],
            "takes": "4[s]",
        }
        for n in range(6, 9)
    ]
    actions.append(
        {
            "do": "finish(o: object)",
            "when": ["all_ready = o5.ready and o7.bent"],
            "then": ["you.at = 'done'"],
            "takes": "2[s]",
        }
    )
    return Record.model_validate({
        "format": "im-mechanics/1", "title": "Wide", "category": "The Wrong Toolbox", "things": things, "actions": actions,
        "goal": "you.at == 'done'", "approaches": _APPROACHES, "status": _STATUS, "prose": _PROSE,
    })  # fmt: skip


def rated_world() -> Record:
    """A tank that fills while you work, watched by a never-line."""
    return Record.model_validate({
        "format": "im-mechanics/1", "title": "Tank", "category": "The Cascade",
        "quantities": ["level = 0[m] (0..3) state", "inflow = 1[mm/s]", "rim = 2[m]", "turn = 300[s]"],
        "things": [{"name": "valve", "label": "the valve", "props": ["shut = false", "greased = false"]}],
        "actions": [
            {"do": "grease(v: valve)", "then": ["v.greased = true"], "takes": "turn"},
            {"do": "close(v: valve)", "when": ["slick = v.greased"], "then": ["v.shut = true"], "takes": "turn"},
        ],
        "rates": ["level = inflow if not valve.shut else 0*inflow"],
        "never": ["over = level >= rim @ A world for measuring"],
        "goal": "valve.shut",
        "approaches": [{"name": "a", "plan": ["grease(valve)", "close(valve)"], "ends": "goal", "why": "grease first"}, {"name": "b", "plan": ["close(valve)"], "ends": "blocked close.slick", "why": "force it"}],
        "status": _STATUS, "prose": _PROSE,
    })  # fmt: skip
