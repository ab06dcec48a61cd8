"""Construction of a world from a written record. Every mistake becomes a finding."""
