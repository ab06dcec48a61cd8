"""The exceptions this package raises on purpose."""


class ImpossibleMomentsError(Exception):
    """Any error this package raises on purpose."""


class ConfigurationError(ImpossibleMomentsError):
    """Something the user wrote breaks a rule, and the user can fix it."""
