"""What plays the roles: recordings, programs, models. All answer the same asks."""
