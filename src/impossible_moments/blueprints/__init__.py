"""Blueprints: scenario families stored as files, and the code that draws verified records from them."""
