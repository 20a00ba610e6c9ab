"""site/index.html: all chapters as one static page with a search box. It asks no other machine for anything."""

import os
import re

from runner import pages
from tools.definitions import DATE, EDITION, text_of
from tools.markdown import Page, anchor

HERE = os.path.dirname(os.path.abspath(__file__))
FIRST = ("README.md", "TUTORIAL.md", "MANUAL.md")


def sources(folder):
    """The documents in their order, by their paths below Protocol/: page one, tutorial and manual, Core, the profiles."""
    first = [name for name in FIRST if os.path.exists(f"{folder}/{name}")]
    return first + [path for path in pages.files("core/*.md") if pages.is_page(path)] + ["profiles/README.md"] + [
        path for path in pages.files("profiles/*.md") if pages.is_page(path)]


def prefix(path):
    return "profiles" if path == "profiles/README.md" else os.path.basename(path)[:-3].lower()


def linking(path, known):
    """What an address in one document is in the page: a place in it, a file beside it, or another machine."""
    def link(address):
        if re.match(r"[a-z]+:", address):
            return address
        target, _, place = address.partition("#")
        whole = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if whole in known:
            return f"#{prefix(whole)}--{place}" if place and anchor(place) == place else f"#{prefix(whole)}"
        return f"../{whole}" + (f"#{place}" if place else "")
    return link


def contents(shown):
    """The list of chapters and of their parts."""
    items = []
    for page in shown:
        (_, name, title), *rest = page.headings
        inner = "".join(f'<li><a href="#{each}">{text}</a></li>' for level, each, text in rest if level == 2)
        items.append(f'<li><a href="#{name}">{title}</a>{f"<ul>{inner}</ul>" if inner else ""}</li>')
    return "<ul>" + "\n".join(items) + "</ul>"


def outputs(folder):
    """Path below Protocol/ -> text. The chapters are those of the folder that is written."""
    known = sources(folder)
    shown, bodies = [], []
    for path in known:
        page = Page(text_of(f"{folder}/{path}"), prefix(path), linking(path, known))
        bodies.append(f"<section>\n{page.html()}\n</section>")
        shown.append(page)
    text = text_of(f"{HERE}/site.html")
    filling = {
        "EDITION": EDITION, "DATE": DATE, "CONTENTS": contents(shown), "BODY": "\n".join(bodies),
        "STYLE": text_of(f"{HERE}/site.css").strip(), "SCRIPT": text_of(f"{HERE}/site.js").strip(),
    }
    return {"site/index.html": re.sub(r"\{\{([A-Z]+)\}\}", lambda found: filling[found[1]], text)}
