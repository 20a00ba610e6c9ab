# deploy/test: tier 2, judges examples Protocol/tutorial.
# deploy/test: waits, as long as the hub asks remotes to.
"""Presses on the remotes in `examples/` and of the tutorial, before a hub that refuses some and answers late. BT-RTY-018"""

import concurrent.futures
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from Support.exampleremotes import FOLDER, NODE, PYTHON, SMALL, Client, build
from Support.hubs import ROOT, main
from Support.toldhub import ToldHub

TUTORIAL = [sys.executable, f"{ROOT}/Protocol/tutorial/remote.py"]
REMOTES = {"python": [*PYTHON, "--script"], "watch in Python": [*PYTHON, "--script", "--view", "watch"], "browser": NODE, "tutorial": TUTORIAL, "watch in C": [SMALL]}
# The adapter of the client for browsers has a wheel of its own, and does not see a lost frame; Support/putoff.mjs tries its levels.
NOT_BROWSER = {name: words for name, words in REMOTES.items() if name != "browser"}


def setUpModule():
    unittest.addModuleCleanup(FOLDER.cleanup)
    build("remote")


class Before(unittest.TestCase):
    """A remote before a hub that is told what to answer."""

    def before(self, words):
        """A hub, and a remote that is connected to it."""
        hub, home = ToldHub(), tempfile.TemporaryDirectory(prefix="bt-")
        self.addCleanup(home.cleanup)
        self.addCleanup(hub.close)
        client = Client([*words, "--url", hub.url], {**os.environ, "HOME": home.name, "XDG_STATE_HOME": home.name})
        self.addCleanup(client.close)
        client.shows(lambda shown: shown["connected"] and shown["level"] == 50, 20)
        return hub, client

    def each(self, check, remotes=REMOTES):
        """All of them at once, since they mostly wait."""
        with concurrent.futures.ThreadPoolExecutor(len(remotes)) as pool:
            checked = {name: pool.submit(lambda words=words: check(*self.before(words))) for name, words in remotes.items()}
        for name, result in checked.items():
            with self.subTest(name):
                result.result()

    def told(self, client, count):
        """The next answers, by press."""
        said = [client.hear("answer", 20) for _ in range(count)]
        return {one["press"]: one["answer"].get("why") or one["answer"].get("st") or one["answer"]["err"]["code"] for one in said}


