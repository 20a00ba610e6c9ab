"""All screens of the page, how each is reached, and a hub with something to show on each of them.

Suites that look at every screen (accessibility, layout, pictures) share this list, so that a new screen is added in one place.
"""

import dataclasses
import json
import re

from selenium.webdriver.common.keys import Keys

from Support.covers import cover
from Support.hubs import IS_SLOW, Hub, wait
from Support.pagecase import PageCase
from Support.standin import Shelf, share

THEMES = ["night", "aura", "pixel", "cat", "plain"]
FORMS = ["dark", "light"]
# Width, height, and the shape that the address names.
SHAPES = {"watch": (184, 224, ""), "round": (192, 192, "round"), "phone": (390, 844, ""), "desktop": (1280, 800, ""), "wall": (1920, 1080, "")}
PANELS = ("phone", "desktop", "wall")
TRACKS = ["Harbour Lights", "Slow Train South", "The Long Way to the Sea", "A Window in Winter", "Seven Rivers"]
ALBUMS = [
    ("Tall Grass", "Ida Ferro", 2004), ("The Weather Inside", "Ida Ferro and the Northern Quartet", 2011), ("Lanterns", "Mala Vey", 2019),
    ("A title that is much longer than any screen is wide, and goes on", "Various Artists", 1987), ("Night Buses", "Osk", 2022)]


@dataclasses.dataclass(frozen=True)
class Screen:
    """`address` is the part behind `#/`, `ready` a selector that is there when the screen is. `keys` open what has no address, and
    `press` are selectors of what is pressed for it, one after the other. `see` is scrolled into sight."""
    name: str
    address: str
    ready: str
    press: tuple = ()
    keys: str = ""
    shapes: tuple = PANELS
    see: str = ""


SCREENS = [
    Screen("playing", "playing", "#level", shapes=("watch", "round", *PANELS)),
    Screen("home", "home", ".home:not(.waiting) .tile"),
    Screen("library", "library", ".rows [data-do=main]"),
    Screen("find", "search", "#find"),
    Screen("albums", "library?at=lib:shelf/albums", ".rows.grid .tile .art"),
    Screen("tracks", "library?at=lib:shelf/tracks", ".rows [data-do=more]"),
    Screen("album", "library?at=lib:album/2", ".placehead"),
    Screen("artist", "library?at=lib:artist/1", ".placehead"),
    Screen("search", "search?q=a", ".rows .heading"),
    Screen("lists", "lists", "#newlist"),
    Screen("list", "lists?list=l1", "[data-do=list]:not([hidden])"),
    Screen("presets", "presets", ".preset"),
    Screen("lyrics", "lyrics", ".words button"),
    Screen("queue", "queue", ".rows li"),
    Screen("rooms", "rooms", ".roomlevel"),
    Screen("people", "people", ".person"),
    Screen("settings", "settings", ".pages .act"),
    Screen("account", "settings?page=account", "#account"),
    Screen("device", "settings?page=device", "#devicename"),
    Screen("roomsettings", "settings?page=rooms", "#roomtitle"),
    Screen("sources", "settings?page=library", "#sourceadd"),
    Screen("server", "settings?page=library", "#sheet .serverform", press=("#sourceadd",)),
    Screen("devices", "settings?page=devices", "#letin"),
    Screen("pairing", "settings?page=devices", "#sheet #code", press=("#letin",)),
    Screen("setup", "setup", ".setup [data-at=folder]"),
    Screen("chooser", "setup", "#sheet [data-do=addthis]", press=("[data-do=choose]", "#sheet [data-do=look]")),
    Screen("look", "settings?page=look", ".swatch"),
    Screen("about", "settings?page=about", ".facts dt"),
    Screen("playon", "playing", "#sheet #listenhere", press=("#room",)),
    Screen("roommenu", "rooms", "#sheet[open] .act", press=(".card [data-do=more]",)),
    Screen("radio", "radio", ".rows [data-do=main]"),
    Screen("recordat", "radio", "#sheet [data-at=minutes]", press=("#panel .rows [data-do=more]", "#sheet [data-do=recordat]")),
    Screen("heard", "heard", ".heard .note"),
    Screen("kept", "kept", ".keeping .switch"),
    Screen("imagine", "imagine", ".imagine .worker"),
    Screen("piece", "imagine", "#sheet .facts", press=(".imagine [data-do=more]",)),
    Screen("clips", "imagine", ".clips .cell[data-st=empty]", see=".clips"),
    Screen("clip", "imagine", "#sheet [data-at=bars]", press=("[data-cell=bass1]",)),
    Screen("nowmenu", "playing", "#stop", press=("#nowmenu",)),
    Screen("rowmenu", "library?at=lib:album/2", "#sheet[open] .act", press=("#panel .rows [data-do=more]",)),
    Screen("keys", "playing", "#sheet kbd", keys="?"),
    Screen("watchmenu", "playing", "#sheet[open] .card", press=("#open",), shapes=("watch", "round")),
    Screen("watchpresets", "playing", ".watchtiles", press=("#open", ".watchmenu > button:nth-of-type(2)"), shapes=("watch", "round")),
]


