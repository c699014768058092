"""The command that renders the Markdown of hostile pages."""

from __future__ import annotations

import sys

import pytest

from fuzz import rendered


def test_it_prints_what_is_harmful(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("markdown_it")
    monkeypatch.setattr(sys, "argv", ["rendered", "--pages", "20", "--first", "7"])
    assert rendered.main() == 0
    assert "20 pages, 0 harmful; tried: html, " in capsys.readouterr().out
    monkeypatch.setattr(rendered, "hostile_page", lambda _: "<pre>x</pre>")
    monkeypatch.setattr(rendered, "renderers", lambda: {"as it is": lambda _: "<script>"})
    assert rendered.main() == 1
    assert "page 7, as it is: ['<script>']\n" in capsys.readouterr().out
