"""Quotes in posts are quotes, whatever program of a forum wrote them, and their heads lines."""

from __future__ import annotations

import pytest
from testing.rendered import written

from scrapy_boilernet.extractor.html.blockify import blockify

URL = "https://board.example/t/1"
POSTS = {
    "vBulletin 4": "<li class='postcontainer'><div id=post_message_2><blockquote "
    "class='postcontent restore'><div class=bbcode_container><div class=bbcode_quote><div "
    "class=quote_container><div class=bbcode_quote_container></div><div "
    "class=bbcode_postedby><img src=/q.png alt=Quote> {head}<a href='/s?p=1#post1'><img "
    "class=inlineimg src=/v.png alt='View Post'></a></div><div "
    "class=message>{quoted}</div></div></div></div>{answer}</blockquote></div></li>",
    "vBulletin 5": "<div class='b-post__content js-post__content-text'><div class=bbcode_container>"
    "<div class=bbcode_quote><div class=quote_container><div "
    "class=bbcode_postedby>{head}</div><div "
    "class=message>{quoted}</div></div></div></div><br>{answer}</div>",
    "vBulletin 3": "<table><tr><td id=td_post_2><div id=post_message_2><div style='margin:20px'>"
    "<table><tr><td class=alt2 style='border:1px inset'><div>{head} <a href=/x><img src=/v.gif "
    "alt='View Post'></a></div><div "
    "style='font-style:italic'>{quoted}</div></td></tr></table></div>{answer}</div></td></tr>"
    "</table>",
    "phpBB 3": "<div class=postbody><div class=content><blockquote cite='./v#p1'><div><cite>{head} "
    "<a href='./v#p1'>↑</a></cite>{quoted}</div></blockquote>{answer}</div></div>",
    "SMF 2.1": "<div class=inner id=msg_2><blockquote class=bbc_standard_quote><cite>{head}</cite>"
    "{quoted}</blockquote>{answer}</div>",
    "MyBB": "<div class='post_body scaleimages' id=pid_2><blockquote "
    "class=mycode_quote><cite>{head} <a href='/x#pid1' "
    "class=quick_jump></a></cite>{quoted}</blockquote>{answer}</div>",
    "XenForo 1": "<div class=messageContent><div class='bbCodeBlock bbCodeQuote'><aside><div "
    "class='attribution type'>{head} <a href='/goto' class=AttributionLink>↑</a></div><blockquote "
    "class=quoteContainer><div class=quote>{quoted}</div><div class=quoteExpand>Click to expand..."
    "</div></blockquote></aside></div>{answer}</div>",
    "XenForo 2": "<div class=message-body><div class=bbWrapper><blockquote class='bbCodeBlock "
    "bbCodeBlock--expandable bbCodeBlock--quote'><div class=bbCodeBlock-title>{head}</div><div "
    "class=bbCodeBlock-content><div class=bbCodeBlock-expandContent>{quoted}</div><div "
    "class=bbCodeBlock-expandLink><a role=button>Zum Vergrößern anklicken...</a></div><div "
    "class='bbCodeBlock-shrinkLink js-shrink'><a>Click to shrink...</a></div></div></blockquote>"
    "{answer}</div></div>",
    "Discourse": "<div class=cooked><aside class='quote no-group'><div class=title><div "
    "class=quote-controls><a href=/t/1 class=back><svg></svg></a></div><img class=avatar "
    "src=/a.png> {head}</div><blockquote><p>{quoted}</p></blockquote></aside><p>{answer}</p></div>",
    "FluxBB": "<div class=postmsg><div class=quotebox><cite>{head}</cite><blockquote><div>"
    "<p>{quoted}</p></div></blockquote></div><p>{answer}</p></div>",
    "WoltLab": "<div class=messageText><blockquote class='quoteBox collapsibleBbcode'><div "
    "class=quoteBoxTitle>{head}</div><div class=quoteBoxContent><p>{quoted}</p></div><span "
    "class=toggleButton role=button>Alles anzeigen</span></blockquote><p>{answer}</p></div>",
    "Invision": "<div class='cPost_contentWrap'><blockquote class=ipsQuote><div "
    "class=ipsQuote_citation>{head}</div><div class=ipsQuote_contents><p>{quoted}</p></div>"
    "</blockquote><p>{answer}</p></div>",
    "Vanilla": "<div class='Message userContent'><blockquote class='Quote UserQuote'><div "
    "class=QuoteAuthor>{head}</div><div class=QuoteText>{quoted}</div></blockquote>{answer}</div>",
    "uCoz": "<div class=post-message><div class=bbQuoteBlock><div "
    "class=quote-title>{head}</div><div class=quoteMessage>{quoted}</div></div>{answer}</div>",
}
WORDS = [
    ("Reed wrote:", "The gate is oiled.", "I agree."),
    ("Olga hat geschrieben:", "„Das Tor“ klemmt.", "So ist es."),
    ("Ana escribió:", "Hay que engrasar la puerta.", "Estoy de acuerdo."),
    ("里德 写道：", "门已经上油。", "我同意。"),
]


