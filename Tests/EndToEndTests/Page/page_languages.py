# deploy/test: tier 2, judges Sources/Web.
"""The languages of the page: none of its texts stands in a program, all languages have the same texts, a file with gaps or faults
leaves an English page, and the language is the browser's until a person chooses another."""

import glob
import json
import os
import re
import sys
import unittest

from Support.hubs import ROOT, main

try:
    from Support.pagecase import PageCase
    from Support.screens import ScreenCase
except ImportError:
    print("page_languages.py: skipped, for there is no selenium here")
    sys.exit(77)

PAGE = f"{ROOT}/Sources/Web/WebRemote/page"
# The forms that a number chooses between, as the Unicode plural rules have them.
FORMS = {"en": "one other", "de": "one other", "fr": "one many other", "es": "one many other", "ja": "other",
         "ar": "zero one two few many other"}
# A stand-in for the files of languages: `change` gets the texts of one and gives back what the page shall get.
STAND_IN = """const real = window.fetch; window.fetch = async (at, options) => {
  const answer = await real(at, options), code = /\\/lang-([a-z]+)\\.json$/.exec(at)?.[1];
  return code ? (change => new Response(change(await answer.clone().text(), code)))(%s) : answer }""".replace(
    "(change => new", "(async change => new")
# Every text in marks; a value within one is marked with it.
MARKED = """text => JSON.stringify(JSON.parse(text), (key, value) => typeof value === 'string' ? `⟦${value}⟧` : value)"""
# What is seen or read aloud without a mark around it. `data` are words of the hub, which are in no language of the page.
UNMARKED = r"""const data = new Set(arguments[0].map(word => word.toLowerCase())), found = new Set();
const look = (text, where) => {
  for (let before = ''; before !== text;) [before, text] = [text, text.replace(/⟦[^⟦⟧]*⟧/g, ' ')];
  if (data.has(text.trim().toLowerCase())) return;
  for (const part of text.split(/[·,:()|–.]|\s{2,}/).map(part => part.trim())) {
    if (/\p{L}{2}/u.test(part) && !data.has(part.toLowerCase())) found.add(`${where}: ${part}`);
  }
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const { parentElement: element, data: text } = walker.currentNode;
  // The letters on a cover that is missing are those of its title.
  if (text.trim() && !element.closest('body [lang], kbd, script, svg, time, .initials') && element.checkVisibility()) look(text, element.closest('[id]')?.id ?? element.tagName);
}
for (const element of document.body.querySelectorAll('*')) for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'alt']) {
  if (element.hasAttribute(name) && !element.closest('body [lang]') && element.checkVisibility()) look(element.getAttribute(name), `${element.id || element.tagName} ${name}`);
}
return [...found]"""

