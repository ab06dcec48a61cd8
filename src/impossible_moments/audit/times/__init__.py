"""Checks of times: step tables, totals, deadlines and rates."""
