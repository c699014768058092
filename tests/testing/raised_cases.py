"""Superscripts, subscripts and ruby, with their plain text. The extension reads the same cases."""

from __future__ import annotations

FORMULAS = (
    ("The sun is 1.5 × 10<sup>8</sup> km away.", "The sun is 1.5 × 10⁸ km away."),
    ("It weighs 10<sup>-3</sup> g, or 10<sup>−6</sup> kg.", "It weighs 10⁻³ g, or 10⁻⁶ kg."),
    ("H<sub>2</sub>O and C<sub>6</sub>H<sub>12</sub>O<sub>6</sub>", "H₂O and C₆H₁₂O₆"),
    ("Ca<sup>2+</sup> and SO<sub>4</sub><sup>2−</sup>", "Ca²⁺ and SO₄²⁻"),
    ("Eine Wohnung mit 80 m<sup>2</sup> in Köln", "Eine Wohnung mit 80 m² in Köln"),
    ("Площадь парка 12 км<sup>2</sup>.", "Площадь парка 12 км²."),
    ("面积约为 120 km<sup>2</sup>，人口 10<sup>6</sup>。", "面积约为 120 km²，人口 10⁶。"),
    ("The isotope <sup>14</sup>C decays.", "The isotope ¹⁴C decays."),
    ("x<sub>1</sub>, x<sub>12</sub> and x<sub>i</sub>", "x₁, x₁₂ and xᵢ"),
    ("so x<sup>n+1</sup> grows like 2<sup>n</sup>", "so xⁿ⁺¹ grows like 2ⁿ"),
    ("the entry a<sub>ij</sub> of A<sup>T</sup>", "the entry aᵢⱼ of Aᵀ"),
    ("T<sub>max</sub> and N<sub>A</sub>", "T_max and N_A"),
    ("F<sub>тяж</sub> = mg", "F_тяж = mg"),
    ("E<sub>kinetic</sub>", "E_kinetic"),
    ("x<sub>max</sub>y and x<sup>1/2</sup>", "x_(max)y and x^(1/2)"),
    ("e<sup>x<sup>2</sup></sup> and a<sup>b<sub>1</sub></sup>", "e^(x²) and a^(b₁)"),
    ("x<sup>n + 1</sup> and 10<sup>2.5</sup>", "x^(n + 1) and 10^2.5"),
    ("PM<sub>2.5</sub> and PM<sub>10</sub>", "PM₂.₅ and PM₁₀"),
    ("the function f<sup>(n)</sup>", "the function f⁽ⁿ⁾"),
    ("<i>log</i><sub>10</sub> and <b>CO</b><sup>13</sup>", "log₁₀ and CO¹³"),
    ("10<sup><b>6</b></sup> and 10<sup> 6 </sup>times", "10⁶ and 10 ⁶ times"),
    ("<a href=/area>km<sup>2</sup></a> and <a href=/u><sup>235</sup>U</a>", "km² and ²³⁵U"),
    ("the algebra A<sup>*</sup>", "the algebra A*"),
    ("the ion [Cl]<sup>-</sup> and [Fe]<sup>–</sup>", "the ion [Cl]⁻ and [Fe]⁻"),
    ("<code>O(n<sup>2</sup>)</code>, O(2<sup>32</sup>)", "O(n²), O(2³²)"),
)
"""The text of a block, and its plain text."""

WORDS = (
    ("1<sup>st</sup>, 2<sup>nd</sup>, 3<sup>RD</sup>, 4<sup>th</sup>", "1st, 2nd, 3RD, 4th"),
    ("M<sup>me</sup> Curie, M<sup>lle</sup> Rey, D<sup>r</sup> Roy", "Mme Curie, Mlle Rey, Dr Roy"),
    ("le 1<sup>er</sup> mai, la 1<sup>re</sup> et 2<sup>ème</sup>", "le 1er mai, la 1re et 2ème"),
    ("au XIX<sup>e</sup> siècle, la V<sup>e</sup> République", "au XIXe siècle, la Ve République"),
    ("n<sup>o</sup> 5 and N<sup>os</sup> 6", "no 5 and Nos 6"),
    ("la 1.<sup>ª</sup> y la 3<sup>a</sup> planta", "la 1.ª y la 3a planta"),
    ("de 2<sup>de</sup> en 8<sup>ste</sup> dag", "de 2de en 8ste dag"),
    ("1<sup>й</sup> этаж, 5<sup>-го</sup> мая", "1й этаж, 5-го мая"),
    ("Gizmo<sup>TM</sup>, Gizmo<sup>®</sup>, Gizmo<sup>™</sup>", "GizmoTM, Gizmo®, Gizmo™"),
    ("M<sup>c</sup>Donald", "McDonald"),
    ("the 4<sup>th </sup>of July, am 2<sup>ten </sup>Mai", "the 4th of July, am 2ten Mai"),
    ("the 4<sup>th</sup>of July", "the 4ᵗʰof July"),
    ("at 8<sup>am</sup> and 12<sup>PM</sup>", "at 8am and 12PM"),
    ("Only $9<sup>.99</sup> or 7,<sup>99</sup> €", "Only $9.99 or 7,99 €"),
    ("Only $9<sup>99</sup>", "Only $9⁹⁹"),
    ("Pro<sup>beta</sup> and Pro<sup>new</sup>", "Pro beta and Pro new"),
    ("Angebot<sup>inkl. Steuer und Versand</sup>", "Angebot inkl. Steuer und Versand"),
    ("<sup>This small text stands above.</sup> Text.", "This small text stands above. Text."),
    ("<sup>12</sup>", "12"),
    ("<sup>10<i>6</i></sup>", "106"),
    ("on <sup>2024-11-01</sup> at noon", "on 2024-11-01 at noon"),
    ("Price<sub>excluding tax</sub>", "Price excluding tax"),
)  # fmt: skip
"""Ordinals, abbreviations, trade marks, prices and layout, which stay plain."""

