"""The auditor's finding codes: weight and rule of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# fmt: off
CODES: Final[Mapping[str, tuple[str, str]]] = {
    # structure
    "structure.title":        ("warning", "a scenario is headed `# IM-0001: Name`"),
    "structure.missing":      ("warning", "every section of the template is there"),
    "structure.empty":        ("warning", "a section says something"),
    "enum.category":          ("error", "the category is one of the twelve"),
    "enum.category-name":     ("warning", "a category is called by its name"),
    "enum.status":            ("error", "the status is one of KS, KS-Multiple, KS-Fragile, CT, OF, PX, MT, DG"),
    "enum.status-name":       ("warning", "a status is called by its name: PX is a paradox, MT metamorphic, OF an open frontier"),
    "enum.tier":              ("error", "the tier is one of SPARK, FRACTURE, RUPTURE, SINGULARITY, IMPOSSIBLE"),
    "enum.profile":           ("error", "the profile has six dimensions, I.D.C.B.T.X, each 1 to 5"),
    "tier.profile":           ("warning", "the tier follows from the profile"),
    # numbers
    "arithmetic.wrong":       ("error", "a calculation comes out"),
    "arithmetic.sum":         ("error", "a total row is the sum of its column"),
    "arithmetic.apart":       ("note", "amounts of one sentence go together"),
    "value.twice":            ("warning", "one quantity has one value"),
    "density.impossible":     ("error", "nothing is denser than what it is made of"),
    "density.unusual":        ("warning", "a solid thing, a sheet or a liquid weighs what so much of it weighs"),
    # time
    "timing.running":         ("error", "a running time is the sum of the steps so far"),
    "timing.total":           ("error", "a stated total is what the steps take"),
    "timing.deadline":        ("error", "a plan that is said to fit fits its deadline"),
    "timing.margin":          ("error", "a margin is the deadline less the plan"),
    "timing.rate":            ("error", "a distance, a pace and a time go together"),
    "timing.tight":           ("note", "a plan fits its deadline at worst, too"),
    "timing.twice":           ("note", "one step takes one time"),
    # what a solver reads
    "leak.answer":            ("error", "the answer is not shown"),
    "leak.status":            ("error", "the status is not shown"),
    "leak.wrong-answers":     ("error", "the wrong answers are not shown"),
    "leak.why":               ("error", "nobody is told how it is solved, or what others do wrong"),
    "leak.given-away":        ("error", "the scenario does not speak of its solution"),
    "leak.hint":              ("warning", "no thing is called useless or useful"),
    "leak.near":              ("note", "no line reads like the answer"),
    "scratch.left":           ("error", "no thinking of the author's is left in the text"),
    "scratch.doubt":          ("note", "no line corrects itself"),
    # the folder and the file
    "duplicate.near":         ("warning", "no two scenarios are copies of each other"),
    "document.empty":         ("error", "a document has text"),
    "document.binary":        ("error", "a document is text"),
    "document.cut":           ("warning", "a document is of a size that somebody reads"),
}
# fmt: on
