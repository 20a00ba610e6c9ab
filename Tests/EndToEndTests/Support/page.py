#!/usr/bin/python3
"""Drives the page of a running hub in headless Chromium, as a person would.

    page.py URL OUTDIR

Opens the page, waits until it is live, presses play, watches the title and the position, skips, turns the volume
up, and leaves screenshots in OUTDIR. The hub needs at least two entries in its queue, and must not be playing its
last one. Prints one line of JSON with what was seen; on failure, a sentence and an exit code other than 0.
"""

import base64
import hashlib
import json
import os
import re
import sys
import tempfile
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SIZES = [(184, 224), (360, 640), (1024, 700)]
LIMIT_S = 10


class Failure(Exception):
    """A sentence about what the page did not do."""


def check_policy(url):
    """The policy must name the very style and script that were served."""
    with urllib.request.urlopen(url, timeout=LIMIT_S) as answer:
        policy = answer.headers.get("content-security-policy", "")
        document = answer.read()
    for kind, pattern in [("script", rb"<script[^>]*>(.*?)</script>"), ("style", rb"<style[^>]*>(.*?)</style>")]:
        parts = re.findall(pattern, document, re.S)
        if len(parts) != 1:
            raise Failure(f"The page has {len(parts)} {kind} elements, not one.")
        wanted = "sha256-" + base64.b64encode(hashlib.sha256(parts[0]).digest()).decode()
        if wanted not in policy:
            raise Failure(f"The policy does not name the {kind} that was served; its hash is '{wanted}'.")
    return len(document)


def start_browser(folder):
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for flag in [
        "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
        "--hide-scrollbars", f"--user-data-dir={folder}",
    ]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def resize(driver, width, height):
    """The viewport itself; a window cannot be made as small as a watch."""
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


class Page:
    def __init__(self, driver):
        self.driver = driver

    def text(self, name):
        return self.driver.find_element(By.ID, name).get_attribute("textContent").strip()

    def label(self, name):
        return self.driver.find_element(By.ID, name).get_attribute("aria-label") or ""

    def press(self, name):
        self.driver.find_element(By.ID, name).click()

    def level(self):
        digits = re.match(r"\d+", self.text("level"))
        return int(digits.group()) if digits else None

    def position_s(self):
        return int(self.driver.find_element(By.ID, "ring").get_attribute("aria-valuenow") or 0)

    def wait(self, sentence, condition):
        """Waits for `condition`, and fails with `sentence`."""
        try:
            return WebDriverWait(self.driver, LIMIT_S, poll_frequency=0.05).until(lambda _: condition())
        except TimeoutException:
            said = self.text("say")
            raise Failure(sentence + (f" The page says: {said}" if said else "")) from None

    def overflow(self):
        return self.driver.execute_script(
            "const r = document.documentElement; return r.scrollHeight > innerHeight || r.scrollWidth > innerWidth ||"
            " [...document.querySelectorAll('button')].some(b => { const x = b.getBoundingClientRect();"
            " return x.width && (x.left < -.5 || x.top < -.5 || x.right > innerWidth + .5 || x.bottom > innerHeight + .5) })")


def drive(driver, url, outdir):
    page, seen = Page(driver), {}
    resize(driver, *SIZES[0])
    driver.get(url)

    page.wait("The page did not hear from the hub: no volume is shown.", lambda: page.level() is not None)
    seen["room"] = page.text("room")
    seen["title"] = page.text("title")
    if seen["title"] in ("", "Baton", "No music"):
        raise Failure("The page shows no title, so the hub's queue is empty.")

    if page.label("play") == "Play":
        page.press("play")
    page.wait("The button did not turn to pause after play was pressed.", lambda: page.label("play") == "Pause")
    start = page.position_s()
    page.wait("The position does not move while the room plays.", lambda: page.position_s() >= start + 2)
    seen["moved_s"] = page.position_s() - start

    # A title may stand twice in a queue, but not with the same position.
    page.press("next")
    page.wait(
        "Next brought no other title within its time.",
        lambda: page.text("title") != seen["title"] or page.position_s() < start + 1)
    seen["next"] = page.text("title")
    begun = page.position_s()
    page.wait("After next the position stands still; did the queue end there?", lambda: page.position_s() >= begun + 1)

    seen["level"] = page.level()
    page.press("more")
    page.wait("The volume did not rise.", lambda: page.level() > seen["level"])
    seen["louder"] = page.level()
    # The finger's number gives way to the hub's when the gesture is over; both must be the same. A second
    # page starts from the hub's alone.
    driver.execute_script("localStorage.clear(); window.onpagehide = null; location.reload()")
    page.wait("The page did not come back after a reload.", lambda: page.level() is not None)
    if page.level() != seen["louder"]:
        raise Failure(f"The volume went to {seen['louder']} on the page, but the hub says {page.level()}.")

    seen["screenshots"] = []
    for width, height in SIZES:
        resize(driver, width, height)
        page.wait(f"The page overflows at {width}x{height}.", lambda: not page.overflow())
        path = os.path.join(outdir, f"page-{width}x{height}.png")
        driver.save_screenshot(path)
        seen["screenshots"].append(path)

    page.press("play")
    page.wait("The button did not turn to play after pause was pressed.", lambda: page.label("play") == "Play")
    return seen


def complaints(driver):
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def main():
    if len(sys.argv) != 3:
        sys.exit("Usage: page.py URL OUTDIR")
    url, outdir = sys.argv[1:]
    os.makedirs(outdir, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        driver = None
        try:
            size = check_policy(url)
            driver = start_browser(folder)
            seen = drive(driver, url, outdir)
            seen["bytes"] = size
            errors = complaints(driver)
            if errors:
                raise Failure("The browser's console is not clean: " + " | ".join(errors))
            print(json.dumps(seen, ensure_ascii=False))
        except (Failure, OSError, WebDriverException) as failure:
            if driver:
                driver.save_screenshot(os.path.join(outdir, "page-failed.png"))
                failure = f"{failure} Console: {complaints(driver)}" if complaints(driver) else failure
            sys.exit(f"page.py: {failure}")
        finally:
            if driver:
                driver.quit()


if __name__ == "__main__":
    main()
