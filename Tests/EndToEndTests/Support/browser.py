"""A headless browser on a page, driven as a person would, and a proxy that spoils the network between the two."""

import atexit
import json
import os
import re
import socket
import tempfile
import threading
import time

from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException, StaleElementReferenceException,
)
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from Support.hubs import ROOT, wait

SCREENSHOTS = os.path.join(ROOT, ".build/screenshots")
# What is said of a page while its hub is away on purpose is not a fault of the page.
EXPECTED_WHILE_AWAY = re.compile(r"WebSocket connection|icon from the Manifest|ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to load resource")

# Where everything is that a face shows, to the pixel.
BOXES = """return ['title', 'artist', 'progress', 'transport', 'extras', 'volume', 'tabs', 'tab-library'].map(id => {
  const b = document.getElementById(id).getBoundingClientRect(); return [id, b.x, b.y, b.width, b.height].join(' ') })"""

# Presses the first element that is shown, can be pressed, and begins with a text, if one is named. It is found and pressed in one
# step, so no other can be drawn in its place. One below something else is brought to the middle, away from the messages at the edge.
CLICK = """(selector, text) => {
  const modal = document.querySelector('dialog:modal');
  const element = [...(modal ?? document).querySelectorAll(selector)].find(e =>
    e.checkVisibility({ visibilityProperty: true }) && !e.disabled && (text === null || e.innerText.trim().startsWith(text)));
  const isOnTop = () => {
    const b = element.getBoundingClientRect(), there = document.elementFromPoint(b.left + b.width / 2, b.top + b.height / 2);
    return there && (element.contains(there) || there.contains(element));
  };
  if (!element) return false;
  for (const block of ['nearest', 'center']) {
    element.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    if (!isOnTop()) continue;
    // A button does not take the focus from a pointer either; what is written in does.
    if (element.matches('a, input, select, textarea')) element.focus({ preventScroll: true });
    element.click();
    return true;
  }
  return false;
}"""

