"""The documentation says what the code does: its examples run, its lists and bounds are the code's, its links lead somewhere."""

import re
from pathlib import Path

import pytest

from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import CheckReport, verify_record
from impossible_moments.mechanics.execution import minimal_plans, plan_search, search_limits
from impossible_moments.mechanics.findings.codes import CODES
from impossible_moments.mechanics.findings.codes_page import AREAS, render_codes_page
from impossible_moments.mechanics.language import expression_parser
from impossible_moments.mechanics.language.units import list_known_units
from impossible_moments.mechanics.proofs import ProofBudget, impossibility
from impossible_moments.mechanics.records.document_values import MAX_BYTES
from impossible_moments.mechanics.records.documents import load_document, parse_document
from impossible_moments.mechanics.records.plans import MAX_CALLS
from impossible_moments.mechanics.uncertain import (
    MOST_NODES,
    UncertainWorld,
    measure_world,
    parse_uncertain_record,
)
from impossible_moments.mechanics.world.building import declarations
from impossible_moments.uncertain_worlds import load_families

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs/mechanics.md"
PAGES = (
    *sorted((ROOT / "docs").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
)
REGENERATE = "python -m impossible_moments.mechanics.findings.codes_page > docs/findings.md"

FIRST_RECORD = re.compile(r"<!-- first record -->\n```yaml\n(.*?)```", re.DOTALL)
PUZZLE = re.compile(r"<!-- puzzle: (answer\(.*?\)) -->\n```yaml\n(.*?)```", re.DOTALL)
BOUND = re.compile(r"^\| ([a-z ,]+) \| ([\d,]+) \|$", re.MULTILINE)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")

# what the guide calls a bound, and where the code keeps it
BOUNDS = {
    "calls in a plan": MAX_CALLS,
    "nodes of all searches on one record": search_limits.SearchBounds().nodes,
    "ways that are distinguished": minimal_plans.MOST_WAYS,
    "values tried of a continuous decision, in the search": plan_search.GRID,
    "partial plans in a proof of impossibility": impossibility.NODES,
    "parts of the box for one question": ProofBudget().boxes,
    "characters in an expression": expression_parser.MAX_LENGTH,
    "depth of an expression": expression_parser.MAX_DEPTH,
    "parts of a quantity with all it is derived from": declarations.LARGEST_EXPANSION,
    "kilobytes in a document": MAX_BYTES // 1024,
}


def guide() -> str:
    return GUIDE.read_text(encoding="utf-8")


def puzzles() -> list[tuple[str, str]]:
    """The puzzle examples of the guide, each with the call that answers it."""
    return PUZZLE.findall(guide())


def played(call: str, fragment: str) -> CheckReport:
    """The check of a small record round a puzzle: one approach answers it rightly, one wrongly."""
    data = parse_document(fragment, name="docs/mechanics.md")
    assert isinstance(data, dict)
    puzzle = call.removeprefix("answer(").partition(",")[0]
    right = {"name": "right", "plan": [call], "ends": "goal", "why": "it is the answer"}
    wrong = {
        "name": "wrong",
        "plan": [f"answer({puzzle}, 'x')"],
        "ends": f"blocked answer.{puzzle}",
        "why": "it is not",
    }
    return verify_record(
        {
            "format": "im-mechanics/1",
            "title": "An example",
            "category": "The Memory Palace",
            "approaches": [right, wrong],
            "status": {"claim": "KS-Singular", "ways": ["right"], "traps": ["wrong"]},
            "prose": {"narrative": "An example has no story."},
            **data,
        },
        load_everyday_library(),
    )


def test_the_first_record_of_the_guide_is_the_example_file() -> None:
    (written,) = FIRST_RECORD.findall(guide())

    assert written == (ROOT / "examples/first_record.yaml").read_text(encoding="utf-8")


def test_the_first_record_is_accepted_without_a_remark() -> None:
    report = verify_record(load_document(ROOT / "examples/first_record.yaml"), load_everyday_library())

    assert [str(finding) for finding in report.findings] == []


# fmt: off
CHANGES = [
    ("ends: blocked reach_down.long_enough", "ends: late",      {"approach.ends"}),
    ("length = 0.9[m]",                      "length = 1.3[m]", {"approach.ends", "status.trap-works", "status.claim"}),
    ("lie {depth|m} below it",               "lie 1.2 m below it", {"prose.number", "prose.given-unprinted"}),
]
# fmt: on


@pytest.mark.parametrize(("old", "new", "codes"), CHANGES)
def test_the_changes_the_guide_proposes_are_found(old: str, new: str, codes: set[str]) -> None:
    text = (ROOT / "examples/first_record.yaml").read_text(encoding="utf-8")
    assert text.count(old) == 1

    report = verify_record(
        parse_document(text.replace(old, new), name="first_record.yaml"), load_everyday_library()
    )

    assert codes <= {finding.code for finding in report.findings.errors}


def test_the_guide_has_an_example_of_each_kind_of_puzzle() -> None:
    kinds = re.findall(r"^  - kind: (\w+)$", "".join(fragment for _, fragment in puzzles()), re.MULTILINE)

    assert sorted(kinds) == ["clues", "code", "diagnosis", "signal"]


@pytest.mark.parametrize(("call", "fragment"), puzzles(), ids=[call for call, _ in puzzles()])
def test_a_puzzle_of_the_guide_has_the_answer_that_stands_beside_it(call: str, fragment: str) -> None:
    report = played(call, fragment)

    # the examples have no story, and so print and quote nothing, and are not published
    expected = ("prose.", "wording.none")
    assert [str(finding) for finding in report.findings if not finding.code.startswith(expected)] == []


def test_the_bounds_in_the_guide_are_the_code_s() -> None:
    table = guide().partition("<!-- bounds -->")[2].partition("\n## ")[0]
    written = {name: int(value.replace(",", "")) for name, value in BOUND.findall(table)}

    assert written == BOUNDS, (
        "docs/mechanics.md, section 6, lists other bounds than the code has: correct the table"
    )


def test_the_guide_lists_every_unit() -> None:
    table = guide().partition("### 3.4 Units")[2].partition("### 3.5")[0]
    words = set(re.findall(r"[A-Za-z]+", table))
    spelled_otherwise = {"L", "hour", "1", "EUR", "USD"}

    assert set(list_known_units()) - words - spelled_otherwise == set()


def test_the_page_of_codes_is_up_to_date() -> None:
    written = (ROOT / "docs/findings.md").read_text(encoding="utf-8")

    assert written == render_codes_page(), f"docs/findings.md is not what the code says: run `{REGENERATE}`"


def test_every_code_stands_on_the_page_once() -> None:
    page = render_codes_page()

    assert CODES
    assert [code for code in CODES if page.count(f"`{code}`") != 1] == []


def test_no_first_word_of_a_code_belongs_to_two_areas() -> None:
    words = [word for _, area in AREAS for word in area]

    assert len(words) == len(set(words))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_link_within_the_project_leads_somewhere(page: Path) -> None:
    broken = [
        link
        for link in LINK.findall(page.read_text(encoding="utf-8"))
        if not link.startswith(("http://", "https://")) and not leads_somewhere(page, link)
    ]

    assert broken == []


def leads_somewhere(page: Path, link: str) -> bool:
    """Whether a relative link names a file, and a heading of it where it names one."""
    name, _, heading = link.partition("#")
    target = page.parent / name if name else page
    if not target.is_file():
        return False
    return not heading or heading in {
        anchor(line) for line in target.read_text(encoding="utf-8").splitlines()
    }


def anchor(line: str) -> str:
    """The anchor that a heading gets where Markdown is shown."""
    words = re.sub(r"[^\w\s-]", "", line.lstrip("#").strip().lower())
    return re.sub(r"\s", "-", words) if line.startswith("#") else ""


def test_the_uncertain_example_is_the_example_file_and_has_the_printed_values() -> None:
    page = (ROOT / "docs/uncertain_worlds.md").read_text(encoding="utf-8")
    (written,) = re.findall(r"<!-- uncertain example -->\n```yaml\n(.*?)```", page, re.DOTALL)
    path = ROOT / "examples/uncertain_world.yaml"
    measures = measure_world(UncertainWorld(parse_uncertain_record(load_document(path))))
    values = ", ".join(f"{name} {value:.4f}" for name, value in measures.values.items())

    assert written == path.read_text(encoding="utf-8")
    assert (
        f"uncertain world, {values}; {measures.nodes} belief states, first act {measures.first_act}" in page
    )
    assert f"{MOST_NODES:,} nodes" in page


def test_the_page_on_uncertain_worlds_lists_every_family() -> None:
    page = (ROOT / "docs/uncertain_worlds.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (The [\w ]+) \|", page, re.MULTILINE))

    assert rows == {name: family.category for name, family in load_families().items()}
