"""Static analysis: which names of a module of the package are read by other modules.

A name is read if a module that the program can reach uses it, or if its own module uses it in a function, method
or constant that is itself read. Imports, `__all__` and tables that only print rules are not readers.
"""

from __future__ import annotations

import ast
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "impossible_moments"
PRINTERS = frozenset({f"{PACKAGE}.cli.actions.rules"})
"""Modules that print rules. Printing a rule does not apply it."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A use of a name: `owner.name` for attributes, with the definition that contains it."""

    name: str
    owner: str
    within: str
    """The top-level function or constant, or `Class.method`; empty at module level."""
    in_function: bool


@dataclass(frozen=True)
class SourceModule:
    """What one module uses, calls, imports and mentions, collected in one walk over its source."""

    name: str
    tree: ast.Module
    references: dict[str, list[Reference]] = field(default_factory=lambda: defaultdict(list))
    """All uses of names and attributes by name."""
    calls: list[tuple[str, frozenset[str]]] = field(default_factory=list)
    """The name of every called function with the names of its keyword arguments."""
    imports: list[tuple[str, str, str]] = field(default_factory=list)
    """The imported names: module, name there, and name here."""
    mentioned_modules: set[str] = field(default_factory=set)
    """The modules that this one imports, or names in a string."""

    def __post_init__(self) -> None:
        for within, in_function, part in _split_definitions(self.tree):
            for node in ast.walk(part):
                self._collect(node, within, in_function=in_function)

    def _collect(self, node: ast.AST, within: str, *, in_function: bool) -> None:
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                self.references[name].append(Reference(name, "", within, in_function))
            case ast.Attribute(value=value, attr=name, ctx=ast.Load()):
                self.references[name].append(Reference(name, _get_last_name(value), within, in_function))
            case ast.Call(func=function, keywords=keywords):
                self.calls.append((_get_last_name(function), frozenset(each.arg or "" for each in keywords)))
            case ast.ImportFrom(module=str(module), names=names):
                self.imports.extend((module, each.name, each.asname or each.name) for each in names)
                self.mentioned_modules.update((module, *(f"{module}.{each.name}" for each in names)))
            case ast.Import(names=names):
                self.mentioned_modules.update(each.name for each in names)
            case ast.Constant(value=str(text)) if text.startswith(PACKAGE):
                self.mentioned_modules.add(text.partition(":")[0])

    def imports_from(self, module: str) -> bool:
        """Return whether this module imports something from another one, or from its front door."""
        return any(module in {source, f"{source}.{name}"} for source, name, _ in self.imports)

    def defines(self, symbol: str) -> bool:
        """Return whether a symbol (`NAME`, `Class.member` or `function(argument)`) is defined here."""
        outer, _, member = symbol.partition(".")
        function, _, argument = outer.partition("(")
        for node in self.tree.body:
            if function not in _list_defined_names(node):
                continue
            if argument:
                return f"{argument[:-1]}:" in ast.unparse(node)
            inner = node.body if isinstance(node, ast.ClassDef) else ()
            return not member or any(member in _list_defined_names(each) for each in inner)
        return False


