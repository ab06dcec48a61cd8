"""Subjects of revision demands: which quantities, things, steps and distractors of a design a demand is about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from impossible_moments.agents.builtin.assignment_view import RevisionDemand
from impossible_moments.agents.builtin.athena.declared_design import DeclaredDesign
from impossible_moments.agents.builtin.athena.distractor_strength import find_traps_with, label_distractor
from impossible_moments.agents.builtin.athena.seed_documents import list_distractor_names
from impossible_moments.blueprints import ScenarioDraft
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.language import Expression, ExpressionError, parse_expression

_CLAIM: Final = re.compile(r"\bC\d{1,3}\b")
_STEP: Final = re.compile(r"\b(?:step\s+|S)(\d{1,2})\b", re.IGNORECASE)
_QUOTED: Final = re.compile(r"`([^`]+)`|“([^”]+)”")
_IDENTIFIER: Final = re.compile(r"[A-Za-z]\w*(?:\.\w+)+|[A-Za-z]\w*_\w+")
_ARTICLE: Final = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DemandTarget:
    """The parts of a design that a demand is about."""

    paths: tuple[str, ...] = ()
    """Quantities, the ones that were named first."""
    claims: tuple[Expression, ...] = ()
    things: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    distractors: tuple[str, ...] = field(default=())

    def __bool__(self) -> bool:
        return bool(self.paths or self.claims or self.things or self.traps or self.distractors)

    def combine_with(self, other: DemandTarget) -> DemandTarget:
        """Return the target of both."""
        return DemandTarget(
            *(
                tuple(dict.fromkeys((*getattr(self, name), *getattr(other, name))))
                for name in ("paths", "claims", "things", "traps", "distractors")
            )
        )


class SubjectResolver:
    """Finder of the parts of one design by the names and words that a demand uses."""

    def __init__(self, draft: ScenarioDraft, seed: SeedDocument) -> None:
        self.draft, self.seed = draft, seed
        self.declared = DeclaredDesign(draft.design)
        self.world = self.declared.world

    def resolve_demand(self, demand: RevisionDemand) -> DemandTarget:
        """Return what a demand is about: its subject, or the parts that its words name."""
        if demand.subject.strip():
            found = self.resolve_name(demand.subject.strip())
            if found:
                return found
        return self.scan_text(f"{demand.subject} {demand.demand} {demand.evidence} {demand.proposal}")

    def resolve_name(self, name: str) -> DemandTarget:
        """Return the part of the design that a name stands for, or an empty target."""
        if name in self._claims:
            return self._claims[name]
        if name in self.world.quantities:
            return DemandTarget(paths=(name,))
        thing = name if name in self.world.things else self._things_by_label.get(_normalize_label(name))
        if name in self.declared.traps or name in self._distractors_by_label or thing in self._distractors:
            return self._target_distractor(self._distractors_by_label.get(name) or thing or name)
        if thing is not None:
            return DemandTarget(paths=tuple(self._list_numbers_of_thing(thing)), things=(thing,))
        if name in self.declared.plans:
            return self._target_moves(name)
        return self._target_step(name)

    def scan_text(self, text: str) -> DemandTarget:
        """Return everything that a text names: claims, quantities, steps, things by label, and wrong answers."""
        found = DemandTarget()
        names = [*_CLAIM.findall(text), *(one or other for one, other in _QUOTED.findall(text))]
        names += [each.strip(".") for each in _IDENTIFIER.findall(text)]
        names += [f"step {number}" for number in _STEP.findall(text)]
        for name in dict.fromkeys(names):
            found = found.combine_with(self.resolve_name(name))
        if found:
            return found
        lowered = text.lower()
        for label, thing in self._things_by_label.items():
            if label and re.search(rf"\b{re.escape(label)}\b", lowered):
                found = found.combine_with(self.resolve_name(thing))
        for label in self._distractors_by_label:
            if label.lower() in lowered:
                found = found.combine_with(self.resolve_name(label))
        return found

    @cached_property
    def _claims(self) -> dict[str, DemandTarget]:
        found: dict[str, DemandTarget] = {}
        for claim in self.seed.solution_sketch.claims:
            try:
                tree = parse_expression(claim.expression, self.world.library.templates)
            except ExpressionError:
                found[claim.claim_id] = self._scan_claim_text(claim.text)
                continue
            paths = tuple(sorted(self.world.collect_stated_quantities(tree)))
            found[claim.claim_id] = DemandTarget(paths=paths, claims=(tree,))
        return found

    def _scan_claim_text(self, text: str) -> DemandTarget:
        names = [one or other for one, other in _QUOTED.findall(text)]
        paths = [name for name in names if name in self.world.quantities]
        traps = [name for name in names if name in self.declared.traps]
        moves = [self._target_moves(name) for name in names if name in self.declared.plans]
        found = DemandTarget(paths=tuple(paths), traps=tuple(traps))
        for each in moves:
            found = found.combine_with(each)
        return found

    @cached_property
    def _things_by_label(self) -> dict[str, str]:
        own = {name: thing for name, thing in self.world.things.items() if thing.own}
        return {_normalize_label(thing.label): name for name, thing in own.items()}

    @cached_property
    def _distractors(self) -> frozenset[str]:
        return frozenset(list_distractor_names(self.draft, self.declared))

    @cached_property
    def _distractors_by_label(self) -> dict[str, str]:
        names = [
            *sorted(self._distractors),
            *(name for name in self.declared.traps if name not in self._distractors),
        ]
        return {label_distractor(name, self.draft): name for name in names}

    def _target_distractor(self, name: str) -> DemandTarget:
        traps = find_traps_with(self.declared, name)
        paths = dict.fromkeys(path for trap in traps for path in self._iterate_stop_quantities(trap))
        own = self._list_numbers_of_thing(name) if name in self.world.things else []
        things = (name,) if name in self.world.things else ()
        # what belongs to the distractor itself comes before what it is compared with
        ordered = sorted(paths or dict.fromkeys(own), key=lambda path: not path.startswith(f"{name}."))
        return DemandTarget(tuple(ordered), (), things, traps, (name,))

    def _iterate_stop_quantities(self, trap: str) -> Iterator[str]:
        stop = self.declared.find_stop(trap)
        if stop is not None:
            yield from sorted(self.world.collect_stated_quantities(stop.tree))
        else:
            for move in self.declared.plans[trap]:
                yield from sorted(self.world.collect_stated_quantities(move.takes_tree))

    def _target_moves(self, approach: str) -> DemandTarget:
        paths = dict.fromkeys(
            path
            for move in self.declared.plans[approach]
            for path in sorted(self.declared.collect_read_quantities(move))
        )
        return DemandTarget(paths=tuple(paths))

    def _target_step(self, name: str) -> DemandTarget:
        """Return the quantities that a step reads, named by its call, its sentence or its number."""
        number = _STEP.fullmatch(name)
        steps = self.seed.solution_sketch.steps
        for at, step in enumerate(steps, 1):
            is_meant = name in {step.call, step.action} or (number is not None and int(number[1]) == at)
            if not is_meant:
                continue
            for plan in self.declared.plans.values():
                for move in plan:
                    if move.text == step.call:
                        return DemandTarget(paths=tuple(sorted(self.declared.collect_read_quantities(move))))
        return DemandTarget()

    def _list_numbers_of_thing(self, thing: str) -> list[str]:
        return [
            path
            for path in self.world.quantities
            if path.startswith(f"{thing}.")
            and path in self.world.own_paths
            and self.world.quantities[path].is_number
        ]


def _normalize_label(label: str) -> str:
    return _ARTICLE.sub("", label.strip()).lower()
