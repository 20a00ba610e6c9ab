# deploy/test: tier 2, judges Sources/Web.
# deploy/test: alone, for it measures how far apart two browsers and a speaker are heard, and those need both cores.
"""Two engines play the room along at once: Firefox against Chromium and against the hub's own speaker, in one recording."""

import asyncio
import os
import subprocess
import tempfile
import time

from Page import page_firefox
from Support.hubs import IS_SLOW, main, wait
from Support.listeningpage import ListeningPageCase

SECONDS = 180 if IS_SLOW else 8
EACH_OTHER_MS, SPEAKER_MS = (15, 30) if IS_SLOW else (60, 60)
# Notes whether the page first asks for the latency in the task in which its context has begun to run. Firefox then asks its other process,
# with a lock that the next call for sound needs: when that call comes meanwhile, both wait for each other for ever.
FIRST_READ = """() => {
  window.firstRead = null;
  const { resume } = AudioContext.prototype, latency = Object.getOwnPropertyDescriptor(AudioContext.prototype, 'outputLatency');
  let hasJustBegun = false;
  AudioContext.prototype.resume = function () {
    const begun = resume.call(this);
    begun.then(() => { hasJustBegun = true; setTimeout(() => { hasJustBegun = false }) });
    return begun;
  };
  Object.defineProperty(AudioContext.prototype, 'outputLatency', { get() {
    window.firstRead ??= hasJustBegun ? 'at once' : 'later';
    return latency.get.call(this);
  } });
}"""
# Sound without a question, as for a person who has allowed it.
PREFERENCES = 'user_pref("media.autoplay.default", 0);\nuser_pref("media.autoplay.blocking_policy", 0);\n'


class Engines(ListeningPageCase):
    tracks, seconds = 1, 300

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="baton-", dir="/tmp", ignore_cleanup_errors=True))
        with open(f"{folder}/user.js", "w") as preferences:
            preferences.write(PREFERENCES)
        environment = {**os.environ, "HOME": folder, "PULSE_SERVER": cls.home.environment["PULSE_SERVER"], "PULSE_SINK": "attic"}
        with open(f"{folder}/said", "w") as said:
            firefox = subprocess.Popen(
                ["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"],
                env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        cls.addClassCleanup(firefox.wait)
        cls.addClassCleanup(firefox.kill)
        cls.bidi = wait("Firefox listens", lambda: page_firefox.SecondEngine.address(f"{folder}/said"), 60)

    def test_sound(self):
        """Firefox, Chromium and the speaker are in step."""
        self.play()
        self.listen()
        asyncio.run(self.listen_in_firefox())

    async def listen_in_firefox(self):
        async with page_firefox.websockets.connect(self.bidi + "/session", max_size=None) as link:
            firefox = page_firefox.Firefox(link)
            await firefox.begin()
            try:
                await firefox.ask("browsingContext.setViewport", context=firefox.tab, viewport={"width": 360, "height": 640})
                await firefox.ask("script.addPreloadScript", functionDeclaration=FIRST_READ)
                await firefox.ask("browsingContext.navigate", context=firefox.tab, url=self.hub.page + "/#/playing", wait="complete")
                await firefox.until("the page is live", page_firefox.LIVE)
                for name in ("room", "listenhere", "listen"):
                    await firefox.until(name, f"document.getElementById('{name}')?.checkVisibility()")
                    await firefox.click(name)
                await firefox.until("it is in step", "document.getElementById('listenhow').textContent.startsWith('In step')")
                self.assertEqual(await firefox.run("firstRead"), "at once")
                # The first seconds are corrected by speed.
                time.sleep(10 if IS_SLOW else 3)
                sound = self.record(SECONDS)
                self.assertNear("Firefox against Chromium", sound, EACH_OTHER_MS, "kitchen", "attic")
                self.assertNear("Firefox against the speaker", sound, SPEAKER_MS, "speaker", "attic")
                self.assertEqual(firefox.complaints, [])
            finally:
                await firefox.ask("session.end")


if __name__ == "__main__":
    main("pulseaudio", "parec", "pactl", "ffmpeg", "chromium", "chromedriver", "firefox-esr")
