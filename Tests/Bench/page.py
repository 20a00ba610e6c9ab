#!/usr/bin/python3
"""What the page costs and how soon it is there, in headless Chromium: one table, exit 1 when a bar fails.

  page.py [--secs 60] [--rounds 1] [--themes aura,pixel,cat] [--paints 9] [--albums 30000]

Drawing is the CPU time of the browser's renderer and GPU processes while a track of four minutes plays, with its cover
on the page, minus what the Plain theme took in the same round. First paint is the browser's own first-contentful-paint from the start of the
navigation, with a warm cache and the last state stored: over plain HTTP, and over TLS behind a certificate that was
clicked through. Browsing is measured in a library of `--albums` albums, which a stand-in answers, on the processor as it is and slowed four times:
the time of a frame while the grid scrolls, from the tap on a shelf to its first cover, and from a letter to its results. Nothing else should run on the machine; BATON_BIN names the folder of the binaries.
"""

import argparse
import json
import os
import re
import statistics
import sys
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../EndToEndTests/Support"), os.path.join(HERE, "../EndToEndTests")]
from browser import Browser  # noqa: E402
from hubs import Home, Hub  # noqa: E402
from page_queue import tone  # noqa: E402
from standin import Shelf, StandIn  # noqa: E402

COST, PAINT_MS, LIVE_MS = 2.0, 100.0, 1000.0
# A frame of the scrolling grid at the 95th percentile, by how much the processor is slowed; a tap to its first row; a letter to its results.
FRAME_MS, TAP_MS, LETTER_MS = {1: 16.7, 4: 33.0}, 120.0, 100.0
SHAPES = {"phone": (360, 640), "desktop": (1280, 800)}


def drawing_s(page):
    """CPU time of the browser's processes that draw."""
    ticks = 0
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline") as words, open(f"/proc/{number}/stat") as stat:
                line = words.read()
                if page.folder.name in line and ("--type=renderer" in line or "--type=gpu-process" in line):
                    ticks += sum(map(int, stat.read().rsplit(")", 1)[1].split()[11:13]))
        except OSError:
            continue
    return ticks / os.sysconf("SC_CLK_TCK")


def visit(page, address):
    page.open(address)
    page.wait("the page is live", page.is_live)


def cost(page, address, theme, shape, secs):
    """Per cent of a core while it plays."""
    page.size(*SHAPES[shape])
    page.keep(theme=theme, panel="playing")
    visit(page, address)
    page.wait("it plays", page.is_playing)
    page.wait("the cover is there", lambda: page.run("return document.querySelector('#art img')?.naturalWidth"))
    time.sleep(4)
    before, began = drawing_s(page), time.monotonic()
    time.sleep(secs)
    return 100 * (drawing_s(page) - before) / (time.monotonic() - began)


def first_paint(page, address, count):
    """Milliseconds until the last state is on the screen, and until the page is live, opened anew each time."""
    page.size(*SHAPES["phone"])
    page.keep(theme="aura", panel="playing")
    paints, lives = [], []
    for round in range(count + 2):
        visit(page, address)
        paint = page.wait("a first paint", lambda: page.run("return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"))
        # The first two fill the caches.
        if round >= 2:
            paints.append(paint)
            lives.append(page.run("return performance.getEntriesByName('live')[0].startTime"))
        page.open("about:blank")
        time.sleep(0.5)
    return paints, lives


def paired(page, home, hub):
    """Lets the browser in by the code, past the warning."""
    address = re.search(r"network (https://\S+)/", Hub.text(hub.said))[1]
    pin = json.loads(home.baton("pair", "--open", "--json"))["pin"]
    page.past_warning(address + "/")
    page.find("[name=pin]").send_keys(pin)
    page.find("button").click()
    page.wait("the page is live", page.is_live)
    return address + "/"


# How long each frame took while the grid was scrolled through at a steady pace.
SCROLL = """
  const scroller = document.querySelector('.shelves .scroller'), times = [];
  let last = performance.now();
  for (let n = 0; n < 150; n++) {
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    times.push(now - last);
    last = now;
    scroller.scrollTop += 40;
  }
  return times.slice(20)"""
# From a press or a letter to the frame that shows what came of it.
UNTIL = """
  const [what, letter] = words, field = document.getElementById('find'), began = performance.now(), before = document.querySelector('.rows')?.textContent;
  if (letter) { field.value += letter; field.dispatchEvent(new InputEvent('input', { bubbles: true })) } else document.querySelector(what).click();
  while (letter ? document.querySelector('.rows').textContent === before || !document.querySelector('.rows .row') : !document.querySelector('.grid .tile')) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - began"""


