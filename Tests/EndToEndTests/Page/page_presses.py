# deploy/test: tier 2, first Presses.test_rows, judges Sources/Web.
"""No press is lost: rows, their menus, cards and what plays are pressed by touch, mouse and keyboard, 500 times in all, while states
and later pages of rows arrive 50 times a second; each press has its effect, on what was pressed."""

import json
import os
import random
import sys
import threading
import time

from Support.hubs import main, wait
from Support.standin import Shelf, StandIn
from Support.suite import IS_FIRST

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_presses.py: skipped, for there is no selenium here")
    sys.exit(77)

EACH_S = 0.02
# Of each kind of press; those of all tests together are 500.
TIMES = 10 if IS_FIRST else 50
# What was pressed: what its control does, and which item it is of. It is read when the press begins.
NOTE = """
  window.keyOf = control => { const item = control.closest('[data-room], li');
    return [control.dataset.do ?? control.id, item?.dataset.room ?? item?.row?.entry ?? item?.row?.uri ?? ''] };
  const note = event => { const control = event.target.closest?.('button'); window.pressed = control && !control.disabled ? keyOf(control) : null };
  for (const name of ['pointerdown', 'keydown']) addEventListener(name, note, { capture: true });
"""
# The middle of one of the controls in sight on which nothing lies, as chosen by a number.
AIM = """
  const found = [...document.querySelectorAll(arguments[0])].map(e => [e, e.getBoundingClientRect()]).filter(([e, b]) => b.width
    && b.top > 0 && b.bottom < innerHeight && e.contains(document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2)));
  if (!found.length) return null;
  const [element, box] = found[arguments[1] % found.length];
  if (arguments[2]) element.focus({ preventScroll: true });
  return [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2), keyOf(element)];
"""


class BusyShelf(Shelf):
    """Each answer has other rows in front, and a search goes on for as long as it is looked at."""

    def __init__(self):
        super().__init__()
        self.turn = 0
        for number in range(12):
            self.album(f"Album {number}", "The House Band", 1990 + number, [f"Track {number}.{place}" for place in range(8)], art=False)
        self.tracks = [self.rows[uri] for uri in self.inside["lib:shelf/tracks"]]
        self.late = [{"uri": f"far:track/{number}", "kind": "track", "title": f"Far track {number}"} for number in range(200)]
        self.rows.update({row["uri"]: row for row in self.late})

    def do_lib_browse(self, p):
        found = super().do_lib_browse(p)
        if p.get("node") in ("lib:shelf/tracks", "lib:shelf/albums") and not p.get("from"):
            self.turn += 1
            first = self.turn % 4
            found["rows"] = [*reversed(found["rows"][:first]), *found["rows"][first:]]
        return found

    def waits(self, method, p):
        return method == "lib.search" and "cursor" in p

    def do_lib_search(self, p):
        at = int(p.get("cursor", 0))
        if not at:
            self.turn += 1
            first = self.turn % 3
            return {"rows": [*self.tracks[first:6], *self.tracks[:first]], "cursor": "6", "asked": ["far"]}
        time.sleep(EACH_S)
        joined = {"uri": self.tracks[3]["uri"], "places": [self.tracks[3]["uri"], f"far:track/{at}"]}
        return {"rows": self.late[at:at + 1], "cursor": str(at + 1), "asked": ["far"], "joined": [joined]}

    def sections(self):
        """Servers that come and go are named by each row of theirs."""
        self.rev += 1
        far = {"name": "far", "title": "Far", "state": "ok" if self.rev % 3 else "checking", "pending": self.rev % 5, "can": []}
        return {**super().sections(), "src": {"list": [far][:self.rev % 7]}}


class Restless(StandIn):
    """Says something else to each page 50 times a second."""

    def __init__(self, port, shelf):
        super().__init__(port, shelf)
        self.rooms, self.turn, self.over = [], 0, threading.Event()
        threading.Thread(target=self.go_on, daemon=True).start()

    def close(self):
        self.over.set()
        super().close()

    def go_on(self):
        while not self.over.wait(EACH_S):
            self.turn += 1
            self.tell()

    def tell(self):
        names = [{**room, "title": f"Track {self.turn}", "level": self.turn % 100} for room in self.rooms]
        # Those that come and go move all others, and are there for long enough to be aimed at.
        step = self.turn // 8
        guest = [{"id": f"guest{step % 2}", "name": "Guests", "st": "stopped", "level": 10}]
        rooms = {"rooms": {"list": guest[:step % 3] + names}} if names else {}
        for page in list(self.pages):
            if page["rev"] is not None:
                self.say(page, {"t": "state", "rev": page["rev"], "from": page["rev"], "s": {**self.shelf.sections(), **rooms}})