# Words of the hub and of the stand-in, and examples of what is typed.
NAMES = ["Baton", "Sunday", "main", "/srv/music", "https://music.example.org"]
STATIONS = ["Harbour FM", "Norway", "jazz", "news", "Nordlicht", "Germany", "German"]
LYRICS = ["Standing in the shadows", "At the end of my bed"]
# What leaves the screen, and buttons and headings of the page's own whose words do not fit. Names of music may be cut.
MISFITS = """const found = [], wide = document.documentElement;
if (wide.scrollWidth > innerWidth) found.push(`${wide.scrollWidth - innerWidth} px too wide`);
for (const element of document.querySelectorAll('button, a, h2, label, select, input, .note')) {
  if (!element.checkVisibility() || element.closest('.strip, .letters, .chips')) continue;
  const box = element.getBoundingClientRect(), name = element.id || element.textContent.trim().slice(0, 40) || element.ariaLabel;
  if (box.width && (box.left < -0.5 || box.right > innerWidth + 0.5)) found.push(`${name} leaves at ${Math.round(box.left)} to ${Math.round(box.right)}`);
  for (const own of [element, ...element.querySelectorAll('span, b')].filter(own => element.closest('.chip') || !own.closest('[dir=auto]') && !own.querySelector('[dir=auto]'))) {
    if (element.matches('button, a, h2') && own.scrollWidth > own.clientWidth + 1 && own.clientWidth) found.push(`${name} is cut: ${own.scrollWidth} in ${own.clientWidth}`);
  }
}
return found"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def texts(code):
    return json.loads(read(f"{PAGE}/lang/{code}.json"))


def names(text):
    """The values that a text names; of plural forms, all of them."""
    return sorted(set(re.findall(r"\{(\w+)\}", json.dumps(text))))


class Files(unittest.TestCase):
    def test_same_texts(self):
        """Each language has the texts of the English one with the same values, and the plural forms of its own rules."""
        english = texts("en")
        for path in sorted(glob.glob(f"{PAGE}/lang/*.json")):
            code = os.path.basename(path)[:-5]
            there = texts(code)
            self.assertEqual(sorted(there), sorted(english), code)
            for key, text in there.items():
                self.assertEqual(names(text), names(english[key]), f"{code}: {key}")
                self.assertEqual(isinstance(text, dict), isinstance(english[key], dict), f"{code}: {key}")
                if isinstance(text, dict):
                    self.assertEqual(" ".join(text), FORMS[code], f"{code}: {key}")
                for form in text.values() if isinstance(text, dict) else [text]:
                    self.assertTrue(form.strip() == form != "", f"{code}: {key}")

    def test_one_line_each(self):
        """The embedder counts lines, and a change of one text is a change of one line."""
        for path in glob.glob(f"{PAGE}/lang/*.json"):
            lines = [line for line in read(path).splitlines() if line.startswith('  "')]
            self.assertEqual(len(lines), len(texts(os.path.basename(path)[:-5])), path)

    def test_examples_are_texts(self):
        """An example in an empty field is a text of a language, unless it is the beginning of an address."""
        source = "".join(read(path) for path in glob.glob(f"{PAGE}/**/*.js", recursive=True) + glob.glob(f"{PAGE}/**/*.html", recursive=True))
        found = re.findall(r"""placeholder(?:: |=)['"]([^'"]*)['"]""", source)
        self.assertEqual([text for text in found if re.search(r"\w", text) and not text.startswith(("http", "/"))], [])

    def test_texts_are_used(self):
        """Each text is used by the page, and each that it uses is there."""
        source = "".join(read(path) for path in glob.glob(f"{PAGE}/**/*.js", recursive=True) + glob.glob(f"{PAGE}/*.html"))
        source = "\n".join(line for line in source.splitlines() if not line.startswith("//"))
        english = texts("en")
        quoted = set(re.findall(r"""['"`]([\w.-]+)['"`]""", source))
        begun = tuple(set(re.findall(r"`((?:[\w-]+\.)+)\$\{", source)))
        self.assertEqual([key for key in english if key not in quoted and not key.startswith(begun)], [])
        asked = set(re.findall(r"""\bt\(['`]([\w.-]+)['`]""", source)) | set(re.findall(r'data-t(?:-label)?="([\w.-]+)"', source))
        self.assertEqual(sorted(asked - set(english)), [])


