"""Which names of encodings are refused."""

from __future__ import annotations

import pytest

from scrapy_boilernet.extractor.encodings import NOT_FOR_PAGES, check_encoding


@pytest.mark.parametrize("name", [None, "", "UTF-8", "x-sjis", "gb2312", "windows-1252", "utf-16"])
def test_what_browsers_know_is_accepted(name: str | None) -> None:
    check_encoding(name)


@pytest.mark.parametrize("name", ["utf-99", "hex", "a\0b", *sorted(NOT_FOR_PAGES)])
def test_what_no_page_can_be_read_in_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"encoding '.*' is not known.*leave it out"):
        check_encoding(name)
