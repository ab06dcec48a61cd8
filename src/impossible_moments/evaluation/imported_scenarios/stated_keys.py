"""Keys of imported scenarios: the outcome stated by the author, and the material for judges."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from impossible_moments.audit.documents import (
    DISTRACTORS,
    INSIGHTS,
    SOLUTION,
    WRONG_ANSWERS,
    MarkdownRow,
    MarkdownSection,
    MarkdownTable,
    split_document_parts,
    strip_emphasis,
)
from impossible_moments.audit.leaks import find_leaks
from impossible_moments.domain.vocabulary import Status, parse_main_status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.imported_scenarios.blind_documents import BlindDocument
from impossible_moments.evaluation.imported_scenarios.document_parser import ImportedDocument

FILE: Final = "{}_key.json"
LARGEST_FILE: Final = 1_000_000
MOST_ENTRIES: Final = 40
"""Maximum entries of a list."""
LONGEST_TEXT: Final = 600
"""Maximum characters of an entry."""
LARGEST_SOLUTION: Final = 16_000
"""Maximum characters of the stated solution given to judges."""
_CRITERIA: Final = re.compile(r"evaluation|scoring|rubric|criteria", re.IGNORECASE)
_ASIDE: Final = re.compile(
    r"design notes|difficulty|cognitive skills|metadata|counterfactual|methodology|why (?:this|it) (?:looks|seems|appears) ",
    re.IGNORECASE,
)
_RULE: Final = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*$")
_ITEM: Final = re.compile(r"(?:\d{1,3}[.)]|[-*+])\s+(.*)")
_Text = Annotated[str, Field(max_length=LONGEST_TEXT)]


class _FrozenModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class StatedEntry(_FrozenModel):
    """A row of the author's tables: a response, its score, and the reason."""

    response: _Text
    score: Annotated[str, Field(max_length=200)] = ""
    why: _Text = ""


