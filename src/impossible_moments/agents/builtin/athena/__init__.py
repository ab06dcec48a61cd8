"""ATHENA: draws a situation from the catalogue, lets the mechanics reject what fails, and writes it down."""
