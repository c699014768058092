"""Takes the writers out of a byline that also names photographers, sources and the like."""

from __future__ import annotations

import re

_AND_WORDS = "and und et y e i и og och ja en & + with mit avec con med".split()
_AND = rf"\s?(?:{'|'.join(map(re.escape, _AND_WORDS))}|/)\s?"
_TEXT = (
    r"(?:texte?|texto|testo|teksti?|tekst|words|story|reporting|interview|entrevista|intervista|"
    r"текст)"
)
_PICTURES = (
    r"(?:photos?|photograph(?:s|y|er)|pictures|images|illustrations?|illustrationen|videos?|fotos?|"
    r"foto['’]s|fotografi[ea]?|fotografías?|bild(?:er)?|bilder|billeder|valokuvat?|kuvat?|zdjęcia|"
    r"фото|видео)"
)
_EASTERN_TEXT = r"(?:取材・文|文|文章|撰文|作者|记者|記者|執筆|执笔|기자명|글쓴이|글)"
_EASTERN_PICTURES = r"(?:写真|撮影|絵|イラスト|摄影|攝影|图片|圖片|图|圖|摄|攝|사진|그림)"
_EASTERN_OTHER = (
    r"(?:来源|來源|稿源|出处|出處|(?:发布)?时间|(?:發布)?時間|日期|(?:责任)?编辑|責任編輯|责编|"
    r"責編|审核|校对|阅读|浏览|点击)"
)
_CREDIT = re.compile(
    rf"(?<!\w)(?:(?:(?P<both>{_TEXT}{_AND}{_PICTURES}|{_PICTURES}{_AND}{_TEXT})|(?P<text>{_TEXT})|"
    rf"{_PICTURES})(?:\s?[:：]|\s(?:by|von|par|por|di|de|av|af|door)(?=\s))|"
    rf"(?P<both2>{_EASTERN_TEXT}[・·ㆍと/／]{_EASTERN_PICTURES})(?:\s?[:：＝=／/]|(?=\s))|"
    rf"(?:(?P<text2>{_EASTERN_TEXT})|{_EASTERN_PICTURES}|{_EASTERN_OTHER})\s?[:：＝=／/・])",
    re.IGNORECASE,
)
"""What stands before the names of those who wrote the text, who took its pictures, or both."""
_REPORTER_FROM = re.compile(
    r"(?P<names>[\u3400-\u9fff][\u3400-\u9fff、]{1,30})\s?[／/]\s?[\u3400-\u9fff]{0,8}"
    r"(?:報導|报导|報道|报道|專訪|专访|特稿)[〕】）]?\Z"
)
"""The names of reporters and the town that they report from."""
_AUTHOR_CREDIT = re.compile(
    r"(?:\A|(?<=[\s|｜丨/／,，;；、·•]))(?:(?:本文|文章)?(?:作者|撰文|撰稿)|著者|執筆者?|记者|記者|글쓴이)"
    r"\s?[:：]\s*(?!来源|來源|出处|责任|責任|编辑|編輯|时间|時間|发布|發布|日期|谢谢|謝謝|感谢|您|你|我|请|請)"
    r"(?=[^\W\d_])|"
    r"(?:\A|(?<=[\s|｜丨]))作者(?=[\u3400-\u9fff]{2,4}(?:[\s|｜丨]|\Z))(?!简介|簡介|介绍|介紹|专栏|專欄|"
    r"授权|授權|投稿|信息|声明|聲明|团队|團隊|更多|本人|其他|主页|主頁|原创|原創|文章|作品)"
)
"""The Chinese, Japanese or Korean word for the author, before the name, also behind a date or a
source."""
_GLUED_CREDIT = re.compile(
    r"(?:来源|來源|出处|出處|稿源)\s?[:：].{1,30}?(?P<credit>作者\s?[:：](?!\s*\Z))"
)
"""The word for the author right behind a source."""
_NEXT_LABEL = re.compile(r"(?:\A|[\s，；,;])[^\s，；,;]{1,4}\s?[:：]")
"""A word and a colon behind a name."""
_OF_BOOK = re.compile("书名|書名|出版社|《")
"""What tells that a line is about a book, whose author it names."""
_EDGES = " \t\u00a0,;|/–—-·•("


def is_credit(text: str) -> bool:
    """Return whether the text begins with the credit of a writer or a photographer."""
    return bool(_CREDIT.match(text))


def author_credit(text: str) -> str:
    """Return the Eastern word for the author, a colon and the name behind it, up to the next word
    with a colon; "" if the text has none, or if it is about a book.

    >>> author_credit("2019-09-26 12:11 来源：港口报 作者：李在山 编辑：张三")
    '作者：李在山'
    """
    if text.isascii() or _OF_BOOK.search(text):
        return ""
    credit = _AUTHOR_CREDIT.search(text)
    glued = None if credit else _GLUED_CREDIT.search(text)
    if glued:
        label, names = glued["credit"], text[glued.end() :]
    elif credit:
        label, names = credit[0].rstrip(":： ") + "：", text[credit.end() :]
    else:
        return ""
    after = _NEXT_LABEL.search(names)
    return label + (names[: after.start()] if after else names)


def writers_of(byline: str) -> str:
    """Return the part of a byline with its writers, after "By" if credits tell them from others.

    A byline that credits nobody but photographers stays as it is.

    >>> writers_of("Photos by Jo Fink, text by Mara Holt")
    'By Mara Holt'
    """
    if reported := _REPORTER_FROM.search(byline):
        byline = byline[: reported.end("names")]
    found = list(_CREDIT.finditer(byline))
    if not any(match["both"] or match["both2"] or not _is_text(match) for match in found):
        return byline
    ends = [match.start() for match in found[1:]] + [len(byline)]
    parts = [
        _without_and(byline[match.end() : end])
        for match, end in zip(found, ends, strict=True)
        if _is_text(match)
    ]
    if written := ", ".join(filter(None, parts)):
        return f"By {written}"
    return _without_and(byline[: found[0].start()]) or byline


def _is_text(match: re.Match[str]) -> bool:
    return any(match[name] for name in ("both", "text", "both2", "text2"))


def _without_and(text: str) -> str:
    """Return the text without signs at its ends and "and" behind it."""
    words = text.strip(_EDGES).split()
    while words and words[-1].lower() in _AND_WORDS:
        words.pop()
    return " ".join(words).strip(_EDGES)
