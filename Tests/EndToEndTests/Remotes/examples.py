# deploy/test: tier 2, judges examples Sources/Web/WebRemote/page/parts Protocol/tools/release.py.
"""The remotes in `examples/` as packages and programs: they install, their types are right, and their copies equal the hub's."""

import asyncio
import glob
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

from Support.hubs import ROOT, Home, Hub, main, wait
from Support.suite import not_possible

try:
    from baton_remote import BlockingRemote, Clock, QueueMirror, Remote, StateMirror, closing, discovery, pairing
    from baton_remote.commands import Command
    from baton_remote.state import position_ms, short_ms, whole_us
except ImportError:
    print("examples.py: skipped, for there is no python3-websockets here")
    sys.exit(77)
from runner import built
from runner.hub import put

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(*words, limit=60, **options):
    return subprocess.run(words, capture_output=True, text=True, timeout=limit, check=False, **options)


def vectors(name):
    with open(f"{ROOT}/Protocol/vectors/v1/{name}.json", encoding="utf-8") as file:
        content = json.load(file)
    return content, content["cases"]


def octets(case):
    """A vector about keys: all but its texts and numbers is hexadecimal, and comes as bytes."""
    texts = {"name", "cb", "hello", "challenge", "client", "deviceName", "hub", "round"}
    return {name: value if name in texts else bytes.fromhex(value) for name, value in case.items()}


class Installed(unittest.TestCase):
    """What people install."""

    def test_pip(self):
        """pip installs baton_remote from its folder without a network, with its types and its command."""
        with tempfile.TemporaryDirectory(prefix="bt-") as folder:
            pip = [f"{ROOT}/.build/venv/bin/pip", "install", "--quiet", "--no-index", "--no-compile", "--disable-pip-version-check", "--prefix", folder]
            ended = run(*pip, f"{ROOT}/examples/python")
            self.assertEqual(ended.returncode, 0, ended.stderr)
            [package] = glob.glob(f"{folder}/lib/*/site-packages/baton_remote")
            self.assertTrue(os.path.exists(f"{package}/py.typed"))
            ended = run(f"{folder}/bin/baton-remote", "--help", env={**os.environ, "PYTHONPATH": os.path.dirname(package)})
            self.assertIn("python -m baton_remote next", ended.stdout, ended.stderr)

    def test_python_types(self):
        """mypy --strict accepts the package and the example on top of it."""
        ended = run("mypy", "--python-executable", "/usr/bin/python3", "--cache-dir", f"{ROOT}/.build/mypy", cwd=f"{ROOT}/examples/python")
        self.assertEqual(ended.returncode, 0, ended.stdout)

    def test_typescript_types(self):
        """tsc --strict accepts a remote in TypeScript, and baton.d.ts names what baton.js has."""
        flags = ["--strict", "--noEmit", "--module", "node16", "--moduleResolution", "node16", "--target", "es2022", "--lib", "es2022,dom"]
        ended = run("tsc", *flags, f"{ROOT}/examples/browser/example.ts")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        ended = run("node", f"{HERE}/Support/declared.mjs", f"{built.folder()}/browser")
        self.assertEqual((ended.returncode, ended.stdout), (0, "the types name what there is\n"), ended.stderr)

    def test_browser_moments(self):
        """The client for browsers reads the moments of a watch and the hub's clock, and says when a press was. BT-SEC-027 BT-RTY-013 BT-CLK-006"""
        ended = run("node", f"{HERE}/Support/moments.mjs", f"{ROOT}/examples/browser/client", f"{ROOT}/Protocol/vectors/v1")
        self.assertEqual((ended.returncode, ended.stdout), (0, "the moments are right\n"), ended.stderr)

    def test_browser_waits(self):
        """The client for browsers sends a press that the hub has put off once, after its time, unless a newer one drops it. BT-RTY-007 BT-RTY-018"""
        ended = run("node", f"{HERE}/Support/putoff.mjs", f"{ROOT}/examples/browser/client")
        self.assertEqual((ended.returncode, ended.stdout), (0, "it waits as it is asked to\n"), ended.stderr)

    def test_browser_presses_quickly(self):
        """Each quick press of next counts on a slow network, and a message that the client for browsers cannot read is skipped. BT-HS-009 BT-RTY-018"""
        ended = run("node", f"{HERE}/Support/quickpresses.mjs", f"{ROOT}/examples/browser/client")
        self.assertEqual((ended.returncode, ended.stdout), (0, "each press counts\n"), ended.stderr)

    def test_cut_lists(self):
        """The page, the largest remote in JavaScript, reads on in a list that the hub has cut, and not for ever."""
        ended = run("node", f"{HERE}/Support/cutlists.mjs", f"{ROOT}/Sources/Web/WebRemote/page")
        self.assertEqual((ended.returncode, ended.stdout), (0, "lists are read to their end\n"), ended.stderr)

    def test_small_remote(self):
        """examples/c has at most 1,100 lines, builds without a warning, and asks for no memory anywhere."""
        lines = 0
        for path in glob.glob(f"{ROOT}/examples/c/*.[ch]"):
            with open(path, encoding="utf-8") as file:
                lines += len(file.readlines())
        self.assertLessEqual(lines, 1100)
        with tempfile.TemporaryDirectory(prefix="bt-") as folder:
            ended = run("make", "-C", f"{ROOT}/examples/c", f"OUT={folder}/remote")
            self.assertEqual((ended.returncode, ended.stderr), (0, ""))
            wanted = {line.split()[-1].partition("@")[0] for line in run("nm", "-u", f"{folder}/remote").stdout.splitlines()}
            self.assertEqual(wanted & {"malloc", "calloc", "realloc", "strdup", "asprintf", "getline", "fopen", "open_memstream"}, set())


