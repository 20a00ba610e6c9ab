"""The run of the page's parts, and their table."""
import report
import rounds
from pagebench import browsing, drawing, paints

JOBS = {
    "cold": paints.cold, "warm": paints.warm, "bytes": paints.first_load, "unused": paints.unused, "moves": paints.moves,
    "grid": browsing.browsing, "phone": lambda: drawing.drawing("phone"), "desktop": lambda: drawing.drawing("desktop"),
}


def run(times, only=None):
    rounds.run("page", JOBS, times, only)


def bars(rows):
    """-> [(what, unit, ours, its reference, the reference's value, kind of bar, limit)]"""
    middle = rounds.middles(rows)
    row = lambda what, unit, value, limit: (what, unit, value, "–", None, "at most", limit)
    return [
        row("first paint, cold, slowed", "ms", middle("cold", "paint"), 350),
        row("live after the first paint, cold, slowed", "ms", middle("cold", "after"), 150),
        row("first paint, warm, slowed", "ms", middle("warm", "paint"), 100),
        row("first paint, warm, TLS behind a warning, not slowed", "ms", middle("warm", "tls"), 100),
        # Two refreshes of the screen, and one.
        row(f"a frame of the grid of {browsing.ALBUMS:,}, p95, slowed", "ms", middle("grid", "frame slowed"), 33.4),
        row(f"a frame of the grid of {browsing.ALBUMS:,}, p95, not slowed", "ms", middle("grid", "frame unslowed"), 16.7),
        row("tap on a shelf to its first cover, slowed", "ms", middle("grid", "tap slowed"), 120),
        row("letter to results, slowed", "ms", middle("grid", "letter slowed"), 100),
        *(row(f"drawing, {shape}, {theme} above plain", "% of a core", middle(shape, theme), 2)
          for shape in ("phone", "desktop") for theme in drawing.THEMES[1:]),
        row("layout shift of a load, slowed", "", middle("moves", "load"), .02),
        row("layout shift of a place, slowed", "", middle("moves", "places"), .02),
        row("scripts and styles of a first load that are not used", "%", middle("unused", "percent"), 25),
        row("text of a first load, with its heads", "KB", middle("bytes", "text"), 90),
    ]


def notes(rows):
    middle = rounds.middles(rows)
    new = middle("warm", "new")
    floors = [middle("warm", "floor"), middle("grid", "tap floor slowed"), middle("grid", "letter floor slowed")]
    if any(floors):
        yield ("What the browser itself takes here, slowed: {} ms to the first paint of a line of text, {} ms to show the covers of a tap again as they are,"
               " {} ms the results of a letter.").format(*(report.num(floor) for floor in floors))
    if new:
        yield f"First paint, warm, slowed, in a process that begins with the visit: {report.num(new)} ms."
    worst = next((r["worst"] for r in rounds.whole(rows, "unused")), None)
    if worst:
        yield f"Not used of all that was loaded, when each place was shown: {report.num(middle('unused', 'walk'))} %."
        yield "Bytes that were not used: " + ", ".join(f"{name} {unused:,} of {size:,}" for name, (unused, size) in worst.items()) + "."


def table(d):
    """Prints the table; -> whether every bar holds"""
    return rounds.table("page", "The page in Chromium", bars, d, notes)
