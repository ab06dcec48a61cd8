"""SOCRATES: reads the scenario like a first-time solver, with limited patience and without the record."""
