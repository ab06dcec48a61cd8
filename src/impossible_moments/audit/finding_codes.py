"""Finding codes of the auditor with their severity and rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# fmt: off
CODES: Final[Mapping[str, tuple[str, str]]] = {
    # structure
    "structure.title":        ("warning", "the title has the form `# IM-0001: Name`"),
    "structure.missing":      ("warning", "every section of the template is present"),
    "structure.empty":        ("warning", "no section is empty"),
    "enum.category":          ("error", "the category is one of the twelve"),
    "enum.category-name":     ("warning", "a category is written with its full name"),
    "enum.status":            ("error", "the status is one of KS, KS-Multiple, KS-Fragile, CT, OF, PX, MT, DG"),
    "enum.status-name":       ("warning", "a status is explained by its name: PX is a paradox, MT metamorphic, OF an open frontier"),
    "enum.tier":              ("error", "the tier is one of SPARK, FRACTURE, RUPTURE, SINGULARITY, IMPOSSIBLE"),
    "enum.profile":           ("error", "the profile has six dimensions, I.D.C.B.T.X, each 1 to 5"),
    "tier.profile":           ("warning", "the tier matches the profile"),
    # numbers
    "arithmetic.wrong":       ("error", "the result of a calculation is correct"),
    "arithmetic.sum":         ("error", "a total row is the sum of its column"),
    "arithmetic.apart":       ("note", "amounts in one sentence are consistent"),
    "value.twice":            ("warning", "a quantity has only one value"),
    "density.impossible":     ("error", "an object is not denser than its material"),
    "density.unusual":        ("warning", "the mass of a solid object, a sheet or a liquid matches its size"),
    # time
    "timing.running":         ("error", "a running time is the sum of the steps so far"),
    "timing.total":           ("error", "a stated total is the sum of the steps"),
    "timing.deadline":        ("error", "a plan that claims to meet its deadline meets it"),
    "timing.margin":          ("error", "a margin is the deadline minus the duration of the plan"),
    "timing.rate":            ("error", "a distance, a speed and a time are consistent"),
    "timing.tight":           ("note", "a plan meets its deadline in the worst case"),
    "timing.twice":           ("note", "a step has only one duration"),
    # text shown to a solver
    "leak.answer":            ("error", "the answer is not shown"),
    "leak.status":            ("error", "the status is not shown"),
    "leak.wrong-answers":     ("error", "the wrong answers are not shown"),
    "leak.why":               ("error", "the text does not explain how the scenario is solved or what others do wrong"),
    "leak.given-away":        ("error", "the scenario does not mention its own solution"),
    "leak.hint":              ("warning", "no object is called useless or useful"),
    "leak.near":              ("note", "no line resembles the answer"),
    "scratch.left":           ("error", "the text contains no left-over thinking of the author"),
    "scratch.doubt":          ("note", "no line corrects itself"),
    # folder and file
    "duplicate.near":         ("warning", "no two scenarios are near duplicates"),
    "document.empty":         ("error", "a document contains text"),
    "document.binary":        ("error", "a document is a text file"),
    "document.cut":           ("warning", "a document is short enough to be read completely"),
}
# fmt: on
