# deploy/test: tier 2, judges Sources/Web.
"""The queue on the page: reordered, cut and jumped in by hand, ten thousand entries long, and with titles that mean harm."""

import json
import os
import struct
import sys
import time

from Support.hubs import ROOT, main, wait

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_queue.py: skipped, for there is no selenium here")
    sys.exit(77)

MARKUP = "<img src=x onerror=\"document.title='taken'\"><b>bold</b>&amp;<script>document.title='taken'</script>"
TITLES = {"a": "Plain", "b": MARKUP, "c": "Long " * 800, "d": "שלום עולם, an evening", "e": "الموسيقى الهادئة"}


def tone(path, title, seconds=30):
    """A quiet WAV with its title inside."""
    name = title.encode() + b"\0" * (2 - len(title.encode()) % 2)
    info = b"INFO" + b"INAM" + struct.pack("<I", len(name)) + name
    form = struct.pack("<HHIIHH", 1, 1, 8000, 8000, 1, 8)
    data = b"\x80" * (8000 * seconds)
    parts = b"".join(kind + struct.pack("<I", len(body)) + body for kind, body in ((b"fmt ", form), (b"LIST", info), (b"data", data)))
    with open(path, "wb") as file:
        file.write(b"RIFF" + struct.pack("<I", 4 + len(parts)) + b"WAVE" + parts)

# A copy of which only pages here and there are known, beside the whole truth, through random operations: what the copy
# knows is true, or it knows nothing.
COPY = """
  const { operate, QueueCopy } = await import(new URL('baton-queue.js', document.querySelector('script[src]').src));
  const random = seed => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let seed = 1; seed <= 400; seed++) {
    const chance = random(seed), some = n => Math.floor(chance() * n), truth = Array.from({ length: 30 }, (_, n) => `e${n}`);
    const copy = new QueueCopy(), page = () => {
      const from = some(truth.length + 1), rows = truth.slice(from, from + 1 + some(8)).map(entry => ({ entry, kind: 'track' }));
      copy.take({ rev: 1, len: truth.length, from, rows });
    };
    page();
    for (let step = 0; step < 25; step++) {
      if (chance() < .4) page();
      const whole = truth.map(entry => ({ entry, kind: 'track' })), anchor = chance() < .2 || !truth.length ? null : truth[some(truth.length)];
      const ids = truth.filter(id => id !== anchor && chance() < .1);
      const op = [['ins', anchor, [`s${seed}n${step}`, `s${seed}m${step}`]], ['del', ids], ['mov', ids, anchor], ['cur', anchor]][some(4)];
      operate(whole, op);
      truth.splice(0, truth.length, ...whole.map(row => row.entry));
      copy.hear({ from: 1, rev: 1, ops: [op] });
      const wrong = [...copy.rows.keys()].find(place => copy.rows[place] && copy.rows[place].entry !== truth[place]);
      if (wrong !== undefined || copy.length !== truth.length) return `seed ${seed}, step ${step}, ${JSON.stringify(op)}: place ${wrong}, length ${copy.length} of ${truth.length}`;
    }
  }
  return 'true to the end';
"""


