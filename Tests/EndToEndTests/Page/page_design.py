# deploy/test: tier 2, first Design.test_literals, judges Sources/Web.
"""The rules of Sources/Web/design.md: sizes of text, colours, corners and spaces of the style sheets are tokens; and on every screen, in
six sizes, dark and light, no text is small, cut or lies on another, no target is small, and a phone has one left edge."""

import glob
import os
import re
import sys

from Support.hubs import main

try:
    from Support.boxes import faults
    from Support.screens import ScreenCase
except ImportError:
    print("page_design.py: skipped, for there is no selenium here")
    sys.exit(77)

HERE = os.path.dirname(os.path.abspath(__file__))
PAGE = os.path.join(HERE, "../../../Sources/Web/WebRemote/page")
# Every literal that is allowed beside the tokens: the file, what of it, and the reason.
ALLOWED = [
    ("looks/tokens.css", "", "the tokens"),
    ("looks/watch.css", "", "a watch has measures of its own: its screen is 180 px wide and may be round"),
    ("playing/now.css", "", "a card in the frame of another page, whose text grows with the frame"),
    ("themes/", "colour", "a theme fills the roles of the colours"),
    ("themes/", "corner", "a theme may have corners of its own"),
    ("settings/settings.css", "--sw", "a theme is shown in its own colours where it is chosen"),
    ("looks/panels.css", "font: 600 max(12px, 34cqi)/1 var(--face)", "the letters of a cover grow with the cover, and are never small"),
    ("library/library.css", "padding-inline-start: 40px", "the icon of the search stands inside its field"),
    ("library/library.css", "padding-inline-end: 36px", "the menu of a tile stands beside its texts"),
    ("library/library.css", "margin: calc(100% - 18px) 0 0", "the menu of a tile stands at the height of its texts"),
    ("looks/phone.css", "padding-inline: max(var(--s-7), calc(50vw - 320px))", "what plays is as wide as a hand on a tablet"),
    ("themes/cat.css", "padding-inline-end: 88px", "the cat sits there"),
]
# A hair line, and what the eye moves by.
FINE = ("0px", "1px", "2px")
KINDS = [
    ("size", re.compile(r"font(-size)?"), re.compile(r"(?<![\w.-])\d*\.?\d+(?:px|rem|pt)")),
    ("corner", re.compile(r"border(-\w+)*-radius"), re.compile(r"(?<![\w.-])\d*\.?\d+(?:px|rem)")),
    ("space", re.compile(r"(padding|margin|gap|row-gap|column-gap)(-\w+)*"), re.compile(r"(?<![\w.-])\d*\.?\d+(?:px|rem)")),
    # A mask has no colour, only what it lets through.
    ("colour", re.compile(r"(?!mask)[\w-]+"), re.compile(r"#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(")),
]
SIZES = [(390, 844), (360, 640), (844, 390), (820, 1180), (1440, 900), (1920, 1080)]
# Texts and targets that are small, and on a phone what begins beside its left edge.
MEASURE = r"""
  const dialog = document.querySelector('dialog[open]'), scope = dialog ?? document.querySelector('main'), found = [];
  const name = e => `${e.tagName.toLowerCase()}${e.id ? '#' + e.id : ''}${e.classList.length ? '.' + [...e.classList].join('.') : ''} “${(e.ariaLabel ?? e.textContent).trim().slice(0, 30)}”`;
  const isSeen = e => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !e.closest('.unseen, #sheet:not([open])');
  const inSight = b => b.width > 1 && b.height > 1 && b.right > 0 && b.bottom > 0 && b.left < innerWidth && b.top < innerHeight;
  for (const e of scope.querySelectorAll('*')) {
    if (!isSeen(e) || e.closest('svg') || ![...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    const size = parseFloat(getComputedStyle(e).fontSize);
    if (size < 11.99) found.push(`${name(e)} has a text of ${size} px`);
  }
  // What is pressed as a whole line of text, what is drawn thin and pressed beside it, and a bar where it has no room.
  const isOther = e => e.matches('#what a, #open, #link, .letters, [type=file]') || getComputedStyle(e).pointerEvents === 'none'
    || innerHeight < 500 && e.id === 'seek'
    || e.tagName === 'A' && getComputedStyle(e).display === 'inline';
  // A box that is ticked is pressed anywhere in its line.
  const target = e => e.type === 'checkbox' ? e.closest('label') ?? e : e;
  for (const e of scope.querySelectorAll('button, a[href], input, select, textarea, summary, [role=slider]')) {
    const box = target(e).getBoundingClientRect();
    if (isSeen(e) && inSight(box) && !isOther(e) && (box.width < 39.5 || box.height < 39.5))
      found.push(`${name(e)} is ${Math.round(box.width)} x ${Math.round(box.height)}`);
  }
  if (innerWidth < 700 && !dialog && arguments[0]) {
    // What plays has an edge of its own.
    const isFull = document.documentElement.classList.contains('full'), edge = isFull ? 24 : 16;
    const panel = document.getElementById(isFull ? 'face' : 'panel');
    for (const e of panel.querySelectorAll('h1, h2, .art, .card, .find, .line, .switch, .note, .does > :first-child, .rows .row > :first-child')) {
      const box = e.getBoundingClientRect();
      if (!isSeen(e) || !inSight(box) || e.closest('.card > *, .preset, .museline, .placehead, .seek:has(> .tool:first-child:not([hidden]))')) continue;
      const text = document.createRange();
      text.selectNodeContents(e);
      const isText = e.matches('h1, h2, .line, .switch, .note'), left = isText ? text.getBoundingClientRect().left : box.left;
      // Others of the same line stand beside the first, a cover of a grid beside another, and a large one in the middle.
      if (left > innerWidth / 3 || isText && !e.textContent.trim()) continue;
      if (Math.abs(left - edge) > 1.5) found.push(`${name(e)} begins at ${Math.round(left)} instead of ${edge}`);
    }
  }
  return found;
"""


