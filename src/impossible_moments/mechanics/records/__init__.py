"""Written forms of records and libraries: quantities, plans, status blocks, prose, JSON Schema."""
