"""What decides a page's encoding: its bytes before its header, its header before its own word."""

from __future__ import annotations

import gzip
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_boilernet.extractor.html.encoding import (
    DETECTED_BYTES,
    MIN_UTF8_CONTINUATION_BYTES,
    decode,
    top_level_domain,
)

TEXTS = {
    "gb18030": "本报讯 昨日清晨，海边的潮水退去之后，孩子们在岩石间的水洼里找到了许多小螃蟹和海星。"
    "老师告诉他们，这些动物每天要等六个小时，海水才会回来。",
    "big5": "昨日清晨，海邊的潮水退去之後，孩子們在岩石間的水窪裡找到了許多小螃蟹和海星。"
    "老師告訴他們，這些動物每天要等六個小時，海水才會回來。",
    "shift_jis": "きのうの朝、潮が引いたあとの岩場で、子どもたちはカニやヒトデを見つけました。"
    "先生によると、海の水は六時間たつと戻ってくるそうです。",
    "euc-jp": "きのうの朝、潮が引いたあとの岩場で、子どもたちはカニやヒトデを見つけました。"
    "先生によると、海の水は六時間たつと戻ってくるそうです。",
    "euc-kr": "어제 아침 썰물이 빠진 바위 사이 웅덩이에서 아이들은 게와 불가사리를 찾았습니다. "
    "선생님은 바닷물이 여섯 시간 뒤에 다시 돌아온다고 말했습니다.",
    "windows-1251": "Вчера утром, когда вода отступила, дети нашли в лужах между камнями маленьких "
    "крабов и морских звёзд. Учительница сказала, что море вернётся через шесть часов.",
    "koi8-r": "Вчера утром, когда вода отступила, дети нашли в лужах между камнями маленьких "
    "крабов и морских звёзд. Учительница сказала, что море вернётся через шесть часов.",
    "windows-1252": "Gestern früh, als das Wasser zurückging, fanden die Kinder in den Tümpeln "
    "zwischen den Felsen kleine Krebse. „Nach sechs Stunden“, sagte sie, „kehrt es zurück.“",
    "iso-8859-2": "Wczoraj rano, gdy woda się cofnęła, dzieci znalazły w kałużach między skałami "
    "małe kraby i rozgwiazdy. Nauczycielka powiedziała, że morze wróci za sześć godzin.",
}
ENCODINGS = list(TEXTS)
each_encoding = pytest.mark.parametrize("encoding", ENCODINGS)
detected = pytest.mark.skipif(sys.version_info >= (3, 14), reason="another detector, less sure")


def page(text: str, declared: str | None = None, before: str = "") -> str:
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={declared}">'
    return f"<html><head>{before}{meta if declared else ''}</head><body><p>{text}</p></body></html>"


@each_encoding
def test_a_declared_encoding_is_used(encoding: str) -> None:
    html = page(TEXTS[encoding], encoding)
    assert decode(html.encode(encoding)) == html


@detected
@each_encoding
def test_an_undeclared_encoding_is_detected(encoding: str) -> None:
    html = page(TEXTS[encoding])
    assert decode(html.encode(encoding)) == html


@each_encoding
@pytest.mark.parametrize("charset", [None, "same"])
def test_utf8_is_known_whatever_header_and_page_declare(encoding: str, charset: str | None) -> None:
    html = page(TEXTS[encoding], encoding)
    assert decode(html.encode(), charset=encoding if charset else None) == html


@each_encoding
@pytest.mark.parametrize("wrong", ["utf-8", "ascii", "x-none"])
def test_the_header_goes_before_what_the_page_declares(encoding: str, wrong: str) -> None:
    html = page(TEXTS[encoding], wrong)
    assert decode(html.encode(encoding), charset=encoding) == html


@each_encoding
def test_a_declaration_behind_a_long_head_is_found(encoding: str) -> None:
    html = page(TEXTS[encoding], encoding, before=f"<script>{'tide();' * 450}</script>")
    assert decode(html.encode(encoding)) == html


@detected
@each_encoding
@pytest.mark.parametrize("where", ["header", "page"])
def test_a_declaration_of_utf8_that_the_bytes_contradict_is_passed_over(
    encoding: str, where: str
) -> None:
    html = page(TEXTS[encoding], "utf-8" if where == "page" else None)
    charset = "utf-8" if where == "header" else None
    assert decode(html.encode(encoding), charset=charset) == html


def test_a_header_that_the_bytes_contradict_gives_way_to_the_page() -> None:
    html = page(TEXTS["gb18030"], "gbk")
    assert decode(html.encode("gb18030"), charset="utf-8") == html


@each_encoding
def test_an_ordered_encoding_yields_to_a_byte_order_mark_alone(encoding: str) -> None:
    html = page(TEXTS[encoding], "utf-8")
    assert decode(html.encode(encoding), encoding) == html
    wrong = decode(html.encode(), "cp1252" if encoding != "windows-1252" else "koi8-r")
    assert wrong != html
    assert decode(b"\xef\xbb\xbf" + html.encode(), encoding) == html


