"""The pages of an article or thread as one document: nothing twice, nothing lost, all cited."""

from __future__ import annotations

import re
from dataclasses import FrozenInstanceError, replace
from itertools import pairwise
from typing import Any

import cmarkgfm
import pytest
from testing.labeled import from_kept

from scrapy_boilernet import JoinedPages, extract, join_pages
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import LabeledPage
from scrapy_boilernet.extractor.options import Format
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.workers.columns import read, written

INTRO = "The water of the tide pools has warmed since May, and the limpets cling to their rocks."
BIO = "Ann Lee writes about shores and tides, and lives beside a lighthouse with two old cats."
URL = "https://a.example/pools"


def paragraph(number: int) -> str:
    return f"Paragraph {number} tells of the crab number {number} that lives under a flat stone."


def page(
    body: str,
    number: int = 1,
    last: int = 3,
    title: str = "Tide pools",
    url: str = "",
    head: str = "",
    formats: tuple[Format, ...] = ("markdown", "html", "metadata"),
    **given: Any,
) -> LabeledPage:
    """Return a page of an article, all of whose blocks are content, its title among them."""
    links = f"<link rel=next href=?page={number + 1}>" if number < last else ""
    links += f"<link rel=prev href={f'?page={number - 1}' if number > 2 else '/pools'}>" * (
        number > 1
    )
    heading = f"<h1>{title}</h1>" if title else ""
    html = f"<title>{title}</title>{links}{head}<body>{heading}{body}"
    address = url or (URL if number == 1 else f"{URL}?page={number}")
    read_page = blockify(html, address, markup=True, stated=True)
    n = len(read_page.blocks)
    labeled = from_kept(read_page, [True] * n, [0.9] * n, 0.5, 0.8, "tiny", "model")
    kinds = tuple("title" if "h1" in block.tags else "main" for block in read_page.blocks)
    return with_formats(replace(labeled, kinds=kinds, **given), formats)


def p(*texts: str) -> str:
    return "".join(f"<p>{text}</p>" for text in texts)


def article() -> list[LabeledPage]:
    return [
        page(p("By Ann Lee", INTRO, paragraph(1), BIO), 1),
        page(p("By Ann Lee", INTRO, paragraph(2), BIO), 2, title="Tide pools – Page 2"),
        page(p("By Ann Lee", paragraph(3), "Thanks!", BIO), 3, title="TIDE POOLS (3/3)"),
    ]  # fmt: skip


def test_repeated_headlines_intros_and_bios_are_there_once() -> None:
    joined = join_pages(article())
    lines = [
        "Tide pools", "By Ann Lee", INTRO, paragraph(1), BIO, paragraph(2), paragraph(3),
        "Thanks!",
    ]  # fmt: skip
    assert joined.text.split("\n") == lines
    assert joined.markdown == "\n\n".join(["# Tide pools", *lines[1:]])
    assert re.findall(r"<(\w+)>([^<]+)", joined.html or "") == [
        ("h1", "Tide pools"), *(("p", line) for line in lines[1:])
    ]  # fmt: skip
    assert [block.text for block in joined.content] == lines
    assert joined.confidence == pytest.approx(0.8)
    assert (joined.model, joined.source, joined.shortened) == ("tiny", "model", False)


def test_text_that_comes_again_within_a_thread_is_no_repetition() -> None:
    def post(author: str, text: str) -> str:
        return (
            f"<div>{p(author, text, 'Signature: may the tide be with you, whoever you are today.')}"
        )

    head = '<script type=application/ld+json>{"@type": "DiscussionForumPosting"}</script>'
    first = page(post("Ann", INTRO) + post("Bob", "+1") + post("Cem", paragraph(1)), 1, head=head)
    second = page(
        post("Ann", paragraph(2))
        + post("Bob", "+1")
        + post("Ann", f"<blockquote>{INTRO}</blockquote>Yes."),
        2,
        head=head,
    )
    joined = join_pages([first, second])
    assert joined.text.count("Ann") == 3
    assert joined.text.count("+1") == 2
    assert joined.text.count("Signature") == 6
    assert joined.text.count(INTRO) == 2


