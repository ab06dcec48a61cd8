"""Exceptions that this package raises deliberately."""


class ImpossibleMomentsError(Exception):
    """Base class of all errors that this package raises deliberately."""


class ConfigurationError(ImpossibleMomentsError):
    """An error in settings, arguments or files that the user can fix."""
