"""The cast of a run: selected by name, performed, and estimated before it costs anything."""
