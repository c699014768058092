"""Boxes and lines that are no part of an article: consent dialogs, sign-up boxes, "read also".

Their texts and markup are in ``boxes.toml``. A form is a list of short descriptions of elements,
such as ``"div#id.class[role] > p"``: the outermost element first. A benchmark has forms of its own
in such a file, which did not train.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from lxml import etree
from numpy.random import Generator

from scrapy_boilernet.lab.training.page_tree import Element, mark

OWN_FORMS = Path(__file__).with_name("boxes.toml")
DEFAULT_LANGUAGE = "en"
_STEP = re.compile(r"([a-z0-9]+)(?:#([^.\[]+))?((?:\.[^.\[]+)*)(?:\[(\w+)\])?")
_PURPOSES_SHARE, _BUTTONS_SHARE = 0.5, 0.9


@dataclass(frozen=True)
class Forms:
    """The markup and the texts of boxes."""

    forms: Mapping[str, Sequence[Sequence[str]]]
    """By the name of a kind, a list of forms: descriptions of the parts of a box."""
    texts: Mapping[str, Mapping[str, Sequence[str]]]
    """By language, the texts of each kind."""

    def form(self, kind: str, rng: Generator) -> Sequence[str]:
        """Return a form of the kind, drawn at random."""
        return self.forms[kind][int(rng.integers(len(self.forms[kind])))]

    def of_language(self, language: str | None) -> Mapping[str, Sequence[str]]:
        """Return the texts of a language such as ``"pt-BR"``; English ones if there are none."""
        name = (language or DEFAULT_LANGUAGE).lower().replace("_", "-").partition("-")[0]
        return self.texts.get(name) or self.texts[next(iter(self.texts))]


def read_forms(file: Path = OWN_FORMS) -> Forms:
    """Return the forms of a file like ``boxes.toml``."""
    document = tomllib.loads(file.read_text(encoding="utf-8"))
    return Forms(document["forms"], document["texts"])


def built(description: str, text: str = "") -> tuple[Element, Element]:
    """Return (outermost, innermost) of the described elements; the innermost has the text.

    >>> outer, inner = built("div#a.b.c[dialog] > p", "Hi")
    >>> etree.tostring(outer).decode()
    '<div id="a" class="b c" role="dialog"><p>Hi</p></div>'
    """
    elements: list[Element] = []
    for step in description.split(" > "):
        found = _STEP.fullmatch(step)
        if found is None:
            raise ValueError(f"{step!r} in {description!r} is no element like div#id.class[role]")
        tag, name, classes, role = found.groups()
        shown = {"id": name, "class": classes.replace(".", " ").strip(), "role": role}
        elements.append(etree.Element(tag, {key: value for key, value in shown.items() if value}))
    for outer, inner in pairwise(elements):
        outer.append(inner)
    elements[-1].text = text
    return elements[0], elements[-1]


def consent_dialog(forms: Forms, language: str | None, rng: Generator) -> Element:
    """Return a dialog that asks for consent."""
    box, heading, text, row, button = forms.form("consent", rng)
    own = forms.of_language(language)
    title, *sentences = own["consent"]
    outer, inner = built(box)
    _add(inner, heading, title)
    if rng.random() < 0.5:  # one paragraph, or one per sentence
        _add(inner, text, " ".join(sentences[: int(rng.integers(1, len(sentences) + 1))]))
    else:
        for sentence in sentences:
            _add(inner, text, sentence)
    if rng.random() < _PURPOSES_SHARE:
        _add_rows(inner, row, own["purposes"])
    if rng.random() < _BUTTONS_SHARE:
        for label in own["buttons"][: int(rng.integers(1, 4))]:
            _add(inner, button, label)
    return mark(outer)


def sign_up_box(forms: Forms, language: str | None, rng: Generator) -> Element:
    """Return a box in which readers subscribe to a newsletter."""
    box, heading, text, row, small, button = forms.form("sign_up", rng)
    title, pitch, address, terms, label = forms.of_language(language)["sign_up"]
    outer, inner = built(box)
    _add(inner, heading, title)
    _add(inner, text, pitch)
    field = _add(inner, row, address if rng.random() < 0.5 else "")
    etree.SubElement(field, "input", type="email", placeholder=address)
    _add(inner, button, label)
    if rng.random() < 0.6:
        _add(inner, small, terms)
    return mark(outer)


def read_also_line(
    forms: Forms, language: str | None, titles: Sequence[str], rng: Generator
) -> Element:
    """Return a line that sends readers to another article; ``titles``: of one or more articles."""
    box, label, link = forms.form("read_also", rng)
    phrases = forms.of_language(language)["read_also"]
    outer, inner = built(box)
    if label:
        _add(inner, label, phrases[int(rng.integers(len(phrases)))] + " ")
    for title in titles:
        target = _add(inner, link, title)
        target.set("href", f"/{int(rng.integers(1000, 999_999))}")
    return mark(outer)


def _add(parent: Element, description: str, text: str) -> Element:
    """Add described elements, and return the innermost."""
    outer, inner = built(description, text)
    parent.append(outer)
    return inner


def _add_rows(parent: Element, row: str, texts: Sequence[str]) -> None:
    """Add a row per text; list items get a list around them."""
    if row.partition(".")[0] == "li":
        parent = etree.SubElement(parent, "ul")
    for text in texts:
        _add(parent, row, text)
