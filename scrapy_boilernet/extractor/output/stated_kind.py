"""Kinds of pages that a page states by its types, or shows by the headings of its parts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from urllib.parse import urlsplit

from scrapy_boilernet.extractor.metadata import LearnedKind, PageKind, Stated
from scrapy_boilernet.extractor.output.folding import has_one_of, stem_finder
from scrapy_boilernet.extractor.output.titles import is_home, squeezed, squeezed_texts
from scrapy_boilernet.extractor.page import Block, Page

_OWN_PLACES = frozenset({"", "mainentity", "mainentityofpage"})
"""Properties whose objects are the page itself or its subject."""
_TYPES: Mapping[PageKind, str] = {
    "recipe": "recipe",
    "job": "jobposting",
    "how-to": "howto",
    "forum": "qapage discussionforumposting",
    "article": "article newsarticle blogposting report scholarlyarticle reportagenewsarticle "
    "analysisnewsarticle opinionnewsarticle backgroundnewsarticle reviewnewsarticle "
    "medicalscholarlyarticle liveblogposting advertisercontentarticle",
    "product": "product productgroup individualproduct productmodel",
    "event": "event businessevent childrensevent comedyevent danceevent educationevent eventseries "
    "exhibitionevent festival foodevent hackathon literaryevent musicevent screeningevent "
    "socialevent sportsevent theaterevent visualartsevent",
    "course": "course",
    "video": "videoobject",
}
"""The types of each kind, the surest kind first: pages of recipes often state an article, too."""
_OF_TYPE = {name: kind for kind, names in _TYPES.items() for name in names.split()}
_SURE_ARTICLES = frozenset(_TYPES["article"].split()) - {"article"}
"""Types that only articles state; services and lists state the plain type, too."""
_SUREST: tuple[PageKind, ...] = ("recipe", "job", "how-to")
"""Kinds that pages state only if they are of that kind."""
_OPEN_GRAPH: Mapping[str, PageKind] = {
    "recipe": "recipe", "job": "job", "event": "event", "product": "product", "course": "course",
    "howto": "how-to", "video": "video",
}  # fmt: skip
"""The kinds of ``og:type``, by the word before or after its colon or dot."""
_FAQ, _MAX_URL_CHARS = "faqpage", 2_000
_LISTS = frozenset({"itemlist", "collectionpage", "searchresultspage"})
_MANY = 2
"""A page that states more objects of a kind is a list of them."""


_FAQ_NAMES = re.compile(
    r"\bfaqs?\b|frequently[ -]asked|häufig(?:e|\sgestellte)\sfragen|questions\sfréquentes|"
    r"foire\saux\squestions|preguntas\s(?:más\s)?frecuentes|perguntas\sfrequentes|"
    r"domande\sfrequenti|veelgestelde\svragen|vanliga\sfrågor|ofte\sstilte|ofte\sstillede|"
    r"usein\skysyt|najczęściej\szadawane|často\skladené|časté\sotázky|gyakori\skérdések|"
    r"întrebări\sfrecvente|sıkça\ssorulan|часто\sзадаваемые|поширені\sзапитання|"
    r"συχνές\sερωτήσεις|よくある(?:ご)?質問|常见问题|常見問題|자주\s묻는|الأسئلة\sالشائعة|שאלות\sנפוצות|"
    r"ohiko\sgalderak",
    re.IGNORECASE,
)
_FAQ_STEMS = stem_finder((
    "faq", "frequen", "häufig", "fréquentes", "foire", "frecuentes", "veelgestelde", "vanliga",
    "ofte", "kysyt", "zadawane", "kladené", "otázky", "kérdések", "frecvente", "sorulan",
    "задаваемые", "запитання", "ερωτήσεις", "よくある", "常见", "常見", "자주", "الشائعة", "שאלות",
    "ohiko",
))  # fmt: skip
"""Every text in which ``_FAQ_NAMES`` finds something has one of these stems."""
_HOW_TO_NAMES = re.compile(
    r"\bhow\sto\b|\btutorial|\bguide\b|anleitung|\bso\s(?:geht|funktioniert)|\bwie\s|\bcomment\s|"
    r"\btuto\b|\bcómo\s|\bcomo\s|\bguía\b|\bcome\s|\bguida\b|\bhoe\s|\bhur\s|\bhvordan\s|\bjak\s|"
    r"\bкак\s|\bяк\s|\bπώς\s|方法|やり方|如何|怎么|방법|كيف|\bnasıl\b|\bnola\b",
    re.IGNORECASE,
)
_JOB_NAMES = re.compile(
    r"\bjobs?\b|career|karriere|stellen?(?:angebot|anzeige)|\(\s?[mwfdxh](?:\s?[/|*]\s?[mwfdxhin]{1,3}){1,3}\s?\)|"
    r"emploi|empleo|vacan[ct]|vacature|lavoro|\bvagas?\b|praca|hiring|вакансия|採用|求人|招聘|채용|"
    r"وظيفة|recruit|lediga?\sjobb|iş\silanı",
    re.IGNORECASE,
)
_INGREDIENTS = (
    "ingredients zutaten ingrédients ingredientes ingredienti ingrediënten ingredienser składniki "
    "ingredience hozzávalók ingrediente malzemeler ингредиенты інгредієнти υλικά 材料 食材 재료 "
    "المقادير المكونات מרכיבים osagaiak ainekset"
)
_COOKING = (
    "instructions directions method preparation zubereitung préparation preparación elaboración "
    "mododepreparo preparação preparazione procedimento bereiding bereidingswijze tillagning "
    "görsåhär fremgangsmåte fremgangsmåde przygotowanie wykonanie postup elkészítés moddepreparare "
    "yapılışı hazırlanışı приготовление приготування εκτέλεση 作り方 做法 만드는법 "
    "طريقةالتحضير אופןההכנה prestaketa valmistus steps étapes pasos"
)
_TASKS = (
    "responsibilities yourresponsibilities keyresponsibilities duties whatyoulldo whatyouwilldo "
    "therole aufgaben ihreaufgaben deineaufgaben daserwartetdich missions vosmissions "
    "descriptiondeposte funciones responsabilidades tusfunciones atividades mansioni "
    "lavostramansione taken jouwtaken zakresobowiązków arbetsuppgifter обязанности 仕事内容 "
    "岗位职责 工作职责 주요업무 담당업무 işgörevleri المهام"
)
_SKILLS = (
    "requirements qualifications yourprofile skills whoyouare whatyoubring anforderungen ihrprofil "
    "deinprofil dasbringstdumit profil profilrecherché votreprofil requisitos perfil requisiti "
    "profilo functieeisen jouwprofiel wymagania kvalifikationer требования 応募資格 任职要求 "
    "职位要求 자격요건 arananniteliker المتطلبات"
)
_NAMES = {
    group: frozenset(names.split())
    for group, names in (
        ("ingredients", _INGREDIENTS), ("cooking", _COOKING), ("tasks", _TASKS), ("skills", _SKILLS)
    )
}  # fmt: skip
"""Headings of the parts of recipes and jobs, squeezed."""
_ALL_NAMES = frozenset().union(*_NAMES.values())
_STEP = re.compile(
    r"(?:step|schritt|étape|paso|passo|passaggio|stap|steg|trin|vaihe|krok|lépés|pasul|adım|шаг|крок|"
    r"βήμα|ステップ|手順|步骤|步驟|단계|الخطوة|שלב|urratsa)\s?#?(\d{1,2})\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"[?？؟]\W*\Z|\A(?:q|f|p|в|問)\s?\d{0,3}[.:：)]\s", re.IGNORECASE)
_OF_QUESTION = re.compile(r"question|faq|accordion|frage|pregunta|domanda")
_HEADINGS = frozenset("h2 h3 h4 h5 h6 summary dt button strong b legend".split())
_MIN_PARTS, _MAX_HEADING_CHARS, _MAX_QUESTION_CHARS, _LONG_CHARS, _MAX_LONG = 3, 60, 200, 200, 3
"""Least steps or questions; most characters of a heading and of a question; characters of a long
text, and how many a page of a video has at most."""


def stated_kind(page: Page, stated: Stated, likeliest: LearnedKind) -> PageKind:
    """Return the kind that the page states, or that its headings show; else the likeliest one."""
    kinds = _stated_kinds(stated)
    if surest := next((kind for kind in kinds if kind in _SUREST), None):
        return surest
    first = next(iter(kinds), None)
    names = " ".join((page.title, stated.meta("og:title"), _path(page.url)))
    blocks = page.blocks_without_xpaths
    if part := _kind_of_parts(page, names, likeliest):
        return part
    asked = any(_FAQ in one.types for one in stated.objects)
    may_ask = first is None and (asked or likeliest != "forum")
    if may_ask and _is_faq(names, blocks, asked):
        return "faq"
    if first is None and likeliest == "product" and _lists_products(stated):
        return "collection"
    if first is None or (first == "article" and not _states(stated, _SURE_ARTICLES)):
        return likeliest  # which has learned how often pages state a plain article
    if first == "product" and (likeliest == "collection" or is_home(page.url)):
        return likeliest
    if first == "video" and sum(len(b.text) >= _LONG_CHARS for b in blocks) > _MAX_LONG:
        return likeliest
    return first


def _states(stated: Stated, types: AbstractSet[str]) -> bool:
    """Return whether an object of the page itself has one of the types."""
    return any(not types.isdisjoint(o.types) for o in stated.objects if o.place in _OWN_PLACES)


def _lists_products(stated: Stated) -> bool:
    products = (o for o in stated.objects if any(_OF_TYPE.get(t) == "product" for t in o.types))
    return len({o.first("name", "url") for o in products}) > _MANY


def _path(url: str | None) -> str:
    """Return the words of the URL's path."""
    try:
        return re.sub(r"[\W_]+", " ", urlsplit((url or "")[:_MAX_URL_CHARS]).path)
    except ValueError:
        return ""


