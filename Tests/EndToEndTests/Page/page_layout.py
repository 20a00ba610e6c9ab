# deploy/test: tier 2, judges Sources/Web.
"""Nothing on a screen moves by itself while it loads.

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


class DistantShelf(PaintedShelf):
    """Answers some frames after the question, as a hub does that is reached over a network."""

    def answer(self, method, p):
        time.sleep(0.08)
        return super().answer(method, p)

    def waits(self, method, p):
        return method == "lib.search" and "cursor" in p


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
