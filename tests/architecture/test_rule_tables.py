"""Every table of the specification in code is read by another module, or is an expected failure with its section.

A rule that nothing reads has no effect. Rows without a reader are strict expected
failures: connecting one makes its test fail until the row's entry in a `missing` mapping is removed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import pytest

from architecture.rule_readers import PACKAGE, ROOT, PackageSource, load_package_source, parse_package

ORCHESTRATOR = "agents.orchestrator"


@dataclass(frozen=True)
class SpecifiedRule:
    """A rule in code: a constant, an enumeration member, a field, a method or an argument."""

    section: str
    module: str
    symbol: str
    missing: str = ""
    """What is missing if nothing reads the rule."""

    @property
    def full_module(self) -> str:
        """The name of the module with the package."""
        return f"{PACKAGE}.{self.module}"


def list_members(module: str, name: str) -> tuple[str, ...]:
    """Return the members of an enumeration, the fields of a class, or the entries of a tuple, from the source."""
    for node in parse_one_module(module).body:
        match node:
            case ast.ClassDef(name=found, body=body) if found == name:
                targets = (each.targets[0] for each in body if isinstance(each, ast.Assign))
                fields = (each.target for each in body if isinstance(each, ast.AnnAssign))
                return tuple(each.id for each in (*targets, *fields) if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.Tuple(elts=entries)) if found == name:
                return tuple(ast.unparse(each) for each in entries)
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Tuple(elts=entries)) if found == name:
                return tuple(ast.unparse(each) for each in entries)
    raise LookupError(f"{module} defines no {name}")


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def list_constants(module: str) -> tuple[str, ...]:
    """Return the public constants of a module, without texts."""
    return tuple(
        node.target.id
        for node in parse_one_module(module).body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id.isupper()
        if not node.target.id.startswith("_") and not _is_text(node.value)
    )


@cache
def parse_one_module(module: str) -> ast.Module:
    """Parse one module, so that collecting the tests does not parse the whole package."""
    path = ROOT / "src" / PACKAGE / f"{module.replace('.', '/')}.py"
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def source() -> PackageSource:
    return load_package_source()


# fmt: off
TABLES = (
    # Rules that are whole tables, functions, fields or arguments
    SpecifiedRule("1.2",       f"{ORCHESTRATOR}.orchestrator",                      "PIPELINE"),
    SpecifiedRule("1.2",       f"{ORCHESTRATOR}.configuration_rules",               "CORE_AGENT_RULES"),
    SpecifiedRule("1.2",       f"{ORCHESTRATOR}.conflicts.contradictions",          "CONTRADICTIONS"),
    SpecifiedRule("1.2",       f"{ORCHESTRATOR}.conflicts.contradictions",          "ContradictionRule.between"),
    SpecifiedRule("1.3",       f"{ORCHESTRATOR}.message_rules",                     "ROUTES"),
    SpecifiedRule("1.3",       f"{ORCHESTRATOR}.message_rules",                     "find_message_problems"),
    SpecifiedRule("1.3",       f"{ORCHESTRATOR}.message_rules",                     "CONSEQUENCES"),
    SpecifiedRule("1.3",       f"{ORCHESTRATOR}.message_rules",                     "MessageRoute.senders"),
    SpecifiedRule("1.3",       f"{ORCHESTRATOR}.message_rules",                     "MessageRoute.passed_on_to"),
    SpecifiedRule("1.3",       "pipeline.messages.message_history",                 "MessageHistory"),
    SpecifiedRule("1.3 (2)",   f"{ORCHESTRATOR}.consensus_engine",                  "VoteTally.unsure"),
    SpecifiedRule("1.3 (2)",   f"{ORCHESTRATOR}.consensus_engine",                  "tally_votes(confidences)"),
    SpecifiedRule("1.3 (2)",   f"{ORCHESTRATOR}.consensus_engine",                  "tally_readiness_votes(confidences)"),
    SpecifiedRule("1.3 (5)",   f"{ORCHESTRATOR}.context.token_budgets",             "MESSAGE_BODY"),
    SpecifiedRule("1.3 (5)",   f"{ORCHESTRATOR}.context.token_budgets",             "split_message_body"),
    SpecifiedRule("1.4",       f"{ORCHESTRATOR}.consensus_engine",                  "REQUIRED"),
    SpecifiedRule("1.4",       f"{ORCHESTRATOR}.protocols.resolution_ladder",       "LADDER"),
    SpecifiedRule("1.4",       f"{ORCHESTRATOR}.conflicts.domain_authority",        "AUTHORITY"),
    SpecifiedRule("1.4",       "domain.disputes",                                   "HumanDecision.structural_flaw"),
    SpecifiedRule("1.4",       f"{ORCHESTRATOR}.conflicts.claim_domain",            "RULES"),
    SpecifiedRule("1.4",       f"{ORCHESTRATOR}.conflicts.claim_domain",            "EVIDENCE_DOMAINS"),
    SpecifiedRule("1.4",       "domain.disputes",                                   "PROVING"),
    SpecifiedRule("2.3",       f"{ORCHESTRATOR}.context_manager",                   "ContextPolicy.open_for_joint_assessment"),
    SpecifiedRule("3.1",       f"{ORCHESTRATOR}.context.isolation_matrix",          "ISOLATION_MATRIX"),
    SpecifiedRule("3.1",       f"{ORCHESTRATOR}.context.isolation_matrix",          "CONFIDENCES"),
    SpecifiedRule("3.2",       f"{ORCHESTRATOR}.context.token_budgets",             "ALWAYS_LOADED"),
    SpecifiedRule("3.2",       f"{ORCHESTRATOR}.context.token_budgets",             "LEAD_BUDGETS"),
    SpecifiedRule("3.2",       f"{ORCHESTRATOR}.context.token_budgets",             "SUPPORTING_BUDGETS"),
    SpecifiedRule("3.2",       f"{ORCHESTRATOR}.context.view_summaries",            "RELEVANCE"),
    SpecifiedRule("3.4",       f"{ORCHESTRATOR}.context.status_policies",           "StatusPolicy.list_sketch_deficiencies"),
    SpecifiedRule("3.4",       f"{ORCHESTRATOR}.context.status_policies",           "StatusPolicy.needs"),
    SpecifiedRule("3.4",       f"{ORCHESTRATOR}.context.status_policies",           "StatusPolicy.forbids"),
    SpecifiedRule("3.4",       f"{ORCHESTRATOR}.context.status_policies",           "StatusPolicy.mistaken_for"),
    SpecifiedRule("4.1",       f"{ORCHESTRATOR}.protocols.challenge_protocol",      "TRANSITIONS"),
    SpecifiedRule("4.1 (5)",   "domain.dossier",                                    "ChallengeCase.losing_position"),
    SpecifiedRule("4.2",       f"{ORCHESTRATOR}.protocols.veto_protocol",           "TRANSITIONS"),
    SpecifiedRule("4.3",       f"{ORCHESTRATOR}.protocols.escalation_protocol",     "TRANSITIONS"),
    SpecifiedRule("4.3",       f"{ORCHESTRATOR}.protocols.escalation_protocol",     "TERMINAL"),
    SpecifiedRule("4.3",       f"{ORCHESTRATOR}.protocols.escalation_protocol",     "DISCIPLINES"),
    SpecifiedRule("4.4",       f"{ORCHESTRATOR}.protocols.breakthrough_protocol",   "TRANSITIONS"),
    SpecifiedRule("4.4",       f"{ORCHESTRATOR}.protocols.breakthrough_protocol",   "REVIEWS"),
    SpecifiedRule("4.4",       f"{ORCHESTRATOR}.protocols.breakthrough_protocol",   "SUBSTITUTES"),
    SpecifiedRule("4.3",       f"{ORCHESTRATOR}.protocols.low_confidence",          "CRITICAL_DELIVERABLES"),
    SpecifiedRule("5",         f"{ORCHESTRATOR}.quality_gates",                     "PHASE_GATES"),
    SpecifiedRule("5",         f"{ORCHESTRATOR}.gates.applicability",               "DEPARTURES"),
    SpecifiedRule("6.2",       "scenarios.metadata",                                "ClockReadings(compute_seconds)"),
    SpecifiedRule("D",         "agents.scenario_metrics",                           "METRICS"),
    SpecifiedRule("D",         "agents.scenario_metrics",                           "is_delta_always_zero"),
)
# fmt: on


@dataclass(frozen=True)
class RowGroup:
    """The rows of one table, read from its source, with what is missing for rows that nothing reads."""

    section: str
    module: str
    table: str
    is_qualified: bool = True
    missing: Mapping[str, str] | None = None

    def list_rules(self) -> Iterator[SpecifiedRule]:
        """Yield one rule for each row."""
        for row in list_members(self.module, self.table):
            symbol = f"{self.table}.{row}" if self.is_qualified else row
            yield SpecifiedRule(self.section, self.module, symbol, (self.missing or {}).get(row, ""))


ROW_GROUPS = (
    RowGroup(
        "1.4",
        f"{ORCHESTRATOR}.consensus_engine",
        "ConsensusDecision",
    ),
    RowGroup("1.3", "domain.vocabulary", "MessageType"),
    RowGroup("1.3", f"{ORCHESTRATOR}.message_rules", "RULES", is_qualified=False),
    RowGroup("1.3", "domain.message", "Disposition"),
    RowGroup("4.3", f"{ORCHESTRATOR}.protocols.escalation_protocol", "EscalationTrigger"),
    RowGroup("4.3", "domain.disputes", "Option"),
    RowGroup(
        "3.4",
        f"{ORCHESTRATOR}.context.status_policies",
        "BlindFinding",
    ),
    RowGroup("1.4", f"{ORCHESTRATOR}.protocols.resolution_ladder", "LadderRung"),
)
VALUE_TABLES = ("thresholds", "evaluation_protocol", "scoring_rubrics", "difficulty_tiers", "difficulty")
"""The modules of `domain` that hold the specification's numbers."""


