"""ATHENA: draws scenarios from the catalogue, rejects draws that fail the mechanics, and writes the seed."""