class Values(unittest.TestCase):
    """The parts of baton_remote that need no hub, by the vectors of the protocol."""

    def test_clock(self):
        """BT-CLK-006 BT-CLK-007"""
        content, cases = vectors("clock")
        for case in cases:
            clock = Clock()
            for one in case["exchanges"]:
                clock.add(one["t1"], one["t2"], one["t3"], one["t4"])
            found = clock.hub_us(case["atUs"])
            offset = None if found is None else found - case["atUs"]
            if case["offsetUs"] is None:
                self.assertIsNone(offset, case["name"])
            else:
                self.assertAlmostEqual(offset, case["offsetUs"], delta=content["toleranceUs"], msg=case["name"])

    def test_timeline(self):
        """BT-CLK-001"""
        content, cases = vectors("timeline")
        for case in cases:
            line = case["line"]
            position = position_ms(line["posMs"], line["atUs"], line["rate"], case.get("durMs"), case["hubUs"])
            self.assertAlmostEqual(position, case["posMs"], delta=content["toleranceMs"], msg=case["name"])

    def test_moments_of_watches(self):
        """BT-SEC-027"""
        content, _ = vectors("timeline")
        for case in content["watch"]:
            start_ms, short, rate = case["l"][:3]
            for hub_us in (case["hubMs"] * 1000, (case["hubMs"] + 7 * 2 ** 31) * 1000):
                position = position_ms(start_ms, whole_us(short, hub_us), rate, case.get("durMs"), hub_us)
                self.assertAlmostEqual(position, case["posMs"], delta=content["toleranceMs"], msg=case["name"])
                self.assertEqual(short_ms(hub_us), case["hubMs"] % 2 ** 31, case["name"])

    def test_state(self):
        """BT-STA-003 BT-STA-007: a state whose `from` does not fit is not taken, and nothing else until a whole one has come."""
        for case in vectors("coalescing")[1]:
            if case["kind"] != "apply":
                continue
            mirror = StateMirror()
            mirror.revision, mirror.sections = case["holds"]["rev"], dict(case["holds"]["sections"])
            was_taken = mirror.take(case["state"])
            self.assertEqual(was_taken, case["expect"] != "sync", case["name"])
            if was_taken:
                known = {name: value for name, value in mirror.sections.items() if name != "weather"}
                self.assertEqual((known, mirror.revision), (case["expect"], case["rev"]), case["name"])
            else:
                self.assertFalse(mirror.take({"t": "state", "rev": mirror.revision + 1, "from": mirror.revision, "s": {}}))
                self.assertTrue(mirror.take({"t": "state", "full": 1, "rev": 99, "s": {}}))

    def test_resume(self):
        """A copy of the very first revision is offered too; one that cannot be trusted is not. BT-HS-026"""
        mirror = StateMirror()
        mirror.welcome({"epoch": "e", "boot": "b"})
        self.assertIsNone(mirror.resume)
        mirror.take({"t": "state", "full": 1, "rev": 0, "room": "main", "s": {"vol": {"level": 4}}})
        self.assertEqual(mirror.resume, {"epoch": "e", "rev": 0, "rooms": ["main"], "sections": ["vol"]})
        mirror.drop()
        self.assertIsNone(mirror.resume)

    def test_queue(self):
        """BT-QUE-019, also for a client that holds only the head."""
        for case in vectors("queue")[1]:
            for held in range(len(case["start"]) + 1):
                mirror = QueueMirror()
                rows = [{"entry": entry} for entry in case["start"]]
                mirror.take({"rev": 1, "len": len(rows), "cur": case["cur"], "from": 0, "rows": rows[:held]})
                was_taken = mirror.hear({"t": "q", "from": 1, "rev": 2, "ops": case["ops"]})
                self.assertEqual(was_taken, case["expect"] is not None, case["name"])
                if was_taken:
                    self.assertEqual(mirror.entries, case["expect"][:len(mirror.entries)], (case["name"], held))
                    self.assertEqual((mirror.length, mirror.current or ""), (len(case["expect"]), case["after"]), case["name"])

    def test_records(self):
        """BT-DSC-002 BT-DSC-003"""
        for case in vectors("txt")[1]:
            hub = discovery.read_record("A hub", "192.168.1.7", case["port"], case["txt"])
            found = {"id": hub.id, "v": list(hub.versions), "p": hub.path, "plain": hub.plain, "tls": hub.tls, "fp": hub.fingerprint, "pair": hub.is_pairing, "f": list(hub.profiles)}
            self.assertEqual(found, case["expect"], case["name"])

    def test_found(self):
        """A hub on the network is found by its record, and the address to connect to is its encrypted port."""
        network = "ip link set lo up multicast on && ip route add 224.0.0.0/4 dev lo && exec "
        apart = ["unshare", *([] if os.geteuid() == 0 else ["--map-root-user"]), "--net", "sh", "-c"]
        if run(*apart, network + "true").returncode != 0:
            not_possible("this machine gives no network namespace")
        ended = run(*apart, network + f"{sys.executable} {HERE}/Support/findable.py")
        self.assertEqual(ended.stdout, '[["Test hub", "7Qm2k0Vx", "wss://127.0.0.1:9443/baton", true]]\n', ended.stderr)

    def test_invitations(self):
        """The digits as people type them, and the link of the QR code."""
        self.assertEqual(pairing.Invitation.read(" 123-456\n"), pairing.Invitation("pin", b"123456"))
        link = pairing.Invitation.read("https://192.168.1.7:9443/#pair=AAECAwQFBgcICQoLDA0ODw&id=7Qm2k0Vx&fp=" + pairing.b64(bytes(32)))
        self.assertEqual((link.by, link.secret, link.url, link.pin), ("qr", bytes(range(16)), "wss://192.168.1.7:9443", bytes(32)))
        for text in ("12345", "https://192.168.1.7:9443/"):
            with self.assertRaises(pairing.WrongCode):
                pairing.Invitation.read(text)

    def test_pairing(self):
        """The steps of a device that is paired, and shares of a hub that it must not take. BT-PAIR-001 BT-PAIR-004"""
        content, cases = vectors("pairing")
        for case in cases:
            v = octets(case)
            words = (v["code"], v["binding"], v["hubNonce"], v["client"], v["deviceName"], v["hub"], v["deviceNonce"], v["a"], v["round"])
            device = pairing.Pairing(*words)
            self.assertEqual((device.share, device.prove(v["yb"]), device.key(v["tb"], v["wk"])), (v["ya"], v["ta"], v["key"]), case["name"])
        for one in content["refused"]:
            device = pairing.Pairing(*words)
            with self.assertRaises(pairing.WrongCode, msg=one["name"]):
                device.prove(device.share if one["share"] == "own" else bytes.fromhex(one["share"]))

    def test_proof(self):
        """BT-HS-012"""
        for case in vectors("auth")[1]:
            v = octets(case)
            for side, name in ((b"client", "macClient"), (b"hub", "macHub")):
                proof = pairing.proof(side, v["key"], v["binding"], v["hello"].encode(), v["challenge"].encode(), v["nonce"])
                self.assertEqual(proof, v[name], (case["name"], name))

    def test_presses(self):
        """BT-RTY-006 BT-RTY-013: when a press was, by the hub's clock of now, and whether it is still sent."""
        async def frames():
            for case in (one for one in vectors("press")[1] if "pressedMs" in one):
                command = Command("next", {}, case["ttl"], case["pressedMs"] * 1000, asyncio.get_running_loop().create_future())
                now = case["sentMs"] * 1000
                self.assertEqual(command.is_wanted(now), case["sent"], case["name"])
                if case["sent"]:
                    # A fresh press is sent without its age.
                    said = command.frame(1, now, case["hubMs"] * 1000, case["view"]).get("ct", case["ct"])
                    off = (said - case["ct"]) % 2 ** 31 if case["view"] == "watch" else said - case["ct"]
                    self.assertEqual(off, 0, case["name"])
        asyncio.run(frames())

    def test_bearer(self):
        """BT-HTTP-007"""
        for case in vectors("bearer")[1]:
            self.assertEqual(pairing.bearer(case["dev"], bytes.fromhex(case["key"])), case["bearer"], case["name"])

    def test_close(self):
        """What each close code means for a client, and how long it waits."""
        content, cases = vectors("close")
        for case in cases:
            self.assertEqual(closing.advice(case["code"]).value, case["advice"], case["name"])
            least, after = 0 if case["advice"] != "retry" else closing.pause(case["code"], 0, 0) * 1000, case.get("afterMs", 0)
            self.assertTrue(after <= least <= after + 250, (case["name"], least))
        for one in content["silence"]:
            self.assertEqual(closing.silence(one["mostMs"]) * 1000, one["silentMs"])

    def test_unknown_code(self):
        """A close code of later versions means: try again."""
        for code in (4777, None, *vectors("close")[0]["unknown"]):
            self.assertEqual(closing.advice(code), closing.Advice.RETRY, code)


