"""Check of the claimed status: each entry of the status block is compared with the computed status."""

from __future__ import annotations

from collections.abc import Iterable

from impossible_moments.mechanics.checks.approaches import describe_outcome
from impossible_moments.mechanics.checks.paradox_claims import check_paradox_claim
from impossible_moments.mechanics.checks.sensitivity import (
    find_numbers_read_by_moves,
    find_worst_outcome_over_ranges,
)
from impossible_moments.mechanics.checks.status import StatusVerdict
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.minimal_plans import (
    MinimalPlan,
    Signature,
    are_equivalent_signatures,
)
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.language.expression_types import suggest_similar_name
from impossible_moments.mechanics.records.quantities import QuantityKind
from impossible_moments.mechanics.records.status_forms import (
    Contested,
    Degenerate,
    KnownSolution,
    Metamorphic,
    OpenFrontier,
    Paradox,
)
from impossible_moments.mechanics.world.value_formatting import format_quantity_value


def check_status_claim(analysis: WorldAnalysis, verdict: StatusVerdict, findings: Findings) -> None:
    """Compare the claimed status and its block with the computed verdict, and report differences."""
    status = analysis.world.record.status
    if verdict.status is None:
        findings.add(
            "status.undecided",
            "/status",
            verdict.reason,
            found=status.claim,
            expected="a record whose status can be computed",
        )
    elif verdict.status != status.claim:
        findings.add(
            "status.claim",
            "/status/claim",
            f"the claimed status is {status.claim}, but the computed one is {verdict.status}: {verdict.reason}",
            found=status.claim,
            expected=f"{verdict.status}, or a record in which that does not hold",
        )
    match status:
        case KnownSolution():
            _check_known_solution_claim(analysis, verdict, status, findings)
        case Contested():
            _check_contested_claim(analysis, verdict, status, findings)
        case OpenFrontier():
            _check_approach_lists(analysis, findings, {"tried": (status.tried, False)})
            if analysis.world.record.frontier is None:
                findings.add(
                    "status.block",
                    "/frontier",
                    "an open frontier needs the section `frontier` with claims, envelope and known",
                    expected="frontier: {claims: [...], envelope: [...], known: [...]}",
                )
        case Paradox():
            check_paradox_claim(analysis, verdict, status, findings)
        case Metamorphic():
            _check_metamorphic_claim(analysis, verdict, status, findings)
        case Degenerate():
            _check_degenerate_claim(analysis, verdict, status, findings)


def _check_approach_lists(
    analysis: WorldAnalysis, findings: Findings, lists: dict[str, tuple[Iterable[str], bool]]
) -> None:
    """Check that every approach is in exactly one list, and reaches the goal if and only if its list says so.

    `lists` gives for each field of the status block its approaches, and whether they must reach the goal.
    """
    places: dict[str, str] = {}
    names = [approach.name for approach in analysis.world.record.approaches]
    for field, (listed, works) in lists.items():
        for name in listed:
            path = f"/status/{field}"
            if name not in names:
                findings.add(
                    "status.block",
                    path,
                    f"`{name}` is not an approach{suggest_similar_name(name, names)}",
                    found=name,
                    expected=f"one of {', '.join(names)}",
                )
                continue
            if name in places:
                findings.add(
                    "status.block",
                    path,
                    f"approach `{name}` is listed in both {places[name]} and {field}",
                    found=name,
                    expected="each approach in one list",
                )
            places[name] = field
            outcome = analysis.outcomes.get(name)
            if outcome is None or outcome.reaches_goal is works:
                continue
            if works:
                findings.add(
                    "status.way-fails",
                    path,
                    f"approach `{name}` is listed as working, but {describe_outcome(outcome)}",
                    found=name,
                    expected="an approach that reaches the goal",
                )
            else:
                findings.add(
                    "status.trap-works",
                    path,
                    f"approach `{name}` is listed as failing, but reaches the goal in {outcome.time:.4g} s: {' then '.join(step.call for step in outcome.steps)}",
                    found=name,
                    expected="an approach that fails, or list it as a way",
                )
    for name in names:
        if name not in places:
            findings.add(
                "status.unlisted",
                "/status",
                f"approach `{name}` is not in any list",
                found=name,
                expected=f"listed in {' or '.join(lists)}",
            )