def _kind_of_parts(page: Page, names: str, likeliest: LearnedKind) -> PageKind | None:
    """Return the kind whose parts the headings name, such as ingredients and directions."""
    columns = zip(page.texts, page.marks[0].tolist(), strict=True)
    headings = [t for t, linked in columns if len(t) <= _MAX_HEADING_CHARS and not linked]
    named = [*filter(_ALL_NAMES.__contains__, squeezed_texts(headings))]
    found = {group: sum(name in words for name in named) for group, words in _NAMES.items()}
    if not found["ingredients"] and found["cooking"]:
        starts = (squeezed(text.split(" ")[0]) for text in headings if " " in text)
        found["ingredients"] = sum(start in _NAMES["ingredients"] for start in starts)
    if 0 < found["ingredients"] <= _MANY and found["cooking"]:
        return "recipe"
    if found["tasks"] and found["skills"] and _JOB_NAMES.search(names):
        return "job"
    if likeliest in ("article", "documentation") or not _HOW_TO_NAMES.search(names):
        return None  # articles and documentation have numbered steps, too
    blocks = page.blocks_without_xpaths
    headings = [b.text for b in blocks if not _HEADINGS.isdisjoint(b.tags[-3:])]
    steps = {match[1] for text in headings if (match := _STEP.match(text))}
    return "how-to" if len(steps) >= _MIN_PARTS else None


