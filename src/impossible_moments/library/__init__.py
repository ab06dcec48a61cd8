"""Library of everyday things, people, materials, operators, formulas and cited works."""