def _get_last_name(node: ast.expr) -> str:
    """Return the last name of `a`, `a.b` or `a.b()`, or a sign that stands for any other expression."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return "()"


def _list_defined_names(node: ast.stmt) -> tuple[str, ...]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.AnnAssign(target=ast.Name(id=name)):
            return (name,)
        case ast.Assign(targets=targets):
            return tuple(each.id for each in targets if isinstance(each, ast.Name))
    return ()


def _split_definitions(tree: ast.Module) -> Iterator[tuple[str, bool, ast.AST]]:
    """Yield each top-level part with the name of its definition, and whether it is a function or method."""
    for node in tree.body:
        name = next(iter(_list_defined_names(node)), "")
        if name == "__all__":
            continue
        if not isinstance(node, ast.ClassDef):
            yield name, isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef), node
            continue
        for inner in (*node.body, *node.decorator_list, *node.bases):
            is_method = isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef)
            method = inner.name if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef) else ""
            own = f"{name}.{method}" if method and not method.startswith("__") else name
            yield own, is_method, inner


@dataclass(frozen=True)
class PackageSource:
    """The source of the whole package."""

    modules: Mapping[str, SourceModule]
    entry_points: frozenset[str] = field(default_factory=frozenset)

    @cached_property
    def unreachable(self) -> frozenset[str]:
        """The modules that no reachable module imports and that are not entry points."""
        importers = defaultdict(set)
        for module in self.modules.values():
            for name in module.mentioned_modules:
                importers[name].add(module.name)
        packages = {name.rpartition(".")[0] for name in self.modules}
        kept = self.entry_points | packages | {each for each in self.modules if each.endswith("__main__")}
        dead: set[str] = set()
        while more := {
            name for name in self.modules if name not in dead | kept and not importers[name] - dead - {name}
        }:
            dead |= more
        return frozenset(dead)

    @cached_property
    def readers(self) -> tuple[SourceModule, ...]:
        """The modules whose uses count."""
        return tuple(each for name, each in self.modules.items() if name not in self.unreachable | PRINTERS)

    def is_read(self, module: str, symbol: str, seen: frozenset[str] = frozenset()) -> bool:
        """Return whether a reachable module other than `module` depends on a symbol of `module`."""
        if "(" in symbol:
            return self._is_argument_passed(symbol)
        for other in self.readers:
            for use in other.references.get(symbol.rpartition(".")[2], ()):
                if not self._is_use_of(use, other, module, symbol):
                    continue
                if other.name != module:
                    return True
                is_row = "." in symbol and symbol.rpartition(".")[2].isupper()
                tried = seen | {symbol}
                if (is_row and not use.in_function) or not use.within or use.within in tried:
                    continue  # the key of a table does not make its row read
                if self.is_read(module, use.within, tried):
                    return True
        return False

    def _is_use_of(self, use: Reference, other: SourceModule, module: str, symbol: str) -> bool:
        owner, _, name = symbol.rpartition(".")
        if owner and name.isupper():  # an enumeration member, named with its class
            return use.owner == owner
        if owner:  # a field or method of any object, in a module that can hold such an object
            return bool(use.owner) and (
                other.name == module or not self.is_common_name(name, module) or other.imports_from(module)
            )
        if use.owner:
            return any(
                here == use.owner and f"{source}.{name}" == module for source, name, here in other.imports
            )
        return other.name == module or any(
            here == use.name and name == symbol and (module == source or module.startswith(f"{source}."))
            for source, name, here in other.imports
        )

    @cached_property
    def _owners(self) -> Mapping[str, frozenset[str]]:
        """The modules whose classes define a field or method, by its name."""
        found = defaultdict(set)
        for module in self.modules.values():
            for node in module.tree.body:
                for inner in node.body if isinstance(node, ast.ClassDef) else ():
                    for name in _list_defined_names(inner):
                        found[name].add(module.name)
        return {name: frozenset(modules) for name, modules in found.items()}

    def is_common_name(self, name: str, module: str) -> bool:
        """Return whether classes of other modules have a field or method of this name too."""
        return bool(self._owners.get(name, frozenset()) - {module})

    def _is_argument_passed(self, symbol: str) -> bool:
        function, _, argument = symbol.removesuffix(")").partition("(")
        return any(
            called == function and argument in keywords
            for module in self.modules.values()
            if module.name not in self.unreachable
            for called, keywords in module.calls
        )


def load_package_source(root: Path = ROOT) -> PackageSource:
    """Parse the package, with the entry points that `pyproject.toml` names."""
    paths = sorted((root / "src" / PACKAGE).rglob("*.py"))
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    tables = (project["scripts"], *project["entry-points"].values())
    named = [target.partition(":")[0] for table in tables for target in table.values()]
    return parse_package(
        ((_name_module(path, root), path.read_text(encoding="utf-8")) for path in paths), named
    )


def parse_package(sources: Iterable[tuple[str, str]], entry_points: Iterable[str] = ()) -> PackageSource:
    """Parse modules, given as name and source text."""
    modules = {name: SourceModule(name, ast.parse(text)) for name, text in sources}
    return PackageSource(modules, frozenset(entry_points))


def _name_module(path: Path, root: Path) -> str:
    return ".".join(path.relative_to(root / "src").with_suffix("").parts).removesuffix(".__init__")
