"""Actions on the catalogue: blueprints with their skins, and places."""