NOTES = (
    ('The mill<sup><a href="#fn1">1</a></sup> stands.', "The mill [1] stands."),
    ('Die Mühle<a href="#fn2"><sup>2</sup></a> steht.', "Die Mühle [2] steht."),
    ('1998<sup class="reference"><a href="#cite_note-3">[3]</a></sup>.', "1998 [3]."),
    ('Le moulin<sup id="fnref:4"><a href="#fn:4" class="ref">4</a></sup>', "Le moulin [4]"),
    ('水車<sup id="cite_ref-5" class="ref"><a href="#note-5">[5]</a></sup>が', "水車 [5] が"),
    ('Мельница<sup><a href="/notes/6">6</a></sup>.', "Мельница [6]."),
    ("one<sup class=footnote-ref>7</sup>, two<sup role=doc-noteref>8</sup>", "one [7], two [8]"),
    ("The mill closed.<sup>9</sup> Later", "The mill closed. [9] Later"),
    ("studies<sup>1,2</sup> and others<sup>3–5</sup> say", "studies [1,2] and others [3–5] say"),
    ("price<sup>*</sup> and rate<sup>†</sup>", "price * and rate †"),
    ("voir la note<sup>(1)</sup> et<sup><a href='#2'>(2)</a></sup>", "voir la note (1) et (2)"),
    ('mill<sup><a href="#a">a</a></sup><sup><a href="#b">b</a></sup>', "mill [a] [b]"),
    ('mill<sup><a href="#1">1</a>,<a href="#2">2</a></sup> stands', "mill [1,2] stands"),
    ("mill<sup>[1]–[2]</sup> stands, dam<sup>[a]-[c]</sup>", "mill [1]–[2] stands, dam [a]-[c]"),
    ("mill<sup>[1]</sup><sup>–</sup><sup>[2]</sup> stands", "mill [1]–[2] stands"),
    ("水車<sup>[1]</sup><sup>: 45 </sup>が", "水車 [1]: 45 が"),
    ("mill<sup>[1]</sup><sup>,</sup><sup>[2]</sup>", "mill [1], [2]"),
    ("mill<sup>[citation needed]</sup>", "mill [citation needed]"),
    ('<sup><a href="#ref1">1</a></sup> See the annals.', "[1] See the annals."),
    ("walkers<sup>1</sup> unlike", "walkers¹ unlike"),
)  # fmt: skip

RUBY = (
    ("<ruby>漢字<rt>かんじ</rt></ruby>を読む", "漢字(かんじ)を読む"),
    ("<ruby>表示<rp>(</rp><rt>ひょうじ</rt><rp>)</rp></ruby>された", "表示(ひょうじ)された"),
    ("<ruby>表示<rp>（</rp><rt>ひょうじ</rt><rp>）</rp></ruby>された", "表示（ひょうじ）された"),
    ("<ruby><rb>東京</rb><rt>とうきょう</rt></ruby>タワー", "東京(とうきょう)タワー"),
    ("<ruby>漢<rt>かん</rt>字<rt>じ</rt></ruby>", "漢(かん)字(じ)"),
    ("<ruby><rb>漢</rb><rb>字</rb><rt>かん</rt><rt>じ</rt></ruby>の本", "漢字(かんじ)の本"),
    ("<ruby>北<rt>běi</rt>京<rt>jīng</rt></ruby>很大", "北(běi)京(jīng)很大"),
    ("<ruby><rb>北</rb><rb>京</rb><rt>běi</rt><rt>jīng</rt></ruby>很大", "北京(běi jīng)很大"),
    ("<ruby>臺<rt>ㄊㄞˊ</rt></ruby><ruby>北<rt>ㄅㄟˇ</rt></ruby>", "臺(ㄊㄞˊ)北(ㄅㄟˇ)"),
    ("<ruby>한자<rt>漢字</rt></ruby>를 읽다", "한자(漢字)를 읽다"),
    ("The <ruby>word<rt>wɜːd</rt></ruby> is short", "The word(wɜːd) is short"),
    ("<ruby>漢<rp>(<rt>かん<rp>)</ruby>を", "漢(かん)を"),
    ("<ruby><a href=/k>漢字</a><rt><i>かん</i>じ</rt></ruby>を", "漢字(かんじ)を"),
    ("<b><ruby>港町<rt>みなとまち</rt></ruby></b>, a town", "港町(みなとまち), a town"),
)