@each_encoding
def test_damage_in_utf8_costs_its_own_characters_alone(encoding: str) -> None:
    text = TEXTS[encoding] * 3
    html = page(text, encoding).encode()
    place = html.index(text.encode()) + 2  # inside a character, or between two
    read = decode(html[:place] + b"\xff" + html[place:])
    assert read.count("\ufffd") <= 3
    assert TEXTS[encoding] in read


@pytest.mark.parametrize("text", ["Tide pools » kelp", "The café at the quay", "© the harbour"])
@pytest.mark.parametrize("latin", ["iso-8859-1", "windows-1252"])
def test_one_character_of_utf8_is_enough_against_a_stale_declaration_of_latin_1(
    text: str, latin: str
) -> None:
    html = page(text, latin)
    assert decode(html.encode()) == decode(html.encode(), charset=latin) == html
    assert decode(html.encode("cp1252")) == html


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("下一页", "gbk"), ("トップ", "euc-jp"), ("首頁", "big5"), ("Вниз", "koi8-r")],
)
def test_a_few_characters_are_read_as_declared(text: str, encoding: str) -> None:
    html = page(f"Shop <a href=2>{text}</a>", encoding)
    assert decode(html.encode(encoding)) == html
    plain = page(f"Shop <a href=2>{text}</a>")
    assert decode(plain.encode(encoding), charset=encoding) == plain


def test_a_page_that_declares_utf8_and_is_mostly_that_is_read_as_it_says() -> None:
    html = page("Żółw – żaba — wśród skał", "utf-8").encode()
    read = decode(html.replace("–".encode(), b"\x96").replace("—".encode(), b"\x97"))
    assert "Żółw \ufffd żaba \ufffd wśród" in read


@each_encoding
@given(cut=st.integers(1, 60))
def test_a_character_that_a_limit_cuts_does_not_make_utf8_invalid(encoding: str, cut: int) -> None:
    html = page(TEXTS[encoding] * 2, encoding)
    body = html.encode()[: -len("</p></body></html>") - cut]
    assert html.startswith(decode(body))


@detected
@pytest.mark.parametrize("encoding", ["gb18030", "big5", "shift_jis", "euc-jp", "euc-kr"])
@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_cut_character_does_not_hide_another_encoding(encoding: str, cut: int) -> None:
    html = page(TEXTS[encoding])
    body = html.encode(encoding)[: -len("</p></body></html>") - cut]
    assert html.startswith(decode(body).rstrip("\ufffd"))


@detected
def test_the_detector_reads_past_a_head_of_ascii() -> None:
    html = page(TEXTS["shift_jis"], before=f"<script>{'tide();' * 50_000}</script>")
    assert decode(html.encode("shift_jis")) == html


@detected
def test_the_detector_reads_a_bounded_part_of_the_page() -> None:
    times = DETECTED_BYTES // len(TEXTS["koi8-r"]) + 100
    html = page(TEXTS["koi8-r"] * times).encode("koi8-r")
    other = (TEXTS["windows-1251"] * 10 * times).encode("windows-1251")
    assert decode(html + other).startswith(page(TEXTS["koi8-r"])[:100])


@pytest.mark.parametrize("encoding", ["iso-2022-jp", "hz"])
def test_encodings_that_shift_within_ascii_are_read_where_they_are_declared(encoding: str) -> None:
    html = page("きのうの朝" if encoding == "iso-2022-jp" else "昨日清晨", encoding)
    assert decode(html.encode(encoding)) == html
    assert decode(html.encode(encoding), charset=encoding) == html


@detected
def test_iso_2022_jp_is_detected() -> None:
    html = page(TEXTS["shift_jis"])
    assert decode(html.encode("iso-2022-jp")) == html


def test_a_few_bytes_that_are_utf8_by_accident_are_not_taken_for_it() -> None:
    word = "实说水平"  # its bytes in GBK are four characters of UTF-8, too
    assert len(word.encode("gbk")) - len(word.encode("gbk").decode()) < MIN_UTF8_CONTINUATION_BYTES
    html = page(word, "gbk")
    assert decode(html.encode("gbk")) == html


def test_utf_7_is_never_read() -> None:
    html = page("+ADw-script+AD4-", "utf-7")
    assert decode(html.encode(), charset="utf-7") == decode(html.encode()) == html


@given(st.binary(max_size=200), st.sampled_from([None, "gbk", "utf-16", "hex", "x"]))
def test_any_bytes_and_any_word_of_them_give_a_text(body: bytes, charset: str | None) -> None:
    assert isinstance(decode(body, charset=charset, url="http://a.jp/"), str)


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://news.example.JP/1.html", "jp"), ("http://example.xn--p1ai./", "xn--p1ai"),
        ("http://127.0.0.1:80/", None), ("http://[::1]/", None), ("http://[::1", None),
        ("http://пример.рф/", None), ("page.html", None), ("", None), (None, None),
        ("http://localhost/", "localhost"),
    ],
)  # fmt: skip
def test_top_level_domain(url: str | None, domain: str | None) -> None:
    assert top_level_domain(url) == domain


def test_gzip_is_not_the_decoders_business() -> None:
    assert "tide" not in decode(gzip.compress(b"<p>tide pools and sand"))