class Library(Shelf):
    """Answers at once, so that the page is what is measured."""

    def do_lib_browse(self, p):
        there, first, limit = self.inside.get(p.get("node")), int(p.get("from", 0)), p.get("limit", 80)
        if there is None:
            return super().do_lib_browse(p)
        return {"rows": [self.rows[uri] for uri in there[first:first + limit]], "total": len(there), "node": self.rows[p["node"]]}

    def do_lib_search(self, p):
        albums = self.inside["lib:shelf/albums"]
        return {"rows": [self.rows[albums[(len(p["q"]) * 1000 + place) % len(albums)]] for place in range(p.get("limit", 80))]}


def browsing(page, hub, albums):
    """Yields rows of the table."""
    shelf = Library()
    for number in range(albums):
        shelf.album(f"{chr(65 + number * 26 // albums)}lbum {number}", f"Artist {number % 997}", 1960 + number % 60, ["One"], art=number % 5 != 0)
    stand = StandIn(hub.port, shelf)
    page.size(*SHAPES["phone"])
    for slowed in (1, 4):
        page.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": slowed})
        taps, letters, frames = [], [], []
        for _ in range(5):
            page.open("about:blank")
            visit(page, stand.page + "/#/library")
            page.wait("the shelves", lambda: "Albums" in page.titles())
            taps.append(page.run_async(UNTIL, "[aria-label='Open Albums']"))
            frames += page.run_async(SCROLL)
            page.run("location.hash = '#/library'")
            page.wait("the shelves", lambda: "Albums" in page.titles())
            letters += [page.run_async(UNTIL, None, letter) for letter in "123"]
        name = f"{albums:,} albums, {'slowed four times' if slowed > 1 else 'not slowed'}"
        yield row(f"a frame of the grid, p95, {name}", statistics.quantiles(frames, n=20)[18], FRAME_MS[slowed], "ms")
        yield row(f"tap to the first cover, median, {name}", statistics.median(taps), TAP_MS, "ms")
        yield row(f"letter to results, median, {name}", statistics.median(letters), LETTER_MS, "ms")
    page.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})
    page.leave()
    stand.close()


def row(what, value, bar, unit):
    verdict = "pass" if value <= bar else "FAIL"
    print(f"| {what} | {value:.1f} {unit} | at most {bar:.0f} {unit} | {verdict} |", flush=True)
    return verdict == "pass"


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--secs", type=float, default=60)
    p.add_argument("--rounds", type=int, default=1)
    p.add_argument("--paints", type=int, default=9)
    p.add_argument("--albums", type=int, default=30000)
    p.add_argument("--themes", default="aura,pixel,cat")
    p.add_argument("--shapes", default="phone,desktop")
    a = p.parse_args()
    home = Home()
    tone(f"{home.music}/song.wav", "A song of four minutes", 240)
    home.run("ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=s=900x900", "-frames:v", "1", f"{home.music}/cover.jpg")
    hub = Hub(home, "--audio", "null")
    page = Browser()
    good = []
    try:
        home.baton("scan", "--wait")
        home.baton("queue", "add", f"{home.music}/song.wav")
        home.baton("mode", "repeat-one")
        address = hub.page + "/"
        visit(page, address)
        if a.paints:
            for name, there in (("plain HTTP", address), ("TLS, clicked through", None)):
                paints, lives = first_paint(page, there or paired(page, home, hub), a.paints)
                print(f"first paint, {name}: {[round(t) for t in paints]} ms")
                good.append(row(f"first paint, {name}, median", statistics.median(paints), PAINT_MS, "ms"))
                good.append(row(f"live, {name}, median", statistics.median(lives), LIVE_MS, "ms"))
        if a.albums:
            good += browsing(page, hub, a.albums)
        home.baton("play")
        visit(page, address)
        for shape in filter(None, a.shapes.split(",")):
            seen = {}
            for _ in range(a.rounds):
                for theme in ["plain", *a.themes.split(",")]:
                    seen.setdefault(theme, []).append(cost(page, address, theme, shape, a.secs))
            plain = statistics.median(seen["plain"])
            print(f"drawing, {shape}, % of a core: " + ", ".join(f"{theme} {statistics.median(found):.2f}" for theme, found in seen.items()))
            for theme in a.themes.split(","):
                good.append(row(f"drawing, {shape}, {theme} above plain", statistics.median(seen[theme]) - plain, COST, "%"))
    finally:
        page.close()
        hub.kill()
        home.close()
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
