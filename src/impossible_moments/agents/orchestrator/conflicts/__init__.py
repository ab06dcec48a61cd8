"""Conflicts between deliverables: the table of contradictions, evidence, and domain authority."""
