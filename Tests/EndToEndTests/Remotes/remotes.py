# deploy/test: tier 2, judges examples/python examples/c examples/browser Protocol/runner.
# deploy/test: waits, mostly for a network that is slow on purpose.
"""The remotes in `examples/` (Python, JavaScript, C) on the network: judged, over TLS, and through loss and delay."""

import concurrent.futures
import contextlib
import functools
import json
import os
import random
import select
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from Support.exampleremotes import CHECKED, FOLDER, NODE, PYTHON, SMALL, Client, Paired, build
from Support.hubs import ROOT, Home, binaries, main, wait

try:
    from Support.falsehub import KEY, FalseHub
except ImportError:
    print("remotes.py: skipped, for there is no python3-websockets here")
    sys.exit(77)
from runner.pairing import b64
from runner.websocket import PING, accept, encode
from Support.lossy import LossyRelay

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COUNTER = f"{FOLDER.name}/allocations.so"
SCRIPTS = {
    "python": [*PYTHON, "--script"], "browser": NODE, "tutorial": [sys.executable, f"{ROOT}/Protocol/tutorial/remote.py"],
    "reference": [sys.executable, f"{ROOT}/Protocol", "reference"]}
UNREADABLE = (b'{"t":"state",', b"", b"null", b"7", b"[]", b'"state"', b"{}", b"[" * 50_000)
POOL = concurrent.futures.ThreadPoolExecutor(8)


def setUpModule():
    unittest.addModuleCleanup(FOLDER.cleanup)
    if len(sys.argv) == 1:
        for name in ("python_tls", "python", "node"):
            begun(name)
    build("remote")
    if len(sys.argv) == 1:
        for name in ("judged_tls", "judged", "small_tls", "small"):
            begun(name)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", COUNTER, f"{HERE}/Support/allocations.c"], check=True)


def load_tests(loader, tests, pattern):
    """What keeps the processor busy comes first, while the others wait for their networks."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (Noise, Memory, Secured, Judged, Lossy))


@functools.cache
def begun(name):
    """What mostly waits runs beside all else: its result, later."""
    if name == "judged":
        return POOL.submit(judge, SMALL, "codes,status")
    if name == "judged_tls":
        # Each side of the judge's proxy has an exporter of its own.
        return POOL.submit(judge, build("spki", CAPS=""), "codes,status,pair", "--channel", "tls")
    return POOL.submit(Lossy.steer, getattr(Lossy, name))


def judge(client, can, *words):
    """The verdict of the judge of clients on what the client can do; many cases at once, since they mostly wait."""
    words = [sys.executable, f"{ROOT}/Protocol", "clients", "--jobs", "12", "--patience", "4", "--can", can, "--client", client, *words]
    environment = {**os.environ, "BATON_BIN": binaries(), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(words, env=environment, capture_output=True, text=True, timeout=200, check=False)


class Judged(unittest.TestCase):
    def test_small_remote(self):
        """examples/c passes as a client, on a good network and on bad ones."""
        ended = begun("judged").result()
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)

    def test_small_remote_tls(self):
        """The same over TLS, as a device that was paired by another program, and as one that pairs."""
        ended = begun("judged_tls").result()
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)


class Secured(unittest.TestCase):
    """examples/c over TLS."""

    def test_device(self):
        """It steers with its device key; a wrong key and another hub's pin end it with a sentence, before a press leaves."""
        paired = Paired(self)
        kept = paired.pair()
        small = paired.start(paired.small(kept, paired.tls))
        small.shows(lambda shown: shown["connected"] and shown["playing"])
        self.assertEqual([small.press(line)["st"] for line in ("vol 41", "next", "pause")], ["applied"] * 3)
        self.assertEqual((paired.home.status()["vol"]["level"], paired.place), (41, 1))
        self.assertEqual(small.ends("quit")[0], 0)
        code, said, why = paired.start(paired.small(kept, paired.tls, key=b64(KEY))).ends()
        self.assertEqual((code, json.loads(said)["ended"]), (1, 4401), why)
        code, said, why = paired.start(paired.small(kept, paired.tls, pin=b64(KEY))).ends()
        self.assertEqual((code, said), (1, ""))
        self.assertIn("not the hub", why)

    def test_false_hub(self):
        """A hub that shows the right key and a wrong proof is not believed, by C and by Python; one with the right proof is."""
        home = Home()
        self.addCleanup(home.close)
        for is_honest in (True, False):
            hub = FalseHub(home.folder, is_honest)
            self.addCleanup(hub.close)
            kept = {"url": hub.url, "dev": "d_1", "key": b64(KEY), "pin": hub.pin, "role": "remote"}
            os.makedirs(f"{home.folder}/state/baton-remote", exist_ok=True)
            with open(f"{home.folder}/state/baton-remote/hub.json", "w", encoding="utf-8") as file:
                json.dump(kept, file)
            small = [SMALL, "--url", hub.url, "--dev", "d_1", "--key", kept["key"], "--pin", kept["pin"]]
            for words in (small, [*PYTHON, "--script"]):
                client = Client(words, home.environment)
                self.addCleanup(client.close)
                if is_honest:
                    client.shows(lambda shown: shown["connected"] and shown["level"] == 64)
                    self.assertEqual(client.ends("quit")[0], 0)
                else:
                    code, _, why = client.ends()
                    self.assertEqual(code, 1)
                    self.assertRegex(why, "could not (prove|show) that it is the one")
            self.assertEqual(hub.heard, [True, True])