class Browser:
    running = {}

    def __init__(self, **preferences):
        os.makedirs(SCREENSHOTS, exist_ok=True)
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in [
            *([] if preferences.get("head") else ["--headless=new"]), "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            "--disable-background-networking", f"--user-data-dir={self.folder.name}", *preferences.get("flags", ()),
        ]:
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        # A home of its own is where chromium looks for roots that a person chose to trust.
        environment = {**os.environ, **({"HOME": preferences["home"]} if "home" in preferences else {})}
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver", env=environment), options=options)
        self.driver.set_script_timeout(60)

    @classmethod
    def shared(cls, **preferences):
        """One browser for a whole suite: to start another takes seconds, and each hub is an origin of its own to it."""
        name = json.dumps(preferences, sort_keys=True)
        if name not in cls.running:
            cls.running[name] = cls(**preferences)
            atexit.register(cls.running[name].close)
        return cls.running[name]

    def close(self):
        self.driver.quit()
        self.folder.cleanup()

    def leave(self):
        """Goes away from its page, with what the console has said of it."""
        self.open("about:blank")
        self.complaints()

    def forget(self, origin):
        """As if it had never been at this address."""
        self.leave()
        for verb in ("clearBrowserCookies", "clearBrowserCache"):
            self.driver.execute_cdp_cmd(f"Network.{verb}", {})
        self.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    def open(self, url):
        self.driver.get(url)

    def past_warning(self, url):
        """Opens an address whose certificate no authority signed, as a person does who knows the machine: the browser's
        warning has a word for it."""
        self.open(url)
        if self.driver.find_elements(By.ID, "details-button"):
            ActionChains(self.driver).send_keys("thisisunsafe").perform()
            self.wait("past the warning", lambda: not self.driver.find_elements(By.ID, "details-button"))

    def size(self, width, height, scale=1):
        """The viewport itself; a window cannot be made as small as a watch."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})
        self.be_styled()

    def prefer(self, **features):
        """What the device prefers, as `prefers_color_scheme="dark"`; what is not named is as usual."""
        told = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": told})
        self.be_styled()

    def be_styled(self):
        """A page may load a style sheet for its new shape or device, which it learns before the next frame."""
        self.run_async("await new Promise(requestAnimationFrame)")
        self.wait("its style sheets", lambda: self.run("return [...document.querySelectorAll('link[rel=stylesheet]')].every(link => link.sheet)"))

    def run(self, script, *words):
        return self.driver.execute_script(script, *words)

    def run_async(self, script, *words):
        """`script` is the body of an async function."""
        return self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; const words = [...arguments].slice(0, -1);"
            f"(async () => {{ {script} }})().then(done, error => done({{ error: String(error) }}))", *words)

    def keep(self, **stored):
        """What the page remembers from its next loading on."""
        for name, value in stored.items():
            self.run("localStorage.setItem('baton.' + arguments[0], JSON.stringify(arguments[1]))", name, value)

    def choose_theme(self, theme):
        """As if it had been chosen in another tab of this browser. The page shows it when its style sheet has come."""
        self.ask_for_theme(theme)
        self.wait(f"the theme {theme}", lambda: self.theme() == theme)

    def ask_for_theme(self, theme):
        self.keep(theme=theme)
        self.run("dispatchEvent(new StorageEvent('storage', { key: 'baton.theme' }))")

    def theme(self):
        return self.run("return document.documentElement.dataset.theme")

    # MARK: Looking

    def is_still(self):
        """A sheet that rises, and what plays while it grows, are not yet where they will be."""
        return self.run("return ['sheet', 'player'].every(id => !document.getElementById(id)?.getAnimations().length)")

    def is_on_top(self, selector):
        """Whether a press on the middle of an element meets it."""
        return self.run("""const element = document.querySelector(arguments[0]), b = element?.getBoundingClientRect();
          return !!b?.width && element.contains(document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2))""", selector)

    def text(self, name):
        return (self.driver.find_element(By.ID, name).get_attribute("textContent") or "").strip()

    def attribute(self, name, attribute):
        return self.driver.find_element(By.ID, name).get_attribute(attribute) or ""

    def attribute_of(self, selector, attribute):
        return self.find(selector).get_attribute(attribute)

    def label(self, name):
        return self.attribute(name, "aria-label")

    def level(self):
        digits = re.match(r"\d+", self.text("level"))
        return int(digits.group()) if digits else None

    def position_s(self):
        return int(self.attribute("seek", "aria-valuenow") or 0)

    def is_playing(self):
        return self.label("play") == "Pause"

    def is_live(self):
        return self.run("return !document.documentElement.classList.contains('away') && /^\\d+%$/.test(document.getElementById('level')?.textContent)")

    def sentence(self):
        return "" if self.run("return document.getElementById('say').hidden") else self.text("sentence")

    def titles(self):
        """The rows in sight, from top to bottom: those of a place, or of the queue where it covers the places. Top tracks of an artist are
        another list."""
        return self.run(
            "const frame = document.documentElement.classList.contains('full') ? '#face' : '#panel';"
            "return [...document.querySelectorAll(`${frame} .rows:not(.still) li:not(.heading)`)].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)"
            ".map(row => row.querySelector('b').textContent)")

    def first_look(self, address, later_s=0):
        """What an address shows before the page's own program has come: its texts, and where everything is. `later_s`: so
        much time has passed since it was open."""
        script = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {
            "source": f"if (location.href === {json.dumps(address)}) {{ const now = Date.now; Date.now = () => now() + {later_s * 1000} }}"})
        self.driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": True})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*/remote.js"]})
        try:
            self.open("about:blank")
            self.open(address)
            self.wait("a first paint", lambda: self.run("return performance.getEntriesByName('first-contentful-paint').length"))
            stale = self.run("return document.documentElement.classList.contains('stale')")
            return {"title": self.text("title"), "level": self.text("level"), "stale": stale, "boxes": self.run(BOXES)}
        finally:
            self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
            self.driver.execute_cdp_cmd("Network.setBypassServiceWorker", {"bypass": False})
            self.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
            # That something was missing was the purpose.
            self.complaints()

    def picture(self, name):
        path = os.path.join(SCREENSHOTS, f"{name}.png")
        self.driver.save_screenshot(path)
        return path

    def complaints(self):
        """What the console says since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]

    def requests(self):
        """The addresses that were asked for since last time."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    # MARK: Doing

    def press(self, name):
        """With the pointer itself, for what tells a press from a hold. What is on its way is waited for, as a finger does."""
        def pressed():
            if not self.is_still():
                return False
            try:
                self.driver.find_element(By.ID, name).click()
            except (ElementClickInterceptedException, ElementNotInteractableException):
                return False
            return True
        self.wait(f"a press on {name}", pressed)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector, text=None):
        """Waits for an element that is shown, can be pressed, and begins with `text`, and clicks it in the same step."""
        # As a press by a person, after which a browser lets a page play sound.
        press = {"expression": f"({CLICK})({json.dumps(selector)}, {json.dumps(text)})", "userGesture": True, "returnByValue": True}
        pressed = lambda: self.driver.execute_cdp_cmd("Runtime.evaluate", press)["result"]["value"]
        name = f"{selector} with “{text}”" if text else selector
        self.wait(f"a press on {name}", pressed)

    def drag(self, element, across, down, steps=8, hold=False):
        """A hand that takes its time."""
        actions = ActionChains(self.driver, duration=20).move_to_element(element).click_and_hold()
        for _ in range(steps):
            actions = actions.move_by_offset(across / steps, down / steps)
        (actions if hold else actions.release()).perform()

    def touch(self, kind, *points):
        """A finger, as `touchStart`, `touchMove` and `touchEnd`. It stays down from one call to the next."""
        self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def release(self):
        ActionChains(self.driver).release().perform()

    def wait(self, sentence, condition, limit=60):
        def now():
            # What is not there yet, or was drawn anew at that very moment, is looked for again.
            try:
                return condition()
            except (NoSuchElementException, StaleElementReferenceException):
                return None
        try:
            return wait(sentence, now, limit)
        except AssertionError as late:
            self.picture("failed")
            raise AssertionError(f"{late} The page says: {self.sentence() or 'nothing'}. Console: {self.complaints()}") from None


class SpoiledNetwork:
    """A proxy in front of a hub that can delay, lose and cut. What TCP makes of a lost packet is a pause of its retry
    time, so that is what `loss` does to a piece of the stream."""

    def __init__(self, port):
        self.target = port
        self.delay_s = 0.0
        self.loss = 0.0
        self.is_out = False
        self.carried = 0
        self.pairs = set()
        self.random = __import__("random").Random(1)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.page = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            if self.is_out:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.target), timeout=5)
            except OSError:
                near.close()
                continue
            pair = (near, far)
            self.pairs.add(pair)
            # Before either direction is carried: the side that ends first closes both.
            for end in pair:
                end.settimeout(None)
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for source, sink in (pair, pair[::-1]):
                threading.Thread(target=self.carry, args=(source, sink, pair), daemon=True).start()

    def carry(self, source, sink, pair):
        try:
            while data := source.recv(65_536):
                self.carried += len(data)
                if self.delay_s:
                    time.sleep(self.delay_s)
                if self.loss and self.random.random() < self.loss:
                    time.sleep(0.25)
                sink.sendall(data)
        except OSError:
            pass
        finally:
            self.pairs.discard(pair)
            self.end(pair)
            for link in pair:
                link.close()

    @staticmethod
    def end(pair):
        """Wakes the threads that read from either side; closing alone would leave them, and the connections, as they are."""
        for link in pair:
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for pair in list(self.pairs):
            self.end(pair)

    def close(self):
        self.listener.close()
        self.cut()
