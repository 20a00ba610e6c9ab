"""The remotes of `examples/` as programs beside a hub: built, started, spoken to in lines, paired."""

import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time

from runner.hub import put
from Support.hubs import ROOT, Home, Hub, wait

FOLDER = tempfile.TemporaryDirectory(prefix="bt-")
SMALL = f"{FOLDER.name}/remote"
# For make: faults of memory and undefined behaviour end the program with a report.
CHECKED = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover"
PYTHON = [sys.executable, f"{ROOT}/examples/python/remote.py"]
NODE = ["node", f"{ROOT}/Protocol/runner/adapters/browser.mjs"]


def build(name, **variables):
    """examples/c, with other variables for make; gives back where it is."""
    path = f"{FOLDER.name}/{name}"
    subprocess.run(["make", "-s", "-C", f"{ROOT}/examples/c", f"OUT={path}", *(f"{key}={value}" for key, value in variables.items())], check=True)
    return path


class Client:
    """A remote that is spoken to in lines, as the judge of clients does (Protocol/README.md)."""

    def __init__(self, words, environment):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        self.rest = b""

    def say(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def hear(self, name, limit=60):
        """The next line with this member."""
        deadline = time.monotonic() + limit
        while True:
            line, found, rest = self.rest.partition(b"\n")
            if found:
                self.rest = rest
                if name in (value := json.loads(line)):
                    return value
                continue
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"{name} did not come within {limit} s")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                raise AssertionError(f"The remote ended before {name}: {self.process.stderr.read().decode()}")
            self.rest += more

    def press(self, line):
        self.say(line)
        return self.hear("answer")["answer"]

    def shows(self, condition, limit=60):
        def shown():
            self.say("show")
            return condition(self.hear("shown")["shown"])
        return wait("what the remote shows", lambda: shown() or time.sleep(0.05), limit)

    def ends(self, line=None, limit=60):
        """Its code and its last words."""
        if line:
            self.say(line)
        # Its standard input stays open, so that it ends by itself.
        code = self.process.wait(limit)
        return code, (self.rest + self.process.stdout.read()).decode(), self.process.stderr.read().decode()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


class Paired:
    """A hub with TLS and eight songs that play, and a device that was paired with it by examples/python."""

    def __init__(self, case):
        self.home = Home()
        case.addCleanup(self.home.close)
        # A song that ends by itself also moves the hub on, so none does so while the longest case runs.
        for number in range(8):
            put(f"{self.home.music}/{number}.wav", 600)
        self.hub = Hub(self.home, "--audio", "null", "--tls", "127.0.0.1:0")
        case.addCleanup(self.hub.kill)
        self.home.baton("play", self.home.music)
        self.plain = f"127.0.0.1:{self.hub.port}"
        self.tls = "127.0.0.1:" + re.search(r"network https://[^/\s]+:(\d+)/", self.hub.text(self.hub.said)).group(1)
        self.case = case

    def pair(self):
        """What the device keeps."""
        code = json.loads(self.home.baton("--json", "pair", "--open"))["pin"]
        ended = subprocess.run(
            [*PYTHON, "pair", f"wss://{self.tls}"], env=self.home.environment, input=f"{code}\n", capture_output=True, text=True, timeout=60, check=False)
        self.case.assertEqual(ended.returncode, 0, ended.stderr)
        with open(f"{self.home.folder}/state/baton-remote/hub.json", encoding="utf-8") as file:
            return json.load(file)

    def small(self, kept, address, **changed):
        """The words of examples/c over TLS."""
        kept = {**kept, **changed}
        return [SMALL, "--url", f"wss://{address}", "--dev", kept["dev"], "--key", kept["key"], "--pin", kept["pin"]]

    def start(self, words, **more):
        client = Client(words, {**self.home.environment, **more})
        self.case.addCleanup(client.close)
        return client

    @property
    def place(self):
        return self.home.status()["queue"]["idx"]
