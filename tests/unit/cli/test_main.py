"""The assembly of `im`: every command has help in two spellings, and help loads no heavy package."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from impossible_moments.cli import main as assembly
from impossible_moments.cli.main import app

CLI = Path(assembly.__file__).parent
MOST_MODULES = 25
GROUPS = {
    "agent": ["run"],
    "blueprint": ["list", "show", "new-skin", "check", "preview"],
    "breakthroughs": ["collect", "list", "show", "review", "verify"],
    "prompts": ["list", "diff", "test"],
    "review": ["list", "show", "decide"],
    "schema": ["export"],
    "show": [
        "library", "object", "operators", "template", "matrix", "gates", "tiers", "protocol", "scenario", "trace",
        "recording", "prompt",
    ],
}  # fmt: skip
COMMANDS = ["create", "resume", "status", "verify", "audit", "eval", "score", "report", "export", "import"]
EVERY = [
    [],
    *([name] for name in (*COMMANDS, *GROUPS)),
    *([g, n] for g, names in GROUPS.items() for n in names),
]
HEAVY = ("impossible_moments.mechanics", "impossible_moments.agents", "numpy", "z3", "wordllama", "yaml")


@pytest.mark.parametrize("command", EVERY, ids=" ".join)
def test_h_is_help_everywhere(command: list[str]) -> None:
    short, long = (CliRunner().invoke(app, [*command, option]) for option in ("-h", "--help"))

    assert (short.exit_code, long.exit_code) == (0, 0)
    assert short.stdout == long.stdout
    assert "Usage:" in short.stdout


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        (["crate"], "create"),
        (["verfy"], "verify"),
        (["blueprints"], "blueprint"),
        (["show", "objct"], "object"),
        (["review", "decid"], "decide"),
        (["breakthroughs", "colect"], "collect"),
    ],
)
def test_a_mistyped_command_is_status_2_with_the_similar_one(typed: list[str], meant: str) -> None:
    result = CliRunner().invoke(app, typed)

    assert result.exit_code == 2
    assert f"Did you mean '{meant}'" in result.stderr


def test_help_loads_no_heavy_package() -> None:
    script = (
        "import sys; sys.argv = ['im', '--help']\n"
        "from impossible_moments.cli.main import app\n"
        "try: app()\n"
        f"finally: print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)

    assert done.returncode == 0
    assert done.stderr.strip() == "[]"


def test_help_tells_how_to_install_shell_completion() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout

    assert "--install-completion" in shown
    assert "Shell completion:" in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script_of_a_shell_is_printed(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The shell is named by an argument when it is not detected from the parent process.
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    result = CliRunner().invoke(app, ["--show-completion", shell], prog_name="im")

    assert result.exit_code == 0
    assert "_IM_COMPLETE" in result.stdout


def test_main_declares_no_command_of_its_own() -> None:
    tree = ast.parse((CLI / "main.py").read_text(encoding="utf-8"))
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]

    assert functions == ["apply_root_options", "main"]


@pytest.mark.parametrize("name", [*COMMANDS, *GROUPS])
def test_every_command_has_a_file_of_its_own(name: str) -> None:
    file = {"eval": "evaluate", "import": "import_scenarios"}.get(name, name)

    assert (CLI / "commands" / f"{file}.py").is_file()


@pytest.mark.parametrize(
    "folder", [CLI, CLI / "commands", CLI / "actions", CLI / "output"], ids=lambda each: each.name
)
def test_a_folder_is_short_enough_to_read(folder: Path) -> None:
    assert len(list(folder.glob("*.py"))) <= MOST_MODULES


def test_no_two_modules_import_each_other() -> None:
    imports = {_name_module(path): set(_list_imports(path)) for path in CLI.rglob("*.py")}

    # Raises CycleError with the modules of a cycle. Imports in functions and for type checking count too.
    assert len(list(TopologicalSorter(imports).static_order())) == len(imports)


def _name_module(path: Path) -> str:
    parts = path.relative_to(CLI).with_suffix("").parts
    return ".".join(("impossible_moments", "cli", *(part for part in parts if part != "__init__")))


def _list_imports(path: Path) -> Iterator[str]:
    known = {_name_module(each) for each in CLI.rglob("*.py")}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in known:
            members = {f"{node.module}.{alias.name}" for alias in node.names} & known
            yield from members or {node.module}
