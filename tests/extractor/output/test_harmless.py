"""Neither HTML nor Markdown of a hostile page has anything that runs or loads more than images."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html
from testing.harmless import harms, renderers
from testing.hostile_texts import hostile_page
from testing.rendered import html_of, html_words, words, written
from testing.synthetic import QUICK

from scrapy_boilernet.extractor.html.blockify import blockify

TAB, NUL = "\t", "\0"
VECTORS = [
    # Scripts and handlers.
    "<script>alert(1)</script>x",
    "<p onclick=alert(1)>x</p>",
    "<img src=x onerror=alert(1)>x",
    "<img src=x onerror=alert(1) alt='a'>x",
    "<img src='x' alt='\"><script>alert(1)</script>'>x",
    "<img alt=\"' onerror='alert(1)\" src=x>x",
    "<img alt='`onerror=alert(1)' src=x>x",
    "<body onload=alert(1)>x",
    "<svg onload=alert(1)>x</svg>y",
    "<svg><script>alert(1)</script></svg>y",
    "<svg><a xlink:href='javascript:alert(1)'><text>x</text></a></svg>y",
    "<svg><animate onbegin=alert(1) attributeName=x></svg>y",
    "<svg><foreignObject><iframe srcdoc='<script>alert(1)</script>'></foreignObject></svg>y",
    "<math><mtext></p><img src=x onerror=alert(1)></mtext></math>y",
    "<math href='javascript:alert(1)'>x</math>y",
    "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>x",
    "<details open ontoggle=alert(1)>x</details>",
    "<video><source onerror=alert(1)></video>x",
    "<video poster=javascript:alert(1)>x</video>y",
    "<audio src=x onerror=alert(1)>x</audio>y",
    "<marquee onstart=alert(1)>x</marquee>",
    "<input onfocus=alert(1) autofocus>x",
    "<select onfocus=alert(1) autofocus><option>x</select>y",
    "<textarea onfocus=alert(1) autofocus>x</textarea>y",
    "<iframe src=javascript:alert(1)></iframe>x",
    "<iframe srcdoc='&lt;script&gt;alert(1)&lt;/script&gt;'></iframe>x",
    "<object data=javascript:alert(1)>x</object>y",
    "<embed src=javascript:alert(1)>x",
    "<applet code=x>y</applet>z",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<button formaction=javascript:alert(1)>x</button>",
    "<isindex action=javascript:alert(1)>x",
    "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>x",
    "<base href='javascript:alert(1)//'><a href=x>y</a>",
    "<base href='data:text/html,'><a href=x>y</a>",
    "<link rel=stylesheet href=javascript:alert(1)>x",
    "<style>@import 'javascript:alert(1)';</style>x",
    "<p style='background:url(javascript:alert(1))'>x</p>",
    "<p style='width:expression(alert(1))'>x</p>",
    "<table background=javascript:alert(1)><tr><td>x<td>y<tr><td>z<td>w</table>",
    # Addresses of links.
    "<a href=javascript:alert(1)>x</a>",
    "<a href=JaVaScRiPt:alert(1)>x</a>",
    "<a href=' javascript:alert(1)'>x</a>",
    "<a href='\x01javascript:alert(1)'>x</a>",
    "<a href='\x1fjavascript:alert(1)'>x</a>",
    "<a href='&#1;javascript:alert(1)'>x</a>",
    f"<a href='java{TAB}script:alert(1)'>x</a>",
    "<a href='java\nscript:alert(1)'>x</a>",
    "<a href='java\r\nscript:alert(1)'>x</a>",
    "<a href='java&#9;script:alert(1)'>x</a>",
    "<a href='java&Tab;script:alert(1)'>x</a>",
    "<a href='java&NewLine;script:alert(1)'>x</a>",
    f"<a href='java{NUL}script:alert(1)'>x</a>",
    "<a href='javascript&colon;alert(1)'>x</a>",
    "<a href='javascript&#58;alert(1)'>x</a>",
    "<a href='javascript&#x3A;alert(1)'>x</a>",
    "<a href='&#106;&#97;vascript:alert(1)'>x</a>",
    "<a href='&#0000106avascript:alert(1)'>x</a>",
    "<a href='&#x6A&#x61vascript:alert(1)'>x</a>",
    "<a href='jav\u00adascript:alert(1)'>x</a>",
    "<a href='\u00a0javascript:alert(1)'>x</a>",
    "<a href='\u2028javascript:alert(1)'>x</a>",
    "<a href='\u3000javascript:alert(1)'>x</a>",
    "<a href='javascript\u00a0:alert(1)'>x</a>",
    "<a href='\\javascript:alert(1)'>x</a>",
    "<a href='./javascript:alert(1)'>x</a>",
    "<a href='?javascript:alert(1)'>x</a>",
    "<a href='#javascript:alert(1)'>x</a>",
    "<a href='//javascript:alert(1)'>x</a>",
    "<a href='javascript://example.org/%0aalert(1)'>x</a>",
    "<a href='vbscript:msgbox(1)'>x</a>",
    "<a href='livescript:x'>x</a>",
    "<a href='view-source:javascript:alert(1)'>x</a>",
    "<a href='jar:javascript:alert(1)'>x</a>",
    "<a href='blob:https://example.org/1'>x</a>",
    "<a href='file:notes.txt'>x</a>",
    "<a href='data:text/html,<script>alert(1)</script>'>x</a>",
    "<a href='data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='>x</a>",
    "<a href='feed:javascript:alert(1)'>x</a>",
    "<a href='http://[::1'>x</a>",
    "<a href='http://a\" onclick=\"alert(1)'>x</a>",
    "<a href='http://a&quot; onclick=&quot;alert(1)'>x</a>",
    "<a href=\"http://a' onclick='alert(1)\">x</a>",
    "<a href='http://a/)![x](javascript:alert(1)'>x</a>",
    "<a href='http://a/> <img src=x onerror=alert(1)>'>x</a>",
    "<a href='http://a/ \"onmouseover=alert(1)'>x</a>",
    "<a href=x><a href=javascript:alert(1)>y</a></a>",
    # Addresses of images.
    "<p>a<img src=javascript:alert(1)>b</p>",
    "<p>a<img src='java&#10;script:alert(1)'>b</p>",
    "<p>a<img srcset='javascript:alert(1) 1x'>b</p>",
    "<p>a<img srcset='data:image/svg+xml,<svg/onload=alert(1)> 1x'>b</p>",
    "<p>a<img src='data:image/svg+xml,<svg onload=alert(1)>'>b</p>",
    "<p>a<img data-src='vbscript:x'>b</p>",
    "<p>a<img src=mailto:a@b.c>b</p>",
    "<p>a<img src='x\" onerror=\"alert(1)'>b</p>",
    "<p>a<img src='x' alt='](javascript:alert(1))'>b</p>",
    "<p>a<img src='x' alt='x\"onerror=\"alert(1)'>b</p>",
    # Text that would be markup if it were not escaped.
    "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    "<p>&lt;<b>script</b>&gt;alert(1)</p>",
    "<p>&lt;<span>script&gt;</span>alert(1)</p>",
    "<p>&amp;lt;script&amp;gt;</p>",
    "<p>&lt;img src=x onerror=alert(1)&gt;</p>",
    "<p>[x](javascript:alert(1))</p>",
    "<p>[x]<b>(javascript:alert(1))</b></p>",
    "<p>![x](javascript:alert(1))</p>",
    "<p>[x]: javascript:alert(1)</p><p>[x]</p>",
    "<p>&lt;javascript:alert(1)&gt;</p>",
    "<pre>&lt;/code&gt;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;</pre>",
    "<pre>```\n&lt;script&gt;alert(1)&lt;/script&gt;\n```</pre>",
    "<pre class='language-\"><script>alert(1)</script>'>x</pre>",
    "<pre class='language-x onclick=alert(1)'>x</pre>",
    "<pre data-lang='\"><img src=x onerror=alert(1)>'>x</pre>",
    "<code>`&lt;script&gt;alert(1)&lt;/script&gt;`</code>",
    "<p>a\n\n&lt;script&gt;alert(1)&lt;/script&gt;</p>",
    "<table><tr><th>a<th>b<tr><td>&lt;script&gt;|<td>|&lt;/script&gt;</table>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>x</noscript>",
    "<template><script>alert(1)</script></template>x",
    "<xmp><script>alert(1)</script></xmp>x",
    "<plaintext><script>alert(1)</script>",
    "<title></title><img src=x onerror=alert(1)>",
    "<!--><img src=x onerror=alert(1)>-->x",
    "<![CDATA[<img src=x onerror=alert(1)>]]>x",
    "<?xml-stylesheet href='javascript:alert(1)'?>x",
    "<a href=x id=location name=cookie>y</a>",
    "<video src='javascript:alert(1)//.mp4'></video>y",
    "<video src='&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;.mp4'></video>y",
    "<iframe src='https://youtu.be/x&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;'></iframe>y",
    "<iframe src='https://a.b/c>d<e.pdf'></iframe>y",
    "<iframe src='https://www.facebook.com/plugins/post.php?href=https%3A%22%3E%3Cx'></iframe>y",
]  # fmt: skip

URL = r'(?:https?://|mailto:|tel:|(?![a-zA-Z][a-zA-Z0-9+.-]*:))[^"<>\s]*'
TEXT = r"(?:[^<>&]|&(?:lt|gt|amp|quot);)*"
VALUE = r'(?:[^<>&"]|&(?:lt|gt|amp|quot|#x27);)*'
TAG = (
    r"</?(?:h[1-6]|p|ul|li|blockquote|table|thead|tr|th|td|strong|em|del|code|pre)>"
    r'|</?su[pb]>|<span class="math (?:inline|display)">|</span>|<div id="fn-\w+">|</div>'
    r'|<br>|<ol(?: start="\d+")?>|</ol>|</a>|<code class="language-[a-z0-9+#._-]+">'
    rf'|<a href="{URL}"(?: class="embed")?>|<img src="{URL}" alt="{VALUE}">'
)
FRAGMENT = re.compile(rf"(?:{TEXT}|{TAG})*")
ATTRIBUTES = {
    ("a", "href"),
    ("a", "class"),
    ("img", "src"),
    ("img", "alt"),
    ("ol", "start"),
    ("code", "class"),
    ("span", "class"),
    ("div", "id"),
}


def made(body: str, url: str | None) -> dict[str, str]:
    page = blockify(f"<p>before</p>{body}<p>after</p>", url=url, markup=True)
    result = written(page)
    return {"markdown": result.markdown or "", "html": result.html or ""}


def check_addresses(fragment: str) -> None:
    """By another parser: no element, attribute or scheme but the expected ones."""
    for element in lxml_html.fromstring(f"<div>{fragment}</div>").iterdescendants():
        for name, value in element.attrib.items():
            assert (element.tag, name) in ATTRIBUTES | {("th", "style"), ("td", "style")}
            if name in ("href", "src"):
                schemes = {"", "http", "https"} | ({"mailto", "tel"} if name == "href" else set())
                assert urlsplit(re.sub(r"[\x00-\x20]", "", value)).scheme in schemes


@pytest.mark.parametrize("url", [None, "https://example.org/a/b.html"])
@pytest.mark.parametrize("vector", VECTORS)
def test_no_vector_gets_through(vector: str, url: str | None) -> None:
    result = made(vector, url)
    assert FRAGMENT.fullmatch(result["html"]), result["html"]
    check_addresses(result["html"])
    rendered = html_of(result["markdown"])
    assert FRAGMENT.fullmatch(without_tidy(rendered)), rendered
    check_addresses(rendered)


def without_tidy(rendered: str) -> str:
    """What a Markdown parser writes, in the form of our HTML."""
    for one, other in (
        ("<br />", "<br>"), ("<br/>", "<br>"), (" />", ">"),
        ("<tbody>", ""), ("</tbody>", ""), ("<s>", "<del>"), ("</s>", "</del>"),
    ):  # fmt: skip
        rendered = rendered.replace(one, other)
    return rendered


def test_there_are_many_vectors_each_once() -> None:
    assert len(VECTORS) == len(set(VECTORS)) >= 80


def test_markup_of_a_page_is_text_to_a_browser() -> None:
    html = made("<p>&lt;b&gt; &amp;amp; \"q\" 'a'</p>", None)["html"]
    assert "<p>&lt;b&gt; &amp;amp; \"q\" 'a'</p>" in html


@QUICK
@given(
    st.text(alphabet="javscript:data/\\\t\n\r\x00\x01 \u00a0#?.&;<>\"'()[]hp@%", max_size=24),
    st.sampled_from(
        [
            "a href",
            "img src",
            "img srcset",
            "img alt",
            "base href",
            "video src",
            "embed src",
        ]
    ),
    st.sampled_from([None, "https://example.org/a/b.html", "javascript:x", "http://[::1"]),
)
def test_no_address_gets_through(value: str, where: str, url: str | None) -> None:
    quoted = value.replace("&", "&amp;").replace('"', "&quot;")
    source = ' src="x.png"' if where == "img alt" else ""
    result = made(f'<p>x<{where}="{quoted}"{source}>y</a></p>', url)
    assert FRAGMENT.fullmatch(result["html"]), result["html"]
    check_addresses(result["html"])
    check_addresses(html_of(result["markdown"]))


ADDRESSES = [
    "www.a.b", "http://a.b/c", "https://a.b", "WWW.A.B/c_d", "ftp://a.b/c", "www.пример.рф",
    "http://例え.jp/道", "https://müller.example/ä", "www.a.b/c?d=1&amp;e=2", "http://[::1]/",
]  # fmt: skip
LIVE = [
    "{}&lt;script&gt;alert(1)&lt;/script&gt;",
    "潮汐 {}/&lt;img src=x onerror=alert(1)&gt;",
    "{}&amp;lt;script&amp;gt;",
    "Приливы {}[x](javascript:alert(1))",
    "{}`&lt;iframe src=//x.y&gt;`",
    "{}\\&lt;b onclick=alert(1)&gt;",
    "{}*&lt;style&gt;*",
    "{}&lt;!-- x",
    "{}<b>&lt;details open ontoggle=alert(1)&gt;</b>",
    "{}<a href='javascript:x'>&lt;object data=x&gt;</a>",
    "{}<a href='http://c.d/'>x</a>&lt;svg/onload=alert(1)&gt;",
    "{}<img src=x.png alt='&lt;script&gt;'>&lt;script&gt;",
    "{}<code>x</code>&lt;script&gt;alert(1)&lt;/script&gt;",
    "<code>{}&lt;script&gt;</code>{}<code>&lt;script&gt;</code>",
    "<i>{}</i>&lt;script&gt;<i>y</i>",
]
PLACES = [
    "<p>{}</p>", "<h2>{}</h2>", "<ul><li>{}</ul>", "<blockquote>{}</blockquote>",
    "<table><tr><th>a<th>b<tr><td>{}<td>c</table>", "<p>x<br>{}</p>",
]  # fmt: skip


@pytest.mark.parametrize("module", ["cmarkgfm", "markdown_it"])
@pytest.mark.parametrize("live", LIVE)
def test_text_after_an_address_stays_text_when_rendered(live: str, module: str) -> None:
    pytest.importorskip(module)
    body = "".join(
        place.replace("{}", live).replace("{}", address)
        for place in PLACES
        for address in ADDRESSES
    )
    result = written(blockify(body, url="https://example.org/", markup=True))
    rendered = renderers()[module](result.markdown or "")
    assert [*harms(rendered)] == []
    assert html_words(rendered) == words(result.text)


@pytest.mark.parametrize("module", ["cmarkgfm", "markdown_it"])
@pytest.mark.parametrize("tag", ["a href", "img src"])
@pytest.mark.parametrize("address", [
    "javascript&amp;colon;alert(1)", "&amp;#106;avascript:alert(1)", "javascript&amp;#58;alert(1)",
    "&amp;#x6a;avascript&amp;colon;alert(1)", "java&amp;Tab;script:alert(1)",
    "java&amp;NewLine;script&amp;colon;alert(1)", "vbscript&amp;colon;x",
    "data&amp;colon;text/html,x", "&amp;#0000106;avascript&amp;#x3A;x", "JAVASCRIPT&amp;COLON;x",
    "jav&amp;shy;ascript&amp;colon;x",    "&amp;amp;#106;avascript&amp;amp;colon;x",
])  # fmt: skip
def test_an_address_with_entities_names_no_scheme(address: str, tag: str, module: str) -> None:
    pytest.importorskip(module)
    result = written(blockify(f'<p>x <{tag}="{address}">y</a> z</p>', markup=True))
    assert [*harms(result.html or "")] == []
    assert [*harms(renderers()[module](result.markdown or ""))] == []


@pytest.mark.parametrize("module", ["cmarkgfm", "markdown_it"])
def test_hostile_pages_are_harmless_when_rendered(module: str) -> None:
    pytest.importorskip(module)
    render = renderers()[module]
    for seed in range(400):
        url = (None, "https://example.org/a/b.html")[seed % 2]
        result = written(blockify(hostile_page(seed), url=url, markup=True))
        assert [*harms(render(result.markdown or "")), *harms(result.html or "")] == [], seed


@pytest.mark.parametrize("text", [
    "AT&T, R&D and Q&A", "a < b, c > d and e <= f", "See www.example.org/a_b.", "www.a.b & www.c.d",
    "https://example.org/?a=1&b=2#c", "Mail a@b.c or go to http://a.b!", "5 < 6 at www.a.b",
    "(see https://example.org/a/)", "C:/a, 10:30, ratio 1:2", "潮だまり：www.example.jp/水",
    "Siehe http://müller.example/straße, S. 5 ff.", "snake_case and www.a.b/snake_case",
])  # fmt: skip
def test_ordinary_text_needs_no_escape(text: str) -> None:
    result = written(blockify(f"<p>{text.replace('&', '&amp;').replace('<', '&lt;')}", markup=True))
    assert result.markdown == text


def test_an_address_is_escaped_only_where_live_text_touches_it() -> None:
    html = "<p>www.a.b &lt;b> is a tag</p><p>http://a.b/&lt;b> and www.c.d</p><p>http://e.f</p>"
    result = written(blockify(html, markup=True))
    assert result.markdown == (
        "www.a.b \\<b> is a tag\n\nhttp\\://a.b/&lt;b> and www\\.c.d\n\nhttp://e.f"
    )