def _check_known_solution_claim(
    analysis: WorldAnalysis, verdict: StatusVerdict, status: KnownSolution, findings: Findings
) -> None:
    _check_approach_lists(analysis, findings, {"ways": (status.ways, True), "traps": (status.traps, False)})
    listed = {way.signature for name, way in analysis.minimal_approach_plans.items() if name in status.ways}
    for plan in verdict.ways:
        if not any(
            are_equivalent_signatures(other, plan.signature) for other in listed
        ) and verdict.status in {
            "KS-Singular",
            "KS-Multiple",
            "KS-Fragile",
        }:
            findings.add(
                "status.unintended",
                "/status/ways",
                f"{' then '.join(plan.calls)} reaches the goal but is not listed",
                found=", ".join(status.ways),
                expected="an approach that is listed as a way, or a fact of the prose that forbids this plan",
            )
    _report_traps_that_work_in_range(analysis, status, findings)
    if status.claim == "KS-Multiple":
        _report_plans_failing_in_range(analysis, status.ways, findings)
    if (
        status.claim == "KS-Multiple"
        and len(verdict.ways) > 1
        and not any(
            analysis.plan_finder.are_plans_independent(one, other)
            for number, one in enumerate(verdict.ways)
            for other in verdict.ways[number + 1 :]
        )
    ):
        findings.add(
            "status.dependent-ways",
            "/status/ways",
            "no two ways are independent of each other",
            found=", ".join(status.ways),
            expected="two ways that share no action and no object",
        )
    broken = [each.quantity for each in verdict.fragile_in]
    if verdict.status == "KS-Fragile" and sorted(status.fragile_in) != sorted(broken):
        findings.add(
            "status.fragile-in",
            "/status/fragile_in",
            "the quantities in `fragile_in` are not those that break every way",
            found=", ".join(status.fragile_in) or "none",
            expected=", ".join(broken),
        )
    elif verdict.status != "KS-Fragile" and status.fragile_in:
        findings.add(
            "status.fragile-in",
            "/status/fragile_in",
            "no value in the ranges of the quantities in `fragile_in` breaks every way",
            found=", ".join(status.fragile_in),
            expected="[]",
        )


def _report_traps_that_work_in_range(
    analysis: WorldAnalysis, status: KnownSolution, findings: Findings
) -> None:
    world = analysis.world
    for name in status.traps:
        outcome = analysis.outcomes.get(name)
        if outcome is None or outcome.reaches_goal:
            continue
        plan = analysis.plans[name]
        for quantity in (world.quantities[each] for each in find_numbers_read_by_moves(world, plan)):
            if quantity.kind not in {QuantityKind.ASSUMED, QuantityKind.DISPUTED}:
                continue
            for end in (quantity.low, quantity.high):
                if (
                    end is not None
                    and analysis.executor.run_plan(plan, changes={quantity.name: end}).reaches_goal
                ):
                    findings.add(
                        "status.trap-somewhere",
                        "/status/traps",
                        f"the trap `{name}` reaches the goal at {format_quantity_value(world, quantity.name, end)}",
                        found=name,
                        expected="a trap that fails over the whole range, or a narrower range with a source",
                    )


def _check_contested_claim(
    analysis: WorldAnalysis, verdict: StatusVerdict, status: Contested, findings: Findings
) -> None:
    quantity = analysis.world.quantities.get(status.crux)
    disputed = [
        each.name for each in analysis.world.quantities.values() if each.kind is QuantityKind.DISPUTED
    ]
    if quantity is None or quantity.kind is not QuantityKind.DISPUTED:
        findings.add(
            "status.crux",
            "/status/crux",
            f"`{status.crux}` is not a disputed quantity{suggest_similar_name(status.crux, disputed)}",
            found=status.crux,
            expected=f"one of {', '.join(disputed) or 'none: no quantity is disputed'}",
        )
        return
    crux = verdict.crux
    if crux is None:
        return
    if crux.quantity != status.crux:
        findings.add(
            "status.crux",
            "/status/crux",
            f"the best plan depends on `{crux.quantity}`, not on the stated crux",
            found=status.crux,
            expected=crux.quantity,
        )
        return
    plans = {
        name: analysis.plan_finder.create_minimal_plan(analysis.plans[name]).signature
        for name in analysis.plans
    }
    for field, name, best in (
        ("at_low", status.at_low, crux.all_low),
        ("at_high", status.at_high, crux.all_high),
    ):
        if name is not None and name not in plans:
            findings.add(
                "status.block",
                f"/status/{field}",
                f"`{name}` is not an approach{suggest_similar_name(name, plans)}",
                found=name,
                expected=f"one of {', '.join(plans)}",
            )
        elif not _is_claimed_plan_among_best(plans[name] if name is not None else None, best):
            right = next(
                (
                    other
                    for other, signature in plans.items()
                    if best and _is_claimed_plan_among_best(signature, best)
                ),
                None,
            )
            listed_plans = right or (
                " then ".join(best[0].calls) + " (list it as an approach)"
                if best
                else "null: nothing works there"
            )
            findings.add(
                "status.best",
                f"/status/{field}",
                f"`{field}` does not name the best plan at that end of {crux.quantity}, which is {listed_plans}",
                found=name or "null",
                expected=listed_plans,
            )


