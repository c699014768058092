"""Labels from the browser are placed on the blocks that the package reads."""

from __future__ import annotations

from pathlib import Path

from testing.museum import museum_page
from testing.sidecars import sidecar, write_sidecar

from scrapy_boilernet.lab.annotations.placing import place
from scrapy_boilernet.lab.annotations.sidecar import Sidecar, read_sidecars

HTML = museum_page(2).encode()


def read(folder: Path, html: bytes = HTML, **others: object) -> Sidecar:
    document = sidecar(HTML, lambda text: ("main" if len(text) > 60 else "boilerplate", "human"))
    document["blocks"] += others.pop("more", [])  # type: ignore[operator]
    page = sidecar(html, lambda _: ("main", "model"))["page"]
    whole = {**document, "shown": len(document["blocks"]), "page": page, **others}
    file = write_sidecar(folder, "one", html, whole)
    (own,) = read_sidecars([file])
    return own


def test_every_block_gets_what_was_said_of_it(tmp_path: Path) -> None:
    placed = place(read(tmp_path))
    assert placed.lost == ()
    assert placed.share == 1
    for block, own in zip(placed.page.blocks, placed.given, strict=True):
        assert own is not None
        assert own.text == block.text
    marks = placed.marks(frozenset({"main"}))
    assert marks == [len(block.text) > 60 for block in placed.page.blocks]


def test_blocks_that_are_not_in_the_html_are_named(tmp_path: Path) -> None:
    made = {
        "xpath": "", "text": "Made by a script", "kind": "main", "by": "human", "probability": 1,
        "at": "",
    }  # fmt: skip
    placed = place(read(tmp_path, more=[made]))
    assert [block.text for block in placed.lost] == ["Made by a script"]
    assert placed.share < 1


def test_what_a_person_labeled_before_scripts_took_it_away_is_placed_if_the_html_has_it(
    tmp_path: Path,
) -> None:
    document = sidecar(HTML, lambda _: ("boilerplate", "model"))
    shown = document["blocks"]
    gone = [
        {**block, "kind": "main", "by": "human"} for block in (shown.pop(3), shown[5], shown.pop(7))
    ]
    never = {**gone[0], "text": "Made by a script"}
    own = read(tmp_path, blocks=[*shown, *gone, never], shown=len(shown))
    placed = place(own)
    assert placed.share == 1
    assert [block.text for block in placed.lost] == [gone[1]["text"], "Made by a script"]
    assert placed.by_human == 2
    marked = [
        text
        for text, mark in zip(placed.page.texts, placed.marks(frozenset({"main"})), strict=True)
        if mark
    ]
    assert marked == [gone[0]["text"], gone[2]["text"]]


def test_a_page_without_anything_to_find_has_no_content(tmp_path: Path) -> None:
    placed = place(read(tmp_path, nothing=True))
    assert not any(placed.marks(frozenset({"main"})))


def test_blocks_that_the_browser_did_not_show_have_no_label(tmp_path: Path) -> None:
    more = HTML.replace(b"<main", b"<p>Only without scripts</p><main")
    placed = place(read(tmp_path, more))
    place_of = placed.page.texts.index("Only without scripts")
    assert placed.given[place_of] is None
    assert not placed.marks(frozenset({"main"}))[place_of]
    assert placed.share == 1


def test_the_bytes_are_read_by_their_charset(tmp_path: Path) -> None:
    html = HTML.replace(b'<meta charset="utf-8">', b"").replace(
        b"<h1>", "<h1>Größe ".encode("cp1252")
    )
    page = sidecar(html, lambda _: ("main", "model"))["page"]
    placed = place(read(tmp_path, html, page={**page, "charset": "windows-1252"}))
    assert any("Größe" in text for text in placed.page.texts)
