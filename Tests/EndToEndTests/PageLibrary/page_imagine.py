# deploy/test: tier 2, judges Sources/Web.
"""Music from words on the page: what is typed is read while it is typed, queued at once, and seen while it is made, by a program of
the test and by the hub's own composer."""

import os
import sys
import urllib.request

from Support.hubs import main, wait

try:
    from selenium.webdriver.common.keys import Keys

    from Support.pagecase import PageCase
except ImportError:
    print("page_imagine.py: skipped, for there is no selenium here")
    sys.exit(77)

# Does what the first word of the prompt says: fails, or makes a short piece when the test lets it go on.
STEERED = """#!/usr/bin/python3
import json, os, sys, time, wave
here = os.path.dirname(os.path.abspath(__file__))
word = json.loads(sys.stdin.readline())["prompt"].split()[0]
def say(**members): print(json.dumps(members), flush=True)
if word == "bad" and not os.path.exists(here + "/mended"): say(error="There is no sound font."); sys.exit(1)
say(progress=0.4, message="bass and drums")
while word == "held" and not os.path.exists(here + "/release"): time.sleep(0.05)
with wave.open("sound.wav", "wb") as file:
    file.setnchannels(1); file.setsampwidth(2); file.setframerate(8000); file.writeframes(b"\\1\\0" * 8000 * 20)
say(artifact={"path": "sound.wav", "durationMs": 20000, "title": "Rain in the Hall"})
"""