def test_the_first_post_that_each_page_of_a_thread_repeats_is_there_once() -> None:
    head = "<meta property=og:type content=forum>"
    url = "https://a.example/forum/viewtopic?t=1"
    first = page(p("Ann", INTRO, "Bob", paragraph(1)), 1, url=url, head=head)
    second = page(p("Ann", INTRO, "Bob", paragraph(2)), 2, url=f"{url}&page=2", head=head)
    assert join_pages([first, second]).text.split("\n") == [
        "Tide pools", "Ann", INTRO, "Bob", paragraph(1), "Bob", paragraph(2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "title",
    ["Tide pools", "tide  POOLS", "Tide pools - page 2", "Tide pools | Seite 2 von 3",
     "Tide pools (2/3)", "Tide pools, part 2", "Tide pools 2"],
)  # fmt: skip
def test_a_headline_with_the_number_of_the_page_is_repeated(title: str) -> None:
    pages = [page(p(paragraph(1)), 1), page(p(paragraph(2)), 2, title=title)]
    assert "\n".join(["Tide pools", paragraph(1), paragraph(2)]) == join_pages(pages).text


@pytest.mark.parametrize("title", ["Crabs", "Tide pools of Wales", "Tide"])
def test_another_headline_is_a_section(title: str) -> None:
    pages = [page(p(paragraph(1)), 1), page(p(paragraph(2)), 2, title=title)]
    assert f"\n\n## {title}\n\n" in (join_pages(pages).markdown or "")


def test_a_headline_that_is_no_content_is_not_repeated_in_markdown() -> None:
    pages = [page(p(paragraph(n)), n, title="Tide pools") for n in (1, 2)]
    unkept = [
        with_formats(replace(one, labels=("boilerplate", *one.labels[1:])), ()) for one in pages
    ]
    assert all(one.text == paragraph(n) for n, one in enumerate(unkept, 1))
    pages = [labeled_without_title(n) for n in (1, 2)]
    joined = join_pages(pages)
    assert joined.text == "\n".join(map(paragraph, (1, 2)))
    assert joined.markdown == "\n\n".join(["# Tide pools", *map(paragraph, (1, 2))])


def labeled_without_title(number: int) -> LabeledPage:
    read_page = blockify(
        f"<h1>Tide pools</h1>{p(paragraph(number))}", f"{URL}?p={number}", markup=True
    )
    labeled = from_kept(read_page, [False, True], [0.1, 0.9], 0.5, 0.8, "tiny", "model")
    return with_formats(replace(labeled, kinds=("title", "main")), ("markdown",))


def test_images_that_each_page_repeats_are_there_once() -> None:
    caption = "The pools of the northern shore at low tide, seen from the old pier."
    lead = f"<figure><img src=/lead.jpg alt=Lead><figcaption>{caption}</figcaption></figure>"
    own = "<p><img src=/{}.jpg alt=Own></p>"
    pages = [page(lead + own.format(n) + p(paragraph(n)), n) for n in (1, 2, 3)]
    markdown = join_pages(pages).markdown or ""
    assert markdown.count("lead.jpg") == markdown.count("northern shore") == 1
    assert all(f"/{n}.jpg" in markdown for n in (1, 2, 3))


def test_tables_are_kept_or_left_out_as_a_whole() -> None:
    def table(*texts: str) -> str:
        rows = (f"<tr><td>{text}</td><td>{len(text)} cm in length</td></tr>" for text in texts)
        return f"<table><tr><th>Text</th><th>Size</th></tr>{''.join(rows)}</table>"

    same = table(INTRO, BIO)
    pages = [
        page(same + p(paragraph(1)), 1),
        page(p(paragraph(2)) + same, 2),
        page(p(paragraph(3)) + table(INTRO, paragraph(4)), 3),
    ]
    markdown = join_pages(pages).markdown or ""
    assert markdown.count("cm in length") == 4
    assert markdown.count("| Text | Size |") == 2
    assert join_pages(pages).text.count("cm in length") == 4


# Notes.


def with_notes(number: int, labels: str, **given: Any) -> LabeledPage:
    marks = "".join(f'<sup><a href="#n{x}">{x}</a></sup>' for x in labels)
    notes = "".join(f'<li id="n{x}">Note {x} of page {number}.</li>' for x in labels)
    return page(f"<p>{paragraph(number)}{marks}</p><ol>{notes}</ol>", number, **given)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [(("12", "12"), ["12", "34"]), (("12", "34"), ["12", "34"]), (("12", "23"), ["12", "34"]),
     (("1", "1", "1"), ["1", "2", "3"]), (("12", "", "1"), ["12", "", "3"])],
)  # fmt: skip
def test_labels_of_notes_do_not_collide(labels: tuple[str, ...], expected: list[str]) -> None:
    joined = join_pages([with_notes(n, each) for n, each in enumerate(labels, 1)])
    for number, (own, new) in enumerate(zip(labels, expected, strict=True), 1):
        for old, label in zip(own, new, strict=True):
            assert f"[^{label}]: Note {old} of page {number}." in (joined.markdown or "")
            assert f'<div id="fn-{label}"><p>Note {old} of page {number}.' in (joined.html or "")
    for new in "".join(expected):
        assert (joined.markdown or "").count(f"[^{new}]") == 2
        assert (joined.html or "").count(f'href="#fn-{new}"') == 1


