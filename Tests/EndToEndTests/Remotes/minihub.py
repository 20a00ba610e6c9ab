# deploy/test: tier 2, first Judged Values, judges examples/minihub Protocol.
# deploy/test: alone, for it runs several hubs at once itself and judges when they answer.
"""examples/minihub, a hub of Core in Python: the kit finds nothing wrong with it, nor with the reference client before it."""

import ast
import json
import os
import subprocess
import sys
import tempfile
import time
import tokenize
import unittest

from room import Entry, Line, Room, Track
from Support.hubs import ROOT, main
from wire import Refusal, cut, read

FOLDER = f"{ROOT}/examples/minihub"
ADAPTER = f"{ROOT}/Protocol/runner/adapters/minihub"
PYTHON = f"{ROOT}/.build/venv/bin/python"


def program(*words):
    """What a program of `Protocol/` says at its end, with minihub under test."""
    ended = subprocess.run([sys.executable, f"{ROOT}/Protocol", *words, "--hub", ADAPTER, "--level", "core"], capture_output=True, text=True, timeout=600,
                           check=False, env={**os.environ, "MINIHUB_PYTHON": PYTHON, "PYTHONDONTWRITEBYTECODE": "1"})
    return ended.returncode, ended.stdout + ended.stderr


def vectors(name):
    with open(f"{ROOT}/Protocol/vectors/v1/{name}.json", encoding="utf-8") as file:
        return json.load(file)["cases"]


def code_lines(path):
    """How many lines of a program in Python have code."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    with open(path, "rb") as file:
        tokens = [token for token in tokenize.tokenize(file.readline) if token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING)]
    told = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
            told |= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len({line for token in tokens for line in range(token.start[0], token.end[0] + 1)} - told)


class Judged(unittest.TestCase):
    """The verdict of the kit."""

    def test_scenarios(self):
        """All scenarios of Core pass, but for two that need a hub that plays files."""
        code, said = program("run", "--quiet")
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"core 1\.0: (\d+) of \1 passed, 2 skipped")

    def test_reference(self):
        """The reference client passes the cases of Core before this hub."""
        code, said = program("clients", "--client", f"{sys.executable} {ROOT}/Protocol reference", "--can", "all")
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"core 1\.0: (\d+) of \1 passed, 0 skipped")


class Values(unittest.TestCase):
    """Its parts, held against the vectors."""

    def test_modes(self):
        for case in vectors("modes"):
            with self.subTest(case["name"]):
                room = Room()
                room.entries = {name: Entry(name, Track(name, name, "", "", 1000)) for name in case["queue"]}
                room.order, room.plain, room.current, room.line = list(case["queue"]), list(case["queue"]), case["cur"], Line(case["st"])
                for name in ("repeat", "shuffle", "single", "consume"):
                    setattr(room, name, case[name])
                told = room.behind()[0]
                {"end": lambda: room.ended(5), "next": lambda: room.next(case.get("n", 1), 5), "prev": lambda: room.prev(3000, 5),
                 "failed": lambda: room.failed(5)}[case["event"]]()
                expect = case["expect"]
                if "mixed" in expect:
                    self.assertEqual(sorted(room.order), expect["mixed"])
                    self.assertNotEqual(room.current, expect["curNot"])
                else:
                    self.assertEqual((room.order, room.current), (expect["queue"], expect.get("cur")))
                self.assertEqual((room.line.state, room.single, room.consume), (expect["st"], expect["single"], expect["consume"]))
                if case["event"] == "next" and "n" not in case and told:
                    self.assertEqual(told, room.current, "queue.next said another entry")

    def test_texts(self):
        for case in vectors("truncation"):
            self.assertEqual(cut(case["text"], case["bytes"], case["clusters"] or 1 << 30), case["cut"], case["name"])

    def test_bad_input(self):
        for case in vectors("bad"):
            with self.subTest(case["name"]):
                data = bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode()
                if not case["isJSON"]:
                    self.assertRaises((Refusal, UnicodeDecodeError), lambda: read(data.decode()))
                elif case["after"] and "res" in case["after"]:
                    self.assertIsInstance(read(data.decode()), dict)


class Small(unittest.TestCase):
    """It is an example that people read."""

    def test_types(self):
        ended = subprocess.run(["mypy", "--strict", "--python-executable", PYTHON, "--cache-dir", f"{ROOT}/.build/mypy", "."], cwd=FOLDER,
                               capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(ended.returncode, 0, ended.stdout)

    def test_size(self):
        """It stays small: lines with code, without comments and the texts that describe."""
        count = sum(code_lines(f"{FOLDER}/{name}") for name in os.listdir(FOLDER) if name.endswith(".py"))
        self.assertLessEqual(count, 1000)

    def test_tracks(self):
        """Tracks of its owner end by themselves, one after the other."""
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump([{"title": "One", "ms": 1500}, {"title": "Two", "ms": 1500}], file)
            file.flush()
            hub = subprocess.Popen([PYTHON, FOLDER, "--port", "0", "--tracks", file.name], stdout=subprocess.PIPE, text=True)
            address = hub.stdout.readline().strip().removeprefix("ws://").removesuffix("/baton")
        self.addCleanup(hub.stdout.close)
        self.addCleanup(hub.wait)
        self.addCleanup(hub.terminate)

        def asked(path, body=None):
            words = ["curl", "--silent", "--show-error", f"http://{address}/baton/{path}", *(["--data", json.dumps(body)] if body else [])]
            return json.loads(subprocess.run(words, capture_output=True, text=True, timeout=10, check=True).stdout)
        asked("cmd", {"t": "cmd", "id": 1, "m": "play", "k": "abcd", "p": {"uri": "demo:album/all"}})
        seen, until = [], time.monotonic() + 20
        while seen[-1:] != [(0, "stopped")] and time.monotonic() < until:
            section = asked("state")["s"]
            if (now := (section["queue"]["idx"], section["tl"]["st"])) not in seen:
                seen.append(now)
        self.assertEqual(seen, [(0, "playing"), (1, "playing"), (0, "stopped")])


if __name__ == "__main__":
    main()
