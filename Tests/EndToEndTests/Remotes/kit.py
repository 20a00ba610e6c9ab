# deploy/test: tier 2, judges examples/minihub Protocol.
# deploy/test: alone, for it runs several hubs at once itself and judges when they answer.
"""The kit that a stranger runs, baton-check.pyz: alone in a folder, against a hub that is right and against some that are not hubs at all."""

import contextlib
import io
import json
import os
import re
import secrets
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

from runner import bound, check as judge, client_case, clients, exporter, lanes, levels, pages, playground, program, report, run, signing
from runner.failing import Mistyped, Unjudged
from runner.websocket import TEXT, Framing, Link, encode, head_of
from Support.hubs import ROOT, main
from Support.impostors import IMPOSTORS, LIMIT, Impostor, upgraded

PYTHON = f"{ROOT}/.build/venv/bin/python"
# An adapter of a hub that names its own music.
ADAPTER = """import json, signal, subprocess, sys
signal.signal(signal.SIGTERM, lambda *_: None)
hub = subprocess.Popen([sys.executable, "-I", "KIT", "minihub", *sys.argv[1:]], stdout=subprocess.PIPE, text=True)
print(json.dumps({**json.loads(hub.stdout.readline()), "playable": ["demo:track/1", "demo:track/2"]}), flush=True)
sys.exit(hub.wait())
"""
TRACKS = "demo:track/1,demo:track/2,demo:track/3"


# The kit as others get it, in a folder of its own.
FOLDER = tempfile.mkdtemp(prefix="bt-kit-")
KIT = f"{FOLDER}/baton-check.pyz"
REFERENCE = f"{sys.executable} -I {KIT} reference"


def setUpModule():
    unittest.addModuleCleanup(shutil.rmtree, FOLDER)
    subprocess.run([PYTHON, f"{ROOT}/Protocol", "kit", KIT], check=True, capture_output=True)


def check(*words, typed=""):
    """Code and words of the kit, and how long it took. It is run by another Python than the one of the tests, and finds nothing but itself."""
    began = time.monotonic()
    ended = subprocess.run([sys.executable, "-I", KIT, *words], input=typed, capture_output=True, text=True, timeout=90, check=False, cwd=FOLDER)
    return ended.returncode, ended.stdout + ended.stderr, time.monotonic() - began


@contextlib.contextmanager
def small_hub(*flags):
    """examples/minihub, and its address."""
    hub = subprocess.Popen([PYTHON, f"{ROOT}/examples/minihub", "--port", "0", *flags], stdout=subprocess.PIPE, text=True)
    try:
        yield hub.stdout.readline().strip().removesuffix("/baton")
    finally:
        hub.terminate()
        hub.wait()
        hub.stdout.close()


