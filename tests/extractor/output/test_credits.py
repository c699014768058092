"""Eastern words for the author, before names and elsewhere."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.output.credits import author_credit

TEXT = (
    "<p>镇议会已投票决定重新开放下游堰坝沿线的步道，四年前一场山体滑坡使其对步行者和垂钓者关闭，"
    "居民们对此感到高兴，他们说这条小路对大家都很重要。</p>"
)
STATED = "<meta name=author content=港口日报>"
STATED_NAMES = ("港口日报",)


def authors_of(below: str, head: str = "", after: str = "") -> tuple[str, ...]:
    """Return the authors of a page with this below its headline, in its head, below its text."""
    html = (
        f"<html lang=zh><head><title>小路重新开放_港口日报</title>{head}</head><body><main>"
        f"<h1>小路重新开放</h1>{below}{TEXT * 4}{after}</main></body></html>"
    )
    metadata = extract(html, "https://gk.example/a", formats=("metadata",)).metadata
    assert metadata
    return metadata.authors


@pytest.mark.parametrize("label", ["记者：", "記者：", "记者: "])
@pytest.mark.parametrize("tag", ["<p>{}</p>", "<p><strong>{}</strong></p>", "<div>{}</div>"])
@pytest.mark.parametrize(
    "question",
    [
        "高温、暴雨频发，城市怎样应对？",
        "教育、医疗、养老是大家关心的问题。",
        "谢谢您",
        "您怎么看？",
        "王小明先生的书很有名！",
        "教育和医疗",
    ],
)
def test_a_question_of_an_interview_names_no_author(question: str, label: str, tag: str) -> None:
    answer = "<p>专家：好的，我来回答这个问题，这件事情对城市来说很重要。</p>"
    lines = [tag.format(label + text) for text in (question, "城市怎样应对？")]
    for body in (answer.join(lines), answer.join(lines[::-1])):
        assert authors_of(body) == authors_of("", after=body) == ()
        assert authors_of(body, STATED) == STATED_NAMES
        assert authors_of(f"<p>2024-05-03 来源：港口报</p>{body}") == ()


@pytest.mark.parametrize("question", ["高温、暴雨频发，城市怎样应对？", "谢谢您", "教育很重要。"])
def test_a_single_question_names_no_author(question: str) -> None:
    assert authors_of(f"<p>记者：{question}</p>", STATED) == STATED_NAMES


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("<p>记者：王小明</p>", ("王小明",)),
        ("<p>记者：王小明，通讯员：李四</p>", ("王小明",)),
        ("<p>来源：港口报 记者：王小明 编辑：李四</p>", ("王小明",)),
        ("<p>记者：王小明</p><p>记者：王小明</p>", ("王小明",)),
        ("<p>2024年5月3日 记者：王小明</p>", ("王小明",)),
    ],
)
def test_a_reporter_is_the_author(byline: str, names: tuple[str, ...]) -> None:
    assert authors_of(byline) == names
    assert authors_of(byline, STATED) == names


@pytest.mark.parametrize("byline", ["<p>{}</p>", "<p class=author>{}</p>"])
@pytest.mark.parametrize(
    ("credit", "names"),
    [
        ("글쓴이 : 홍길동 날짜 : 24-05-01 12:30 조회 : 123", ("홍길동",)),
        ("글쓴이: Mara Holt 조회수: 3", ("Mara Holt",)),
        ("글쓴이 : 날짜 : 24-05-01", ()),
        ("글쓴이 : 관리자 날짜 : 24-05-01", ()),
        ("글쓴이 : 최고관리자", ()),
        ("作者：Ann Lee 译者：李四", ("Ann Lee",)),
        ("作者：张三 审稿：李四 阅读：12", ("张三",)),
        ("作者：匿名", ()),
        ("作者：匿名 译者：李四", ()),
        ("作者：管理员 2024-05-03", ()),
    ],
)
def test_a_name_ends_before_the_next_label(
    credit: str, names: tuple[str, ...], byline: str
) -> None:
    assert authors_of(byline.format(credit)) == names


@pytest.mark.parametrize(
    "line",
    [
        "书名：《大海》 作者：海明威 出版社：译文",
        "書名：大海 作者：海明威",
        "《大海》 作者：海明威",
        "作者：海明威 译文出版社 2020年",
    ],
)
def test_the_author_of_a_book_is_not_that_of_the_page(line: str) -> None:
    assert authors_of(f"<p>{line}</p>") == ()
    assert authors_of(f"<p>{line}</p>", STATED) == STATED_NAMES
    assert authors_of(f"<p>作者：王小明</p><p>{line}</p>", STATED) == ("王小明",)


@pytest.mark.parametrize("piece", ["作者：", "来源：", "作者：张 ", "，张三：", "记者："])
def test_long_lines_take_linear_time(piece: str) -> None:
    assert isinstance(author_credit(piece * 20_000), str)
