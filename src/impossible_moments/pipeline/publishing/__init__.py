"""Publishing: a new scenario is compared with the earlier ones, numbered, written and registered."""
