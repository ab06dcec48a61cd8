"""The built-in cast: the five roles, and four further ones, played by programs. No key, no network, no clock."""
