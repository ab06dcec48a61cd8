"""One test over many cases: every case is checked, and the failures are listed together.

For checks that take microseconds, such as one per row of a table or one per file. Collecting them one by one costs
more than running them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

Case = TypeVar("Case")


def find_failures(check: Callable[[Case], None], cases: Mapping[str, Case]) -> list[str]:
    """Run `check` on every case and return a line for each one that raised, with its name.

    Fails if there are no cases: a table that is no longer found must not pass.
    """
    assert cases, f"{check.__name__} has no cases"
    return [f"{name}: {problem}" for name, case in cases.items() if (problem := _run(check, case))]


def name_cases(cases: Iterable[Case], name: Callable[[Case], str]) -> dict[str, Case]:
    """Return the cases by name; a name that occurs twice is an error."""
    found: dict[str, Case] = {}
    for case in cases:
        assert name(case) not in found, f"two cases are called {name(case)}"
        found[name(case)] = case
    return found


def _run(check: Callable[[Case], None], case: Case) -> str:
    try:
        check(case)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with one case, the others are checked
        return f"{type(error).__name__}: {error}"
    return ""