# Chunks.


def test_chunks_lie_in_the_joined_document_and_cite_their_page() -> None:
    pages = [
        page(f"<h2 id=s{n}>Part {n}</h2>" + p(*(paragraph(10 * n + i) for i in range(9))), n)
        for n in (1, 2, 3)
    ]
    joined = join_pages(pages)
    chunks = joined.chunks(60)
    markdown = joined.markdown or ""
    assert (
        "\n\n".join(
            "".join(one.markdown for one in chunks if one.id_url == url).strip()
            for url in dict.fromkeys(one.id_url for one in chunks)
        )
        == markdown
    )
    for one in chunks:
        assert markdown[one.start : one.end] == one.markdown
        assert joined.text[one.text_start : one.text_end] == one.text
        number = int(one.id_url[-1]) if "#s" in one.id_url else 1
        assert one.first_xpath.startswith("/html/body[1]/")
        assert (one.text_url or one.id_url).startswith(f"{pages[number - 1].page.url}#")
        assert one.headings[:1] == ("Tide pools",)
    assert all(one.end <= other.start for one, other in pairwise(chunks))
    assert joined.chunk_rows(60) == [one.as_dict() for one in chunks]
    assert joined.chunks(10**6)[0].text.split("\n")[0] == "Tide pools"
    assert len(joined.chunks(10**6)) == 3


def test_ordered_lists_of_two_pages_stay_apart_unless_one_goes_on() -> None:
    def items(first: int, number: int) -> str:
        return f"<ol start={first}><li>{paragraph(number)}<li>{paragraph(number + 1)}</ol>"

    for first in (1, 3):
        pages = [page(items(1, 1), 1), page(items(first, 5), 2)]
        markdown = join_pages(pages).markdown or ""
        html = cmarkgfm.github_flavored_markdown_to_html(markdown)
        assert html.count("<ol") == (2 if first == 1 else 1)


# What is given.


def test_one_page_is_itself() -> None:
    (one, *_) = article()
    joined = join_pages([one])
    assert (joined.text, joined.markdown, joined.html) == (one.text, one.markdown, one.html)
    assert joined.chunks(50) == one.chunks(50)
    assert joined.missing == ()


@pytest.mark.parametrize("copies", [1, 3])
def test_a_page_that_comes_again_is_left_out(copies: int) -> None:
    pages = article()
    same_url = [replace(pages[1], page=replace(pages[1].page, url=f"{URL}?page=2#end"))]
    same_text = [replace(pages[2], page=replace(pages[2].page, url=f"{URL}?page=99"))]
    expected = join_pages(pages)
    for again in (same_url, same_text, [pages[0]]):
        joined = join_pages([*pages, *again * copies])
        assert (joined.text, len(joined.pages)) == (expected.text, 3)


def test_links_that_go_in_a_circle_end_nowhere() -> None:
    pages = [page(p(paragraph(n)), n) for n in (1, 2)]
    metadata = [one.metadata for one in pages]
    assert metadata[0]
    assert metadata[1]
    pages[1] = replace(pages[1], metadata=replace(metadata[1], next_page=URL))
    joined = join_pages(pages)
    assert joined.metadata is not None
    assert joined.metadata.next_page is None
    assert joined.missing == ()