class Presses(PageCase):
    size = (390, 844)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name in ("Kitchen", "Bath", "Attic"):
            cls.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": "room.create", "k": name, "p": {"name": name}}))
        cls.stand = Restless(cls.hub.port, BusyShelf())
        cls.addClassCleanup(cls.stand.close)
        cls.addClassCleanup(cls.page.leave)
        cls.note = cls.page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE})["identifier"]
        cls.addClassCleanup(cls.page.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": cls.note})

    def setUp(self):
        super().setUp()
        self.random, self.lost, self.heard = random.Random(38), [], self.stand.heard
        self.stand.rooms = self.status()["sections"]["rooms"]["list"]
        self.do = self.page.driver.execute_cdp_cmd

    def visit(self, query=None, page=None):
        super().visit(query, page or self.stand.page)

    # MARK: Hands, each of which is down for a moment

    def touch(self, x, y):
        self.do("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        time.sleep(self.random.uniform(0.01, 0.05))
        self.do("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def mouse(self, x, y):
        what = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.do("Input.dispatchMouseEvent", {"type": "mousePressed", **what})
        time.sleep(self.random.uniform(0.01, 0.05))
        self.do("Input.dispatchMouseEvent", {"type": "mouseReleased", **what})

    def keys(self, x, y):
        """What has the focus is pressed a moment later, by Enter or the space bar."""
        time.sleep(self.random.uniform(0.01, 0.05))
        key, code, text = self.random.choice([("Enter", 13, "\r"), (" ", 32, " ")])
        what = {"key": key, "code": "Enter" if code == 13 else "Space", "windowsVirtualKeyCode": code}
        self.do("Input.dispatchKeyEvent", {"type": "keyDown", **what, "text": text})
        time.sleep(self.random.uniform(0.01, 0.03))
        self.do("Input.dispatchKeyEvent", {"type": "keyUp", **what})

    # MARK: Presses and their effects

    def aim(self, selector, with_focus):
        """Where to press; what is there when the press begins may be another item already, and then that one counts."""
        number = self.random.randrange(1000)
        return wait(f"{selector} to press", lambda: self.page.run(AIM, selector, number, with_focus))

    def presses(self, times, does, selector, effect):
        """`effect(item, since)` tells whether the press on this item has had its effect among what was heard since."""
        for number in range(times):
            hand = (self.touch, self.mouse, self.keys)[number % 3]
            for _ in range(20):
                since = len(self.heard)
                x, y, aimed = self.aim(selector, hand == self.keys)
                self.page.run("window.pressed = null")
                hand(x, y)
                # Rows may have moved since it was aimed: what is there when a finger comes down counts. The focus stays on its row.
                pressed = aimed if hand == self.keys else self.page.run("return window.pressed")
                if pressed and pressed[0] == does:
                    break
                self.show(self.place)
            try:
                wait(f"the effect of press {number} by {hand.__name__} on {pressed}", lambda: effect(pressed[1], since), 10)
            except AssertionError as late:
                self.lost.append(f"{late}. Said since: {self.says()(since)}. {self.page.sentence()}")
                self.page.run("document.getElementById('sheet').close()")

    def says(self, *methods):
        """The commands of a kind that the page has sent; without one, all but questions."""
        return lambda since: [message for message in self.heard[since:] if message["m"] in methods or not methods and not message["m"].startswith("lib.")]

    def opens(self, title_of):
        """A sheet with the title of the item, which is closed again."""
        def effect(item, _):
            title = self.page.run("const s = document.getElementById('sheet'); return s.open && s.querySelector('h2')?.textContent")
            if title != title_of(item):
                return False
            self.page.run("document.getElementById('sheet').close()")
            return wait("the sheet is closed", lambda: not self.page.run("return document.getElementById('sheet').open || history.state?.isSheet"))
        return effect

    def plays(self):
        said = self.says("queue.replace", "play")

        def effect(item, since):
            return any(message["p"]["uris"][message["p"]["start"]] == item for message in said(since) if "uris" in message.get("p", {}))
        return effect

    def go(self, place):
        self.place = place
        self.show(place)

    def tearDown(self):
        super().tearDown()
        self.assertEqual(self.lost, [])

    def busy(self):
        """Another remote puts an entry behind what plays, and takes it out again."""
        over = threading.Event()

        def edit():
            while not over.wait(EACH_S):
                ids = self.command("queue.add", key=os.urandom(4).hex(), uris=[self.album[0]["uri"]], at="next").get("queue", {}).get("ids", [])
                self.command("queue.remove", key=os.urandom(4).hex(), ids=ids)
        thread = threading.Thread(target=edit, daemon=True)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(over.set)

    def title(self, uri):
        return self.stand.shelf.rows[uri]["title"]

    def test_rows(self):
        """Rows of a shelf that is read anew, and of a search whose later pages arrive: played, opened, and made a favourite."""
        for place in ("library?at=lib:shelf/tracks", "search?q=track"):
            self.go(place)
            favourite = self.says("fav.set")
            self.presses(TIMES, "main", "#panel .rows [data-do=main]", self.plays())
            self.presses(TIMES, "more", "#panel .rows [data-do=more]", self.opens(self.title))
            self.presses(TIMES, "fav", "#panel .rows [data-do=fav]", lambda item, since: any(m["p"]["uri"] == item for m in favourite(since)))

    def test_cards(self):
        """The cards of rooms, between which others come and go."""
        self.go("rooms")
        turned = self.says("toggle")
        here = self.stand.rooms[0]["id"]
        cards = "#panel [data-room]:not([data-room^=guest])"
        self.presses(TIMES, "toggle", f"{cards} [data-do=toggle]:not(:disabled)",
                     lambda item, since: any(m.get("room", here) == item for m in turned(since)))
        names = {room["id"]: room["name"] for room in self.stand.rooms}
        self.presses(TIMES, "more", f"{cards} [data-do=more]", self.opens(lambda item: names.get(item, "Guests")))

    def test_player(self):
        """What plays, below places that change all the time, and its queue."""
        self.go("library?at=lib:shelf/tracks")
        self.presses(TIMES, "play", "#play", lambda item, since: self.says("toggle")(since))
        self.go("queue")
        jumps = self.says("jump")
        # An entry that comes and goes takes the focus with it.
        rows = ", ".join(f"#face li[data-entry={row['entry']}] > .row" for row in self.rows())
        self.busy()
        self.presses(TIMES, "", rows, lambda item, since: any(m["p"]["entry"] == item for m in jumps(since)))


if __name__ == "__main__":
    main("chromium", "chromedriver")
