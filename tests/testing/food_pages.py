"""Recipes as plugins and sites write them, behind an article."""

from __future__ import annotations

PARAGRAPHS = (
    "My grandmother made this soup on the first cold Sunday of the year, in the largest pot that "
    "she had, and nobody was allowed to lift the lid before noon.",
    "She never wrote anything down. What follows is what I remember from standing beside her, and "
    "from the letters that my aunt sent me when I had moved to the coast.",
    "The lentils keep their shape if you salt them late. I learned that the hard way, in a kitchen "
    "with one ring and a pan that leaned to the left.",
    "If you have a day, make it the evening before. It thickens in the cold, so add a ladle of "
    "water, and taste it again before you serve it.",
)
INGREDIENTS = ("250 g red lentils", "2 carrots, finely sliced", "1 tbsp curry paste", "1 l stock")
STEPS = (
    "Rinse the lentils until the water stays clear.",
    "Fry the carrots in a little oil with the curry paste.",
    "Add lentils and stock, and simmer for 20 minutes.",
)


def _list(items: tuple[str, ...], tag: str = "ul", item: str = "<li>{}</li>") -> str:
    return f"<{tag}>{''.join(map(item.format, items))}</{tag}>"


_PARTS = _list(INGREDIENTS), _list(STEPS, "ol")
CARDS = {
    "tasty": (
        '<div class="tasty-recipes tasty-recipes-display"><div class="tasty-recipes-entry-header">'
        '<h2 class="tasty-recipes-title">Lentil soup</h2><div class="tasty-recipes-details">'
        "<ul><li>Prep Time: 10 minutes</li></ul></div></div>"
        '<div class="tasty-recipes-ingredients"><div class="tasty-recipes-ingredients-header">'
        '<h3>Ingredients</h3><div class="tasty-recipes-scale-container">'
        '<span class="tasty-recipes-scale-label">Scale</span><button>1x</button><button>2x</button>'
        f'</div></div><div class="tasty-recipes-ingredients-body">{_PARTS[0]}</div></div>'
        '<div class="tasty-recipes-instructions"><h3>Instructions</h3>'
        f'<div class="tasty-recipes-instructions-body">{_PARTS[1]}</div></div></div>'
    ),
    "wprm": (
        '<div id="wprm-recipe-container-41" class="wprm-recipe-container"><div class="wprm-recipe">'
        '<h2 class="wprm-recipe-name">Lentil soup</h2>'
        '<div class="wprm-recipe-ingredients-container"><h3 class="wprm-recipe-header">Ingredients'
        '</h3><div class="wprm-recipe-adjustable-servings-container"><span>1x</span></div>'
        + _list(INGREDIENTS, item='<li class="wprm-recipe-ingredient">{}</li>')
        + '</div><div class="wprm-recipe-instructions-container"><h3>Instructions</h3>'
        + _list(STEPS, item='<li><div class="wprm-recipe-instruction-text">{}</div></li>')
        + "</div></div></div>"
    ),
    "mediavine": (
        '<section class="mv-create-card mv-recipe-card"><div class="mv-create-wrapper">'
        f'<div class="mv-create-ingredients"><h3>Ingredients</h3>{_PARTS[0]}</div>'
        f'<div class="mv-create-instructions mv-create-instructions-slot"><h3>Instructions</h3>'
        f"{_PARTS[1]}</div></div></section>"
    ),
    "easyrecipe": (
        f'<div class="easyrecipe"><div class="ERSIngredients">{_PARTS[0]}</div>'
        f'<div class="ERSInstructions">{_PARTS[1]}</div></div>'
    ),
    "microdata": (
        '<div itemscope itemtype="https://schema.org/Recipe">'
        + _list(INGREDIENTS, item='<li itemprop="recipeIngredient">{}</li>')
        + _list(STEPS, "div", '<p itemprop="recipeInstructions">{}</p>')
        + "</div>"
    ),
    "together": (
        '<div class="recipe-box"><div class="ingredients-and-directions">'
        f'<div class="recipe-ingredients">{_PARTS[0]}</div>'
        f'<div class="recipe-directions">{_PARTS[1]}</div></div></div>'
    ),
    "checkboxes": (
        '<section class="recipe-ingredients"><fieldset>'
        + _list(INGREDIENTS, item='<li><label><input type="checkbox"><span>{}</span></label></li>')
        + '</fieldset></section><section class="recipe-method">'
        + _list(STEPS, "div", "<p>{}</p>")
        + "</section>"
    ),
    "german": (
        f'<div class="rezept"><div class="zutaten-liste">{_PARTS[0]}</div>'
        f'<div class="zubereitung">{_PARTS[1]}</div></div>'
    ),
    "spanish": (
        f'<div class="receta"><div class="ingredientes">{_PARTS[0]}</div>'
        f'<div class="preparacion">{_PARTS[1]}</div></div>'
    ),
    "french": (
        f'<div class="recette"><div class="liste-ingredients">{_PARTS[0]}</div>'
        f'<div class="etapes">{_PARTS[1]}</div></div>'
    ),
    "dutch": (
        f'<div class="recept"><div class="ingredienten">{_PARTS[0]}</div>'
        f'<div class="bereidingswijze">{_PARTS[1]}</div></div>'
    ),
}
"""By the name of a plugin, or of what is different."""


