# deploy/test: tier 2, first Clicked.test_code_and_steering.
# deploy/test: judges Sources/Web Sources/Platform/SocketServer/WebServer Sources/Platform/Crypto Sources/Wire/BatonProtocol/Pairing.
"""A browser on another machine: it types the code into the encrypted page, steers, and is sent away. Once past the
browser's warning, and once with the hub's root trusted, where there is none."""

import json
import os
import re
import subprocess
import sys

from Support.hubs import Hub, HubCase, main

try:
    from Support.browser import Browser
except ImportError:
    print("page_secure.py: skipped, for there is no selenium here")
    sys.exit(77)

COOKIE = "__Host-baton"


class Secure(HubCase):
    """One hub and one browser, which for each test was never here."""

    flags = ("--audio", "null", "--demo")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.https = re.search(r"network (https://[^/]*)/", Hub.text(cls.hub.said)).group(1)
        cls.home.reaches("the album", lambda status: status["queue"]["len"] > 0)
        cls.page = Browser(**cls.preferences())
        cls.addClassCleanup(cls.page.close)

    def setUp(self):
        self.home.baton("volume", "30")
        self.home.baton("pause")
        self.page.forget(self.https)
        self.page.size(360, 640)

    @classmethod
    def preferences(cls):
        return {"flags": ["--ignore-certificate-errors"]}

    def tearDown(self):
        for device in self.devices():
            self.home.baton("devices", "revoke", "--yes", device["dev"])

    # MARK: Doing

    def devices(self):
        return json.loads(self.home.baton("--json", "devices"))["list"]

    def window(self, *words):
        return json.loads(self.home.baton("--json", "pair", "--open", *words))["pin"]

    def type_code(self, pin, name="Kitchen browser"):
        self.page.find("input[name=pin]").send_keys(pin)
        # A name that was typed before a wrong code is still there.
        field = self.page.find("input[name=name]")
        if field.get_attribute("value") != name:
            field.clear()
            field.send_keys(name)
        self.page.click("button")

    def type_in_turn(self, pin):
        """The same, again and again until the hub looks at the code: it tries one a second."""
        def is_seen():
            # What an earlier answer said is not the answer.
            self.page.run("document.querySelector('[role=alert]')?.remove()")
            self.type_code(pin)
            self.page.wait("an answer", lambda: not self.is_form() or self.alert())
            return "One code a second" not in self.alert()
        self.page.wait("the hub looks at the code", is_seen)

    def alert(self):
        return self.page.run("return document.querySelector('[role=alert]')?.textContent ?? ''")

    def is_form(self):
        return self.page.run("return !!document.querySelector('form[action=\"/session\"]')")

    def come_in(self):
        self.page.open(self.https + "/")
        pin = self.window()
        self.type_in_turn(f"{pin[:3]}-{pin[3:]}")
        self.page.wait("the remote, live", lambda: not self.is_form() and self.page.is_live())


