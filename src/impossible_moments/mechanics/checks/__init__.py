"""Checks of records: status, claims, approaches, sensitivity, variants, prose requirements and the report."""
