"""The claims of a seed document: the conditions on which the ways and the traps turn, in words and expressions."""