class Memory(unittest.TestCase):
    def test_allocations(self):
        """examples/c itself asks for no memory at all, and once it is connected neither does the C library for it."""
        paired = Paired(self)
        counts = f"{paired.home.folder}/counts"
        small = paired.start([SMALL, "--url", f"ws://{paired.plain}"], LD_PRELOAD=COUNTER, ALLOCATIONS=counts)
        small.shows(lambda shown: shown["connected"])
        before = self.read(counts)
        for line in ("vol 30", "next", "mute", "unmute", "pause", "play", "vol 20"):
            self.assertEqual(small.press(line)["ok"], 1)
        small.shows(lambda shown: shown["level"] == 20 and shown["playing"])
        after = self.read(counts)
        self.assertEqual(small.ends("quit")[0], 0)
        self.assertGreater(before[1], 0, "the C library looks an address up, so the counter counts")
        self.assertEqual((after[0], after[1] - before[1]), (0, 0), "by the program itself, and by the C library since it was connected")
        kept = paired.pair()
        small = paired.start(paired.small(kept, paired.tls), LD_PRELOAD=COUNTER, ALLOCATIONS=counts)
        small.shows(lambda shown: shown["connected"])
        self.assertEqual(small.press("vol 30")["ok"], 1)
        by_itself, _, by_libraries, *_ = self.read(counts)
        self.assertEqual((by_itself, by_libraries), (0, after[2]), "wolfSSL has the heap that it was given, so with TLS no library asks for more")

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            return struct.unpack("5q", file.read(40))


