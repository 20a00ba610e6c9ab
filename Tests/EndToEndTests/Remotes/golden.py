# deploy/test: tier 2, judges examples/c examples/minihub Protocol.
# deploy/test: alone, for some of them measure how long a client waits.
"""The golden conversations: each is as the definitions say, minihub and two clients keep to them, and what differs from them is noticed."""

import contextlib
import copy
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
from unittest import mock

from conversations import check, files
from conversations.chosen import Chosen
from conversations.hubs import Started
from conversations.with_client import WithClient
from conversations.with_hub import WithHub
from runner.failing import Fails
from Support.exampleremotes import CHECKED
from Support.hubs import ROOT, main

PYTHON, ADAPTER = f"{ROOT}/.build/venv/bin/python", f"{ROOT}/Protocol/runner/adapters/minihub"


# The reference client, which closes with a code instead of saying `bye`, and ends well only when that is answered.
CLOSES = """
import time
from runner import reference
from runner.websocket import CLOSE

def leave(self):
    self.link.send(({code}).to_bytes(2, "big"), CLOSE)
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if any(opcode == CLOSE for opcode, _ in self.link.read()):
            return 0
        time.sleep(0.01)
    return 1

reference.Remote.leave = leave
reference.main()
"""

# A client whose numbers go on over its connections.
GOES_ON = """
from runner import reference

class Remote(reference.Remote):
    most = 0

    @property
    def number(self):
        return self.most

    @number.setter
    def number(self, value):
        self.most = max(self.most, value)

reference.Remote = Remote
reference.main()
"""


