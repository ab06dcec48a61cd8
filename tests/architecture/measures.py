"""Measures of names, sizes and package interfaces of a Python source tree.

    python tests/architecture/measures.py                 # this project
    python tests/architecture/measures.py PATH            # any other package folder, for comparison

Properties, special methods and overloads are not counted as functions: the naming rule is about code that
computes or acts. `tests/architecture/test_measures.py` holds the limits.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

SOURCE = Path(__file__).parents[2] / "src"
PACKAGE = SOURCE / "impossible_moments"

# Verbs that start function names in ordinary Python code, predicates included.
USUAL_VERBS = frozenset(
    """
    abort accept acquire add adjust admit advance aggregate align allocate allow allows analyze annotate answer append apply are
    argue arrange ask assemble assert assess assign associate attach attempt audit award balance begin bind blend block book
    bound bracket branch break broadcast build bundle cache calculate calibrate call can cancel canonicalize cap capture carry
    cast change charge check choose cite claim clamp clarify classify clean clear clip close cluster coerce collapse collect
    combine commit compact compare compile complete compose compress compute concatenate condense confirm connect consider
    constrain construct consult consume contain contains continue convert copy correct count cover create cross cut deal
    decide declare decode decorate decrease dedupe deduplicate defer define delay delete deliver demand denote derive
    describe detect determine diagnose differ differs discard discover dispatch display distill distinguish distribute divide
    do does download draft drain draw drop dump earn edit eliminate embed emit enable encode end enforce enrich enroll ensure enter
    enumerate escape establish estimate evaluate examine exceed exceeds exchange exclude execute exist exists exit expand expect explain
    explore export expose express extend extract factor fail fails fetch fill filter finalize find finish fit fits fix flag flatten
    flip flush fold follow forbid forget fork format formulate freeze fuse gather generate get give go grade grant group grow
    guard guess halt handle has hash have hear hide hold holds identify ignore import improve include includes increase index infer
    inform inherit initialize inject insert inspect install instantiate integrate intern interpolate interpret intersect
    introduce invert invoke is isolate issue iterate join judge justify keep label launch lay lead leave lend lift limit link
    list listen load locate lock log look lookup lower make map mark mask match matches materialize may measure meet meets mention merge
    minimize mix model modify monitor move multiply must mutate name narrow need needs negate normalize note notify number
    obtain offer omit open optimize order pace pack pad pair parametrize parse partition pass patch pause pay penalize perform permute
    persist perturb pick place plan play plot poll pool populate post predict prefer prefix prepare present preserve press
    prevent price print probe process produce prohibit project promote prompt propagate propose protect prove provide prune
    publish pull push put qualify quantify query queue quote raise randomize rank rate reach reaches read rebuild recalculate receive
    reclassify recognize recompute reconcile reconstruct record recover redact redesign redraw reduce refer refine reflect refresh refuse
    register reject relate relax release reload rely remember remind remove rename render reopen repair repeat replace replay
    reply report represent request require requires rerun rescale reserve reset resolve respond restart restore restrict result
    resume retain retrieve retry return returns reuse reveal reverse review revise rewrite roll rotate round route run sample
    sanitize satisfy satisfies save say scale scan schedule score scrub seal search see seed select send separate serialize serve set settle
    shape share shift shorten should show shuffle shut sign simplify simulate skip sleep slice solve sort spawn specify spell spend
    split spread stamp standardize start state step stop store stream strip strike study style submit substitute subtract suggest sum
    summarize supply support supports suppress survive suspend swap switch synchronize tabulate tag take tally tell test think throttle tie tighten time
    to toggle tokenize total touch trace track transform translate traverse treat trigger trim truncate try turn unify unite
    unpack update upgrade use uses validate vary verify veto view violate violates visit vote wait walk want warn was watch weigh widen will
    withdraw withhold word work works wrap write yield zip
    """.split()
)
# Usual verbs that are nouns just as often: one of them alone is not a verb-first name.
NOUNS_TOO = frozenset(
    """
    answer audit balance block bound bracket branch break bundle cache call cap change charge check claim clip cluster count cover cross
    cut deal delay demand draft draw drop dump edit embed end escape estimate exit export factor fill filter fit fix flag flip fold
    fork format grade grant group guard guess halt hash hold import index issue join judge label lead limit link list lock log look
    map mark mask match matches may measure mention mix model move must name need needs note number offer order pace pack pad pair
    pass patch pause pay pick place plan play plot poll pool post prefix present press price print probe process produce project
    prompt pull push query queue quote rank rate reach record release repair repeat reply report request reserve reset result return
    returns reuse reverse review roll round route run sample scale scan schedule score seal search see seed shape share shift show sign
    slice sort spell split spread stamp start state step stop store stream strip strike study style sum supply support supports
    swap switch tag tally test tie time total touch trace track trigger trim turn update upgrade use uses veto view visit vote wait
    walk want watch will word work works wrap yield are can does has have is should to was
    """.split()
) - frozenset(
    "run close open read write check print render show search start stop update reset wait sort split join".split()
)
PARTICIPLES = frozenset(
    """
    born bound bought broken brought built caught chosen cut dealt done drawn driven eaten fallen felt fitting found
    given gone grown heard held hidden kept known laid led left lent lost made meant met paid played put read said seen
    sent set shown shut sold sought spent spoken spread stood struck sworn taken taught thought thrown told
    torn understood undone won worn written
    """.split()
)
CONVERSIONS = re.compile(r"^(from|to|as|with)_\w+$")
SUPPRESSION = re.compile(r"#\s*(?:type:\s*ignore|pyright:\s*ignore|noqa)|\bAny\b(?=[\s,\]\)|=:]|$)")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Measures:
    """What was measured of one source tree."""

    files: int
    lines: int
    file_lengths: tuple[int, ...]
    function_lengths: tuple[int, ...]
    names: tuple[str, ...]
    suppressions: int
    modules_in_folder: Counter[str]

    @property
    def verb_share(self) -> float:
        """The share of functions whose name starts with a usual verb or is a conversion such as `from_text`."""
        return _share(self.names, starts_with_verb)

    @property
    def participle_share(self) -> float:
        """The share of functions named by a single participle."""
        return _share(self.names, is_lone_participle)

    @property
    def one_word_share(self) -> float:
        """The share of functions named by one word."""
        return _share(self.names, lambda name: "_" not in name)

    @property
    def suppressions_per_thousand(self) -> float:
        """How often `Any`, ignore and noqa occur in 1,000 lines."""
        return 1000 * self.suppressions / self.lines

    @property
    def fullest_folder(self) -> tuple[str, int]:
        """The folder with the most modules, `__init__.py` not counted."""
        return self.modules_in_folder.most_common(1)[0]


def _share(names: Sequence[str], holds: object) -> float:
    assert callable(holds)
    return sum(1 for name in names if holds(name)) / len(names)


def starts_with_verb(name: str) -> bool:
    """Return whether `name`, without leading underscores, starts with a usual verb or is a conversion."""
    first = name.split("_", maxsplit=1)[0]
    if name == first and name in NOUNS_TOO:
        return False
    return (first in USUAL_VERBS and not is_lone_participle(name)) or bool(CONVERSIONS.match(name))


def is_lone_participle(name: str) -> bool:
    """Return whether `name` is one word and a participle."""
    if "_" in name or name in {
        "read",
        "set",
        "put",
        "cut",
        "embed",
        "feed",
        "need",
        "seed",
        "shed",
        "speed",
        "bind",
    }:
        return False
    return name in PARTICIPLES or (name.endswith("ed") and len(name) > 4)


def measure_tree(package: Path = PACKAGE) -> Measures:
    """Measure every Python file below `package`."""
    paths = sorted(path for path in package.rglob("*.py") if "__pycache__" not in path.parts)
    texts = [path.read_text(encoding="utf-8") for path in paths]
    functions = [found for text in texts for found in find_functions(ast.parse(text))]
    return Measures(
        files=len(paths),
        lines=sum(text.count("\n") for text in texts),
        file_lengths=tuple(
            sorted(
                text.count("\n")
                for path, text in zip(paths, texts, strict=True)
                if path.name != "__init__.py"
            )
        ),
        function_lengths=tuple(
            sorted((each.end_lineno or each.lineno) - each.lineno + 1 for each in functions)
        ),
        names=tuple(each.name.lstrip("_") for each in functions if is_named_by_rule(each)),
        suppressions=sum(
            len(SUPPRESSION.findall(line))
            for text in texts
            for line in text.splitlines()
            if not _is_import(line)
        ),
        modules_in_folder=Counter(
            path.parent.relative_to(package.parent).as_posix() for path in paths if path.name != "__init__.py"
        ),
    )


def _is_import(line: str) -> bool:
    return line.startswith(("from ", "import "))


def find_functions(tree: ast.AST) -> Iterator[Function]:
    """Yield every function and method of a module, nested ones included."""
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def is_named_by_rule(function: Function) -> bool:
    """Return whether the naming rule covers `function`: no special method, no property, no test."""
    if function.name.startswith(("__", "test_")):
        return False
    calls = (ast.unparse(each).split("(", maxsplit=1)[0] for each in function.decorator_list)
    decorators = {each.rsplit(".", maxsplit=1)[-1] for each in calls}
    return not decorators & {"property", "cached_property", "setter", "computed_field", "overload", "fixture"}


def find_inner_imports(package: str, source: Path = SOURCE) -> list[str]:
    """List imports from outside of `package` that name a module behind a front door.

    `package` is dotted, such as `impossible_moments.mechanics`. The front doors are the `__init__.py` files of the
    package and its sub-packages. A module that a front door lists in `__all__` is public.
    """
    inside = source.joinpath(*package.split("."))
    return [
        f"{path.relative_to(source)} imports {module}"
        for path in sorted((source / package.split(".", maxsplit=1)[0]).rglob("*.py"))
        if not path.is_relative_to(inside)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for module in _list_imported_modules(node)
        if module.startswith(f"{package}.") and _is_inner_module(module, source)
    ]


def _list_imported_modules(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{each.name}" for each in node.names)


def _is_inner_module(module: str, source: Path) -> bool:
    path = source.joinpath(*module.split("."))
    return path.with_suffix(".py").exists() and path.name not in read_public_names(path.parent)


def read_public_names(package: Path) -> tuple[str, ...]:
    """Return the names in `__all__` of a package's `__init__.py`, none if it has no list."""
    for node in ast.parse((package / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return tuple(ast.literal_eval(node.value))
    return ()


def quantile(values: Sequence[int], share: float) -> int:
    """Return the smallest of sorted `values` that at least `share` of them do not exceed."""
    return values[min(len(values) - 1, int(share * len(values)))]


def format_measures(measures: Measures) -> str:
    """Format the measures as a table for a terminal."""
    folder, modules = measures.fullest_folder
    rows = {
        "files / lines": f"{measures.files} / {measures.lines}",
        "file length p50 / p90 / max": _spread(measures.file_lengths),
        "function length p50 / p90 / max": _spread(measures.function_lengths),
        "Any, ignore, noqa per 1,000 lines": f"{measures.suppressions_per_thousand:.1f}",
        "functions that start with a usual verb": f"{measures.verb_share:.1%}",
        "functions named by a lone participle": f"{measures.participle_share:.1%}",
        "one-word function names": f"{measures.one_word_share:.1%}",
        "most modules in a folder": f"{modules} ({folder})",
    }
    return "\n".join(f"{name:<40} {value}" for name, value in rows.items())


def _spread(values: Sequence[int]) -> str:
    return f"{round(median(values))} / {quantile(values, 0.9)} / {values[-1]}"


def main(arguments: Sequence[str]) -> None:
    """Print the measures of this project, or of the package folder named on the command line."""
    package = Path(arguments[0]) if arguments else PACKAGE
    print(format_measures(measure_tree(package)))  # noqa: T201
    if not arguments:
        inner = find_inner_imports("impossible_moments.mechanics")
        print(f"{'imports past a front door of mechanics':<40} {len(inner)}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
