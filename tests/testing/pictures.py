"""The pictures in an HTML report, read back from their addresses."""

from __future__ import annotations

from base64 import b64decode

from lxml import etree

PREFIX = "data:image/svg+xml;base64,"
TAGS = {"svg", "defs", "style", "g", "path", "rect", "text", "tspan", "use", "clipPath"}
STYLE = "*{stroke-linejoin: round; stroke-linecap: butt}"


def picture(address: str) -> etree._Element:
    """Return a picture's root; assert that nothing in it can run or load anything."""
    assert address.startswith(PREFIX), address[:100]
    root = etree.fromstring(b64decode(address.removeprefix(PREFIX), validate=True))
    for element in root.iter():
        assert etree.QName(element).localname in TAGS
        assert etree.QName(element).namespace == "http://www.w3.org/2000/svg"
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert not name.endswith("href") or value.startswith("#")
        assert "url(" not in element.get("style", "")
    assert [element.text for element in root.iter("{*}style")] == [STYLE]
    return root


def texts(root: etree._Element) -> list[str]:
    return ["".join(element.itertext()) for element in root.iter("{*}text")]