def _is_faq(names: str, blocks: Sequence[Block], stated: bool) -> bool:
    """Return whether the page is a list of questions with answers.

    ``stated``: whether it states so, as many pages do that have a few questions below their text.
    """
    named = has_one_of(_FAQ_STEMS, names) and _FAQ_NAMES.search(names) is not None
    if not named and not stated:
        return False
    headings = [b for b in blocks if _is_heading(b) and len(b.text) <= _MAX_QUESTION_CHARS]
    questions = sum(bool(_QUESTION.search(block.text)) for block in headings)
    most = 2 * questions >= len(headings)
    return questions >= _MIN_PARTS and (named or (stated and most))


def _is_heading(block: Block) -> bool:
    return not _HEADINGS.isdisjoint(block.tags[-3:]) or bool(
        _OF_QUESTION.search(" ".join(block.class_words[-2:]))
    )


def _stated_kinds(stated: Stated) -> Mapping[PageKind, None]:
    """Return the kinds that the page states for itself, the surest first."""
    own = [one for one in stated.objects if one.place in _OWN_PLACES]
    names: dict[PageKind, set[str]] = {}
    for one in own:
        for kind in {_OF_TYPE[name] for name in one.types if name in _OF_TYPE}:
            names.setdefault(kind, set()).add(one.first("name", "headline", "url"))
    found = [kind for kind in _TYPES if 0 < len(names.get(kind, ())) <= _MANY]
    if not _states(stated, _LISTS):
        words = re.split(r"[:.]", stated.meta("og:type").lower()[:100])
        found += [_OPEN_GRAPH[word] for word in words if word in _OPEN_GRAPH]
    return dict.fromkeys(found)
