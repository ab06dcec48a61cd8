"""Scenarios for the tools of others."""
