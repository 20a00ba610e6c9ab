# deploy/test: tier 2, judges Sources/Web.
"""Nothing on a screen moves by itself while it loads, nor what a finger is about to press.

Night on a phone runs always; all themes and shapes run with BATON_SLOW=1.
"""

import sys
import time

from Support.hubs import IS_SLOW, main

try:
    from Support.screens import SHAPES, THEMES, PaintedShelf, ScreenCase
except ImportError:
    print("page_layout.py: skipped, for there is no selenium here")
    sys.exit(77)

MOST_SHIFT = 0.02
LOOKS = [(shape, theme) for shape in SHAPES for theme in THEMES] if IS_SLOW else [("phone", "night")]
# Collects what the browser reports as moved without a hand, from the first paint on.
WATCH = """
  [window.shifts, window.since] = [[], 0];
  const name = node => node?.nodeType === 1 ? `${node.tagName.toLowerCase()}#${node.id}.${node.className}` : `${node?.nodeName} in ${node?.parentElement?.id}`;
  const rect = r => [r.x, r.y, r.width, r.height].map(Math.round).join(' ');
  new PerformanceObserver(list => { for (const e of list.getEntries())
    shifts.push({ at: e.startTime, value: e.value, what: e.sources.map(s => `${name(s.node)}: ${rect(s.previousRect)} to ${rect(s.currentRect)}`) }) })
    .observe({ type: 'layout-shift', buffered: true });
"""
# Goes to an address. That the screen changes in the next frame, or for the first panel when the style sheet of panels has come, is what
# was asked for, so only what moves after it counts.
GO = """
  const [address] = words, frame = () => new Promise(requestAnimationFrame);
  if (location.hash !== `#/${address}`) {
    const arrives = new Promise(done => addEventListener('popstate', done, { once: true }));
    location.hash = `#/${address}`;
    await arrives;
  }
  if (!address.startsWith('playing')) await applySheet('panels.css');
  await frame();
  await frame();
  window.since = performance.now();
"""
# Waits until pictures are there and many frames in a row have moved nothing; then gives what has moved since last time.
SETTLE = """
  const frame = () => new Promise(requestAnimationFrame);
  for (let quiet = 0, before = 0; quiet < 7; before = shifts.length) {
    await frame();
    quiet = [...document.images].every(image => image.complete) && shifts.length === before ? quiet + 1 : 0;
  }
  return shifts.splice(0).filter(shift => shift.at > since);
"""


# Does ACT, and waits for READY. Everything that can be pressed then has to stay where it is on the screen; what has moved is returned, with
# how much there is to press. Layout shifts would not do: transforms, by which rows are placed, are none, and a press excuses all of them.
PRESSED = """
  const frame = () => new Promise(requestAnimationFrame), shown = selector =>
    [...document.querySelectorAll(selector)].filter(e => e.checkVisibility({ visibilityProperty: true }));
  const places = () => new Map(shown('#panel :is(button, a, input, select)').map(e => [e, e.getBoundingClientRect().top]));
  const type = text => { const find = document.getElementById('find'); find.value = text; find.dispatchEvent(new Event('input')) };
  ACT;
  await frame();
  while (!shown(`READY`).length) await frame();
  const moved = [], end = performance.now() + 600;
  let before = places();
  const first = before.size;
  while (performance.now() < end) {
    await frame();
    const now = places();
    for (const [e, top] of now) if (Math.abs(top - (before.get(e) ?? top)) > 1)
      moved.push(`${e.ariaLabel ?? e.textContent}: ${before.get(e)} to ${top}`);
    before = now;
  }
  return [first, moved];
"""


class DistantShelf(PaintedShelf):
    """Answers some frames after the question, as a hub does that is reached over a network. Its first artist is known to a server."""

    # How long a server takes to tell of an artist.
    tells_s = 0

    def answer(self, method, p):
        time.sleep(0.08)
        return super().answer(method, p)

    def waits(self, method, p):
        return method == "lib.item" or method == "lib.search" and "cursor" in p

    def do_lib_item(self, p):
        found = super().do_lib_item(p)
        if p["uri"] != "lib:artist/1":
            return {**found, "genres": ["Chamber music of the nineteenth century", "Songs without words"]}
        time.sleep(self.tells_s)
        about = "Ida Ferro wrote all her songs in one winter, in a house above the harbour. " * 3
        return {**found, "about": about, "top": "lib:shelf/tracks", "related": "lib:shelf/artists"}


