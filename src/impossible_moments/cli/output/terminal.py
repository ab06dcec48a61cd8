"""The console of all commands, which shows the control characters of a text and never sends them.

A document, an identifier or the name of a model may hold sequences that move the cursor, change the title of a window
or hide a line. They are shown as their numbers.
"""

from __future__ import annotations

import re
from typing import Final

from rich.console import Console as RichConsole
from rich.console import HighlighterType, JustifyMethod, OverflowMethod
from rich.style import Style
from rich.text import Text

_CONTROLS: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]"
)
"""Control characters but tabs and line breaks, and characters that change the direction of a text."""


def show_control_characters(text: str) -> str:
    """Return the text with control characters written as escape sequences."""
    return _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)


class Console(RichConsole):
    """A console that shows control characters. Markup and styles stay."""

    def render_str(  # noqa: PLR0913 - the parameters of the method that it replaces
        self,
        text: str,
        *,
        style: str | Style = "",
        justify: JustifyMethod | None = None,
        overflow: OverflowMethod | None = None,
        emoji: bool | None = None,  # noqa: ARG002 - names between colons are not pictures here
        markup: bool | None = None,
        highlight: bool | None = None,
        highlighter: HighlighterType | None = None,
    ) -> Text:
        """Return a text as it is shown. Every text of a print or of a table passes here."""
        return super().render_str(
            show_control_characters(text.replace("\r\n", "\n")),
            style=style,
            justify=justify,
            overflow=overflow,
            emoji=False,
            markup=markup,
            highlight=highlight,
            highlighter=highlighter,
        )