def test_a_missing_page_is_named() -> None:
    first, second, third = article()
    assert join_pages([first, third]).missing == (f"{URL}?page=2",)
    assert join_pages([first, second]).missing == ()
    assert join_pages([first, second, third]).missing == ()
    assert join_pages([second, third]).missing == ()


def test_metadata_are_those_of_the_first_page_with_what_others_know_better() -> None:
    def dated(number: int, day: str, robots: str = "") -> LabeledPage:
        head = f'<meta property=article:modified_time content="{day}">'
        head += '<meta property=article:published_time content="2024-01-02">' * (number == 1)
        head += f'<meta name=robots content="{robots}">' if robots else ""
        return page(p(paragraph(number), INTRO), number, last=9, head=head)

    pages = [dated(1, "2024-02-01"), dated(2, "2024-05-01", "noai"), dated(3, "2024-03-01")]
    joined = join_pages(pages)
    metadata, first = joined.metadata, pages[0].metadata
    assert metadata
    assert first
    assert metadata.date_published == "2024-01-02"
    assert (metadata.date_modified, metadata.date_modified_raw) == ("2024-05-01", "2024-05-01")
    assert metadata.training_opt_out == ("noai",)
    assert metadata.next_page == f"{URL}?page=4"
    assert metadata.previous_page is None
    assert metadata.sources["next_page"] == "link"
    assert metadata.word_count == len(re.findall(r"\w+", joined.text))
    assert metadata.fingerprint != first.fingerprint
    assert metadata.title == first.title


@pytest.mark.parametrize("formats", [(), ("markdown",), ("html",), ("metadata",)])
def test_only_what_was_asked_for_is_joined(formats: tuple[Format, ...]) -> None:
    pages = [page(p(INTRO, paragraph(n)), n, formats=formats) for n in (1, 2)]
    joined = join_pages(pages)
    for name in ("markdown", "html", "metadata"):
        assert (getattr(joined, name) is not None) == (name in formats)
    assert joined.text.count(INTRO) == 1
    if "markdown" not in formats:
        with pytest.raises(ValueError, match="was not asked for"):
            joined.chunks(100)
        with pytest.raises(ValueError, match="was not asked for"):
            pages[0].chunks(100)


def test_labels_say_what_is_repeated() -> None:
    rows = join_pages(article()).block_labels(("text", "label"))
    assert [row["page"] for row in rows if row["text"] == INTRO] == [1, 2]
    assert [row["label"] for row in rows if row["text"] == INTRO] == ["content", "boilerplate"]


def test_pages_without_text_are_no_trouble() -> None:
    empty = extract("", f"{URL}?page=7", formats=("markdown", "html", "metadata"))
    first, second, _ = article()
    joined = join_pages([empty, first, empty, second])
    assert joined.text == join_pages([first, second]).text
    assert joined.source == "model"
    assert join_pages([empty]).text == join_pages([empty]).markdown == ""
    assert (join_pages([empty]).confidence, join_pages([empty]).source) == (0.0, "nothing")


def test_wrong_input_has_a_clear_error() -> None:
    first, second, _ = article()
    with pytest.raises(ValueError, match="at least one page"):
        join_pages([])
    with pytest.raises(TypeError, match="page 2 is str: give results of extract"):
        join_pages([first, "page"])  # type: ignore[list-item]
    without = page(p("Text"), 2, formats=("markdown",))
    with pytest.raises(
        ValueError, match=r"page 2 \(.*page=2\) has markdown, but page 1 has markdown and html and"
    ):
        join_pages([first, without])
    sent = read(*written(second))
    with pytest.raises(ValueError, match=r"came from another process.*'thread'"):
        join_pages([sent])


def test_the_result_is_frozen() -> None:
    joined = join_pages(article())
    with pytest.raises(FrozenInstanceError):
        joined.markdown = ""  # type: ignore[misc]
    assert isinstance(joined, JoinedPages)
    assert joined == join_pages(article())


def test_texts_of_many_pages_take_linear_time() -> None:
    pages = [
        page(p(*(paragraph(200 * n + i) for i in range(200))), n, last=60) for n in range(1, 61)
    ]
    joined = join_pages(pages)
    assert len(joined.text.split("\n")) == 1 + 60 * 200
