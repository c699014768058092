"""A shop and a newspaper of thirty pages each, the rules of both, and what is content on them."""

from __future__ import annotations

from typing import NamedTuple

from testing.loopback import Answer

PAGES = 30
RULES = """
["/shop/\\\\d+"]
keep = ["#product", "section.specs"]
drop = [".also-bought", "[role=dialog]"]
title = "h1.name"

["127.0.0.1"]
keep = "article"
drop = [".read-also", ".newsletter"]
author = ".by a"
date = "time"
"""
_NAMES = ("kettle", "lamp", "bench", "ladder", "kite", "wagon", "mill", "bridge", "ferry", "market")
_PLACES = ("Ashford", "Brede", "Carlow", "Dunmore", "Elgin", "Fowey")
_MENU = "".join(f'<li><a href="/{n}">Department {n}</a></li>' for n in range(12))


class RuledPage(NamedTuple):
    """A page, and what is right on it."""

    path: str
    html: str
    text: str
    title: str = ""
    authors: tuple[str, ...] = ()
    date: str = ""


def product(number: int) -> RuledPage:
    """Return a product's page: its second tab is hidden, and a dialog is open."""
    name = f"{_PLACES[number % 6]} {_NAMES[number % 10]} {number}"
    price, weight = f"{number}.90 euros", f"{number + 3} kilograms"
    html = (
        f"<!doctype html><html><head><title>{name} | Shop</title></head><body>"
        f'<header><ul class="menu">{_MENU}</ul></header>'
        '<div role="dialog"><p>Subscribe now and get a tenth off your next order.</p></div>'
        f'<div id="product"><h1 class="name">{name}</h1><p class="price">{price}</p>'
        f"<p>Made by hand in {_PLACES[number % 5]}.</p>"
        f'<div class="tab" style="display:none"><p>It weighs {weight}.</p></div>'
        '<div class="also-bought"><p>Others also bought a very long rope of hemp.</p></div></div>'
        f'<section class="specs"><table><tr><th>Weight</th><td>{weight}</td></tr>'
        "<tr><th>Warranty</th><td>two years</td></tr></table></section>"
        "<footer><p>All prices with taxes. Delivery takes three days.</p></footer></body></html>"
    )
    text = (
        f"{name}\n{price}\nMade by hand in {_PLACES[number % 5]}.\nIt weighs {weight}.\n"
        f"Weight | {weight}\nWarranty | two years"
    )
    return RuledPage(f"/shop/{number}", html, text, name)


def article(number: int) -> RuledPage:
    """Return an article's page: boxes stand between its paragraphs."""
    place, name = _PLACES[number % 6], _NAMES[number % 10]
    title = f"The {name} of {place} opens again, part {number}"
    parts = [
        f"The {name} of {place} was closed for {number + 2} years, and nobody knew for how long.",
        f"On Monday the council of {place} decided with {number + 9} votes to open it again.",
        "A committee will look at the costs, which nobody had expected to be so high.",
    ]
    html = (
        f'<!doctype html><html lang="en"><head><title>{title} | News</title>'
        '<meta name="author" content="News desk"></head><body>'
        f'<nav class="menu"><ul>{_MENU}</ul></nav><article><h1>{title}</h1>'
        f'<div class="newsletter"><p>Get our morning letter: what {place} talks about.</p></div>'
        f"<p>{parts[0]}</p>"
        f'<div class="read-also"><p>Read also: why the {_NAMES[(number + 1) % 10]} of '
        f"{_PLACES[(number + 1) % 6]} is famous for its long history.</p></div>"
        f"<p>{parts[1]}</p><p>{parts[2]}</p></article>"
        f'<p class="by">By <a href="/a">Ann {place}</a>, <time>{number % 28 + 1} May 2024</time>'
        "</p><footer><p>All rights reserved.</p></footer></body></html>"
    )
    text = "\n".join((title, *parts))
    date = f"2024-05-{number % 28 + 1:02}"
    return RuledPage(f"/news-{number}", html, text, "", (f"Ann {place}",), date)


RULED = {page.path: page for make in (product, article) for page in map(make, range(PAGES))}
"""The pages of both sites by path."""
ANSWERS = {path: Answer(page.html.encode()) for path, page in RULED.items()}
