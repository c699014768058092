"""JSON-LD as pages have it: wrapped, with entities, with characters that no feed can hold."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.html.json_ld import read_json_ld
from scrapy_boilernet.extractor.metadata import well_formed

ARTICLE = '{"@type": "Article", "author": {"@type": "Person", "name": "Maud Ellery"}}'


@pytest.mark.parametrize(
    "script",
    [
        "// <![CDATA[\n%s\n// ]]>",
        "//<![CDATA[\n%s\n//]]&gt;",
        "/*<![CDATA[*/ %s /*]]>*/",
        "/* data */ %s",
        "// data of the page\n%s",
        "<!-- data -->%s",
        "<!--\n%s\n//-->",
        "<![CDATA[%s]]>",
        "<![CDATA[%s]]&gt;",
        "\ufeff%s",
        " \ufeff\n%s;",
        "%s // the end",
        "%s;\n{}",
    ],
)
def test_an_object_is_read_whatever_wraps_it(script: str) -> None:
    (found, *_) = read_json_ld([script.replace("%s", ARTICLE)])
    assert found.first("author") == "Maud Ellery"


@pytest.mark.parametrize(
    ("stated", "right"),
    [
        ("Maud O&#039;Hara", "Maud O'Hara"),
        ("Maud O&amp;#039;Hara", "Maud O'Hara"),
        ("Bread &amp;amp; Co", "Bread & Co"),
        ("L&amp;eacute;a", "Léa"),
        ("a &amp;lt;b&amp;gt; c", "a &lt;b&gt; c"),
        ("Ann\\ud800 Lee", "Ann Lee"),
        ("Ann\\u0000 Lee", "Ann Lee"),
        ("Ann\\uffff\\u0008 Lee", "Ann Lee"),
        ("&#" + "9" * 5_000 + ";", "&#" + "9" * 1_998),
    ],
)
def test_values_are_decoded_and_well_formed(stated: str, right: str) -> None:
    (found,) = read_json_ld([f'{{"@type": "Article", "name": "{stated}"}}'])
    assert found.first("name") == right


@pytest.mark.parametrize("unfit", [*"\x00\x0b\x1f\ufffe\uffff", "\ud800"])
def test_no_value_has_what_a_feed_cannot_hold(unfit: str) -> None:
    assert well_formed(f"a{unfit}b\t\r\nc😀") == "ab\t\r\nc😀"


@pytest.mark.parametrize(
    "parts",
    [
        '"givenName": "Maud", "familyName": "Ellery"',
        '"familyName": "Ellery", "givenName": "Maud", "name": ""',
    ],
)
def test_parts_of_a_name_make_a_name(parts: str) -> None:
    (found, *_) = read_json_ld([f'{{"@type": "Article", "author": {{{parts}}}}}'])
    assert found.first("author") == "Maud Ellery"


def test_one_name_in_many_spellings_and_references_is_read_once() -> None:
    spellings = ", ".join(f'"{name}": "x"' for name in ("name", "Name", "NAME", "nAme"))
    references = ", ".join(['{"@id": "#a"}'] * 1_000)
    script = f'[{{"@id": "#a", "name": "Ann"}}, {{"@type": "Article", {spellings}, "author": [{references}]}}]'  # noqa: E501
    (found,) = read_json_ld([script])
    assert found.values == (("name", "x"), ("author", "Ann"))
