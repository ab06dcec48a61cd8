"""Rubrics of the framework for each scenario status, computed without judges."""
