# deploy/test: tier 2, first SecondEngine.test_shapes, judges Sources/Web.
"""The page in a second engine: Firefox, spoken to over its own WebDriver BiDi port, one pass for each shape, and one as a user with an account."""

import asyncio
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from Support.hubs import ROOT, HubCase, main, wait
from Support.suite import IS_FIRST

try:
    import websockets
except ImportError:
    print("page_firefox.py: skipped, for there is no python3-websockets here")
    sys.exit(77)

LIVE = "!document.documentElement.classList.contains('away') && /^\\d+%$/.test(document.getElementById('level')?.textContent)"
OVERFLOW = "Math.max(document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight)"
# Said of a file that was still on its way when the page was left.
LEFT = "A ServiceWorker intercepted the request and encountered an unexpected error."
# A desktop that has room for the steps of the volume, too.
SHAPES = (("phone", 360, 640),) if IS_FIRST else (("watch", 184, 224), ("phone", 360, 640), ("desktop", 1440, 900))
# A sheet that rises, and what plays while it grows, are not yet where they will be.
STILL = "['sheet', 'player'].every(id => !document.getElementById(id)?.getAnimations().length)"


class Firefox:
    """As much of WebDriver BiDi as one page needs."""

    def __init__(self, link):
        self.link, self.number, self.complaints = link, 0, []

    async def ask(self, method, **parameters):
        self.number += 1
        await self.link.send(json.dumps({"id": self.number, "method": method, "params": parameters}))
        while True:
            heard = json.loads(await asyncio.wait_for(self.link.recv(), 60))
            if heard.get("method") == "log.entryAdded" and heard["params"]["level"] in ("error", "warn") and LEFT not in heard["params"]["text"]:
                self.complaints.append(heard["params"]["text"])
            if heard.get("id") == self.number:
                if heard["type"] != "success":
                    raise AssertionError(f"{method}: {heard}")
                return heard["result"]

    async def begin(self):
        await self.ask("session.new", capabilities={})
        await self.ask("session.subscribe", events=["log.entryAdded"])
        self.tab = (await self.ask("browsingContext.getTree"))["contexts"][0]["context"]

    async def run(self, expression):
        answer = await self.ask("script.evaluate", expression=expression, target={"context": self.tab}, awaitPromise=True)
        if answer["type"] != "success":
            raise AssertionError(f"{expression}: {answer}")
        return answer["result"].get("value")

    async def until(self, sentence, expression, limit=60):
        deadline = time.monotonic() + limit
        while not await self.run(expression):
            if time.monotonic() > deadline:
                raise AssertionError(f"Not within {limit} s: {sentence}. Console: {self.complaints}")
            await asyncio.sleep(0.05)

    async def click(self, name):
        await self.until("nothing is on its way", STILL)
        box = json.loads(await self.run(f"JSON.stringify(document.getElementById('{name}').getBoundingClientRect())"))
        at = {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] / 2)}
        await self.ask("input.performActions", context=self.tab, actions=[{"type": "pointer", "id": "hand", "actions": [
            {"type": "pointerMove", **at}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}])

    async def picture(self, name):
        shot = await self.ask("browsingContext.captureScreenshot", context=self.tab)
        os.makedirs(f"{ROOT}/.build/screenshots", exist_ok=True)
        with open(f"{ROOT}/.build/screenshots/firefox-{name}.png", "wb") as file:
            file.write(base64.b64decode(shot["data"]))


class SecondEngine(HubCase):
    flags = ("--audio", "null", "--demo", "--signup", "open")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        folder = cls.enterClassContext(tempfile.TemporaryDirectory(prefix="baton-", dir="/tmp", ignore_cleanup_errors=True))
        with open(f"{folder}/said", "w") as said:
            firefox = subprocess.Popen(
                ["firefox-esr", "--headless", "--no-remote", "--profile", folder, "--remote-debugging-port", "0"],
                env={**os.environ, "HOME": folder}, stdin=subprocess.DEVNULL, stdout=said, stderr=said)
        cls.addClassCleanup(firefox.wait)
        cls.addClassCleanup(firefox.kill)
        cls.bidi = wait("Firefox listens", lambda: cls.address(f"{folder}/said"), 60)

    @staticmethod
    def address(path):
        with open(path) as said:
            found = re.search(r"WebDriver BiDi listening on (ws://\S+)", said.read())
        return found and found[1]

    def test_shapes(self):
        """On a watch, a phone and a desktop: live, playing, louder, and an empty console."""
        async def shapes(firefox):
            for name, width, height in SHAPES:
                await self.look(firefox, name, width, height)
        self.talk(shapes)

    def test_an_account(self):
        """An account is made, shares a list by a link, is left and entered again; no program of the page can read its cookie."""
        self.talk(self.use_an_account)

    def talk(self, steps):
        async def all_of_it():
            async with websockets.connect(self.bidi + "/session", max_size=None) as link:
                firefox = Firefox(link)
                await firefox.begin()
                try:
                    await steps(firefox)
                    self.assertEqual(firefox.complaints, [])
                finally:
                    # A browser has one session at a time.
                    await firefox.ask("session.end")
        asyncio.run(all_of_it())

    async def settings(self, firefox):
        await firefox.until("the page is live", LIVE)
        await firefox.run("location.hash = '#/settings?page=account'")
        await firefox.until("the account", "document.getElementById('account')?.hidden === false")

    async def fill(self, firefox, form, *values):
        await firefox.run(
            f"[...document.querySelectorAll('#{form} input')].forEach((field, index) => {{ field.value = {json.dumps(values)}[index] }})")

    async def use_an_account(self, firefox):
        await firefox.ask("browsingContext.navigate", context=firefox.tab, url="about:blank", wait="complete")
        await firefox.ask("browsingContext.setViewport", context=firefox.tab, viewport={"width": 360, "height": 640})
        await firefox.ask("browsingContext.navigate", context=firefox.tab, url=self.hub.page + "/", wait="complete")
        await self.settings(firefox)
        await self.fill(firefox, "signin", "Anna", "a long sentence")
        await self.press(firefox, "#signup")
        await firefox.until("another page", "!document.getElementById('signin')")
        await self.settings(firefox)
        await firefox.until("Anna is signed in", "document.getElementById('signedin')?.textContent.includes('Anna')")
        self.assertNotIn("baton-user", await firefox.run("document.cookie"))
        await firefox.picture("account")

        made = await firefox.run("""fetch('/baton/cmd', { method: 'POST', body: JSON.stringify({ t: 'cmd', id: 1, k: 'list-of-anna',
          m: 'pl.create', p: { name: 'Mine' } }) }).then(answer => answer.json()).then(({ d }) => d.id)""")
        await firefox.run(f"location.hash = '#/lists?list={made}'")
        for selector in ("#panel [data-do=list]", "#sheet [data-do=share]", "[data-share=link]"):
            await self.press(firefox, selector)
        await firefox.until("its link", "document.getElementById('sharelink')")
        self.assertIn(f"list={made}", await firefox.run("document.getElementById('sharelink').value"))
        await self.press(firefox, "#sharerevoke")
        await firefox.until("it is private again", "document.querySelector('[data-share=private]').ariaChecked === 'true'")
        await firefox.run("document.getElementById('sheet').close()")
        await firefox.until("the sheet is left", "!document.getElementById('sheet').open && !history.state?.isSheet")

        await self.settings(firefox)
        await self.press(firefox, "#signout")
        await firefox.until("another page", "!document.getElementById('signedin')")
        await self.settings(firefox)
        await firefox.until("the form", "document.getElementById('signin')")
        await self.fill(firefox, "signin", "anna", "a long sentence")
        await self.press(firefox, "#signin button")
        await firefox.until("another page", "!document.getElementById('signin')")
        await self.settings(firefox)
        await firefox.until("Anna is signed in again", "document.getElementById('signedin')?.textContent.includes('Anna')")

    async def press(self, firefox, selector):
        await firefox.until(selector, f"document.querySelector({json.dumps(selector)})?.checkVisibility()")
        await firefox.run(f"document.querySelector({json.dumps(selector)}).click()")

    async def look(self, firefox, name, width, height):
        # A page that takes another shape loads more of its files, and to leave it meanwhile is a complaint of the browser.
        await firefox.ask("browsingContext.navigate", context=firefox.tab, url="about:blank", wait="complete")
        await firefox.ask("browsingContext.setViewport", context=firefox.tab, viewport={"width": width, "height": height})
        await firefox.ask("browsingContext.navigate", context=firefox.tab, url=self.hub.page + "/#/playing", wait="complete")
        await firefox.until("the page is live", LIVE)
        await firefox.click("play")
        await firefox.until("it plays", "document.getElementById('play').ariaLabel === 'Pause'")
        before = await firefox.run("document.getElementById('level').textContent")
        await firefox.click("more")
        await firefox.until("it is louder", f"document.getElementById('level').textContent !== '{before}'")
        self.assertLessEqual(await firefox.run(OVERFLOW), 0, name)
        await firefox.picture(name)
        await firefox.click("play")
        await firefox.until("it is paused", "document.getElementById('play').ariaLabel === 'Play'")


if __name__ == "__main__":
    main("firefox-esr")
