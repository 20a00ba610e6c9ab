# deploy/test: tier 2, judges Sources/Web.
"""Several rooms and several people on one page: choosing a room, taking the music along, and seeing who else is here."""

import json
import os
import re
import subprocess
import sys

from Support.hubs import binaries, main
from Support.remote import Gone, Remote

try:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    from Support.pagecase import PageCase
except ImportError:
    print("page_rooms.py: skipped, for there is no selenium here")
    sys.exit(77)


class Rooms(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": "room.create", "k": "kitchen", "p": {"name": "Kitchen"}}))

    def tearDown(self):
        self.page.keep(room="main", panel="playing")
        super().tearDown()

    def card(self, name):
        def find():
            cards = self.page.driver.find_elements("css selector", "#panel .card")
            return next((card for card in cards if card.find_element("css selector", "b").text == name), None)
        return self.page.wait(f"the card of {name}", find)

    def rooms(self):
        return {room["name"]: room for room in self.status()["sections"]["rooms"]["list"]}

    def test_choosing(self):
        """One tap goes to another room and stays there over a reload; its volume is its own."""
        self.show("rooms")
        self.page.wait("two rooms", lambda: len(self.page.driver.find_elements("css selector", "#panel .card")) == 2)
        self.page.click("[data-room=kitchen] .main")
        self.page.wait("the kitchen, which is quiet", lambda: (self.page.text("roomname"), self.page.text("title")) == ("Kitchen", "No music"))
        self.page.press("more")
        self.reaches("the kitchen is louder", lambda _: self.rooms()["Kitchen"]["level"] == 33)
        self.assertEqual(self.status()["level"], 30)
        self.visit()
        self.assertEqual(self.page.text("roomname"), "Kitchen")

    def test_volumes(self):
        """All volumes are in one place: an arrow is one step in a room that the page does not follow, and the focus stays for the next; a tap
        sets it, and makes it louder by at most ten points; a drag follows the finger, also one that the system takes away."""
        self.show("rooms")
        self.page.wait("two rooms", lambda: len(self.page.driver.find_elements("css selector", "#panel .card")) == 2)
        level = self.rooms()["Kitchen"]["level"]
        slider = "[data-room=kitchen] .slider"
        self.page.run("document.querySelector(arguments[0]).focus()", slider)
        self.page.find(slider).send_keys(Keys.ARROW_RIGHT)
        self.reaches("one step", lambda _: level < self.rooms()["Kitchen"]["level"] <= level + 3)
        self.page.wait("the card says so", lambda: f"{self.rooms()['Kitchen']['level']}%" in self.card("Kitchen").find_element("css selector", ".roomlevel output").text)
        self.assertEqual(self.status()["level"], 30)
        self.assertTrue(self.page.run("return document.activeElement.matches(arguments[0])", slider))
        self.page.find(slider).send_keys(Keys.ARROW_LEFT)
        self.reaches("and back", lambda _: self.rooms()["Kitchen"]["level"] <= level + 1)
        line = self.page.find(slider)
        tap = lambda part: ActionChains(self.page.driver).move_to_element_with_offset(line, line.rect["width"] * (part - 0.5), 0).click().perform()
        tap(0.2)
        low = self.reaches("where the tap was", lambda _: abs(self.rooms()["Kitchen"]["level"] - 20) <= 1) and self.rooms()["Kitchen"]["level"]
        tap(0.9)
        self.reaches("ten points more", lambda _: self.rooms()["Kitchen"]["level"] == low + 10)
        self.page.wait("so says the card", lambda: self.page.attribute_of(slider, "aria-valuenow") == str(low + 10))
        self.page.drag(line, line.rect["width"] * 0.2, 0)
        self.reaches("with the finger", lambda _: low + 28 <= self.rooms()["Kitchen"]["level"] <= low + 32)
        turned = self.page.run("""const track = document.querySelector(arguments[0]), { x } = track.getBoundingClientRect();
          const send = (type, clientX) => track.dispatchEvent(new PointerEvent(type, { bubbles: true, clientX, pointerId: 77 }));
          send('pointerdown', x + 60); send('pointermove', x + 30); send('pointercancel', x + 30);
          return Number(track.ariaValueNow)""", slider)
        self.reaches("what was turned by then", lambda _: self.rooms()["Kitchen"]["level"] == turned)
        self.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": "vol.set", "room": "kitchen", "p": {"level": 25}}))
        self.page.wait("it follows the hub again", lambda: self.page.attribute_of(slider, "aria-valuenow") == "25")
        for wide, high in self.page.run("return [...document.querySelectorAll('#panel :is(button, [role=slider])')].map(b => [b.offsetWidth, b.offsetHeight])"):
            self.assertTrue(wide >= 44 and high >= 44, f"{wide}x{high}")
        self.page.picture("night-360x640-rooms-volumes")

    def test_bringing(self):
        """What plays goes along to another room by Play on…, and goes on; without music the same line leads to the room."""
        self.play()
        self.page.press("room")
        self.page.click("#sheet .act", "Move the music to Kitchen")
        self.page.wait("it is there", lambda: self.page.text("roomname") == "Kitchen" and self.page.text("title") == "First Light")
        self.reaches("it plays there", lambda _: self.rooms()["Kitchen"]["st"] in ("playing", "buffering"))
        self.assertNotEqual(self.rooms()["Test hub"]["st"], "playing")
        self.page.press("room")
        self.page.click("#sheet .act", "Move the music to Test hub")
        self.page.wait("it is back", lambda: self.page.text("roomname") == "Test hub" and self.page.text("title") == "First Light")
        self.show("rooms")
        self.page.click("[data-room=kitchen] .main")
        self.page.wait("the quiet kitchen", lambda: self.page.text("roomname") == "Kitchen")
        self.page.press("room")
        self.page.click("#sheet .act", "Go to Test hub")
        self.page.wait("the first room", lambda: self.page.text("roomname") == "Test hub")

    def test_toggle(self):
        """A card plays and pauses its room, also one that the page does not follow, with the cover of what plays there."""
        kitchen = {"t": "cmd", "id": 1, "m": "play", "k": os.urandom(4).hex(), "room": "kitchen", "p": {"uri": self.album[1]["uri"]}}
        self.home.baton("raw", json.dumps(kitchen))
        self.show("rooms")
        self.page.click("[aria-label='Pause in Kitchen']")
        self.reaches("it pauses", lambda _: self.rooms()["Kitchen"]["st"] == "paused")
        self.page.click("[aria-label='Play in Kitchen']")
        self.reaches("it plays", lambda _: self.rooms()["Kitchen"]["st"] in ("playing", "buffering"))
        self.assertEqual(self.page.text("roomname"), "Test hub")
        self.page.click("[aria-label='Pause in Kitchen']")
        self.reaches("it pauses", lambda _: self.rooms()["Kitchen"]["st"] == "paused")

    def line(self, name):
        return self.card(name).find_element("css selector", ".roomline")

    def test_lines(self):
        """How far each room is can be seen without a tap, also of one that the page does not follow, and it goes on."""
        kitchen = {"t": "cmd", "id": 1, "m": "play", "k": os.urandom(4).hex(), "room": "kitchen", "p": {"uri": self.album[1]["uri"], "posMs": 2000}}
        self.play()
        self.home.baton("raw", json.dumps(kitchen))
        self.show("rooms")
        for name in ("Test hub", "Kitchen"):
            at = lambda name=name: int(self.line(name).get_attribute("aria-valuenow") or -1)
            self.page.wait("a place", lambda at=at: at() >= 0)
            begun = at()
            self.page.wait(f"{name} goes on", lambda at=at, begun=begun: begun < at())
            self.page.wait("its words", lambda name=name: re.match(r"\d:\d\d of \d:\d\d$", self.line(name).text))
        self.page.picture("night-360x640-rooms-lines")
        self.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": "queue.clear", "k": os.urandom(4).hex(), "room": "kitchen", "p": {"base": self.kitchen_rev()}}))
        self.page.wait("no line without music", lambda: not self.line("Kitchen").is_displayed())

    def kitchen_rev(self):
        return self.answer_to({"t": "cmd", "id": 1, "m": "queue.get", "room": "kitchen"})["d"]["rev"]

    def test_dragging(self):
        """A room that is dropped onto another gives it the music; its menu does the same, and a grip that is only pressed does nothing."""
        self.play()
        self.show("rooms")
        self.page.wait("its line", lambda: self.line("Test hub").is_displayed())
        grip = self.card("Test hub").find_element("css selector", ".grip")
        goal = self.card("Kitchen")
        down = goal.rect["y"] + goal.rect["height"] / 2 - grip.rect["y"] - grip.rect["height"] / 2
        self.page.drag(grip, -60, down, hold=True)
        self.page.wait("the other room is the target", lambda: "target" in self.card("Kitchen").get_attribute("class"))
        self.page.release()
        self.reaches("it plays there", lambda _: self.rooms()["Kitchen"].get("title") and not self.rooms()["Test hub"].get("title"))
        self.page.drag(self.card("Test hub").find_element("css selector", ".grip"), 0, 0, steps=1)
        self.page.click("[data-room=main] [data-do=more]")
        self.page.wait("the menu", lambda: "Play here what plays in Kitchen" in self.page.find("#sheet").text)
        self.page.picture("night-360x640-rooms-menu")
        self.page.click("#sheet .act", "Play here")
        self.reaches("it is back", lambda _: self.rooms()["Test hub"].get("title") and not self.rooms()["Kitchen"].get("title"))

    def test_watch_menu(self):
        """A watch reaches the other room from behind its title."""
        self.page.size(184, 224)
        self.visit()
        self.play()
        self.page.press("open")
        self.page.wait("both rooms", lambda: len(self.page.driver.find_elements("css selector", "#sheet .card")) == 2)
        wide = self.page.run("return Math.min(...[...document.querySelectorAll('#sheet .main')].map(card => card.clientWidth))")
        self.assertGreater(wide, 140, "A room's name has the width of the face.")
        self.page.run("[...document.querySelectorAll('#sheet .main')].find(card => card.textContent.includes('Kitchen')).click()")
        self.page.wait("the kitchen", lambda: self.page.text("where") == "Kitchen")

    def test_here(self):
        """Who is in the room of the page, a vote for skipping what plays, and one who is sent out after a second tap."""
        self.play()
        # One of them has an account: clients without one are all the same person to a vote, and none of them sends another out.
        words = [f"{binaries()}/baton", "user", "add", "ben"]
        subprocess.run(words, env=self.home.environment, input="a long secret\n", text=True, stdout=subprocess.DEVNULL, check=True)
        with Remote(self.hub.port, "bens-phone") as ben:
            self.assertTrue(ben.ask("user.signin", {"name": "ben", "password": "a long secret"})["ok"])
            self.show("people")
            here = lambda: self.page.find("#listeners").text
            self.page.wait("ben looks", lambda: "ben" in here() and "looks" in here())
            self.page.picture("night-360x640-people")
            before = self.status()["sections"]["now"]["entry"]
            self.page.click("#listeners [data-id=vote]")
            self.reaches("the next track", lambda _: self.status()["sections"]["now"]["entry"] != before)
            for _ in "12":
                self.page.click("#listeners [data-id^=kick]")
            self.page.wait("ben has gone", lambda: "ben" not in here())
            with self.assertRaises(Gone):
                while True:
                    ben.hear()

    def test_people(self):
        """Who else is here, and which of them is this device: a face of what plays, and on a desktop a panel at the right."""
        page = self.page
        page.press("people")
        page.wait("this device", lambda: "this device" in page.find("#face").text)
        self.assertIn("may play, skip and queue", page.find("#face").text)
        page.size(1280, 800)
        page.wait("it stays beside the places", lambda: "this device" in page.find("#side").text)
        page.press("people")
        page.wait("it is closed", lambda: not page.find("#side").is_displayed())
        page.press("queue")


if __name__ == "__main__":
    main("chromium", "chromedriver")
