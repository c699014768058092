"""Titles of pages of manuals, each with a heading that is a part of it or not."""

from __future__ import annotations

TEXT = "A bell is cast in a mould of clay, which is broken as soon as the bronze is cold."
PARTS = [
    ("Casting Bells (The Foundry Manual)", "<h3>3.2 Casting Bells</h3>"),
    ("Casting Bells (The Manual (version 7.3))", "<h4 class=section>B.3.2 Casting Bells</h4>"),
    ("Bells: Foundry Reference Manual", "<h2><span class=refentrytitle>Bells</span></h2>"),
    ("The Foundry Report: Casting", "<h2>23 Casting</h2>"),
    ("Foundry User's Guide: Casting", "<h2><a name=s1>1.</a> Casting</h2>"),
    ("BellCaster (foundry 2.4.21 API)", "<h2 title=BellCaster>Class BellCaster</h2>"),
    ("BellCaster (foundry 2.4.21 API)", "<h2>[Java] Interface BellCaster</h2>"),
    ("Bells - The Foundry of the Coast", "<h2>Bells</h2>"),
    ("Glocken | Gießerei", "<h5>Kapitel 2 – Glocken</h5>"),
]  # fmt: skip
NO_PARTS = [
    ("Casting Bells (The Foundry Manual)", "<h3>3.2 Melting the Ore</h3>"),
    (
        "The Foundry of the Coast | Casting",
        "<h3>Casting</h3>",
    ),  # the name of the site may come last
    ("Bells of the North - The Foundry", "<h2>Casting</h2><h2>Foundry</h2>"),
    ("Bells - The Foundry", "<nav><h4>Bells</h4></nav>"),
    ("Bells - The Foundry", "<h4>Bells</h4><p>One</p><p>Two</p><p>Three</p>"),  # far from the text
    ("", "<h2>1</h2>"),
]
LINES = [
    (
        "The Foundry Guide - Basic Casting",
        "<h1>The Foundry Guide<br>Chapter 2 - Basic Casting</h1>",
    ),
    *(
        ("Basic Casting of Bells - The Foundry", f"<h1>Basic Casting of Bells<br>{second}</h1>")
        for second in ("The Foundry", "by Ann Reed", "12 May 2024")
    ),
]
"""The same for headings of two lines: both are the headline of the first, and one of the others."""
