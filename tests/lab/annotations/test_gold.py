"""``scrapy boilernet annotations``: the data set that it writes, and its messages."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from weakref import WeakSet

import pytest
from testing.commanding import refusal, run, scrapy
from testing.museum import museum_page
from testing.sidecars import sidecar, write_sidecar

from scrapy_boilernet.commands import adapt
from scrapy_boilernet.lab.annotations import gold
from scrapy_boilernet.lab.annotations.placing import Placed
from scrapy_boilernet.lab.annotations.sidecar import Sidecar
from scrapy_boilernet.lab.evaluation.datasets import read_pages

collect = import_module("scrapy_boilernet.commands.annotations")


def long(text: str) -> tuple[str, str]:
    kind = "main" if len(text) > 60 else "boilerplate"
    return kind, "human" if len(text) > 90 or text.startswith("Seen") else "model"


def page(folder: Path, number: int, **others: object) -> bytes:
    html = museum_page(number).encode()
    url = f"https://museum.example/object/{number}"
    document = sidecar(html, long, url=url, **others)
    write_sidecar(folder, f"page{number}{others.get('annotator', '')}", html, document)
    return html


def test_the_set_has_pages_gold_and_labels(tmp_path: Path) -> None:
    bodies = [page(tmp_path / "in", number) for number in range(3)]
    done = scrapy(tmp_path, "annotations", "in", "--out", "set")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("wrote set: 3 pages with ")
    assert "train with scrapy boilernet train --from default" in done.stdout
    pages = list(read_pages(tmp_path / "set"))
    assert [own.html for own in pages] == bodies
    assert [own.url for own in pages] == [f"https://museum.example/object/{n}" for n in range(3)]
    assert all(len(line) > 60 for line in str(pages[0].gold).splitlines())
    labels = [
        json.loads(line) for line in (tmp_path / "set" / "labels.jsonl").read_text().splitlines()
    ]
    assert {row["label"] for row in labels} == {"content", "boilerplate"}
    assert {row["page"] for row in labels} == {own.id for own in pages}


def test_adapt_reads_the_labels(tmp_path: Path) -> None:
    for number in range(3):
        page(tmp_path / "in", number)
    assert run(collect, tmp_path / "in", "--out", tmp_path / "set") == 0
    given = ["--labels", tmp_path / "set" / "labels.jsonl", "--out", tmp_path / "site"]
    assert run(adapt, tmp_path / "set" / "html", *given) == 0
    assert len(list(read_pages(tmp_path / "site"))) == 3


def test_other_kinds_are_content_if_asked_for(tmp_path: Path) -> None:
    html = museum_page(5).encode()
    document = sidecar(
        html, lambda text: ("title" if text.startswith("Ship") else "boilerplate", "human")
    )
    write_sidecar(tmp_path / "in", "one", html, document)
    assert run(collect, tmp_path / "in", "--out", tmp_path / "plain") == 0
    assert run(collect, tmp_path / "in", "--with", "title", "--out", tmp_path / "titled") == 0
    (plain,), (titled,) = (list(read_pages(tmp_path / name)) for name in ("plain", "titled"))
    assert str(plain.gold).strip() == ""
    assert str(titled.gold).startswith("Ship")


def test_a_page_with_nothing_to_find_has_an_empty_gold(tmp_path: Path) -> None:
    page(tmp_path / "in", 1, nothing=True)
    assert run(collect, tmp_path / "in", "--out", tmp_path / "set") == 0
    (own,) = read_pages(tmp_path / "set")
    assert str(own.gold).strip() == ""


def test_what_cannot_be_used_is_named_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "in"
    page(folder, 1)
    page(folder, 2)
    (folder / "page2.html").write_bytes(b"changed")
    html = museum_page(3).encode()
    write_sidecar(folder, "unseen", html, sidecar(html, lambda _: ("main", "model")))
    document = sidecar(html, long)
    scripted = {**document["blocks"][0], "text": "Made by a script", "by": "human"}
    most = {**document, "blocks": [*document["blocks"][:2], *[scripted] * 4], "shown": 6}
    write_sidecar(folder, "scripted", html, most)
    write_sidecar(folder, "some", html, {**document, "blocks": [*document["blocks"], scripted]})
    gone = [*document["blocks"], *[{**scripted, "text": f"Gone {n}"} for n in range(50)]]
    write_sidecar(folder, "gone", html, {**document, "blocks": gone})
    assert run(collect, folder, "--out", tmp_path / "set") == 0
    said = capsys.readouterr().out
    for name, reason in (
        ("page2.json", "left out, page2.html was changed since it was annotated"),
        ("unseen.json", "left out, nobody labeled a block or said that it is done"),
        (
            "scripted.json",
            "left out, only 33% of the blocks that were shown are in the page's HTML",
        ),
        ("some.json", "1 label not used, their blocks are not in the page's HTML: 'Made by"),
        ("gone.json", "50 labels not used, their blocks are not in the page's HTML: 'Gone 0', "),
    ):
        assert f"{name}: {reason}" in said


def test_the_last_of_two_annotations_counts_and_their_agreement_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page(tmp_path / "in", 1, annotator="ann", saved="2026-03-02T10:00:00Z")
    page(tmp_path / "in", 1, annotator="ben", saved="2026-03-01T10:00:00Z", nothing=True)
    assert run(collect, tmp_path / "in", "--out", tmp_path / "set") == 0
    said = capsys.readouterr().out
    assert "ann and ben agree on 1 page with" in said
    assert "Cohen's kappa 0.00 of content or not" in said
    (own,) = read_pages(tmp_path / "set")
    assert str(own.gold).strip()


def test_pages_are_held_one_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        page(tmp_path / "in", number)
    place, held = gold.place, WeakSet[Placed]()
    most = []

    def counted(sidecar: Sidecar) -> Placed:
        own = place(sidecar)
        held.add(own)
        most.append(len(held))
        return own

    monkeypatch.setattr(gold, "place", counted)
    assert run(collect, tmp_path / "in", "--out", tmp_path / "set") == 0
    assert len(most) == 12
    assert max(most) <= 2


def test_where_nothing_can_be_used_the_command_fails(tmp_path: Path) -> None:
    html = museum_page(3).encode()
    write_sidecar(tmp_path / "in", "unseen", html, sidecar(html, lambda _: ("main", "model")))
    message = refusal(collect, tmp_path / "in", "--out", tmp_path / "set")
    assert "none of 1 annotation can be used" in message
    assert not (tmp_path / "set").exists()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert "is not empty" in refusal(collect, tmp_path / "in", "--out", tmp_path / "full")
