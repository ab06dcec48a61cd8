"""The built-in cast: programs for the five core agents and four additional ones. No key, network or clock."""