ABOUT = "Ruth Abel writes about soup, and has a garden behind a mill in the north of the county."
APART = {
    "footer": f"<footer><div><p>{ABOUT}</p></div></footer>",
    "author": f'<div class="author-bio"><p>{ABOUT}</p></div>',
    "author, camel case": f'<div class="authorBox"><h4>{ABOUT}</h4></div>',
    "author in German": f'<div class="autoren-box"><p>{ABOUT}</p></div>',
    "about the author in Spanish": f'<div class="sobre-el-autor"><p>{ABOUT}</p></div>',
    "about the author": f'<section class="about-the-author"><p>{ABOUT}</p></section>',
    "entry meta": f'<header class="entry-header"><div class="entry-meta">{ABOUT}</div></header>',
    "post footer": f'<footer class="post-footer"><span>{ABOUT}</span></footer>',
    "menu": f'<ul class="menu"><li class="menu-item menu-item-type-post_type"><a>{ABOUT}</a></ul>',
    "delivery": f'<dl class="enriched-delivery-table"><dt>UK</dt><dd>{ABOUT}</dd></dl>',
    "legal notice": f'<div class="legalnotice" id="id1"><p>{ABOUT}</p></div>',
    "shipping": f'<div class="shipping-policy"><p>{ABOUT}</p></div>',
    "delivery of a product": f'<div class="b-product-delivery"><h4>{ABOUT}</h4></div>',
    "shipping and returns": f'<div id="shipping-and-returns"><p>{ABOUT}</p></div>',
    "returns": f'<ul class="special-return-conditions__container"><li>{ABOUT}</li></ul>',
    "warranty": f'<section class="warranty-container"><p>{ABOUT}</p></section>',
    "delivery in German": f'<div class="versandinformationen"><p>{ABOUT}</p></div>',
    "delivery in French": f'<div class="livraison-et-retours"><p>{ABOUT}</p></div>',
    "delivery in Spanish": f'<div class="envios-y-devoluciones"><p>{ABOUT}</p></div>',
    "delivery in Italian": f'<div class="spedizioni-e-resi"><p>{ABOUT}</p></div>',
    "related products": f'<div class="related-products"><h4>{ABOUT}</h4></div>',
    "promotion": f'<div class="promo-bar__carousel"><p>{ABOUT}</p></div>',
    "sign in": f'<div class="article-content__sign-in-group hidden"><p>{ABOUT}</p></div>',
    "related": f'<div class="related-articles"><h4>{ABOUT}</h4></div>',
    "disclaimer": f'<section class="site-disclaimer"><p>{ABOUT}</p></section>',
    "popover": f'<div class="a-popover-preload"><p>{ABOUT}</p></div>',
    "summary by a machine": f'<div class="block-body xfa-ai-summary"><p>{ABOUT}</p></div>',
    "notice": f'<div class="DismissMessage"><p>{ABOUT}</p></div>',
    "notice, XenForo": (
        f'<ul class="panels"><li class="panel notice dismissParent"><div>{ABOUT}</div></li></ul>'
    ),
    "notice, Bootstrap": f'<div class="alert alert-dismissible fade"><p>{ABOUT}</p></div>',
    "RDoc": f'<div class="method-source-code" id="soup-source"><pre>{ABOUT}</pre></div>',
    "Doxygen": f'<div class="memdoc"><p class="definition">{ABOUT}</p></div>',
    "YARD": f'<table class="source_code"><tr><td><pre>{ABOUT}</pre></td></tr></table>',
}
"""Parts of a page that are none of its text."""
BESIDE_POSTS = {
    "author of a post, XenForo": (
        f'<li class="message"><div class="messageUserInfo"><div class="messageUserBlock">'
        f'<dl class="extraUserInfo"><dt>Likes</dt><dd>{ABOUT}</dd></dl></div></div></li>'
    ),
    "author of a post, phpBB": (
        f'<div class="post"><dl class="postprofile"><dd class="profile-joined">{ABOUT}</dd></dl>'
        "</div>"
    ),
    "author of a post, vBulletin": f'<div class="userinfo"><p>{ABOUT}</p></div>',
    "author of a post, Kunena": f'<ul class="kpost-profile"><li>{ABOUT}</li></ul>',
    "poster": f'<td class="post-poster-info"><p>{ABOUT}</p></td>',
    "edited": f'<div class="after_content"><p class="postcontent lastedited">{ABOUT}</p></div>',
    "likes": f'<div class="likesSummary"><span class="LikeText">{ABOUT}</span></div>',
    "reactions": f'<div class="reactionsBar js-reactionsList"><a>{ABOUT}</a></div>',
    "preview of a link, Discourse": f'<aside class="onebox"><h3><a>{ABOUT}</a></h3></aside>',
    "preview of a link, XenForo": f'<div class="bbCodeBlock--unfurl"><h3><a>{ABOUT}</a></h3></div>',
}
"""Parts of a thread that are none of its text."""
UNFILLED = {
    "value": "{{ recipe.summary }}",
    "bound once": "{{:: 'served_with' | i18n }}",
    "label": "Cook: {{ recipe.author.name }}",
    "two": "{{ recipe.minutes }} min, {{ recipe.servings }}",
    "section": "{{#each comments}}",
    "choice": "{{ saved ? 'Saved' : 'Save' }}",
}
"""Places that a script would have filled."""


def food_page(card: str) -> str:
    """Return a page of a blog with an article, a recipe behind it and readers' comments."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    comments = "".join(
        f'<li class="comment"><p class="comment-author">{name} says</p><p>{said}</p></li>'
        for name, said in (("Ida", "I made it twice."), ("Tom", "Ours took an hour. Lovely."))
    )
    return (
        "<!doctype html><html><head><title>Lentil soup - Cold Sundays</title></head>"
        '<body class="post-template single"><header class="site-header"><nav><ul><li><a href="/">'
        'Home</a></li><li><a href="/soups">Soups</a></li></ul></nav></header><main><article class="'
        'post type-post"><header class="entry-header"><h1 class="entry-title">Lentil soup</h1>'
        f'</header><div class="entry-content">{text}{card}</div></article>'
        f'<section id="comments" class="comments-area"><h2>Comments</h2><ol>{comments}</ol>'
        "</section>"
        '</main><aside class="sidebar"><h3>About me</h3><p>I cook.</p></aside>'
        '<footer class="site-footer"><p>© Cold Sundays</p></footer></body></html>'
    )
