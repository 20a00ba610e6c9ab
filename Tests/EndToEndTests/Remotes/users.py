# deploy/test: tier 2, judges Sources/Kernel/BatonKernel/Access Sources/Kernel/BatonKernel/Playing Sources/Platform/Stores/UserStore.
# deploy/test: judges Sources/Programs/baton/Verbs/Users.
"""People with an account, with the shipped programs: accounts outlive a kill, sessions end at once, and what is one user's reaches no other.

BT-USR-001 to BT-USR-010."""

import http.client
import json
import os
import sqlite3
import subprocess
import time

from Support.fixtures import make, metadata
from Support.hubs import ROOT, Hub, HubCase, binaries, main, wait
from Support.remote import Gone, Remote

PASSWORD = "a long sentence"


class Users(HubCase):
    """A hub where people make accounts themselves."""

    flags = ("--audio", "null", "--signup", "open", "--guests", "listener", "--limit-command-rate", "1000", "--limit-command-burst", "1000")

    @classmethod
    def prepare(cls):
        for number, title in enumerate(("Low Tide", "High Tide", "Neap")):
            make(f"{cls.home.music}/{number}.flac", "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono:d=60", *metadata(title=title), "-c:a", "flac")

    def typed(self, text, *words, code=0):
        """What the satellite says when this is typed into it."""
        ended = subprocess.run(
            [f"{binaries()}/baton", *words], env=self.home.environment, input=text, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(ended.returncode, code, ended.stderr)
        return ended.stdout if code == 0 else ended.stderr

    def remote(self, name, **greeting):
        remote = Remote(self.hub.port, name, **greeting)
        self.addCleanup(remote.close)
        return remote

    def signed_in(self, name, make_it=True):
        """A remote of a user, and the token."""
        remote = self.remote(f"{name.lower()}-{time.monotonic_ns()}")
        answer = remote.ask("user.signup" if make_it else "user.signin", {"name": name, "password": PASSWORD})
        self.assertTrue(answer["ok"], answer)
        return remote, answer["d"]["token"]

    def http(self, path, body, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.hub.port, timeout=60)
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        self.addCleanup(connection.close)
        return answer.status, answer.headers, answer.read().decode()

    def test_a_terminal(self):
        """The password is asked for, and the token is kept where only its owner reads it."""
        self.typed(PASSWORD, "user", "add", "Terminal", "--role", "admin")
        self.assertIn("wrong", self.typed("another one", "signin", "Terminal", code=1))
        self.typed(PASSWORD, "signin", "terminal")
        self.assertIn("Terminal, with the role admin", self.typed("", "me"))
        kept = f"{self.home.folder}/state/baton-satellite/keys/users"
        self.assertEqual(os.stat(kept).st_mode & 0o777, 0o600)
        self.typed(f"{PASSWORD}\nanother sentence\n", "user", "passwd")
        self.assertIn("this one", self.typed("", "user", "sessions"))
        self.typed("", "signout")
        self.assertIn("No user", self.typed("", "me"))
        self.typed("", "user", "remove", "--yes", "Terminal")

    def test_a_kill(self):
        """A kill of the hub loses no user and no session, and brings back none that has ended."""
        anna, token = self.signed_in("Killed")
        _, ended = self.signed_in("Killed", make_it=False)
        sessions = anna.ask("user.sessions")["d"]["list"]
        other = next(row["session"] for row in sessions if not row.get("here"))
        self.assertEqual(anna.ask("user.revoke", {"session": other})["st"], "applied")
        leaving, left = self.signed_in("Killed", make_it=False)
        guest = leaving.ask("user.guest", {"name": "Visitor"})["d"]["token"]
        self.assertEqual(self.remote("leaving-01", user=left).ask("user.signout")["st"], "applied")
        self.hub.kill()
        type(self).hub = Hub(self.home, *self.flags)
        self.assertEqual(self.remote("back-0001", user=token).ask("user.me")["d"]["user"], "Killed")
        for number, token in enumerate((ended, left)):
            self.assertNotIn("user", self.remote(f"back-0002{number}", user=token).ask("user.me")["d"])
        self.assertEqual(self.remote("back-0003", user=guest).ask("user.me")["d"]["user"], "Visitor")

    def test_only_hashes(self):
        """Neither a password nor a token stands in any file of the hub."""
        _, token = self.signed_in("Hashed")
        data = f"{self.home.folder}/state/baton"
        for folder, _, files in os.walk(self.home.folder):
            for name in (name for name in files if os.path.isfile(f"{folder}/{name}")):
                with open(f"{folder}/{name}", "rb") as file:
                    content = file.read()
                self.assertNotIn(PASSWORD.encode(), content, name)
                self.assertNotIn(token.encode(), content, name)
        with sqlite3.connect(f"{data}/users.db") as users:
            row = users.execute("SELECT rounds, blocks, lanes, length(salt), length(hash) FROM user WHERE key = 'hashed'").fetchone()
        self.assertEqual(row, (32768, 8, 3, 16, 32))

    def test_revoking(self):
        """A session that is revoked is closed at once, and its token is good for nothing."""
        anna, _ = self.signed_in("Revoked")
        there, token = self.signed_in("Revoked", make_it=False)
        anna.ask("user.revoke")
        with self.assertRaises(Gone):
            while True:
                there.hear()
        again = self.remote("again-0001", user=token)
        self.assertNotIn("user", again.ask("user.me")["d"])

    def test_cookies(self):
        """A browser is a user's by a cookie that no program of a page can read, and that a page from elsewhere cannot use."""
        self.signed_in("Browser")
        signing = {"t": "cmd", "id": 1, "m": "user.signin", "k": "sign-in-1", "p": {"name": "browser", "password": PASSWORD}}
        status, headers, body = self.http("/baton/user?cookie=1", signing)
        self.assertEqual(status, 200, body)
        self.assertNotIn("token", json.loads(body)["d"])
        cookie = headers["set-cookie"]
        for flag in ("HttpOnly", "SameSite=Strict", "Path=/"):
            self.assertIn(flag, cookie)
        pair = cookie.split(";")[0]
        asking = {"t": "cmd", "id": 2, "m": "user.me"}
        self.assertEqual(json.loads(self.http("/baton/cmd", asking, Cookie=pair)[2])["d"]["user"], "Browser")
        self.assertEqual(self.http("/baton/cmd", asking, Cookie=pair, Origin="http://elsewhere.example")[0], 403)
        forged = pair[:-1] + ("A" if pair[-1] != "A" else "B")
        self.assertNotIn("user", json.loads(self.http("/baton/cmd", asking, Cookie=forged)[2])["d"])
        out = self.http("/baton/user?cookie=1", {"t": "cmd", "id": 3, "m": "user.signout"}, Cookie=pair)
        self.assertIn("Max-Age=0", out[1]["set-cookie"])
        self.assertNotIn("user", json.loads(self.http("/baton/cmd", asking, Cookie=pair)[2])["d"])

    def test_bad_input(self):
        """Names of a megabyte, forged tokens and other commands at the door for users get a sentence, and others are unharmed."""
        bystander = self.remote("bystander-1")
        status, _, _ = self.http("/baton/user", {"t": "cmd", "id": 1, "m": "user.signin", "k": "sign-in-2", "p": {"name": "x" * 1_000_000, "password": "y"}})
        self.assertIn(status, (400, 413))
        for name, password in (("", PASSWORD), (" x", PASSWORD), ("x\u0007", PASSWORD), ("@x", PASSWORD), ("ok", "short"), (5, PASSWORD)):
            answer = bystander.ask("user.signup", {"name": name, "password": password})
            self.assertEqual(answer["err"]["code"], "bad_request", (name, answer))
        self.assertEqual(self.http("/baton/user", {"t": "cmd", "id": 1, "m": "toggle"})[0], 403)
        self.assertTrue(bystander.ask("hub.info")["ok"])

    def test_a_guess(self):
        """An unknown name and a wrong password get the same answer; that they take the same work is shown by UserTests."""
        self.signed_in("Timed")
        said = set()
        for name in ("timed", "unknown"):
            answer = self.remote(f"guess-{time.monotonic_ns()}").ask("user.signin", {"name": name, "password": "not the one"})
            said.add(json.dumps(answer["err"], sort_keys=True))
        self.assertEqual(len(said), 1, said)

    SECRETS = ("Secret list", "secret note", "secret prompt", "Secretive")

    # What commands need beside a playlist, and those which would do something with one that may be seen.
    FITTING = {"name": "x", "stars": 3, "posMs": 0, "share": "shared", "on": True, "session": "abcd1234", "base": 0, "from": "file:x"}
    OF_LISTS = ("play", "queue.add", "queue.replace", "lib.browse", "lib.item", "pl.get", "pl.create", "pl.delete", "pl.restore", "pl.edit",
                "pl.share", "keep.set", "mode.set", "fav.set", "rate.set", "listen.only", "mark.add")

    def leaks(self, answer):
        text = json.dumps(answer)
        return [secret for secret in self.SECRETS if secret in text]

    def test_privacy(self):
        """No answer and no state for one user holds what belongs to another alone, on no command and by no name."""
        anna, token = self.signed_in("Secretive")
        wait("the scan", lambda: anna.ask("lib.browse", {"node": "lib:shelf/tracks"})["d"].get("total") == 3)
        track = anna.ask("lib.browse", {"node": "lib:shelf/tracks"})["d"]["rows"][0]["uri"]
        made = anna.ask("pl.create", {"name": "Secret list", "uris": [track]}, key="make-secret")
        self.assertTrue(made["ok"], made)
        own = made["d"]["id"]
        self.assertEqual([(row["by"], row["share"]) for row in anna.ask("pl.list")["d"]["rows"]], [("Secretive", "private")])
        anna.ask("fav.set", {"uri": track, "on": True})
        anna.ask("rate.set", {"uri": track, "stars": 5})
        anna.ask("mark.add", {"uri": track, "posMs": 1000, "note": "secret note"}, key="mark-secret")
        anna.ask("gen.preset", {"name": "mine", "text": "secret prompt"}, key="preset-secret")
        self.assertEqual(len(anna.ask("lib.browse", {"node": "lib:shelf/favourites"})["d"]["rows"]), 1)

        with open(f"{ROOT}/Protocol/registries/commands.json", encoding="utf-8") as file:
            names = [name for group in json.load(file)["groups"] for name in group["commands"]]
        questions = []
        for name in names:
            with open(f"{ROOT}/Protocol/commands/{name}.json", encoding="utf-8") as file:
                command = json.load(file)
            questions.append(command)
        uri = f"pl:list/{own}"
        _, curious = self.signed_in("Curious")
        for user in ({"user": curious}, {}):
            # Each its own, since a remote that says nothing for long is given up.
            other = self.remote(f"other-{len(user)}001", **user)
            for command in questions:
                named = [member for member, of in command["parameters"].items() if "$defs/uri" in json.dumps(of) or "$defs/listId" in json.dumps(of)]
                tries = [{}] if command["class"] == "Q" and not command.get("required") else []
                for member in named:
                    of = json.dumps(command["parameters"][member])
                    value = own if "listId" in of else [uri] if '"array"' in of else uri
                    given = {member: value}
                    for needed in command.get("required", []):
                        given.setdefault(needed, self.FITTING.get(needed, 1))
                    if command["name"] == "pl.edit":
                        given["ops"] = [{"name": "y"}]
                    if command["name"] == "mode.set":
                        given["unfinished"] = "filler"
                    tries.append(given)
                for given in tries:
                    try:
                        answer = other.ask(command["name"], given, key=f"k{time.monotonic_ns()}")
                    except Gone as gone:
                        self.fail(f"{command['name']} {given} ended the connection: {gone}")
                    # Who is connected is no secret, as in the section `people`.
                    known = {"Secretive"} if command["name"] == "people.list" else set()
                    self.assertEqual(set(self.leaks(answer)) - known, set(), (command["name"], given, answer))
                    if given and command["name"] in self.OF_LISTS:
                        self.assertFalse(answer["ok"], (command["name"], given, answer))
            for node in ("lib:shelf/playlists", "lib:shelf/favourites", "lib:shelf/recent", "lib:shelf/most", "lib:shelf/tracks", "pl:list"):
                answer = other.ask("lib.browse", {"node": node})
                self.assertEqual(self.leaks(answer), [], (node, answer))
                for row in answer.get("d", {}).get("rows", []):
                    self.assertFalse(row.get("fav") or row.get("stars"), (node, row))
            for text in ("secret", "Low", "tide", "list"):
                answer = other.ask("lib.search", {"q": text})
                self.assertEqual(self.leaks(answer), [], (text, answer))
            self.assertEqual(other.ask("lib.history")["d"]["rows"], [])
            self.assertEqual([secret for secret in self.leaks(other.sections) if secret != "Secretive"], [])

        anna, ben = self.remote("anna-again", user=token), self.remote("ben-again", user=curious)
        self.assertEqual(anna.ask("pl.share", {"id": own, "share": "shared"})["d"]["share"], "shared")
        self.assertTrue(ben.ask("pl.get", {"id": own})["ok"])
        self.assertEqual(ben.ask("pl.delete", {"id": own}, key="delete-secret")["err"]["code"], "forbidden")
        link = anna.ask("pl.share", {"id": own, "share": "link"})["d"]["link"]
        self.assertEqual(ben.ask("pl.get", {"id": own})["err"]["code"], "not_found")
        self.assertTrue(ben.ask("pl.get", {"id": own, "link": link})["ok"])
        anna.ask("pl.share", {"id": own, "share": "private"})
        self.assertEqual(ben.ask("pl.get", {"id": own, "link": link})["err"]["code"], "not_found")

        rows = anna.ask("user.export")["d"]["rows"]
        kinds = {row["kind"] for row in rows}
        self.assertLessEqual({"user", "session", "mark", "bookmark", "playlist", "entry"}, kinds)
        self.typed("", "user", "remove", "--yes", "Secretive")
        with sqlite3.connect(f"{self.home.folder}/state/baton/library.db") as library:
            for table in ("own_mark", "bookmark", "place"):
                self.assertEqual(library.execute(f"SELECT count(*) FROM {table} WHERE person = '@secretive'").fetchone()[0], 0, table)
            self.assertEqual(library.execute("SELECT count(*) FROM playlist").fetchone()[0], 0)

    def test_adopting(self):
        """Marks from before there were users stay the hub's until they are given to one."""
        anyone = self.remote("anyone-0002")
        wait("the scan", lambda: anyone.ask("lib.browse", {"node": "lib:shelf/tracks"})["d"].get("total") == 3)
        track = anyone.ask("lib.browse", {"node": "lib:shelf/tracks"})["d"]["rows"][1]["uri"]
        anyone.ask("fav.set", {"uri": track, "on": True})
        anna, _ = self.signed_in("Heir")
        self.assertEqual(anna.ask("lib.browse", {"node": "lib:shelf/favourites"})["d"]["rows"], [])
        self.typed("", "user", "adopt", "Heir")
        self.assertEqual([row["uri"] for row in anna.ask("lib.browse", {"node": "lib:shelf/favourites"})["d"]["rows"]], [track])
        self.assertEqual(anyone.ask("lib.browse", {"node": "lib:shelf/favourites"})["d"]["rows"], [])

    def test_many_guests(self):
        """Guests beyond the limit get a sentence, and the hub goes on."""
        refused = None
        guests = self.remote("guests-0001")
        for _ in range(1_100):
            answer = guests.ask("user.guest", {"name": "many"})
            if not answer["ok"]:
                refused = answer["err"]
                break
        self.assertEqual((refused or {}).get("code"), "quota")
        self.assertTrue(self.remote("other-0001").ask("hub.info")["ok"])


if __name__ == "__main__":
    main()
