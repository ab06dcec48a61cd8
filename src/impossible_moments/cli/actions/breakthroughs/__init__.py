"""Implementation of `im breakthroughs`: candidates, reviews and verifications."""
