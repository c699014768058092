"""Tells Chinese and Japanese names of persons from those of organizations, and parts them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_SURNAMES = frozenset(
    "王李张張刘劉陈陳杨楊黄黃赵趙吴吳周徐孙孫马馬朱胡郭何高林罗羅郑鄭梁谢謝宋唐许許韩韓冯馮邓鄧曹彭曾肖田董"
    "袁潘于蒋蔣蔡余杜叶葉程苏蘇魏吕呂丁任沈姚卢盧姜崔钟鍾谭譚陆陸汪范石廖贾賈夏韦韋付傅邹鄒孟熊秦邱江尹薛"
    "闫閻段雷侯龙龍史陶黎贺賀顾顧毛郝龚龔邵钱錢严嚴覃武戴莫孔向汤湯温溫康施殷葛洪翟安颜顏倪牛樊兰"
    "万萬章齐齊柳聂聶焦耿岳季鲍鮑华華左甘骆駱涂穆裴翁詹霍祝舒屈项項闵閔纪紀梅凌辛柯卜盛欧歐游阮苗柴曲白伍鲁魯"
    "谷邢喻蓝藍宁符楚童褚邬鄔窦竇臧费費毕畢关關"
)
"""The first signs of most Chinese names of persons."""
_LONG_SURNAMES = frozenset(
    "欧阳 歐陽 司马 司馬 上官 诸葛 諸葛 皇甫 尉迟 尉遲 公孙 公孫 慕容 "
    "令狐 夏侯 端木 南宫 南宮 长孙 長孫 宇文 司徒 司空 东方 東方 轩辕 軒轅".split()
)
_NAME = re.compile("[\u3400-\u9fff]{2,4}")
_DOTTED = re.compile("[\u3400-\u9fff]{1,8}(?:·[\u3400-\u9fff]{1,8}){1,3}")
"""A foreign name in Chinese signs."""
_FOREIGN_END = frozenset("斯尔爾特德克姆森曼顿頓茨")
"""Last signs of foreign surnames in Chinese signs, which hardly end a Chinese name."""
_WORD = re.compile(r"[\w·‧ -]{1,16}")
_WORDS = re.compile(f"[{''.join(sorted(_SURNAMES))}]\\s[\u3400-\u9fff]{{1,2}}(?!\\S)|[^\\s，；]+")
"""Words, of which a space may part a surname of one sign from the rest of the name."""
_BRACKETS = re.compile("[（【〔][^）】〕]*[）】〕]?")
_BEGIN = re.compile("[\u3400-\u9fff（【]")
_KANA = re.compile("[\u3040-\u30ff]")
_SIGN = re.compile("[\u3400-\u9fff]")
_JAPANESE_LABEL = re.compile("著者|執筆|訳者")
_MIN_KANA = 0.1
"""Kana per Chinese sign in Japanese texts."""
_ORGANIZATION = re.compile(
    "[版网網报報社台臺部团團司院校刊室组組]\\Z|新闻|新聞|编辑|編輯|频道|頻道|中心|记者|記者"
)
_NO_NAME = re.compile(
    "文字|字号|字號|字体|字體|打印|列印|关闭|關閉|关注|關注|关于|關於|分享|收藏|返回|查看|更多|阅读|閱讀|"
    "浏览|瀏覽|点击|點擊|点赞|评论|評論|举报|原创|原創|转载|轉載|来源|來源|时间|時間|日期|发布|發布|发表|"
    "發表|更新|本文|公众号|审核|校对|通讯员|通訊員|摄影|攝影|图片|圖片|正文|首页|首頁|上一篇|下一篇|"
    "\\A[大中小]\\Z"
)
"""Words of buttons, labels and roles."""


def is_eastern_person(name: str) -> bool:
    """Return whether a name has the form of a Chinese person's, or of a foreigner's in Chinese
    signs with dots.

    >>> [is_eastern_person(name) for name in ("王小明", "欧阳修", "史密斯", "约翰·史密斯", "周报")]
    [True, True, False, True, False]
    """
    if _ORGANIZATION.search(name) or _NO_NAME.search(name):
        return False
    if _DOTTED.fullmatch(name):
        return True
    has_surname = name[:1] in _SURNAMES or name[:2] in _LONG_SURNAMES
    return has_surname and name[-1] not in _FOREIGN_END and bool(_NAME.fullmatch(name))


def names_eastern_organization(text: str) -> bool:
    """Return whether a text has a Chinese or Japanese word of an organization's name."""
    return bool(_ORGANIZATION.search(text))


def is_japanese(byline: str, texts: Iterable[str]) -> bool:
    """Return whether a byline has a Japanese word for the author or kana, or the texts around it
    have the kana of Japanese ones.
    """
    if _JAPANESE_LABEL.search(byline) or _KANA.search(byline):
        return True
    text = "".join(texts)
    return len(_KANA.findall(text)) > _MIN_KANA * len(_SIGN.findall(text))


def parted_names(name: str) -> Sequence[str]:
    """Return the names in what follows a Chinese word for the author, which spaces may part,
    without words of buttons and, if a Chinese person is named, of organizations.

    A name in another writing, and one of which no word is a Chinese person, is one.

    >>> [parted_names(name) for name in ("张三 王小明", "张三 文字大小", "马 燕", "约翰 史密斯")]
    [['张三', '王小明'], ['张三'], ['马 燕'], ['约翰 史密斯']]
    """
    if not all(map(_BEGIN.match, name.split())) or _KANA.search(name):
        return [name]
    words = [
        word
        for word in _WORDS.findall(_BRACKETS.sub(" ", name))
        if _WORD.fullmatch(word) and not _NO_NAME.search(word)
    ]
    persons = [word for word in words if is_eastern_person(word.replace(" ", ""))]
    if "，" in name:  # what follows it may be a role
        return persons
    if persons:
        return [word for word in words if not _ORGANIZATION.search(word)]
    return [" ".join(words)] if words else []
