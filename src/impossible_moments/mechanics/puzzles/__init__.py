"""The four kinds of puzzle that a record can carry."""
