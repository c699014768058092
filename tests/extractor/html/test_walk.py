"""Runs of text: what separates words, and what does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify
from scrapy_boilernet.extractor.html.paths import Frame
from scrapy_boilernet.extractor.html.walk import joined, whole

BETWEEN = (
    "<!-- c -->", "<?pi x?>", "<script>no</script>", "<style>no</style>", "<!---->" * 9,
    "<template>no</template>", "<svg><title>no</title></svg>", "<!-- a --><script></script>",
)  # fmt: skip


def frame(tag: str, parent: Frame | None = None, node: int = 1) -> Frame:
    return Frame(etree.Element(tag), tag, parent, node, 1)


def blocks_of(html: str) -> list[tuple[str, int]]:
    return [(block.text, block.link_chars) for block in blockify(html).blocks]


def test_pieces_of_one_element_become_one() -> None:
    p = frame("p")
    b, other = frame("b", p, 2), frame("b", p, 3)
    assert whole([("a", p), ("b", p), ("c", b), ("d", other), ("e", other), ("f", p)]) == [
        ("ab", p), ("c", b), ("de", other), ("f", p),
    ]  # fmt: skip


def test_a_run_of_different_elements_is_returned_itself() -> None:
    p = frame("p")
    run = [("a", p), ("b", frame("b", p, 2)), ("c", p)]
    assert whole(run) is run


def test_siblings_of_more_than_a_character_are_words_of_their_own() -> None:
    p = frame("p")
    b, i = frame("b", p, 2), frame("i", p, 3)
    assert joined([("tide", b), ("pool", i)]) == "tide pool"
    assert joined([("t", b), ("ide", i)]) == "tide"  # a large first letter
    assert joined([("tide", p), ("pool", b)]) == "tidepool"
    assert joined([("tide", b)]) == "tide"


def test_siblings_in_code_are_not_words_of_their_own() -> None:
    code = frame("code")
    assert joined([("print", frame("b", code, 2)), ("(x)", frame("i", code, 3))]) == "print(x)"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<tt>SIG</tt><var>NAL</var>", "SIGNAL"),
        ("<var>name</var><tt>.zwc</tt>", "name.zwc"),
        ("<code>get_</code><var>type</var>", "get_type"),
        ("<var>in</var><samp>.c</samp>", "in.c"),
        ("<tt>--in=</tt> <var>file</var>", "--in= file"),
        ("<b>tide</b><tt>pool</tt>", "tide pool"),
        ("<var>tide</var><b>pool</b>", "tide pool"),
        ("<kbd>Ctrl</kbd><kbd>Alt</kbd>", "Ctrl Alt"),
        ("<tt><a href=/a>tide</a></tt><tt><a href=/b>pool</a></tt>", "tide pool"),
    ],
)
def test_code_and_a_variable_side_by_side_are_one_word(html: str, text: str) -> None:
    assert blocks_of(f"<p>so {html} is")[0][0] == f"so {text} is"
    spans = blockify(f"<p>so {html} is", markup=True).markup
    assert spans is not None
    assert "".join(span.text for span in spans.spans[0]) == f"so {text} is"


def test_links_side_by_side_are_words_of_their_own_however_deep() -> None:
    p = frame("p")
    one, other = frame("a", p, 2), frame("a", p, 4)
    inner = frame("b", other, 5)
    assert joined([("Home", one), ("News", inner)]) == "Home News"


@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<a>About</a><a>B{}ag</a>", [("About Bag", 8)]),
        ("<p>ti{}de</p>", [("tide", 0)]),
        ("<p>tide {}pool</p>", [("tide pool", 0)]),
        ("<p>tide{} pool</p>", [("tide pool", 0)]),
        ("<p><a>ti{}de</a> pool</p>", [("tide pool", 4)]),
        ("<p><b>P{}RO</b><i>ab</i></p>", [("PRO ab", 0)]),
        ("<p><span>ab</span>{}<span>cd</span></p>", [("ab cd", 0)]),
        ("<p>{}tide{}</p>{}<p>{}pool</p>{}", [("tide", 0), ("pool", 0)]),
        ("<ul><li>o{}ne<li>tw{}o</ul>", [("one", 0), ("two", 0)]),
    ],
)
def test_what_is_not_shown_within_a_text_changes_nothing(
    html: str, expected: list[tuple[str, int]], between: str
) -> None:
    assert blocks_of(html.replace("{}", "")) == expected
    assert blocks_of(html.replace("{}", between)) == expected


@given(
    words=st.lists(
        st.sampled_from(("t", "ti", " tide ", "pool", "a b", "é")), min_size=1, max_size=4
    ),
    tags=st.lists(st.sampled_from(("a", "b", "span", "p", "li")), min_size=1, max_size=3),
    between=st.sampled_from(BETWEEN),
    data=st.data(),
)
@QUICK
def test_anything_not_shown_anywhere_in_a_text_changes_nothing(
    words: list[str], tags: list[str], between: str, data: st.DataObject
) -> None:
    parts = [
        f"<{tags[n % len(tags)]}>{word}</{tags[n % len(tags)]}>" for n, word in enumerate(words)
    ]
    number = data.draw(st.integers(0, len(words) - 1))
    place = data.draw(st.integers(0, len(words[number])))
    cut = words[number][:place] + between + words[number][place:]
    after = [*parts]
    after[number] = parts[number].replace(f">{words[number]}<", f">{cut}<")
    assert blocks_of("".join(after)) == blocks_of("".join(parts))