NO_RUBY = (
    ("漢字<rt>かんじ</rt>を読む", "漢字かんじを読む"),
    ("北京 <rt>Beijing</rt> 很大", "北京 Beijing 很大"),
    ("The score was <rt>3 to 1</rt> at noon", "The score was 3 to 1 at noon"),
    ("Die Mühle <rtc>stand still</rtc> bis Mai", "Die Mühle stand still bis Mai"),
    ("Le moulin <b><rt>tourne</rt></b> encore", "Le moulin tourne encore"),
    ("<span>Мельница</span> <rt>стоит</rt>.", "Мельница стоит."),
    ("<rb>水車</rb><rt>すいしゃ</rt>", "水車すいしゃ"),
    ("한자 <rt>漢字</rt>를 읽다", "한자 漢字를 읽다"),
    ("<ruby>漢字</ruby><rt>かんじ</rt>を", "漢字かんじを"),
    ("<ruby>漢<rt>かん</rt></ruby>と<rt>じ</rt>", "漢(かん)とじ"),
    ("a <rt>b <rt>c</rt></rt> d", "a b c d"),
    ("x<sup>2</sup> <rt>and y<sub>1</sub></rt>", "x² and y₁"),
    ("<ruby>one</ruby><ruby>two</ruby> <rt>three</rt>", "onetwo three"),
)  # fmt: skip

EMPHASIZED = (
    ("2<sup><i>n</i></sup> boats", "2<sup>*n*</sup> boats"),
    ("die 2<sup><em>n</em>+1</sup>te", "die 2<sup>*n*+1</sup>te"),
    ("<i>T</i><sub><b>max</b></sub> is", "*T*<sub>**max**</sub> is"),
    ("<i>T</i><b><sub>max</sub></b>в", "*T*<sub>**max**</sub>в"),
    ("z<b><sup>2</sup></b> et", "z<sup>**2**</sup> et"),
    ("面<sup><strong><i>i</i></strong></sup>积", "面<sup>***i***</sup>积"),
    ("a<sub><s>b</s></sub>c", "a<sub>~~b~~</sub>c"),
    ("x<sup><i>(a)</i></sup>y", "x<sup>*(a)*</sup>y"),
    ("<i>T<sub>e</sub></i>word", "*T*<sub>*e*</sub>word"),
    ("a<i><sub>x</sub>y</i> z", "a<sub>*x*</sub>*y* z"),
    ("a<i>T<sub>e</sub></i> b", "a*T<sub>e</sub>* b"),
    ("<b>x<sup>2</sup> y</b>, <i>c<sub>0</sub></i>.", "**x<sup>2</sup> y**, *c<sub>0</sub>*."),
    ("<b>x<sup><i>n</i></sup> y</b>", "**x<sup>*n*</sup> y**"),
    ("<b>a</b><sup>2</sup>", "**a**<sup>2</sup>"),
    ("un<b>like</b>ly", "un**like**ly"),
)  # fmt: skip
"""Emphasis in superscripts, and superscripts in emphasis, and their Markdown."""

NESTED = (
    ("10<sup>10<sup>100</sup></sup> more", "10<sup>10¹⁰⁰</sup> more"),
    ("e<sup>−x<sup>2</sup>/2</sup>", "e<sup>−x²/2</sup>"),
    ("a<sub>i<sub>j</sub></sub>", "a<sub>iⱼ</sub>"),
    ("a<sup>b<sup>alpha</sup></sup>", "a<sup>b^alpha</sup>"),
    ("K<sub>d<sup>+</sup></sub>", "K<sub>d<sup>+</sup></sub>"),
    ("x<sup>a<sub>b</sub>c</sup> и", "x<sup>a<sub>b</sub>c</sup> и"),
    ("x<sup>a<sub>b<sup>c</sup></sub></sup>", "x<sup>a<sub>bᶜ</sub></sup>"),
    ("K<sub>d<sup>+</sup></sub><sup>2</sup>", "K<sub>d<sup>+</sup></sub><sup>2</sup>"),
    ("SO<sub>4</sub><sup>2−</sup>", "SO<sub>4</sub><sup>2−</sup>"),
    ("so <sup><sub>small</sub></sup> a", "so <sup><sub>small</sub></sup> a"),
    ("so <sup><sup>1</sup></sup> a", "so <sup>1</sup> a"),
)
"""Superscripts and subscripts in each other, and their Markdown and HTML."""

ALL = FORMULAS + WORDS + NOTES + RUBY + NO_RUBY
