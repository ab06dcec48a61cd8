"""Protocols: how disputes end."""