def list_rules() -> Iterator[SpecifiedRule]:
    """Yield every rule: tables, rows, and the constants of the value tables."""
    yield from TABLES
    for group in ROW_GROUPS:
        yield from group.list_rules()
    for module in VALUE_TABLES:
        for name in list_constants(f"domain.{module}"):
            yield SpecifiedRule("values", f"domain.{module}", name)


def list_cases() -> Iterator[object]:
    """Yield each rule as a test case. Rules without a reader are strict expected failures."""
    for rule in list_rules():
        reason = f"specification {rule.section}: {rule.missing}"
        marks = (
            (pytest.mark.xfail(strict=True, raises=AssertionError, reason=reason),) if rule.missing else ()
        )
        yield pytest.param(rule, id=f"{rule.section} {rule.module}.{rule.symbol}", marks=marks)


@pytest.mark.parametrize("rule", tuple(list_cases()))
def test_a_rule_of_the_specification_has_a_reader(rule: SpecifiedRule) -> None:
    is_read = source().is_read(rule.full_module, rule.symbol)

    assert is_read, f"nothing reads {rule.module}.{rule.symbol}"


@pytest.mark.parametrize("rule", tuple(list_rules()), ids=lambda rule: f"{rule.module}.{rule.symbol}")
def test_a_listed_rule_exists(rule: SpecifiedRule) -> None:
    is_defined = source().modules[rule.full_module].defines(rule.symbol)

    assert is_defined, f"{rule.module} does not define {rule.symbol}"


