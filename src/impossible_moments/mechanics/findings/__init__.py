"""Findings of checks: their data class, their stable codes and the page that lists them."""
