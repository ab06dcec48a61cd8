"""Checks of the document structure: sections, fixed vocabularies and tiers."""
