"""Pages of notes, code, formulas, callouts, lists and tables, each read in a way of its own."""

# ruff: noqa: E501
from __future__ import annotations

from testing.raised_cases import EMPHASIZED, NESTED
from testing.table_cases import (
    BREAKS,
    FIELDS,
    HEADINGS,
    HIDDEN,
    LINK_TEXTS,
    LIST_PIECES,
    PICTURES,
    TABLES,
)

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
    "numbers behind signs": "<p>A<sup><a href='#u1'>*</a></sup> b<sup><a href='#u2'>1</a></sup> c<sup><a href='#u3'>1</a>"
    "</sup> d<sup><a href='#u4'>†</a></sup> e<sup><a href='#u5'>3</a></sup><p id=u1>* B<p id=u2>C<p id=u3>D<p id=u4>E<p id=u5>F",
    "a label alone": "<p>A <a class=fn href='#k'>k</a> b</p><div id=k><p>[k]</p><p>Text</p></div>",
    "to a list": "<p>A<sup><a href='#l'>1</a></sup> b<sup><a href='#l'>2</a></sup><p id=l>L",
    "not found": "<p>A<sup><a href='#no'>1</a></sup> b <a href='#no'>#</a></p>",
    "brackets": "<p>The dam<sup class=footnote>[<a id=r1 href='#d1'>1</a>]</sup> and <span "
    "class=noteref>"
    "(<a href='#d2'>2</a>)</span>so</p><div id=d1><a href='#r1'>1</a>. First</div><p id=d2>2. "
    "Two</p>",
    "groups": "<p>A<sup class=reference><a href='#c1'>[A 1]</a></sup> b<sup><a href='#c2'>[Anm. "
    "1]</a>"
    "</sup> c<sup><a href='#c3'>[1]</a></sup></p><ol><li id=c1>One<li id=c2>Zwei<li "
    "id=c3>Drei</ol>",
    "pairs": "<p>Il muro<a name=up1 href='#nota1'>(1)</a>, e<a name=x href='#y'>[2]</a>.</p><p><a "
    "name=nota1 href='#up1'>(1)</a> Il libro.</p><p><a name=y href='#x'>[2]</a> Due <a "
    "href='#z'>(3)</a>",
    "own marks": "<p>A<sup><a href='#e1'>1</a></sup><sup><a href='#e2'>†</a></sup><a "
    "epub:type=noteref href='#e3'>3</a></p><div id=e1><p><sup>1</sup>&nbsp;One</p></div><p id=e2>"
    "<small>† Two</small></p><aside id=e3><p>Three</p></aside>",
    "tooltips": "<p>A<span class=footnote_referrer><a role=button><sup "
    "id=footnote_plugin_tooltip_2_1>[1]</sup></a><span class=footnote_tooltip>One</span></span> b "
    "<span role=tooltip>hint</span><span popover>more</span></p>",
    "tooltips beside a list": "<p>A<span class=footnote_referrer><a role=button><sup "
    "id=footnote_plugin_tooltip_2_1>[1]</sup></a><span class=footnote_tooltip>One</span></span> b"
    "</p><table><tr><th><a id=footnote_plugin_reference_2_1>1</a><td>One</table>",
    "links back alone": "<p>A <a href='#b1' name=bb1>[1]</a> b<a href='#fn1' name=bfn1><sup>a</sup>"
    "</a></p><ol><li><span class=label><a href='#bb1' id=r1>[1]</a></span><span id=b1>One</span>"
    "<li><sup><a href='#bfn1'>a</a></sup><p id=p1>Two</ol>",
    "labels of items": "<ol><li><span class=ltx_tag_item>(A1)</span><div><p>One <b>two</b><p>Three</div><li><span "
    "class=ltx_tag_item> 2. </span><div><p>Two</div><li><span class='x ltx_tag_item'><i>(iii)</i></span><!--x-->"
    "<p>Four<ol><li><span class=ltx_tag_item>2.</span>Five</ol></ol><ul><li><b class=ltx_tag_item>•</b>Six</ul>",
    "arrows back": "<p>A<sup id=r1><a href='#f1'>[1]</a></sup><ol><li id=f1><span class=mw-cite-backlink>↑ "
    "<sup><a href='#r1'>1.0</a></sup> <sup><a href='#r2'>1.1</a></sup></span> One</ol><p>B<sup id=r3><a href="
    "'#f3'>3</a></sup><p id=f3><i class=backref>^ <b><sup><a href='#r3'>3</a></sup></b></i> Three",
    "several links back": "<p>A<sup><a href='#f1' id=r1>[1]</a></sup> b<sup><a href='#f1' "
    "id='r1:1'>[1:1]</a></sup></p><ol><li id=f1><p>One <em>(<a class=fn-backref href='#r1'>1</a>, "
    "<a class=fn-backref href='#r2'>2</a>)</em></p><a href='#r1'>↩</a> <a href='#r1:1'>↩</a></ol>",
    "labels of journals": "<p>A<sup><a href='#B1'>1</a></sup> b<sup><a href='#B2'>2</a></sup> "
    "<cite class=ltx_cite>[<a href='#B1'>5</a>]</cite></p><ul><li id=B1><span class=label>1.</span>"
    "<cite>Berg A. A yard. 2001.</cite><li id=B2><span class=bullet>2</span><cite>Moby</cite></ul>",
    "citations": "<p>A<a href='#k' id=id1>[K]</a></p><div class=citation id=k>[K]<span "
    "class=backrefs>(<a role=doc-backlink href='#id1'>1</a>,<a role=doc-backlink href='#id2'>2</a>)"
    "</span><p>B",
    "rows": "<p>A<a class=footnote-reference href='#f1' id=id1>[1]</a></p><table class=footnote "
    "id=f1>"
    "<tbody><tr><td class=label><a class=fn-backref "
    "href='#id1'>[1]</a></td><td>One</td></tr></tbody>"
    "</table><p>b<sup><a href='#f2'>2</a></sup></p><table><tr><td><a name=f2>2</a><td>Two</table>",
    "of a plugin": "<p>A<span class=footnote_referrer><a role=button><sup "
    "id=footnote_plugin_tooltip_2_1>[1]</sup></a><span class=footnote_tooltip style='display: "
    "none'>"
    "One</span></span> b</p><div class=footnotes_reference_container><div "
    "class=footnote_container_prepare><p>Open</p></div><div style='display: "
    "none'><table><caption>Open"
    "</caption><tbody><tr><th><a id=footnote_plugin_reference_2_1>↑1</a></th><td>One and "
    "two</td></tr>"
    "</tbody></table></div></div>",
    "own address": "<p>A<a href='https://a.example/x#s1' id=t1><sup>1</sup></a> b<a class=footref "
    "role=doc-backlink href='#s2' id=t2><sup>2</sup></a> c<a href='/y#s1'>[3]</a></p><p id=s1>One "
    "<a "
    "href='https://a.example/x#t1'>↩</a></p><p id=s2><a href='#t2' role=doc-backlink>2</a> Two</p>",
    "terms": "<p>A<a class=footnote-reference href='#u1' id=v1>1</a> b<a class=footnote-reference "
    "href='#u2' id=v2>2</a></p><dl><dt class=label id=u1><a "
    "href='#v1'>1</a></dt><dd><p>One</p></dd>"
    "<dt id=u2>2<dd>Two</dl>",
    "other scripts": "<p>甲<span class=spip_note_ref>[<a href='#nb1' class=spip_note "
    "id=nh1>1</a>]</span>乙"
    "<sup><a href='#w2' id=z2>※2</a></sup>丙<a href='#w3'>［3］</a>丁<span class=footnote><a "
    "href='#w4' "
    "id=z4>*4</a></span></p><p id=nb1>[<a href='#nh1' rev=appendix>1</a>] 一</p><p id=w2><span "
    "class=label>2</span> 二</p><p id=w3>［3］三</p><p class=footnote><a href='#z4' "
    "id=w4>*4</a><span "
    "class=footnote-delimiter>:</span><span "
    "class=footnote-text>四四四四四四四四四四四四四四四</span></p>",
    "beside their mark": "<p>One<sup class=modern-footnotes-footnote><a "
    "href='javascript:void(0)'>1</a>"
    "</sup><span role=tooltip class=modern-footnotes-footnote__note>The first of the "
    "notes.</span> two"
    "<span class=margin-aside>The second of the notes.</span> three.</p>",
    "in a quote": "<blockquote><p>A<sup><a href='#q1'>1</a></sup> b</p><ul><li><p id=q1>Q</p></li>"
    "</ul></blockquote>",
}
CODE = {
    "indents": "so<tt><br>\n\n<br>a&nbsp;(<br>\n&nbsp;&nbsp;b )<br>\n</tt>is <tt>c&nbsp;d<br>e</tt> f<code><br>g"
    "&nbsp;h<br></code><table><tr><td><tt>i<br>&nbsp;j</tt></table><table><tr><td>k<td><tt>l<br>&nbsp; m"
    "</tt><tr><td>n<td>o</table><p><tt>p<br>&nbsp;<img src=/q.png>q</tt><p><tt>r<br> &nbsp; s</tt><p>t",
    "indents of prose": "<p><tt>&nbsp; “The brig” came in on the tide’s end.<br>Write soon.</tt><p><tt>潮門は朝に"
    "&nbsp;開く。<br>𠮷</tt><p><tt>Quay&nbsp;3<br>Porthaven</tt><p><tt>cd&nbsp;/srv<br>ls&nbsp;-l</tt><p><tt>f&nbsp;="
    "&nbsp;3<br>g</tt><p><tt>&nbsp;a<br><a href=/b>b</a></tt><p><tt>&nbsp;c<br><a name=d>d</a> “潮門”</tt><p><tt>if the"
    " gate is open<br>&nbsp; wait for it</tt><p><tt>&nbsp; # The gate opens at noon.<br>go()</tt>",
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
    "lines of their own": "<pre class='shiki twoslash'><div class=language-id>ts</div><code><div "
    "class=line>a</div><div class=line></div><div class='line hl'> b</div></code><a "
    "class=playground-link href=/p>Try</a></pre><div class=ql-code-block-container><div "
    "class=ql-code-block data-language=lua>c</div><div class=ql-code-block></div><div "
    "class=ql-code-block>d</div></div><ol "
    "class=dp-sql><li><span>e&nbsp;f</span></li><li>&nbsp;g</li>"
    "</ol><div class=geshifilter-lua><ol><li>h<li><li>i</ol></div><pre><code>j\nk</code></pre><ul "
    "class=pre-numbering><li>1<li>2</ul><pre syntax=Go>l</pre>",
    "labels": "<div class=language-ts><button class=copy>Copy</button><span"
    " class=lang>ts</span><pre>"
    "a</pre><div class=line-numbers><b>1</b></div></div><div><div>C++ <i>|</i>"
    " コピー</div><div><pre>"
    "b</pre></div></div><div>Output<pre>c</pre></div><div><p>gate.js</p><pre>d</pre></div><div"
    " class='jp-InputPrompt'>In\xa0[1]:</div><pre>e</pre>",
    "lines": "<pre><span id=a>npm i</span><span id=b>npm <b>r</b><br>x</span></pre><pre><span"
    " id=a>a"
    "</span> <span id=b>b</span></pre>",
    "lines of style": "<pre><code>f(\n\n<span class=gatsby-highlight-code-line> <i>a</i></span><span "
    "class=gatsby-highlight-code-line></span><!--x--><span class=gatsby-highlight-code-line>b</span>)\n\n"
    "</code></pre><pre><span class=line>c</span><span class='x line'> d</span></pre><pre><span style='"
    "display:block'>e\n</span>f</pre><pre><span class=line>g</span><br><span class=line>h</span></pre>"
    "<pre><span style='display: block'>i</span>j</pre>",
    "lines with line ends": "<pre><span class=line>a</span>\n\n<span class='line add'>b</span><span "
    "class='line'></span>\n<span class='line'>\n</span>\n<span class=code-line>c</span><!--x--> \n<span "
    "class=line style='display:block'>d</span>\n<span class=line>e</span><br><br><span class=line><br>"
    "</span><span class=line hidden>f</span>\n\n<span class=new-line>g</span>\n</pre>",
    "editors": "<div class='cm-content' data-language=go><div class=cm-line>a {</div><div "
    "class=cm-line>\xa0 b</div></div><div class=view-lines><div>c</div><div>d</div></div><div "
    "class=CodeMirror-code><div><i class=CodeMirror-linenumber>1</i><pre>e</pre></div><div><pre> f"
    "</pre></div></div>",
    "brush": "<figure class='kotlin'><pre class='brush: none'>val a</pre></figure>",
    "tables of code": "<table><tr><td><pre>1\n2</pre><td><pre>a\n b\n</pre></table><table><tr><td><pre>1"
    "</pre><td><pre>c</pre></table><table><tr><th colspan=2>d<tr><td class=linenos><pre>1</pre><td><div>"
    "<pre>e</pre></div></table><table><tr><th>f<th>g<tr><td><pre>1\n2</pre><td><pre>h\ni</pre></table>",
    "changes": "<table class=diff-table><tr><td class=blob-num><td><span data-code-marker='-'>a<b>b</b>"
    "</span><tr><td class=blob-num><td><span data-code-marker='+'><br></span><tr><td class=blob-num><td>"
    "<span data-code-marker=' '>  c</span></table><table><tr><td class=blob-num>1<td "
    "class='blob-code blob-code-marker-addition'>d<tr><td class=blob-num>2<td class=line>e</table><pre "
    "class='shiki has-diff'><code><span class=line>f</span>\n<span class=line></span>\n<span class='line "
    "diff remove'>g</span></code></pre><pre><b data-code-marker='+'>h</b></pre>",
    "names of languages": "<pre class='jq jr js jt'>a</pre><pre class=r>b</pre><pre class='x go'>c</pre>"
    "<pre class=language-js><code class=language-diff-js>d</code></pre><pre class='brush: html-nolint'>e"
    "</pre><div class=highlight-myst-ansi><pre>f</pre></div><pre data-lang=curl>g</pre>",
    "boxes": '<div class="fragment"><div class="line"><span class=lineno>1</span>&#160;a</div><div '
    'class="line"> b</div><div class="ttc">c</div></div><div class="fragment"><p>d</div><div '
    "class='syntaxhighlighter nogutter go'><div class=toolbar><a>?</a></div><table><caption>e"
    "</caption><tr><td><div class=container><div class=line><code class='go x'>f</code></div></div>"
    "</table></div><div class=blockcode><ol><li>g<li>&nbsp;h</ol><em>复制代码</em></div><div "
    "class=code-block data-lang=kotlin>\ni\n j</div><div class=code-block data-lang=go><p>k</div>",
    "boxes of scripts": "<div class='enlighter-default enlighter-l-php'><div class=enlighter-code><div "
    "class=enlighter><div class=''><div>a</div></div><div><div>&nbsp; b</div></div></div><pre "
    "class=enlighter-raw>a\n  b</pre></div></div><div><textarea class=Documentation-exampleCode>c\n\td"
    "</textarea><div class=Documentation-exampleButtonsContainer><button>Share</button></div></div>"
    "<textarea>e</textarea>",
    "boxes with breaks": "<dl class=codebox><dt>Code: <a href='#'>Select all</a><dd><code>a<br>&nbsp; "
    "b</code></dl><div class=codeheader>Code <a>[Select]</a></div><code class=bbc_code>c<br>d</code>"
    "<div class=phpcode><code>\ne<br />&nbsp;f</code></div><p><code>g<br>h</code></p><p><code>i<br>j"
    "</code> k<code>l<br></code><table><tr><td><p><code>m<br>n</code><tr><td><div class=codeblock>"
    "<code>o<br>p</code></table>",
    "labels in code": "<pre><div><div>python</div><div><button>Copy code</button></div><div><code>a"
    "</code></div></div></pre><pre><div class=x>Go</div><code>b</code></pre><pre><i>$</i><code>c"
    "</code></pre><div><div class=toolbar><img src=/c.gif></div><pre>d</pre></div><div><b>Go</b>"
    "<table><tr><td class=gutter>1<td><pre>e</pre></table></div><pre><code><div "
    "class=secondary-code-label>f</div>g</code></pre>",
    "Twoslash": "<pre><code><div class=line>a <data-lsp lsp=b>c</data-lsp> d</div><span class=error>"
    "<i>e</i><i class=code>1</i></span><i class=error-behind>e</i></code></pre><pre>f<b "
    "class=twoslash-hover>g<b class=twoslash-popup-container>h</b></b><i class=boring>i</i></pre>",
    "other levels": "<section class='language-c'><div class='x lang-lua'><p><pre>a</pre></div>",
}
SCRIPTS = {
    "powers": "<p>It has 10<sup>6</sup> H<sub>2</sub>O, the 2<sup>nd</sup> x<sub>max</sub><b>10"
    "<sup>3</sup></b> and <sup>all</sup></p><h2>m<sup>2</sup></h2><td>",
    "by style": "<p>10<span style='vertical-align:super'>6</span> l H<font style='VERTICAL-ALIGN: "
    "sub'>"
    '2</font>O m<i class="sup">2</i> x<b class="y sub">i</b> <span>9</span><span class="sup">5'
    "</span> <span style='vertical-align:super'>14</span>C a <span style='vertical-align:super'>NEW"
    '</span> Go<i class="sub">arrow_forward</i>, U<span><sup>+2</sup><br><sub>i</sub></span></p>',
    "twins": "<p><b aria-hidden=true><i class=cap>T</i>he</b><i class=sr-only>The</i> sea <i "
    "class=sr-only>was</i><b aria-hidden=true><i>w</i>as</b> <b aria-hidden=true>•</b> calm</p>",
    "by a style sheet": "<style>.c5{color:red;vertical-align:super}</style><p>10<span class='C5 "
    "c6'>6"
    "</span> l <span class=c5>7</span></p>",
    "fractions": "<p>3 <span class='frac'>3<span class=sr-only>+</span><span "
    "class=num>1</span>⁄<span "
    "class=den>2</span></span> 4<span class='fraction'><b class=numerator>a + b</b><b "
    "class=denominator>c</b></span> and <span class='sfrac'>\u2060<span class=num>1</span><span "
    "class=sr-only>/</span><span class=den>4</span>\u2060</span> <span "
    "class='frac'><sup>1</sup>/<sub>2"
    "</sub></span></p>",
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
    "<h5><a class=anchor href='#e'>Anchor text</a></h5><dl><dt>f()<a class='x HeaderLink' href='#f'>"
    "¶</a><dd>Law <a class=anchor href='#g'>§</a> 5<dt>g<a class=anchor href='#g'><b>🔗\ufe0e</b></a><a "
    "class='permalink note' href='#h'>#</a></dl>",
    "maps": "<p>Here<div class=leaflet-container><div class=leaflet-pane><img class='leaflet-tile x' "
    "src=/t.png><img class=leaflet-marker-icon src=/m.png alt=Marker></div><div class="
    "leaflet-popup-pane><img src=/p.jpg>Mill</div></div><p>There<div class=gm-style><img src=/g.png>"
    "<div class=gm-style-iw><img src=/i.jpg>Weir</div></div><p>End",
    "controls": "<h2>Depth <button>Copy link</button></h2><h2>Width<a href='#top'>[Top]</a></h2><h2>"
    "Span [<a href='#top'>Top</a>]</h2><h2><a href='#contents'>Contents</a></h2><button class="
    "accordion-button>How deep?<span class=icon>+</span></button><p>Deep<details><summary>Why<i "
    "aria-hidden=true>›</i></summary>So</details><table><tr><th>Name <button>▲▼</button>"
    "<th>Size<span class=sort-icon>⇅</span><th>Loss <span>↓</span><tr><td>a<td>b<td>c</table>"
    "<ol><li><span class=num>1</span><p>Open<li><div><b class=step-number>02</b><p>Close</div></ol>"
    "<ol start=3><li><span class=num>3</span><p>A<li><span class=num>5</span><p>B</ol><div class="
    "code-header><span>app.py</span><span>Copy code</span></div><pre>x = 1\ny = 2</pre><div><p>Run "
    "<button>Copy</button></p><pre>run</pre></div>",
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
    "metadata": "<p>a <meta itemprop=b>c<a href=/d><link itemprop=e href=/f>g</a>h<br><meta>i<img "
    "src=/j.png><meta>k</p><div>l<meta>m</div><p><b>n<meta></b><div>o</div><meta>p<pre>q<meta>r</pre>"
    "<p>s<svg><meta></svg>t</p><ul><li>u<link>v</ul>",
    "code and variables": "<p><tt>a1</tt><var>b2</var> <var>c3</var><code>d4</code><samp>e5</samp> "
    "<kbd>f6</kbd><kbd>g7</kbd><var>h8</var><b>i9</b><img src=/j.png><tt>k</tt></p>",
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
    "stated": "<p>a <span class=math>b^2</span> <code class='math math-inline'>c_1</code> <img "
    "src='https://latex.codecogs.com/gif.latex?\\\\dpi{110}&space;d&plus;e'> <img role=math "
    "data-mathml='«math»«mi»f«/mi»«/math»' alt=f> <span class=mjx-math aria-label='g=1'>g</span> "
    "<img "
    "src='/render/math?math=h^2'> [latex]i_1[/latex] $latex j_1$</p><div class=math>k=1</div><div "
    "data-attrs='{&quot;persistentExpression&quot;:&quot;l_1&quot;}'></div><p>m "
    "<math><mi>n</mi><mtext>"
    "&nbsp;if&nbsp;</mtext><mi>o</mi></math></p><div class=math>no TeX</div>",
    "beside notes": "<p>a<sup><a href='#n'>1</a></sup> <math alttext='b_2'></math></p><p id=n>1 c "
    "<math display=block alttext='d'></math> e</p>",
}
STRUCTURES = {
    **{
        f"sign-up {name}": "".join(
            f"<p>The boat lands near the north pier at {hour}. The crew waits for the tide. The "
            f"harbour master writes down who comes and who leaves on that day.</p>{line}"
            for hour, line in enumerate((box, "", box, ""))
        )
        for name, box in {
            "line": "<p>Subscribe to our newsletter, The Tide.</p><p>No spam, ever.</p>",
            "box": "<div><h4>Stay</h4><p>Abonnieren Sie unseren Newsletter</p></div>",
            "link": "<p><em><a href=/n>ニュースレターに登録する</a></em></p>",
        }.items()
    },
    "sections with h1": "".join(
        f"<section><h1><a href=#s>{title}</a></h1><p>The boat for {title} lands near the north "
        "pier. The crew waits.</p></section>"
        for title in ("NAME", "SYNOPSIS", "DESCRIPTION", "FILES")
    ),
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
    "posts and headers": "<article class='message is-info'><div class=message-header>a</div><p>b</article>"
    "<article class=message><div class=message-header>c</div><p>d</article><div class=message><p "
    "class=title>e</p><p>f</div><article class=message><div class=message-body><h3 class=title>g</h3>h"
    "</div></article><aside aria-label=i class='starlight-aside starlight-aside--tip'><p "
    "class=starlight-aside__title aria-hidden=true>i</p><p>j</aside>",
    "icons in tables": "<div class=warning><table summary=x><tr><td rowspan=2><img alt='[Warning]' "
    "src=/w.png><th>Keep away<tr><td><p>a</table></div><div class=note><table summary=Note><tr><td><img "
    "alt='[Note]' src=/n.png><th><tr><td>b</table></div><div class=note><table summary=y><tr><td><img "
    "alt=Boat src=/b.png><td>c</table></div><div class=admonitionblock><table><tr><td><img alt=Tip "
    "src=/t.png><td>d</table></div>",
    "titles of two kinds": "<div class='admonition warning'><p class=admonition-title>Uwaga</p><p>a</div>"
    "<div class=note><p><b>Uwaga:</b> b</div><div class='admonition error'><p class=title>エラー</p>c</div>"
    "<div class='admonition tip'><p class=title>İpucu</p><p>d</div><div class=warning><p>Obs: e</div>"
    "<div class='alert alert-danger'><b>Attenzione!</b> f</div><div class='admonition tip'><p "
    "class=title>Uwaga</p><p>g</div>",
    "kinds of terms": "<dl><dt>knots<span class=classifier>int</span><span class=classifier>optional</span>"
    "<dd>a<dt><b>x</b><span class=classifier><a href=/i><i>int</i></a> or <a href=/s>str</a></span><dd>b<dt>"
    "<span class=classifier>c</span><dt>d : <span class=classifier>e</span><dd><i class=classifier>f</i>"
    "<dt>g<span class=classifier> </span><dt>h<span class=x-classifier>i</span></dl>",
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
    "icons": "<table><tr><th>a<th><i title=b></i><tr><td><svg aria-label=Ja role=img><path></path>"
    "</svg><td> <i aria-hidden=true></i><span class=sr-only>Yes</span><tr><td><img src=/check.svg "
    "alt=c><td><input type=checkbox checked><tr><td><img src=/x.jpg alt=d><td><a href=/e><i title=f"
    "></i></a><tr><td data-label='Month:'><b>month</b> <i>May</i>June<td><svg><title>g</title>"
    "</svg><b><input type=checkbox></b></table>",
    "read also": "<p>The water is warm from May on, and the crabs come early.</p><p><b>Read"
    " also:</b> "
    "<a href=/a>The keeper and his boat</a></p><p>Lesen Sie auch die <a href=/b>Chronik</a> des"
    " alten "
    "Hafens, die er schrieb.</p><p><a href=/c>Related: The tide</a></p><p>And the rest of it.</p>",
    "questions": "<div class=x><button class=faq-question>When?</button><div><p>The water is warm "
    "from May on.</p></div></div><div class='callout warning'><p>Wind.</div><p>More of it here.</p>"
    "<figure><pre>a()</pre><figcaption>b</figcaption></figure><p>And the rest of it.</p>",
    "names of files": "<p>The water is warm from May on, and the crabs come early.</p><figure><span>src/"
    "lib.rs</span><pre>a()\n b</pre><figcaption>c</figcaption></figure><p>The crabs come early, as they "
    "did last year.</p><figure><p>Run<pre>d</pre></figure><p>And the rest of it is dry.</p>",
    "signs": "<div class='kg-card kg-callout-card kg-callout-card-blue'><div"
    " class=kg-callout-emoji>"
    "💡</div><div class=kg-callout-text>a</div></div><figure class='x callout'><div><span"
    " class=icon>"
    "⚠️</span></div><div>b</div></figure><div class='admonition tip'><i>→</i><p>Tip: c</p></div>",
    "names of products": "<div class=awsdocs-note><div class=awsdocs-note-title><h6>Warning</h6>"
    "</div><div class=awsdocs-note-text>a</div></div><div class='hint bg-danger'><div "
    "class=hint-icon></div><p>b</div><div class=callout data-callout-type=tip><p>c</div><aside "
    "class='msg alert'><span>!</span><div>d</div></aside><div class='note warn'>e</div><div "
    "class='plugin_note notetip'>f</div><div class='wrap_info plugin_wrap'>g</div><aside "
    "class=key-point><b>Key Point:</b> h</aside><div class='card bg-warning'><p class=card-title>i"
    "</p>j</div>",
    "second links": "<p><a href=/a aria-hidden=true tabindex=-1>The tide gate of the old <b>harbour</b> was oiled.</a></p><p>"
    "<a href=/b aria-hidden=true tabindex=-1>More.</a></p><p><a href=/c aria-hidden=true>The tide gate of the old harbour was "
    "oiled.</a></p><div>x <a href=/d tabindex=-1 aria-hidden=true>The tide gate of the harbour was oiled</a></div>",
    "sections with headings": "<div class=infobox-row><h2 class=title>a</h2><p>b</div><div class=infobox><h3 class=title>c"
    "</h3><p>d</div><div class=infobox><h3 class=title>e</h3><h4>f</h4><p>g</div><div class=infoboxes><p class=title>h</p>i</div>"
    "<div class=post><div class=quote>j<div class=x-shrinkLink><a>Less</a></div></div></div>",
    "poems": "<div class='o-Poem x'><div>a<br></div> <div>b <i>c</i><br> </div><div><br></div><div>d<br></div><!--x--><div>"
    "e</div><p>f<br></p><div><p>g</p><br></div></div><div>h<br></div><div>i<br></div><section class=verse><div><p>j<br></p>"
    "<p>k<br>l<br></p></div></section>",
    "signatures": "<dl><dt id=a><b>f</b><span class=sig-paren>(</span> <dl> <dd><em>x</em>,</dd> <dd>y,</dd></dl> <span "
    "class=sig-paren>)</span> <i>→ <a href=/s>S</a></i><a class=headerlink href='#a'>¶</a></dt><dd>One<dt>g<b class=sig-paren>( </b>z"
    "</dt><dd>Two</dl>",
    "steps": "<div role=list><div role=listitem><i></i><div><b> 1. </b></div><p>a<div role=list><p role=listitem><b>"
    "1</b><i>b</i><p role=listitem><b>2</b><i>c</i></div></div><div role=listitem><b>2</b><p>d</div></div><div "
    "role=list><p role=listitem><b>1</b> e<p role=listitem><b>2</b> f</div><figure><img src=/a.jpg><b class="
    "'x toggle-caption'><b>Toggle caption</b></b><b class=hide-caption>g</b></figure><p>h</p>",
    "roles": "<div role=list><div role=listitem>a<div role=list><p role=listitem>b<p"
    " role=listitem>c"
    "</div></div><div role=listitem>d</div></div><div role=table><div role=row><span "
    "role=columnheader>e</span><span role=columnheader>f</span></div><div role=row><span"
    " role=cell>g"
    "</span><span role=cell>h</span></div></div><div role=list><i role=listitem>i</i></div>",
    "stated tasks": "<ul><li data-checked=true>a<li data-checked=false>b<li data-list=checked>c<li "
    "data-list=bullet>d<li data-task=x>e<li data-task=' '>f<li data-inline-task-id=1"
    " class=checked>g"
    "<li data-inline-task-id=2>h</ul>",
    "sources": "<ol><li><cite class='citation book'>a <i>b</i></cite><li><cite>c <em>d</em></cite>"
    "<li><cite>e</cite></ol><p><q>“f”</q> <q>g</q>",
}
WORD = "<span style='mso-list:Ignore'>{}<span style='font:7.0pt X'>&nbsp;&nbsp; </span></span>"
WORD_LISTS = {
    "levels": "".join(
        f"<p class=MsoListParagraph style='mso-list:l0 level{level} lfo1'><![if !supportLists]>"
        f"<b>{WORD.format(mark)}</b><![endif]>Oil <i>of</i> it<br>all</p>"
        for mark, level in (
            ("·", 1),
            ("o", 2),
            ("1.", 3),
            ("2.", 3),
            ("b)", 3),
            ("٤.", 3),
            ("·", 1),
        )
    )
    + "<p>x</p><h3 style='mso-list:l0'><span style='mso-list:Ignore'>1.1&nbsp; </span>T</h3>",
    "filtered": "<p class=MsoListParagraphCxSpFirst><span>i.<b>&nbsp;&nbsp; </b></span>One</p>"
    "<p class=MsoListParagraph style='margin-left:1.0in'><span>§<span>&nbsp;&nbsp; </span></span>Of"
    "</p><p class=MsoListNumber2>ii.&nbsp; Two</p><p class=MsoListBullet>·&nbsp; A<!--c--> b</p>"
    "<p style='margin-left:2.54cm;text-indent:-9pt'><span>-<b style='FONT:7.0pt X'>&nbsp; </b>"
    "</span>Three</p><ul><li><p class=MsoListBullet>-&nbsp; Four</p></ul><table><tr><th>a<tr><td>"
    "<p class=MsoListBullet>·&nbsp; c</p></table><p class=MsoListParagraph>No mark",
}
POST_LISTS = {
    "posts": "<ol id=posts><li class='postbit old'>One<ul><li>a<li>b</ul><li class=postbitlegacy>"
    "Two</ol><ol class=messageList><li class='x Message'>c<li>d</ol><ul><li class=post>e</ul>",
}
IMAGES = {
    "sizes": "<p>a</p>"
    + "<p>b</p>".join(
        f"<img {one}>"
        for one in (
            "src=/s.jpg srcset='/s.jpg 320w, /l.jpg 1600w, /m.jpg 800w'",
            "src=/s srcset='/o 2x'",
            "src=/a.jpg srcset='/a-300x200.jpg 300w,/a-768x512.jpg 768w'",
            "src=/a srcset='/b, /c'",
            "src=/l.jpg width=1200 srcset='/m.jpg 800w'",
            "data-src=/s.jpg srcset='/tiny.jpg 20w'",
            "src=/l.jpg?width=1600 srcset='/x.jpg?width=900 900w'",
            "src=/a srcset='data:x 9w'",
            "src=/a.jpg srcset='/a.jpg 600w, /a-900x600.jpg 900w'",
            "srcset='/a 1x, /b 1.5x'",
        )
    )
    + "<p>c</p>",
    "pictures": "<p>a</p>"
    + "<p>b</p>".join(
        f"<picture>{one}></picture>"
        for one in (
            "<source srcset='/a 800w, /b 1600w'><img src=/o><img src=/p",
            "<source srcset=/x><img",
            "<source type=image/avif srcset='/b 900w'><img src=/s srcset='/l 900w'",
            "<source media='(min-width: 60em)' srcset='/l, /l2 2x'><source media='(min-width: 7px)'"
            " srcset='/m, /m3 3x'><img src=/s",
            "<source media=print srcset='/p 2x'><img src=/s",
            "<source media='(max-width: 9px)' srcset='/c 900w'><source srcset='/d 2x'><img src=/s",
        )
    )
    + "<p>c</p>",
}
SELECTS = {
    "sentences": "<p>Take <select><option>one<option selected>two</select> of <b>them</b>.</p><p>In"
    "<select><option>cm</select>, it<select><option>is</select>long.</p><p>長さは<select><option>三"
    "</select>メ</p><p>Pick a <label>size</label> <!--c--><select><option>S</select>.</p><p>To: "
    "<select><option>a</select> b</p><p>c<br><select><option>d</select> e</p><p><i>f</i><b><select>"
    "<option>g</select></b> <a href=/h>h</a></p><p>i <label>j</label> <select><option>k</select>",
}
TABS = {
    "radio": '<div class=tabbed-set><input id=a1 type="radio"><input id=a2 type=radio><div '
    "class=tabbed-labels><label for=a1>Linux</label><label for=a2>macOS</label></div><div "
    "class=tabbed-content><div class=tabbed-block><p>Use apt</div><div>Use <b>brew</b></div></div>"
    "</div><div class=tabs><input type=radio id=b1><label for=b1>A</label><input type=radio id=b2>"
    "<label for=b2>B</label><div>1</div><div>2</div></div><div class=tabs><input type=radio id=c1>"
    "<label for=c1>A</label><div>1</div><input type=radio id=c2><label for=c2>B</label><div>2</div>"
    "</div>",
    "roles": "<ul role=tablist><li role=tab>npm<li role=tab>Yarn</ul><div><div role=tabpanel><pre>"
    "npm i</pre></div><div role=tabpanel hidden>Yarn <i>add</i></div></div><ul role=tablist><li>"
    "<a role=tab href='#p1'>A</a><li><a role=tab href='#p2'>B</a></ul><section id=p1>1</section>"
    "<section id=p2><h3>b</h3>2</section><ul><li><a data-toggle='tab' href='#q1'>C</a><li><a "
    "data-toggle=tab href='#q2'>D</a></ul><div id=q1>c<p>3</div><div id=q2>4</div><ul role=tablist>"
    "<li role=tab>E<li role=tab>F</ul><div role=tabpanel>5</div>",
}
EDITORS = {
    "remarks": "<h2>Geschichte<span class=mw-editsection>[<a href=/e>Bearbeiten</a>]</span></h2>"
    "<div class='mw-heading'><h3>Later</h3><span class=mw-editsection>[<a href=/e>edit</a>]</span>"
    "</div><p>It fell.<sup class='noprint Inline-Template Template-Fact'>[<i><a href=/c>citation "
    "needed</a></i>]</sup> It <sup class=noprint>[when?]</sup>stood<sup class=noprint>2</sup>.</p>"
    "<div class='secedit editbutton_section'><form><button>Edit</button></form></div><p>End <span "
    "class=noprint>[x]</span></p>",
}
QUOTES = {
    "a link": "<div class=post><div class=quote><a class=quote_header href='/1'>Anna said</a> <div>"
    "It is.</div></div><p>So</p><div class=quote><a class=quote_header href=/2>Tom</a> is</div>"
    "</div>",
    "vBulletin": "<ul><li id=post_1><blockquote class='postcontent restore'><div "
    "class=bbcode_quote><div class=quote_container><div class=bbcode_postedby><img src=/q.png> "
    "By <b>Reed</b><a href='/#p1'><img src=/v.png></a></div><div "
    "class=message>One.</div></div></div>Two.<br><br>3</blockquote></ul><table><tr><td "
    "id=post_2><table><tr><td style='border:1px inset'><div>By "
    "A</div><div>b</div></table>c<table><tr><td style='border: inset'>d<td>e</table></table>",
    "cite": "<div class=postbody><blockquote><div><cite><span> (1:02)</span>Reed wrote: <a "
    "href=/x>↑</a><span>Sat</span></cite>One.</div></blockquote>Two.<blockquote><cite>A: "
    "b</cite> is</blockquote><blockquote><cite>里德：</cite>一</blockquote></div>",
    "tables": "<center><font size=5><b>t u</b></font></center><table id=post1><tr><td>1 Mar<td>#1"
    "<tr><td><a href=/m>Reed</a><td id=td_post_1><div class=message-text>One<table><tr><th>a<th>b"
    "<tr><td>1<td>2</table></div></table><table><tr><td>Ann<td><p class=postbody>Two<tr><td>Tom<td>"
    "<p class=postbody>Three<tr><td>Ed<td><p class=postbody>4</table>",
    "parts": "<div class=cooked><aside class=quote><div class=title><a href=/1><svg></svg></a><img "
    "src=/a.png> Reed:</div><blockquote><p>One<aside class=quote><div class=title>Tom:</div>"
    "<blockquote>2</blockquote></aside></blockquote></aside><p>Three</div><div class=post><div "
    "class='bbCodeBlock bbCodeQuote'><div class=attribution>Ann <a href=/y>↑</a></div><blockquote "
    "class=quoteContainer><div class=quote>4</div><div class=quoteExpand>More</div></blockquote>"
    "<span role=button>Less</span></div><div class=quote><a href=/q>Quote</a></div><blockquote>a "
    "<button>b</button> c<p><button>d</button></blockquote></div>",
}
EQUATIONS = {
    "alone": "<dl><dd><span> <math alttext='a = b'></math></span></dd><dd>so <math alttext='b'>"
    "</math></dl><p align=center><img class=latex alt='a = b'></p><div class=display><span "
    "class=formula><span class=label>(1)</span><span class=math><math alttext='c'></math></span>"
    "</span></div><p style='text-align:center'><!-- --><math alttext='d'></math></p>"
    "<center><math alttext='e'></math>",
    "lines": "<p>$$<br>\\int_0^1 x_1 * y_1<br>$$<p>a \\[<br>x_1<!-- --><br>\\]<br>$$<br>y_1 <b>$$"
    "</b><p>\\begin{align*}<br>a &= b\\\\<br>c<br>\\end{align*}<br>z<p>$$<br>Cheap: $<br>Dear: $$",
    "rows": "<p>As<table class='ltx_equationgroup ltx_eqn_table'><tr class=ltx_eqn_row><td><td>"
    "<math alttext='\\displaystyle a' class=ltx_Math></math><td><math alttext='=b'></math><td>"
    "<span>(2)</span><tr class=ltx_eqn_row><td><td>if<td><math alttext='=c'></math><td></table>so",
    "numbers": "<div class=math><span class=eqno>(1)<a href='#e'>¶</a></span>\\[E = m^2"
    "\\]</div><div class=math>a <span class=eqno>(1)<a href='#e'>#</a></span>\\[E = m\\]</div>",
}
KINDS = {
    "note": NOTES, "code": CODE, "script": SCRIPTS, "link": LINKS, "formula": FORMULAS,
    "structure": STRUCTURES,
    "sentence": SENTENCES, "quote": QUOTES, "editors": EDITORS,
    "Word": WORD_LISTS, "posts": POST_LISTS, "image": IMAGES, "tabs": TABS, "select": SELECTS,
    "table": TABLES, "hidden": HIDDEN, "field": FIELDS, "break": BREAKS, "heading": HEADINGS,
    "picture": PICTURES, "list": LIST_PIECES, "link text": LINK_TEXTS,
    "equation": EQUATIONS,
    "raised": {
        "all": "".join(f"<p>{html}" for html, _ in EMPHASIZED + NESTED),
        "stack": "<p>SO<span class=template-chem2-su><span>2−</span><span>4</span></span> C<span "
        "class=template-chem2-su><span>2</span></span> <span class=template-chem2-su><span>1</span>"
        "<!-- --><span>2</span></span>",
    },
}  # fmt: skip
READING_CASES = {
    f"{kind}: {name}": "<!DOCTYPE html><meta charset=utf-8><title>t</title><body><article>"
    f"{html}</article>"
    for kind, cases in KINDS.items()
    for name, html in cases.items()
}
