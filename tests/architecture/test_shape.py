"""Each file of the package has the shape the house style gives it."""

import ast
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
PACKAGE = SOURCE / "impossible_moments"
LONGEST_MODULE = 400

# Modules that bring a clock, a die or a fresh identifier, and names that do so wherever they are found.
UNREPEATABLE_MODULES = frozenset({"random", "secrets", "time", "uuid"})
UNREPEATABLE_NAMES = frozenset(
    {
        "datetime.now",
        "datetime.utcnow",
        "datetime.today",
        "date.today",
        "os.urandom",
        "np.random",
        "numpy.random",
    }
)
RUNS_TEXT = frozenset({"eval", "exec", "__import__"})

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

Check = Callable[[ast.Module], list[str]]
"""Returns what is wrong with a module, each entry with its line, or an empty list."""


def modules(folder: Path = PACKAGE, pattern: str = "*.py") -> dict[str, Path]:
    """Files of the package by their names."""
    return {named(path): path for path in sorted(folder.rglob(pattern))}


def named(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def own_imports_in_functions(tree: ast.Module) -> list[str]:
    """Imports of this package inside a function: a sign that the layers are wrong."""
    found = {
        f"line {inner.lineno}: import of {name} inside a function"
        for function in ast.walk(tree)
        if isinstance(function, FUNCTIONS)
        for inner in ast.walk(function)
        if isinstance(inner, ast.Import | ast.ImportFrom)
        for name in imported_modules(inner)
        if name.split(".")[0] in {"impossible_moments", ""}
    }
    return sorted(found)


def unrepeatable(tree: ast.Module) -> list[str]:
    """Uses of a clock, a die, a fresh identifier, or text run as code."""
    return [f"line {line}: {what}" for line, what in sorted(set(unrepeatable_uses(tree)))]


def unrepeatable_uses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from ((node.lineno, f"import of {name}") for name in unrepeatable_imports(node))
            case ast.Attribute():
                ending = ".".join(ast.unparse(node).split(".")[-2:])
                if ending in UNREPEATABLE_NAMES:
                    yield node.lineno, ending
            case ast.Name(id=name) if name in RUNS_TEXT:
                yield node.lineno, name


def unrepeatable_imports(node: ast.Import | ast.ImportFrom) -> list[str]:
    names = imported_modules(node)
    found = [
        name for name in names if name.split(".")[0] in UNREPEATABLE_MODULES or name in UNREPEATABLE_NAMES
    ]
    if isinstance(node, ast.ImportFrom) and not found:
        members = [f"{node.module}.{alias.name}" for alias in node.names]
        found = [member for member in members if member in UNREPEATABLE_NAMES]
    return found


def code_beyond_reexports(tree: ast.Module) -> list[str]:
    """Statements of an `__init__.py` other than its docstring, imports and `__all__`."""
    return [
        f"line {statement.lineno}: {ast.unparse(statement).splitlines()[0]}"
        for position, statement in enumerate(tree.body)
        if not (
            isinstance(statement, ast.Import | ast.ImportFrom)
            or (position == 0 and ast.get_docstring(tree) is not None)
            or assigns_all(statement)
        )
    ]


def assigns_all(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assign(targets=[ast.Name(id="__all__")]) | ast.AnnAssign(target=ast.Name(id="__all__")):
            return True
    return False


def imported_modules(node: ast.Import | ast.ImportFrom) -> list[str]:
    """The modules an import statement names; a relative import names the empty string."""
    if isinstance(node, ast.ImportFrom):
        return [node.module if node.module and node.level == 0 else ""]
    return [alias.name for alias in node.names]


def offenders(check: Check, paths: Mapping[str, Path]) -> dict[str, list[str]]:
    """What is wrong with each file that something is wrong with."""
    assert len(paths) > 10, "the files of the package were not found"
    return {name: problems for name, path in paths.items() if (problems := check(parsed(path)))}


def missing_docstring(tree: ast.Module) -> list[str]:
    return [] if ast.get_docstring(tree) else ["line 1: no docstring"]


def test_a_module_says_what_it_is() -> None:
    assert offenders(missing_docstring, modules()) == {}


def test_a_module_is_short_enough_to_read() -> None:
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in modules().items()}
    too_long = {name: lines for name, lines in lengths.items() if lines > LONGEST_MODULE}

    assert too_long == {}, f"these have more than {LONGEST_MODULE} lines; split them by idea"


CLIENT_DOORS = frozenset({PACKAGE / "llm" / "connection_pool.py", PACKAGE / "llm" / "prompt_estimates.py"})
"""The modules that load `llm.client` when a model is first used: it needs the `[llm]` extra and takes a second."""


def test_no_function_outside_the_cli_imports_the_package() -> None:
    paths = {
        name: path
        for name, path in modules().items()
        if PACKAGE / "cli" not in path.parents and path not in CLIENT_DOORS
    }

    assert offenders(own_imports_in_functions, paths) == {}


def test_mechanics_uses_no_clock_die_or_code_in_text() -> None:
    assert offenders(unrepeatable, modules(PACKAGE / "mechanics")) == {}


def test_an_init_file_holds_only_its_docstring_and_reexports() -> None:
    # the package's own loads its public names when they are first used; tests/spec/test_public_api.py holds it
    paths = {name: path for name, path in modules(pattern="__init__.py").items() if path.parent != PACKAGE}

    assert offenders(code_beyond_reexports, paths) == {}


# fmt: off
REFUSED = [
    (own_imports_in_functions, "def f():\n    import impossible_moments.errors"),
    (own_imports_in_functions, "def f():\n    from impossible_moments import errors"),
    (own_imports_in_functions, "async def f():\n    from . import errors"),
    (unrepeatable,             "import random"),
    (unrepeatable,             "from random import choice"),
    (unrepeatable,             "from uuid import uuid4"),
    (unrepeatable,             "from os import urandom"),
    (unrepeatable,             "from numpy import random"),
    (unrepeatable,             "from numpy.random import default_rng"),
    (unrepeatable,             "import numpy as np\nnp.random.default_rng()"),
    (unrepeatable,             "import datetime\ndatetime.datetime.now()"),
    (unrepeatable,             "from datetime import datetime\nnow = datetime.now"),
    (unrepeatable,             "import time"),
    (unrepeatable,             "eval('1 + 1')"),
    (unrepeatable,             "run = exec"),
    (code_beyond_reexports,    '"""A package."""\nVERSION = 1'),
    (code_beyond_reexports,    "def f(): ..."),
    (missing_docstring,        "VERSION = 1"),
]
ALLOWED = [
    (own_imports_in_functions, "from impossible_moments import errors\ndef f():\n    import json"),
    (unrepeatable,             "from datetime import timedelta\ntimedelta(seconds=1)"),
    (unrepeatable,             "model.eval(x)\nre.compile('a')\nself.time"),
    (code_beyond_reexports,    '"""A package."""\nfrom a.b import c\n__all__ = ["c"]'),
]
# fmt: on


@pytest.mark.parametrize(("check", "text"), REFUSED)
def test_the_checks_above_find_what_they_look_for(check: Check, text: str) -> None:
    assert len(check(ast.parse(text))) == 1


@pytest.mark.parametrize(("check", "text"), ALLOWED)
def test_the_checks_above_let_pass_what_is_allowed(check: Check, text: str) -> None:
    assert check(ast.parse(text)) == []


@pytest.mark.slow
def test_every_file_of_the_package_is_in_the_wheel(tmp_path: Path) -> None:
    build = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stdout + build.stderr

    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
    expected = {named(path) for path in PACKAGE.rglob("*") if path.is_file() and belongs(path)}
    assert expected - packed == set()


def belongs(path: Path) -> bool:
    """Whether a file is the package's own, not a cache or something an editor left."""
    parts = path.relative_to(PACKAGE).parts
    return "__pycache__" not in parts and not any(part.startswith(".") for part in parts)