def test_every_missing_row_is_a_row() -> None:
    for group in ROW_GROUPS:
        assert set(group.missing or ()) <= set(list_members(group.module, group.table))


DEFINING = "TABLE = {'a': 1}\nclass Kind:\n    A = 'a'\nROWS = {Kind.A: 1}\ndef find(x, *, y=0):\n    return TABLE[x]\n"
# fmt: off
READERS = [
    ("TABLE",   "from p.rules import TABLE\nprint(TABLE)\n",        True),
    ("TABLE",   "from p import rules\nprint(rules.TABLE)\n",        True),
    ("TABLE",   "from p.rules import find\nfind('a')\n",            True),   # through a function that is read
    ("TABLE",   "from p.rules import TABLE\n",                      False),  # an import is not a use
    ("TABLE",   "TABLE = {}\nprint(TABLE)\n",                       False),  # another name of the same spelling
    ("Kind.A",  "from p.rules import Kind\nprint(Kind.A)\n",        True),
    ("Kind.A",  "from p.rules import ROWS\nprint(ROWS)\n",          False),  # a row is not read because its table is
    ("find(y)", "from p.rules import find\nfind('a', y=1)\n",       True),
    ("find(y)", "from p.rules import find\nfind('a')\n",            False),
]
# fmt: on


@pytest.mark.parametrize(("symbol", "reader", "expected"), READERS)
def test_the_analysis_tells_readers_from_mentions(symbol: str, reader: str, *, expected: bool) -> None:
    package = parse_package([("p", ""), ("p.rules", DEFINING), ("p.main", reader)], ["p.main"])

    assert package.is_read("p.rules", symbol) is expected


def test_a_module_that_nothing_imports_is_not_a_reader() -> None:
    reader = "from p.rules import TABLE\nprint(TABLE)\n"
    package = parse_package([("p", ""), ("p.rules", DEFINING), ("p.unused", reader)], ["p.rules"])

    assert not package.is_read("p.rules", "TABLE")
