"""Scenarios imported from Markdown of other authors, without mechanics, scored by the stated outcome."""
