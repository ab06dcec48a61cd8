"""Construction of a world from a record and a library."""

from __future__ import annotations

import re

from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.records.library import Library
from impossible_moments.mechanics.records.quantities import Quantity, QuantityKind
from impossible_moments.mechanics.records.record import Record
from impossible_moments.mechanics.world.building.actions import read_answer_effects, read_roles_and_actions
from impossible_moments.mechanics.world.building.declarations import RESERVED, read_quantities_and_things
from impossible_moments.mechanics.world.building.library_actions import add_library_actions
from impossible_moments.mechanics.world.building.rules import (
    add_clock_rate,
    read_agreements,
    read_deadline,
    read_goal,
    read_never_rules,
    read_preference,
    read_rates,
)
from impossible_moments.mechanics.world.building.world_draft import WorldDraft
from impossible_moments.mechanics.world.world_model import ELAPSED, ActionEffect, World


def build_world(record: Record, library: Library, findings: Findings) -> tuple[World, WorldDraft]:
    """Build the world of a record with puzzles still unsolved, and add a finding for each unreadable part.

    Return the world and the draft it was built from.
    """
    draft = WorldDraft(record, library, findings)
    read_quantities_and_things(draft)
    record_with_flags = _add_answered_flags(draft)
    read_roles_and_actions(draft)
    answer_effects = {
        name: read_answer_effects(draft, lines, f"/puzzles/{name}/gives")
        for name, lines in record_with_flags.items()
    }
    read_never_rules(draft)
    goal = read_goal(draft)
    deadline = read_deadline(draft)
    preference = read_preference(draft)
    agrees = read_agreements(draft)
    read_rates(draft)
    add_clock_rate(draft, goal, (effect for lines in answer_effects.values() for effect in lines))
    add_library_actions(draft, goal, deadline)
    effects: dict[str, tuple[ActionEffect, ...]] = {
        name: (ActionEffect(ex.Property(name, "answered"), ex.TRUE), *lines)
        for name, lines in answer_effects.items()
    }
    draft.mutable |= {f"{name}.answered" for name in answer_effects}
    world = World(
        record, library, draft.quantities, draft.things, draft.roles, draft.actions, draft.rates, tuple(draft.never_rules),
        goal, deadline, preference, frozenset(draft.mutable), effects, agrees=agrees, own_paths=frozenset(draft.own_paths),
    )  # fmt: skip
    return world, draft


def _add_answered_flags(draft: WorldDraft) -> dict[str, list[str]]:
    """Add a state `puzzle.answered` for each puzzle. Return the effect lines of its answer by puzzle name."""
    effects_by_puzzle: dict[str, list[str]] = {}
    for puzzle in draft.record.puzzles:
        record_path = f"/puzzles/{puzzle.name}"
        if (
            puzzle.name in draft.things
            or puzzle.name in draft.quantities
            or puzzle.name in effects_by_puzzle
            or puzzle.name in RESERVED
        ):
            draft.findings.add(
                "name.twice",
                record_path,
                f"the puzzle name `{puzzle.name}` is already taken",
                found=puzzle.name,
                expected="another name",
            )
            continue
        path = f"{puzzle.name}.answered"
        draft.quantities[path] = Quantity(path, QuantityKind.STATE, ex.FALSE)
        effects_by_puzzle[puzzle.name] = puzzle.gives
    return effects_by_puzzle


def report_unused_quantities(draft: WorldDraft, world: World) -> None:
    """Warn of quantities and properties that are neither read nor printed, often due to a misspelling."""
    record = draft.record
    texts = [puzzle.model_dump_json() for puzzle in record.puzzles]
    texts += [
        form.model_dump_json() for form in (record.frontier, record.missing, record.scale) if form is not None
    ]
    words = frozenset(re.findall(r"[A-Za-z_]\w*", " ".join(texts)))
    printed_names = frozenset(re.findall(r"\{([\w.]+)\|", record.prose.model_dump_json()))
    printed_names |= {name.removesuffix(".low").removesuffix(".high") for name in printed_names}
    names_read = {name.split(".")[-1] for name in _collect_names_read_in_world(world)}
    for name in world.quantities:
        last = name.split(".")[-1]
        is_own = name in draft.own_paths if "." in name else name not in {ELAPSED, "ambient"}
        if (
            not is_own
            or name in printed_names
            or name in draft.read_names
            or name in world.rates
            or name in world.mutable
            or last in words
            or last in names_read
        ):
            continue
        path = f"/things/{name.split('.')[0]}/props" if "." in name else "/quantities"
        draft.findings.add(
            "quantity.unused",
            path,
            f"the quantity or property `{name}` is neither read nor printed",
            found=name,
            expected="use it, or leave it out; is it misspelt?",
        )


def _collect_names_read_in_world(world: World) -> set[str]:
    trees = [
        world.goal,
        *world.rates.values(),
        *(never.tree for never in world.never_rules),
        *(role.test for role in world.roles.values()),
    ]
    trees += [agreement.tree for agreement in world.agrees] + (
        [world.deadline] if world.deadline is not None else []
    )
    trees += [
        quantity.tree for quantity in world.quantities.values() if quantity.kind is QuantityKind.DERIVED
    ]
    for action in world.actions.values():
        trees += [condition.tree for condition in action.when] + [action.takes]
        trees += [tree for effect in action.then for tree in (effect.target, effect.tree)]
    return {name for tree in trees for name in ex.collect_paths(tree)}