class Refused(Before):
    """What becomes of presses that are refused."""

    def test_waits(self):
        """A press that a busy hub has put off goes again with its key after the time that the hub asks for, and others go meanwhile."""
        def check(hub, client):
            client.say("next")
            first = hub.command()
            hub.refuse(first, "busy", afterMs=900)
            refused = time.monotonic()
            client.say("mute")
            other = hub.command()
            self.assertEqual(other["m"], "vol.mute")
            self.assertLess(other["at"] - refused, 0.8)
            hub.apply(other)
            again = hub.command()
            self.assertEqual((again["m"], again["k"], again["p"]), ("next", first["k"], first["p"]))
            self.assertGreater(again["id"], other["id"])
            self.assertTrue(0.9 <= again["at"] - refused < 3, again["at"] - refused)
            # The age of the press is by the sample of the greeting, since those that followed are impossible. BT-CLK-006
            pressed_ms = (ToldHub.AHEAD_US + refused * 1e6) / 1000
            late_ms = again["ct"] - pressed_ms
            self.assertLess(abs((late_ms + 2**30) % 2**31 - 2**30) if hub.view == "watch" else abs(late_ms), 400)
            hub.apply(again)
            self.assertEqual(self.told(client, 2), {"mute": "applied", "next": "applied"})
        self.each(check)

    def test_refused(self):
        """Any other refusal, and one whose wait is longer than the press is worth, is told at once, and the press does not go again."""
        def check(hub, client):
            for code, after_ms in (("internal", 100), ("timeout", 100), ("unavailable", 100), ("busy", 6000), ("rate_limited", None)):
                client.say("mute")
                hub.refuse(hub.command(), code, **({"afterMs": after_ms} if after_ms else {}))
                self.assertEqual(self.told(client, 1), {"mute": code})
            self.assertEqual(hub.silence(0.4), [])
        self.each(check)

    def test_newer(self):
        """A newer press of play and pause takes the place of one that waits, also where its refusal comes behind the answer to the newer one."""
        def check(hub, client):
            client.say("pause")
            hub.refuse(hub.command(), "rate_limited", afterMs=700)
            client.say("play")
            hub.apply(hub.command())
            self.assertEqual(self.told(client, 2), {"pause": "newer", "play": "applied"})
            client.say("pause")
            client.say("play")
            pause, play = hub.command(), hub.command()
            self.assertEqual((pause["m"], play["m"]), ("pause", "play"))
            hub.apply(play)
            hub.refuse(pause, "busy", afterMs=100)
            self.assertEqual(self.told(client, 2), {"pause": "newer", "play": "applied"})
            self.assertEqual(hub.silence(1), [])
        self.each(check)

    def test_levels(self):
        """Of levels only the newest goes again: after a refusal, and after the end of the connection."""
        def check(hub, client):
            client.say("vol 10")
            hub.refuse(hub.command(), "rate_limited", afterMs=700)
            time.sleep(0.3)
            client.say("vol 20")
            twenty = hub.command()
            self.assertEqual(twenty["p"], {"level": 20})
            client.say("vol 30")
            time.sleep(0.3)
            hub.refuse(twenty, "busy", afterMs=700)
            thirty = hub.command()
            self.assertEqual(thirty["p"], {"level": 30})
            client.say("vol 40")
            time.sleep(0.3)
            hub.end()
            forty = hub.command()
            self.assertEqual(forty["p"], {"level": 40})
            hub.apply(forty)
            self.assertEqual(hub.silence(1), [])
        self.each(check, NOT_BROWSER)

    def test_comes_back(self):
        """After a code that says nothing of a wait a remote comes back with its copy, also with that of the first revision. BT-HS-026"""
        def check(hub, client):
            self.assertNotIn("resume", hub.hellos.get())
            for code in (1001, 4408):
                hub.end(code)
                resume = hub.hellos.get(timeout=10)["resume"]
                self.assertEqual((resume["epoch"], resume["rev"], resume["rooms"]), ("e", 0, ["main"]))
                client.shows(lambda shown: shown["connected"])
        self.each(check)

    def test_shown(self):
        """While data is missing the room counts as playing, and after a lost frame the remote as not connected."""
        def check(hub, client):
            line = {"l": [0, 0, 0, 1]} if hub.view == "watch" else {"tl": {"posMs": 0, "atUs": 0, "rate": 0, "st": "buffering"}}
            hub.say({"t": "state", "from": 0, "rev": 1, "s": line})
            client.shows(lambda shown: shown["playing"] and shown["connected"], 10)
            hub.is_deaf = True
            hub.say({"t": "state", "from": 7, "rev": 8, "s": {}})
            client.shows(lambda shown: not shown["connected"], 10)
        self.each(check, NOT_BROWSER)

    def test_info(self):
        """What the hub is comes whole, with members that nobody knows. BT-CMD-005"""
        hub, client = self.before(REMOTES["python"])
        client.say("info")
        asked = hub.command()
        self.assertEqual(asked["m"], "hub.info")
        hub.apply(asked, d={"name": "Kitchen", "x-mood": "fine"})
        self.assertEqual(client.hear("answer")["answer"]["d"], {"name": "Kitchen", "x-mood": "fine"})

    def test_unknown(self):
        """What is no press is refused in words."""
        def check(hub, client):
            for line in ("dance", "vol", "vol x"):
                client.say(line)
                answer = client.hear("answer")
                self.assertEqual((answer["press"], answer["answer"]["ok"]), (line, 0))
            self.assertEqual(hub.silence(0.1), [])
        self.each(check, {name: words for name, words in REMOTES.items() if name in ("python", "watch in C")})


