# deploy/test: tier 2, first Documents Judged.test_scenarios Judged.test_unix Judged.test_tls Clients.test_python Clients.test_browser.
# deploy/test: judges Protocol examples Sources/Dialects/Companion Sources/Wire Sources/Client Sources/Web/WebRemote/page/listening/instep.js.
# deploy/test: alone, for it runs several hubs at once itself and judges when they answer.
"""The protocol as others see it: the runner's verdict on the shipped batond, and the runner's own proof.

`Protocol/` is a product of its own, so what is shown here uses nothing of the hub but its binaries.
"""

import concurrent.futures
import contextlib
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from runner import dialogue, proved, rules, run, schema, trace as traces
from runner.hub import put
from Support.hubs import IS_SLOW, ROOT, Home, Hub, binaries, main
from Support.suite import IS_FIRST, chosen_if
from tools import definitions

PROTOCOL = os.path.join(ROOT, "Protocol")


def program(*words, limit=900):
    """Runs a program of `Protocol/` on the shipped binaries; gives back its code and what it printed."""
    environment = {**os.environ, "BATON_BIN": binaries(), "PYTHONDONTWRITEBYTECODE": "1"}
    ended = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, timeout=limit, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def references(content):
    """All that a schema refers to; a wrong one would be seen only where it is reached."""
    if isinstance(content, dict) and isinstance(content.get("$ref"), str):
        yield content["$ref"]
    for inner in content.values() if isinstance(content, dict) else content if isinstance(content, list) else ():
        yield from references(inner)