class Queues(PageCase):
    # High enough for all rows of a test.
    size = (390, 844)

    def setUp(self):
        super().setUp()
        self.show("queue")
        self.page.wait("the rows", lambda: self.page.titles() == ["First Light", "Stairs", "Lamps On"])

    def tearDown(self):
        super().tearDown()
        self.page.keep(panel="playing")

    def carry(self, title, onto):
        """The row of one title is carried by its grip to where that of another stands."""
        top = lambda name: self.page.find(f"#face li:has([aria-label^='Play {name}'])").rect["y"]
        self.page.drag(self.page.find(f"[aria-label^='Move {title}']"), 0, (top(onto) - top(title)) * 1.05)

    def order(self, *titles):
        self.reaches(f"the order {titles}", lambda _: [row["title"] for row in self.rows()] == list(titles))
        self.page.wait("the page shows it", lambda: self.page.titles() == list(titles))

    def test_jump(self):
        """A tap on a row goes there, and the row is marked."""
        self.page.click("[aria-label^='Play Lamps On']")
        self.assertEqual(self.page.text("title"), "Lamps On", "It is shown at once.")
        self.reaches("the third", lambda status: status["title"] == "Lamps On")
        self.page.wait("its mark", lambda: self.page.find("[aria-current=true] b").text == "Lamps On")

    def test_drag(self):
        """A row carried by its grip lands where it was let go, and keys do the same; Delete takes a row out."""
        from selenium.webdriver.common.keys import Keys
        self.carry("First Light", "Lamps On")
        self.assertEqual(self.page.titles(), ["Stairs", "Lamps On", "First Light"], "It is shown at once.")
        self.order("Stairs", "Lamps On", "First Light")
        self.page.find("[aria-label^='Move First Light']").send_keys(Keys.ARROW_UP)
        self.order("Stairs", "First Light", "Lamps On")
        self.page.find("[aria-label^='Play First Light']").send_keys(Keys.ALT, Keys.ARROW_DOWN)
        self.order("Stairs", "Lamps On", "First Light")
        self.page.find("[aria-label^='Play Lamps On']").send_keys(Keys.DELETE)
        self.order("Stairs", "First Light")

    def test_remove(self):
        """A cross removes, and what was removed comes back where the hub can undo."""
        self.page.click("[aria-label='Remove Stairs']")
        self.assertEqual(self.page.titles(), ["First Light", "Lamps On"], "It is shown at once.")
        self.order("First Light", "Lamps On")
        if "undo" in self.status()["sections"]["queue"]:
            self.page.click("#face .head .small")
            self.order("First Light", "Stairs", "Lamps On")

    def test_swipe(self):
        """A row that was swiped away comes back by Undo, which takes back nothing that has followed."""
        page = self.page

        def swipe(title):
            x, y = page.run("const b = document.querySelector(`#face [aria-label^='Play ${arguments[0]}']`).getBoundingClientRect();"
                            "return [b.x + 60, b.y + b.height / 2]", title)
            page.touch("touchStart", (x, y))
            for across in (40, 120, 200):
                page.touch("touchMove", (x + across, y))
            page.touch("touchEnd")
        swipe("Stairs")
        self.order("First Light", "Lamps On")
        page.click("#undo button")
        self.order("First Light", "Stairs", "Lamps On")
        swipe("Stairs")
        self.order("First Light", "Lamps On")
        page.wait("the way back", lambda: page.find("#undo").is_displayed())
        self.command("queue.move", ids=[self.rows()[1]["entry"]], after=None)
        self.order("Lamps On", "First Light")
        page.wait("the last edit", lambda: page.find("#face .head .small").text == "Undo moving")
        page.click("#undo button")
        page.wait("it says why", lambda: "has changed since" in page.sentence())
        self.assertEqual([row["title"] for row in self.rows()], ["Lamps On", "First Light"])

    def test_length(self):
        """The head says how long all of the queue is, wherever in it the room plays."""
        for row in self.rows():
            self.command("play", entry=row["entry"])
            # The length of a file is known once it has been opened.
            wait("its length", lambda entry=row["entry"]: [row for row in self.rows() if row["entry"] == entry][0].get("durMs"))
        self.command("pause")
        self.visit("#/queue")
        minutes = int(sum(row["durMs"] for row in self.rows()) / 60_000 + 0.5)
        self.page.wait("the length", lambda: self.page.find("#face .count").text == f"3 tracks · {minutes} min")

    def headings(self):
        """Without the album that what comes may be named after."""
        return self.page.run("return [...document.querySelectorAll('#face .heading')].map(heading => heading.textContent.split(' from ')[0])")

    def test_parts(self):
        """What was played, what plays and what comes stand below headings of their own."""
        self.page.wait("two parts", lambda: self.headings() == ["Now", "Next"])
        self.assertTrue(self.page.find("#face .count").text.startswith("3 tracks"))
        self.command("play", entry=self.rows()[1]["entry"])
        self.command("pause")
        self.page.wait("three parts", lambda: self.headings() == ["Played", "Now", "Next"])
        self.command("play", entry=self.rows()[2]["entry"])
        self.command("pause")
        self.page.wait("nothing comes", lambda: self.headings() == ["Played", "Now"])

    def test_menu(self):
        """The menu of the queue keeps all of it as a playlist, also by Enter, and clears what comes, which an undo brings back."""
        from selenium.webdriver.common.keys import Keys
        page = self.page
        page.click("#queuemenu")
        page.click("#sheet [data-do=keepqueue]")
        page.find("#listname").send_keys("Of tonight", Keys.ENTER)
        made = page.wait("a playlist", lambda: [row for row in self.command("pl.list")["d"]["rows"] if row["name"] == "Of tonight"])[0]
        self.addCleanup(self.command, "pl.delete", id=made["id"], key=os.urandom(4).hex())
        kept = lambda: [row["title"] for row in self.command("pl.get", id=made["id"], **{"from": 0, "n": 10})["d"]["rows"]]
        page.wait("its rows", lambda: kept() == ["First Light", "Stairs", "Lamps On"])
        page.click("#queuemenu")
        page.click("#sheet .act", "Clear what comes")
        self.order("First Light")
        page.click("#face .head .small")
        self.order("First Light", "Stairs", "Lamps On")

    def test_faces(self):
        """The queue is a face of what plays: the same button leads there and back."""
        self.page.press("queue")
        self.page.wait("what plays", lambda: self.page.run("return document.documentElement.dataset.panel") == "playing")
        self.page.press("queue")
        self.page.wait("the queue", lambda: self.page.run("return document.documentElement.dataset.panel") == "queue")

    def test_others(self):
        """What others do to the queue appears without a touch."""
        rows = self.rows()
        self.command("queue.move", ids=[rows[2]["entry"]], after=None)
        self.order("Lamps On", "First Light", "Stairs")
        self.command("queue.remove", ids=[rows[0]["entry"], rows[2]["entry"]])
        self.order("Stairs")

    def test_stream(self):
        """What others do comes as operations: nothing is asked for again, and a dragged row goes on with its entry."""
        rows, page = self.rows(), self.page
        page.driver.get_log("performance")
        self.command("queue.move", ids=[rows[2]["entry"]], after=None)
        self.order("Lamps On", "First Light", "Stairs")
        self.command("queue.remove", ids=[rows[0]["entry"]])
        self.command("queue.add", key=os.urandom(4).hex(), uris=[rows[0]["uri"]], at={"after": rows[2]["entry"]})
        self.order("Lamps On", "First Light", "Stairs")
        events = [json.loads(entry["message"])["message"] for entry in page.driver.get_log("performance")]
        sent = [event["params"]["response"]["payloadData"] for event in events if event["method"] == "Network.webSocketFrameSent"]
        self.assertEqual([frame for frame in sent if "queue" in frame], [], "The page asked for rows it was told.")
        # Many rows at once come without their texts, and those are asked for by name.
        self.command("queue.add", key=os.urandom(4).hex(), uris=[rows[1]["uri"]] * 6)
        self.order("Lamps On", "First Light", "Stairs", *["Stairs"] * 6)

    def test_copy(self):
        """The client module follows operations as the vectors say, and never believes what it cannot know."""
        with open(f"{ROOT}/Protocol/vectors/v1/queue.json", encoding="utf-8") as file:
            cases = json.load(file)["cases"]
        for case in cases:
            seen = self.page.run_async("""
              const { operate } = await import(new URL('baton-queue.js', document.querySelector('script[src]').src));
              const [{ start, ops }] = words, rows = start.map(entry => ({ entry }));
              return ops.map(op => operate(rows, op)).includes(null) ? null : rows.map(row => row.entry)""", case)
            self.assertEqual(seen, case["expect"], case["name"])
        self.assertEqual(self.page.run_async(COPY), "true to the end")

    def test_long(self):
        """Of ten thousand entries only those in sight exist, the last can be reached, and moving there is one message."""
        uris = [row["uri"] for row in self.album]
        for _ in range(20):
            self.command("queue.add", key=os.urandom(4).hex(), uris=[uris[n % 3] for n in range(500)][:500 if _ < 19 else 497])
        page = self.page
        page.wait("the count", lambda: "10,000 entries" in page.find("#face").text)
        began = time.monotonic()
        page.run("const s = document.querySelector('#face .scroller'); s.scrollTop = s.scrollHeight")
        page.wait("the last row", lambda: page.run("return !!document.querySelector('[aria-posinset=\"10000\"]')"))
        print(f"the last of 10,000 rows after {time.monotonic() - began:.2f} s")
        self.assertLess(page.run("return document.querySelectorAll('.rows li').length"), 40)
        entry = page.find("[aria-posinset='9999']").get_attribute("data-entry")
        page.click("[aria-posinset='9999'] .row")
        self.reaches("it plays", lambda status: status["sections"]["now"]["entry"] == entry)


