# deploy/test: tier 2, judges Sources/Web.
"""What an admin sets on the page: the room and its limits, further rooms, and who may come in; and what others are told."""

import ctypes
import json
import os
import re
import socket
import sys

from Support.hubs import Home, Hub, main, wait
from ports import free_port

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_settings.py: skipped, for there is no selenium here")
    sys.exit(77)

NEWCOMER = "A tablet"
MPD = free_port()


class Square(ctypes.Structure):
    _fields_ = [("version", ctypes.c_int), ("width", ctypes.c_int), ("data", ctypes.POINTER(ctypes.c_ubyte))]


def square_of(text):
    """As the hub's terminal draws it (level M); longer texts than the page draws have none."""
    library, data = ctypes.CDLL("libqrencode.so.4"), text.encode()
    library.QRcode_encodeData.restype = ctypes.POINTER(Square)
    code = library.QRcode_encodeData(len(data), data, 0, 1).contents
    rows = [[bool(code.data[y * code.width + x] & 1) for x in range(code.width)] for y in range(code.width)]
    return rows if code.version <= 20 else None


class Settings(PageCase):
    flags = (*PageCase.flags, "--library-roots=~/shelf", "--mpd", str(MPD))

    def setUp(self):
        super().setUp()
        self.show("settings?page=rooms")

    def tearDown(self):
        super().tearDown()
        self.page.run("sessionStorage.clear()")
        self.page.keep(room="main", panel="playing")
        # Another address of the same document would leave the page as it is, with the rights that it has.
        self.page.leave()

    def test_sound_cards(self):
        """Names of sound cards as ALSA gives them fit a phone, and conversions are behind “All devices…”."""
        card = "HDA Intel PCH, ALC1220 Analog/Digital Audio with Dolby Headphone (front)"
        more = [{"id": "alsa/sysdefault:CARD=PCH", "name": card}, {"id": "alsa/lavrate", "name": "Rate Converter Plugin Using Libav/FFmpeg Library"},
                {"id": "alsa/plughw:CARD=PCH,DEV=0", "name": f"{card} with all software conversions"}]
        script = self.page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"""
          const parse = JSON.parse; JSON.parse = (...words) => {{ const read = parse(...words);
            // Without a last state the hub sends all of it. The page that is left keeps one when it is hidden, which can come after this
            // one has begun, so what was kept is not read here.
            if (read?.said) return null;
            if (read?.t && read.s) read.s.outputs = {{ list: {json.dumps(more)} }};
            for (const room of read?.s?.rooms?.list ?? []) room.outputs = ['alsa/sysdefault:CARD=PCH'];
            return read }}"""})
        self.addCleanup(self.page.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
        self.become_admin()
        names = "return [...document.getElementById('roomoutput').options].map(option => option.text)"
        self.page.wait("the devices", lambda: card in self.page.run(names))
        shown = self.page.run(names)
        self.assertNotIn(more[1]["name"], shown)
        self.assertEqual(shown[-1], "All devices…")
        over = self.page.run("""const panel = document.getElementById('panel'); return [panel.scrollWidth - panel.clientWidth,
          ...[...panel.querySelectorAll('*')].filter(e => e.checkVisibility() && e.getBoundingClientRect().right > innerWidth + .5).map(e => e.outerHTML.slice(0, 80))]""")
        self.assertEqual(over, [0], "Something is wider than the phone.")
        self.page.wait("the whole name can be read", lambda: self.page.text("outputname") == card)
        self.page.run("document.getElementById('outputname').scrollIntoView({ block: 'center' })")
        self.page.picture("aura-360x640-cards")
        self.page.run("const o = document.getElementById('roomoutput'); o.value = 'all devices'; o.dispatchEvent(new Event('change'))")
        self.page.wait("all of them", lambda: more[1]["name"] in self.page.run(names))

    def test_empty_hub(self):
        """A hub without music is set up on its own machine: by its one-time address, with a folder that is looked for, a server, music from words or the demo, and a phone."""
        page = self.page
        lines = "return [...document.querySelectorAll('.invited')].flatMap(e => [...e.querySelectorAll('p, .act')]).map(e => e.textContent)"
        self.visit("#/home")
        page.wait("all ways", lambda: page.run(lines) == ["This hub has no music yet.", "Set up this hub", "Describe music and have it made", "Play the demo"])
        page.picture("aura-360x640-empty")
        page.click(".invited [data-do=setup]")
        page.click("#setupbecome")
        page.wait("an address is needed", lambda: "Paste the whole address" in page.find(".setup .wrong").text)
        self.assertEqual(page.driver.find_elements("css selector", ".setup [data-at=folder]"), [], "Loopback proves nothing.")
        page.picture("aura-360x640-setup")
        page.find("#setupaddress").send_keys(self.home.baton("web").strip())
        page.click("#setupbecome")
        page.wait("the ways of an admin", lambda: page.find(".setup [data-at=folder]").is_displayed())
        page.picture("aura-360x640-setup-admin")
        folder = f"{self.home.folder}/shelf/Old records"
        os.makedirs(f"{folder}/Side A")
        page.click(".setup [data-do=choose]")
        page.click("#sheet [data-do=look]", f"{self.home.folder}/shelf")
        page.click("#sheet [data-do=look]", "Old records")
        page.wait("what is inside", lambda: "Side A" in page.find("#sheet").text)
        page.click("#sheet [data-do=addthis]")
        page.wait("it is in the library", lambda: folder in page.find(".setup .folders > .cards").text)
        self.addCleanup(self.home.baton, "library", "remove", "--yes", folder)
        page.click(".setup [data-do=server]")
        page.wait("a form for a server", lambda: page.run("return document.getElementById('sheet').open"))
        page.run("document.getElementById('sheet').close()")
        page.click("#setuppair")
        page.wait("a code", lambda: page.text("code"))
        page.press("letnone")
        page.wait("the sheet is closed", lambda: not page.run("return document.getElementById('sheet').open"))
        page.click(".setup [data-do=demo]")
        self.reaches("it plays", lambda status: status["state"] == "playing")

    def test_held(self):
        """A hub that crashed at its last starts says so over what plays, and an admin has its work go on by a press."""
        home = Home()
        self.addCleanup(home.close)
        os.makedirs(f"{home.folder}/state/baton", 0o700)
        with open(f"{home.folder}/state/baton/crashes", "w", encoding="ascii") as file:
            file.write("SIGSEGV 900 1764345600000\nSIGILL 900 1764345600000\n")
        hub = Hub(home, "--audio", "null")
        self.addCleanup(hub.kill)
        self.addCleanup(self.page.open, "about:blank")
        self.page.open(f"{hub.page}/#/playing")
        self.page.wait("it is live", self.page.is_live)
        self.page.wait("it is said", lambda: "SIGILL" in self.page.text("held"))
        self.page.click("#held button")
        self.page.wait("it is for admins", lambda: "admin" in self.page.text("sentence"))
        self.open_as_admin(home, hub.page)
        self.show("playing")
        self.page.wait("it is said", lambda: self.page.find("#held").is_displayed())
        self.page.picture("aura-360x640-held")
        self.page.click("#held button")
        self.page.wait("the work goes on", lambda: not self.page.find("#held").is_displayed())
        self.assertIn("holds nothing back", home.baton("hub", "resume"))

    def open_as_admin(self, home, address):
        """As `baton web` says: its link, opened once."""
        ticket = home.baton("web").split("#ticket=")[1].strip()
        self.page.open("about:blank")
        self.page.open(f"{address}/#ticket={ticket}")
        self.page.wait("it is live", self.page.is_live)

    def become_admin(self, page="rooms", ready="roomtitle"):
        self.open_as_admin(self.home, self.hub.page)
        self.show(f"settings?page={page}")
        self.page.wait("the settings of an admin", lambda: self.page.driver.find_elements("id", ready))

    def change(self, name, value):
        """Types into a field and leaves it."""
        self.page.run("""
          const field = document.getElementById(arguments[0]) ?? document.querySelector(arguments[0]);
          field.focus(); field.value = arguments[1]; field.dispatchEvent(new Event('change', { bubbles: true }))""", name, value)

    def twice(self, text):
        self.page.click(".settings button", text)
        self.page.click(".settings button", "Tap again")

    def rooms(self):
        return {room["name"]: room for room in self.status()["sections"]["rooms"]["list"]}

    def devices(self):
        return {device["name"]: device for device in self.raw("dev.list")["d"]["list"]}

    def test_narrow(self):
        """Settings keep to their width with the names that sound cards have, and the whole code of a pairing is seen."""
        self.become_admin()
        page = self.page
        for width in (320, 360):
            page.size(width, 640)
            out = page.wait("the outputs", lambda: page.run("""const select = document.getElementById('roomoutput'), panel = document.getElementById('panel');
              if (!select) return null;
              select.append(new Option('surround51:CARD=Generic_1,DEV=0, a USB sound card with a very long name', 'long', true, true));
                            const right = panel.getBoundingClientRect().right, seen = [...panel.querySelectorAll('*')].filter(e => e.checkVisibility());
              return [seen.filter(e => e.getBoundingClientRect().right > right + .5).map(e => e.outerHTML.slice(0, 80))]"""))
            self.assertEqual(out, [[]], f"{width} wide")
        self.show("settings?page=devices")
        for width in (320, 360):
            page.size(width, 640)
            page.press("letin")
            over = page.wait("the code", lambda: page.run("""const code = document.getElementById('code'), sheet = document.getElementById('sheet');
              return code?.value && [code.scrollWidth - code.clientWidth, sheet.scrollWidth - sheet.clientWidth]"""))
            self.assertEqual(over, [0, 0], f"{width} wide")
            page.press("letnone")
            page.wait("the sheet is closed", lambda: not page.run("return document.getElementById('sheet').open"))

    def test_others(self):
        """Other roles are told how to become admin, and see no control that would be refused."""
        self.page.wait("the way", lambda: "“baton web” opens this page as admin" in self.page.find("#panel").text)
        self.assertEqual(self.page.run("return document.querySelectorAll('.settings .more .more :is(button, input)').length"), 0)

    def test_room(self):
        """Name, maximum, minimum and output of a room are set here; a refused value is undone, with the hub's reason."""
        self.become_admin()
        page = self.page
        self.change("roomtitle", "Studio")
        page.wait("its new name", lambda: page.text("roomname") == "Studio")
        self.assertIn("Studio", self.rooms())
        self.change("ceiling", "20")
        self.reaches("not above 20", lambda status: status["sections"]["vol"]["range"] == [0, 20] and status["level"] == 20)
        page.wait("the page is there too", lambda: page.level() == 20)
        self.change("floor", "40")
        page.wait("a reason", page.sentence)
        page.wait("it is taken back", lambda: page.run("return document.getElementById('floor').value") == "0")
        self.change("ceiling", "100")
        self.reaches("as before", lambda status: status["sections"]["vol"]["range"] == [0, 100])
        self.change("roomoutput", "null")
        self.reaches("silence", lambda _: self.rooms()["Studio"].get("outputs") == ["null"])
        self.change("roomoutput", "")
        self.reaches("what the hub uses", lambda _: not self.rooms()["Studio"].get("outputs"))
        self.change("roomtitle", "Test hub")
        page.wait("its old name", lambda: page.text("roomname") == "Test hub")

    def test_forms(self):
        """A form that cannot be sent says below each field what is wrong, in the page's words; the browser's bubble never shows."""
        self.become_admin("account", "useradd")
        page = self.page
        page.run("window.bubbles = 0; addEventListener('invalid', event => { if (!event.defaultPrevented) bubbles++ }, true)")
        said = lambda: page.run("return [...document.querySelectorAll('#useradd .wrong')].map(line => line.textContent)")
        page.click("#useradd button")
        page.wait("both fields", lambda: said() == ["This cannot be empty.", "Enter the password."])
        self.assertEqual(page.run("return document.activeElement.id"), "username")
        page.find("#username").send_keys("Mo")
        page.find("#userpassword").send_keys("short")
        page.wait("nothing is wrong while it is typed", lambda: said() == [])
        page.click("#useradd button")
        page.wait("what is too short", lambda: said() == ["At least 8 characters are needed, and there are 5."])
        page.picture("aura-360x640-wrong")
        self.show("settings?page=library")
        page.wait("the field", lambda: page.find("[data-at=folder]").is_displayed())
        page.find("[data-at=folder]").send_keys("music")
        page.click(".folders [data-do=add]")
        page.wait("no path", lambda: "Enter the path of a folder" in page.find(".folders .wrong").text)
        page.find("[data-at=folder]").clear()
        page.find("[data-at=folder]").send_keys("/proc/none")
        page.click(".folders [data-do=add]")
        page.wait("the hub's reason stands at the field", lambda: "/proc/none" in page.find(".folders .wrong").text)
        self.assertEqual((page.run("return bubbles"), page.sentence()), (0, ""))

    def test_long_sheet(self):
        """The lines of a sheet scroll inside its frame; its title and the button that leaves it stay in sight, and the first line has the focus."""
        page = self.page
        page.run_async("""const at = name => document.querySelector('[data-sheet="remote.css"]').href.replace('remote.css', name);
          const { actLine, nameText, openSheet, styled } = await import(at('sheet.js'));
          await styled();
          openSheet('Long', ...Array.from({ length: 300 }, (_, n) => actLine(nameText(`${n} and a name that is much longer than a phone is wide`), 'queue', () => { })))""")
        seen = """const sheet = document.getElementById('sheet'), [title, lines, leave] = sheet.firstElementChild.children, inside = e => {
            const { top, bottom } = e.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight };
          return [sheet.scrollHeight <= sheet.clientHeight, inside(title), inside(leave), inside(document.activeElement)]"""
        page.wait("the first line has the focus", lambda: page.run("return document.activeElement.textContent").startswith("0 and"))
        self.assertEqual(page.run(seen), [True] * 4)
        page.run("const lines = document.querySelector('#sheet .lines'); lines.scrollTop = 6000; lines.children[150].focus()")
        self.assertEqual(page.run(seen), [True] * 4)
        page.click("#sheet .small", "Done")
        page.wait("it is closed", lambda: not page.run("return document.getElementById('sheet').open"))

    def test_rooms(self):
        """A room is made, deleted with two taps, and brought back by the undo; the last one cannot be deleted."""
        self.become_admin()
        page = self.page
        last = page.driver.find_element("xpath", "//*[contains(@class, 'settings')]//button[text()='Delete this room']")
        self.assertFalse(last.is_enabled())
        page.run("document.getElementById('roomnew').value = 'Attic'")
        page.press("roommake")
        self.reaches("the attic", lambda _: "Attic" in self.rooms())
        self.show("rooms")
        page.click("#panel .main[aria-label^=Attic]")
        page.wait("it is quiet", lambda: page.text("roomname") == "Attic")
        self.show("settings?page=rooms")
        self.twice("Delete this room")
        self.reaches("it is gone", lambda _: "Attic" not in self.rooms())
        page.wait("another room is here", lambda: page.text("roomname") == "Test hub")
        page.picture("night-360x640-undo")
        box, panel = (page.run("return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", name) for name in ("#undo", "#panel"))
        self.assertTrue(panel["left"] <= box["left"] and box["right"] <= panel["right"] and box["bottom"] <= panel["bottom"] + 1, (box, panel))
        self.assertIn("Attic was deleted.", page.text("undo"))
        page.click("#undo button")
        self.reaches("it is back", lambda _: "Attic" in self.rooms())
        page.wait("the page follows it again", lambda: page.text("roomname") == "Attic")
        self.assertFalse(page.driver.find_elements("id", "undo"))
        self.twice("Delete this room")
        self.reaches("it is gone", lambda _: "Attic" not in self.rooms())

    def test_devices(self):
        """A device is paired with the code on the page, is in the list at once, and is renamed, given another role and unpaired."""
        self.become_admin("devices", "letin")
        page = self.page
        page.press("letin")
        code = page.wait("a code", lambda: re.fullmatch(r"\d{3}-\d{3}", page.text("code")))[0]
        page.picture("aura-360x640-pairing")
        address = re.search(r"network (https://\S+/)", Hub.text(self.hub.said))[1]
        self.assertEqual(page.text("pairaddress").rsplit(":", 1)[1], address.rsplit(":", 1)[1])
        self.join(code, NEWCOMER)
        page.wait("it is said", lambda: f"{NEWCOMER} is paired, and may play, skip and queue." in page.find("#sheet").text)
        self.assertEqual(page.text("code"), "")
        page.press("letnone")
        page.wait("its card", lambda: page.driver.find_elements("css selector", ".device[data-dev]"))
        device = self.devices()[NEWCOMER]
        self.assertEqual((device["role"], page.attribute_of(".device[data-dev]", "data-dev")), ("remote", device["dev"]))
        self.change(".device select", "guest")
        wait("it is a guest", lambda: self.devices()[NEWCOMER]["role"] == "guest")
        page.run("window.card = document.querySelector('[data-dev] button')")
        self.change(".device input", "Hall tablet")
        wait("it has its new name", lambda: "Hall tablet" in self.devices())
        page.wait("the page says so", lambda: page.attribute_of(".device input", "aria-label") == "Name of Hall tablet")
        self.assertTrue(page.run("return card.isConnected"), "A press on a device that is told anew would be lost.")
        page.picture("aura-360x640-devices")
        self.raw("dev.rename", dev=device["dev"], name="Elsewhere")
        self.twice("Unpair")
        wait("it is gone", lambda: not self.devices())
        page.wait("the page shows it", lambda: "No device is paired yet" in page.find(".settings").text)

    def test_window(self):
        """A pairing window is closed with its sheet; another role has another code."""
        self.become_admin("devices", "letin")
        page = self.page
        page.press("letin")
        code = page.wait("a code", lambda: page.text("code"))
        self.change("letrole", "guest")
        page.wait("another code", lambda: page.text("code") not in ("", code))
        self.assertEqual(self.raw("dev.list")["d"]["window"]["role"], "guest")
        page.press("letnone")
        page.wait("the sheet is closed", lambda: not page.run("return document.getElementById('sheet').open"))
        wait("so is the window", lambda: "window" not in self.raw("dev.list")["d"])

    def greeted(self):
        """What a program of MPD is told when it connects; nothing where nobody listens."""
        try:
            with socket.create_connection(("127.0.0.1", MPD), 20) as link:
                return link.recv(100).decode()
        except ConnectionRefusedError:
            return ""

    def test_other_protocols(self):
        """Programs of MPD are let in and kept out by a switch, who is there is seen, and a password is made and taken back."""
        self.become_admin("devices", "letin")
        page, card = self.page, "#dialects [data-dialect=mpd]"
        page.wait("its card", lambda: f"127.0.0.1:{MPD}" in page.find(card).text)
        self.assertEqual(page.attribute_of(f"{card} [data-do=switch]", "aria-checked"), "true")
        page.click(f"{card} [data-do=switch]")
        page.wait("it is off", lambda: page.attribute_of(f"{card} [data-do=switch]", "aria-checked") == "false")
        wait("nobody listens", lambda: not self.greeted())
        page.click(f"{card} [data-do=switch]")
        wait("it listens", lambda: self.greeted().startswith("OK MPD "))
        with socket.create_connection(("127.0.0.1", MPD), 20) as program:
            program.recv(100)
            program.sendall(b"status\n")
            program.recv(1000)
            self.show("settings?page=rooms")
            self.show("settings?page=devices")
            page.wait("who is there", lambda: "status" in page.find(card).text)
            page.run("document.getElementById('dialects').scrollIntoView()")
            page.picture("aura-360x640-protocols")
        page.find("#dialectpasswordname").send_keys("Old phone")
        page.find("#dialectpassword").send_keys("short")
        page.click("#dialectadd button")
        self.assertEqual(self.raw("dialect.password.list", dialect="mpd")["d"]["list"], [], "It is too short.")
        page.find("#dialectpassword").send_keys(" and now long")
        page.click("#dialectadd button")
        page.wait("it is in the list", lambda: page.driver.find_elements("css selector", "[data-password='Old phone']"))
        self.assertEqual([one["role"] for one in self.raw("dialect.password.list", dialect="mpd")["d"]["list"]], ["remote"])
        page.click("[data-password='Old phone'] button")
        page.click("[data-password='Old phone'] button")
        wait("it is gone", lambda: not self.raw("dialect.password.list", dialect="mpd")["d"]["list"])

    def test_square(self):
        """The square of a text is that of libqrencode, also with blocks of two lengths; a text that is too long has none."""
        texts = ["https://192.168.1.20:9443/#pair=" + "b" * 22 + "&id=h_4fq&fp=" + "A" * 43, "0123456789" * 36 + "abcd", "Ø" * 330, "a" * 700]
        drawn = self.page.run_async("const { squareOf } = await import(document.querySelector('[data-sheet=\"remote.css\"]').href"
                                    ".replace('remote.css', 'qrcode.js')); return words[0].map(squareOf)", texts)
        for text, rows in zip(texts, drawn, strict=True):
            self.assertEqual(rows, square_of(text), text[:40])

    def test_window_of_another_remote(self):
        """A pairing window that another remote opened is shown without its code, and can be closed here."""
        self.become_admin("devices", "letin")
        pin = self.raw("pair.open")["d"]["pin"]
        self.page.wait("a line about it", lambda: "A device can be paired now" in self.page.find(".settings").text)
        self.assertNotIn(pin, self.page.find(".settings").text.replace("-", ""))
        self.page.press("letnone")
        self.page.wait("it is closed", lambda: "Pairing is closed" in self.page.find(".settings").text)
        self.assertNotIn("window", self.raw("dev.list")["d"])


if __name__ == "__main__":
    main("chromium", "chromedriver")
