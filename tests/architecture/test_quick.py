"""`make quick` runs the tests of what changed, and the matrices run only where they are asked for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support import quick

ROOT = Path(__file__).parents[2]


def write(root: Path, *names: str, text: str = "") -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def git(root: Path, *arguments: str) -> None:
    me = ("-c", "user.name=A tester", "-c", "user.email=tester@example.invalid")
    subprocess.run(["git", *me, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a package, its tests and two commits on `main`."""
    write(
        tmp_path,
        "src/impossible_moments/mechanics/language/units.py",
        "src/impossible_moments/cli/actions/verify.py",
        "tests/architecture/test_shape.py",
        "tests/unit/mechanics/test_records.py",
        "tests/unit/mechanics/language/test_units.py",
        "tests/unit/mechanics/language/test_dimensions.py",
        "tests/unit/mechanics/language/matrix_units.py",
        "tests/unit/cli/test_main.py",
        "tests/integration/test_verify_cli.py",
        "tests/support/worlds.py",
    )
    write(tmp_path, "tests/properties/test_search.py", text="from support.worlds import small\n")
    git(tmp_path, "init", "--initial-branch=main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--message=Begin")
    write(tmp_path, "README.md", text="Second")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--message=Add a page")
    return tmp_path


def changed(root: Path) -> list[str]:
    return quick.list_changed_files(root, quick.find_base(root))


def selected(root: Path, *names: str) -> list[str]:
    """The tests for these files without those that are always run."""
    always = ["tests/architecture/test_shape.py"]
    found = quick.select_tests(root, names)
    assert set(always) <= set(found)
    return [name for name in found if name not in always]


def test_on_main_the_last_commit_and_the_working_tree_count(repository: Path) -> None:
    write(repository, "src/impossible_moments/mechanics/language/units.py", text="changed")
    write(repository, "src/impossible_moments/mechanics/fresh.py")
    (repository / "tests/unit/cli/test_main.py").unlink()

    assert changed(repository) == [
        "README.md",
        "src/impossible_moments/mechanics/fresh.py",
        "src/impossible_moments/mechanics/language/units.py",
        "tests/unit/cli/test_main.py",
    ]


def test_on_a_branch_everything_since_main_counts(repository: Path) -> None:
    git(repository, "switch", "--create", "branch")
    for number in (1, 2):
        write(repository, f"docs/page_{number}.md")
        git(repository, "add", ".")
        git(repository, "commit", f"--message=Add page {number}")

    assert changed(repository) == ["docs/page_1.md", "docs/page_2.md"]


def test_a_first_commit_has_nothing_before_it(tmp_path: Path) -> None:
    write(tmp_path, "README.md")
    git(tmp_path, "init")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--message=Begin")

    assert changed(tmp_path) == []


def test_a_module_selects_the_tests_of_its_folder_without_matrices(repository: Path) -> None:
    assert selected(repository, "src/impossible_moments/mechanics/language/units.py") == [
        "tests/unit/mechanics/language/test_units.py",
        "tests/unit/mechanics/language/test_dimensions.py",
    ]


def test_the_nearest_tests_come_first(repository: Path) -> None:
    write(
        repository,
        "tests/unit/mechanics/language/test_words.py",
        "tests/unit/mechanics/language/test_ascii.py",
    )
    found = selected(repository, "src/impossible_moments/mechanics/language/words.py")

    assert found[0] == "tests/unit/mechanics/language/test_words.py"
    assert len(found) == 4


def test_a_wide_change_runs_the_nearest_tests_and_says_so() -> None:
    assert quick.describe_choice(3, 60, "0123456789abcdef") == (
        "3 files changed since 0123456789ab; running 60 test files."
    )
    assert quick.describe_choice(700, 61, "0123456789abcdef") == (
        "700 files changed since 0123456789ab; running the nearest 60 of 61 test files. "
        "`make test` runs every test."
    )


def test_a_module_whose_folder_has_no_tests_selects_those_of_the_folder_above(repository: Path) -> None:
    found = selected(repository, "src/impossible_moments/mechanics/puzzles/tables/code.yaml")
    assert found == ["tests/unit/mechanics/test_records.py"]


def test_a_command_selects_its_integration_tests_too(repository: Path) -> None:
    assert selected(repository, "src/impossible_moments/cli/actions/verify.py") == [
        "tests/integration/test_verify_cli.py",
        "tests/unit/cli/test_main.py",
    ]


def test_a_helper_selects_the_tests_that_import_it(repository: Path) -> None:
    assert selected(repository, "tests/support/worlds.py") == ["tests/properties/test_search.py"]


def test_a_changed_test_selects_itself_and_a_deleted_one_nothing(repository: Path) -> None:
    names = ("tests/unit/cli/test_main.py", "tests/unit/cli/test_gone.py", "docs/page.md", "Makefile")
    assert selected(repository, *names) == ["tests/unit/cli/test_main.py"]


def test_where_nothing_changed_it_says_so(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quick, "ROOT", repository)
    monkeypatch.setattr(quick, "find_base", lambda _root: "HEAD")

    assert quick.main([]) == 0
    assert capsys.readouterr().out == (
        "No files changed since HEAD: nothing to run. `make test` runs every test.\n"
    )


def test_the_tests_can_be_listed(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quick, "ROOT", repository)

    assert quick.main(["--list"]) == 0
    assert capsys.readouterr().out == "tests/architecture/test_shape.py\n"


# matrices and late tests, with this project's own conftest in an empty one


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("tests/conftest.py", "pyproject.toml"):
        write(tmp_path, name, text=(ROOT / name).read_text(encoding="utf-8"))
    write(tmp_path, "tests/test_one.py", text="def test_one():\n    pass\n")
    write(tmp_path, "tests/matrix_one.py", text="def test_all():\n    pass\n")
    return tmp_path


def outcome(project: Path, *arguments: str) -> str:
    """What pytest prints, with a line for each test."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *arguments],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "has_matrix", "has_others"),
    [
        ((), False, True),
        (("tests",), False, True),
        (("--matrix",), True, True),
        (("-m", "matrix"), True, False),
        (("--matrix", "-m", "not matrix"), False, True),
        (("tests/matrix_one.py",), True, False),
        (("tests/matrix_one.py::test_all",), True, False),
    ],
)
def test_matrices_run_where_they_are_asked_for(
    project: Path, arguments: tuple[str, ...], *, has_matrix: bool, has_others: bool
) -> None:
    shown = outcome(project, *arguments)

    assert ("PASSED tests/matrix_one.py::test_all" in shown) is has_matrix
    assert ("PASSED tests/test_one.py::test_one" in shown) is has_others


@pytest.mark.slow
def test_a_test_that_would_start_too_late_is_skipped_with_the_reason(project: Path) -> None:
    assert "not started within 0 seconds" in outcome(project, "--start-within=0")
    assert "PASSED tests/test_one.py::test_one" in outcome(project, "--start-within=600")
