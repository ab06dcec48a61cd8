"""Checks of scenario texts from any source."""
