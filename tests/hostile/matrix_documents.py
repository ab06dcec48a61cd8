"""Whatever a document holds, it is refused in one sentence or with findings, soon and in little room."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hostile.documents import Text, documents
from impossible_moments.cli.main import app
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.records.documents import DocumentError, parse_document
from impossible_moments.mechanics.records.record_validation import MAX_FINDINGS, parse_record
from support.processor_time import measure_least_seconds

TESTS = Path(__file__).parents[1]
DOCUMENTS = documents()
MOST_SECONDS = 1.0
MOST_MEGABYTES = 100


def refused(text: Text) -> None:
    """Fails unless the text is refused as it should be."""
    findings = Findings()
    try:
        data = parse_document(text, name="record.yaml")
    except DocumentError as error:
        sentence = str(error)
        assert sentence.endswith(".")
        assert sentence.isprintable()
        assert len(sentence) <= 300
        return
    assert parse_record(data, findings) is None
    assert 1 <= len(findings.errors) <= MAX_FINDINGS
    assert max(len(str(finding)) for finding in findings) <= 1500


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_hostile_document_is_refused_within_a_second(name: str) -> None:
    assert measure_least_seconds(lambda: refused(DOCUMENTS[name]), enough=MOST_SECONDS) < MOST_SECONDS


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_command_answers_a_hostile_document_with_status_2(name: str, tmp_path: Path) -> None:
    text = DOCUMENTS[name]
    path = tmp_path / "record.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))

    assert CliRunner().invoke(app, ["verify", str(path)]).exit_code == 2


def test_there_are_enough_hostile_documents_and_no_two_alike() -> None:
    assert len(DOCUMENTS) >= 120
    assert len(set(DOCUMENTS.values())) == len(DOCUMENTS)


def grown_by_all() -> int:
    """How many megabytes this process grew by while it refused every document."""
    for text in ("", DOCUMENTS["a code of a million signs"]):  # whatever is built once, is built now
        refused(text)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for text in DOCUMENTS.values():
        refused(text)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted in other units elsewhere")
def test_all_hostile_documents_together_take_little_memory() -> None:
    code = "import runpy, sys; sys.path = sys.argv[2:]; print(runpy.run_path(sys.argv[1])['grown_by_all']())"
    run = subprocess.run(
        [sys.executable, "-c", code, __file__, str(TESTS), *sys.path],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert run.returncode == 0, run.stderr
    assert int(run.stdout) < MOST_MEGABYTES
