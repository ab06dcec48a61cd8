"""Certificates survive being written down, and what is none is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from impossible_moments.mechanics.proofs import (
    CaseSplit,
    NumericSplit,
    RefutedLeaf,
    SolverStatement,
    SplittingCertificate,
    parse_certificate,
)
from impossible_moments.mechanics.proofs.certificates import Data, Tree

words = st.text(max_size=5)
cases = st.lists(st.tuples(st.booleans() | words, st.deferred(lambda: trees)), max_size=3).map(tuple)
trees: st.SearchStrategy[Tree] = st.deferred(
    lambda: (
        st.builds(RefutedLeaf, words)
        | st.builds(NumericSplit, words, st.floats(allow_nan=False, allow_infinity=False), trees, trees)
        | st.builds(CaseSplit, words, cases)
    )
)


@given(st.builds(SplittingCertificate, trees) | st.builds(SolverStatement, st.lists(words).map(tuple), words))
def test_a_certificate_survives_json(certificate: SplittingCertificate | SolverStatement) -> None:
    assert parse_certificate(json.loads(json.dumps(certificate.to_data()))) == certificate


@pytest.mark.parametrize(
    "data",
    [
        None,
        "unsat",
        {},
        {"splitting": {"false": 3}},
        {"splitting": {"false": "a", "at": 3}},
        {"splitting": {"split": "x", "at": 3.0, "low": {"false": "a"}}},
        {"splitting": {"split": "x", "at": "3", "low": {"false": "a"}, "high": {"false": "a"}}},
        {"splitting": {"cases": "open", "of": [[3, {"false": "a"}]]}},
        {"core": [3], "statement": "unsat"},
        {"core": ["a"], "statement": "unsat", "splitting": {"false": "a"}},
    ],
)
def test_what_is_no_certificate_is_refused(data: Data) -> None:
    with pytest.raises(ValueError, match=r"certificate|splitting|case|core"):
        parse_certificate(data)


def test_a_splitting_knows_the_conditions_it_uses() -> None:
    tree = NumericSplit(
        "x", 1.0, RefutedLeaf("a"), CaseSplit("open", ((True, RefutedLeaf("b")), (False, RefutedLeaf("a"))))
    )
    assert SplittingCertificate(tree).used_conditions == {"a", "b"}
