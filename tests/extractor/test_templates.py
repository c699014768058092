"""Templates escape every text; none can switch that off, and no other module writes HTML."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from jinja2 import TemplateAssertionError, nodes
from jinja2.exceptions import UndefinedError
from jinja2.runtime import StrictUndefined
from testing.imports import FILES, ROOT, imported, importers

from scrapy_boilernet.extractor.templates import ENVIRONMENT, rendered

TEMPLATES = sorted(path for path in ROOT.glob("*/*/templates/*") if path.is_file())
ADDRESSES = {'href="{{ url }}"', 'href="#b{{ loop.index }}"', 'src="{{ picture.light }}"',
             'src="{{ picture.dark }}"', 'src="data:image/png;base64,{{ picture }}"'}  # fmt: skip
"""The addresses in templates: only ``url`` is of a page, and ``is_web_address`` checks it."""
every_template = pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)


def parsed(path: Path) -> nodes.Template:
    return ENVIRONMENT.parse(path.read_text(encoding="utf-8"))


def test_there_are_templates() -> None:
    names = {path.relative_to(ROOT).as_posix() for path in TEMPLATES}
    assert "extractor/explain/templates/explanation.html" in names
    assert "lab/report/templates/report.html" in names


def test_texts_are_escaped_and_what_is_missing_is_an_error() -> None:
    assert ENVIRONMENT.autoescape is True
    assert ENVIRONMENT.undefined is StrictUndefined
    shown = ENVIRONMENT.from_string("{{ text }}").render(text='<b a="\'">&')
    assert shown == "&lt;b a=&#34;&#39;&#34;&gt;&amp;"
    with pytest.raises(UndefinedError, match="is undefined"):
        rendered("extractor/explain/templates/explanation.html")


def test_no_filter_leaves_a_text_unescaped() -> None:
    with pytest.raises(TemplateAssertionError, match="No filter named 'safe'"):
        ENVIRONMENT.from_string("{{ text|safe }}")


@every_template
def test_no_template_switches_escaping_off(path: Path) -> None:
    tree = parsed(path)
    switches = (nodes.EvalContextModifier, nodes.MarkSafe, nodes.MarkSafeIfAutoescape)
    assert list(tree.find_all(switches)) == []
    names = {node.name for node in tree.find_all((nodes.Filter, nodes.Name))}
    assert not names & {"safe", "tojson", "urlize", "xmlattr", "Markup"}


@every_template
def test_values_of_attributes_stand_in_quotes_and_addresses_are_known(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert not re.search(r"=\s*\{[{%]", re.sub(r"\{%.*?%\}", "", source))
    assert not re.search(r"<script|\son\w+=|\sstyle=", source)
    addresses = re.findall(r'\b(?:href|src\w*|action|data|poster)="[^"]*"', source)
    assert set(addresses) <= ADDRESSES


def test_only_templates_make_html() -> None:
    assert importers("jinja2") == {"extractor/templates.py"}
    assert importers("markupsafe") == set()
    own = [file for file in FILES if imported(file) & {"html.escape", "jinja2.Markup"}]
    # The fragment, which is escaped text by text, and how much it may grow by that.
    assert own == ["extractor/output/budget.py", "extractor/output/html.py"]
    assert importers("scrapy_boilernet.extractor.templates") == {
        "extractor/explain/html.py", "lab/annotations/testbed_report.py", "lab/report/html.py",
        "lab/training/cards.py",
    }  # fmt: skip
