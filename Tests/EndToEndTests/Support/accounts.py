"""Accounts at servers in tests of the page: those of a stand-in, and the hands that fill their form."""

import threading
import time

from Support.standin import Refusal, Shelf

SECRET = "sesame street 7"
# Which a user called carl is asked for besides.
CODE = "123456"
KINDS = [
    {"name": "subsonic", "title": "Subsonic", "options": [{"name": "quality", "about": "How tracks are sent: raw, or FORMAT:KBPS.", "usual": "raw"}]},
    {"name": "chadmusic", "title": "Chad Music", "login": ["apiKey"]},
]
ABLE = ["browse", "search", "pictures", "favourites", "plays", "mirror", "queue", "rescan"]


class Servers(Shelf):
    """A stand-in's shelf with accounts at servers, and rows of theirs."""

    def __init__(self):
        super().__init__()
        self.accounts, self.states, self.notes, self.secrets, self.late = {}, {}, [], {}, {}
        # Set when the rows of servers may come.
        self.others_answer = threading.Event()
        # The line of the room, where it is not the hub's.
        self.reachable, self.line = True, None
        # Sentences of the hub's about the whole of it.
        self.problems = []

    def account(self, name, title, **state):
        self.accounts[name] = {"name": name, "kind": "subsonic", "title": title, "on": True, "url": f"https://{name}.example.org", "user": "anna"}
        self.states[name] = {"state": "ok", "sinceMs": int(time.time() * 1000) - 60000, "ms": 41, "can": ABLE, "mirror": {"rows": 30412, "atMs": int(time.time() * 1000)}, **state}

    def sections(self):
        rows = [{"name": name, "kind": account["kind"], "title": account["title"], **self.states[name]} for name, account in self.accounts.items()]
        return {**super().sections(), "src": {"list": rows} if rows else None, **({"tl": self.line} if self.line else {}),
                **({"hub": {"id": "h_1", "name": "Test hub", "version": "0.1.0", "problems": self.problems}} if self.problems else {})}

    def do_source_list(self, _):
        return {"kinds": KINDS, "sources": list(self.accounts.values())}

    def do_source_add(self, p):
        if p["name"] in ("lib", "web"):
            raise Refusal("invalid_state", f"“{p['name']}” is the name of a source of the hub's own.")
        self.secrets[p["name"]] = {key: p[key] for key in ("user", "password", "apiKey", "code") if key in p}
        # The hub asks a new server by itself.
        away = {} if self.reachable else {"state": "down", "msg": "The server cannot be reached."}
        self.account(p["name"], p.get("title", p["name"]), **{"state": "checking", **away})
        self.accounts[p["name"]].update({key: p[key] for key in ("url", "kind", "user", "options") if key in p})

    def do_source_set(self, p):
        account = self.accounts[p["name"]]
        if "password" in p:
            self.secrets[p["name"]] = {key: p[key] for key in ("user", "password", "apiKey") if key in p}
        if "code" in p:
            self.secrets.setdefault(p["name"], {})["code"] = p["code"]
        account.update({key: p[key] for key in ("title", "url", "on", "options") if key in p})
        if "on" in p:
            self.states[p["name"]].update(state="ok" if p["on"] else "disabled")

    def do_source_test(self, p):
        state = self.states.get(p.get("name"), {})
        if not self.reachable:
            state.update(state="down", msg="The server cannot be reached.")
            return {"state": "down", "msg": "The server cannot be reached."}
        given = self.secrets.get(p.get("name"), p)
        if given.get("user") == "carl" and given.get("code") != CODE:
            state.update(state="down", msg="Loft asks for a code.")
            return {"state": "down", "msg": "Loft asks for a code.", "asks": "code"}
        if given.get("password") != SECRET:
            return {"state": "unconfigured", "msg": "The server does not know this user and password."}
        state.update(state="ok")
        return {"state": "ok", "ms": 41}

    def do_source_remove(self, p):
        self.accounts.pop(p["name"], None)

    def do_source_sync(self, p):
        self.states[p["name"]]["mirror"] = {"rows": 30412, "done": 1200, "total": 30412}

    def do_source_pending(self, p):
        if p.get("drop"):
            dropped, self.notes = len(self.notes), []
            self.states[p["name"]].pop("pending", None)
            return {"total": 0, "notes": [], "dropped": dropped}
        return {"total": len(self.notes), "notes": self.notes}

    def do_queue_save(self, p):
        self.states[p["source"]]["continue"] = {"title": "Idioteque", "ms": 133000, "atMs": int(time.time() * 1000)}

    def do_queue_continue(self, p):
        self.states[p["source"]].pop("continue")

    def do_lib_split(self, p):
        self.rows[p["uri"]]["places"].remove(p["from"])

    def waits(self, method, p):
        return p.get("cursor") == "late"

    def do_lib_search(self, p):
        """The hub's own rows at once; those of servers when they may come."""
        if p.get("cursor") == "late":
            self.others_answer.wait(20)
            return self.late
        found = super().do_lib_search(p)
        return {**found, "asked": list(self.late["asks"]), "cursor": "late"} if self.late else found


class SourceHands:
    """For a test with a page: what a person sees of the sources, and presses."""

    @property
    def address(self):
        return self.hub.page

    def become_admin(self):
        """As `baton web` says, and shows the settings."""
        ticket = self.home.baton("web").split("#ticket=")[1].strip()
        # With the same page before the hash nothing would be loaded.
        if self.page.driver.current_url != "about:blank":
            self.page.open("about:blank")
        self.page.open(f"{self.address}/#ticket={ticket}")
        self.page.wait("it is live", self.page.is_live)
        self.show("settings?page=library")
        self.page.wait("the sources of an admin", lambda: self.page.run("return document.getElementById('sourceadd')?.checkVisibility()"))

    def sources(self):
        return self.page.find("#sources").text

    def scrolled(self, selector):
        element = self.page.wait(selector, lambda: self.page.is_still() and self.page.driver.find_elements("css selector", selector))[0]
        self.page.run("arguments[0].scrollIntoView({ block: 'center' })", element)
        return element

    def press(self, selector):
        self.page.click(selector)

    def sheet(self, text):
        """A line of the open sheet."""
        self.page.click("#sheet button", text)

    def menu(self, name):
        self.press(f"#sources [data-source={name}]")
        self.page.wait("its menu", lambda: self.page.driver.find_elements("css selector", "#sheet [data-do=test]"))

    def type(self, name, words):
        field = self.scrolled(f"#sheet [data-at={name}]")
        self.page.run("arguments[0].value = ''", field)
        field.send_keys(words)

    def wrong(self, name):
        return self.page.run("return document.getElementById(`source-${arguments[0]}-wrong`)?.textContent", name)

    def is_open(self):
        return self.page.run("return document.getElementById('sheet').open")

    def small(self, title):
        return self.page.run("""const frame = document.documentElement.classList.contains('full') ? '#face' : '#panel';
          return [...document.querySelectorAll(`${frame} .rows li:not(.heading)`)].find(row => row.querySelector('b').textContent === arguments[0])
          ?.querySelector('small').textContent""", title)
