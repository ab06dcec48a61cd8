"""Structure checks: sections of the templates, and header values that must come from fixed lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, get_args

from impossible_moments.audit.documents.markdown import MarkdownDocument, strip_emphasis
from impossible_moments.audit.documents.parts import find_last_header_line
from impossible_moments.domain.difficulty_tiers import choose_difficulty_tier
from impossible_moments.domain.vocabulary import TIERS
from impossible_moments.mechanics.language import suggest_similar_name
from impossible_moments.mechanics.records import Category

CATEGORIES: Final = get_args(Category)
# fmt: off
STATUSES: Final = {
    "KS": "known solution", "KS-SINGULAR": "known solution", "KS-MULTIPLE": "known solution", "KS-FRAGILE": "known solution",
    "CT": "contested", "OF": "open frontier", "PX": "paradox", "MT": "metamorphic", "DG": "degenerate",
}
_LONG: Final = {
    "KNOWN SOLUTION": "KS", "KNOWN-SOLUTION": "KS", "CONTESTED": "CT", "OPEN FRONTIER": "OF", "OPEN-FRONTIER": "OF", "PARADOX": "PX",
    "METAMORPHIC": "MT", "DEGENERATE": "DG",
}
TIER_1: Final = (
    ("Scenario", r"^(?:the )?scenario"),
    ("Environment", r"environment|setting|site|facility"),
    ("Threat / Challenge", r"threat|challenge|problem|task|goal|failure|risk"),
    ("Position / Starting State", r"position|starting|state|situation"),
    ("Available Objects", r"object|resource|equipment|information|tools|evidence|materials"),
    ("Agent Capabilities", r"capabilit|assumed|abilities|crew|team|constraints"),
    ("Why This Looks Impossible", r"why this|why it"),
    ("Common Wrong Answers", r"wrong answer"),
)
TIER_2: Final = (
    ("Verified Solution", r"verified solution|best known|solution|evaluation criteria|known approaches"),
    ("Step-by-step Solution", r"step|approach|solution [a-e]\b|proof|evaluation framework"),
    ("Physics Validation", r"validation|proof|plausibility|verification"),
    ("Key Insights", r"key insight"),
    ("Distractor Analysis", r"distractor"),
    ("Scoring Rubric", r"scoring|rubric|evaluation"),
    ("Counterfactual Variants", r"counterfactual|variant"),
    ("Difficulty Profile", r"difficulty"),
)
# fmt: on
_TITLE: Final = re.compile(r"^(?:EVALUATION: |METHODOLOGY TRACE: )?IM-\d{4}\b")
_PROFILE: Final = re.compile(r"(?<![\d.])(\d(?:\.\d){3,7})(?![\d.])")


@dataclass(frozen=True, slots=True)
class StructureDefect:
    """Deviation from the template."""

    line: int
    code: str
    what: str
    found: str = ""
    expected: str = ""


def find_structure_defects(document: MarkdownDocument) -> Iterator[StructureDefect]:
    """Yield all structural defects of a document."""
    first = next((section for section in document.sections if section.level == 1), None)
    if first is None or not _TITLE.match(first.title):
        yield StructureDefect(
            first.number if first else 1,
            "structure.title",
            "the title has no scenario number",
            first.title if first else "",
            "# IM-0001: Name",
        )
    yield from _check_sections(document)
    yield from _check_header_values(document)


def _check_sections(document: MarkdownDocument) -> Iterator[StructureDefect]:
    titles = [section.title for section in document.sections if section.level > 1]
    evaluation = any(
        re.search(r"verified solution|evaluation|key insight|scoring", title, re.IGNORECASE)
        for title in titles
    )
    scenario = any(re.search(r"^(?:the )?scenario", title, re.IGNORECASE) for title in titles)
    templates = [*(TIER_1 if scenario or not evaluation else ()), *(TIER_2 if evaluation else ())]
    for name, pattern in templates:
        if not any(re.search(pattern, title, re.IGNORECASE) for title in titles):
            yield StructureDefect(1, "structure.missing", f"the section {name} is missing", expected=name)
    for at, section in enumerate(document.sections[1:], start=1):
        below = document.sections[at + 1].level if at + 1 < len(document.sections) else 0
        if section.level > 1 and not section.text.strip(" \n-") and below <= section.level:
            yield StructureDefect(
                section.number, "structure.empty", f"the section {section.title} is empty", section.title
            )


@dataclass(slots=True)
class _HeaderValues:
    """Header values collected so far."""

    tier: str = ""
    status: str = ""
    profile: str = ""


def _check_header_values(document: MarkdownDocument) -> Iterator[StructureDefect]:
    header_values = _HeaderValues()
    for line, key, value in document.keys:
        if line.number > find_last_header_line(document):
            break
        text = strip_emphasis(value)
        if text:
            yield from _check_header_line(line.number, key.lower(), text, header_values)
    yield from _check_profile_section(document, header_values)
    yield from _check_tier_against_profile(header_values)


def _check_header_line(
    line: int, name: str, text: str, header_values: _HeaderValues
) -> Iterator[StructureDefect]:
    if name == "category":
        yield from _check_category(line, re.sub(r"\s*\(.*", "", text))
    elif name in {"tier", "difficulty", "difficulty tier"}:
        word = re.match(r"(?:tier \d:? ?)?([A-Za-z]+)", text, re.IGNORECASE)
        header_values.tier = word[1].upper() if word else text
        if header_values.tier not in TIERS:
            yield StructureDefect(
                line,
                "enum.tier",
                f"`{text}` is not a difficulty tier{suggest_similar_name(header_values.tier, TIERS)}",
                text,
                ", ".join(TIERS),
            )
    elif name == "status":
        header_values.status = _parse_status(text)
        yield from _check_status(line, text, header_values.status)
    if name in {"difficulty", "profile", "difficulty profile"} and (match := _PROFILE.search(text)):
        header_values.profile = match[1]
        yield from _check_profile(line, header_values.profile)


def _check_category(line: int, category: str) -> Iterator[StructureDefect]:
    if f"The {category}" in CATEGORIES:
        yield StructureDefect(
            line,
            "enum.category-name",
            f"the full name of the category is The {category}",
            category,
            f"The {category}",
        )
    elif category not in CATEGORIES:
        yield StructureDefect(
            line,
            "enum.category",
            f"`{category}` is not a scenario category{suggest_similar_name(category, CATEGORIES)}",
            category,
            "one of the twelve",
        )


def _check_profile_section(
    document: MarkdownDocument, header_values: _HeaderValues
) -> Iterator[StructureDefect]:
    for section in document.sections:
        if header_values.profile or not re.search(
            r"difficulty profile|I\.D\.C\.B\.T\.X", section.title, re.IGNORECASE
        ):
            continue
        match = _PROFILE.search(f"{section.title}\n{section.text}")
        if match is not None:
            header_values.profile = match[1]
            yield from _check_profile(section.number, header_values.profile)


def _parse_status(text: str) -> str:
    first = re.split(r"[\s(,/]", text, maxsplit=1)[0].upper().strip("*:")
    if first in STATUSES:
        return first
    long = next((code for name, code in _LONG.items() if text.upper().startswith(name)), "")
    return long or first


def _check_status(line: int, text: str, status: str) -> Iterator[StructureDefect]:
    if status not in STATUSES:
        yield StructureDefect(
            line, "enum.status", f"`{text}` is not a solution status", text, ", ".join(STATUSES)
        )
        return
    gloss = re.search(r"\(([^)]*)\)", text)
    if gloss is not None:
        stated_meaning = gloss[1].lower().replace("-", " ")
        if (
            not stated_meaning.startswith(STATUSES[status].split()[0])
            and status not in stated_meaning.upper()
        ):
            yield StructureDefect(
                line,
                "enum.status-name",
                f"{status} means {STATUSES[status]}, not {gloss[1]}",
                text,
                STATUSES[status],
            )


def _check_profile(line: int, profile: str) -> Iterator[StructureDefect]:
    scores = [int(score) for score in profile.split(".")]
    if len(scores) != 6 or not all(1 <= score <= 5 for score in scores):  # noqa: PLR2004 - six dimensions, one to five
        yield StructureDefect(
            line,
            "enum.profile",
            f"`{profile}` is not a difficulty profile",
            profile,
            "six scores from 1 to 5, such as 3.2.2.2.3.2",
        )


def _check_tier_against_profile(header_values: _HeaderValues) -> Iterator[StructureDefect]:
    tier, status, profile = header_values.tier, header_values.status, header_values.profile
    scores = tuple(int(score) for score in profile.split(".")) if profile else ()
    if tier not in TIERS or len(scores) != 6 or not all(1 <= score <= 5 for score in scores):  # noqa: PLR2004
        return
    computed_tier, exact = choose_difficulty_tier(scores, status)
    if computed_tier != tier:
        kind = "matches" if exact else "is nearest to"
        yield StructureDefect(
            1,
            "tier.profile",
            f"the profile {profile} {kind} {computed_tier}, but the tier is {tier}",
            tier,
            computed_tier,
        )
