"""A room that plays noise through the hub's own speaker, and browsers that play it along: what is heard of each, in one recording."""

import os

from Music.in_step import PLACES, RATE, WINDOW, Sinks, apart, np
from Support.browser import Browser
from Support.fixtures import lavfi, make, metadata
from Support.hubs import HubCase, wait

# Makes each audio context that the page makes known to the tests.
CONTEXTS = """window.contexts = []; const Real = AudioContext;
window.AudioContext = class extends Real { constructor(...words) { super(...words); window.contexts.push(this) } }"""


class ListeningPageCase(HubCase):
    flags = ("--audio", "pulse/speaker")
    modules = ()
    tracks, seconds = 2, 120
    sink = "kitchen"
    browser_flags = ()
    environment = {}

    @classmethod
    def prepare(cls):
        cls.sinks = Sinks(cls.home, *cls.modules)
        cls.addClassCleanup(cls.sinks.close)
        for number in range(cls.tracks):
            noise = f"anoisesrc=color=white:amplitude=0.9:seed={number + 20}:sample_rate=16000:duration={cls.seconds},lowpass=f=1000"
            path = lavfi(f"{cls.home.music}/raw/{number}.flac", noise)
            make(f"{cls.home.music}/{number}.flac", "-i", path, *metadata(title=f"Noise {number}"))
            os.unlink(path)

    def play(self):
        self.home.baton("volume", "50")
        self.home.baton("play", *(f"{self.home.music}/{number}.flac" for number in range(self.tracks)))
        self.home.reaches("playing", lambda status: status["tl"]["st"] == "playing")

    def open(self, address=None, has_sheet=True, is_admin=False):
        """A browser on the sheet of its listening device."""
        os.environ.update({"PULSE_SERVER": self.home.environment["PULSE_SERVER"], "PULSE_SINK": self.sink, **self.environment})
        page = self.page = Browser(flags=("--autoplay-policy=no-user-gesture-required", *self.browser_flags))
        self.addCleanup(page.close)
        page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": CONTEXTS})
        page.size(360, 640)
        ticket = "#ticket=" + self.home.baton("web").split("#ticket=")[1].strip() if is_admin else "#/playing"
        page.open(f"{address or self.hub.page}/{ticket}")
        page.wait("the page is live", page.is_live)
        page.run("location.hash = '#/playing'")
        if has_sheet:
            self.open_sheet()
        return page

    def open_sheet(self):
        self.page.press("room")
        self.page.click("#listenhere")
        self.page.wait("the button", lambda: self.page.driver.find_elements("id", "listen") and self.page.is_still())

    def listen(self):
        self.open()
        self.page.press("listen")
        self.in_step()

    def in_step(self):
        try:
            self.page.wait("it is in step", lambda: "In step" in self.page.text("listenhow"))
        except AssertionError as late:
            raise AssertionError(f"{late} The sheet says: {self.page.text('listenhow')}") from None

    def differences(self, sound, one="speaker", other="kitchen"):
        """In ms, window by window."""
        first, second = sound[PLACES.index(one)], sound[PLACES.index(other)]
        return [apart(first[at:at + WINDOW], second[at:at + WINDOW]) for at in range(0, len(first) - WINDOW + 1, WINDOW)]

    def record(self, seconds):
        """What is heard from now on, with a row for each place."""
        return self.sinks.heard(self.sinks.now, seconds * RATE)

    def assertNear(self, name, sound, bar, one="speaker", other="kitchen"):
        found = self.differences(sound, one, other)
        known = [abs(ms) for ms in found if ms is not None]
        self.assertGreater(len(known), 0.9 * len(found), found)
        p95 = float(np.percentile(known, 95, method="higher"))
        print(f"{name}: p50 {np.percentile(known, 50):.1f} ms, p95 {p95:.1f} ms, {len(known)} windows", flush=True)
        self.assertLessEqual(p95, bar, [ms and round(ms, 1) for ms in found])

    def is_silent(self, place="kitchen"):
        sound = self.sinks.heard(self.sinks.now - RATE // 10, RATE // 10)[PLACES.index(place)]
        return not np.any(np.abs(sound) > 2 / 32768)

    def silent(self, place="kitchen"):
        wait(f"{place} is silent", lambda: self.is_silent(place))