class Still(ScreenCase):
    shelf_kind = DistantShelf

    def setUp(self):
        self.script = None
        super().setUp()
        self.script = self.page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})["identifier"]
        self.addCleanup(self.page.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": self.script})

    def go(self, address):
        self.assertIsNone(self.page.run_async(GO, address))

    def reach(self, screen):
        super().reach(screen)
        # A sheet that was asked for takes the place and the size that it needs.
        if screen.press or screen.keys:
            self.go(screen.address)

    def settles(self, name):
        moved = self.page.run_async(SETTLE)
        self.assertIsInstance(moved, list, f"{name}: {moved}")
        total = sum(shift["value"] for shift in moved)
        self.assertLessEqual(total, MOST_SHIFT, f"{name} moved: {moved}")
        return total

    def test_still(self):
        """Nothing moves by itself: not on the first visit, not when the page is opened again, and not on the way from screen to screen."""
        worst = 0
        for shape, theme in LOOKS:
            # A page that is left keeps its last screen, so the first visit comes from another document; who it is stays known.
            self.page.open(f"{self.stand.page}/still")
            self.page.run("for (const name of ['screen', 'panel', 'shell']) localStorage.removeItem(`baton.${name}`)")
            self.page.keep(theme=theme)
            for visit in ("first", "second"):
                self.take_shape(shape)
                worst = max(worst, self.settles(f"{shape} {theme}, {visit} visit"))
            for screen in self.screens(shape):
                self.reach(screen)
                worst = max(worst, self.settles(f"{shape} {theme} {screen.name}"))
        print(f"the largest shift of the layout: {worst:.4f}")

    # MARK: What a finger is about to press

    def keeps(self, name, act, ready):
        count, moved = self.page.run_async(PRESSED.replace("ACT", act).replace("READY", ready))
        self.assertEqual(moved, [], name)
        self.assertGreater(count, 0, name)

    def test_pressed(self):
        """What can be pressed stays under the finger: nothing comes late above it, in any place, on the way into an album and back, and
        while results are narrowed."""
        back = "await new Promise(done => { addEventListener('popstate', done, { once: true }); history.back() })"
        for shape in ("phone", "desktop") if IS_SLOW else ("phone",):
            self.take_shape(shape)
            self.show("settings?page=look")
            for screen in self.screens(shape):
                # Below what plays stands no list, and what shows it shows nothing else.
                if not screen.press and not screen.keys and screen.name not in ("playing", "queue", "lyrics"):
                    self.keeps(f"{shape} {screen.name}", f"location.hash = '#/{screen.address}'; await frame()", screen.ready)
            home, row = ".home:not(.waiting) .tile", "#panel .rows [data-do=main]"
            self.keeps(f"{shape} home", "location.hash = '#/home'", home)
            self.keeps(f"{shape} an album of it", "shown('#panel .tile .row')[0].click()", ".does button")
            self.keeps(f"{shape} and back", back, home)
            self.keeps(f"{shape} search", "location.hash = '#/search'", "#find")
            self.keeps(f"{shape} results", "type('a')", row)
            self.keeps(f"{shape} a result", "shown('#panel [aria-label^=\"Open Tall Grass\"]')[0].click()", ".placehead")
            self.keeps(f"{shape} and back to all", back, ".rows .heading")

    def test_late(self):
        """What a slow server tells of an artist stands below the albums, and above them when the artist is come back to."""
        self.take_shape("phone")
        self.stand.shelf.tells_s = 1
        albums = "#panel .rows.grid .tile"
        self.keeps("a slow artist", "location.hash = '#/library?at=lib:artist/1'; await frame()", albums)
        order = """const [albums, ...others] = ['#panel .rows.grid', '#panel .about', '#panel .still']
            .map(selector => document.querySelector(selector)?.getBoundingClientRect().top);
          return others.map(top => top < albums)"""
        self.page.wait("below", lambda: self.page.run(order) == [False, False])
        self.page.wait("artists that are alike", lambda: self.page.run("return !!document.querySelector('#panel .artistpage .strip .tile')"))
        self.assertEqual(self.page.run(order), [False, False])
        self.show("library?at=lib:album/2")
        self.page.wait("an album", lambda: self.page.find(".placehead h2").text == "Tall Grass")
        self.keeps("the artist again", "history.back(); await frame()", ".placehead.artist")
        self.assertEqual(self.page.run(order), [True, True])

    def test_best(self):
        """The best result stands in one place while a person types on, however few are left, and when servers answer later."""
        self.take_shape("phone")
        self.show("search")
        first = "#panel .rows [aria-posinset='1']"
        stands = f"return document.querySelector(\"{first}\")?.getBoundingClientRect().top"
        counts = lambda: self.page.run("return document.querySelectorAll('#panel .rows li:not(.heading)').length")
        self.page.wait("the field", lambda: self.page.find("#find").is_displayed())
        self.page.find("#find").send_keys("t")
        self.page.wait("many", lambda: counts() > 2)
        place = self.page.run(stands)
        self.page.find("#find").send_keys("all grass")
        self.page.wait("one", lambda: counts() == 1)
        self.assertEqual(self.page.run(stands), place)
        whole = self.stand.shelf.do_lib_search
        rows = whole({"q": "t"})["rows"][:4]

        def in_parts(p):
            if "cursor" in p:
                time.sleep(0.2)
            return {"rows": rows[1:]} if "cursor" in p else {"rows": rows[:1], "cursor": "1", "asked": ["far"]}
        self.stand.shelf.do_lib_search = in_parts
        self.page.find("#find").send_keys("es")
        self.page.wait("all of them", lambda: counts() == 4)
        self.assertEqual(self.page.run(stands), place)


if __name__ == "__main__":
    main("chromium", "chromedriver")
