# deploy/test: tier 2, judges Sources/Web.
"""Users on the page: a person makes an account, signs in and out, shares lists and saves all data; an admin lets people in, takes them out, and says whose devices and
rooms are whose."""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

from Support.hubs import main, wait

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_users.py: skipped, for there is no selenium here")
    sys.exit(77)

PASSWORD = "a long sentence"


class Users(PageCase):
    flags = (*PageCase.flags, "--signup", "open", "--guests", "listener")

    def setUp(self):
        super().setUp()
        self.show("settings?page=account")
        self.page.wait("the account", lambda: self.page.run("return document.getElementById('account')?.hidden === false"))

    def tearDown(self):
        super().tearDown()
        self.page.driver.delete_all_cookies()
        self.page.run("sessionStorage.clear()")
        self.page.keep(room="main", panel="playing")
        # Another address of the same document would leave the page to the user who is signed in.
        self.page.leave()

    def fill(self, form, *values):
        self.page.run("""
          const fields = [...document.querySelectorAll(`#${arguments[0]} input`)];
          arguments[1].forEach((value, index) => { fields[index].value = value });""", form, list(values))

    def has_signed_in(self, name):
        def shown():
            text = self.page.run("return document.getElementById('signedin')?.textContent ?? ''")
            return name in text and text
        return self.page.wait(f"{name} is signed in", shown)

    def come_back(self):
        """The page is loaded again as another user."""
        self.page.wait("it is live", self.page.is_live)
        self.show("settings?page=account")

    def sign_up(self, name):
        self.fill("signin", name, PASSWORD)
        self.page.click("#signup")
        wait("the account", lambda: self.knows(name))
        self.come_back()
        return self.has_signed_in(name)

    def knows(self, name):
        return name in self.home.baton("user")

    def test_an_account(self):
        """An account is made, left, entered again, and gets another password; no program of the page can read the cookie."""
        self.assertIn("may play, skip and queue", self.sign_up("Anna"))
        self.assertNotIn("baton-user", self.page.run("return document.cookie"))
        cookie = next(one for one in self.page.driver.get_cookies() if one["name"] == "baton-user")
        self.assertTrue(cookie["httpOnly"] and cookie["sameSite"] == "Strict", cookie)
        self.fill("password", PASSWORD, "another sentence")
        self.page.click("#password button")
        self.page.wait("it is said", lambda: "password is changed" in self.page.run("return document.getElementById('sentence').textContent"))
        self.page.picture("aura-360x640-account")
        self.page.click("#signout")
        self.page.wait("the form", lambda: self.page.run("return !document.getElementById('signedin')"))
        self.come_back()
        self.page.wait("the form", lambda: self.page.run("return !!document.getElementById('signin')"))
        self.fill("signin", "anna", "another sentence")
        self.page.click("#signin button")
        self.page.wait("another page", lambda: self.page.run("return !document.querySelector('#signin')"))
        self.come_back()
        self.has_signed_in("Anna")

    def test_a_guest(self):
        """A guest goes in by one press, and is told the role."""
        self.page.click("#enter")
        wait("the guest", lambda: self.knows("guest"))
        self.come_back()
        self.assertIn("may look", self.has_signed_in("guest"))
        self.show("home")
        self.page.wait("whom to ask for music", lambda: "Ask the person who set up this hub" in self.page.find("#panel").text)

    def become_admin(self):
        ticket = self.home.baton("web").split("#ticket=")[1].strip()
        self.page.open("about:blank")
        self.page.open(f"{self.hub.page}/#ticket={ticket}")
        self.come_back()
        self.page.wait("the users", lambda: self.page.run("return document.getElementById('users')?.hidden === false"))

    def shown(self, selector):
        return self.page.wait(selector, lambda: self.page.driver.find_elements("css selector", selector))[0]

    def tap(self, selector, times=1):
        """As a person does: in sight, and once more where the button asks."""
        for _ in range(times):
            self.page.click(selector)

    def add_ben(self):
        self.fill("useradd", "Ben", PASSWORD)
        self.page.click("#useradd button")
        self.shown("[data-user=Ben]")

    def menu_of(self, user, line):
        self.tap(f"#users [data-user={user}] [data-do=more]")
        self.tap(f"#sheet [data-do={line}]")

    def as_user(self, method, key=None, token=None, **parameters):
        """Over HTTP as the user of a token, or of the browser's cookie."""
        token = token or next(one["value"] for one in self.page.driver.get_cookies() if one["name"] == "baton-user")
        body = {"t": "cmd", "id": 1, "m": method, "p": parameters, **({"k": key} if key else {})}
        request = urllib.request.Request(self.hub.page + "/baton/cmd", json.dumps(body).encode(), {"Cookie": f"baton-user={token}"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def signed_in_elsewhere(self, name):
        """The token of another session of the user."""
        body = {"t": "cmd", "id": 1, "m": "user.signin", "k": os.urandom(6).hex(), "p": {"name": name, "password": PASSWORD}}
        with urllib.request.urlopen(self.hub.page + "/baton/user", json.dumps(body).encode(), timeout=60) as answer:
            return json.load(answer)["d"]["token"]

    def look(self, name, *selectors):
        """Pictures of all shapes and themes; nothing is cut off on a phone."""
        for selector in selectors:
            self.shown(selector)
            self.assertTrue(self.page.run("""const { left, right } = document.querySelector(arguments[0]).getBoundingClientRect();
              return left >= 0 && right <= innerWidth + 0.5""", selector), selector)
        for theme in ("aura", "night", "pixel", "cat", "plain"):
            self.page.choose_theme(theme)
            self.page.picture(f"{theme}-360x640-{name}")
        self.page.size(1280, 800)
        self.page.picture(f"plain-1280x800-{name}")
        self.page.size(184, 224)
        self.page.picture(f"plain-184x224-{name}")
        self.page.choose_theme("aura")
        self.page.size(*self.size)

    def test_menu_of_a_list(self):
        """The menu of a list comes with its content, since what it offers depends on whose list it is."""
        self.sign_up("Mila")
        made = self.as_user("pl.create", key=os.urandom(4).hex(), name="Of Mila", uris=[self.album[0]["uri"]])["d"]["id"]
        self.page.run("""const seen = window.seen = new Set();
          new MutationObserver(() => {
            const menu = document.querySelector('#panel [data-do=list]');
            if (menu?.checkVisibility()) seen.add(menu.ariaLabel);
          }).observe(document.body, { subtree: true, childList: true, attributes: true });
          location.hash = arguments[0]""", f"#/lists?list={made}")
        self.tap("#panel [data-do=list]")
        self.shown("#sheet [data-do=share]")
        self.assertEqual(self.page.run("return [...seen]"), ["Menu for Of Mila"])
        self.page.run("document.getElementById('sheet').close()")

    def test_a_shared_list(self):
        """A list of one's own is shared by a link, which opens it for others until it is revoked."""
        self.sign_up("Lena")
        made = self.as_user("pl.create", key=os.urandom(4).hex(), name="For Ben", uris=[row["uri"] for row in self.album[:2]])["d"]["id"]
        self.page.run("location.hash = arguments[0]", f"#/lists?list={made}")
        self.tap("#panel [data-do=list]")
        self.tap("#sheet [data-do=share]")
        self.assertEqual(self.shown("[data-share=private]").get_attribute("aria-checked"), "true")
        self.tap("[data-share=link]")
        first = self.shown("#sharelink").get_attribute("value")
        self.look("sharing", "#sharelink", "#sharerevoke")
        self.tap("#sharecopy")
        self.page.wait("it is said", lambda: self.page.sentence() == "Copied.")
        self.assertTrue(self.opens(first))
        self.tap("#sharerevoke")
        self.page.wait("private again", lambda: self.shown("[data-share=private]").get_attribute("aria-checked") == "true")
        self.assertFalse(self.opens(first))
        self.tap("[data-share=link]")
        second = self.page.wait("another link", lambda: (self.shown("#sharelink").get_attribute("value") != first) and self.shown("#sharelink").get_attribute("value"))
        self.assertFalse(self.opens(first))
        # Another person opens it by the address alone, and cannot change it.
        self.page.driver.delete_all_cookies()
        self.page.open("about:blank")
        self.page.open(second)
        self.page.wait("its rows", lambda: len(self.page.driver.find_elements("css selector", "#panel .rows li .row")) == 2)
        self.page.wait("whose it is", lambda: "of Lena" in self.page.find("#panel .count").text)
        self.assertFalse(self.page.find("#panel [data-do=list]").is_displayed())
        self.assertEqual(self.page.driver.find_elements("css selector", "#panel [data-do=move]"), [])
        self.page.picture("aura-360x640-shared")
        self.tap("#panel .rows li:nth-child(2) .row")
        self.reaches("it plays from there", lambda status: status["title"] == self.album[1]["title"])

    def opens(self, address):
        """Whether others see the list of this address."""
        place = dict(urllib.parse.parse_qsl(address.split("?")[1]))
        try:
            return self.command("pl.get", id=place["list"], link=place["link"])["ok"]
        except urllib.error.HTTPError:
            return False

    def test_sessions_and_data(self):
        """A user sees where else the account is signed in and ends it there, and saves all data as a file."""
        self.sign_up("Mia")
        other = self.signed_in_elsewhere("Mia")
        self.as_user("fav.set", uri=self.album[0]["uri"], on=True)
        self.tap("#signedinat")
        cards = self.page.wait("both", lambda: len(found := self.page.driver.find_elements("css selector", "#sessions [data-session]")) == 2 and self.page.is_still() and found)
        self.assertEqual(sum("This browser" in card.text for card in cards), 1)
        self.look("sessions", "#sessions button")
        self.tap("#sessions button", 2)
        self.page.wait("one is left", lambda: len(self.page.driver.find_elements("css selector", "#sessions [data-session]")) == 1)
        self.assertNotIn("user", self.as_user("user.me", token=other)["d"])
        self.assertEqual(self.as_user("user.me")["d"]["user"], "Mia")
        self.page.run("document.getElementById('sheet').close()")
        self.page.run("""window.saved = []; const make = URL.createObjectURL;
          HTMLAnchorElement.prototype.click = function () { saved.push(this.download) };
          URL.createObjectURL = blob => { blob.text().then(text => saved.push(text)); return make(blob) }""")
        self.tap("#export")
        name, text = self.page.wait("the file", lambda: len(found := self.page.run("return saved")) == 2 and sorted(found, key=len))
        self.assertEqual(name, "baton-Mia.json")
        rows = json.loads(text)["rows"]
        self.assertEqual((rows[0]["kind"], rows[0]["name"]), ("user", "Mia"))
        self.assertIn(self.album[0]["uri"], [row.get("uri") for row in rows])

    def test_devices_and_marks(self):
        """An admin links a device to a user and takes it away again, and gives the user the marks from before."""
        self.command("fav.set", uri=self.album[1]["uri"], on=True)
        pin = self.admins("pair.open")["pin"]
        self.join(pin, "A tablet")
        device = self.admins("dev.list")["list"][0]["dev"]
        self.become_admin()
        self.add_ben()
        ben = self.signed_in_elsewhere("Ben")
        self.menu_of("Ben", "devices")
        self.tap(f"#userdevices [data-dev={device}] button", 2)
        self.page.wait("it is Ben's", lambda: "belongs to Ben" in self.shown(f"#userdevices [data-dev={device}]").text)
        self.assertEqual(self.devices_of("Ben"), [device])
        self.look("userdevices", f"[data-dev={device}] button")
        self.tap(f"#userdevices [data-dev={device}] button", 2)
        wait("it is no user's", lambda: not self.devices_of("Ben"))
        self.page.run("document.getElementById('sheet').close()")
        self.assertEqual(self.favourites(ben), [])
        self.menu_of("Ben", "adopt")
        self.look("adopting", "#adopting button")
        self.tap("#adopting [data-person=''] button", 2)
        wait("the marks are Ben's", lambda: self.favourites(ben) == [self.album[1]["uri"]])
        self.menu_of("Ben", "sessions")
        self.tap("#sessions button", 2)
        wait("Ben's session has ended", lambda: "user" not in self.as_user("user.me", token=ben)["d"])
        self.page.run("document.getElementById('sheet').close()")
        self.admins("dev.revoke", dev=device)
        self.home.baton("user", "remove", "Ben", "--yes")

    def admins(self, method, **parameters):
        return self.raw(method, **parameters).get("d")

    def devices_of(self, user):
        return next(row for row in self.admins("user.list")["list"] if row["user"] == user).get("devices", [])

    def favourites(self, token):
        return [row["uri"] for row in self.as_user("lib.browse", token=token, node="lib:shelf/favourites")["d"]["rows"]]

    def test_who_controls(self):
        """An admin lets only some users control the room: one who is not named is refused, one who is named is not."""
        self.become_admin()
        self.add_ben()
        ben = self.signed_in_elsewhere("Ben")
        self.show("settings?page=rooms")
        self.shown("#roomcontrol")
        self.page.run("""const rule = document.getElementById('roomcontrol'); rule.value = 'named'; rule.dispatchEvent(new Event('change'))""")
        self.shown("#roomusers [data-user=Ben]")
        self.assertFalse(self.controls(ben))
        self.tap("#roomusers [data-user=Ben]")
        self.page.wait("Ben is named", lambda: self.shown("#roomusers [data-user=Ben]").get_attribute("aria-checked") == "true")
        self.assertTrue(self.controls(ben))
        self.look("roomcontrol", "#roomusers [data-user=Ben]")
        self.tap("#roomusers [data-user=Ben]")
        wait("Ben is not", lambda: not self.controls(ben))
        self.page.run("""const rule = document.getElementById('roomcontrol'); rule.value = 'all'; rule.dispatchEvent(new Event('change'))""")
        wait("all may", lambda: self.controls(ben))
        self.home.baton("user", "remove", "Ben", "--yes")

    def controls(self, token):
        try:
            return self.as_user("mode.set", token=token, shuffle=False)["ok"]
        except urllib.error.HTTPError as error:
            self.assertEqual(json.load(error)["err"]["code"], "forbidden")
            return False

    def test_an_admin(self):
        """An admin adds a user, gives another role, and removes the user."""
        self.become_admin()
        self.add_ben()
        card = "[data-user=Ben]"
        self.page.run("""const role = document.querySelector(`${arguments[0]} select`);
          role.value = 'guest'; role.dispatchEvent(new Event('change'))""", card)
        wait("the role", lambda: "guest" in self.home.baton("user"))
        self.page.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", card)
        self.page.picture("aura-360x640-users")
        self.tap(f"#users {card} [data-do=more]")
        self.page.picture("aura-360x640-usermenu")
        self.tap("#sheet .lines > .small:not(.act)", 2)
        wait("the end", lambda: not self.knows("Ben"))
        self.page.wait("the card is gone", lambda: self.page.run("return !document.querySelector(arguments[0])", card))


if __name__ == "__main__":
    main()