def _is_claimed_plan_among_best(signature: Signature | None, best: tuple[MinimalPlan, ...]) -> bool:
    if signature is None:
        return not best
    return any(are_equivalent_signatures(signature, way.signature) for way in best)


def _check_metamorphic_claim(
    analysis: WorldAnalysis, verdict: StatusVerdict, status: Metamorphic, findings: Findings
) -> None:
    _check_approach_lists(
        analysis, findings, {"inside": (status.inside, False), "outside": (status.outside, True)}
    )
    _report_plans_failing_in_range(analysis, status.outside, findings)
    if verdict.status == "MT" and status.premise not in verdict.premises:
        findings.add(
            "status.premise",
            "/status/premise",
            f"a plan works if a different premise is dropped: `{', '.join(verdict.premises)}`",
            found=status.premise,
            expected=" or ".join(verdict.premises),
        )
    for name in status.outside:
        outcome = analysis.outcomes.get(name)
        if (
            outcome is not None
            and outcome.reaches_goal
            and not any(said.startswith("challenge(") for said in outcome.said)
        ):
            findings.add(
                "status.premise",
                "/status/outside",
                f"approach `{name}` reaches the goal without challenging the premise",
                found=name,
                expected=f"a plan that begins with challenge('quote of {status.premise}')",
            )


def _report_plans_failing_in_range(analysis: WorldAnalysis, names: Iterable[str], findings: Findings) -> None:
    for name in names:
        outcome = analysis.outcomes.get(name)
        if outcome is not None and outcome.reaches_goal:
            worst_outcome = find_worst_outcome_over_ranges(analysis.executor, analysis.plans[name])
            if not worst_outcome.reaches_goal:
                findings.add(
                    "status.way-somewhere-fails",
                    "/status",
                    f"approach `{name}` {describe_outcome(worst_outcome)} at one end of a range",
                    found=name,
                    expected="a way that holds over the whole range, or KS-Fragile",
                )


def _check_degenerate_claim(
    analysis: WorldAnalysis, verdict: StatusVerdict, status: Degenerate, findings: Findings
) -> None:
    # The plans that the narrative suggests may also work, but the trivial plan is better.
    names = {approach.name for approach in analysis.world.record.approaches}
    for name in (status.plan, *status.dressing):
        if name not in names:
            findings.add(
                "status.block",
                "/status",
                f"`{name}` is not an approach{suggest_similar_name(name, names)}",
                found=name,
                expected=f"one of {', '.join(sorted(names))}",
            )
    for name in sorted(names - {status.plan, *status.dressing}):
        findings.add(
            "status.unlisted",
            "/status",
            f"approach `{name}` is not in any list",
            found=name,
            expected="listed in plan or dressing",
        )
    outcome = analysis.outcomes.get(status.plan)
    if outcome is not None and not outcome.reaches_goal:
        findings.add(
            "status.way-fails",
            "/status/plan",
            f"`{status.plan}` {describe_outcome(outcome)}",
            found=status.plan,
            expected="a trivial plan that reaches the goal",
        )
    elif verdict.degenerate and status.plan in analysis.minimal_approach_plans:
        trivial = verdict.degenerate
        if not any(
            are_equivalent_signatures(way.signature, analysis.minimal_approach_plans[status.plan].signature)
            for way in trivial
        ):
            calls = " or ".join(" then ".join(way.calls) for way in trivial)
            findings.add(
                "status.degenerate",
                "/status/plan",
                f"the stated plan is not the trivial one, which is {calls}",
                found=status.plan,
                expected=calls,
            )