class Faulty(unittest.TestCase):
    """What is no hub, or no good one, gets a verdict with its reason in bounded time, and never a traceback."""

    def judged(self, address, reason, *words):
        code, said, seconds = check(address, "--yes", "--playable", TRACKS, *words)
        self.assertEqual(code, 1, said)
        self.assertNotIn("Traceback", said)
        self.assertRegex(said, r"(?m)^core 1\.0: ")
        self.assertIn(reason, said)
        self.assertLess(seconds, LIMIT, said)
        return said

    def test_impostors(self):
        for serve, reason in IMPOSTORS.items():
            with self.subTest(serve.__name__):
                impostor = Impostor(serve)
                self.addCleanup(impostor.listener.close)
                said = self.judged(impostor.address, reason)
                self.assertIn("core 1.0: not kept", said)

    def relay(self, hub, change, most=1 << 30):
        """What the hub says, message by message, as `change` has it; after so many connections nobody answers."""
        count, host = [0], hub.removeprefix("ws://").rpartition(":")

        def serve(link):
            count[0] += 1
            if count[0] > most:
                return time.sleep(LIMIT)
            with socket.create_connection((host[0], int(host[2]))) as other:
                for end in (link, other):
                    end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                threading.Thread(target=self.pass_on, args=(link, other), daemon=True).start()
                head = b""
                while b"\r\n\r\n" not in head and (data := other.recv(65536)):
                    head += data
                head, end, rest = head.partition(b"\r\n\r\n")
                link.sendall(head + end)
                if head_of(head)[0] != 101:
                    return self.pass_on(other, link, rest)
                framing = Framing()
                while rest or (rest := other.recv(65536)):
                    for opcode, payload, raw in framing.feed(rest):
                        link.sendall(encode(change(payload), TEXT, masked=False) if opcode == TEXT else raw)
                    rest = b""
        impostor = Impostor(serve)
        self.addCleanup(impostor.listener.close)
        return impostor.address

    @staticmethod
    def pass_on(source, target, data=b""):
        with contextlib.suppress(OSError):
            target.sendall(data)
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def test_liar(self):
        """A hub that announces what it does not have is told so, and its Core is judged all the same."""
        with small_hub() as hub:
            address = self.relay(hub, lambda text: text.replace(b'"features":[]', b'"features":["history@1","rooms@7","telepathy@1"]'))
            code, said, seconds = check(address, "--yes", "--playable", TRACKS, "--only", "=hello-full", "--level", "core")
            self.assertEqual(code, 0, said)
            said = self.judged(address, "history 1: not kept: it is claimed, and the hub does not know ")
        self.assertIn("The hub announces rooms@7, and this kit judges rooms@1.", said)
        self.assertIn("The hub announces telepathy@1, which this kit does not know", said)

    def test_dying(self):
        """A hub that answers nobody any more fails what was asked then, and is not asked again."""
        with small_hub() as hub:
            said = self.judged(self.relay(hub, lambda text: text, most=60), "the hub does not answer any more")
        self.assertGreater(len(re.findall(r"(?m)^pass ", said)), 3)


def asked(address, path, body=None):
    """What a hub answers to a script."""
    words = ["curl", "--silent", "--show-error", f"http://{address.removeprefix('ws://')}/baton/{path}", *(["--data", json.dumps(body)] if body else [])]
    return json.loads(subprocess.run(words, capture_output=True, text=True, timeout=10, check=True).stdout)


