# deploy/test: tier 2, judges Sources/Web.
"""The page as an app: what makes it installable, what is kept from the first visit on, what other apps share with it, and what it
says where the browser allows less."""

import base64
import json
import os
import struct
import sys

from Support.hubs import main, wait

try:
    from Support.fixtures import lavfi, metadata
    from Support.pagecase import SpoiledCase
except ImportError:
    print("page_app.py: skipped, for there is no selenium here")
    sys.exit(77)

SHELVES = "const all = {}; for (const name of await caches.keys()) all[name] = (await (await caches.open(name)).keys()).length; return all"


class Apps(SpoiledCase):
    def injected(self, source):
        script = self.page.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        self.addCleanup(self.page.driver.execute_cdp_cmd, "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})

    def fetch(self, path):
        """A file of the page, as the browser gets it."""
        found = self.page.run_async(
            "const bytes = new Uint8Array(await (await fetch(words[0])).arrayBuffer()); let text = '';"
            "for (const byte of bytes) text += String.fromCharCode(byte); return btoa(text)", path)
        return base64.b64decode(found)

    def sheet(self):
        return self.page.run("return document.getElementById('sheet').open ? document.getElementById('sheet').textContent : ''")

    def test_manifest(self):
        """The browser finds nothing that keeps it from installing the page; every icon is a picture of the size it names."""
        manifest = json.loads(self.fetch("/manifest.json"))
        pictures = [icon for icon in manifest["icons"] if icon["type"] == "image/png"]
        self.assertEqual({(icon["sizes"], icon["purpose"]) for icon in pictures},
                         {(size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")})
        apple = self.page.run("return document.querySelector('link[rel=apple-touch-icon]').getAttribute('href')")
        for path, size in [*((icon["src"], icon["sizes"]) for icon in pictures), (apple, "180x180")]:
            width, height = struct.unpack(">II", self.fetch(path)[16:24])
            self.assertEqual(f"{width}x{height}", size, path)
        errors = self.page.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})["installabilityErrors"]
        # A private window, which an automated browser may use, cannot install anything.
        self.assertEqual([error["errorId"] for error in errors if error["errorId"] != "in-incognito"], [])
        for shortcut in manifest["shortcuts"]:
            self.visit(shortcut["url"].removeprefix("/"))
            self.assertEqual(self.page.run("return location.hash"), shortcut["url"].removeprefix("/"))
            self.assertEqual(self.status()["state"], "paused", "A shortcut leads somewhere and plays nothing.")

    @classmethod
    def song(cls):
        """A song of an album with a cover, which is in the library from now on."""
        shelf = f"{cls.home.folder}/shelf"
        if not os.path.exists(shelf):
            lavfi(f"{shelf}/April/1.flac", "sine=f=300:d=60", *metadata(title="Cloudless", artist="The Weather", album="April"))
            lavfi(f"{shelf}/April/2.flac", "sine=f=400:d=3", *metadata(title="Brief", artist="The Weather", album="April"))
            lavfi(f"{shelf}/April/cover.png", "testsrc2=s=600x600", "-frames:v", "1")
            cls.home.baton("library", "add", shelf)
        return wait("the library is read", lambda: cls.command("lib.search", q="cloudless", kinds=["track"]).get("d", {}).get("rows"))[0]

    def is_away(self):
        """From now on there is no hub, and the page is loaded again from what is kept."""
        self.page.wait("the files are kept", lambda: any(name.startswith("baton-page") for name in self.page.run_async(SHELVES)))
        self.network.is_out = True
        self.network.cut()
        self.page.driver.refresh()
        self.page.wait("it says so", lambda: self.page.sentence() == "Looking for the hub…")

    def comes_back(self):
        self.network.is_out = False
        self.page.wait("it is live again", self.page.is_live)

    def test_last_rows(self):
        """The rows that the library showed last are there without the hub, with a sentence, and make room for its own rows when it is back."""
        self.song()
        kept = lambda: self.page.run_async("return (await (await caches.open('baton-rows')).keys()).map(({ url }) => url).join()")
        self.page.run_async("await caches.delete('baton-rows')")
        self.visit("#/library?at=lib:shelf/favourites")
        self.page.wait("a place without rows", lambda: "Nothing is in here" in self.page.find("#panel").text)
        self.page.wait("it is kept", lambda: "favourites" in kept())
        self.visit("#/library?at=lib:shelf/tracks")
        titles = lambda: self.page.run("return [...document.querySelectorAll('#panel .items b')].map(title => title.textContent)")
        sentence = lambda: self.page.find("#panel .above .says").is_displayed()
        self.page.wait("the rows", lambda: "Cloudless" in titles())
        self.page.wait("they are kept", lambda: "tracks" in kept())
        self.assertFalse(sentence())
        self.is_away()
        self.page.wait("the rows are there", lambda: "Cloudless" in titles() and sentence())
        self.page.picture("app-360x640-last-rows")
        self.page.run("globalThis.asked = 0; const match = Cache.prototype.match; Cache.prototype.match = function (...p) { asked++; return match.apply(this, p) }")
        self.show("library?at=lib:shelf/favourites")
        self.page.wait("the one without rows", lambda: not titles() and sentence())
        asked = self.page.run_async("for (let frame = 0; frame < 20; frame++) await new Promise(requestAnimationFrame); return asked")
        self.assertLess(asked, 10, "A place without rows asks for them again and again.")
        self.show("library?at=lib:shelf/tracks")
        self.comes_back()
        self.page.wait("they are the hub's", lambda: "Cloudless" in titles() and not sentence())
        self.show("playing")

    def test_taken_along(self):
        """An item that was taken along plays without the hub, and the hub counts it when it is back."""
        page = self.page
        self.song()
        brief = self.command("lib.search", q="brief", kinds=["track"])["d"]["rows"][0]
        reports = lambda: json.loads(page.run("return localStorage.getItem('baton.placereports') ?? '[]'"))
        self.visit("#/library?at=lib:shelf/tracks")
        page.click("#panel .items [data-do=more][aria-label*=Brief]")
        page.click("[data-do=carry]")
        page.wait("it is here", lambda: "is on this device" in page.sentence())
        self.is_away()
        self.show("settings?page=device")
        page.click("#carriedhere")
        page.click("#carried .main")
        page.wait("it plays", lambda: page.label("aloneplay") == "Pause")
        page.wait("what was heard is kept", reports)
        page.run("document.getElementById('sheet').close()")
        self.comes_back()
        page.wait("it was told", lambda: not reports())
        self.reaches("it counts as a play", lambda _: self.command("lib.item", uri=brief["uri"])["d"]["item"].get("plays") == 1)
        self.show("playing")

    def test_first_visit_is_kept(self):
        """After one visit everything of the page is there without the hub, also the parts that were not opened, and seen covers."""
        page = self.page
        self.command("play", key="cloudless", uri=self.song()["uri"])
        self.command("pause")
        page.forget(self.network.page)
        self.visit()
        page.wait("a cover is seen", lambda: page.run("return performance.getEntriesByType('resource').some(e => e.name.includes('/art/'))"))
        page.wait("files and covers are kept", lambda: len(page.run_async(SHELVES).keys() - {"baton-rows"}) == 2)
        shelves = page.run_async(SHELVES)
        shelves.pop("baton-rows", None)
        self.assertGreater(shelves.pop("baton-covers"), 0)
        names = page.run_async("return (await (await fetch('/sw.js')).text()).match(/files = '([^']*)'/)[1].split(' ')")
        # And the document; of the languages only the one in use.
        unused = [name for name in names if name.startswith("lang-") and name != "lang-en.json"]
        self.assertEqual(list(shelves.values()), [len(names) - len(unused) + 1])
        self.network.is_out = True
        self.network.cut()
        page.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
        page.driver.refresh()
        page.wait("the title of the last state", lambda: page.text("title") == "Cloudless")
        page.wait("it says so", lambda: page.sentence() == "Looking for the hub…")
        # A part of the page that was never opened.
        self.show("settings?page=device")
        page.wait("the settings", lambda: page.driver.find_elements("id", "devicename"))
        page.wait("its cover", lambda: page.run(
            "return [...document.querySelectorAll('img')].some(image => image.src.includes('/art/') && image.naturalWidth)"))
        page.picture("app-360x640-away")
        self.network.is_out = False
        page.wait("it is live again", page.is_live)
        self.show("playing")

    def test_versions_are_apart(self):
        """A worker keeps one version whole: a file of another version is not taken from the hub's present one."""
        self.page.wait("the worker is in charge", lambda: self.page.run("return !!navigator.serviceWorker.controller"))
        self.assertEqual(self.page.run_async("return (await fetch('/page/older/remote.js')).status"), 404)
        text = self.fetch("/sw.js").decode()
        version = text.split("version = '")[1].split("'")[0]
        document = self.page.run_async("return (await (await caches.open('baton-page-' + words[0])).match('/')).text()", version)
        self.assertIn(f"/page/{version}/remote.css", document)
        # A newer hub answers: the page of the version before is loaded again, once.
        began = self.page.run("return performance.timeOrigin")
        self.page.run("const real = window.fetch; window.fetch = (at, options) => at === '/' && options?.method === 'HEAD'"
                      " ? Promise.resolve(new Response(null, { headers: { etag: '\"newer\"' } })) : real(at, options)")
        self.network.cut()
        self.page.wait("it was loaded again", lambda: self.page.run("return performance.timeOrigin") != began)
        self.page.wait("the page is live", self.page.is_live)

    def test_shared(self):
        """An address from another app is shown and changes nothing; a press adds it to the queue."""
        length = self.status()["length"]
        address = "https://radio.example/a%20song.mp3?x=1"
        self.visit("?share-title=A+song&share-text=Listen:+" + address.replace("%", "%25").replace("?", "%3F").replace("=", "%3D"))
        self.page.wait("it is shown", lambda: address in self.sheet() and "A song" in self.sheet())
        self.page.picture("app-360x640-shared")
        self.assertEqual(self.status()["length"], length)
        self.assertEqual(self.page.run("return location.search"), "", "A reload does not ask again.")
        self.page.run("[...document.querySelectorAll('#sheet .act')].find(line => line.textContent.includes('end')).click()")
        self.reaches("it is queued", lambda status: status["length"] == length + 1)
        self.assertEqual(self.rows()[-1]["uri"], address)
        self.visit("?share-text=%3Cb%3Eno+address%3C/b%3E")
        self.page.wait("it says why nothing is offered", lambda: "no address" in self.page.sentence())
        self.visit("?share-url=javascript:alert(1)")
        self.page.wait("it says so too", lambda: "no address" in self.page.sentence())

    def test_without_encryption(self):
        """Where the browser allows no worker, the page works and says what https adds."""
        self.show("settings?page=device")
        self.page.wait("the settings", lambda: self.page.driver.find_elements("id", "devicename"))
        self.assertEqual(self.page.driver.find_elements("id", "plain"), [])
        self.injected("Object.defineProperty(window, 'isSecureContext', { value: false })")
        self.page.open("about:blank")
        self.visit("#/settings?page=device")
        said = self.page.wait("what https adds", lambda: self.page.driver.find_elements("id", "plain"))[0]
        self.assertIn("https", said.text)
        self.show("playing")

    def test_lock_screen_is_offered_once(self):
        """On a touch screen the first play explains the controls on the lock screen; a press starts them, and it asks once."""
        self.page.forget(self.network.page)
        self.page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        self.addCleanup(self.page.driver.execute_cdp_cmd, "Emulation.setTouchEmulationEnabled", {"enabled": False})
        self.visit()
        self.page.wait("the offer is ready", lambda: self.page.run(
            "return performance.getEntriesByType('resource').some(e => e.name.endsWith('/app.js'))"))
        self.page.press("play")
        self.page.wait("it is explained", lambda: "lock screen" in self.sheet())
        self.page.picture("app-360x640-lockscreen")
        self.page.click("#sheet .act")
        self.page.wait("it is on", lambda: self.page.run("return navigator.mediaSession.metadata?.title ?? null") == "First Light")
        self.command("pause")
        self.page.wait("paused", lambda: not self.page.is_playing())
        self.page.press("play")
        self.page.wait("playing", self.page.is_playing)
        self.assertEqual(self.sheet(), "")


if __name__ == "__main__":
    main("chromium", "chromedriver", "ffmpeg")
