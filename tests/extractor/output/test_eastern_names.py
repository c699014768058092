"""Chinese, Japanese and foreign names behind an Eastern word for the author."""

from __future__ import annotations

import pytest

from scrapy_boilernet import extract
from scrapy_boilernet.extractor.output.eastern_names import is_eastern_person, parted_names

CHINESE = (
    "<p>镇议会已投票决定重新开放下游堰坝沿线的步道，四年前一场山体滑坡使其对步行者和垂钓者关闭，"
    "居民们对此感到高兴，他们说这条小路对大家都很重要。</p>"
)
JAPANESE = (
    "<p>町議会は、四年前の地すべりで歩行者や釣り人に閉鎖されていた下流の堰沿いの遊歩道を再開することを"
    "決議し、住民たちはそれを喜んでいる。</p>"
)


def authors_of(byline: str, text: str, language: str) -> tuple[str, ...]:
    """Return the authors of a page in the language with this below its headline."""
    title = "小路重新开放" if text == CHINESE else "川沿いの道が再開"
    html = (
        f"<html {language}><head><title>{title}</title></head><body><main><h1>{title}</h1>"
        f"{byline}{text * 5}</main></body></html>"
    )
    metadata = extract(html, "https://gk.example/a", formats=("metadata",)).metadata
    assert metadata
    return metadata.authors


@pytest.mark.parametrize("language", ["lang=ja", ""])
@pytest.mark.parametrize("byline", ["<p class=author>{}</p>", "<p>{}</p>", "<div>2024年5月3日　{}"])
@pytest.mark.parametrize("label", ["著者：", "執筆者：", "記者：", "记者：", "著者: "])
@pytest.mark.parametrize(
    "name",
    ["田中 太郎", "村上 春樹", "佐藤 健一", "林 太郎", "高橋　健", "石川 さゆり", "山田花子"],
)
def test_a_space_is_inside_a_japanese_name(
    name: str, label: str, byline: str, language: str
) -> None:
    names = authors_of(byline.format(label + name), JAPANESE, language)
    assert names == (name.replace("　", " "),)


@pytest.mark.parametrize("byline", ["<p class=author>{}</p>", "<p>{}</p>", "<p>2024-05-03 {}</p>"])
@pytest.mark.parametrize(
    ("credit", "names"),
    [
        ("作者：约翰 史密斯", ("约翰 史密斯",)),
        ("作者：约翰·史密斯", ("约翰·史密斯",)),
        ("作者：约翰‧史密斯", ("约翰‧史密斯",)),
        ("作者：保罗·克鲁格曼 译者：李四", ("保罗·克鲁格曼",)),
        ("作者：加西亚·马尔克斯 王小明", ("加西亚·马尔克斯", "王小明")),
        ("作者：清风明月江上客 王小明", ("清风明月江上客", "王小明")),
        ("作者：清风明月江上客", ("清风明月江上客",)),
        ("作者：欧阳修 王小明", ("欧阳修", "王小明")),
        ("作者：万里 王小明", ("万里", "王小明")),
        ("作者：柳青 章子 齐白石", ("柳青", "章子", "齐白石")),
        ("作者：张三 李四、王小明", ("张三", "李四", "王小明")),
        ("作者：李 娜 王小明", ("李 娜", "王小明")),
        ("作者：马 燕", ("马 燕",)),
        ("作者：张三 文字大小 打印", ("张三",)),
        ("作者：张三 港口日报", ("张三",)),
        ("作者：张三·港口日报", ("张三",)),
        ("作者：张三（港口报）", ("张三",)),
        ("作者：张三，李四", ("张三", "李四")),
        ("作者：张三，港口大学教授", ("张三",)),
        ("作者：港口日报 编辑部", ("港口日报 编辑部",)),
        ("记者：王小明 通讯员 李大同", ("王小明", "李大同")),
        ("本文作者：张三 王小明", ("张三", "王小明")),
    ],
)
def test_spaces_part_chinese_names(credit: str, names: tuple[str, ...], byline: str) -> None:
    assert authors_of(byline.format(credit), CHINESE, "lang=zh") == names


@pytest.mark.parametrize(
    ("name", "is_person"),
    [
        ("王小明", True),
        ("万里", True),
        ("欧阳修", True),
        ("諸葛亮", True),
        ("保罗·克鲁格曼", True),
        ("史密斯", False),
        ("清风明月", False),
        ("王府井日报", False),
        ("关于我们", False),
        ("", False),
    ],
)
def test_a_chinese_person_has_a_known_surname(name: str, is_person: bool) -> None:
    assert is_eastern_person(name) == is_person


@pytest.mark.parametrize("name", ["Ann Lee", "홍길동", "マラ・ホルト", "J.K.罗琳", "张三 Ann"])
def test_names_in_other_writings_stay(name: str) -> None:
    assert parted_names(name) == [name]


@pytest.mark.parametrize("piece", ["张 ", "张三 ", "（", "·", "张·", "，"])
def test_long_names_take_linear_time(piece: str) -> None:
    assert parted_names(piece * 20_000) is not None
