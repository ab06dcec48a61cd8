"""Whatever a document holds, it is audited to its end, soon and in little room."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

import pytest

from impossible_moments.audit.document_audit import audit_document
from impossible_moments.audit.documents.essence import extract_essence
from impossible_moments.audit.documents.markdown import MarkdownDocument
from impossible_moments.audit.documents.sources import LARGEST_DOCUMENT, read_document_sources
from support.processor_time import measure_least_seconds

AUDITED: Final = Path(__file__).parents[1] / "golden" / "audit"
FIXTURES: Final = tuple(path.read_text(encoding="utf-8") for path in sorted(AUDITED.glob("*.md")))
MUTANTS: Final = 500
MOST_SECONDS_EACH: Final = 1.0
MOST_MEGABYTES: Final = 400
GROWS: Final = 8.0
"""How many times as long a text of four times the length may take: four if it is linear, sixteen if quadratic."""
STRANGE: Final = "\u0000\u202e\ufeff\u2028\u200b²⁻٣½∞é漢🜁\U0010ffff\ud800\x1b\x85\x0b"
# fmt: off
BOMBS: Final = {
    "spaces": " ", "digits": "7", "open brackets": "(", "close brackets": ")", "square brackets": "[", "pipes": "|", "asterisks": "*", "backticks": "`", "equals": "=",
    "dashes": "-", "hashes": "#", "dots": ".", "colons": ":", "underscores": "_", "commas": "1,", "quotes": '"', "letters": "a", "words": "a ", "empty lines": "\n",
    "equations": "1 = ", "sums": "(1+", "roots": "sqrt(", "paces": "1 m at 1 m/s ", "remarks": "1 kg (", "headings": "# a\n", "deep headings": "# a\n## b\n### c\n",
    "tables": "|a|b|\n|--|--|\n", "keys": "**a**: b\n", "amounts": "1 kg ", "bold": "**a", "thinking": "wait ", "totals": "total: 5 min ", "ellipses": "... ",
    "counts": "3 bags at 3 ", "rules": "|--", "tens": "10^", "factors": "3 x ", "shares": "5% of ", "ranges": "5-", "fences": "```\n", "limits": "5 min within the ",
    "right sums": "1 + 1 = 2 ", "superscripts": "2²", "clocks": "1:", "compounds": "1 h 1 min ", "units": "5 m/s/", "slashes": "1/",
    "solutions": "## solution\n|time|cumulative|\n|--|--|\n|5 min|5 min|\n\nyou have 3 min left\n",
    "step tables": "|step|time|cumulative|\n|--|--|--|\n|x|5 min|9 min|\n\nTotal: 5 min\n\n",
    "object tables": "|a|mass|size|\n|--|--|--|\n|stone lamp|5 kg|1 m x 2 m x 3 m|\n\n",
    "total rows": "|total|5 kg|5 min|3 m|\n", "object rows": "|thing|5 kg|5 min|1 m|\n", "named rows": "|stone lamp|5 kg|5 min|1 m x 1 m x 1 m|\n",
}
# fmt: on
HEAD: Final = "|Step or object|Mass|Time|Dimensions|\n|--|--|--|--|\n"

Mutation = Callable[[str, Random], str]


def _cut(text: str, chance: Random) -> str:
    start, end = sorted(chance.randrange(len(text)) for _ in range(2))
    return text[start:end]


def _doubled(text: str, chance: Random) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line * chance.choice((1, 1, 2, 5)) for line in lines)


def _shuffled(text: str, chance: Random) -> str:
    lines = text.splitlines(keepends=True)
    chance.shuffle(lines)
    return "".join(lines)


def _random_bytes(text: str, chance: Random) -> str:
    data = bytearray(text.encode("utf-8", errors="replace"))
    for _ in range(40):
        data[chance.randrange(len(data))] = chance.randrange(1, 256)
    return data.decode("utf-8", errors="replace")


def _other_tables(text: str, chance: Random) -> str:
    lines = text.splitlines(keepends=True)
    rows = [line for line in lines if "|" in line] or ["| a |\n"]
    return "".join(chance.choice(rows) if "|" in line else line for line in lines)


def _strange_letters(text: str, chance: Random) -> str:
    return "".join(chance.choice(STRANGE[1:]) if chance.random() < 0.02 else each for each in text)


def _other_numbers(text: str, chance: Random) -> str:
    wild = ("0", "1e99", "10^999", "1e-320", "9" * 400, "-1", "٣", "1,2,3", "..", "2⁻", "∞")
    return "".join(chance.choice(wild) if each.isdigit() and chance.random() < 0.2 else each for each in text)


def _other_signs(text: str, chance: Random) -> str:
    signs = "=()|*`#+-/x^~:%"
    return "".join(
        chance.choice(signs) if not each.isalnum() and chance.random() < 0.1 else each for each in text
    )


MUTATIONS: Final[tuple[Mutation, ...]] = (
    _cut, _doubled, _shuffled, _random_bytes, _other_tables, _strange_letters, _other_numbers, _other_signs,
)  # fmt: skip


@cache
def mutants() -> tuple[str, ...]:
    """Fixtures after one to three mutations, the same on every run."""
    chance = Random(20)  # noqa: S311 - a repeatable choice, no secret
    found = []
    for at in range(MUTANTS):
        text = FIXTURES[at % len(FIXTURES)]
        for _ in range(chance.randint(1, 3)):
            text = chance.choice(MUTATIONS)(text, chance) or "x"
        found.append(text)
    return tuple(found)


def seconds(text: str) -> float:
    """The processor time of an audit, the best of a few: a busy machine slows some of them."""
    return measure_least_seconds(lambda: audit_document(text))


@pytest.mark.slow
def test_mutated_documents_are_audited_to_their_end_with_findings_inside_them() -> None:
    for text in mutants():
        last = len(MarkdownDocument(text).lines)
        assert all(1 <= each.line <= last for each in audit_document(text).findings)


@pytest.mark.slow
def test_a_mutated_document_takes_less_than_a_second_on_average() -> None:
    assert sum(map(seconds, mutants()[::5])) < MOST_SECONDS_EACH * MUTANTS / 5


def test_mutants_are_not_all_alike() -> None:
    assert len(set(mutants())) > 0.9 * MUTANTS


def test_what_is_found_in_a_mutant_can_be_written_as_json() -> None:
    for text in mutants()[::10]:
        json.dumps(audit_document(text).to_dict(), allow_nan=False)


def test_a_mutant_has_an_essence() -> None:
    for text in mutants()[::10]:
        assert extract_essence("mutant", text).name == "mutant"


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_time_grows_with_the_length_of_a_text_and_not_with_its_square(name: str) -> None:
    fill = BOMBS[name]
    head = HEAD if fill.startswith("|") and fill.endswith("|\n") else ""
    short, long = (head + fill * (size // len(fill)) for size in (8_000, 32_000))
    audit_document(short)

    assert seconds(long) < GROWS * seconds(short) + 0.25


@pytest.mark.slow
@pytest.mark.parametrize("name", ["equations", "sums", "remarks", "compounds", "amounts", "named rows"])
def test_a_line_of_five_megabytes_ends(name: str) -> None:
    assert audit_document(BOMBS[name].replace("\n", " ") * (5_000_000 // len(BOMBS[name]))).findings


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + "1 = 2",
        "(" * 3000 + "1" + ")" * 3000 + " = 2",
        "sqrt(" * 1000 + "4" + ")" * 1000 + " = 3",
        "2^" * 2000 + "2 = 4",
        "1 = (" * 1000,
        "-" * 5000 + "5 = 3",
        "5 x " * 2000 + "5 = 3",
        "√" * 4000 + "4 = 2",
    ],
    ids=lambda text: text[:6],
)
def test_nesting_of_any_depth_raises_nothing(text: str) -> None:
    assert audit_document(text).findings


@pytest.mark.parametrize(
    "data", [b"", b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 50, b"\xff\xfeh\x00i\x00"]
)
def test_a_file_that_is_no_text_is_an_error_and_no_exception(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(data)
    (source,) = read_document_sources([path])

    assert [each.code for each in audit_document(source.text).findings] in (
        ["document.empty"],
        ["document.binary"],
    )


def test_bytes_that_look_like_text_are_audited(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(Random(1).randbytes(20_000).replace(b"\x00", b"="))  # noqa: S311
    (source,) = read_document_sources([path])

    assert audit_document(source.text).findings


def test_a_file_of_jsonl_with_broken_lines_gives_what_it_can(tmp_path: Path) -> None:
    good = json.dumps({"id": 7, "markdown": FIXTURES[0]}).encode()
    bad = [b"{", b"\xff\xfe", b'{"markdown": 3}', b"[" * 50_000, b'{"markdown": "\\ud800"}', b"null", b"\x00"]
    path = tmp_path / "set.jsonl"
    path.write_bytes(b"\r\n".join([good, *bad, b"", good]))
    found = list(read_document_sources([path]))

    assert [bool(each.problem) for each in found] == [False, True, True, True, True, False, True, True, False]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").is_file(), reason="memory is told elsewhere here")
def test_twenty_megabytes_are_cut_and_need_little_room(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    path.write_bytes(b"The heron sleeps beneath the pebbled bank.\n" * (20_000_000 // 43))
    script = (
        "import re, sys\n"
        "from pathlib import Path\n"
        "from impossible_moments.audit.document_audit import audit_document\n"
        "from impossible_moments.audit.documents.sources import read_document_sources\n"
        "found = [each.code for source in read_document_sources([Path(sys.argv[1])]) for each in audit_document(source.text).findings]\n"
        # of this program alone: what resource tells begins with the size of the process that started it
        "peak = re.search(r'VmHWM:\\s+(\\d+) kB', Path('/proc/self/status').read_text())[1]\n"
        "print(found.count('document.cut'), peak)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True
    )
    cut, peak = map(int, done.stdout.split())

    assert cut == 1
    assert peak * 1024 < MOST_MEGABYTES * 1e6


def test_no_more_than_the_limit_is_read_of_a_text() -> None:
    (first, *_) = audit_document("x" * (LARGEST_DOCUMENT + 1)).findings

    assert first.code == "document.cut"
