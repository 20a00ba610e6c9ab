"""A library of 30,000 albums, which a stand-in answers at once, so that the page is what is measured: frames of the grid while it scrolls,
from the tap on a shelf to its first cover, and from a letter to its results."""
import statistics

from pagebench import stage
from Support.standin import Shelf, StandIn

ALBUMS, PASSES = 30_000, 5
REFRESH = 1000 / 60

# The times at which frames began while the grid was scrolled through at a steady pace: a frame that is left out is twice as long.
SCROLL = """
  const scroller = document.querySelector('.shelves .scroller'), times = [];
  for (let n = 0; n < 150; n++) {
    times.push(await new Promise(requestAnimationFrame));
    scroller.scrollTop += 40;
  }
  return times.slice(1).map((time, n) => time - times[n]).slice(20)"""
# From a press or a letter to the frame that shows what came of it.
UNTIL = """
  const [what, letter] = words, field = document.getElementById('find'), began = performance.now(), before = document.querySelector('.rows')?.textContent;
  const shows = () => letter ? document.querySelector('.rows').textContent !== before && document.querySelector('.rows .row') : document.querySelector('.grid .tile');
  if (letter) { field.value += letter; field.dispatchEvent(new InputEvent('input', { bubbles: true })) } else document.querySelector(what).click();
  while (!shows()) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - began"""

# The same elements put there again as they are, and shown: what the browser itself takes for them on this machine.
FLOOR = """
  const list = document.querySelector(words[0]), copies = [...list.children].map(element => element.cloneNode(true));
  list.replaceChildren();
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const began = performance.now();
  list.replaceChildren(...copies);
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return performance.now() - began"""


class Library(Shelf):
    """Answers at once."""
    def do_lib_browse(self, p):
        there, first, limit = self.inside.get(p.get("node")), int(p.get("from", 0)), p.get("limit", 80)
        if there is None:
            return super().do_lib_browse(p)
        return {"rows": [self.rows[uri] for uri in there[first:first + limit]], "total": len(there), "node": self.rows[p["node"]]}

    def do_lib_search(self, p):
        albums = self.inside["lib:shelf/albums"]
        return {"rows": [self.rows[albums[(len(p["q"]) * 1000 + place) % len(albums)]] for place in range(p.get("limit", 80))]}


def library():
    shelf = Library()
    for number in range(ALBUMS):
        shelf.album(f"{chr(65 + number * 26 // ALBUMS)}lbum {number}", f"Artist {number % 997}", 1960 + number % 60, ["One"], art=number % 5 != 0)
    return shelf


def browsing():
    with stage.set_up() as it:
        stand = StandIn(it.hub.port, library())
        it.shape("phone")
        found = {}
        try:
            for name, times in (("unslowed", 1), ("slowed", stage.SLOW)):
                with it.slowed(times):
                    found |= {f"{what} {name}": value for what, value in once(it, stand).items()}
        finally:
            it.page.leave()
            stand.close()
    return found


def once(it, stand):
    taps, letters, frames, floors = [], [], [], ([], [])
    for _ in range(PASSES):
        it.page.open("about:blank")
        it.visit(stand.page + "/#/library")
        it.page.wait("the shelves", lambda: "Albums" in it.page.titles())
        taps.append(it.page.run_async(UNTIL, "[aria-label='Open Albums']"))
        frames += it.page.run_async(SCROLL)
        floors[0].append(it.page.run_async(FLOOR, ".grid"))
        it.page.run("location.hash = '#/search'")
        it.page.wait("the search", lambda: it.page.driver.find_elements("id", "find"))
        letters += [it.page.run_async(UNTIL, None, letter) for letter in "123"]
        floors[1].append(it.page.run_async(FLOOR, ".rows"))
    # The browser rounds times to a tenth of a ms; a frame lasts a whole number of refreshes of the screen.
    frames = [round(frame / REFRESH) * REFRESH for frame in frames]
    return {"frame": statistics.quantiles(frames, n=20)[18], "longest": max(frames), "tap": statistics.median(taps), "letter": statistics.median(letters),
            "tap floor": statistics.median(floors[0]), "letter floor": statistics.median(floors[1])}
