"""``Reading``: what is read of an element instead of its texts."""

from __future__ import annotations

from typing import NamedTuple


class Reading(NamedTuple):
    """What is read of an element instead of the texts in it."""

    text: str | None
    """The text; "": the element is left out; None: its own texts are read, whatever its tag."""
    marks: int = 0
    """The marks of the text, as in :class:`~scrapy_boilernet.extractor.markup.Span`."""
    tag: str = "math"
    """The tag that the element counts as; its XPath has its own."""
    label: str = ""
    """The label of a note, whose own texts are read."""
    role: str = ""
    """What Markdown makes of the element, whose own texts are read: see ``Markup.roles``."""
    href: str = ""
    """The address of the link of the text; "": that of the link around it, if there is one."""
    lead: str = ""
    """A text before all texts in an element that is not inline, which is a block of its own."""


SIDE_NOTE, HIDDEN_NOTE = "d-footnote", "doc-footnote"
"""The tags that notes count as: one in a sentence, and one that the page first hides."""
READ_INSIDE = Reading(None)
"""The reading of an element that is read although its tag is not."""
NOTHING = Reading("")
"""The reading of an element that is left out."""
LISTING = Reading(None, 0, "pre")
"""The reading of an element that is code as a ``<pre>`` is."""
