"""ATHENA: proposes scenarios drawn from the catalogue, and revises them when others find faults."""
