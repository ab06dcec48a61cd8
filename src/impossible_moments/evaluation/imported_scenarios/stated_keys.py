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
MOST: Final = 40
"""Maximum entries of a list."""
LONGEST: Final = 600
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
_Text = Annotated[str, Field(max_length=LONGEST)]


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
    insights: Annotated[tuple[_Text, ...], Field(max_length=MOST)] = ()
    distractors: Annotated[tuple[_Text, ...], Field(max_length=MOST)] = ()
    wrong_answers: Annotated[tuple[StatedEntry, ...], Field(max_length=MOST)] = ()
    criteria: Annotated[tuple[StatedEntry, ...], Field(max_length=MOST)] = ()
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
                f"Cannot read {path}, the key of an imported scenario. Import it again with `im import`."
            ) from None
        except ValidationError:
            raise ConfigurationError(
                f"{path} is not a key of an imported scenario; import it again with `im import`."
            ) from None
        if found.scenario_id != scenario_id:
            raise ConfigurationError(
                f"{path} is the key of {found.scenario_id}; import {scenario_id} again with `im import`."
            )
        return found


def build_stated_key(foreign: ImportedDocument, blind: BlindDocument, scenario_id: str) -> StatedKey:
    """Build the key of a parsed document."""
    insights = _select_answer_sections(foreign, INSIGHTS)
    distractors = [each for each in _select_answer_sections(foreign, DISTRACTORS) if each not in insights]
    wrong = _select_answer_sections(foreign, WRONG_ANSWERS)
    criteria = [
        each
        for each in _select_answer_sections(foreign, _CRITERIA)
        if each not in (*insights, *distractors, *wrong)
    ]
    # insights within the solution are part of the solution text too
    apart = [each for each in insights if not any(map(SOLUTION.search, each.path))]
    named = [*apart, *distractors, *wrong, *criteria]
    solution = [
        each for each in foreign.answers if each not in named and not any(map(_ASIDE.search, each.path))
    ]
    stated = foreign.stated
    return StatedKey(
        scenario_id=scenario_id,
        source=Path(foreign.name).name,
        title=foreign.title,
        status=stated.status,
        category=stated.category,
        tier=stated.tier,
        profile=stated.profile,
        stated=dict(stated.words),
        outcome=stated.outcome,
        solution=_join_solution_sections(solution),
        insights=tuple(dict.fromkeys(_iterate_insights(insights)))[:MOST],
        distractors=tuple(each.response for each in _iterate_entries(foreign, distractors))[:MOST],
        wrong_answers=tuple(_iterate_entries(foreign, wrong))[:MOST],
        criteria=tuple(_iterate_entries(foreign, criteria, scored=True))[:MOST],
        remarks=tuple(_iterate_import_remarks(foreign, blind)),
        canary=blind.canary,
    )


def _select_answer_sections(foreign: ImportedDocument, pattern: re.Pattern[str]) -> list[MarkdownSection]:
    """Return the answer sections with a matching heading in their path."""
    return [each for each in foreign.answers if any(pattern.search(title) for title in each.path)]


def _join_solution_sections(sections: list[MarkdownSection]) -> str:
    parts = (f"{each.title}\n{each.text.strip().removesuffix('---').strip()}".strip() for each in sections)
    return "\n\n".join(parts)[:LARGEST_SOLUTION]


def _iterate_insights(sections: list[MarkdownSection]) -> Iterator[str]:
    """Yield the insights: the heading text after a colon, or else the list items below the heading."""
    for section in sections:
        named = section.title.partition(":")[2].strip()
        items = list(_iterate_list_items(section))
        if named and INSIGHTS.search(section.title):
            yield named[:LONGEST]
        elif INSIGHTS.search(section.title):
            yield from items


def _iterate_list_items(section: MarkdownSection) -> Iterator[str]:
    """Yield the items of the outermost list of a section, each as one line."""
    item: list[str] = []
    for line in section.lines:
        found = _ITEM.match(line.text)
        if found is not None:
            if item:
                yield _normalize_entry_text(" ".join(item))
            item = [found[1]]
        elif item and line.text.strip() and not line.text.startswith("|") and not _RULE.match(line.text):
            item.append(line.text.strip())
    if item:
        yield _normalize_entry_text(" ".join(item))


def _iterate_entries(
    foreign: ImportedDocument, sections: list[MarkdownSection], *, scored: bool = False
) -> Iterator[StatedEntry]:
    """Yield the table rows of sections, or the list items of sections without tables."""
    for section in sections:
        numbers = {line.number for line in section.lines}
        tables = [each for each in foreign.document.tables if each.header.number in numbers]
        for table in tables:
            yield from (_build_table_entry(table, row, scored=scored) for row in table.rows if any(row.cells))
        if not tables:
            yield from (StatedEntry(response=each) for each in _iterate_list_items(section))


def _build_table_entry(table: MarkdownTable, row: MarkdownRow, *, scored: bool) -> StatedEntry:
    cells = [_normalize_entry_text(each) for each in row.cells]
    head = cells[0] if cells else ""
    if scored and len(table.header.cells) > 1:
        return StatedEntry(
            response=head,
            score=cells[1][:200] if len(cells) > 1 else "",
            why=_normalize_entry_text(" ".join(cells[2:])),
        )
    return StatedEntry(response=head, why=_normalize_entry_text(" ".join(cells[1:])))


def _normalize_entry_text(text: str) -> str:
    return " ".join(strip_emphasis(text).replace("**", "").split())[:LONGEST]


def _iterate_import_remarks(foreign: ImportedDocument, blind: BlindDocument) -> Iterator[str]:
    spelled = dict(foreign.stated.words)
    for name, ours in (("category", foreign.stated.category), ("tier", foreign.stated.tier)):
        if not ours:
            yield f"the {name} `{spelled[name][:60]}` is unknown and was left empty"
    shown = {line.number for each in foreign.shown for line in each.lines}
    for each in find_leaks(foreign.document, split_document_parts(foreign.document), blind=True):
        if each.line in shown and each.code == "leak.given-away":
            yield f"line {each.line}: {each.what}"
    for sentence in blind.shared:
        yield f"the situation and the answer both contain `{sentence[:80]}`"
