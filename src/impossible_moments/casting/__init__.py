"""Who plays the roles: chosen by name, performed, and estimated before it costs anything."""