class Running(unittest.TestCase):
    """A hub that is in use is judged without an adapter, and is as it was afterwards."""

    def press(self, address, method, **parameters):
        answer = asked(address, "cmd", {"t": "cmd", "id": 1, "m": method, "k": secrets.token_hex(6), "p": parameters})
        self.assertEqual(answer["ok"], 1, answer)
        return answer

    def seen(self, address):
        sections, rows = asked(address, "state")["s"], self.press(address, "queue.get")["d"]["rows"]
        line = sections["tl"]
        return [row["uri"] for row in rows], sections["queue"]["idx"], (line["st"], line["posMs"]), sections["vol"], sections["modes"]

    def test_as_it_was(self):
        """Queue, current entry, position, level and modes come back, and the hub's owner is asked before."""
        with small_hub() as hub:
            self.press(hub, "queue.add", uris=["demo:track/2", "demo:track/4", "demo:track/1"])
            self.press(hub, "play", entry=self.press(hub, "queue.get")["d"]["rows"][1]["entry"], posMs=65_000)
            self.press(hub, "pause")
            self.press(hub, "vol.set", level=17)
            self.press(hub, "mode.set", repeat=True, single="once")
            before, rev = self.seen(hub), asked(hub, "state")["rev"]
            words = ["--only", "=next-two-remotes", "--only", "=levels-bounds", "--only", "=remove-current"]
            code, said, _ = check(hub, *words)
            self.assertEqual((code, asked(hub, "state")["rev"]), (2, rev), said)
            self.assertIn("its 3 entries are put back at the end", said)
            code, said, _ = check(hub, *words, "--yes")
            self.assertEqual(code, 0, said)
            self.assertIn("left behind: nothing", said)
            after = self.seen(hub)
            self.assertLess(abs(after[2][1] - before[2][1]), 100)
            self.assertEqual((after[:2], after[2][0], after[3:]), (before[:2], before[2][0], before[3:]))

    def test_stopped(self):
        """A check that is ended by a signal puts the queue back before it goes."""
        with small_hub() as hub:
            self.press(hub, "queue.add", uris=["demo:track/2", "demo:track/4"])
            before = self.seen(hub)
            words = [sys.executable, "-I", KIT, hub, "--yes", "--only", "=modes-end"]
            kit = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            while asked(hub, "state")["rev"] < 100:
                self.assertIsNone(kit.poll())
            kit.terminate()
            said = kit.communicate(timeout=60)[0]
            self.assertIn("left behind: nothing", said)
            self.assertEqual((kit.returncode, self.seen(hub)), (130, before), said)

    def test_core(self):
        """Four of five rules of Core are judged, by all ways of a hub on this machine, and the verdict is one line, a signed file, a badge and JUnit."""
        files = {name: f"{FOLDER}/result.{name}" for name in ("json", "badge", "junit")}
        with small_hub("--unix", f"{FOLDER}/hub.sock") as hub:
            code, said, _ = check(hub, f"unix:{FOLDER}/hub.sock", "--yes", "--quiet", "--playable", TRACKS, *(word for name, path in files.items() for word in (f"--{name}", path)))
        self.assertEqual(code, 0, said)
        found = re.search(r"(?m)^core 1\.0: (\d+) of \1 passed, \d+ skipped; (\d+) of (\d+) rules", said)
        self.assertGreaterEqual(int(found[2]), 0.8 * int(found[3]), said)
        with open(files["json"], encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual([(one["level"], one["kept"]) for one in result["levels"]], [("core", True)])
        self.assertEqual(check("verify", files["json"])[0], 0)
        with open(files["json"], "w", encoding="utf-8") as file:
            json.dump({**result, "levels": []}, file)
        self.assertEqual(check("verify", files["json"])[0], 1)
        self.assertEqual(xml.parse(files["junit"]).getroot().get("failures"), "0")
        self.assertIn("core 1.0", xml.parse(files["badge"]).getroot().get("aria-label"))


# A client that binds its proofs to something else than the connection that it has.
ELSEWHERE = """from runner import exporter, reference
BEND
reference.main()
"""
BENDS = {"nothing": "", "another label": "exporter.exported.__defaults__ = (b'EXPORTER-else',)",
         "the key of the hub": "from runner import device; device.bound_to = lambda exporter: device.channel_binding(b'')"}


class Bound(unittest.TestCase):
    """Proofs that are bound to what TLS exports."""

    def test_exporter(self):
        """What is derived from the log of keys is what OpenSSL exports."""
        hub = bound.Bound(FOLDER, f"{FOLDER}/bound.jsonl")
        self.addCleanup(hub.close)
        port = hub.listener.getsockname()[1]
        words = ["openssl", "s_client", "-connect", f"127.0.0.1:{port}", "-tls1_3", "-crlf", "-keymatexport", exporter.LABEL.decode(), "-keymatexportlen", "32"]
        other = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(other.communicate)
        other.stdin.write("GET /baton HTTP/1.1\nHost: localhost\nSec-WebSocket-Key: dGVzdHRlc3R0ZXN0dGVzdA==\n\n")
        other.stdin.flush()
        said = ""
        while "101 Switching" not in said:
            said += other.stdout.readline()
        found = re.search(r"Keying material: ([0-9A-F]{64})", said)
        self.assertEqual(exporter.binding(bytes.fromhex(found[1])), hub.exported)

    def test_clients(self):
        """A client that binds its proof to another connection, or to the key alone, is seen."""
        for name, bend in BENDS.items():
            with self.subTest(name):
                path = f"{FOLDER}/client.py"
                with open(path, "w", encoding="utf-8") as file:
                    file.write(ELSEWHERE.replace("BEND", bend))
                code, said, _ = check("--client", path, "--can", "exporter", "--only", "bound-to-tls")
                self.assertEqual(code, 1 if bend else 0, said)
                self.assertIn("'proof': False" if bend else "pass bound-to-tls", said)


class Clients(unittest.TestCase):
    """What is said of a client is about the client."""

    def judged(self, *words):
        code, said, _ = check("--client", REFERENCE, *words)
        return code, said

    def test_around_it(self):
        """Neither a hub nor a proxy that does not start is the fault of a client, and neither is one that is not there."""
        adapter, endless = f"{FOLDER}/none.py", f"{FOLDER}/endless.py"
        for path, text in ((adapter, "import sys\nsys.exit('There is no library.')\n"), (endless, "while True:\n    print('more' * 9999, end='', flush=True)\n")):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        for words, reason in ((("--client", REFERENCE, "--adapter", adapter), r"the hub has not started: .*There is no library\."), (("--adapter", adapter), r"There is no library\."), (("--adapter", endless), r"said 'moremore.*last it said: .*"),
                              (("run", "--hub", "/none", "--only", "=hello-full", "--only", "=dup"), "/none cannot be run: No such file or directory")):
            code, said, _ = check(*words)
            self.assertEqual((code, len(said.splitlines())), (2, 1), said)
            self.assertRegex(said, f"^could not be judged: .*{reason}$")

        with mock.patch.object(sys, "argv", ["clients", "--client", "x", "--hub", f"{ROOT}/Protocol/runner/adapters/minihub"]), mock.patch.dict(os.environ, MINIHUB_PYTHON=PYTHON):
            one = next(clients.load()), ["/none"], [clients.arguments().hub], FOLDER, clients.arguments()
            self.assertRaisesRegex(Unjudged, "the client cannot be run: /none: No such file", clients.try_case, *one)
            with mock.patch.object(client_case, "PROTOCOL", "/none"):
                self.assertRaisesRegex(Unjudged, "the proxy of this kit ended before where it listens; .*/none", clients.try_case, *one)

    def test_claims(self):
        """What is not claimed of a client, or what its hub does not have, is not asked: close codes of pairing, the queue, another view."""
        code, said = self.judged("--can", "queue,codes", "--only", "=queue-mirror", "--only", "=told-to-stop-4401", "--only", "=watch-reply")
        self.assertEqual(code, 2, said)
        for name, reason in (("queue-mirror", "the hub has no history"), ("told-to-stop-4401", "(--can pair)"), ("watch-reply", "this client asks for remote: --view watch")):
            self.assertRegex(said, f"skip {name} .*\n .*{re.escape(reason)}")
        self.assertIn("Nothing could be judged", said)
        self.assertFalse({"told-to-stop-4401", "told-to-stop-4403"} & {case["id"] for case in clients.load() if case["level"] == "core"})
        self.assertEqual(self.judged("--view", "watch", "--only", "=watch-reply")[0], 0)

    def test_failure(self):
        """A case that failed says which step, what was to come and what came, and its rule, at once."""
        words = [sys.executable, "-I", KIT, "--client", REFERENCE, "--only", "=answer-lost", "--only", "=told-to-wait", "--bend", "fresh-keys"]
        kit = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=FOLDER)
        said, at = [], []
        for line in kit.stdout:
            said.append(line)
            at.append(time.monotonic())
        kit.stdout.close()
        self.assertEqual(kit.wait(), 1)
        self.assertRegex("".join(said), r'FAIL answer-lost .*\n     step 4 \(press next\): the answer was {.*"moved".*}, not {"ok": 1, "why": "dup"}\n(     .*\n)*     BT-RTY-007: After a reconnect a client MUST')
        rule = next(place for place, line in enumerate(said) if line.startswith("     BT-RTY-007"))
        self.assertGreater(at[-1] - at[rule], 0.5)

    def test_blame(self):
        """A client is blamed by rules that bind it, and in words where there is none; those of the hub do not count."""
        case = next(case for case in clients.load() if case["id"] == "watch-commands")
        self.assertEqual(report.blamed({"wrong": ["step 1 (press next): no", "numbers: no"], "ids": case["ids"]}), ["BT-PRO-004", "BT-RTY-018"])
        self.assertEqual(report.blamed({"wrong": ["runs: the client came back under another run"], "ids": case["ids"]}), [])
        self.assertFalse({"BT-RES-004", "BT-CMD-next"} & pages.binding("client"))
        self.assertLessEqual({"BT-RES-005", "BT-ERR-gone", "BT-PRO-004"}, pages.binding("client"))
        result = {"id": "watch-reply", "title": "an answer is no state", "ids": [], "skipped": None, "wrong": ["step 1: no"], "seconds": 0}
        with contextlib.redirect_stdout(io.StringIO()) as said:
            report.tell(result)
        self.assertIn("to be shown was: an answer is no state", said.getvalue())
        (verdict,) = levels.Levels("core", side="client").verdicts([{"id": "watch-reply", "level": "core"}], [result])
        count = sum(level == "core" for rule, level in pages.rules().items() if rule in pages.binding("client"))
        self.assertRegex(verdict, f"^core 1.0: 0 of 1 passed, 0 skipped; 0 of {count} rules for clients were judged by them$")

    def test_late(self):
        """The answer to a press that was not waited for, and that comes late, does not stand for that of the next one."""
        said = """os.write(1, b'{"press": "next", "answer": {"ok": %d}}' + bytes([10]))"""
        words = f"import os\n{said % 0}\ninput()\n{said % 1}"
        case = client_case.Case.__new__(client_case.Case)
        case.patience, case.client = 1, program.Program([sys.executable, "-c", words])
        self.addCleanup(case.client.close)
        self.assertTrue(select.select([case.client.process.stdout], [], [], 10)[0])
        case.do_press({"press": "next"})

    def test_stays(self):
        """A client that does not end is told of in a sentence."""
        path = f"{FOLDER}/stays.py"
        with open(path, "w", encoding="utf-8") as file:
            file.write(ELSEWHERE.replace("BEND", "import time; reference.Remote.leave = lambda remote: time.sleep(60)"))
        code, said, _ = check("--client", path, "--only", "=told-to-wait")
        self.assertEqual(code, 1, said)
        self.assertIn("the client did not end within 5 s of the end of its input", said)

    def test_names(self):
        """A name that finds nothing is a mistake, and near ones are said, for cases and for scenarios."""
        code, said = self.judged("--only", "=usuall")
        self.assertEqual((code, len(said.splitlines())), (2, 1), said)
        self.assertIn("no case here is named usuall, or shows a rule of that name; near it: usual", said)
        for word, near in (("helo-full", "hello-full"), ("bt-rty-02", "BT-RTY-002")):
            self.assertRaisesRegex(Mistyped, f"no scenario here is named {word}, .*; near it: .*{near}", run.chosen, run.load(), ["=hello-full", word])

    def proxied(self, serve, *words):
        """A proxy before something that listens, and its address."""
        impostor = Impostor(serve)
        self.addCleanup(impostor.listener.close)
        proxy = subprocess.Popen([sys.executable, f"{ROOT}/Protocol", "proxy", "--to", impostor.address.removeprefix("ws://"), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for end in (proxy.stdin.close, proxy.stdout.close, proxy.wait, proxy.terminate):
            self.addCleanup(end)
        return proxy, json.loads(proxy.stdout.readline())["tcp"]

    @staticmethod
    def heard(link, until):
        """What comes, until there is so much or the line ends."""
        found = []
        while link.is_open and len(found) < until:
            select.select([link] if not link.has_more else [], [], [], 5 if not link.has_more else 0)
            found += [json.loads(payload) for opcode, payload in link.read() if opcode == TEXT]
        return found

    def test_delay(self):
        """A delay makes each message late, and not the next one later still."""
        def serve(link):
            upgraded(link)
            for number in range(30):
                link.sendall(encode(json.dumps({"t": "x", "n": number}).encode(), TEXT, masked=False))
            link.recv(1)
        link, began = Link(self.proxied(serve, "--fault", "delay:300")[1]), time.monotonic()
        self.assertEqual([one["n"] for one in self.heard(link, 30)], list(range(30)))
        self.assertTrue(0.25 < time.monotonic() - began < 1, time.monotonic() - began)
        link.cut()

    def test_cut(self):
        """The line is cut at the answer of the command that is named, and not of another one."""
        def serve(link):
            upgraded(link)
            framing = Framing()
            while data := link.recv(65536):
                for _, payload, _ in framing.feed(data):
                    link.sendall(encode(json.dumps({"t": "res", "id": json.loads(payload)["id"]}).encode(), TEXT, masked=False))
        proxy, address = self.proxied(serve)
        proxy.stdin.write("cut:cmd:next\n")
        proxy.stdin.flush()
        self.assertEqual(json.loads(proxy.stdout.readline()), {"done": "cut:cmd:next"})
        link = Link(address)
        for number, method in enumerate(("queue.get", "pause", "next"), 1):
            link.send(json.dumps({"t": "cmd", "id": number, "m": method}).encode())
            self.assertEqual([one["id"] for one in self.heard(link, 1)], [number] if number < 3 else [])
        self.assertFalse(link.is_open)


class Alone(unittest.TestCase):
    """The one file has all that it needs."""

    def test_size(self):
        self.assertLess(os.path.getsize(KIT), 1 << 20)

    @staticmethod
    def helped(*words):
        with contextlib.redirect_stdout(io.StringIO()) as said, mock.patch.object(sys, "argv", ["check", *words]):
            with contextlib.suppress(SystemExit):
                judge.main()
        return said.getvalue()

    def test_help(self):
        """The first screen is short, and each option has a sentence."""
        for words in ((), ("--client", "x")):
            usual, every = (self.helped(option, *words) for option in ("--help", "--help-all"))
            self.assertLess(len(usual.splitlines()), 36, usual)
            options = re.findall(r"(?m)^  (--?[a-z][^\n]*?)(?:  +|\n {10,})(\S.*)", every)
            self.assertEqual(len(options), len(re.findall(r"(?m)^  --?[a-z]", every)), every)
            self.assertGreater(len(options), 18)

    def test_list(self):
        """Which scenarios there are can be asked without a hub, and where none is, nothing is said of it."""
        code, said, _ = check("--list", "--level", "core")
        self.assertEqual(code, 0, said)
        self.assertIn("hello-full ", said)
        code, said, _ = check("ws://127.0.0.1:1")
        self.assertEqual(code, 2, said)
        self.assertIn("there is no connection", said)

    def test_client(self):
        """It judges a client before the small hub that lies in it."""
        code, said, _ = check("--client", REFERENCE, "--level", "core", "--only", "usual", "--json", f"{FOLDER}/client.json")
        self.assertEqual(code, 0, said)
        self.assertRegex(said, r"(?m)^core 1\.0: 1 of 1 passed")
        self.assertEqual(check("verify", f"{FOLDER}/client.json")[0], 0)

    def test_adapter(self):
        """An adapter may have music of its own, and is asked for no files."""
        adapter = f"{FOLDER}/adapter.py"
        with open(adapter, "w", encoding="utf-8") as file:
            file.write(ADAPTER.replace("KIT", KIT))
        code, said, _ = check("--adapter", adapter, "--only", "=prev", "--only", "=next-two-remotes", "--only", "=skipped")
        self.assertEqual(code, 0, said)
        self.assertIn("2 of 3 cases passed, 1 was skipped", said)

    def test_lent(self):
        """Brief scenarios follow each other on one hub, unless everything is asked for; what fails there is tried on a hub of its own."""
        adapter, starts = f"{FOLDER}/counted.py", f"{FOLDER}/starts"
        with open(adapter, "w", encoding="utf-8") as file:
            file.write(ADAPTER.replace("KIT", KIT).replace("signal.signal", f"open({starts!r}, 'a').write('x')\nsignal.signal", 1))
        for more, most in (((), 3), (("--no-quick",), 6)):
            code, said, _ = check("--adapter", adapter, *more, *(word for name in ("dup", "sync", "revisions", "muted-level", "levels-bounds") for word in ("--only", "=" + name)))
            self.assertEqual(code, 0, said)
            self.assertEqual(os.path.getsize(starts), most)
            os.unlink(starts)

        def case(scenario, make_hub, folder):
            return {"id": scenario["id"], "wrong": [make_hub] if make_hub == "lent" and scenario["id"] == "b" else []}
        with mock.patch.object(lanes, "case", case):
            found = list(lanes.several([[{"id": "a"}, {"id": "b"}], [{"id": "c"}]], "lent", FOLDER, 2, spare="own"))
        self.assertEqual(sorted((one["id"], one["wrong"]) for one in found), [("a", []), ("b", []), ("c", [])])

    def test_signature(self):
        """The second vector of RFC 8032."""
        key = signing.Key(bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
        self.assertEqual(key.public.hex(), "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
        self.assertEqual(key.sign(b"\x72").hex(), "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
        self.assertFalse(signing.is_signed(key.public, b"\x73", key.sign(b"\x72")))

    def test_playground(self):
        """One command starts a hub and says how to begin; what it says works."""
        hub = subprocess.Popen([sys.executable, "-I", KIT, "--playground", "--port", "0"], stdout=subprocess.PIPE, text=True, cwd=FOLDER)
        self.addCleanup(hub.stdout.close)
        self.addCleanup(hub.wait)
        self.addCleanup(hub.terminate)
        said = ""
        while "Ctrl-C" not in said:
            said += hub.stdout.readline()
        messages = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        self.assertEqual(messages, playground.MESSAGES)
        link = Link(re.search(r"ws://([\d.:]+)/baton", said)[1])
        heard = []
        for message in messages:
            link.send(json.dumps(message).encode())
        while sum(one["t"] == "res" for one in heard) < 2:
            select.select([link], [], [], 5)
            heard += [json.loads(payload) for opcode, payload in link.read() if opcode == TEXT]
        self.assertEqual([one["ok"] for one in heard if one["t"] == "res"], [1, 1])
        self.assertEqual(heard[1]["s"]["queue"]["len"], 6)
        link.cut()

    def test_talk(self):
        """What is typed is sent with what it needs, and what the hub says is shown; a wrong line ends nothing."""
        typed = 'play\nnext\nnext\nvol.set {"level":\nvol.set {"level":41}\n{"t":"cmd","id":9,"m":"vol.up"}\n{"t":"bye"}'
        done = subprocess.run([sys.executable, "-I", KIT, "talk"], input=typed, capture_output=True, text=True, timeout=60, cwd=FOLDER, check=False)
        said = [(line[0], json.loads(line[2:])) for line in done.stdout.splitlines()]
        answers = [one.get("st") or one["err"]["code"] for side, one in said if side == "<" and one["t"] == "res"]
        self.assertEqual(answers, ["applied", "applied", "applied", "applied", "unknown_command"], done.stdout + done.stderr)
        self.assertEqual([one.get("m") for side, one in said if side == ">"], [None, "play", "next", "next", "vol.set", "vol.up", None])
        entries = [one["p"]["from"] for side, one in said if side == ">" and one.get("m") == "next"]
        self.assertEqual(len(set(entries)), 2, "each next names the entry that was current then")
        self.assertIn("this is no JSON", done.stderr)
        nobody = subprocess.run([sys.executable, "-I", KIT, "talk", "ws://127.0.0.1:1"], input="", capture_output=True, text=True, timeout=60, cwd=FOLDER, check=False)
        self.assertEqual((nobody.returncode, nobody.stderr.count("\n"), "no connection" in nobody.stderr), (1, 1, True), nobody.stderr)


if __name__ == "__main__":
    main()