class Clicked(Secure):
    """Past the warning, as after a click on "proceed"."""

    def test_code_and_steering(self):
        """A wrong code is told with what is left; the right one brings the remote, and the remote steers."""
        self.page.open(self.https + "/")
        self.assertTrue(self.is_form())
        self.assertIn("baton pair --open", self.page.find("main").text)
        pin = self.window("--role", "admin")
        self.type_in_turn("000001" if pin == "000000" else "000000")
        self.assertIn("4 more tries", self.alert())
        self.assertEqual(self.page.attribute_of("input[name=name]", "value"), "Kitchen browser", "The name must be typed again.")
        self.type_in_turn(pin)
        self.page.wait("the remote, live", lambda: not self.is_form() and self.page.is_live())

        self.page.run("location.hash = '#/playing'")
        self.page.press("more")
        self.page.press("play")
        self.home.reaches("louder, and playing", lambda s: s["vol"]["level"] == 33 and s["tl"]["st"] in ("playing", "buffering"))
        self.home.baton("volume", "20")
        self.page.wait("what another hand did", lambda: self.page.level() == 20)
        [device] = self.devices()
        self.assertEqual((device["name"], device["kind"], device["role"]), ("Kitchen browser", "browser", "remote"), "never admin")
        self.page.open(self.https + "/")
        self.page.wait("live again after loading anew", self.page.is_live)

    def test_cookie(self):
        """Its session cannot be read by a script, goes encrypted only and to this host only, and is no admin's."""
        self.come_in()
        # The page writes the theme once the browser is idle.
        self.page.wait("the theme, kept", lambda: "baton-theme=" in self.page.run("return document.cookie"))
        cookies = {cookie["name"]: cookie for cookie in self.page.driver.get_cookies()}
        cookie = cookies.pop(COOKIE)
        self.assertEqual(list(cookies), ["baton-theme"], "Beside the session only the theme is kept, for the pairing page.")
        self.assertTrue(cookie["httpOnly"] and cookie["secure"])
        self.assertEqual((cookie["sameSite"], cookie["path"], cookie["domain"]), ("Strict", "/", "127.0.0.1"))
        self.assertEqual(self.page.run("return document.cookie"), "baton-theme=" + cookies["baton-theme"]["value"])
        self.assertNotIn(cookie["value"], Hub.text(self.hub.log) + Hub.text(self.hub.said))
        with open(f"{self.home.folder}/state/baton/keys/devices") as file:
            self.assertNotIn(cookie["value"], file.read(), "only its hash is kept")
        answer = self.page.run_async(
            "const body = JSON.stringify({ t: 'cmd', id: 1, m: 'dev.list' });"
            "return (await (await fetch('/baton/cmd', { method: 'POST', body })).json()).err.code")
        self.assertEqual(answer, "forbidden")

    def test_elsewhere(self):
        """A page from another port of this machine gets neither a connection nor an answer, cookie or not."""
        self.come_in()
        self.page.open(self.hub.page + "/")
        address = self.https.replace("https", "wss") + "/baton"
        ended = self.page.run_async(
            "return new Promise(done => { const s = new WebSocket(words[0], 'baton.v1');"
            "s.onopen = () => done('open'); s.onerror = () => done('refused') })", address)
        read = self.page.run_async("try { await fetch(words[0]); return 'read' } catch (e) { return 'refused' }", self.https + "/baton/state")
        self.assertEqual((ended, read), ("refused", "refused"))

    def test_sent_away(self):
        """Who is sent away is told so in a sentence at once; loading anew shows the form, and a new code lets it in."""
        self.come_in()
        self.home.baton("devices", "revoke", "--yes", "Kitchen browser")
        self.page.wait("away, and told why", lambda: not self.page.is_live() and "does not let this device in" in self.page.sentence())
        self.page.open(self.https + "/")
        self.page.wait("the form", self.is_form)
        self.come_in()


class Trusted(Secure):
    """The root from `/trust` in the browser's own store, as a person who follows its steps has it."""

    @classmethod
    def preferences(cls):
        home = f"{cls.home.folder}/browser"
        store = f"sql:{home}/.pki/nssdb"
        os.makedirs(store[4:], exist_ok=True)
        der = subprocess.run(["curl", "-sSk", cls.https + "/trust/baton-root.crt"], check=True, capture_output=True).stdout
        with open(f"{home}/root.crt", "wb") as file:
            file.write(der)
        for words in (["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "baton", "-i", f"{home}/root.crt"]):
            subprocess.run(["certutil", "-d", store, *words], check=True, capture_output=True)
        return {"home": home}

    def test_no_warning(self):
        """There is no warning, by address and by name; the code is typed and the remote comes."""
        self.page.open(self.https.replace("127.0.0.1", "localhost") + "/trust")
        self.assertIn("baton-root.crt", self.page.driver.page_source)
        self.come_in()
        self.assertTrue(self.page.run("return isSecureContext"))
        self.page.run("location.hash = '#/playing'")
        self.page.press("more")
        self.home.reaches("louder", lambda s: s["vol"]["level"] == 33)
        self.assertEqual(self.page.complaints(), [], "The browser's console is not clean.")


class Untrusting(Secure):
    """A browser as it comes."""

    @classmethod
    def preferences(cls):
        return {}

    def test_warned(self):
        """It warns, and shows nothing of the hub."""
        self.page.open(self.https + "/")
        self.assertIn("ERR_CERT_AUTHORITY_INVALID", self.page.driver.page_source)
        self.assertFalse(self.is_form())


if __name__ == "__main__":
    main("chromium", "chromedriver", "certutil", "curl")
