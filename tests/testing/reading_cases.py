"""Pages of notes, code, formulas, callouts, lists and tables, each read in a way of its own."""

from __future__ import annotations

NOTES = {
    "kramdown": "<p>The mill<sup id='fnref:1'><a href='#fn:1' class=footnote>1</a></sup> is.</p>"
    "<div class=footnotes><ol><li id='fn:1'><p>It burned. <a href='#fnref:1' "
    "class=reversefootnote>↩</a></p></li></ol></div>",
    "pandoc": "<p>Das Boot<a href='#fn1' class=footnote-ref id=fnref1><sup>1</sup></a>, alt.</p>"
    "<section id=footnotes><ol><li id=fn1><p>Die Werft.<a href='#fnref1' class=footnote-back>↩︎"
    "</a></p><pre>x = 1</pre></li></ol></section>",
    "wiki": "<h2>Histoire<span class=mw-editsection>[<a href=/e>modifier</a>]</span></h2><p>Le "
    "bateau<sup id=r1 class=reference><a href='#n1'>[1]</a></sup><sup id=r2><a href='#n2'>[2]</a>"
    "</sup>.</p><ol><li id=n1><b><a href='#r1'>^</a></b> <i>Le port</i></li><li id=n2><a "
    "href='#r2'>^</a> Deux</li></ol>",
    "Word": "<p>One<a href='#_ftn1' name='_ftnref1'>[1]</a>two, three<a href='#_ftn2' "
    "name='_ftnref2'>[*]</a></p><div id=ftn1><p><a href='#_ftnref1' name='_ftn1'>[1]</a> Here.</p>"
    "</div><div><p><a href='#_ftnref2' name='_ftn2'>[*]</a> There.</p></div>",
    "a name": "<p>船は1964年<a name=b1></a><a href='#note1'><sup>1</sup></a>に造られた。</p>"
    "<p><a name=note1></a>1) 造船所は後に焼けた。</p>",
    "one label twice": "<p>A<sup><a href='#a1' id=x>1</a></sup> and b<sup><a href='#b1' id=y>1</a>"
    "</sup></p><p id=a1>1. First</p><p id=b1>* Second <b>bold</b></p><p>No note</p>",
    "a label alone": "<p>A <a class=fn href='#k'>k</a> b</p><div id=k><p>[k]</p><p>Text</p></div>",
    "to a list": "<p>A<sup><a href='#l'>1</a></sup> b<sup><a href='#l'>2</a></sup><p id=l>L",
    "not found": "<p>A<sup><a href='#no'>1</a></sup> b <a href='#no'>#</a></p>",
    "in a quote": "<blockquote><p>A<sup><a href='#q1'>1</a></sup> b</p><ul><li><p id=q1>Q</p></li>"
    "</ul></blockquote>",
}
CODE = {
    "line numbers": "<pre class='lang-py'><span class=lineno>1</span>a = 1\n<span class=lineno>2"
    "</span>b = 2</pre>",
    "table": "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td><td class=code>"
    "<div class='highlight-source-rust'><pre>let a;\nlet b;</pre></div></td></tr></table>",
    "buttons": "<div class=code><pre><button>Copy</button><div class=code-header>main.c</div><code "
    "class='hljs c++'>int a;</code></pre></div>",
    "unselectable": "<pre data-language=' Go '><i style='user-select:none'>1 </i>go(1)\n<i "
    "class=select-none>$</i> run</pre>",
    "spoken": "<pre lang=de class='language-wrap'>Ein Satz</pre><pre lang=sql>SELECT 1</pre>",
    "lines in a table": "<p>Run:</p><table class=blob data-lang=py><tr><td class=blob-num>1<td "
    "class=blob-code>if x:<tr><td class=blob-num>2<td class=blob-code>\n<tr><td "
    "data-line-number=3><td>    <b>go</b>(1)\n</table><table><tr><td class=lineno>1<td><p>no code"
    "</table><table><tr><td class=lineno>1<td class=gutter>2<tr><td class=lineno>a<td>b</table>",
    "style keeps lines": "<p>Run <code style='white-space: pre'>make\n  all</code> now, <code "
    "style='white-space:pre'>one</code>.</p><div class='hljs whitespace-pre'>a\n  b</div><div "
    "data-lang=go style='x:y;WHITE-SPACE: pre-wrap'>a<br>\n\n  b <i>c</i></div><div "
    "style='white-space:pre'>no\ncode</div><code style='white-space: pre'>a\n<p>b</p></code>",
    "brush": "<figure class='kotlin'><pre class='brush: none'>val a</pre></figure>",
    "other levels": "<section class='language-c'><div class='x lang-lua'><p><pre>a</pre></div>",
}
SCRIPTS = {
    "powers": "<p>It has 10<sup>6</sup> H<sub>2</sub>O, the 2<sup>nd</sup> x<sub>max</sub><b>10"
    "<sup>3</sup></b> and <sup>all</sup></p><h2>m<sup>2</sup></h2><td>",
    "ruby": "<p><ruby>漢<rt>かん</rt></ruby>と<b>x<sup>2</sup></b></p>",
    "links": "<p>a<a href=/b><sup>b</sup>c</a>d<del>e<sub>f</sub></del></p><table><tr><td>a<sup>2"
    "</sup>|<td><code>a|b</code></table>",
}
LINKS = {
    "styles": "<p><b style='font-weight: normal' id=docs>The <span style='color:red; "
    "FONT-WEIGHT: 700'>mill</span> <i style='font-style:normal'>is</i></b> <span "
    "style='font-style: italic'>not <em style='font-weight:bolder'>far</em></span> <font "
    "style='text-decoration: underline line-through'>away</font> <a href=/a "
    "style='font-weight:bold'>here</a> <span style='x-font-weight:bold;font-weight:bolds'>or</span>"
    "</p>",
    "permalinks": "<h2 id=a>The mill <a class=headerlink href='#a' title='Permalink'>¶</a></h2><h3>"
    "<a href='#b'>The <b>river</b></a></h3><h4>Der Fluss <button class=anchor>Link</button></h4>"
    "<h5><a class=anchor href='#e'>Anchor text</a></h5>",
    "more images": "<p>One <picture><source srcset='/a.png 1x, /b.png 2x'><img src='data:,' "
    "alt=A></picture> two <img src=data:, data-zoom='/c.jpg'><noscript><img src='/c.jpg'>"
    "</noscript> end</p><amp-img src='/d.jpg' alt=D><noscript><img src='/d.jpg'></noscript>"
    "</amp-img><p>x</p><img src='/_next/image?url=%2Fe.jpg&w=9'><img "
    "src='/_next/image?url=%2Ff.jpg&w=9'><p>y</p><img style='display:none' src='/g.jpg'><img "
    "src='https://www.facebook.com/tr?id=1'><img class=avatar src='/h.jpg'><p>z <img "
    "src=/i.svg style='width:1px'></p><p>end</p><p><img src='/last.jpg'></p>",
    "emoji": "<p>smile <img class=wp-smiley alt=':-)' src=/s.gif> <b><img alt='\U0001f600' "
    "src=/e.png></b> and <img class=emoji alt=':tada:' src=/t.png> <img class=emoji alt='a "
    "long text' src=/u.png></p><img class=emoji alt='\U0001f600' src=/v.png><p>end</p>",
    "embeds": "<p>a</p><iframe src='https://www.youtube.com/embed/abc?rel=0' title=t>"
    "</iframe><p>b</p><iframe src='//consent.example/x'></iframe><video controls><source "
    "src=/v.mp4></video><p>c</p><object data='https://player.vimeo.com/video/12?h=ab'><p>no</p>"
    "</object><lite-youtube videoid=x-_1><a>Play</a></lite-youtube><audio src='/s(1).mp3' "
    "controls></audio><p>d</p><script src='https://gist.github.com/ann/a1b2.js'></script><p>"
    "e</p><blockquote class=twitter-tweet><p>All safe.</p>- Ann <a "
    "href='https://twitter.com/ann/status/12?s=1'>May 3</a></blockquote><p>f</p><iframe "
    "data-src='https://w.soundcloud.com/player/?url=https%3A//soundcloud.com/a/b&c=1'></iframe>"
    "<p>g</p>",
    "images": "<p>One <img src=data:image/gif;base64,R srcset='/a.png 1x, /b.png 2x,/c.png 1.5x'> 2"
    "</p><p>x</p><img data-echo=/lazy.jpg src=/blank.gif><p>y</p><img data-srcset='/d.png, /e.png "
    "900w, /f.png 300w'><p>z <img srcset=',/g.png, '></p>",
}
SENTENCES = {
    "between texts": "<p>It was <relative-time>a year ago</relative-time>, the <x-term>log</x-term>"
    " and a <button>knot</button> and <b>one <label>two</label></b> <i>three</i><o:p></o:p>.</p>",
    "beside a text": "<p><x-a>One</x-a> two</p><p>one <x-a><b>two</b></x-a></p><p><b><x-a>One</x-a>"
    "</b> <i><u> </u>two</i></p><div>a <term>b</term><term>cd</term> <meter>e</meter></div>",
    "alone": "<p>a <button>Share</button></p><label>Name</label> <label>Age</label><x-a>One</x-a>"
    "<x-a>Two</x-a><p>b <x-a>c<br>d</x-a></p><div>e <x-a><p>f</p></x-a> g</div>",
    "nested": "<p>A <x-a><x-b>log</x-b> <x-c><u>is</u></x-c></x-a></p><ul><li><x-a><x-b>b</x-b>"
    "</x-a> c<li><x-a> </x-a>d</ul><pre>a <x-a>b</x-a> c</pre>",
    "left out": "<p>Say <audio><a href=/a>no</a></audio>it <canvas>no</canvas> and <map><area>"
    "</map>so</p><p>a <video>no</video> b</p>",
    "hidden": "<p>A <x-a hidden>word</x-a> here<x-b style='display:none'>no</x-b></p>",
}
FORMULAS = {
    "text": "<p>Let $x_1 < \\frac{a}{b}$ be, and \\(y^2\\) costs $5 or \\$6 <b>$$z=[a](b)$$</b>"
    "</p><p>\\begin{align}a&=b\\\\c&=d\\end{align}</p><table><tr><td>$a|b_1$<td>`$c^2$`</table>",
    "KaTeX": "<p>So <span class=katex><span class=katex-mathml><math><semantics><mrow><mi>c</mi>"
    "</mrow><annotation encoding='application/x-tex'>\\frac{c}{f}</annotation></semantics></math>"
    "</span><span class=katex-html aria-hidden=true>c f</span></span> is.</p>",
    "displayed": "<p>Der Satz<math display=block alttext='- a^2'><mi>a</mi></math>gilt, und<br>"
    "hier auch.</p><math display=block alttext='~~~ b'></math><ul><li>a<math display=block "
    "alttext='1. c'></math></ul><h2>Von <math alttext='x'></math></h2>",
    "MathML": "<p>a <math><mfrac><mi>c</mi><mi>f</mi></mfrac><mo>≤</mo><msup><mi>b</mi><mn>2</mn>"
    "</msup></math>, <b>b <math><msqrt><mi>x</mi></msqrt></math></b></p>",
    "images": "<p>船 <img class=latex alt='a_1+`b`'> と <img src='/latex.php?latex=c%5E2'></p>",
    "scripts": "<p>a <span class=MathJax_Preview>b</span><script type=math/tex>b^2</script> c</p>"
    "<div class=MathJax_Display>d</div><script type='math/tex; mode=display'>d^2 % no\n+ e"
    "</script><p>f</p>",
    "beside notes": "<p>a<sup><a href='#n'>1</a></sup> <math alttext='b_2'></math></p><p id=n>1 c "
    "<math display=block alttext='d'></math> e</p>",
}
STRUCTURES = {
    "soft hyphens": "<p>Donau\xaddampf<b>schiff&shy;fahrt</b><pre>a\xadb\n  c&shy;</pre>",
    "Sphinx": "<p>a<div class='admonition warning'><p class='admonition-title'>Warning</p><p>Wind."
    "</p><ul><li>b</ul></div><div class='admonition seealso'><p class='admonition-title'>See also"
    "</p><p>c</p></div>",
    "Docusaurus": "<div class='theme-admonition theme-admonition-tip alert alert--success'><div "
    "class=admonitionHeading_G><span class=admonitionIcon_R></span>Save <b>money</b></div><div "
    "class=admonitionContent_B><p>Walk.</p></div></div>",
    "AsciiDoctor": "<div class='admonitionblock note'><table><tr><td class=icon><div class=title>"
    "Note</div></td><td class=content>Der Wind.<pre>x\n y</pre></td></tr></table></div>",
    "labels": "<div class='notecard note'><p><strong>Note:</strong> a <i>b</i></p></div><aside "
    "class=x role=note><b>Tipp:</b> c</aside><div class=NOTE><p>注</p><p>d</p></div><div "
    "class='alert is-info'><p class=alert-title>Important</p>e</div><p class=note>Note that f</p>",
    "in each other": "<ul><li>a<blockquote class='book-hint info'><div class='admonition tip'>"
    "<h5>Tip</h5><p>b</p></div></blockquote></ul><details class=note><summary>c</summary>d"
    "</details><details><summary>e</summary>f</details><dl class='section note'><dt>Note<dd>g</dl>",
    "boxes": "<ul><li><input type=checkbox checked> a<li><label><input type=checkbox>b</label><ul>"
    "<li><div class='checkbox checkbox-on'></div> c</ul></ul><ol reversed><li>d<li value=9>e<li>f"
    "</ol>",
    "breaks": "<hr><p>a<hr><hr><p>b<ul><li>c<hr>d<li><hr>e<ul><li>f</ul></li><ul><li>g</ul></ul><hr"
    " hidden><p>h <q>i <q>j</q></q><dl><div><dt>k<dd>l</div></dl><hr>",
    "cells": "<table><thead><tr><th>a<th>b</thead><tr><td><pre>c\nd</pre><td><p>e<p>f<tr><td "
    "colspan=2>g</table><table><tr><td>h<td>i<td>j</table><table><tr><th>k<tr><td>l</table>",
    "sources": "<ol><li><cite class='citation book'>a <i>b</i></cite><li><cite>c <em>d</em></cite>"
    "<li><cite>e</cite></ol><p><q>“f”</q> <q>g</q>",
}
KINDS = {
    "note": NOTES, "code": CODE, "script": SCRIPTS, "link": LINKS, "formula": FORMULAS,
    "structure": STRUCTURES,
    "sentence": SENTENCES,
}  # fmt: skip
READING_CASES = {
    f"{kind}: {name}": "<!DOCTYPE html><meta charset=utf-8><title>t</title><body><article>"
    f"{html}</article>"
    for kind, cases in KINDS.items()
    for name, html in cases.items()
}
