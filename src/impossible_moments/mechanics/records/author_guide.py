"""Guide for authors of records: the rules of checking, and the vocabulary of the library."""

from __future__ import annotations

from typing import Final

from impossible_moments.mechanics.records.library import Library, LibraryAction
from impossible_moments.mechanics.records.lines import parse_line

MOST_IN_FULL: Final = 24
RULES: Final = """\
How a record is judged. Everything is computed: approaches are executed, all plans of at most 12 calls are searched \
(your actions and the library's), impossibility is proved over all ranges, and the claim is compared.
Reserved names: elapsed, deadline, goal, g, pi, R_gas, sigma_sb, the functions, and the kinds of things.
1. Expressions: + - * / **, comparisons, and, or, not, `a if c else b`, sqrt abs exp log sin cos tan ceil floor min max, \
thing.property, 'word', true, false. Numbers carry units in brackets: 0.6[m], 18[l/min], 293[K]. A number with a unit stands only \
in quantities, in props, in puzzle rules, or as the whole of `takes`; inside other expressions, derived quantities included, use its name (a zero such as 0[m/s] is fine; so are whole numbers up to 16 and halves; \
other plain numbers need a name, too). Units are SI with \
prefixes, min, h, day, l, bar, deg, percent, degC, km/h and the like.
2. Every given quantity is printed in the prose by a placeholder; every property that a working plan reads is printed, or told in \
words and quoted on its line (`dust = 0 @ kept clean`). What is not printed is assumed, with a range and a source. Properties that change \
(open = false) need no printing. What stops a trap, what differs from the standard `you`, and what a code's intended reading reads must be told as well; \
a figure with a unit is told only by printing it. Both ends of a disputed range are printed. A quote has two words or more.
3. An action's effects set properties that exist (declare `hose.wrapped = false` in props) or quantities of kind state. Nothing is \
true that no action makes true. Two approaches that reach the same end by different things or actions are two ways.
4. `elapsed` is the time since the start. Rates run while actions take time; never-lines are watched all the while; effects come at the end, and a never-line that then holds beats the goal. \
The search waits by itself (wait_until) where time alone makes a condition true. A state keeps within its bounds.
5. The status is computed in this order. CT: the best working plan (see prefer) at one end of a disputed range is clearly worse, or fails, at the other. DG: a plan of at \
most two calls works with everyday uses (a thing `like` a library row in that row's use; other things count as so used) and margins of 50 % in every condition and in time. KS-Fragile: works as stated, and somewhere in the range of one \
assumed quantity nothing works. KS-Multiple: two or more ways. KS-Singular: one way. MT: nothing works until a premise is dropped; the approach outside begins \
with challenge('quote of the premise'). OF: nothing works, and the frontier holds. PX: nothing works anywhere in the ranges (estimates count with twice \
their range), and every cell boundary.mechanism and rule.mechanism is closed; that a boundary is shut or locked is then told on its own props line, \
`locked = true @ quote`.
6. So for KS-Singular make sure that no other thing and no library verb does the job; that every working plan leaves 10 % of the deadline; \
that in the whole range of every assumed quantity (each alone) some way still works, or claim KS-Fragile; and that a short plan is not safe by 50 % everywhere, or it is DG.
7. Margin of a condition a >= b: (a - b) over the larger side; temperatures measured from ambient (293 K, or your quantity `ambient`); counts, words and truths have none. \
The margin of a plan is the smallest of its slots, conditions, dangers passed by and the deadline.
8. A diagnosis survives if all its predictions equal the observations, over all ranges if it is to be safe. A code, clue set or diagnosis has one answer. Answers are written answer(shelf, '8274') for a code, answer(who, 'red=1, blue=3') for clues, \
answer(pulls, 'low_air=five, snagged=three') for signals (any right code will do), answer(source, 'power_line') for a diagnosis.\
"""


def render_author_guide(library: Library) -> str:
    """Return the rules and the summary of the library as one text."""
    return f"{RULES}\n{render_library_summary(library)}"


def render_library_summary(library: Library) -> str:
    """Return a summary of a library: its things, rows, properties, mechanisms, verbs and formulas."""
    form = library.form
    standing = "; ".join(
        f"{name} has {', '.join(_format_property_lines(library.rows[name].props))}" for name in form.always
    )
    boundaries = "; ".join(
        f"{row.name} ({', '.join(_format_property_lines(row.props))})"
        for row in form.things
        if row.kind == "boundary"
    )
    rows = " ".join(row.name for row in form.things if row.kind == "object" and row.name not in form.always)
    known = ", ".join(line.partition("=")[0].strip() for line in (*form.properties, *form.further))
    kinds = "; ".join(f"{kind.kind}: {', '.join(kind.mechanisms)}" for kind in form.kinds if kind.mechanisms)
    card = [
        f"Library {form.name} v{form.version}. Always there: {standing}.",
        f"Rows for `like`, boundaries: {boundaries}. Things (each with mass, size and what it can do): {rows}. Materials by their names, as substances: steel, oak, sea_water and the like.",
        f"Known properties, use these names for these measures: {known}.",
        f"Mechanisms, the cells a PX must close: {kinds}.",
        f"Library verbs, open to every plan and to the search (each works only on things that have what it reads): {_format_library_verbs(form.actions)}.",
    ]
    if form.templates:
        names = " ".join(template.call.partition("(")[0] for template in form.templates)
        card.append(f"Formulas to call in quantities and props: {names}.")
    return " ".join(card)


def _format_library_verbs(actions: list[LibraryAction]) -> str:
    """Return the library verbs in full, or only their heads if there are more than `MOST_IN_FULL`."""
    if len(actions) <= MOST_IN_FULL:
        return "; ".join(_format_library_verb(action) for action in actions)
    return "; ".join(action.do for action in actions)


def _format_library_verb(action: LibraryAction) -> str:
    inserted = " (inserted by itself where a condition needs it)" if action.logistics else ""
    return f"{action.do} when {', '.join(action.when)}, then {', '.join(action.then)}, takes {action.takes}{inserted}"


def _format_property_lines(lines: list[str]) -> list[str]:
    parts = [parse_line(line, example="mass = 4[kg]") for line in lines]
    return [f"{part.head} = {part.body.removesuffix(' assumed').removesuffix(' state')}" for part in parts]