class SideBySide:
    """The long programs, as many at a time as the machine has cores: each runs several hubs, and more only take the cores from each other.

    A test that asks for one waits for that one. Those of all chosen tests begin at the start, the longest first.
    """

    folder = tempfile.TemporaryDirectory(prefix="bt-")
    pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
    begun = {}

    @classmethod
    def begin(cls, name):
        if name not in cls.begun:
            cls.begun[name] = cls.pool.submit(cls.timed, name)
        return cls.begun[name]

    @staticmethod
    def timed(name):
        began = time.monotonic()
        ended = program(*PROGRAMS[name])
        print(f"    {name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
        return ended

    @classmethod
    def result(cls, name):
        """Code and words of a program of `PROGRAMS`."""
        return cls.begin(name).result()


def clients_of(command, *words):
    return [PROTOCOL, "clients", "--jobs", "6", "--patience", "4", "--client", command, *words]


def run_of(*words, only=()):
    return [PROTOCOL, "run", "--quiet", "--patience", "4", *words, *(word for name in only for word in ("--only", name))]


# The runner's own proof takes longer than all else, and depends on Protocol/ alone.
PROVES = IS_SLOW or proved.has_changed()
PROVED = chosen_if(PROVES)
# What is shown by the other ways too, when not everything is asked for.
ALIKE = ("hello-full", "resume-", "add-places", "clear-against-add", "next-two-remotes", "http-cmd")
LIBRARY = ("search-words", "list-edited", "picture-in-pieces")
# Six of each way in a usual run: repetition, the handshake, a resumed session, a lost edit, and the library.
SIX_TLS = ("=dup-restart", "=key-mismatch", "=hello-full", "=resume-equal", "=http-cmd", "=search-words")
SIX_UNIX = ("=dup", "=hello-full", "=resume-equal", "=resume-not-held", "=clear-against-add", "=search-words")
REPORT = f"{SideBySide.folder.name}/report.html"
TRACES = f"{SideBySide.folder.name}/traces"
PYTHON = f"{sys.executable} {ROOT}/examples/python/remote.py --script"
SWIFT_CASES = (
    "usual", "answer-lost", "frame-lost", "hub-killed", "wheel", "slow-network", "hung-network", "told-to-stop", "told-to-wait",
    "told-to-wait-longer", "unknown-things", "refused", "press-too-old", "silent-hub", "lossy-network", "pressed-before", "put-off", "quick-nexts", "put-off-wish",
    "removed-sections")
PROGRAMS = {
    "scenarios": run_of("--traces", TRACES, "--report", REPORT),
    **(proved.PROGRAMS if PROVES else {}),
    "watch": clients_of(f"{sys.executable} {ROOT}/examples/watch-simulator/watch.py --latency 20-150 --script"),
    "python": clients_of(PYTHON, "--can", "codes,status,queue,position,pair,view"),
    "reference": clients_of(f"{sys.executable} {PROTOCOL} reference", "--can", "all"),
    "lossy": clients_of(
        f"{sys.executable} {PROTOCOL} reference --ttl 20", "--patience", "3", "--network", "delay:300", "--network", "lossy:20",
        *(word for name in ("usual", "answer-lost", "frame-lost", "refused", "queue-mirror") for word in ("--only", name)), "--can", "all"),
    "browser": clients_of(f"node {PROTOCOL}/runner/adapters/browser.mjs", "--can", "codes,status,queue,position,view"),
    # Built with the tests; what ships is built apart.
    "swift": clients_of(
        f"{ROOT}/.build/debug/swift-remote",
        *(word for name in SWIFT_CASES for word in ("--only", name))),
    "tls": run_of("--channel", "tls", only=() if IS_SLOW else SIX_TLS if IS_FIRST else ("=dup-restart", "key-mismatch", *ALIKE, *LIBRARY)),
    "unix": run_of("--channel", "unix", only=() if IS_SLOW else SIX_UNIX if IS_FIRST else ("=dup", *ALIKE, *LIBRARY)),
}


def setUpModule():
    unittest.addModuleCleanup(SideBySide.folder.cleanup)
    unittest.addModuleCleanup(SideBySide.pool.shutdown, cancel_futures=True)
    for name in PROGRAMS:
        if len(sys.argv) == 1 or any(word.endswith(f".test_{name}") for word in sys.argv):
            SideBySide.begin(name)


def load_tests(loader, tests, pattern):
    """Those that wait for a long program come last."""
    return unittest.TestSuite(loader.loadTestsFromTestCase(case) for case in (Documents, Clients, Judged))


class Shown(unittest.TestCase):
    def passes(self, name):
        """One of `PROGRAMS` has ended well."""
        code, said = SideBySide.result(name)
        self.assertEqual(code, 0, said)


class Judged(Shown):
    """Every scenario against the hub; the traces are kept for the tests that read them."""

    def test_scenarios(self):
        """Every scenario passes, over TCP, and each frame the hub sent is one of the schemas'."""
        self.passes("scenarios")
        if os.environ.get("BATON_NO_SKIP") == "1":
            self.assertEqual(self.shown_by_nothing(SideBySide.result("scenarios")[1]), [])
        with open(REPORT, encoding="utf-8") as page:
            self.assertIn("cases passed", page.read())
        self.judge_frames(TRACES)
        self.judge_refusals(TRACES)

    def shown_by_nothing(self, said):
        """Rules that no scenario has judged here, since batond has no gateway, or servers of Tests/Contract lack a package, and that neither a test
        nor a vector names."""
        left = next((line.partition(":")[2].split() for line in said.splitlines() if line.startswith("not judged")), [])
        files = [path for kind in ("Tests/**/*.swift", "Tests/**/*.py", "Protocol/vectors/v1/*.json") for path in glob.glob(f"{ROOT}/{kind}", recursive=True)]
        named = set()
        for path in files:
            with open(path, encoding="utf-8") as file:
                named |= set(re.findall(r"BT-[A-Z]+-\w+", file.read()))
        return [rule for rule in left if rule not in named]

    def judge_frames(self, folder):
        """The same frames once more, judged by a validator that is not ours. A case that was skipped has a part of a trace."""
        try:
            import jsonschema
        except ImportError:
            self.fail("python3-jsonschema is not installed; deploy/packages test brings it")
        schemas = {path: content for path, content in schema.load().items()}
        store = {f"http://baton.invalid/{path}.json": {"$id": f"http://baton.invalid/{path}.json", **content} for path, content in schemas.items()}
        judges, seen = {}, set()
        for path in sorted(glob.glob(f"{folder}/*.jsonl")):
            for entry in traces.all_of(path):
                value = traces.message(entry) if entry["kind"] == "in" else None
                if value is None or (shape := self.shape(value)) in seen:
                    continue
                seen.add(shape)
                name = f"http://baton.invalid/hub/{value['t']}.json"
                if name not in judges:
                    resolver = jsonschema.RefResolver(name, store[name], store=store)
                    judges[name] = jsonschema.Draft202012Validator(store[name], resolver=resolver)
                wrong = [error.message for error in judges[name].iter_errors(value)]
                self.assertEqual(wrong, [], f"{path}: {json.dumps(value)[:300]}")
        self.assertGreater(len(seen), 50)

    def judge_refusals(self, folder):
        """Each refusal of a command is one that its definition names, with what a client does then."""
        known = definitions.Definitions()
        every = {entry["name"] for entry in known.entries("errors") if entry["every"]}
        seen = set()
        for path in sorted(glob.glob(f"{folder}/*.jsonl")):
            sent = {}
            for entry in traces.all_of(path):
                value = traces.message(entry)
                if not isinstance(value, dict):
                    continue
                number = (entry.get("conn"), value.get("id"))
                if entry.get("verb") == "send" and value.get("t") == "cmd":
                    sent[number] = known.commands.get(value.get("m"), {}) if isinstance(value.get("m"), str) else {}
                elif entry["kind"] == "in" and value.get("t") == "res" and "err" in value and "errors" in sent.get(number, {}):
                    command, code = sent[number], value["err"]["code"]
                    seen.add((command["name"], code))
                    self.assertIn(code, every | set(command["errors"]), f"{path}: {command['name']}: {value['err']['msg']}")
        self.assertGreater(len(seen), 50)

    def shape(self, value):
        """Messages of one shape are judged once: names and kinds of values, to the leaves."""
        if isinstance(value, dict):
            return tuple(sorted((name, value[name] if name in ("t", "st", "why", "code") else self.shape(value[name])) for name in value))
        if isinstance(value, list):
            return tuple(sorted({repr(self.shape(item)) for item in value}))
        return type(value).__name__

    def test_unix(self):
        """The handshake, the answers and the queue are the same over the unix socket."""
        self.passes("unix")

    def test_tls(self):
        """The same over TLS, by devices that were paired with the arithmetic of another language. BT-HTTP-007"""
        self.passes("tls")

    @PROVED
    def test_mutants(self):
        """A hub with one broken rule is caught by the scenario that is there for it, whichever rule it is."""
        self.passes("mutants")

    @PROVED
    def test_client_mutants(self):
        """A client that breaks one rule is seen by the judge of clients, and one that keeps to all is not."""
        self.passes("client mutants")

    def test_no_trace(self):
        """A case whose trace is missing or torn does not pass, however well it went."""
        scenario = [{"id": "plain", "title": "a greeting", "ids": [], "steps": [{"open": "a"}]}]
        with tempfile.TemporaryDirectory(prefix="bt-") as folder:
            with open(f"{folder}/one.json", "w", encoding="utf-8") as file:
                json.dump(scenario, file)
            code, said = program(PROTOCOL, "run", "--scenarios", folder, "--traces", f"{folder}/traces")
            self.assertEqual(code, 0, said)
            path = f"{folder}/traces/plain.jsonl"
            with open(path, encoding="utf-8") as file:
                lines = file.readlines()
            self.assertEqual(run.judge(scenario[0], path), [])
            for torn in (lines[:-1], lines[1:], lines[:3] + lines[4:], []):
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(torn)
                self.assertTrue(run.judge(scenario[0], path)[0].startswith("no evidence"), torn)
            os.unlink(path)
            self.assertTrue(run.judge(scenario[0], path)[0].startswith("no evidence"))

    def test_unread(self):
        """Only an `err` which says that the hub could not read a command stands for its answer; one about a message of another type does not."""
        def frame(us, kind, message):
            return {"us": us, "conn": "a", "kind": kind, "verb": "send", "op": 1, "text": json.dumps(message)}
        asked = [frame(0, "do", {"t": "hello", "view": "remote"}), frame(1, "in", {"t": "welcome", "t2": 0}), frame(2, "do", {"t": "cmd", "id": 1, "m": "pause"})]
        for code, is_answer in (("bad_request", True), ("too_large", True), ("unknown_type", False)):
            with self.subTest(code):
                one = dialogue.Dialogue("a", [*asked, frame(3, "in", {"t": "err", "err": {"code": code}})])
                self.assertEqual(list(rules.answers(one, 5_000_000)), [] if is_answer else ["command 1 was never answered"])


class Clients(Shown):
    """Every example passes as a client, on a good network and on bad ones."""

    def test_python(self):
        """examples/python: a package, written from the text."""
        self.passes("python")

    def test_reference(self):
        """The client of the runner itself, from Protocol/ alone: every case there is."""
        self.passes("reference")

    def test_lossy(self):
        """The same through 300 ms of delay and the loss of every fifth frame."""
        self.passes("lossy")

    def test_python_unix(self):
        """The same over the unix socket."""
        with hub_for(self) as hub:
            words = [sys.executable, f"{ROOT}/examples/python/remote.py", "--url", f"unix:{hub.home.socket}", "vol", "41"]
            ended = subprocess.run(words, env=hub.home.environment, capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual((ended.returncode, ended.stdout), (0, "applied\n"), ended.stderr)

    def test_watch(self):
        """examples/watch-simulator: a watch that is slow and says one thing at a time."""
        self.passes("watch")

    def test_node(self):
        """A stock client that is no browser and not Python: Debian's node-ws."""
        with hub_for(self) as hub:
            ended = subprocess.run(["node", f"{ROOT}/Tests/EndToEndTests/Support/another_client.mjs", hub.url], capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            said = json.loads(ended.stdout)
            # The hub's own news may come in between; what was asked comes in its order.
            order = [kind for kind in said["seen"] if kind != "state"]
            self.assertEqual((order, said["seen"][:2]), (["welcome", "res", "time"], ["welcome", "state"]))
            self.assertEqual((said["code"], said["extensions"], said["protocol"]), (1000, "", "baton.v1"))

    def test_browser(self):
        """examples/browser: the module that the hub's own page is made with, outside of a browser."""
        self.passes("browser")

    def test_swift(self):
        """examples/swift: `BatonClient` as others see it, in some sixty lines."""
        self.passes("swift")

    def test_shell(self):
        """examples/shell: curl on the unix socket."""
        with hub_for(self) as hub:
            environment = {**hub.home.environment, "BATON_SOCKET": hub.home.socket}

            def shell(*words):
                ended = subprocess.run([f"{ROOT}/examples/shell/baton.sh", *words], env=environment, capture_output=True, text=True, timeout=60, check=False)
                return ended.returncode, ended.stdout.strip()
            self.assertEqual(shell("status"), (0, "Nothing is playing · 30%"))
            code, said = shell("vol", "41")
            self.assertEqual((code, json.loads(said)["st"]), (0, "applied"))
            self.assertEqual(shell()[1], "Nothing is playing · 41%")
            self.assertEqual(shell("dance")[0], 2)

    def test_elsewhere(self):
        """examples/python pairs, and examples/shell steers over HTTPS with what was kept; a hub with another key hears nothing. BT-HTTP-011"""
        with hub_for(self, "--tls", "127.0.0.1:0") as hub:
            address = "wss://127.0.0.1:" + re.search(r"network https://[^/\s]+:(\d+)/", hub.text(hub.said)).group(1)
            code = json.loads(hub.home.baton("--json", "pair", "--open"))["pin"]

            def run(*words, typed="", **more):
                ended = subprocess.run(words, env={**hub.home.environment, **more}, input=typed, capture_output=True, text=True, timeout=60, check=False)
                return ended.returncode, ended.stdout, ended.stderr
            remote = [sys.executable, f"{ROOT}/examples/python/remote.py"]
            self.assertEqual(run(*remote, "pair", address, typed=code + "\n")[1][-18:], "Paired as remote.\n")
            self.assertEqual(run(*remote, "vol", "44")[:2], (0, "applied\n"))
            said = run(*remote, "env")[1]
            kept = dict(re.findall(r"(BATON_\w+)='([^']*)'", said))
            shell = f"{ROOT}/examples/shell/baton.sh"
            self.assertEqual(run(shell, **kept)[:2], (0, "Nothing is playing · 44%\n"))
            self.assertEqual(json.loads(run(shell, "vol", "45", **kept)[1])["st"], "applied")
            other = {**kept, "BATON_PIN": kept["BATON_PIN"][::-1].lstrip("=") + "="}
            code, said, why = run(shell, "vol", "46", **other)
            self.assertEqual((code != 0, said.strip()), (True, ""), why)
            self.assertEqual(run(shell, **kept)[1], "Nothing is playing · 45%\n")

    def test_day_of_a_watch(self):
        """A watch with the troubles of a real one stays inside its budgets."""
        with hub_for(self) as hub:
            for name in ("Kid A - 01 Everything in Its Right Place", "Чайковский - Времена года", "久石譲 - 海の見える街"):
                put(f"{hub.home.music}/{name}.wav", 60)
            hub.home.baton("play", hub.home.music)
            code, said = program(f"{ROOT}/examples/watch-simulator/watch.py", "--url", hub.url, "--latency", "30-250", "--presses", "10", "--sleep", "1")
            self.assertEqual(code, 0, said)
            self.assertIn("together", said)


class Documents(Shown):
    """What people read is what programs check."""

    def test_examples(self):
        """Each example, in a file or in the text, is valid by its schema, for us and for another validator."""
        validator, count = schema.Validator(), 0
        for path in sorted(glob.glob(f"{ROOT}/Protocol/examples/*.json")):
            side, _, rest = os.path.basename(path)[:-5].partition("-")
            with open(path, encoding="utf-8") as file:
                value = schema.strict(file.read())
            self.assertEqual(validator.complaints(f"{side}/{rest.split('-')[0]}", value), [], path)
            found = f"hub/data/{rest.partition('-')[2]}"
            if side == "hub" and found in validator.schemas:
                self.assertEqual(validator.complaints(found, value["d"]), [], path)
            count += 1
        for name in [*sorted(glob.glob(f"{ROOT}/Protocol/core/*.md") + glob.glob(f"{ROOT}/Protocol/profiles/*.md")), f"{ROOT}/Protocol/TUTORIAL.md"]:
            with open(name, encoding="utf-8") as file:
                for line in file:
                    if line.startswith('{"t":'):
                        value = schema.strict(line)
                        wrong = [validator.complaints(f"{side}/{value['t']}", value) for side in ("client", "hub") if f"{side}/{value['t']}" in validator.schemas]
                        self.assertIn([], wrong, f"{name}: {line}")
                        count += 1
        self.assertGreater(count, 100)

    def test_schemas(self):
        """Each schema is one by the book, closed where we send, and known whole to our small validator."""
        import jsonschema
        for name, content in schema.load().items():
            jsonschema.Draft202012Validator.check_schema(content)
            schema.Validator().complaints(name, None)
            schema.Validator().complaints(name, {})
            for reference in references(content):
                schema.Validator().resolve(reference, name)
        closed = schema.Validator().complaints("client/sync", {"t": "sync", "mood": "fine"})
        opened = schema.Validator({"sync": schema.opened(schema.load()["client/sync"])}).complaints("sync", {"t": "sync", "mood": "fine"})
        self.assertEqual((len(closed), opened), (1, []))

    def test_tutorial(self):
        """What the tutorial gives to copy works as it stands, but for the port."""
        with open(f"{ROOT}/Protocol/TUTORIAL.md", encoding="utf-8") as file:
            blocks = file.read().split("```")
        tiny = next(block for block in blocks if block.startswith("python\n"))[7:]
        calls = [line for block in blocks for line in block.split("\n") if line.startswith("curl ")]
        with hub_for(self) as hub:
            here = hub.url.split("/")[2]
            with open(f"{hub.home.folder}/tiny.py", "w", encoding="utf-8") as file:
                file.write(tiny.replace("127.0.0.1:9442", here))
            shutil.copy(f"{ROOT}/Protocol/tutorial/websocket.py", hub.home.folder)
            said = subprocess.run(["timeout", "3", sys.executable, "-u", f"{hub.home.folder}/tiny.py", "35"], capture_output=True, text=True, check=False).stdout
            self.assertEqual(said.split("\n")[:3], ["Nothing is playing at 30", "Nothing is playing at 35", "done"])
            self.assertEqual(len(calls), 4)
            for call in calls:
                ended = hub.home.run("bash", "-c", call.replace("127.0.0.1:9442", here))
                self.assertEqual(json.loads(ended.stdout)["t"], "res" if "/cmd" in call else "state", call)

    def test_coverage(self):
        """Each rule of the specification has an id and something that shows it; no link leads nowhere."""
        code, said = program(PROTOCOL, "coverage")
        self.assertEqual(code, 0, said)

    def test_vectors(self):
        """Python and JavaScript read the vectors as Swift does, and those of playlists are what their model says."""
        for words in ((PROTOCOL, "vectors"), (f"{PROTOCOL}/models/playlist.py",)):
            code, said = program(*words)
            self.assertEqual(code, 0, said)
        ended = subprocess.run(["node", f"{ROOT}/Protocol/vectors/check.mjs"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((ended.returncode, "not read" in ended.stdout), (0, False), ended.stdout + ended.stderr)

    @PROVED
    def test_models(self):
        """The models hold, and find their faults when the protection is taken out."""
        self.passes("models")


@contextlib.contextmanager
def hub_for(case, *flags):
    """A hub in a home of its own, for one test."""
    home = Home()
    case.addCleanup(home.close)
    hub = Hub(home, "--audio", "null", *flags)
    try:
        yield hub
    finally:
        hub.kill()


if __name__ == "__main__":
    main("spin", "node", "curl", "gcc")