class Noise(unittest.TestCase):
    def test_faulty_messages(self):
        """Messages and frames with errors neither crash examples/c nor make it read what is not there; it goes on with the next right one."""
        checked = build("checked", CFLAGS=CHECKED)
        chance = random.Random(3)
        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=self.serve, args=(server, chance), daemon=True).start()
            client = Client([checked, "--url", f"ws://127.0.0.1:{server.getsockname()[1]}"], {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
            self.addCleanup(client.close)
            client.shows(lambda shown: shown["connected"] and shown["level"] == 55)
            self.assertEqual(client.ends("quit")[::2], (0, ""))

    def test_unreadable(self):
        """The clients in Python and JavaScript skip a message that they cannot read, and take the next right one on the same connection. BT-HS-009"""
        for name in SCRIPTS:
            with self.subTest(name):
                client = self.client_of(name, self.say_once)
                client.shows(lambda shown: shown["connected"] and shown["level"] == 55, 20)
                self.assertEqual(client.ends("quit")[0], 0)

    def test_no_greeting(self):
        """A hub that answers the upgrade, and then only sends pings, is given up after 8 s, and they come again."""
        came = {name: [] for name in SCRIPTS}
        for name, moments in came.items():
            self.client_of(name, self.say_pings, moments)
        wait("each comes again", lambda: all(len(moments) > 1 for moments in came.values()) or time.sleep(0.1), 40)
        for name, (first, second, *_) in came.items():
            self.assertTrue(7 < second - first < 20, (name, second - first))

    def client_of(self, name, serve, *words):
        """This client before a hub that does no more than `serve`."""
        server, home = socket.create_server(("127.0.0.1", 0)), tempfile.TemporaryDirectory(prefix="bt-")
        self.addCleanup(home.cleanup)
        self.addCleanup(server.close)
        threading.Thread(target=serve, args=(server, *words), daemon=True).start()
        address = f"ws://127.0.0.1:{server.getsockname()[1]}"
        client = Client([*SCRIPTS[name], "--url", address], {**os.environ, "HOME": home.name, "XDG_STATE_HOME": home.name})
        self.addCleanup(client.close)
        return client

    @classmethod
    def say_pings(cls, server, moments):
        """Keeps when two connections came; the first one is upgraded, and hears a ping a second until the other is there."""
        link, _ = server.accept()
        moments.append(time.monotonic())
        link.sendall(cls.upgraded(link))
        with contextlib.suppress(OSError), link:
            while not select.select([server], [], [], 1)[0]:
                link.sendall(encode(b"still here", PING, masked=False))
        server.accept()[0].close()
        moments.append(time.monotonic())

    @classmethod
    def say_once(cls, server):
        """One connection: a whole state, what nobody can read, and the next state. Whoever comes again is not heard."""
        link, _ = server.accept()
        answer = cls.upgraded(link)
        vol = b'"s":{"vol":{"level":%d,"mute":false,"range":[0,100]}}}'
        texts = [cls.WELCOME, b'{"t":"state","full":1,"rev":5,"room":"main",' + vol % 77, *UNREADABLE, b'{"t":"state","rev":6,"from":5,' + vol % 55]
        with contextlib.suppress(OSError):
            link.sendall(answer + b"".join(encode(text, masked=False) for text in texts))
            while link.recv(4096):
                pass
        link.close()

    @staticmethod
    def upgraded(link):
        """What a hub answers to an upgrade."""
        head = b""
        while b"\r\n\r\n" not in head:
            head += link.recv(4096)
        key = head.partition(b"Sec-WebSocket-Key: ")[2].partition(b"\r\n")[0].decode()
        answer = f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept(key)}\r\n"
        return (answer + "Sec-WebSocket-Protocol: baton.v1\r\n\r\n").encode()

    @classmethod
    def serve(cls, server, chance):
        """Each connection is one of noise; the last one ends with a right state."""
        unfinished = encode(b"part", final=False, masked=False) + encode(b"another", masked=False)
        worst = [encode(b"x" * 2000, masked=False), encode(b"", claim=2**63, masked=False), unfinished]
        for is_last in (False, False, False, True):
            link, _ = server.accept()
            answer = cls.upgraded(link)
            with contextlib.suppress(OSError):
                link.sendall(answer + b"".join(cls.faulty(chance) for _ in range(2000)))
                right = encode(cls.WELCOME, masked=False) + encode(cls.STATE.replace(b"77", b"55"), masked=False)
                link.sendall(right if is_last else worst.pop())
                while link.recv(4096):
                    pass
            link.close()

    WELCOME = b'{"t":"welcome","core":"1.0","features":[],"sess":"s","epoch":"e","boot":"b","role":"remote","caps":[],"pace":[250,30000],"t1":1,"t2":2,"t3":3}'
    STATE = b'{"t":"state","full":1,"rev":5,"room":"main","s":{"n":{"i":"q1","t":"A \\"b\\" c","d":3},"l":[0,1,1000],"v":[77,0],"m":[0,1,0,0],"r":"Room"}}'
    ANSWER = b'{"t":"res","id":1,"ok":1,"st":"applied","rev":6,"from":5,"s":{"l":[1,2,0,2]},"rx":1,"tx":2}'

    @classmethod
    def faulty(cls, chance):
        text = bytearray(chance.choice([cls.WELCOME, cls.STATE, cls.ANSWER]))
        for _ in range(chance.randrange(1, 6)):
            at = chance.randrange(len(text))
            text[at:at + chance.randrange(3)] = bytes(chance.choice(b'{}[]",:\\0159-.eaT\xff\0 ') for _ in range(chance.randrange(3)))
        return encode(bytes(text[:chance.choice([len(text), len(text), chance.randrange(len(text))])]), masked=False)


class Lossy(unittest.TestCase):
    """Through 20 % of loss and 300 ms of delay, with one cut in the middle, each press counts once."""

    @classmethod
    def steer(cls, words_of):
        """Gives back what was wrong, and closes all it started."""
        with contextlib.ExitStack() as stack:
            case = unittest.TestCase()
            stack.callback(case.doCleanups)
            paired = Paired(case)
            is_tls = words_of.__name__.endswith("_tls")
            kept = paired.pair() if is_tls else None
            relay = LossyRelay(paired.tls if is_tls else paired.plain, seed=5)
            stack.callback(relay.close)
            client = paired.start(words_of(paired, kept, f"127.0.0.1:{relay.port}"))
            client.shows(lambda shown: shown["connected"] and shown["playing"], 60)
            skipped = sum(cls.skip(client, relay, number == 1) for number in range(3))
            wait("the last level", lambda: client.press("vol 41").get("ok"), 60)
            client.shows(lambda shown: shown["level"] == 41)
            if paired.place not in (range(skipped, 4) if skipped < 3 else (3,)):
                said = paired.hub.text(paired.hub.said)[-2000:]
                return f"{skipped} of 3 presses were answered with “applied”, and the hub is at entry {paired.place}. It says:\n{said}"
            if client.ends("quit")[0] != 0 or relay.lost == 0:
                return f"the remote ended badly, or nothing was lost of {relay.passed} pieces"
            return None

    @staticmethod
    def skip(client, relay, is_cut):
        """One press of `next`; whether the hub has said that it applied it."""
        client.say("next")
        if is_cut:
            time.sleep(0.9)  # Long enough for the press to be there, and for its answer to be on its way.
            relay.cut()
        answer = client.hear("answer")["answer"]
        client.shows(lambda shown: shown["connected"])
        return answer.get("st") == "applied"

    @staticmethod
    def python(paired, kept, address):
        return [*PYTHON, "--script", "--url", f"ws://{address}"]

    @staticmethod
    def python_tls(paired, kept, address):
        path = f"{paired.home.folder}/state/baton-remote/hub.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump({**kept, "url": f"wss://{address}"}, file)
        return [*PYTHON, "--script"]

    @staticmethod
    def node(paired, kept, address):
        return [*NODE, "--url", f"ws://{address}/baton"]

    @staticmethod
    def small(paired, kept, address):
        return [SMALL, "--url", f"ws://{address}"]

    @staticmethod
    def small_tls(paired, kept, address):
        return paired.small(kept, address)

    def test_python(self):
        """examples/python"""
        self.assertIsNone(begun("python").result(120))

    def test_python_tls(self):
        """examples/python, over TLS"""
        self.assertIsNone(begun("python_tls").result(120))

    def test_node(self):
        """examples/browser, in Node"""
        self.assertIsNone(begun("node").result(120))

    def test_small(self):
        """examples/c"""
        self.assertIsNone(begun("small").result(120))

    def test_small_tls(self):
        """examples/c, over TLS"""
        self.assertIsNone(begun("small_tls").result(120))


if __name__ == "__main__":
    main("gcc", "make", "node", "openssl")
