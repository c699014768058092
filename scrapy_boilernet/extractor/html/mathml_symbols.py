"""The characters of formulas and their commands in TeX."""

from __future__ import annotations

_GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρςστυφχψωϑϕϖϱϵ",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho "
        "varsigma sigma tau upsilon varphi chi psi omega vartheta phi varpi varrho epsilon".split(),
        strict=True,
    )
) | dict(
    zip(
        "ΓΔΘΛΞΠΣΥΦΨΩ",
        "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(),
        strict=True,
    )
)
_RELATIONS = dict(
    zip(
        "≤≥≠≈≡∼≃≅∝≪≫∈∉∋⊂⊃⊆⊇⊄→←↔⇒⇐⇔↦⟶⟹⟺⊢⊨∣∥⊥≺≻↑↓⟵≲≳≔",
        "leq geq neq approx equiv sim simeq cong propto ll gg in notin ni subset supset subseteq "
        "supseteq not\\subset to leftarrow leftrightarrow Rightarrow Leftarrow Leftrightarrow "
        "mapsto longrightarrow Longrightarrow Longleftrightarrow vdash models mid parallel perp "
        "prec succ uparrow downarrow longleftarrow lesssim gtrsim coloneqq".split(),
        strict=True,
    )
)
_OPERATORS = dict(
    zip(
        "±∓×÷·⋅∗∘∙∩∪∧∨⊕⊗⊖⊙∖†‡⋆",
        "pm mp times div cdot cdot ast circ bullet cap cup wedge vee oplus otimes ominus odot "
        "setminus dagger ddagger star".split(),
        strict=True,
    )
)
_BIG = dict(
    zip(
        "∑∏∐∫∬∭∮⋃⋂⨁⨂⋁⋀",
        "sum prod coprod int iint iiint oint bigcup bigcap bigoplus bigotimes bigvee "
        "bigwedge".split(),
        strict=True,
    )
)
_OTHERS = dict(
    zip(
        "∞∂∇∀∃∄∅ℏℓ℘ℜℑℵ∠△□…⋯⋮⋱¬′°ı∴∵",
        "infty partial nabla forall exists nexists emptyset hbar ell wp Re Im aleph angle "
        "triangle square dots cdots vdots ddots neg prime circ imath therefore because".split(),
        strict=True,
    )
)
SYMBOLS = {
    char: f"\\{name}"
    for char, name in (_GREEK | _RELATIONS | _OPERATORS | _BIG | _OTHERS).items()
} | {
    "−": "-", "″": "''", "‴": "'''", "∶": ":", "\u00a0": "\\ ", "ℎ": "h", "~": "\\sim",
}  # fmt: skip
RELATIONS = frozenset((*_RELATIONS, "=", "<", ">", ":=", "≔", "~", "==", "<=", ">="))
FUNCTIONS = frozenset(
    "sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh coth log ln lg exp lim limsup "
    "liminf max min sup inf arg det dim gcd hom ker deg Pr".split()
)
"""Names of functions that are commands of TeX."""
BIG = frozenset((*_BIG, "lim", "limsup", "liminf", "max", "min", "sup", "inf", "det", "gcd", "Pr"))
"""What has its limits above and below."""
FENCES = {
    "(": "(", ")": ")", "[": "[", "]": "]", "{": "\\{", "}": "\\}", "|": "|", "‖": "\\|",
    "⟨": "\\langle", "⟩": "\\rangle", "〈": "\\langle", "〉": "\\rangle", "⌊": "\\lfloor",
    "⌋": "\\rfloor", "⌈": "\\lceil", "⌉": "\\rceil", "||": "\\|", "": "",
}  # fmt: skip
OPENING = frozenset(("(", "[", "\\{", "|", "\\|", "\\langle", "\\lfloor", "\\lceil"))
CLOSING = frozenset((")", "]", "\\}", "|", "\\|", "\\rangle", "\\rfloor", "\\rceil"))
INVISIBLE = frozenset("\u2061\u2062\u2063\u2064\u200b")
"""Operators without a sign: the application of a function, products, separators, sums."""
ACCENTS = {
    "¯": "bar", "‾": "bar", "_": "bar", "―": "bar", "^": "hat", "ˆ": "hat", "~": "tilde",
    "˜": "tilde", "\\sim": "tilde", "\\to": "vec", "⃗": "vec", "˙": "dot", "¨": "ddot",
    "ˇ": "check", "˘": "breve", "´": "acute", "`": "grave", "⏞": "overbrace", "⏜": "overparen",
    ".": "dot", "\\_": "bar", "-": "bar",
}  # fmt: skip
UNDER_ACCENTS = {"_": "underline", "\\_": "underline", "̲": "underline", "¯": "underline",
                 "‾": "underline", "⏟": "underbrace"}  # fmt: skip
VARIANTS = {
    "bold": "mathbf", "bold-italic": "boldsymbol", "double-struck": "mathbb", "script": "mathcal",
    "bold-script": "mathcal", "fraktur": "mathfrak", "sans-serif": "mathsf",
    "monospace": "mathtt", "normal": "mathrm",
}  # fmt: skip
"""The commands of ``mathvariant``."""
VARIANT_NAMES = ("MATHEMATICAL ", "DOUBLE-STRUCK ", "SCRIPT ", "BLACK-LETTER ")
"""How the names of letters in other styles begin."""