class Copies(unittest.TestCase):
    """The copies of baton_remote beside a hub."""

    @classmethod
    def setUpClass(cls):
        cls.home = Home()
        cls.addClassCleanup(cls.home.close)
        for number in range(130):
            put(f"{cls.home.music}/{number:03}.wav", 0.01)
        put(f"{cls.home.music}/long.wav", 60)
        cls.hub = Hub(cls.home, "--audio", "null")
        cls.addClassCleanup(cls.hub.kill)

    def test_queue_of_many_edits(self):
        """The copy of the queue equals the hub's after edits of several kinds, of which other clients make half. BT-QUE-019"""
        async def edit_and_compare():
            chance = random.Random(7)
            async with Remote(self.hub.url) as mine, Remote(self.hub.url) as other:
                await other.command("queue.add", uris=[self.home.music])
                copy = await mine.queue.open()
                self.assertEqual(len(copy.entries), 131)
                for _ in range(40):
                    remote = chance.choice([mine, other])
                    some = chance.sample(copy.entries, 3)
                    await chance.choice([
                        lambda: remote.command("queue.remove", ids=some), lambda: remote.command("queue.move", ids=some[:2], after=some[2]),
                        lambda: remote.command("queue.move", ids=some, after=None), lambda: remote.command("queue.undo"),
                        lambda: remote.command("queue.add", uris=[f"{self.home.music}/{chance.randrange(130):03}.wav"], at="next")])()
                await mine.command("queue.add", uris=[f"{self.home.music}/long.wav"])
                truth, at = [], 0
                while at < copy.length:
                    page = (await other.command("queue.get", **{"from": at, "n": 100})).data
                    truth, at = truth + [row["entry"] for row in page["rows"]], at + len(page["rows"])
                self.assertEqual(copy.entries, truth)
                await mine.queue.open()
                self.assertEqual(set(copy.rows) - set(copy.entries), set())
        asyncio.run(edit_and_compare())

    def test_without_asyncio(self):
        """A program without asyncio reads, presses, and is told why a press was refused."""
        with BlockingRemote(self.hub.url) as remote:
            self.assertEqual(remote.set_volume(33).outcome, "applied")
            self.assertEqual(remote.playing.level, 33)
            refused = remote.command("vol.set", level=333)
            self.assertEqual((refused.ok, refused.code), (False, "bad_request"))
            self.assertIn("0 to 100", refused.sentence)
            self.assertGreaterEqual(len(remote.queue()), 0)

    def test_kitchen(self):
        """The example of 40 lines shows and presses."""
        with open(f"{ROOT}/examples/python/kitchen.py", encoding="utf-8") as file:
            self.assertLessEqual(len(file.readlines()), 40)
        kitchen = subprocess.Popen(
            [sys.executable, f"{ROOT}/examples/python/kitchen.py", self.hub.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env=self.home.environment)
        self.addCleanup(kitchen.stdout.close)
        self.addCleanup(kitchen.kill)
        kitchen.stdin.write("vol 37\n")
        kitchen.stdin.flush()
        wait("the press", lambda: "applied" in kitchen.stdout.readline())
        wait("the level", lambda: self.home.status()["vol"]["level"] == 37)
        kitchen.stdin.close()
        self.assertEqual(kitchen.wait(10), 0)


if __name__ == "__main__":
    main("mypy", "tsc", "node", "gcc", "make", "nm")