class StatedKey(_FrozenModel):
    """The statements of the author of an imported scenario; nothing in it was executed."""

    form: Literal["foreign key 1"] = "foreign key 1"
    scenario_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")]
    source: str
    """The name of the file it was imported from."""
    title: str = ""
    status: Annotated[str, Field(pattern=r"^(?:KS(?:-(?:Singular|Multiple|Fragile))?|CT|OF|PX|MT|DG)$")]
    category: str = ""
    """One of the twelve categories, or empty."""
    tier: str = ""
    profile: str = ""
    stated: dict[str, str] = {}
    """Status, category and tier as written in the document."""
    outcome: Annotated[str, Field(min_length=1, max_length=2_000)]
    solution: Annotated[str, Field(max_length=LARGEST_SOLUTION)] = ""
    insights: Annotated[tuple[_Text, ...], Field(max_length=MOST_ENTRIES)] = ()
    distractors: Annotated[tuple[_Text, ...], Field(max_length=MOST_ENTRIES)] = ()
    wrong_answers: Annotated[tuple[StatedEntry, ...], Field(max_length=MOST_ENTRIES)] = ()
    criteria: Annotated[tuple[StatedEntry, ...], Field(max_length=MOST_ENTRIES)] = ()
    remarks: tuple[str, ...] = ()
    """Remarks of the importer: unknown categories or tiers, and sentences that occur in both parts."""
    canary: str

    @cached_property
    def main_status(self) -> Status:
        """The status without its subtype."""
        return parse_main_status(self.status)

    def to_json(self) -> str:
        """Return the content of the key file."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def load(cls, folder: Path, scenario_id: str) -> StatedKey:
        """Load the key of an imported scenario; raise `ConfigurationError` if it is missing or invalid."""
        path = folder / FILE.format(scenario_id)
        try:
            with path.open("rb") as stream:
                found = cls.model_validate_json(stream.read(LARGEST_FILE))
        except OSError:
            raise ConfigurationError(
                f"Cannot read {path}, the answer key of an imported scenario. Import it again with `im import`."
            ) from None
        except ValidationError:
            raise ConfigurationError(
                f"{path} is not a valid answer key of an imported scenario; import it again with `im import`."
            ) from None
        if found.scenario_id != scenario_id:
            raise ConfigurationError(
                f"{path} is the answer key of another scenario, {found.scenario_id}; import {scenario_id} again with `im import`."
            )
        return found


def build_stated_key(document: ImportedDocument, blind: BlindDocument, scenario_id: str) -> StatedKey:
    """Build the key of a parsed document."""
    insights = _select_answer_sections(document, INSIGHTS)
    distractors = [each for each in _select_answer_sections(document, DISTRACTORS) if each not in insights]
    wrong_sections = _select_answer_sections(document, WRONG_ANSWERS)
    criteria = [
        each
        for each in _select_answer_sections(document, _CRITERIA)
        if each not in (*insights, *distractors, *wrong_sections)
    ]
    # insights within the solution are part of the solution text too
    separate_insights = [each for each in insights if not any(map(SOLUTION.search, each.path))]
    named = [*separate_insights, *distractors, *wrong_sections, *criteria]
    solution = [
        each for each in document.answers if each not in named and not any(map(_ASIDE.search, each.path))
    ]
    header = document.stated_header
    return StatedKey(
        scenario_id=scenario_id,
        source=Path(document.name).name,
        title=document.title,
        status=header.status,
        category=header.category,
        tier=header.tier,
        profile=header.profile,
        stated=dict(header.words),
        outcome=header.outcome,
        solution=_join_solution_sections(solution),
        insights=tuple(dict.fromkeys(_iterate_insights(insights)))[:MOST_ENTRIES],
        distractors=tuple(each.response for each in _iterate_stated_responses(document, distractors))[
            :MOST_ENTRIES
        ],
        wrong_answers=tuple(_iterate_stated_responses(document, wrong_sections))[:MOST_ENTRIES],
        criteria=tuple(_iterate_stated_responses(document, criteria, has_scores=True))[:MOST_ENTRIES],
        remarks=tuple(_iterate_import_warnings(document, blind)),
        canary=blind.canary,
    )


def _select_answer_sections(document: ImportedDocument, pattern: re.Pattern[str]) -> list[MarkdownSection]:
    """Return the answer sections with a matching heading in their path."""
    return [each for each in document.answers if any(pattern.search(title) for title in each.path)]


def _join_solution_sections(sections: list[MarkdownSection]) -> str:
    parts = (f"{each.title}\n{each.text.strip().removesuffix('---').strip()}".strip() for each in sections)
    return "\n\n".join(parts)[:LARGEST_SOLUTION]


def _iterate_insights(sections: list[MarkdownSection]) -> Iterator[str]:
    """Yield the insights: the heading text after a colon, or else the list items below the heading."""
    for section in sections:
        named = section.title.partition(":")[2].strip()
        items = list(_iterate_list_items(section))
        if named and INSIGHTS.search(section.title):
            yield named[:LONGEST_TEXT]
        elif INSIGHTS.search(section.title):
            yield from items


def _iterate_list_items(section: MarkdownSection) -> Iterator[str]:
    """Yield the items of the outermost list of a section, each as one line."""
    item: list[str] = []
    for line in section.lines:
        found = _ITEM.match(line.text)
        if found is not None:
            if item:
                yield _strip_emphasis_and_spacing(" ".join(item))
            item = [found[1]]
        elif item and line.text.strip() and not line.text.startswith("|") and not _RULE.match(line.text):
            item.append(line.text.strip())
    if item:
        yield _strip_emphasis_and_spacing(" ".join(item))


def _iterate_stated_responses(
    document: ImportedDocument, sections: list[MarkdownSection], *, has_scores: bool = False
) -> Iterator[StatedEntry]:
    """Yield the table rows of sections, or the list items of sections without tables."""
    for section in sections:
        numbers = {line.number for line in section.lines}
        tables = [each for each in document.document.tables if each.header.number in numbers]
        for table in tables:
            yield from (
                _build_stated_response_from_row(table, row, has_scores=has_scores)
                for row in table.rows
                if any(row.cells)
            )
        if not tables:
            yield from (StatedEntry(response=each) for each in _iterate_list_items(section))


def _build_stated_response_from_row(
    table: MarkdownTable, row: MarkdownRow, *, has_scores: bool
) -> StatedEntry:
    cells = [_strip_emphasis_and_spacing(each) for each in row.cells]
    head = cells[0] if cells else ""
    if has_scores and len(table.header.cells) > 1:
        return StatedEntry(
            response=head,
            score=cells[1][:200] if len(cells) > 1 else "",
            why=_strip_emphasis_and_spacing(" ".join(cells[2:])),
        )
    return StatedEntry(response=head, why=_strip_emphasis_and_spacing(" ".join(cells[1:])))


def _strip_emphasis_and_spacing(text: str) -> str:
    return " ".join(strip_emphasis(text).replace("**", "").split())[:LONGEST_TEXT]


def _iterate_import_warnings(document: ImportedDocument, blind: BlindDocument) -> Iterator[str]:
    spellings = dict(document.stated_header.words)
    for name, parsed_value in (
        ("category", document.stated_header.category),
        ("tier", document.stated_header.tier),
    ):
        if not parsed_value:
            yield f"the {name} `{spellings[name][:60]}` is unknown and was left empty"
    shown_lines = {line.number for each in document.shown_sections for line in each.lines}
    for each in find_leaks(document.document, split_document_parts(document.document), blind=True):
        if each.line in shown_lines and each.code == "leak.given-away":
            yield f"line {each.line}: {each.what}"
    for sentence in blind.shared:
        yield f"the situation and the answer both contain `{sentence[:80]}`"