@pytest.mark.parametrize(("head", "quoted", "answer"), WORDS)
@pytest.mark.parametrize("program", POSTS)
def test_quotes_of_many_programs(program: str, head: str, quoted: str, answer: str) -> None:
    html = POSTS[program].format(head=head, quoted=quoted, answer=answer)
    made = written(blockify(f"<ul>{html}</ul><p>End.", URL, markup=True))
    assert made.text == f"{head}\n{quoted}\n{answer}\nEnd."
    lines = [
        line.removeprefix("- ").removeprefix("  ") for line in (made.markdown or "").split("\n")
    ]
    assert lines == [f"> {head}", ">", f"> {quoted}", "", answer, "", "End."]
    plain = blockify(f"<ul>{html}</ul><p>End.", URL)
    assert [block.tags for block in plain.blocks] == [block.tags for block in made.page.blocks]


@pytest.mark.parametrize("program", ["vBulletin 4", "Discourse", "uCoz", "SMF 2.1"])
def test_quotes_in_quotes(program: str) -> None:
    inner = POSTS[program].format(head="Tom wrote:", quoted="First.", answer="Second.")
    inner = inner.replace("<blockquote class='postcontent restore'>", "<div>")
    html = POSTS[program].format(head="Reed wrote:", quoted=inner, answer="Third.")
    made = written(blockify(html, URL, markup=True)).markdown or ""
    lines = [line.strip("-> ") for line in made.split("\n") if line.strip("-> ")]
    assert lines == ["Reed wrote:", "Tom wrote:", "First.", "Second.", "Third."]
    assert [made.split(one)[0].split("\n")[-1].count(">") for one in lines] == [1, 2, 2, 1, 0]


def test_the_head_is_told_from_a_title_in_a_sentence() -> None:
    for html in (
        "<cite>The Gate: a Story</cite> is a book.", "<cite>The Gate</cite>, a book.",
        "See <cite>The Gate:</cite>a book.", "<cite>門</cite>は本です。",
    ):  # fmt: skip
        page = blockify(f"<div class=post><blockquote>{html}</blockquote></div>")
        assert len(page.blocks) == 1
    page = blockify("<div class=post><blockquote><cite>Reed: today</cite>Yes.</blockquote></div>")
    assert page.texts == ("Reed: today", "Yes.")


def test_texts_of_a_head_that_style_sets_apart_are_not_glued() -> None:
    head = "<cite><span> (03-02-2024, 10:01 AM)</span>Reed Wrote: </cite>Yes."
    page = blockify(f"<div class=post_body><blockquote>{head}</blockquote></div>")
    assert page.texts == ("(03-02-2024, 10:01 AM) Reed Wrote:", "Yes.")


