"""Tells the dates of a change, and those of other things than the page, by what stands around."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from scrapy_boilernet.extractor.metadata import Mark
from scrapy_boilernet.extractor.output.date_labels import CHANGED, PUBLISHED_TEXT, searched
from scrapy_boilernet.extractor.output.dates import FoundDate, found_dates
from scrapy_boilernet.extractor.page import Block
from scrapy_boilernet.extractor.posts import ThreadMark

_Mark = TypeVar("_Mark", Mark, ThreadMark)

_MAX_BEFORE_CHARS, _MAX_ENDS = 80, 12
"""Characters of a text before a date that are read; ends of dates in a block that are known."""
_OTHER = re.compile(
    r"\A(?:from|until|till|starts?|starting|begins?|beginning|valid|deadline|due|apply by|closes|"
    r"ab|bis|beginn|start|gültig|frist|einsendeschluss|à partir du|jusqu['’]au|dès le|"
    r"desde|hasta|a partir d[ei]l?|dal|fino al|entro il|vanaf|tot|från|fra|til|od|с|до)"
    r"\s?:?\s(?:(?:on|from|the|am|zum|vom|le|el|il)\s)?(?:[^\W\d]{2,10}\.?,?\s)?\d|"
    r"\A(?:generated|built|compiled|printed|rendered|generiert|erzeugt|généré|generado)\b",
    re.IGNORECASE,
)
"""The beginning of a text that states a period, or when a program wrote the page."""
_GENERATED = re.compile(
    r"\b(?:document|documentation|page|file|manual|output|html|reference)\s"
    r"(?:was|were|is|has been)\s"
    r"(?:automatically\s|last\s)?(?:(?:generated|built|compiled|produced|rendered|converted)\b|"
    r"created\s(?:by|with|using)\s(?:the\s)?(?:\w{1,9}2\w{2,9}|doxygen|sphinx|javadoc|pandoc|hugo|"
    r"jekyll|mkdocs|docutils|asciidoc\w*)\b)",
    re.IGNORECASE,
)
"""What says in a sentence that a program wrote the page."""
_TIME_LABEL = re.compile(r"(?:time|date|on|at)\b", re.IGNORECASE)
"""The beginning of the line with the moment at which it did so."""
_HOURS = re.compile(
    r"(?<!\d)\d{1,2}(?:[:.h]\d\d)?\s?(?:[ap]\.?m\.?|uhr)?\s?(?:[–—-]|to|bis|à|until)\s?"
    r"\d{1,2}(?:[:.h]\d\d\b|\s?[ap]\.?m\b|\s?uhr\b)",
    re.IGNORECASE,
)
"""The hours from which to which something lasts, such as an event."""
_OTHER_LABEL = re.compile(
    r"\b(?:received|accepted|argued|eingegangen|angenommen|reçu|accepté|recibid[oa]|aceptado|"
    r"ricevuto|accettato|recebido|aceito|deadline|closing|closes?|opening|opens?|expir\w+|due|starts?|ends?|begins?|birth|born|died|"
    r"founded|established|anniversary|when|apply|examples?|beispiele?|exemples?|ejemplos?|"
    r"\w*frist|\w*schluss|stichtag|\w*eröffnung|\w*beginn|termin|wann|geburtsdatum|geboren|"
    r"gestorben|gegründet|gültig|läuft ab|"
    r"date limite|clôture|échéance|ouverture|début|fin|quand|naissance|née?|mort|décès|fondée?|"
    r"fecha límite|plazo|cierre|apertura|inicio|cuándo|nacimiento|nacid[oa]|fallecimiento|"
    r"fundad[oa]|vencimiento|prazo|encerramento|abertura|início|quando|nasciment?o|nascid[oa]|falecimento|"
    r"scadenza|chiusura|inizio|nascita|nat[oa]|mort[oea]|fondat[oa]|"
    r"sluitingsdatum|uiterlijk|wanneer|geboren|overleden|opgericht|opening|"
    r"sista (?:ansöknings)?dag|när|född|död|søknadsfrist|ansøgningsfrist|hvornår|når|født|"
    r"termin składania|otwarcie|kiedy|urodzon[ya]|data urodzenia|zmarł\w?|założon[ya]|"
    r"срок|дедлайн|открытие|закрытие|когда|родил\w+|дата рождения|умер\w*|основан\w*|"
    r"uzávěrka|kdy|narozen\w?|son başvuru|açılış|doğum|ne zaman|hakuaika|milloin|syntynyt)\b|"
    r"締切|締め切り|開催日?|生年月日|設立|截止|开幕|出生|成立|마감|개막|출생|설립",
    re.IGNORECASE,
)
"""What a date is called that is that of a deadline, an event, a life or the like."""
_DATE_LABEL = re.compile(
    r"\W*(?:(?:the\s)?dates?|on|datum|data|fecha|dat[oe]|dátum|päivä(?:ys|määrä)?|pvm|tarih|дата|"
    r"ημερομηνία|التاريخ|تاریخ|日期|日付|日時|時間|时间|날짜|"
    r"(?:releas|issue|added|submi|filed|online|received|accepted|eingestellt|erschein|parution|"
    r"vydán|datum van uitgave).*)\W*\Z",
    re.IGNORECASE | re.DOTALL,
)
"""What the date of a page may be called, beside the words for publication and change."""
_LABELS = defaultdict(lambda: "th", dd="dt")
"""The tag of what names a block, by its tag."""
_NAMES = frozenset({"dt", "td", "th", "h2", "h3", "h4", "h5", "h6", "strong", "b"})
"""Tags of what may name the block behind it."""
_FULL_HOUR = re.compile(
    r"[\s,|·•–—-]{0,4}(?:at|um|ab|à|as|às|a las|alle|om|kl\.?|kello|o)?\s?"
    r"\d{1,2}\s?(?:[ap]\.?m\b|uhr\b|h\b(?!\d)|heures?\b|uur\b|horas\b)",
    re.IGNORECASE,
)
"""A full hour behind a date, at which something begins; moments of publication have minutes."""
_TO = r"\s?(?:[–—~～〜-]|to|until|bis|au|al?|t/m|tot)\s?"
_RANGE = re.compile(_TO + r"(?=[\w,.\s/-]{4,30}\Z)")
"""What stands between the first and the last day, such as of a life or an exhibition."""
_FIRST_DAY = re.compile(r"\d{1,2}\.?(?:\s[^\W\d_]{3,9}\.?)?" + _TO + r"\Z")
"""The first day of a period, whose year stands behind the last one."""
_BYLINE_AFTER = re.compile(
    r"\W*(?:by|von|par|por|di|door|av|af|przez|in|at|um|à|kl)\b|\s?[–—:|(-]", re.IGNORECASE
)
_STOPS = (".", ":", "!", "?", "…", "。", "！", "？")
LOWER_WORD = re.compile(r"(?<![\w.@])[^\W\d_A-Z]\w*(?=[\s,.!?])")
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_LEAST_WORDS = 2
"""Lower-case words behind the date in a sentence."""
_MAX_LABEL_CHARS, _MAX_RUN_CHARS = 40, 200
_NEAR, _LEAST_CELLS, _MAX_BETWEEN, _LONG_CHARS = 4, 3, 40, 80
"""Blocks with dates before and behind one that may be in its column; the least cells of a row, as
two are a name and a value; blocks between two such; and the characters of a long text."""
_CELLS = frozenset({"td", "th"})


def is_of_other(text: str) -> bool:
    """Return whether the date in a short text is that of an event, a period or a program's run, is
    called a deadline or the like, or stands in a sentence.

    >>> is_of_other("Saturday, 6 July 2024, 10:00–18:00"), is_of_other("From 1 May 2024")
    (True, True)
    >>> is_of_other("Closing date: 6 July 2024"), is_of_other("On 6 July 2024 the boats stopped.")
    (True, True)
    >>> is_of_other("6 July 2024, 10:00")
    False
    """
    if _OTHER.match(text) or _HOURS.search(text) or _says_run(text):
        return True
    if searched(PUBLISHED_TEXT, text) or searched(CHANGED, text):
        return False
    date = next(found_dates(text), None)
    if date and _is_of_period(date):
        return True
    # A <time> may show a day without its year.
    label = date.before if date else text.partition(":")[0] if ":" in text else ""
    if label and _OTHER_LABEL.search(label[:_MAX_LABEL_CHARS]):
        return True
    return date is not None and bool(_FULL_HOUR.match(date.after) or _is_in_sentence(date))


def _says_run(text: str) -> bool:
    """Return whether the first date in the text is that at which a program wrote the page: it
    stands behind words of that in their sentence, or behind "Time", and is not called otherwise.
    """
    generated = _GENERATED.search(text)
    date = next(found_dates(text), None) if generated else None
    if not generated or not date or len(date.before) < generated.end():
        return False
    sentence, _, behind = date.before[generated.end() :].partition(". ")
    if behind and not _TIME_LABEL.match(behind):
        return False
    return not (searched(PUBLISHED_TEXT, sentence) or searched(CHANGED, sentence))


def _is_of_period(date: FoundDate) -> bool:
    """Return whether another day stands before or behind the date, at which something ends."""
    between = _RANGE.match(date.after)
    last = next(found_dates(date.after[between.end() :]), None) if between else None
    is_first = last is not None and not last.before.strip() and last.iso > date.iso
    return is_first or bool(_FIRST_DAY.match(date.before))


def without_others(text: str) -> str:
    """Return the text from words of a publication on, if dates of other things are before them.

    >>> without_others("Received: 12 May 2020 / Published: 5 June 2020")
    'Published: 5 June 2020'
    """
    published = searched(PUBLISHED_TEXT, text)
    before = text[: published.start()] if published else ""
    is_other = bool(_OTHER_LABEL.search(before)) and any(found_dates(before))
    return text[len(before) :] if is_other else text


def _is_in_sentence(date: FoundDate) -> bool:
    """Return whether words of a sentence stand before and behind the date."""
    after = date.after.rstrip("\"'”’»)] ")
    if not after.endswith(_STOPS) or not date.before.strip() or _BYLINE_AFTER.match(after):
        return False
    return len(LOWER_WORD.findall(after)) >= _LEAST_WORDS or len(_IDEOGRAPH.findall(after)) > 4


def is_labeled_other(index: int, blocks: Sequence[Block]) -> bool:
    """Return whether the cell before the block says that its date is of another thing.

    Of a term or a head, which name what is beside them, anything but a word for the date of a page
    says so.
    """
    block, place = blocks[index], index - 1
    while place > 0 and "dd" in block.tags[-2:] and "dd" in blocks[place].tags[-2:]:
        place -= 1
    if place < 0 or len(blocks[place].text) > _MAX_LABEL_CHARS:
        return False
    label = blocks[place]
    is_term = _LABELS[block.tags[-1]] in label.tags[-2:]
    is_name = label.text.endswith((":", "：")) or not _NAMES.isdisjoint(label.tags[-2:])
    names_other = (
        not _DATE_LABEL.match(label.text)
        if is_term
        else is_name and _OTHER_LABEL.search(label.text) is not None
    )
    return names_other and not any(
        searched(PUBLISHED_TEXT, text) or searched(CHANGED, text)
        for text in (label.text, block.text)
    )


def is_of_run(index: int, blocks: Sequence[Block]) -> bool:
    """Return whether the block is the time below a line which says that a program wrote the
    page.
    """
    return (
        index > 0
        and bool(_TIME_LABEL.match(blocks[index].text))
        and bool(_GENERATED.search(blocks[index - 1].text[:_MAX_RUN_CHARS]))
    )


def texts_before(marks: Iterable[_Mark], blocks: Sequence[Block]) -> Iterator[tuple[_Mark, str]]:
    """Yield each mark with the text of its block between the mark before it and its own text.

    ``marks``: of dates, in document order.
    """
    place, start, before, last, ends = -1, 0, "", ("", ""), deque([0], _MAX_ENDS)
    for mark in marks:
        if mark.block != place:
            place, start, before, last, ends = mark.block, 0, "", ("", ""), deque([0], _MAX_ENDS)
        text = blocks[place].text if place < len(blocks) else ""
        at = text.find(mark.text, start) if mark.text else -1
        value = mark.date if isinstance(mark, ThreadMark) else mark.value
        if at >= 0 and mark.text == last[0] and value and last[1] not in ("", value):
            at = max(at, text.find(mark.text, at + 1))  # another date that is shown alike
        last = mark.text, value
        if at >= 0:  # a mark around it ends behind it
            start = at
            begin = max((end for end in ends if end <= at), default=0)
            before = text[max(begin, at - _MAX_BEFORE_CHARS) : at]
            ends.append(at + len(mark.text))
        yield mark, before


def is_quoted(block: Block, headline: Block) -> bool:
    """Return whether the block is in a quote, such as a post of another site, in which the page's
    headline is not.
    """
    quotes = (n for tag, n in zip(block.tags, block.nodes, strict=True) if tag == "blockquote")
    return any(node not in headline.nodes for node in quotes)


def is_in_column(
    index: int, dated: Sequence[int], blocks: Sequence[Block], headline: Block
) -> bool:
    """Return whether the block is one of several cells with dates of a table, such as a list of
    files, in which the page's headline is not. Between those of a thread are long texts.

    ``dated``: the indexes of blocks that may have dates.
    """
    block = blocks[index]
    if _CELLS.isdisjoint(block.tags) or "table" not in block.tags:
        return False
    table = block.nodes[len(block.tags) - 1 - block.tags[::-1].index("table")]
    if table in headline.nodes:
        return False
    place = bisect_left(dated, index)
    near = (*dated[max(place - _NEAR, 0) : place], *dated[place + 1 : place + 1 + _NEAR])
    return any(
        abs(index - other) >= _LEAST_CELLS
        and table in blocks[other].nodes
        and (blocks[other].tags, blocks[other].class_words) == (block.tags, block.class_words)
        and not any(
            len(one.text) >= _LONG_CHARS
            for one in blocks[min(index, other) : max(index, other)][:_MAX_BETWEEN]
        )
        for other in near
    )
