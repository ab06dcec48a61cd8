"""Fixtures of this folder: a Postgres server, and the place of a ledger on each database."""

from support.ledger_places import ledger_location, postgres_server

__all__ = ["ledger_location", "postgres_server"]