class Titles(PageCase):
    """Titles that are long, that are markup, and that run from right to left."""

    flags = ("--audio", "null", *PageCase.roomy)

    @classmethod
    def prepare(cls):
        for name, title in TITLES.items():
            tone(f"{cls.home.music}/{name}.wav", title)

    @classmethod
    def setUpClass(cls):
        cls.reached = False
        super().setUpClass()

    @classmethod
    def reaches(cls, sentence, condition, limit=60):
        if not cls.reached:
            cls.reached = True
            cls.command("queue.add", key=os.urandom(4).hex(), uris=[f"{cls.home.music}/{name}.wav" for name in TITLES])
        return super().reaches(sentence, condition, limit)

    def test_titles(self):
        """Every title is text, stays in its box on every shape, and stands from its own side."""
        for place, title in enumerate(TITLES.values()):
            self.page.size(360, 640)
            # A page that is left while it connects as another shape says so in the console.
            self.page.wait("it is live in this shape", self.page.is_live)
            self.visit()
            row = self.rows()[place]
            self.command("play", entry=row["entry"])
            start = title[:20]
            self.page.wait(f"the title {start}", lambda: self.page.text("title").startswith(start))
            for width, height in ((144, 168), (320, 240), (360, 640), (1024, 768)):
                self.page.size(width, height)
                self.page.wait("it is live in this shape", self.page.is_live)
                self.page.wait("its title", lambda: self.page.text("title").startswith(start))
                out = self.page.run("const r = document.documentElement; return Math.max(r.scrollWidth - innerWidth, r.scrollHeight - innerHeight)")
                self.assertLessEqual(out, 0, f"{start} at {width}x{height}")
                self.assertEqual(self.page.run("return document.querySelectorAll('main img, main b > *, main h1 a > *').length"), 0)
            self.assertNotEqual(self.page.driver.title, "taken")
            direction = self.page.run("return getComputedStyle(document.getElementById('title')).direction")
            self.assertEqual(direction, "rtl" if place > 2 else "ltr", start)
            self.page.picture(f"title-{place}")


if __name__ == "__main__":
    main("chromium", "chromedriver")
