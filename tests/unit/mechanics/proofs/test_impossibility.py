"""Impossibility proofs of small worlds pass their independent check."""

from impossible_moments.mechanics.proofs import (
    NumericSplit,
    RefutedLeaf,
    SplittingCertificate,
    parse_certificate,
)
from support.small_worlds import build_action, build_approach, build_record, build_thing, check_built_record

BARREL = build_record(
    quantities=["flow = 2[l/s]", "scoop = 4[l/min]", "out = choose 0..300[l]", "rush = 150[s]"],
    things=[
        build_thing("barrel", "content = 400[l]", "safe = false", "lighter = false"),
        build_thing("shelf", "bearing = 300[kg]"),
    ],
    actions=[
        build_action(
            "bail(b: barrel)",
            "b.content = b.content - out",
            "b.lighter = true",
            when=("once = not b.lighter",),
            takes="out/scoop",
        ),
        build_action(
            "drain(b: barrel)",
            "b.safe = true",
            when=("holds = b.content*water.density <= shelf.bearing",),
            takes="barrel.content/flow",
        ),
    ],
    goal="barrel.safe",
    deadline="rush",
    approaches=[
        build_approach("at_once", "drain(barrel)", ends="blocked drain.holds"),
        build_approach("first_bail", "choose(out=200[l])", "bail(barrel)", "drain(barrel)", ends="late"),
    ],
    status={"claim": "PX", "conflict": ["drain.holds", "deadline"], "chains": ["first_bail"]},
)


def test_a_cut_along_a_name_that_the_conflict_does_not_read_keeps_the_proof_valid() -> None:
    # The search may cut along the density of water, which only the condition of the shelf reads, and then
    # find that the deadline alone excludes every part.
    report = check_built_record(BARREL)
    assert "proof.recheck" not in {finding.code for finding in report.findings}


def test_irrelevant_cuts_are_removed_from_a_certificate() -> None:
    late, heavy = RefutedLeaf("late"), RefutedLeaf("heavy")
    tree = NumericSplit("x", 4.0, NumericSplit("y", 1.0, late, NumericSplit("y", 2.0, late, late)), late)
    reads = {"late": {"x"}, "heavy": {"y"}}
    assert SplittingCertificate(tree).remove_irrelevant_cuts(reads).tree == NumericSplit("x", 4.0, late, late)
    needed = NumericSplit("x", 4.0, NumericSplit("y", 1.0, heavy, late), late)
    kept = SplittingCertificate(needed).remove_irrelevant_cuts(reads)
    assert parse_certificate(kept.to_data()) == SplittingCertificate(needed)


def test_a_rate_that_unattended_work_on_a_slot_changes_can_be_followed_in_a_proof() -> None:
    # The effect names a property of the slot, so it stands for that property of every thing.
    record = build_record(
        quantities=[
            "level = 0[l] (0..500) state",
            "rush = 30[min]",
            "slow = 1[l/min]",
            "fast = 2[l/min]",
            "needed = 200[l]",
        ],
        things=[build_thing("hose", "here = 0 (0..1) state", "fetching = 10[min]")],
        roles=["pipe(o) = o.fetching > 0[s]"],
        actions=[build_action("send_for(h: pipe)", "h.here = 1", takes="h.fetching", unattended=True)],
        rates=["level = slow + fast*hose.here"],
        goal="level >= needed",
        deadline="rush",
        approaches=[build_approach("send", "send_for(hose)", ends="late")],
        status={"claim": "PX", "conflict": ["deadline"], "chains": ["send"]},
    )
    report = check_built_record(record)
    assert report.verdict is not None, "the record was not decided"
    assert report.verdict.status in {None, "PX"}, "no plan reaches the goal"
