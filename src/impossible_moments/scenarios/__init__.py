"""Finished scenarios: their documents, registry, templates, and similarity to each other."""
