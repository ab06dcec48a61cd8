"""Implementation of `im status`: states, losses and metrics of the scenarios of a folder."""