def declarations(text):
    """Line, property and value of each declaration of a style sheet."""
    text = re.sub(r"/\*.*?\*/", lambda comment: re.sub(r"[^\n]", " ", comment[0]), text, flags=re.S)
    for found in re.finditer(r"(?<=[{;])\s*([\w-]+)\s*:\s*([^;{}]+)(?=[;}])", text):
        yield text.count("\n", 0, found.start(1)) + 1, found[1], " ".join(found[2].split())


def literals(path, text):
    """What of each declaration is no token, with the kind of it."""
    for line, name, value in declarations(text):
        for kind, names, literal in KINDS:
            said = [one for one in literal.findall(value) if one not in FINE]
            if said and names.fullmatch(name):
                yield line, kind, f"{name}: {value}"


def selectors(text):
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    return [part.strip() for rule in re.findall(r"([^{}]+)\{", text) for part in re.split(r",(?![^(]*\))", rule)]


class Design(ScreenCase):
    maxDiff = None

    def test_literals(self):
        """Each size, corner, space and colour is a token, or is named with a reason."""
        found, used = [], set()
        for path in sorted(glob.glob(f"{PAGE}/**/*.css", recursive=True)):
            name = os.path.relpath(path, PAGE)
            with open(path, encoding="utf-8") as file:
                for line, kind, said in literals(name, file.read()):
                    reasons = [rule for rule in ALLOWED if name.startswith(rule[0]) and (rule[1] in ("", kind) or said.startswith(rule[1]))]
                    used.update(reasons)
                    if not reasons:
                        found.append(f"{name}:{line} has a literal {kind}: {said}")
        self.assertEqual(found, [])
        self.assertEqual([rule for rule in ALLOWED if rule not in used], [], "These are allowed, and nothing of the kind is there.")

    def test_sheets_of_parts(self):
        """The sheet of a part, which stays when the part is left, changes nothing that another sheet describes."""
        paths = [os.path.relpath(path, PAGE) for path in glob.glob(f"{PAGE}/**/*.css", recursive=True)]
        sheets = {}
        for path in paths:
            # The card is a page of its own, and the sheet of all parts shows them.
            if not path.startswith(("themes/", "design/", "playing/now.css")):
                with open(f"{PAGE}/{path}", encoding="utf-8") as file:
                    sheets[path] = selectors(file.read())
        names = {path: set(re.findall(r"\.([\w-]+)", " ".join(found))) for path, found in sheets.items()}
        wide = []
        for path, found in sorted(sheets.items()):
            others = set().union(*(names[other] for other in names if other != path))
            begun = {match[1] for other in sheets if other != path for one in sheets[other] if (match := re.match(r"\.([\w-]+)", one))}
            for one in found if not path.startswith(("looks/", "parts/", "library/library.css")) else []:
                first = re.match(r"\.([\w-]+)", one)
                if first and first[1] in begun and not set(re.findall(r"\.([\w-]+)", one)) - others:
                    wide.append(f"{path} begins a rule with what is another's: {one}")
        self.assertEqual(wide, [])

    def measured(self, width, height):
        self.page.prefer(prefers_color_scheme="dark")
        self.page.keep(theme="night")
        self.page.size(width, height)
        self.visit()
        found = []
        for screen in self.screens("desktop" if width >= 1100 else "phone"):
            self.reach(screen)
            for form in ("dark", "light"):
                self.page.prefer(prefers_color_scheme=form)
                self.page.run_async("await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame)")
                which = f"{width}x{height}-{form}-{screen.name}"
                self.page.picture(f"design-{which}")
                found += [f"{which}: {fault}" for fault in self.page.run(MEASURE, width < height) + faults(self.page)]
        return found

    def tearDown(self):
        self.page.prefer()
        super().tearDown()

    def test_phone(self):
        """Every screen of phones, upright and in landscape."""
        self.assertEqual([fault for size in SIZES[:3] for fault in self.measured(*size)], [])

    def test_large(self):
        """Every screen of a tablet and of desktops."""
        self.assertEqual([fault for size in SIZES[3:] for fault in self.measured(*size)], [])


if __name__ == "__main__":
    main("chromium", "chromedriver")
