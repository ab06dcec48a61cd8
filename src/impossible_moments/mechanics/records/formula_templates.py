"""Formula templates of the library, which a record calls by name.

An example is `v = terminal_speed(mass, area, drag, air.density)`. The parser replaces a call by the body of
the formula, so evaluators, proofs and search need no support for calls. Only the checks of argument
dimensions and of the validity of the formula look at the call itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pydantic import Field

from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.language.dimensions import PLAIN, Dimension
from impossible_moments.mechanics.language.expression_parser import FormulaDefinition, parse_expression
from impossible_moments.mechanics.language.expressions import Expression
from impossible_moments.mechanics.language.units import parse_unit
from impossible_moments.mechanics.records.base_form import BaseForm, Lines, Sentence
from impossible_moments.mechanics.records.lines import parse_line

_CALL: Final = re.compile(r"([a-z]\w*)\(\s*(.*?)\s*\)")
_PARAMETER: Final = re.compile(r"([A-Za-z]\w*)\s*(?:\[([^\[\]]*)\])?")


class TemplateForm(BaseForm):
    """Model of a formula in the library."""

    call: str = Field(
        description="Its head: `name(parameter[unit], ...)`.",
        examples=["orifice_flow(discharge, area[m**2], head[m])"],
    )
    about: Sentence = Field(description="What it gives, in words.", examples=["flow through a small hole"])
    domain: str = Field(default="", description="What it is listed under.", examples=["fluids"])
    gives: str = Field(description="Unit of its value; `1` for a plain number.", examples=["m**3/s"])
    formula: str = Field(
        description="An expression of the parameters.", examples=["discharge*area*sqrt(2*g*head)"]
    )
    valid: Lines = Field(
        default=[], description="Where it holds: named conditions.", examples=[["falls = head > 0[m]"]]
    )
    source: str = Field(
        description="A work with its place, or `textbook:` and the law.", examples=["textbook: Torricelli"]
    )
    example: dict[str, str] = Field(
        default={}, description="Worked values of the parameters, and `gives`.", examples=[{"head": "2[m]"}]
    )


@dataclass(frozen=True, slots=True)
class FormulaTemplate:
    """A parsed formula of the library."""

    name: str
    parameters: tuple[tuple[str, Dimension], ...]
    tree: Expression
    gives: Dimension
    valid: tuple[tuple[str, Expression], ...]
    form: TemplateForm

    @classmethod
    def from_form(cls, form: TemplateForm) -> FormulaTemplate:
        """Parse a formula. Raise `ValueError` if its head, body or conditions are not valid."""
        match = _CALL.fullmatch(form.call.strip())
        if match is None:
            raise ValueError(f"`{form.call}` does not have the form name(parameter[unit], ...)")
        lines = [parse_line(line, example="falls = head > 0[m]") for line in form.valid]
        return cls(
            match[1],
            tuple(_parse_parameters(match[2])),
            parse_expression(form.formula),
            _parse_dimension(form.gives),
            tuple((line.head, parse_expression(line.body)) for line in lines),
            form,
        )

    def bind_parameters(self, arguments: tuple[Expression, ...]) -> dict[str, Expression]:
        """Return the argument for each parameter name."""
        return {name: tree for (name, _), tree in zip(self.parameters, arguments, strict=True)}


class FormulaTemplates:
    """Formula templates of a library, compared by identity so that parsed expressions can be cached."""

    def __init__(self, templates: tuple[FormulaTemplate, ...]) -> None:
        self.all = templates

    @cached_property
    def by_name(self) -> Mapping[str, FormulaTemplate]:
        """Templates by name."""
        return {template.name: template for template in self.all}

    @cached_property
    def formulas(self) -> Mapping[str, FormulaDefinition]:
        """Parameters and body of each formula, for the parser."""
        return {
            template.name: FormulaDefinition(tuple(name for name, _ in template.parameters), template.tree)
            for template in self.all
        }


def _parse_parameters(text: str) -> Iterator[tuple[str, Dimension]]:
    for part in text.split(",") if text else ():
        match = _PARAMETER.fullmatch(part.strip())
        if match is None:
            raise ValueError(f"`{part.strip()}` is not a parameter; write name or name[unit]")
        yield match[1], _parse_dimension(match[2] or "1")


def _parse_dimension(text: str) -> Dimension:
    return PLAIN if text.strip() == "1" else parse_unit(text).dimension


def collect_formula_names(tree: Expression) -> frozenset[str]:
    """Return the names that occur in a formula."""
    return frozenset(node.name for node in ex.walk_nodes(tree) if isinstance(node, ex.Name))
