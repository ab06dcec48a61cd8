"""Output of what readers would notice in drawn scenarios: warnings about text and key, and open everyday ideas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from impossible_moments.blueprints import OfferSurvey
from impossible_moments.cli.output.formatting import escape_control_characters
from impossible_moments.cli.output.tables import create_table
from impossible_moments.cli.output.terminal import Console
from impossible_moments.library import load_everyday_ideas
from impossible_moments.mechanics.findings import Finding, Severity

MOST_DETAILED: Final = 6
"""The most offers whose warnings are printed one by one."""
IDEAS: Final = "idea"
_UNSETTLED: Final = ", and nothing states why it fails"


def print_remarks(surveys: Sequence[OfferSurvey]) -> None:
    """Print the warnings of a few offers one by one, or the counts of many."""
    console = Console()
    if len(surveys) > MOST_DETAILED:
        _print_counts(surveys, console)
        return
    for survey in surveys:
        _print_warnings(survey, console)
        _print_ideas(survey, console)


def _print_warnings(survey: OfferSurvey, console: Console) -> None:
    remarks = [each for each in survey.remarks if not _is_about_idea(each)]
    if remarks:
        console.print(f"\n{survey.offer.name}: for review, not refused", style="bold", highlight=False)
    for each in sorted(remarks, key=lambda finding: (finding.severity is Severity.NOTE, finding.code)):
        times = f"{survey.remarks[each]} × " if survey.tried > 1 else ""
        line = f"  {times}{each.code} at {each.where}: {each.what}"
        console.print(escape_control_characters(line), highlight=False, markup=False)
        if each.found:
            console.print(
                escape_control_characters(f"      found: {each.found}"),
                style="dim",
                highlight=False,
                markup=False,
            )
        if each.expected:
            console.print(
                escape_control_characters(f"      write: {each.expected}"),
                style="dim",
                highlight=False,
                markup=False,
            )


def _print_ideas(survey: OfferSurvey, console: Console) -> None:
    """Print the everyday ideas that no entry of the skin settles, each with why it applies and how to close it."""
    ideas = {each.where.rpartition("/")[2]: each for each in survey.remarks if _is_about_idea(each)}
    if not ideas:
        return
    console.print()
    for name, each in sorted(ideas.items(), key=lambda item: (item[1].code != "idea.open", item[0])):
        console.print(
            escape_control_characters(_format_idea(name, each)), highlight=False, markup=False, soft_wrap=True
        )
    opened = sum(each.code == "idea.open" for each in ideas.values())
    console.print(
        f"idea.open: {opened} everyday ideas of {len(load_everyday_ideas())} apply to {survey.offer.name} and are open; "
        f"{len(ideas) - opened} more may be closed already (idea.proposed).\n"
        "State them in the skin, under `telling`: `closed_ideas: {phone: words of the text}`, "
        "`modelled_ideas: {wait: name of an approach}` or `inapplicable_ideas: {dig: why it does not apply}`.",
        highlight=False,
        markup=False,
    )


def _format_idea(name: str, finding: Finding) -> str:
    """Return an idea as one line: why it applies, and how to close it or what may close it already."""
    applies = finding.what.partition("It applies because ")[2].removesuffix(_UNSETTLED)
    if finding.code == "idea.open":
        return f"open  {name}: {applies}. Close it: {finding.expected[:1].lower()}{finding.expected[1:]}"
    return f"maybe {name}: {applies}. Perhaps {finding.found.removeprefix('perhaps ')} settles it."


def _print_counts(surveys: Sequence[OfferSurvey], console: Console) -> None:
    findings = Counter(each.code for survey in surveys for each in survey.remarks)
    offers = Counter(code for survey in surveys for code in {each.code for each in survey.remarks})
    table = create_table("for review", "severity", "findings", "offers", right=("findings", "offers"))
    for code in sorted(findings):
        table.add_row(code, Severity(Finding.codes[code][0]), str(findings[code]), str(offers[code]))
    if findings:
        console.print()
        console.print(table)
        console.print(
            "`im blueprint check FILE` prints each of them for the skin in a file.", highlight=False
        )


def _is_about_idea(finding: Finding) -> bool:
    return finding.code.startswith(f"{IDEAS}.")
