"""Checks of the mass of objects against their size and material."""
