"""Reports: what they consist of, and how that is rendered."""