class Shell(unittest.TestCase):
    """The remote in shell, over HTTP."""

    def test_waits(self):
        """A press that a busy hub has put off goes again with its key, after the time that the hub asks for; one that is refused otherwise does not."""
        answers, came = [("busy", {"afterMs": 900}), ("internal", {"afterMs": 100}), ("busy", {"afterMs": 9000})], []

        class Hub(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                came.append((time.monotonic(), json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
                code, more = answers[len(came) - 1]
                body = json.dumps({"t": "res", "id": 1, "ok": 0, "err": {"code": code, "retry": 1, "msg": "No.", **more}}, separators=(",", ":")).encode()
                self.send_response(500 if code == "internal" else 429)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Hub)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        environment = {**os.environ, "BATON_URL": f"http://127.0.0.1:{server.server_port}"}
        for code, count in (("internal", 2), ("busy", 3)):
            ended = subprocess.run([f"{ROOT}/examples/shell/baton.sh", "next"], env=environment, capture_output=True, text=True, timeout=30, check=False)
            self.assertEqual((ended.returncode, json.loads(ended.stdout)["err"]["code"], len(came)), (0, code, count), ended.stderr)
        self.assertEqual(came[0][1]["k"], came[1][1]["k"])
        self.assertGreaterEqual(came[1][0] - came[0][0], 0.9)


class Quick(Before):
    """Quick presses of `next` on baton_remote."""

    def test_five(self):
        """Two are sent, and the others go as one, as old as the first of them, once both were applied."""
        hub, client = self.before(REMOTES["python"])
        for _ in range(5):
            client.say("next")
        pressed = time.monotonic()
        first, second = hub.command(), hub.command()
        self.assertEqual((first["p"], second["p"]), ({"from": "e0"}, {"from": "e1"}))
        time.sleep(0.7)
        hub.apply(first)
        self.assertEqual(hub.silence(0.3), [])
        hub.apply(second)
        rest = hub.command()
        self.assertEqual(rest["p"], {"from": "e2", "n": 3})
        self.assertEqual(len({one["k"] for one in (first, second, rest)}), 3)
        self.assertLess(abs(rest["ct"] - (ToldHub.AHEAD_US + pressed * 1e6) / 1000), 400)
        hub.apply(rest)
        self.assertEqual([client.hear("answer")["answer"]["st"] for _ in range(5)], ["applied"] * 5)
        self.assertEqual(hub.entry, 5)

    def test_another_was_faster(self):
        """Those that wait are dropped when one before them does nothing, or is refused."""
        for is_refused in (False, True):
            hub, client = self.before(REMOTES["python"])
            for _ in range(4):
                client.say("next")
            first, second = hub.command(), hub.command()
            if is_refused:
                hub.refuse(first, "internal")
            else:
                hub.say({"t": "res", "id": first["id"], "ok": 1, "st": "noop", "why": "moved"})
            hub.apply(second)
            answers = [client.hear("answer")["answer"] for _ in range(4)]
            self.assertEqual(sorted(one.get("why", "refused") for one in answers), ["moved"] * 3 + ["refused" if is_refused else "moved"])
            self.assertEqual(hub.silence(0.3), [])

    def test_nothing_next(self):
        """The second waits too where it is not known what comes next, so on a watch, and while the first has to wait."""
        for name in ("last", "watch", "put off"):
            with self.subTest(name):
                hub, client = self.before(REMOTES["watch in Python" if name == "watch" else "python"])
                if name == "last":
                    hub.has_next = False
                    client.say("next")
                    hub.apply(hub.command())
                    client.hear("answer")
                client.say("next")
                first = hub.command()
                if name == "put off":
                    hub.refuse(first, "busy", afterMs=400)
                    time.sleep(0.2)
                client.say("next")
                if name == "put off":
                    first = hub.command()
                self.assertEqual(hub.silence(0.3), [])
                hub.apply(first)
                second = hub.command()
                self.assertEqual(second["p"], {"from": f"e{hub.entry}", "n": 1})
                hub.apply(second)
                self.assertEqual([client.hear("answer")["answer"]["st"] for _ in range(2)], ["applied"] * 2)


if __name__ == "__main__":
    main("gcc", "make", "node", "curl")
