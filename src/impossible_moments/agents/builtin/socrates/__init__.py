"""SOCRATES: reads as a solver who meets the scenario for the first time, with limited patience and no record."""
