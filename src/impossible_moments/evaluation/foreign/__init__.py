"""Scenarios of others: Markdown without mechanics, imported blind and held against the outcome it states."""
