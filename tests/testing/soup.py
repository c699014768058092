"""Hypothesis strategies: tag soup by a grammar of markup on the web, and mutated cases."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from .soup_cases import encoded, soup_cases

BLOCKS = "div p ul li h1 h4 section article main nav blockquote dl dd pre center address".split()
INLINE = "a b i span em font nobr sub code small ruby rt label s tt".split()
TABLE = "table caption colgroup col thead tbody tfoot tr td th".split()
FORM = "form fieldset legend button select option optgroup textarea label output input".split()
FOREIGN = "svg math g path foreignObject desc title mi mtext annotation-xml script style".split()
RAW = "script style title textarea xmp iframe noembed noframes noscript template plaintext".split()
OTHERS = (
    "html head body br hr img wbr meta link base frameset frame object embed video canvas map area "
    "details summary dialog marquee isindex image x-y o:p fb:like 1x é p'q h7"
).split()
NAMES = sorted({*BLOCKS, *INLINE, *TABLE, *FORM, *FOREIGN, *RAW, *OTHERS})
CODECS = (
    "utf-8", "utf-16", "utf-16-le", "utf-32", "cp1252", "shift_jis", "gb18030", "euc-kr", "koi8-r",
    "iso-2022-jp", "utf-7", "cp037",
)  # fmt: skip
DECLARED = (None, "", "UTF8", "latin-1", "x-no-such", "hex", "idna", "a;b", "\x00", *CODECS)

texts = st.one_of(
    st.sampled_from((
        "tide", "Tide pools warm at night.", " ", "\n\t ", "&amp;", "&#0;", "&#xD800;", "&lt",
        "&#x", "\x00", "\x0c", "\u00a0", "\u200b", "潮だまり", "🦀", "\ud83e", "a\u0301", "\ufeff",
        "<", ">", "|", "1 < 2", "Comments", "Reply", "© 2021", "]]>", "-->",
    )),
    st.text(st.characters(exclude_categories=()), max_size=8),
)  # fmt: skip
values = st.one_of(
    st.sampled_from((
        "", "=a", '="a b"', "='x'", "=", '="', "='<p>'", '="&amp;&#0;"', "=true", "=99999999",
        '="display:none"', '="camelCase_snake-42"', '="description"',
        '="https://schema.org/Recipe"',
    )),
    st.text(st.characters(exclude_categories=()), max_size=6).map("={}".format),
)  # fmt: skip
attribute_names = st.sampled_from((
    "class", "CLASS", "id", "role", "itemprop", "itemtype", "style", "hidden", "aria-hidden",
    "href", "content", "name", "property", "colspan", "xml:lang", "xmlns", '"', "<", "/", "é",
    "a\x00b", "=",
))  # fmt: skip
attributes = st.lists(st.builds(" {}{}".format, attribute_names, values), max_size=3).map("".join)
markup = st.sampled_from((
    "<!-- c -->", "<!-->", "<!--", "--!>", "<!x>", "<![CDATA[ c ]]>", "<![CDATA[", "<?pi x?>", "<?",
    "<!DOCTYPE html>", '<!DOCTYPE html [<!ENTITY a "b">]>', "<!DOCTYPE", "</>", "</ p>", "</", "<",
    '<?xml version="1.0" encoding="utf-16"?>', "<meta charset=hex>", "<![if !IE]>", "</br>", "</p>",
    '<script type="application/ld+json">{"articleBody":"a\\ud800b"}</script>',
))  # fmt: skip


def elements(names: list[str], children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Return elements of these names: whole, never closed, only closed, or in wrong order."""
    name = st.sampled_from(names)
    whole = st.builds("<{0}{1}>{2}</{0}>".format, name, attributes, children)
    return st.one_of(
        whole,
        whole.map(str.upper),
        st.builds("<{}{}>{}".format, name, attributes, children),
        st.builds("</{}{}>".format, name, attributes),
        st.builds("<{}{}/>".format, name, attributes),
        st.builds("<{0}><{1}>{2}</{0}>{3}</{1}>".format, name, name, children, texts),
    )


def _extended(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(children, min_size=1, max_size=4).map("".join)
    kinds = (BLOCKS, INLINE, TABLE, FORM, FOREIGN, RAW, OTHERS)
    return st.one_of(*(elements(names, several) for names in kinds))


soups = st.recursive(st.one_of(texts, markup, elements(NAMES, texts)), _extended, max_leaves=12)
"""A page's source, nested and mis-nested; it may hold halves of surrogate pairs."""

MUTATIONS: tuple[Callable[[str, int, int], str], ...] = (
    lambda text, i, j: text[:i] + text[j:],
    lambda text, i, j: text[:j] + text[i:],
    lambda text, i, j: text[:i] + text[i:j] * 40 + text[j:],
    lambda text, i, j: text[:i] + text[i:j][::-1] + text[j:],
    lambda text, i, j: text[:i] + text[i:j].swapcase() + text[j:],
    lambda text, i, j: text[j:] + text[:i],
    lambda text, i, j: text[:i] + "\x00" + text[i:j] + "\ud800" + text[j:],
    lambda text, i, j: text[:j],
    lambda text, i, j: text.replace(">", "", 1 + i % 3),
    lambda text, i, j: text.replace('"', "'").replace("</", "<", 1 + j % 3),
)
"""Each takes a page's source and two places in it, the first not after the second."""


@st.composite
def mutated_cases(draw: st.DrawFn) -> str:
    """Return one to three cases of ``soup.dat``, joined and mutated up to four times."""
    text = "".join(draw(st.lists(st.sampled_from(_CASES), min_size=1, max_size=3)))
    for mutation in draw(st.lists(st.sampled_from(MUTATIONS), max_size=4)):
        i, j = sorted(draw(st.tuples(*[st.integers(0, len(text))] * 2)))
        text = mutation(text, i, j)[:_MOST_CHARS]
    return text


_CASES = tuple(soup_cases().values())
_MOST_CHARS = 4000

sources = st.one_of(soups, mutated_cases())


@st.composite
def bodies(draw: st.DrawFn) -> bytes:
    """Return a page as bytes in some encoding, perhaps with bytes swapped, cut off or inserted."""
    body = encoded(draw(sources), draw(st.sampled_from(("utf-8", *CODECS))))
    i, j = sorted(draw(st.tuples(*[st.integers(0, len(body))] * 2)))
    ways = (body, body, body, body[:i], body[:i] + body[j : j + 1] + body[i + 1 :],
            body[:i] + draw(st.binary(max_size=4)) + body[i:])  # fmt: skip
    return draw(st.sampled_from(ways))
