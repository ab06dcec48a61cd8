"""A solver that answers scenarios from their public text alone, without access to the record."""