@pytest.mark.parametrize(
    "html",
    [
        "<div class=product><div class=quote>12.40 €</div></div>",  # of a share
        "<div class=post><div class=quote><a href=/q>Quote</a></div></div>",
        "<div class=post><div class=quote-controls>Quote</div></div>",
        "<table class=post><tr><td style='border:1px inset'>A</td><td>B</td></tr></table>",
        "<table class=hours><tr><td style='border:1px inset'>A</td></tr></table>",
        "<div class=post><div style='box-shadow: inset 0 0 1px'>A</div></div>",
        "<div class=post><div class='quoteless misquoted'>A</div></div>",
    ],
)
def test_other_boxes_are_no_quotes(html: str) -> None:
    assert not any("blockquote" in block.tags for block in blockify(html).blocks)


@pytest.mark.parametrize("name", ["quote-collapsed", "collapse-toggle-body", "show-more-content"])
def test_a_class_of_a_state_or_a_body_names_no_control(name: str) -> None:
    html = (
        f"<div class=quote><div class=quote-author>Reed:</div><div class={name}>Shut.</div></div>"
    )
    page = blockify(f"<div class=post><div class=post-content>{html}<p>No.</p></div></div>")
    assert page.texts == ("Reed:", "Shut.", "No.")
    page = blockify(f"<div class=post><div class='quote {name}'>Shut.</div><p>No.</p></div>")
    assert "blockquote" in page.blocks[0].tags


def test_controls_and_images_elsewhere_stay() -> None:
    for html in (
        "<article><blockquote>A <button>knot</button> b</blockquote></article>",
        "<div class=post><blockquote>A <button>knot</button> b</blockquote></div>",
    ):
        assert blockify(html).texts == ("A knot b",)
    html = "<div class=post><blockquote><p>A</p><img src=/a.png alt=Mill></blockquote></div>"
    assert "![Mill]" in (written(blockify(html, URL, markup=True)).markdown or "")
    html = "<blockquote class='twitter-tweet'><p>A</p></blockquote>"
    assert written(blockify(html, URL, markup=True)).markdown == "> A"


@pytest.mark.parametrize("program", POSTS)
def test_the_link_of_a_head_stays_in_its_line(program: str) -> None:
    parts = {"quoted": "The gate is oiled.", "answer": "I agree."}
    html = POSTS[program].format(head="<a href='/p1'>Reed wrote</a>:", **parts)
    made = written(blockify(f"<main>{html}</main>", URL, markup=True))
    link = "[Reed wrote](https://board.example/p1)"
    assert made.markdown == f"> {link}:\n>\n> The gate is oiled.\n\nI agree."
    assert made.text == "Reed wrote:\nThe gate is oiled.\nI agree."


@pytest.mark.parametrize("body", ["<div>{}</div>", "<p>{}</p>", "<br>{}"])
@pytest.mark.parametrize("head", ["Anna said", "Anna hat geschrieben", "Анна писал(а)", "Anna 说"])
def test_a_head_that_is_a_link_stays_one(head: str, body: str) -> None:
    link = f"<a class=quote_header href='/p1'>{head}</a> {body.format('It is late.')}"
    html = f"<div class=post><div class=quote>{link}</div><p>So it is.</p></div>"
    made = written(blockify(html, URL, markup=True)).markdown or ""
    head = head.replace("(", "\\(").replace(")", "\\)") if "\\(" in made else head
    ends = "\\\n> " if "<br>" in body else "\n>\n> "
    assert made == f"> [{head}](https://board.example/p1){ends}It is late.\n\nSo it is."


VBULLETIN = """<div id=post_message_1><div><div class=smallfont>{label}</div><table><tr><td
style='border:1px inset'>The gate is oiled.</td></tr></table></div>I agree.</div>"""


@pytest.mark.parametrize(
    ("label", "is_read"),
    [("Quote:", False), ("Zitat:", False), ("Citation : ", False), ("Цитата:", False),
     ("引用：", False), ("Anna wrote:", True), ("Quote of the day:", True), ("See", True)],
)  # fmt: skip
def test_the_label_above_a_quote_in_a_lone_cell(label: str, is_read: bool) -> None:
    page = blockify(VBULLETIN.format(label=label))
    assert page.texts == (*([label.strip()] if is_read else []), "The gate is oiled.", "I agree.")
    other = VBULLETIN.format(label=label).replace("inset", "solid")
    assert blockify(other).texts[0] == label.strip()
