# deploy/test: tier 2, judges Sources/Web.
"""*Only here* on the page: what plays goes on on this device alone, the room of the hub stays as it is, and the way back stands beside its name."""

import json

from Support.browser import Browser
from Support.fixtures import lavfi
from Support.hubs import HubCase, main

WAY_BACK = "#only:not([hidden]) #onlyback"


class OnlyHere(HubCase):
    @classmethod
    def prepare(cls):
        lavfi(f"{cls.home.music}/one.flac", "sine=frequency=300:duration=120")

    def test_only(self):
        """A tap plays it here from where it is, while the room stays paused; the way back leads to the room again,
        on a phone and on a desktop, and there this device can still play the room along."""
        page = Browser(flags=("--autoplay-policy=no-user-gesture-required",))
        self.addCleanup(page.close)
        self.home.baton("play", f"{self.home.music}/one.flac")
        self.home.reaches("it plays", lambda status: status["tl"]["st"] == "playing")
        self.home.baton("seek", "0:40")
        self.home.baton("pause")
        page.size(360, 640)
        page.open(self.hub.page + "/#/playing")
        page.wait("the page is live", page.is_live)
        page.press("room")
        page.click("#onlyhere")
        page.wait("the way back", lambda: page.driver.find_elements("css selector", WAY_BACK))
        page.wait("it plays here", page.is_playing)
        self.assertEqual(page.text("roomname"), "Only here")
        self.assertGreaterEqual(page.position_s(), 39)
        self.assertEqual(self.home.status()["tl"]["st"], "paused")
        self.assertEqual(len(json.loads(self.home.baton("rooms", "--json"))), 1)
        self.assertTrue(page.is_on_top(WAY_BACK))
        page.size(1280, 800)
        page.click(WAY_BACK)
        page.wait("the room of the hub", lambda: not page.driver.find_elements("css selector", WAY_BACK) and not page.is_playing())
        self.assertNotEqual(page.text("roomname"), "Only here")
        self.assertEqual(self.home.status()["tl"]["st"], "paused")
        page.press("room")
        page.click("#listenhere")
        page.wait("the sheet of the sound", lambda: page.text("listen") == "Play on this device")
        self.assertEqual(page.complaints(), [])


if __name__ == "__main__":
    main("ffmpeg", "chromium", "chromedriver")
