"""The counts that the built-in agents state in their own accounts and memos, recounted from a ledger."""

from __future__ import annotations

from impossible_moments.domain.classification import ClassificationReport, InformedClassification
from impossible_moments.domain.grounding import GroundingReport
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.domain.validation import MathematicsReport, PhysicsReport
from support.ledger_runs import LedgerRun


def count_account_facts(run: LedgerRun) -> dict[str, str]:
    """Return the counts that agents state in their accounts, by the words around them."""
    seed, physics, grounding = (
        run.get_last(SeedDocument),
        run.get_last(PhysicsReport),
        run.get_last(GroundingReport),
    )
    mathematics, blind, informed = (
        run.get_last(MathematicsReport),
        run.get_last(ClassificationReport),
        run.get_last(InformedClassification),
    )
    invalid = sum(each.verdict == "INVALID" for each in physics.claims)
    unfit = sum(not each.holds for each in physics.material_properties)
    dependent = sum(bool(each.depends_on) for each in seed.insight_chain)
    strong = sum(each.strength == "strong" for each in seed.distractor_inventory)
    works = {key for each in grounding.constructs for key in each.citations} | {*grounding.further_citations}
    predicted = grounding.predicted
    margin = "" if mathematics.margin is None else f"{mathematics.margin:.0%}"
    return {
        r"handed in (\d+) times?": str(run.revisions + 1),
        r"changed to answer (\d+) demands?": str(len(seed.revision_notes)),
        r"of (\d+) candidate situations": str(len(seed.candidates)),
        r"Kept (\d+) distractors?": str(len(seed.distractor_inventory)),
        r"Judged (\d+) claims?, .*?; (\d+) (?:are|is) INVALID": f"{len(physics.claims)}, {invalid}",
        r"Compared (\d+) things? .*?; (\d+) do(?:es)? not fit": f"{len(physics.material_properties)}, {unfit}",
        r"agrees? on all (\d+) claims": str(len(physics.claims)),
        r"Feasibility: (\S+)\.": physics.feasibility,
        r"Margin (\d+%) of the deadline": margin,
        r"Merit (\w+)\.": grounding.merit,
        r"(\d+) insights? must be found": str(len(seed.insight_chain)),
        r"rests on (\d+) insights?": str(len(seed.insight_chain)),
        r"insights? of the validated solution with (\d+) works?": str(len(works)),
        r"Predicted direct (\d+), chain of thought (\d+), extended (\d+), agentic (\d+)": (
            f"{predicted.direct_answer:g}, {predicted.chain_of_thought:g}, "
            f"{predicted.extended_reasoning:g}, {predicted.agentic:g}"
        ),
        r"Blind: (\w+), type (\w+), ([\d.]+);": f"{blind.status}, {blind.impossibility_type}, {blind.profile}",
        r"Informed: (\w+), ([\d.]+)\. ": f"{informed.status}, {informed.profile}",
        r"profile moved from ([\d.]+) to ([\d.]+)\. ": f"{blind.profile}, {informed.profile}",
        r"\((\d+) insights?, (\d+) of them dependent": f"{len(seed.insight_chain)}, {dependent}",
        r"\((\d+) distractors?, (\d+) strong\)": f"{len(seed.distractor_inventory)}, {strong}",
    }
