"""Chunks follow the structure of the Markdown, keep to their limit, and know their places."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from parsel import Selector
from testing.labeled import from_kept

from scrapy_boilernet.crawl.item_values import page_values
from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.labeled import Chunk, LabeledPage, read_chunks, written_chunks
from scrapy_boilernet.extractor.output.formats import with_formats
from scrapy_boilernet.extractor.output.links_to_text import text_link
from scrapy_boilernet.extractor.output.tokens import Sizes
from scrapy_boilernet.settings.config import Config
from scrapy_boilernet.workers.columns import read, written

URL = "https://a.example/pools?page=1#top"
SENTENCES = " ".join(f"Limpet number {i} clings to its rock at low tide." for i in range(40))
RUSSIAN = " ".join(f"Моллюск номер {i} держится за скалу." for i in range(40))
CHINESE = "".join(f"第{i}只帽贝紧紧贴在岩石上，等待潮水。" for i in range(60))
THAI = "หอยฝาชีเกาะแน่นอยู่กับก้อนหินเมื่อน้ำลง" * 20
ROWS = "".join(f"<tr><td>species {i}</td><td>{i} cm in length</td></tr>" for i in range(60))
TABLE = f"<table><tr><th>Name</th><th>Size</th></tr>{ROWS}</table>"
CODE = "\n".join(f"    count[{i}] = find('pool {i}')" for i in range(60))
ITEMS = "".join(f"<li>Item {i} of a list of things<ul><li>inner {i}</ul>" for i in range(40))
PAGES = {
    "sections": "<h1 id=top>Pools</h1>" + "".join(
        f"<h2 id=s{i}>Part {i}</h2><p>{SENTENCES[:600]}<h3>Detail {i}</h3><p>Short text {i}."
        for i in range(6)
    ),
    "a long paragraph": f"<h1>Pools</h1><p>{SENTENCES}",
    "Russian": f"<h1>Лужи</h1><p>{RUSSIAN}",
    "Chinese": f"<h1>潮池</h1><p>{CHINESE}",
    "Thai": f"<p>{THAI}",
    "a table": f"<h2>Sizes</h2><p>Here:{TABLE}<p>After.",
    "code": f"<h2>Code</h2><pre><code class=language-python>\n{CODE}</code></pre><p>After.",
    "code in a list": f"<ul><li>First<pre>{CODE}</pre><li>Second</ul>",
    "a list": f"<p>Before<ul>{ITEMS}</ul>",
    "a quote": f"<blockquote><p>{SENTENCES}<p>{SENTENCES}</blockquote>",
    "links and emphasis": "<p>" + "Some <b>bold words</b> and a <a href=/x>link</a>. Next. " * 50,
    "escapes": "<p>" + "1. A *star*, a_b_ <x> and [c] | d. # no heading. - no item. " * 40,
    "line breaks": "<p>" + "<br>".join(f"Line {i} of a poem" for i in range(80)),
    "one word": f"<p>{'a' * 5000}",
    "private characters": f"<p>\ue000 and \ue001. {SENTENCES}",
    "pictures": "<p>Text.<p><img src=/a.png alt=A><p>" + SENTENCES + "<img src=/b.png>",
    "nothing": "",
    "headings only": "".join(f"<h{i % 6 + 1}>Heading {i}</h{i % 6 + 1}>" for i in range(60)),
    "callouts": "<h2>A</h2>" + "".join(
        f"<div class='admonition tip'><p class='admonition-title'>{title}</p><p>{SENTENCES[:900]}"
        f"<ul><li><input type=checkbox checked> done {title}<li>open</ul></div><hr><p>Text.</p>"
        for title in ("Tip", "Save money", "Note:")
    ) + "<p class=note><b>Note:</b> limpets cling. They do.<ul><li>A</li><ul><li>a<li>b</ul></ul>",
    "a long heading": f"<h1>{SENTENCES}</h1><p>Text.",
}  # fmt: skip


def labeled(html: str, url: str | None = URL) -> LabeledPage:
    page = blockify(html, url, markup=True)
    number = len(page.blocks)
    result = from_kept(page, [True] * number, [0.9] * number, 0.5, 0.9, "tiny", "model")
    return with_formats(result, ("markdown",))


@pytest.mark.parametrize("overlap", [0, 15])
@pytest.mark.parametrize("size", [1, 16, 40, 500, 100_000])
@pytest.mark.parametrize("name", PAGES)
def test_chunks_join_to_the_markdown_again(name: str, size: int, overlap: int) -> None:
    result = labeled(PAGES[name])
    chunks = result.chunks(size, overlap=min(overlap, size - 1))
    assert result.markdown is not None
    text, end = "", 0
    for chunk in chunks:
        assert chunk.start <= end
        assert chunk.start < chunk.end
        assert result.markdown[chunk.start : chunk.end] in chunk.markdown
        assert result.text[chunk.text_start : chunk.text_end] == chunk.text
        text += result.markdown[end : chunk.end]
        end = chunk.end
        if chunk.text:
            assert len(Selector(PAGES[name]).xpath(chunk.first_xpath)) == 1
            assert len(Selector(PAGES[name]).xpath(chunk.last_xpath)) == 1
    assert text == result.markdown
    letters = re.findall(r"\w", " ".join(chunk.text for chunk in chunks))
    assert overlap or letters == re.findall(r"\w", result.text)


def tex(formula: str, display: str = "inline") -> str:
    note = f'<annotation encoding="application/x-tex">{formula}</annotation>'
    return f"<math display={display}><semantics><mi>x</mi>{note}</semantics></math>"


NOTE = '<sup><a href="#n1" id=r1>1</a></sup>'
DEFINITION = '<ol><li id=n1>On rocks. <a href="#r1">↩</a></ol>'
WHOLE = {
    "a formula": (f"<p>Here {tex('E = m c^2. Next')} holds.", ["$E = m c^2. Next$"]),
    "a formula in Russian": (f"<p>Здесь {tex('a + b. C')} верно.", ["$a + b. C$"]),
    "a formula in Chinese": (f"<p>能量{tex('E = m c^2')}成立。潮水。", ["$E = m c^2$"]),
    "a displayed formula": (
        f"<p>Before it. {tex('y = 2. Z', 'block')} After it.",
        ["$$\ny = 2. Z\n$$"],
    ),
    "two displayed formulas": (
        f"<p>Wir {tex('a = b', 'block')} und {tex('c = d', 'block')} enden.",
        ["$$\na = b\n$$", "$$\nc = d\n$$"],
    ),
    "raw TeX in dollars": ("<p>The sum $a + b_1. C$ is known.", ["$a + b_1. C$"]),
    "raw TeX in two dollars": (
        "<p>The sum $$\\frac{a}{b} = 1. C$$ is known.",
        ["$$\\frac{a}{b} = 1. C$$"],
    ),
    "raw TeX in round brackets": (
        "<p>La somme \\(x_1 + \\alpha. C\\) est connue.",
        ["$x_1 + \\alpha. C$"],
    ),
    "raw TeX in square brackets": (
        "<p>The sum \\[x^2 = \\beta. C\\] is known.",
        ["$$x^2 = \\beta. C$$"],
    ),
    "a raw environment": (
        "<p>So \\begin{equation}x = 1. C\\end{equation} is known.",
        ["$$\\begin{equation}x = 1. C\\end{equation}$$"],
    ),
    "the mark of a note": (f"<p>Limpets{NOTE} cling. {DEFINITION}", ["Limpets[^1]"]),
    "a superscript": ("<p>An area of 10<sup>6</sup> pools.", ["10<sup>6</sup>"]),
    "a subscript": ("<p>Es ist H<sub>2</sub>O im Becken.", ["H<sub>2</sub>O"]),
    "a superscript in brackets": ("<p>Это x<sup>abc</sup>, да.", ["x<sup>abc</sup>,"]),
}


@pytest.mark.parametrize("size", [1, 5, 12])
@pytest.mark.parametrize("name", WHOLE)
def test_a_formula_and_a_raised_text_are_never_cut(name: str, size: int) -> None:
    html, units = WHOLE[name]
    result = labeled(html)
    chunks = result.chunks(size)
    assert "".join(chunk.markdown for chunk in chunks) == result.markdown
    for unit in units:
        assert sum(unit in chunk.markdown for chunk in chunks) == 1
    for chunk in chunks:
        assert result.text[chunk.text_start : chunk.text_end] == chunk.text


PLACES = {
    "displayed formulas": (
        f"<p>Before. {tex('y = 2', 'block')} Between. {tex('z = 3', 'block')} After.",
        ["Before.", "y = 2", "Between.", "z = 3", "After."],
    ),
    "a note": (f"<p>Limpets{NOTE} cling.{DEFINITION}", ["Limpets [1]", "cling.", "On", "rocks."]),
    "a note after a stop": (
        f"<p>They cling.{NOTE} So.{DEFINITION}",
        ["They", "cling. [1]", "So.", "On", "rocks."],
    ),
    "superscripts": ("<p>Some 10<sup>6</sup> of m<sup>2</sup>.", ["Some", "10⁶", "of", "m²."]),
    "marks that are no notes": (
        "<p>Big boats<sup>*</sup> left. It came<sup>†</sup>, then x<sub>max</sub> grew.",
        ["Big", "boats *", "left.", "It", "came †,", "then", "x_max", "grew."],
    ),
    "marks side by side": (
        "<p>Some<sup>*</sup><sup>†</sup> 10<sup>6</sup> boats<sup>*</sup> left.",
        ["Some * †", "10⁶", "boats *", "left."],
    ),
    "subscripts": ("<p>Вода H<sub>2</sub>O здесь.", ["Вода", "H₂O", "здесь."]),
    "signs that Unicode lacks": ("<p>Ein x<sup>abc</sup> dort.", ["Ein", "x^abc", "dort."]),
    "prices": ("<p>It costs $5. Or $6 now.", ["It", "costs", "$5.", "Or", "$6", "now."]),
    "other dollars": ("<p>Pay US$ 7 or $ 8.", "Pay US$ 7 or $ 8.".split()),
    "a dollar alone": ("<p>Наличие $a здесь.", ["Наличие", "$a", "здесь."]),
    "unclosed TeX": ("<p>An \\(x + y here.", ["An", "\\(x", "+", "y", "here."]),
}


@pytest.mark.parametrize("name", PLACES)
def test_places_in_the_text_hold_beside_formulas_and_raised_texts(name: str) -> None:
    html, texts = PLACES[name]
    result = labeled(html)
    chunks = result.chunks(1, count=lambda text: len(text.split()))
    assert [chunk.text for chunk in chunks] == texts
    assert [result.text[chunk.text_start : chunk.text_end] for chunk in chunks] == texts


CAN_BE_CUT = [name for name in PAGES if name not in ("one word", "a long heading", "pictures")]


@pytest.mark.parametrize("overlap", [0, 15])
@pytest.mark.parametrize("name", CAN_BE_CUT)
@pytest.mark.parametrize("size", [60, 120, 500])
def test_no_chunk_is_over_its_limit(name: str, size: int, overlap: int) -> None:
    for chunk in labeled(PAGES[name]).chunks(size, overlap):
        assert chunk.tokens <= size
        assert chunk.tokens == Sizes(None).tokens(chunk.markdown)


WORDS = st.text("aäбab", min_size=1, max_size=12)
PROSE = st.lists(st.tuples(WORDS, st.sampled_from(["", ".", "?", "!", ","])), min_size=1)


@given(st.lists(PROSE, min_size=1, max_size=4), st.integers(8, 30), st.integers(0, 3))
def test_no_chunk_of_prose_is_over_its_limit(
    prose: list[list[tuple[str, str]]], size: int, overlap: int
) -> None:
    texts = [" ".join(map("".join, words)) for words in prose]
    result = labeled("".join(f"<p>{text}</p>" for text in texts))
    chunks = result.chunks(size, overlap)
    for chunk in chunks:
        assert chunk.tokens <= size
        assert chunk.tokens == Sizes(None).tokens(chunk.markdown)
    parts = [*pairwise([*(chunk.start for chunk in result.chunks(size)), None])]
    assert "".join((result.markdown or "")[begin:end] for begin, end in parts) == result.markdown


def test_the_blank_lines_behind_a_chunk_count() -> None:
    result = labeled(f"<p>One. {'word ' * 15}last.<p>More of it.")  # a sentence of 20 tokens
    chunks = result.chunks(20)
    assert "".join(chunk.markdown for chunk in chunks) == result.markdown
    assert all(chunk.tokens <= 20 for chunk in chunks)


ABBREVIATED = [
    "Prof. Dr. Ada Kern met Mr. and Mrs. Low, e.g. in St. Ives, on p. 7 of No. 3.",
    "Hr. Ott wohnt z. B. in Nr. 5, d. h. bei Fr. Ott.",
    "M. Roux et Mme. Roux parlent.",
    "El Sr. Ruiz y la Sra. Paz hablan con Ud. aquí.",
]


@pytest.mark.parametrize("sentence", ABBREVIATED)
def test_a_sentence_is_not_cut_behind_a_title_or_an_abbreviation(sentence: str) -> None:
    chunks = labeled(f"<p>{' '.join([sentence] * 3)}").chunks(len(sentence) // 4 + 3)
    assert [chunk.text for chunk in chunks] == [sentence] * 3


def test_a_sentence_ends_behind_words_that_look_like_abbreviations() -> None:
    sentences = ["We said no.", "Limpets like art.", "They lack C.", "It is St."]
    chunks = labeled(f"<p>{' '.join(sentences)}").chunks(3, count=lambda text: len(text.split()))
    assert [chunk.text for chunk in chunks] == sentences


COUNTS: dict[str, Callable[[str], int]] = {
    "words": lambda text: len(text.split()),
    "characters": len,
    "with two more": lambda text: len(text.split()) + 2,
    "more than the sum": lambda text: len(text.split()) ** 2 // 30,
    "less than the sum": lambda text: int(len(text) ** 0.8),
}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.parametrize("name", ["sections", "a long paragraph", "a table", "code", "a list"])
def test_tokens_are_counted_by_a_function(name: str, count: str) -> None:
    for chunk in labeled(PAGES[name]).chunks(150, count=COUNTS[count]):
        assert chunk.tokens == COUNTS[count](chunk.markdown) <= 150


@pytest.mark.parametrize("blocks", [100, 1_000])
@pytest.mark.parametrize("count", ["words", "with two more", "less than the sum"])
def test_counting_is_linear(count: str, blocks: int) -> None:
    html = "".join(f"<h2>Part {i}</h2><p>Text {i}. And more." for i in range(blocks // 2))
    read: list[int] = []

    def counted(text: str) -> int:
        read.append(len(text))
        return COUNTS[count](text)

    result = labeled(html)
    result.chunks(50, count=counted)
    assert len(read) <= 2 * blocks + 10
    assert sum(read) <= 4 * len(result.markdown or "")


def test_a_table_that_is_cut_repeats_its_head() -> None:
    chunks = labeled(PAGES["a table"]).chunks(100)
    assert len(chunks) > 3
    for chunk in chunks:
        lines = [line for line in chunk.markdown.strip().split("\n") if line[:1] == "|"]
        if lines:
            assert lines[:2] == ["| Name | Size |", "| --- | --- |"]
            assert all(line.startswith("| species") for line in lines[2:])
            assert len(lines) > 2


def test_a_head_that_would_fill_half_a_chunk_is_not_repeated() -> None:
    head = "".join(f"<th>A long name of column {i}</th>" for i in range(10))
    html = f"<table><tr>{head}</tr>" + "<tr><td>a<td>b</tr>" * 30 + "</table>"
    chunks = labeled(html).chunks(60)
    assert sum("long name" in chunk.markdown for chunk in chunks) == 1


@pytest.mark.parametrize(("name", "fence"), [("code", "```python"), ("code in a list", "  ```")])
def test_code_that_is_cut_keeps_its_fences(name: str, fence: str) -> None:
    chunks = labeled(PAGES[name]).chunks(100)
    assert len(chunks) > 3
    for chunk in chunks:
        lines = chunk.markdown.rstrip().split("\n")
        fences = [line for line in lines if "```" in line]
        if fences:
            assert fences == [fence, fence.replace("python", "")]
    assert all("count[" in chunk.text for chunk in chunks[1:-1])


def test_a_chunk_holds_whole_sections_or_lies_within_one() -> None:
    chunks = labeled(PAGES["sections"]).chunks(200)
    assert [chunk.headings for chunk in chunks] == [("Pools",)] + [
        ("Pools", f"Part {i}") for i in range(1, 6)
    ]
    assert all(chunk.markdown.startswith(f"## Part {i}") for i, chunk in enumerate(chunks[1:], 1))
    assert labeled(PAGES["sections"]).chunks(5_000)[0].headings == ("Pools",)


def test_headings_stay_with_their_text() -> None:
    for chunk in labeled(PAGES["sections"]).chunks(60):
        assert not chunk.markdown.rstrip().rpartition("\n")[2].startswith("#")


SECTION = "<h2>A <em>b</em></h2><p>One. Two. <h2>C</h2><h3>D</h3><p>Three."


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (4, [("A b",), ("C",)]),
        (100, [()]),
    ],
)
def test_headings_are_those_of_sections_that_hold_the_whole_chunk(
    size: int, expected: list[tuple[str, ...]]
) -> None:
    chunks = labeled(SECTION).chunks(size)
    assert list(dict.fromkeys(chunk.headings[:1] for chunk in chunks)) == expected


def test_a_heading_that_is_cut_is_named_whole() -> None:
    title = "A heading of words that is cut into pieces"
    chunks = labeled(f"<h2>{title}</h2><p>One. Two.").chunks(3)
    assert len(chunks) > 4
    assert {chunk.headings for chunk in chunks} == {(title,)}


def test_an_overlap_repeats_the_last_sentences_before() -> None:
    chunks = labeled(PAGES["a long paragraph"]).chunks(60, overlap=20)
    for before, chunk in pairwise(chunks):
        assert before.end - 80 <= chunk.start < before.end
        assert chunk.markdown.startswith("Limpet number ")
        assert before.text.endswith(chunk.text[: before.text_end - chunk.text_start])


IDS = {
    "<h2 id=one>A</h2><p>Text": "#one",
    "<div id=box><p>Text</div>": "#box",
    "<h2><span id=in>A</span></h2><p>Text": "#in",
    "<h2 id='a b'>A</h2><p>Text": "",
    "<h2 id='été'>A</h2><p>Text": "#%C3%A9t%C3%A9",
    "<h2 id='a\"b%c'>A</h2><p>Text": "#a%22b%25c",
    "<p>Text": "",
    f"<h2 id={'x' * 501}>A</h2><p>Text": "",
    "<ul id=l><li id=l1>Text</ul>": "#l1",
    "<h2 id='潮'>A</h2><p>Text": "#%E6%BD%AE",
}


@pytest.mark.parametrize("html", IDS)
def test_the_nearest_id_is_linked(html: str) -> None:
    (chunk,) = labeled(html).chunks()
    assert chunk.id_url == (f"https://a.example/pools?page=1{IDS[html]}" if IDS[html] else "")
    assert labeled(html, None).chunks()[0].id_url == IDS[html]


FRAGMENTS = {
    "well-known": "well%2Dknown",
    "a, b & c": "a%2C%20b%20%26%20c",
    "100 % of #1": "100%20%25%20of%20%231",
    "潮池": "%E6%BD%AE%E6%B1%A0",
    "Ein „Zitat“": "Ein%20%E2%80%9EZitat%E2%80%9C",
    "a\ud800b": "a%3Fb",
    "x=y:z/?": "x%3Dy%3Az%2F%3F",
    "it's": "it%27s",
    "a~b_c.d": "a~b_c.d",
    "лужи": "%D0%BB%D1%83%D0%B6%D0%B8",
}


@pytest.mark.parametrize("text", FRAGMENTS)
def test_a_text_fragment_is_escaped(text: str) -> None:
    assert text_link("https://a.example/p#x", text) == (
        f"https://a.example/p#:~:text={FRAGMENTS[text]}"
    )


def test_a_text_fragment_quotes_what_no_other_block_begins_with() -> None:
    html = (
        "<ul><li>The pools of the north</ul><h2>The pools of the north</h2>"
        "<p>They fill twice a day, with the tide and its animals."
    )
    (chunk,) = labeled(html).chunks()
    assert chunk.text_url.endswith("text=They%20fill%20twice%20a%20day%2C%20with%20the%20tide")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"max_tokens": 0}, "max_tokens 0"),
        ({"max_tokens": -5}, "max_tokens -5"),
        ({"overlap": -1}, "overlap -1"),
        ({"overlap": 500}, "less than max_tokens = 500"),
    ],
)
def test_wrong_sizes_have_clear_errors(arguments: dict[str, int], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        labeled("<p>Text").chunks(**arguments)


@pytest.mark.parametrize("wrong", [[1, 2], "3", None, 1.5, True])
def test_a_count_that_returns_no_number_has_a_clear_error(wrong: object) -> None:
    with pytest.raises(TypeError, match="count must return a number of tokens"):
        labeled("<p>Text").chunks(count=lambda _: wrong)  # type: ignore[arg-type,return-value]


def test_a_page_without_markdown_names_the_remedy() -> None:
    page = blockify("<p>Text", markup=True)
    result = from_kept(page, [True], [0.9], 0.5, 0.9, "tiny", "model")
    with pytest.raises(ValueError, match="formats=\\('markdown',\\)"):
        result.chunks()


def test_chunks_are_plain_and_travel() -> None:
    result = labeled(PAGES["sections"])
    chunks = result.chunks(80)
    assert hash(chunks) == hash(copy.deepcopy(result).chunks(80))
    rows = json.loads(json.dumps(result.chunk_rows(80)))
    assert [Chunk(**row)._replace(headings=tuple(row["headings"])) for row in rows] == [*chunks]
    sent = read_chunks(written_chunks(result.with_chunks(80).cutter))
    assert sent is not None
    assert sent.chunks(result, 80, 0, None) == chunks
    with pytest.raises(ValueError, match="BOILERNET_CHUNK_TOKENS"):
        sent.chunks(result, 81, 0, None)
    assert result.with_chunks(80).chunks(81) == result.chunks(81)


def test_items_get_chunks_of_the_size_that_is_set() -> None:
    result = labeled(PAGES["sections"])
    config = Config(chunks_field="pieces", chunk_tokens=80)
    assert config.formats == ("markdown",)
    assert config.chunk_size == 80
    rows = page_values(result, config, "tiny")["pieces"]()
    assert rows == result.chunk_rows(80)
    assert repr(rows) == f"<{len(rows)} chunks>"
    assert "pieces" not in page_values(labeled_without_markdown(), config, "tiny")


def labeled_without_markdown() -> LabeledPage:
    page = blockify("<p>Text", URL)
    return from_kept(page, [True], [0.9], 0.5, 0.9, "tiny", "model")


@pytest.mark.parametrize("size", [0, 40, 500])
def test_a_page_from_another_process_has_the_chunks_that_were_asked_for(size: int) -> None:
    result = labeled(PAGES["sections"])
    plain, data = written(result.with_chunks(size) if size else result)
    sent = read(json.loads(json.dumps(plain)), data)
    if size:
        assert sent.chunks(size) == result.chunks(size)
    else:
        assert len(data) < len(written(result.with_chunks(40))[1])
        with pytest.raises(ValueError, match="BOILERNET_CHUNKS_FIELD"):
            sent.chunks(40)


def test_an_id_of_another_section_is_not_cited() -> None:
    text = "<p>" + "The pool is warm in the evening. " * 20
    html = (
        f"<h1>Pools</h1>{text}<h2 id=a>Alpha</h2>{text}<h2>Beta</h2>{text}<section id=c>"
        f"<h2>Gamma</h2>{text}</section><h2>Delta</h2>{text}<div id=e><h2>Epsilon</h2><p>{text}"
        f"<h3>Zeta</h3>{text}</div>"
    )
    ids = {chunk.headings[-1]: chunk.id_url for chunk in labeled(html, None).chunks(200)}
    assert ids == {
        "Pools": "", "Alpha": "#a", "Beta": "", "Gamma": "#c", "Delta": "", "Epsilon": "#e",
        "Zeta": "#e",
    }  # fmt: skip


def test_each_piece_of_code_is_cited_by_its_own_lines() -> None:
    code = "\n".join(f"x{n} = compute(y{n}, {n})" for n in range(200))
    chunks = labeled(f"<h1>Code</h1><pre>{code}</pre>", "https://a.example/").chunks(300)
    assert len(chunks) > 3
    for chunk in chunks[1:]:
        first = chunk.text.partition(" ")[0]
        assert f"#:~:text={first}%20" in chunk.text_url