class Speaking:
    """What both cases of the page need."""

    def stand_in(self, change):
        """What the page gets of its languages from now on is what `change`, a function in JavaScript, makes of them."""
        run = self.page.driver.execute_cdp_cmd
        script = run("Page.addScriptToEvaluateOnNewDocument", {"source": STAND_IN % change})
        self.addCleanup(run, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
        self.page.open("about:blank")

    def speak(self, code):
        """The language of this device from the next loading on."""
        self.page.keep(language=code)
        self.addCleanup(self.page.run, "localStorage.removeItem('baton.language')")


class Screens(Speaking, ScreenCase):
    """Every screen, with something of the hub's on each."""
    maxDiff = None

    def data(self):
        """What people and the hub have named."""
        shelf = self.stand.shelf
        rows = [*self.rows(), *shelf.rows.values()]
        words = [word for row in rows for word in [row.get("title"), row.get("album"), row.get("albumArtist"), *(row.get("artists") or [])]]
        rooms = [room["name"] for room in self.status()["sections"]["rooms"]["list"]]
        pieces = [word for job in self.jobs() for word in (job["title"], job.get("prompt"), job.get("by"), job.get("msg"), job["worker"])]
        pieces += [preset["name"] for preset in self.command("gen.prompts")["d"]["presets"]]
        for session in self.command("clips.list")["d"]["sessions"]:
            pieces += [session["name"], session.get("key"), *(scene["name"] for scene in session["scenes"])]
        # A page that was left a moment ago may still be among those who are here.
        people = [person["name"] for person in self.status()["sections"]["people"]["list"]]
        folders = [name for inside in shelf.tree.values() for row in inside for name in (row["path"], row["path"].split("/")[-1])]
        return sorted({word for word in [*words, *rooms, *pieces, *people, *folders, *LYRICS, *STATIONS, *NAMES] if word})

    def walk(self, shape, look):
        """What `look` finds on each screen of a shape, with the name of the screen."""
        self.take_shape(shape)
        found = []
        for screen in self.screens(shape):
            self.reach(screen)
            found += [f"{shape} {screen.name}: {one}" for one in look()]
        return found

    def test_no_text_in_programs(self):
        """With every text of the files in marks, everything else that is shown is a word of the hub's or a person's."""
        self.stand_in(MARKED)
        self.visit()
        self.assertIn("⟦", self.page.label("prev"))
        data = self.data()
        self.assertEqual([one for shape in ("phone", "watch") for one in self.walk(shape, lambda: self.page.run(UNMARKED, data))], [])

    def test_languages_fit(self):
        """The longest words and those read from right to left: nothing leaves the screen, and no button cuts its words."""
        found = []
        for code in ("de", "ar"):
            self.page.keep(language=code)
            for shape in ("phone", "watch"):
                self.page.open("about:blank")
                found += [f"{code} {one}" for one in self.walk(shape, lambda: self.page.run(MISFITS))]
                self.page.picture(f"language-{code}-{shape}")
            self.assertEqual(self.page.run("return document.dir"), "rtl" if code == "ar" else "")
        self.page.run("localStorage.removeItem('baton.language')")
        self.assertEqual(found, [])


class Languages(Speaking, PageCase):
    def test_gaps_and_faults(self):
        """A file that lacks a text shows that one in English; of a broken one, or none, everything is English and the page works."""
        self.speak("de")
        back, previous = (texts("de")[key] for key in ("play.back15", "play.previous"))
        for change, shown in {
            "text => text": (previous, back),
            "(text, code) => code === 'en' ? text : JSON.stringify({ ...JSON.parse(text), 'play.previous': undefined })": ("Previous", back),
            "(text, code) => code === 'en' ? text : JSON.stringify({ ...JSON.parse(text), 'play.previous': { one: 7 } })": ("Previous", back),
            "(text, code) => code === 'en' ? text : text.slice(0, 300)": ("Previous", "Back 15 seconds"),
            "(text, code) => code === 'en' ? text : '[7]'": ("Previous", "Back 15 seconds"),
        }.items():
            with self.subTest(change):
                run = self.page.driver.execute_cdp_cmd
                script = run("Page.addScriptToEvaluateOnNewDocument", {"source": STAND_IN % change})
                self.page.open("about:blank")
                self.visit()
                self.assertEqual((self.page.label("prev"), self.page.label("back")), shown)
                run("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})

    def test_choice(self):
        """The page has the first language of the browser's that there is, until another is chosen in the settings; that is remembered."""
        agent = self.page.run("return navigator.userAgent")
        self.addCleanup(self.page.driver.execute_cdp_cmd, "Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": "en-US"})
        self.page.driver.execute_cdp_cmd("Network.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": "tlh,de-AT,en"})
        self.page.open("about:blank")
        self.visit("#/settings?page=look")
        self.assertEqual(self.page.label("volume").split(",")[0], texts("de")["volume.name"])
        self.addCleanup(self.page.run, "localStorage.removeItem('baton.language')")
        for code, lang in (("en", "en"), ("", "de")):
            self.page.wait("the choice", lambda: self.page.driver.find_elements("id", "language"))
            began = self.page.run("return performance.timeOrigin")
            self.page.run("const e = document.getElementById('language'); e.value = arguments[0]; e.dispatchEvent(new Event('change'))", code)
            self.page.wait("it was loaded again", lambda: self.page.run("return performance.timeOrigin") != began and self.page.is_live())
            self.assertEqual(self.page.run("return document.documentElement.lang"), lang)
            self.assertEqual(self.page.text("tab-library"), texts(lang)["tab.library"])

    def test_one_is_loaded(self):
        """Only the language in use is loaded, before what the worker does, and the worker keeps it for times without the hub."""
        self.speak("ja")
        self.page.open("about:blank")
        self.visit()
        loaded = "return performance.getEntriesByType('resource').map(e => e.name.split('/').pop()).filter(name => name.startsWith('lang-'))"
        self.assertEqual(self.page.run(loaded), ["lang-ja.json"])
        kept = ("const all = []; for (const name of await caches.keys()) for (const { url } of await (await caches.open(name)).keys()) all.push(url.split('/').pop());"
                "return all.filter(name => name.startsWith('lang-')).sort()")
        self.page.wait("it is kept", lambda: self.page.run_async(kept) in (["lang-en.json", "lang-ja.json"], ["lang-de.json", "lang-en.json", "lang-ja.json"]))
        self.assertEqual(self.page.text("tab-library"), texts("ja")["tab.library"])


if __name__ == "__main__":
    main("chromium", "chromedriver")
