"""Guide for authors of records: the rules of checking, and the vocabulary of the library."""

from __future__ import annotations

from typing import Final

from impossible_moments.mechanics.records.library import Library, LibraryAction
from impossible_moments.mechanics.records.lines import parse_line

MOST_IN_FULL: Final = 24
RULES: Final = """\
How a record is judged. Everything is computed. Approaches are executed. All plans of at most 12 calls are searched \
(your actions and the library's). Impossibility is proved over all ranges. The claim is compared with the result.
Reserved names: elapsed deadline goal thing number true false and or not if else; g pi R_gas sigma_sb; sqrt abs exp log sin cos tan asin acos \
atan ceil floor min max; answer wait wait_until choose claim challenge impossible; object place boundary person substance rule. A verb of the library cannot \
be the verb of another action, and a property of the library keeps its meaning and unit.
1. Expressions: + - * / **, comparisons, and, or, not, `a if c else b`, sqrt abs exp log sin cos tan ceil floor min max, \
thing.property, 'word', true, false. Numbers have units in brackets: 0.6[m], 18[l/min], 293[K]. A number with a unit is allowed only \
in quantities, in props, in puzzle rules, or as the whole of `takes`. Inside other expressions, including derived quantities, use its name. \
A zero such as 0[m/s], whole numbers up to 16 and halves are allowed; other plain numbers also need a name. Units are SI with \
prefixes, min, h, day, l, bar, deg, percent, degC, km/h and similar.
2. Print every given quantity in the prose by a placeholder. Print every property that a working plan reads, or state it in \
words and quote them on its line (`dust = 0 @ kept clean`). What is not printed is assumed, with a range and a source. Properties that change \
(open = false) need not be printed. The prose must also state what stops a trap, what differs from the standard `you`, and what the intended reading of a code reads. \
A figure with a unit counts as stated only if it is printed. Print both ends of a disputed range. A quote has two words or more.
3. The effects of an action set properties that exist (declare `hose.wrapped = false` in props) or quantities of kind state. Nothing becomes \
true unless an action makes it true. Two approaches that reach the same end by different things or actions are two ways.
4. `elapsed` is the time since the start. Rates apply while actions take time. Never-lines are checked all the time. Effects come at the end of an action, and a never-line that then holds takes precedence over the goal. \
The search waits automatically (wait_until) where time alone makes a condition true. A state stays within its bounds.
5. The status is computed in this order. CT: the best working plan (see prefer) at one end of a disputed range is clearly worse, or fails, at the other. DG: a plan of at \
most two calls works with everyday uses (a thing `like` a library row in the use of that row; other things count as used in their everyday way) and margins of 50 % in every condition and in time. KS-Fragile: some plan works at the stated values, but somewhere in the range of one \
assumed quantity nothing works. KS-Multiple: two or more ways. KS-Singular: one way. MT: nothing works until a premise is dropped; the approach outside begins \
with challenge('quote of the premise'). OF: nothing works, and the frontier holds. PX: nothing works anywhere in the ranges (estimates count with twice \
their range), and every cell boundary.mechanism and rule.mechanism is closed. In a PX, if a boundary is shut or locked, state it on its own props line: \
`locked = true @ quote`.
6. For KS-Singular, therefore, make sure that no other thing and no library verb reaches the goal; that every working plan leaves 10 % of the deadline; \
that in the whole range of every assumed quantity (each alone) some way still works, or claim KS-Fragile; and that a short plan does not have 50 % margin everywhere, or the status is DG.
7. Margin of a condition a >= b: (a - b) over the larger side; temperatures are measured from ambient (293 K, or your quantity `ambient`); counts, words and truths have none. \
The margin of a plan is the smallest of its slots, conditions, avoided dangers and the deadline.
8. A hypothesis of a diagnosis is accepted if all its predictions equal the observations; to be safe, this must hold over all ranges. A code, clue set or diagnosis has one answer. Answers are written answer(shelf, '8274') for a code, answer(who, 'red=1, blue=3') for clues, \
answer(pulls, 'low_air=five, snagged=three') for signals (any correct code is accepted), answer(source, 'power_line') for a diagnosis.
9. `wording` says which plain words of an answer count as which call. Each call of a working plan has an entry with menu, deed, needs_said and near_misses. \
menu and also say every line of needs_said; a near miss leaves one out. Each condition at which an approach fails has a sentence in `conditions` or is listed in \
`bookkeeping`. Three or more each: decoy_premises, uncertainties, harmless.\
"""


def render_author_guide(library: Library) -> str:
    """Return the rules and the summary of the library as one text."""
    return f"{RULES}\n{render_library_summary(library)}"


def render_library_summary(library: Library) -> str:
    """Return a summary of a library: its things, rows, properties, mechanisms, verbs and formulas."""
    form = library.form
    permanent_rules = "; ".join(
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
        f"Library {form.name} v{form.version}. These always exist: {permanent_rules}.",
        f"Rows for `like`, boundaries: {boundaries}. Things (each with mass, size and possible uses): {rows}. Materials by their names, as substances: steel, oak, sea_water and similar.",
        f"Known properties; use these names with these meanings: {known}.",
        f"Mechanisms, which are the cells that a PX must close: {kinds}.",
        f"Library verbs, available to every plan and to the search (each works only on things that have the properties it reads): {_format_library_verbs(form.actions)}.",
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
    insertion_note = " (inserted automatically where a condition needs it)" if action.logistics else ""
    return f"{action.do} when {', '.join(action.when)}, then {', '.join(action.then)}, takes {action.takes}{insertion_note}"


def _format_property_lines(lines: list[str]) -> list[str]:
    parts = [parse_line(line, example="mass = 4[kg]") for line in lines]
    return [f"{part.head} = {part.body.removesuffix(' assumed').removesuffix(' state')}" for part in parts]
