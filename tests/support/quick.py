"""The tests that belong to the files that changed, for `make quick`.

    PYTHONPATH=tests python -m support.quick              # run them
    PYTHONPATH=tests python -m support.quick --list       # print them
    PYTHONPATH=tests python -m support.quick -x -k name   # other arguments go to pytest

Changed are files of the working tree and of the commits since the merge base with `main`, or of the last commit where
`main` itself is checked out. A module of the package selects the tests in the mirrored folder of `tests/unit`, a
command also the integration tests of its name, a helper in `tests/support` the tests that import it. The tests in
`tests/architecture` are always run; slow ones and matrices never are.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGE: Final = Path("src/impossible_moments")
SECONDS: Final = 40
"""Tests that would start later are not started, so that a wide change does not take long either."""
MOST_FILES: Final = 60
"""Test files that run within a minute."""
MANY_FILES: Final = 25
"""Test files from which a second process is worth its start."""


def main(arguments: Sequence[str]) -> int:
    """Run or list the tests of what changed, and return the exit status."""
    base = find_base(ROOT)
    changed = list_changed_files(ROOT, base)
    if not changed:
        print(f"No files changed since {base[:12]}: nothing to run. `make test` runs every test.")  # noqa: T201
        return 0
    chosen = select_tests(ROOT, changed)
    if "--list" in arguments:
        print(*chosen, sep="\n")  # noqa: T201
        return 0
    print(describe_choice(len(changed), len(chosen), base), flush=True)  # noqa: T201
    chosen = chosen[:MOST_FILES]
    workers = ["-n", "auto"] if len(chosen) >= MANY_FILES else []
    options = ["-m", "not slow and not matrix", "-rs", f"--start-within={SECONDS}", *workers]
    return int(pytest.main([*options, *arguments, *chosen]))


def describe_choice(changed: int, chosen: int, base: str) -> str:
    """Return a sentence about what is run, and what is not."""
    files = f"{changed} files changed since {base[:12]}"
    if chosen <= MOST_FILES:
        return f"{files}; running {chosen} test files."
    return f"{files}; running the nearest {MOST_FILES} of {chosen} test files. `make test` runs every test."


def find_base(root: Path) -> str:
    """Return the commit that changes are counted from."""
    head = _run_git(root, "rev-parse", "HEAD")
    for branch in ("main", "origin/main"):
        base = _run_git(root, "merge-base", "HEAD", branch, required=False)
        if base and base != head:
            return base
    return _run_git(root, "rev-parse", "HEAD~1", required=False) or head


def list_changed_files(root: Path, base: str) -> list[str]:
    """Return the paths of files that differ from `base`, deleted and untracked ones included."""
    tracked = _run_git(root, "diff", "--name-only", "--no-renames", base).splitlines()
    untracked = _run_git(root, "ls-files", "--others", "--exclude-standard").splitlines()
    return sorted({*tracked, *untracked})


def select_tests(root: Path, changed: Sequence[str]) -> list[str]:
    """Return the paths of the test files to run for changed files, relative to `root`, the nearest first."""
    near = {*_iterate_tests_in(root / "tests/architecture"), *_changed_tests(root, changed)}
    far: set[Path] = set()
    for path in map(Path, changed):
        if path.is_relative_to(PACKAGE):
            found = set(_iterate_tests_of_module(root, path.relative_to(PACKAGE)))
            near |= {each for each in found if each.stem in {f"test_{path.stem}", f"test_{path.stem}_cli"}}
            far |= found
        elif path.is_relative_to("tests/support"):
            far |= set(_iterate_importing_tests(root, path.stem))
    return [path.relative_to(root).as_posix() for path in (*sorted(near), *sorted(far - near))]


def _changed_tests(root: Path, changed: Iterable[str]) -> Iterator[Path]:
    for name in changed:
        if name.startswith("tests/") and Path(name).match("test_*.py") and (root / name).is_file():
            yield root / name


def _iterate_tests_of_module(root: Path, module: Path) -> Iterator[Path]:
    """Yield the tests in the nearest mirrored folder, and the integration tests of a command."""
    unit = root / "tests/unit"
    for folder in module.parents:
        if folder != Path() and (found := list(_iterate_tests_in(unit / folder))):
            yield from found
            break
    command = root / f"tests/integration/test_{module.stem}_cli.py"
    if module.parts[0] == "cli" and command.is_file():
        yield command


def _iterate_importing_tests(root: Path, helper: str) -> Iterator[Path]:
    """Yield the test files that import a helper, without those that only reach it through other helpers."""
    imports = re.compile(rf"^from support\b[^\n]*\b{re.escape(helper)}\b", re.MULTILINE)
    for path in (root / "tests").rglob("test_*.py"):
        if imports.search(path.read_text(encoding="utf-8")):
            yield path


def _iterate_tests_in(folder: Path) -> Iterator[Path]:
    yield from folder.glob("test_*.py")


def _run_git(root: Path, *arguments: str, required: bool = True) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, check=required, encoding="utf-8"
    )
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
