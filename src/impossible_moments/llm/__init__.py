"""Language models: references, keys, prices, pacing and consultations.

The only package that imports pydantic-ai.
"""