def program(*words):
    """Code and words of `python3 Protocol conversations`."""
    ended = subprocess.run([sys.executable, f"{ROOT}/Protocol", "conversations", *words], capture_output=True, text=True, timeout=300, check=False, cwd=ROOT,
                           env={**os.environ, "MINIHUB_PYTHON": PYTHON, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONDONTWRITEBYTECODE": "1"})
    return ended.returncode, ended.stdout + ended.stderr


def bent(name, change):
    """A conversation of which a copy was changed."""
    one = files.read(f"{files.FOLDER}/{name}.jsonl")
    one = files.Conversation(one.name, copy.deepcopy(one.header), copy.deepcopy(one.lines))
    change(one)
    return one


def edit(one, wanted, change):
    """Changes the first message that is wanted."""
    for line in one.lines:
        message = files.message(line)
        if message is not None and wanted(message):
            change(message)
            line["text"] = files.compact(message)
            return
    raise AssertionError("no message is wanted")


def of(kind, side=None):
    return lambda message: message["t"] == kind and (side is None or message.get("step") == side)


class Checked(unittest.TestCase):
    """The reading of the files."""

    def test_all(self):
        code, said = program("--check")
        self.assertEqual((code, said.split(",")[0]), (0, "22 conversations"), said)

    def test_noticed(self):
        """Each of these faults is found, with a sentence about it."""
        def drop(kind):
            def change(one):
                one.lines.remove(next(line for line in one.lines if (files.message(line) or {}).get("t") == kind))
            return change
        faults = {
            "the last revision": ("first-contact", drop("state")), "gets no answer|has no answer": ("first-contact", drop("res")),
            "of another format|not as its answer says": ("picture", lambda one: edit(one, of("res"), lambda m: m["d"].update(w=9) if "d" in m else None)),
            "were announced|has not begun": ("picture", lambda one: one.lines.remove([line for line in one.lines if line["frame"] == "binary"][1])),
            "what was not said before it": ("pairing", lambda one: edit(one, of("pair", 2), lambda m: m.update(step=4))),
            "ya of pair1": ("pairing-again", lambda one: edit(one, of("pair", 1), lambda m: m.update(nonce=m["nonce"][::-1]))),
            "ta of pair3": ("pairing", lambda one: edit(one, of("pair", 3), lambda m: m.update(ta=m["ta"][:-2] + "AA"))),
            "tb of pair4": ("pairing", lambda one: edit(one, of("pair", 4), lambda m: m.update(tb="B" + m["tb"][1:]))),
            "wk of pair4": ("pairing", lambda one: edit(one, of("pair", 4), lambda m: m.update(wk="B" + m["wk"][1:]))),
            "mac of welcome": ("pairing", lambda one: edit(one, of("challenge"), lambda m: m["hub"].update(name="Kitchen"))),
            "the frame has": ("hello-max", lambda one: edit(one, of("state"), lambda m: m["s"].update(r="x" * 90))),
            "must be": ("volume", lambda one: edit(one, of("state"), lambda m: m["s"]["vol"].update(level=101))),
            "was not refused": ("strict", lambda one: edit(one, lambda m: m.get("ok") == 0, lambda m: (m.pop("err"), m.update(ok=1, st="applied", rev=3)))),
            "not listed under chosen": ("resume", lambda one: one.header["chosen"].pop("epoch")),
            "stands nowhere": ("kick", lambda one: one.header["chosen"]["run"].append("zz")),
            "is no rule": ("dup", lambda one: one.header["rules"].append("BT-" + "RTY-999")),
            "of network": ("dup", lambda one: one.header["rules"].append("BT-HS-024")),
            "RFC 6455": ("watch", lambda one: one.lines[1].update(text=one.lines[1]["text"].replace("s3pP", "s3pQ"))),
            "is earlier": ("modes", lambda one: one.lines[-1].update(at=0)),
            "another length": ("http", lambda one: one.lines[3].update(text=one.lines[3]["text"] + " ")),
            "speaks of the revision": ("several-rooms", lambda one: edit(one, of("res"), lambda m: m.update(rev=49000))),
            "max is not that": ("hello-max", lambda one: edit(one, of("welcome"), lambda m: m.update(max=512))),
            "have one t1": ("back-off", lambda one: edit(one, lambda m: m.get("t1") == 515345678, lambda m: m.update(t1=514345678))),
        }
        for sentence, (name, change) in faults.items():
            with self.subTest(sentence):
                self.assertRegex("\n".join(check.complaints(bent(name, change))), sentence)


class Played(unittest.TestCase):
    """A hub and clients that keep to them, and some that do not."""

    def test_hub(self):
        code, said = program("--hub", ADAPTER)
        self.assertEqual((code, said.strip().rpartition("\n")[2]), (0, "15 pass, 0 FAIL, 7 skip"), said)

    def test_reference(self):
        code, said = program("--client", f"{sys.executable} {ROOT}/Protocol reference --exporter", "--can", "rooms,art,pair,again,view")
        self.assertEqual((code, said.strip().rpartition("\n")[2]), (0, "14 pass, 0 FAIL, 8 skip"), said)

    def test_tutorial(self):
        """The remote of the tutorial has one view, and what is in another one is none for it."""
        code, said = program("--client", f"{sys.executable} {ROOT}/Protocol/tutorial/remote.py", *[word for name in (
            "first-contact", "resume", "dup", "kick", "split-frames", "new-epoch", "lost-sync", "unknown-things", "watch") for word in ("--only", name)])
        self.assertEqual((code, said.strip().rpartition("\n")[2]), (0, "8 pass, 0 FAIL, 1 skip"), said)
        self.assertIn("skip watch: it is in the view watch, and this client asks for remote: ", said)

    def test_watch(self):
        """The watch in C is paired over TLS, and keeps to its view; no frame of a hub makes it touch memory that is not its own."""
        with tempfile.TemporaryDirectory(prefix="bt-") as folder:
            subprocess.run(["make", "-s", "-C", f"{ROOT}/examples/c", f"OUT={folder}/remote", f"CFLAGS={CHECKED}"], check=True, timeout=120)
            code, said = program("--client", f"{folder}/remote", "--view", "watch", "--can", "pair,max")
        self.assertEqual((code, said.strip().rpartition("\n")[2]), (0, "3 pass, 0 FAIL, 19 skip"), said)

    def test_silent(self):
        """A client that says nothing, and one that is none, are told so."""
        for command in ("/bin/false", f"{sys.executable} -c 'import sys; sys.stdin.read()'"):
            code, said = program("--client", command, "--only", "first-contact")
            self.assertEqual((code, said.strip().rpartition("\n")[2]), (1, "0 pass, 1 FAIL, 0 skip"), said)
            self.assertNotIn("Traceback", said)

    def test_goodbyes(self):
        """A client that closes with 1000 or 1001 has said goodbye as one that says `bye`, and is answered; one that closes as if the hub were wrong has not."""
        for code, is_right in ((1000, True), (1001, True), (1002, False)):
            with self.subTest(code), tempfile.TemporaryDirectory(prefix="bt-") as folder:
                with open(f"{folder}/remote.py", "w", encoding="utf-8") as file:
                    file.write(CLOSES.format(code=code))
                ended, said = program("--client", f"{sys.executable} {folder}/remote.py", "--only", "first-contact", *(["--only", "resume"] if is_right else []))
                counts = "2 pass, 0 FAIL, 0 skip" if is_right else "0 pass, 1 FAIL, 0 skip"
                self.assertEqual((ended, said.strip().rpartition("\n")[2]), (0 if is_right else 1, counts), said)

    def test_numbers(self):
        """The numbers of commands grow on each connection, and may go on over them."""
        with tempfile.TemporaryDirectory(prefix="bt-") as folder:
            with open(f"{folder}/remote.py", "w", encoding="utf-8") as file:
                file.write(GOES_ON)
            ended, said = program("--client", f"{sys.executable} {folder}/remote.py", "--only", "dup")
        self.assertEqual((ended, said.strip().rpartition("\n")[2]), (0, "1 pass, 0 FAIL, 0 skip"), said)

    def test_other_than_recorded(self):
        """A client that says another level than the recorded one, or shows another, has failed."""
        for change in (lambda one: edit(one, lambda m: m.get("m") == "vol.set", lambda m: m["p"].update(level=43)),
                       lambda one: one.lines[-4].update(text=json.dumps({"connected": True, "level": 41}))):
            one = bent("first-contact", change)
            with self.assertRaises(Fails):
                WithClient(one, f"{sys.executable} {ROOT}/Protocol reference").play()


    def test_no_hub(self):
        """What answers by nothing, by noise or without end is told so in bounded time."""
        for answer in (b"", b"\0\xff" * 1000, b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (1 << 22)):
            with socket.create_server(("127.0.0.1", 0)) as door:
                def serve(door=door, answer=answer):
                    link, _ = door.accept()
                    with link, contextlib.suppress(OSError):
                        link.sendall(answer)
                thread = threading.Thread(target=serve)
                thread.start()
                code, said = program("--hub", f"ws://127.0.0.1:{door.getsockname()[1]}", "--playable", "a,b,c")
                thread.join()
            self.assertEqual((code, "Traceback" in said), (1, False), said)
            self.assertRegex(said, "the hub (at .* does not answer|answered)")

    def test_other_hub(self):
        """A hub that says another outcome, state, status or close code than the recorded one has failed."""
        def status(one):
            one.lines[-1].update(text=one.lines[-1]["text"].replace("200 OK", "201 Created"))
        faults = (("volume", lambda one: edit(one, lambda m: m.get("why") == "ceiling", lambda m: m.update(why="floor"))),
                  ("modes", lambda one: edit(one, lambda m: m.get("s", {}).get("tl", {}).get("st") == "paused", lambda m: m["s"]["tl"].update(st="playing"))),
                  ("http", status), ("kick", lambda one: next(line for line in one.lines if line["frame"] == "close").update(code=4430)),
                  ("dup", lambda one: edit(one, lambda m: m.get("why") == "dup", lambda m: m.update(why="same"))))
        with mock.patch.dict(os.environ, {"MINIHUB_PYTHON": PYTHON}), mock.patch("conversations.with_hub.PATIENCE_S", 1):
            for name, change in faults:
                with self.subTest(name), Started([ADAPTER]) as hub:
                    one = bent(name, change)
                    hub.prepare(one.header["given"])
                    self.assertRaises(Fails, WithHub(one, hub.address, hub.items).play)


class Values(unittest.TestCase):
    """What may stand for a recorded value."""

    def setUp(self):
        self.chosen = Chosen({"chosen": {"revision": [3, 5], "entry": ["qa", "qb"]}, "free": ["times", "positions"]})

    def test_same_everywhere(self):
        self.chosen.meet({"rev": 3, "s": {"now": {"entry": "qa"}}}, {"rev": 70, "s": {"now": {"entry": "q1", "more": 1}}})
        self.assertEqual(self.chosen.filled('{"p":{"from":"qa"},"n":3}'), '{"p":{"from":"q1"},"n":3}')
        for other in ({"rev": 69}, {"rev": "70"}, {}):
            self.assertRaises(Fails, self.chosen.meet, {"rev": 3}, other)
        for other in ("q2", "q0"):
            self.assertRaises(Fails, self.chosen.meet, {"s": {"now": {"entry": "qa"}}}, {"s": {"now": {"entry": other}}})

    def test_grows(self):
        self.chosen.meet({"rev": 3}, {"rev": 70})
        self.assertRaises(Fails, self.chosen.meet, {"rev": 5}, {"rev": 69})
        self.assertRaises(Fails, self.chosen.meet, {"rev": 5}, {"rev": 70})
        self.chosen.meet({"rev": 5}, {"rev": 75})
        # By itself a hub may have come further meanwhile, and not as far as what follows.
        self.chosen.meet({"rev": 3}, {"rev": 72})
        self.assertRaises(Fails, self.chosen.meet, {"rev": 3}, {"rev": 70})
        self.assertRaises(Fails, self.chosen.meet, {"rev": 3}, {"rev": 75})

    def test_differs(self):
        self.chosen.meet({"s": {"now": {"entry": "qa"}}}, {"s": {"now": {"entry": "q1"}}})
        self.assertRaises(Fails, self.chosen.meet, {"s": {"queue": {"cur": "qb"}}}, {"s": {"queue": {"cur": "q1"}}})

    def test_usual(self):
        """A mode that is not there is off, on either side."""
        once, off = {"single": "once"}, {"single": "off"}
        for recorded, actual, is_right in (({}, off, True), (off, {}, True), ({}, once, False), (once, {}, False)):
            meet = [{"s": {"modes": modes}} for modes in (recorded, actual)]
            if is_right:
                self.chosen.meet(*meet)
            else:
                self.assertRaises(Fails, self.chosen.meet, *meet)

    def test_may_lack(self):
        """What is free may be missing only where its group says so."""
        pointer = {"err": {"code": "bad_request", "at": "/t"}}
        self.assertRaises(Fails, self.chosen.meet, pointer, {"err": {"code": "bad_request"}})
        self.chosen.meet(pointer, {"err": {"code": "bad_request"}}, {"free": ["pointers"]})
        self.assertRaises(Fails, self.chosen.meet, {"rx": 1}, {})

    def test_near(self):
        self.chosen.meet({"s": {"tl": {"posMs": 1000, "atUs": 1}}}, {"s": {"tl": {"posMs": 2000, "atUs": 9}}})
        self.assertRaises(Fails, self.chosen.meet, {"s": {"tl": {"posMs": 1000}}}, {"s": {"tl": {"posMs": 9000}}})


if __name__ == "__main__":
    main()
