"""Blueprints: families of scenarios as files, and the drawing of verified records from them."""
