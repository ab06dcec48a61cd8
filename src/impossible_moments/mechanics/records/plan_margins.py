"""Margins by which checks judge a plan: the time left at its deadline, and the variation it is tested with."""

from __future__ import annotations

from typing import Final

LEAST_TIME_MARGIN: Final = 0.10
"""Specification 2.2: a plan that leaves less of its deadline than this share raises a concern."""
VARIED_SHARE: Final = 0.2
"""Specification 2.2: the sensitivity analysis varies each quantity down and up by this share."""