def before_themes():
    return THEMES if IS_SLOW else THEMES[:2]


class PaintedShelf(Shelf):
    def paint(self, name, width, height):
        return cover(name, width, height)


class ScreenCase(PageCase):
    """A hub with two rooms, albums with covers, a list and lyrics, and a page that goes from screen to screen."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        share(cls)
        cls.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": "room.create", "k": "kitchen", "p": {"name": "Kitchen"}}))
        cls.command("radio.edit", key="stations", add=[
            {"title": "Harbour FM", "url": "https://radio.example/harbour", "picture": "https://radio.example/harbour.png", "country": "Norway",
             "tags": ["jazz", "news"]},
            {"title": "Nordlicht", "url": "https://radio.example/nordlicht", "country": "Germany", "language": "German"}])
        cls.command("radio.edit", key="preset", star=cls.command("radio.list", find="harbour")["d"]["stations"][0]["uri"])
        cls.command("job.start", key="piece", kind="generation", text="slow piano for rain /duration 10", at="none")
        cls.command("clips.start", key="session", text="slow piano", name="Night")
        cls.command("clips.add", key="clip", layer="rhythm", bars=1)
        wait("the piece", lambda: all("end" in job for job in cls.jobs()))
        cls.accounts = cls.raw("source.list")["d"]

    @classmethod
    def jobs(cls):
        return cls.command("job.list")["d"]["jobs"]

    shelf_kind = PaintedShelf

    def setUp(self):
        # An admin sees every setting.
        self.page.open(f"{self.stand.page}/still")
        ticket = self.home.baton("web").split("#ticket=")[1].strip()
        self.page.run("sessionStorage.setItem('baton.ticket', arguments[0])", ticket)
        shelf = self.stand.shelf = self.shelf_kind()
        shelf.do_source_list = lambda p: self.accounts
        tracks = [row["title"] for row in self.album]
        shelf.album(self.album[0]["album"], self.album[0]["artists"][0], 1999, tracks, [row["uri"] for row in self.album])
        for title, artist, year in ALBUMS:
            shelf.album(title, artist, year, TRACKS)
        shelf.artist("Ida Ferro", ["lib:album/2", "lib:album/3"])
        shelf.do_pl_create({"name": "Sunday", "uris": ["lib:album/1"]})
        shelf.do_fav_set({"uri": "lib:album/2", "on": True})
        self.addCleanup(self.page.leave)
        super().setUp()

    def visit(self, query="", page=None):
        super().visit(query, page or self.stand.page)

    def take_shape(self, shape):
        """Loads the page in another shape."""
        width, height, query = SHAPES[shape]
        self.page.size(width, height)
        self.visit(f"?shape={query}" if query else "")

    def reach(self, screen):
        """Goes to a screen as a link of the page would, and waits until it is there."""
        self.close_sheet()
        self.go(screen.address)
        there = lambda selector: self.page.run(
            "return [...document.querySelectorAll(arguments[0])].some(e => e.checkVisibility() && e.getBoundingClientRect().width)", selector)
        for selector in screen.press:
            self.page.wait(selector, lambda selector=selector: there(selector))
            self.page.run("[...document.querySelectorAll(arguments[0])].find(e => e.checkVisibility()).click()", selector)
        if screen.keys:
            self.page.find("body").send_keys(screen.keys)
        self.page.wait(f"{screen.name}: {screen.ready}", lambda: there(screen.ready))
        self.page.wait(f"{screen.name} is where it will be", self.page.is_still)
        if screen.see:
            self.page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", screen.see)

    def go(self, address):
        self.page.run("location.hash = '#/' + arguments[0]", address)

    def close_sheet(self):
        if self.page.run("return document.getElementById('sheet').open"):
            self.page.find("#sheet").send_keys(Keys.ESCAPE)
            self.page.wait("the sheet is closed", lambda: not self.page.run("return document.getElementById('sheet').open || history.state?.isSheet"))

    def before_pairing(self):
        """Shows each page that comes before the remote, and gives its name: in every theme with BATON_SLOW=1, else in two."""
        address = re.search(r"network (https://\S+)/", Hub.text(self.hub.said))[1]
        self.page.size(*SHAPES["phone"][:2])
        self.page.past_warning(address + "/")
        for theme in before_themes():
            self.page.driver.add_cookie({"name": "baton-theme", "value": theme, "path": "/"})
            self.page.open(address + "/")
            yield f"pair-{theme}"
            self.page.find("[name=pin]").send_keys("000000")
            self.page.find("[name=name]").send_keys("Hall tablet")
            self.page.click("button")
            self.page.wait("the reason", lambda: self.page.driver.find_elements("css selector", "[role=alert]"))
            yield f"pair-{theme}-refused"
            self.page.open(address + "/trust")
            yield f"trust-{theme}"
        # That the browser was refused was the purpose.
        self.page.complaints()

    @staticmethod
    def screens(shape):
        return [screen for screen in SCREENS if shape in screen.shapes]