class Imagining(PageCase):
    size = (390, 844)

    @classmethod
    def prepare(cls):
        cls.work = f"{cls.home.folder}/worker"
        os.mkdir(cls.work)
        with open(f"{cls.work}/steered.py", "w", opener=lambda path, flags: os.open(path, flags, 0o755)) as file:
            file.write(STEERED)
        config = f"{cls.home.folder}/batond.conf"
        with open(config, "w") as file:
            file.write(f"[worker steered]\nprogram = {cls.work}/steered.py\nsandbox = off\n")
        cls.flags = (*PageCase.flags, "--config", config)

    def setUp(self):
        super().setUp()
        self.before = self.names()
        self.go("#/imagine")
        self.page.wait("the workers", lambda: self.find(".worker[data-worker=steered][data-st=ready]"))

    def tearDown(self):
        super().tearDown()
        # A piece that gets its title changes the queue, which the next test sets.
        wait("no piece is in the making", lambda: all("end" in job for job in self.command("job.list")["d"]["jobs"]))

    def go(self, address):
        self.page.run("location.hash = arguments[0]", address)

    def find(self, selector):
        return self.page.driver.find_elements("css selector", f":is(#panel, #face) {selector}")

    def type(self, *keys):
        field = self.page.find("#prompt")
        field.clear()
        field.send_keys(*keys)

    def value(self):
        return self.page.run("const f = document.getElementById('prompt'); return [f.value, f.value.slice(f.selectionStart, f.selectionEnd)]")

    def steered(self):
        self.page.run("const s = document.querySelector('[data-at=worker]'); s.value = 'steered'; s.dispatchEvent(new Event('change'))")

    def allow(self, name):
        with open(f"{self.work}/{name}", "w"):
            self.addCleanup(os.remove, f"{self.work}/{name}")

    def names(self):
        return {job["job"] for job in self.command("job.list")["d"]["jobs"]}

    def card(self, sentence, condition):
        """The card of what this test has asked for, when it is so."""
        def newest():
            cards = [card for card in self.find(".job") if card.get_attribute("data-job") not in self.before]
            return cards and condition(cards[0]) and cards[0]
        return self.page.wait(sentence, newest)

    def state(self, st):
        return self.card(st, lambda card: card.get_attribute("data-st") == st)

    def press(self, card, does):
        job = f"#panel [data-job='{card.get_attribute('data-job')}']"
        self.page.click(f"{job} [data-act={does}], {job} [data-do={does}]")

    def sheet(self, text):
        self.page.click("#sheet .act", text)

    def muse(self):
        return self.page.run("const m = document.querySelector('.muse'); return [m.dataset.mood, m.getAnimations({ subtree: true }).length > 0]")

    # MARK: The line

    def test_faults(self):
        """What the hub does not understand is said while one types and marked at its place; a press on it chooses that place."""
        self.type("rain 🌧 /duration 5 tonight")
        fault = self.page.wait("the fault", lambda: self.find(".fault"))[0]
        self.assertIn("expected seconds from 10 to 180", fault.text)
        self.assertEqual(self.find(".wrong mark")[0].text, "/duration 5")
        self.assertEqual(self.page.attribute("prompt", "aria-invalid"), "true")
        self.page.click("#panel .fault")
        self.assertEqual(self.value()[1], "/duration 5")
        before = len(self.rows())
        self.page.click("[data-at=end]")
        self.page.wait("the hub's sentence", lambda: "expected seconds" in self.page.sentence())
        self.assertEqual((len(self.rows()), self.value()[0]), (before, "rain 🌧 /duration 5 tonight"))
        self.type("rain")
        self.page.wait("no fault", lambda: not self.find(".fault") and not self.find(".wrong mark"))

    def test_commands(self):
        """A press on a command puts it into the line with its value chosen, to be typed over; what the hub reads is shown."""
        self.type("slow piano")
        self.page.click("[data-command='/duration 60']")
        self.assertEqual(self.value(), ["slow piano /duration 60", "60"])
        self.page.find("#prompt").send_keys("20")
        self.page.wait("what was read", lambda: "0:20" in self.find(".read")[0].text)
        self.assertFalse(self.find("[data-command='/small']"), "The composer of the hub has no models.")
        self.steered()
        self.page.wait("commands for models", lambda: self.find("[data-command='/small']"))

    def test_lines(self):
        """Lines are kept under a name, come back with what was asked for before, and are forgotten; a setting holds for later lines."""
        self.page.click("#panel [data-preset='Slow rain']")
        self.assertIn("slow piano for rain", self.value()[0])
        self.type("held snow /duration 30")
        self.page.click("#panel [data-do=keepline]")
        self.page.wait("its name", lambda: self.page.is_still() and self.page.find("#sheet input")).send_keys("Snow", Keys.ENTER)
        self.page.wait("its button", lambda: self.find("[data-preset=Snow]"))
        self.type("/duration 20", Keys.ENTER)
        self.page.wait("what holds", lambda: "Where a line does not say it: 0:20" in self.page.find("#panel").text)
        self.type("/reset", Keys.ENTER)
        self.page.wait("nothing holds", lambda: "Where a line" not in self.page.find("#panel").text)
        self.steered()
        self.page.click("#panel [data-preset=Snow]")
        self.page.click("[data-at=end]")
        self.card("its card", lambda card: card.get_attribute("data-st") == "running")
        self.page.click("#panel [data-do=earlier]")
        line = "#sheet [data-line='held snow /duration 30']"
        self.page.wait("what was asked for", lambda: self.page.driver.find_elements("css selector", line))
        self.page.picture("night-390x844-imagine-lines")
        self.page.click("#sheet [data-line=Snow] [data-do=forget]")
        self.page.wait("its button is gone", lambda: not self.find("[data-preset=Snow]"))
        self.page.click(f"{line} .main")
        self.assertEqual(self.value()[0], "held snow /duration 30")
        self.allow("release")
        self.state("ready")

    # MARK: The pieces

    def test_made(self):
        """A piece is queued at once and seen being made, here and in the queue; it is ended, made anew, and played."""
        self.steered()
        self.type("held rain", Keys.ENTER)
        card = self.card("how far it is", lambda card: "40%" in card.text and "bass and drums" in card.text)
        self.assertEqual(card.find_element("css selector", ".madering").get_attribute("aria-valuenow"), "40")
        self.assertEqual(self.value()[0], "")
        self.page.picture("night-390x844-imagine-making")
        self.page.wait("an orb that moves", lambda: self.muse() == ["working", True])
        self.page.prefer(prefers_reduced_motion="reduce")
        self.page.wait("an orb that stands", lambda: self.muse() == ["working", False])
        self.page.prefer()
        self.page.run("Object.defineProperty(document, 'hidden', { value: true, configurable: true }); document.dispatchEvent(new Event('visibilitychange'))")
        self.assertEqual(self.muse(), ["working", False], "A hidden page asks for frames.")
        self.page.run("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")
        self.show("queue")
        self.page.wait("its row", lambda: any("Being made, 40%" in row.text for row in self.find(".rows li")))
        self.page.picture("night-390x844-queue-making")
        self.go("#/imagine")
        self.press(card, "cancel")
        self.press(self.state("cancelled"), "retry")
        self.state("running")
        self.allow("release")
        card = self.card("its title", lambda card: card.find_element("tag name", "b").text == "Rain in the Hall")
        self.assertEqual([card.get_attribute("data-st"), self.rows()[-1]["title"]], ["ready", "Rain in the Hall"])
        self.press(card, "play")
        self.reaches("it plays", lambda status: status["title"] == "Rain in the Hall" and status["state"] == "playing")
        self.page.wait("the orb plays too", lambda: self.muse()[0] == "playing")

    def test_watch(self):
        """The menu of a watch says what is being made and how far it is, and names it among what comes next once it is made."""
        self.steered()
        self.type("held fog", Keys.ENTER)
        self.state("running")
        self.page.size(184, 224)
        self.visit()
        self.page.wait("the menu", lambda: self.page.press("open") or self.page.find(".watchmenu"))
        self.page.wait("the piece", lambda: "held fog" in self.page.find("#sheet").text and "Being made, 40%" in self.page.find("#sheet").text)
        self.page.picture("night-184x224-making")
        self.allow("release")
        self.page.wait("nothing", lambda: "held fog" not in self.page.find("#sheet").text)
        self.page.wait("what was made", lambda: "Rain in the Hall" in self.page.find("#sheet").text)

    def test_failed(self):
        """A piece that could not be made says why, and is made anew by the menu of its row in the queue."""
        self.steered()
        self.type("bad", Keys.ENTER)
        self.assertIn("There is no sound font.", self.state("failed").text)
        self.show("queue")
        row = self.page.wait("its row", lambda: [row for row in self.find(".rows li") if "Could not be made" in row.text])[0]
        self.allow("mended")
        self.page.run("arguments[0].querySelector('.row').dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))", row)
        self.sheet("Make it again")
        self.page.wait("it is made", lambda: any("Rain in the Hall" in row.text for row in self.find(".rows li")))

    def test_link(self):
        """A link to a piece opens how it was asked for, and starts nothing; its sound can be saved, and its words taken up again."""
        self.steered()
        self.allow("release")
        self.type("held snow", Keys.ENTER)
        name = self.state("ready").get_attribute("data-job")
        before = [row["uri"] for row in self.rows()]
        self.go("#/queue")
        self.visit(f"#/imagine?job={name}")
        self.page.wait("the plan", lambda: "held snow" in self.page.find("#sheet").text)
        columns = self.page.run("return getComputedStyle(document.querySelector('#sheet .lines')).gridTemplateColumns")
        self.assertNotIn(" ", columns, "The lines of a sheet stand one below the other, whatever place has been open.")
        save = self.page.wait("its sound", lambda: self.page.find("#sheet a[download]")).get_attribute("href")

        def mark():
            with urllib.request.urlopen(save, timeout=60) as answer:
                return answer.read(4)

        # A WAV file at first.
        self.page.wait("it is stored as FLAC, and the address is still its sound", lambda: mark() == b"fLaC")
        self.page.picture("night-390x844-imagine-plan")
        self.assertEqual([row["uri"] for row in self.rows()], before)
        self.assertNotEqual(self.status()["state"], "playing")
        self.sheet("Write something like it")
        self.assertEqual(self.value()[0], "held snow")

    def test_composer(self):
        """The hub's own composer makes a piece from words, which plays when it is ready, and then a variation of it."""
        self.type("slow piano for rain /duration 10 /seed 11")
        self.page.click("[data-at=play]")
        card = self.card("it is ready", lambda card: card.get_attribute("data-st") == "ready" and "composer" in card.text)
        self.reaches("it plays", lambda status: status["sections"]["now"]["uri"].startswith("gen:") and status["state"] == "playing")
        self.press(card, "more")
        before = len(self.names())
        self.sheet("Make a variation")
        wait("one more piece", lambda: len(self.names()) == before + 1)

    def test_endless(self):
        """Music without end goes on from the line, takes wishes for the next piece, also from a watch, and ends by its switch."""
        self.addCleanup(self.command, "gen.endless", on=False)
        endless = lambda: self.status()["sections"].get("endless") or {}
        self.type("slow piano /duration 10")
        self.page.click("#panel [data-do=endless]")
        self.page.wait("it is on", lambda: self.find("[data-do=endless][aria-checked=true]"))
        self.assertEqual((endless()["prompt"], endless()["ahead"]), ("slow piano", 2))
        self.page.wait("a wish", self.find("[data-steer=calmer]")[0].is_displayed)
        self.page.click("#panel [data-steer=calmer]")
        self.page.wait("which piece it shapes", lambda: "Calmer" in self.page.sentence())
        self.page.run("const s = document.querySelector('[data-at=ahead]'); s.value = '1'; s.dispatchEvent(new Event('change'))")
        wait("the hub knows", lambda: endless()["ahead"] == 1)
        self.page.picture("night-390x844-endless")
        self.page.size(184, 224)
        self.visit()
        self.page.wait("the menu", lambda: self.page.press("open") or self.page.find(".watchmenu"))
        lively = self.page.wait("two wishes", lambda: [b for b in self.page.driver.find_elements("css selector", "#sheet [data-steer]") if b.is_displayed()])
        self.assertEqual([button.text for button in lively], ["Calmer", "Livelier"])
        self.page.picture("night-184x224-steering")
        self.page.size(*self.size)
        self.visit("#/imagine")
        self.page.click("#panel [data-do=endless][aria-checked=true]")
        wait("it has ended", lambda: not endless().get("on"))

    # MARK: Sessions

    def cell(self, layer, scene=1):
        return self.find(f"[data-cell={layer}{scene}]")[0]

    def cells(self, layer, scene=1):
        return lambda *states: self.page.wait(f"{layer} {scene} is {states}", lambda: self.cell(layer, scene).get_attribute("data-st") in states)

    def sessions(self):
        return self.command("clips.list")["d"]["sessions"]

    def begin_session(self):
        self.page.click("#panel [data-do=clipstart]")

    def test_clips(self):
        """A session is begun from the line; clips are added, turned off and exchanged in its grid, its scenes are named and play."""
        self.begin_session()
        self.page.wait("what is missing", lambda: "Describe the session" in self.page.sentence())
        self.type("slow piano 120 bpm")
        self.begin_session()
        self.page.wait("the grid", lambda: len([cell for cell in self.find(".cell") if cell.is_displayed()]) == 18)
        self.assertEqual(self.cell("bass").get_attribute("aria-label"), "Bass, Scene 1: add a clip")
        # By the keyboard: to the next layer, its sheet, and the form in it.
        self.page.run("arguments[0].focus()", self.cell("rhythm"))
        self.page.driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
        self.assertEqual(self.page.driver.switch_to.active_element.get_attribute("data-cell"), "bass1")
        self.page.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.page.wait("its sheet", lambda: self.page.is_still() and self.page.find("#sheet [data-at=bars]"))
        self.page.run("document.querySelector('#sheet [data-at=bars]').value = '1'")
        self.page.find("#sheet [data-at=clipwords]").send_keys("deep bass", Keys.ENTER)
        self.cells("bass")("making", "ready", "heard")
        self.cells("bass")("heard")
        self.assertEqual(self.status()["level"], 30, "The keys of the grid turned the volume.")
        self.type("/lead flute", Keys.ENTER)
        self.cells("lead")("heard")
        self.page.run("document.querySelector('.clips').scrollIntoView({ block: 'center' })")
        self.page.picture("night-390x844-clips")
        self.page.run("arguments[0].click()", self.cell("bass"))
        self.page.picture("night-390x844-clips-cell")
        self.sheet("Turn it off")
        self.cells("bass")("off")
        self.page.run("arguments[0].click()", self.find("[data-do=clipname]")[0])
        name = self.page.wait("its name", lambda: self.page.is_still() and self.page.find("#sheet [data-at=scene2]"))
        name.clear()
        name.send_keys("Chorus", Keys.ENTER)
        self.page.wait("the name", lambda: "Chorus" in self.find("[data-scene='2']")[0].text)
        self.page.run("arguments[0].click()", self.find("[data-scene='1']")[0])
        self.reaches("it plays", lambda status: status["sections"]["now"]["uri"].startswith("loop:") and status["state"] == "playing")
        before = len(self.rows())
        self.page.run("arguments[0].click()", self.find("[data-do=clipon]")[0])
        self.page.wait("a piece on the motif", lambda: len(self.rows()) == before + 1)
        for job in self.command("job.list")["d"]["jobs"]:
            if "end" not in job:
                self.command("job.cancel", job=job["job"])
        first = self.sessions()[0]["session"]
        self.type("/session techno", Keys.ENTER)
        self.page.wait("another session", lambda: len(self.sessions()) == 2 and self.find("[data-at=session]")[0].is_displayed())
        self.page.run("const s = document.querySelector('[data-at=session]'); s.value = arguments[0]; s.dispatchEvent(new Event('change'))", first)
        wait("the first one is taken up again", lambda: self.sessions()[0]["session"] == first)
        self.cells("bass")("off")

    def test_workers(self):
        """An admin chooses the worker that is used by default; each says how it is and when it was asked."""
        self.assertIn("asked at", self.find(".worker[data-worker=steered]")[0].text)
        self.assertFalse(self.find(".worker .small"), "Who may not change it is offered a change.")
        ticket = self.home.baton("web").split("#ticket=")[1].strip()
        self.addCleanup(self.page.run, "sessionStorage.clear()")
        self.page.open("about:blank")
        self.visit(f"#ticket={ticket}")
        self.go("#/imagine")
        self.page.click("#panel .worker[data-worker=steered] .small")
        wait("the hub knows", lambda: self.command("worker.list")["d"]["workers"][1].get("usual"))
        self.page.wait("the page too", lambda: self.find(".worker[data-worker=composer] .small"))
        self.page.click("#panel .worker[data-worker=composer] .small")
        wait("as before", lambda: self.command("worker.list")["d"]["workers"][0].get("usual"))


if __name__ == "__main__":
    main("chromium", "chromedriver")
