"""What each theme draws while a track plays, above the theme Plain in the same round: CPU time of the browser's renderer and GPU processes.

The processor is not slowed here: Chromium slows it by turning in circles, which would count as drawing."""
import os, time

from pagebench import stage

THEMES, SECONDS = ("plain", "night", "aura", "pixel", "cat"), 40


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


def percent(it, theme):
    """Of a core, while it plays."""
    it.page.keep(theme=theme, panel="playing")
    it.visit()
    it.page.wait("it plays", it.page.is_playing)
    it.page.wait("the cover is there", lambda: it.page.run("return document.querySelector('#art img')?.naturalWidth"))
    time.sleep(4)
    before, began = drawing_s(it.page), time.monotonic()
    time.sleep(SECONDS)
    return 100 * (drawing_s(it.page) - before) / (time.monotonic() - began)


def drawing(shape):
    with stage.set_up() as it:
        it.shape(shape)
        it.home.baton("play")
        it.visit()
        found = {theme: percent(it, theme) for theme in THEMES}
    return {theme: value - found["plain"] for theme, value in found.items() if theme != "plain"} | {"plain itself": found["plain"]}
