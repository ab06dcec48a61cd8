"""The parts of the quality gates: criteria, applicability, limits and checks."""
