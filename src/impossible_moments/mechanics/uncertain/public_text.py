"""The public text of an uncertain world. Every figure that decides stands in a table made from the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from impossible_moments.mechanics.uncertain.compiled_world import UncertainWorld
from impossible_moments.mechanics.uncertain.record_checks import list_allowed_values, resolve_chances
from impossible_moments.mechanics.uncertain.record_forms import ActForm, Ending, ResultForm, Value

_DASH = "—"


@dataclass(frozen=True, slots=True)
class WorldText:
    """The sections that a player reads."""

    narrative: str
    unknown: str
    limits: str
    start: str
    acts: str
    results: str

    @property
    def sections(self) -> tuple[str, ...]:
        """All sections, in order."""
        return self.narrative, self.unknown, self.limits, self.start, self.acts, self.results

    def count_words(self) -> int:
        """Return the number of words and figures, without the borders of tables."""
        words = " ".join(self.sections).replace("|", " ").split()
        return sum(any(letter.isalnum() for letter in word) for word in words)


def render_world_text(world: UncertainWorld) -> WorldText:
    """Return the text of a world."""
    return WorldText(
        narrative="\n\n".join([*world.record.situation, _render_task(world)]),
        unknown="\n\n".join(_render_unknown(world)),
        limits=_render_limits(world),
        start=_render_start(world),
        acts=_render_acts(world),
        results="\n\n".join(_render_results(world)),
    )


def _render_task(world: UncertainWorld) -> str:
    return (
        f"**Goal.** {world.record.goal} No way of acting is certain to succeed. Play so that the probability of success is as high "
        "as possible: choose each act in the light of what you have seen so far."
    )


def _render_unknown(world: UncertainWorld) -> Iterator[str]:
    for variable in world.record.hidden.values():
        chances = resolve_chances([each.chance for each in variable.values.values()])
        rows = [
            (each.label, format_chance(chance))
            for each, chance in zip(variable.values.values(), chances, strict=True)
        ]
        yield (
            f"You do not know: {variable.label}. Exactly one line is true, and it stays true to the end.\n\n"
            + render_rows((variable.label, "probability"), rows)
        )
    if len(world.record.hidden) > 1:
        yield "These facts are independent of each other."


def _render_limits(world: UncertainWorld) -> str:
    clock = world.record.clock
    return (
        f"You have {clock.amount} {clock.unit}. An act may be begun only if it ends within the time left. Nothing can be undone, and what is "
        "used up is gone. The episode ends with success or failure where a table says so. If you stop, or if nothing more can be done "
        "before that, you have failed."
    )


def _render_start(world: UncertainWorld) -> str:
    record = world.record
    lines = [f"- {each.label}: {each.amount}" for each in record.stocks.values()]
    lines += [
        f"- {each.yes if each.start else each.no}"
        for name, each in record.marks.items()
        if each.start or name in _find_marks_wanted_false(world)
    ]
    return "At the start:\n\n" + "\n".join([f"- {record.clock.unit} left: {record.clock.amount}", *lines])


def _find_marks_wanted_false(world: UncertainWorld) -> set[str]:
    """Return the marks whose absence matters. Deeds that are plainly not done yet are not listed at the start."""
    acts = world.record.acts.values()
    conditions = [act.needs for act in acts] + [case.when for act in acts for case in act.cases]
    return {
        name
        for condition in conditions
        for name, value in condition.items()
        if name in world.record.marks and False in list_allowed_values(value)
    }


def _render_acts(world: UncertainWorld) -> str:
    record = world.record
    header = ("act", "what you do", record.clock.unit, "uses", "how often", "only while", "result")
    rows = [
        (
            code,
            act.label,
            str(act.takes),
            ", ".join(f"{amount} × {record.stocks[name].label}" for name, amount in act.uses.items())
            or _DASH,
            "no limit" if act.at_most is None else "once" if act.at_most == 1 else f"{act.at_most} times",
            ", ".join(world.describe_condition(name, value) for name, value in act.needs.items()) or _DASH,
            _describe_result(world, act, act.cases[0].results[0]) if _is_certain(act) else "see below",
        )
        for code, act in record.acts.items()
    ]
    return render_rows(header, rows)


def _is_certain(act: ActForm) -> bool:
    return len(act.cases) == 1 and len(act.cases[0].results) == 1


def _render_results(world: UncertainWorld) -> Iterator[str]:
    yield (
        "What you see after an act, with its probability. In each table the first line that fits applies. Given the unknown facts, all "
        "results are independent, also of a repeated act."
    )
    for codes in _group_alike_acts(world):
        act = world.record.acts[codes[0]]
        if not _is_certain(act):
            yield f"**{', '.join(codes)}**\n\n{_render_case_table(world, act, is_shared=len(codes) > 1)}"
    if world.record.notes:
        yield "\n".join(f"- {note}" for note in world.record.notes)


def _group_alike_acts(world: UncertainWorld) -> list[list[str]]:
    """Return the acts, together those whose results differ at most in the value that they aim at."""
    groups: dict[str, list[str]] = {}
    for code, act in world.record.acts.items():
        cases = [
            (
                sorted(
                    (name, "aim" if act.aims.get(name) == value else str(value))
                    for name, value in case.when.items()
                ),
                case.results,
            )
            for case in act.cases
        ]
        groups.setdefault(repr((cases, act.sets)), []).append(code)
    return list(groups.values())


def _render_case_table(world: UncertainWorld, act: ActForm, *, is_shared: bool) -> str:
    header = list(
        dict.fromkeys(_describe_result(world, act, result) for case in act.cases for result in case.results)
    )
    rows = []
    for place, case in enumerate(act.cases):
        chances = resolve_chances([each.chance for each in case.results])
        by_name: dict[str, Fraction] = {}
        for result, chance in zip(case.results, chances, strict=True):
            name = _describe_result(world, act, result)
            by_name[name] = by_name.get(name, Fraction(0)) + chance
        cells = (format_chance(by_name.get(name, Fraction(0))) for name in header)
        words = [
            _describe_part(world, act, name, value, is_shared=is_shared) for name, value in case.when.items()
        ]
        rows.append((", and ".join(words) or ("otherwise" if place else "always"), *cells))
    return render_rows(("if", *header), rows)


def _describe_part(
    world: UncertainWorld, act: ActForm, name: str, value: Value | list[Value], *, is_shared: bool
) -> str:
    if is_shared and name in act.aims and act.aims[name] == value:
        return world.record.hidden[name].aimed or ""
    return world.describe_condition(name, value)


def _describe_result(world: UncertainWorld, act: ActForm, result: ResultForm) -> str:
    extras = [
        world.record.marks[name].yes if value else world.record.marks[name].no
        for name, value in {**act.sets, **result.sets}.items()
    ]
    if result.delay:
        extras.append(f"{result.delay} more {world.record.clock.unit} pass")
    if result.ends is not None:
        extras = ["success" if result.ends is Ending.SUCCESS else "failure"]
    new = [each for each in extras if each != result.see]
    return f"{result.see} ({', '.join(new)})" if new else result.see


def format_chance(chance: Fraction) -> str:
    """Return a probability as a decimal if that is exact, else as a fraction."""
    text = f"{float(chance):.6g}"
    return text if Fraction(text) == chance else f"{chance.numerator}/{chance.denominator}"


def render_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
