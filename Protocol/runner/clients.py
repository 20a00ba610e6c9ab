#!/usr/bin/python3
"""Puts a client under test: presses its buttons on a bad network, and judges what it says.

The client's contract is in README.md: presses come as words on its standard input. Between it and the
hub stands proxy.py, whose trace is the evidence. The cases are in scenarios/clients.json.
"""

import argparse
import concurrent.futures
import json
import os
import select
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import hub as hubs  # noqa: E402
import judged  # noqa: E402
import report  # noqa: E402
from pattern import matches  # noqa: E402
from websocket import dial, head_of, request  # noqa: E402

CASES = os.path.normpath(os.path.join(HERE, "../scenarios/clients.json"))


class Fails(Exception):
    pass


class Program:
    """A child that is spoken to in lines."""

    def __init__(self, words, environment=None):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self.rest = b""

    def say(self, line):
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Fails(f"the client had ended when {line!r} was pressed") from None

    def hear(self, wanted, seconds, what):
        """The next line of JSON that is wanted."""
        deadline = time.monotonic() + seconds
        while True:
            line, found, rest = self.rest.partition(b"\n")
            if found:
                self.rest = rest
                value = json.loads(line)
                if wanted(value):
                    return value
                continue
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                raise Fails(f"{what} did not come within {seconds} s")
            more = os.read(self.process.stdout.fileno(), 65536)
            if not more:
                raise Fails(f"the client ended before {what}")
            self.rest += more

    def end(self, seconds=5):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "did not end"


class Case:
    def __init__(self, case, client, adapter, folder, profile, bend=None, patience=1):
        self.case, self.profile, self.bend, self.patience = case, profile, bend, patience
        self.trace = f"{folder}/{case['id']}.jsonl"
        self.hub = hubs.HubUnderTest(adapter, case.get("hub", {}), patience)
        self.client_words = client
        self.proxy = self.client = None

    def run(self):
        try:
            self.hub.start()
            self.proxy = Program([sys.executable, f"{HERE}/proxy.py", "--to", self.hub.addresses["unix"], "--trace", self.trace, *(["--bend", self.bend] if self.bend else [])])
            at = self.proxy.hear(lambda said: "ready" in said, 10 * self.patience, "the proxy")["tcp"]
            home = {**os.environ, "HOME": self.hub.folder, "XDG_STATE_HOME": self.hub.folder}
            words = [*self.client_words, "--url", f"ws://{at}/companion/v1", *(["--profile", self.profile] if self.profile else [])]
            self.client = Program(words, home)
            for step in self.case["steps"]:
                verb = next(iter(step))
                getattr(self, "do_" + verb)(step)
            code = self.client.end(5 * self.patience)
            if not matches(self.case.get("code", 0), code):
                raise Fails(f"the client ended with {code}")
        finally:
            for child in (self.client, self.proxy):
                if child and child.process.poll() is None:
                    child.end(1)
            self.hub.close()

    # Steps

    def do_press(self, step):
        self.client.say(step["press"])
        if step.get("wait", True):
            said = self.client.hear(lambda v: v.get("press") == step["press"], step.get("within", 8) * self.patience, f"the answer to {step['press']!r}")
            if not matches(step.get("expect", {"ok": 1}), said["answer"]):
                raise Fails(f"the answer to {step['press']!r} was {said['answer']}")

    def do_presses(self, step):
        for number in range(step["presses"]):
            self.client.say(step["as"].replace("$i", str(number)))
            time.sleep(step.get("every", 0.01))

    def do_shows(self, step):
        """Asks until the client shows it."""
        deadline, last = time.monotonic() + step.get("within", 15) * self.patience, None
        while time.monotonic() < deadline:
            self.client.say("show")
            last = self.client.hear(lambda v: "shown" in v, 15 * self.patience, "what it shows")["shown"]
            if matches(step["shows"], last):
                return
            time.sleep(0.1)
        raise Fails(f"the client shows {last}, not {step['shows']}")

    def do_fault(self, step):
        self.proxy.say(step["fault"])
        self.proxy.hear(lambda said: said.get("done") == step["fault"], 5 * self.patience, "the fault")

    def do_hub(self, step):
        """The state of the hub itself, asked beside the proxy."""
        deadline, state = time.monotonic() + step.get("within", 10) * self.patience, None
        while time.monotonic() < deadline:
            state = self.http("GET", "/companion/v1/state")["s"]
            if matches(step["hub"], state):
                return
            time.sleep(0.05)
        raise Fails(f"the hub is {state}, not {step['hub']}")

    def do_other(self, step):
        """A press on another remote."""
        body = {"t": "cmd", "id": 1, "m": step["other"], "k": os.urandom(6).hex(), "p": step.get("p", {})}
        text = json.dumps(body).replace("${music}", self.hub.music)
        answer = self.http("POST", "/companion/v1/cmd", text.encode())
        if not answer.get("ok"):
            raise Fails(f"the hub refused {step['other']}: {answer}")

    def do_restart(self, step):
        self.hub.end(9 if step["restart"] == "kill" else 15)
        self.hub.start()

    def do_wait(self, step):
        time.sleep(step["wait"])

    def do_ended(self, step):
        """The client has noticed that there is no use in coming back."""
        self.client.hear(lambda said: said.get("ended") == step["ended"], step.get("within", 5) * self.patience, "its end")

    def http(self, method, path, body=b""):
        link = dial(self.hub.addresses["unix"])
        link.sendall(request("unix:", (), path, None, method, body))
        data = b""
        while more := link.recv(65536):
            data += more
        link.close()
        head, _, rest = data.partition(b"\r\n\r\n")
        if head_of(head)[1].get("transfer-encoding") == "chunked":
            from world import unchunk
            rest = unchunk(rest)
        return json.loads(rest)


def try_case(case, client, adapter, folder, profile, bend=None, patience=1):
    began, wrong = time.monotonic(), []
    one = Case(case, client, adapter, folder, profile, bend, patience)
    try:
        one.run()
    except (Fails, hubs.NoHub) as failed:
        wrong.append(str(failed))
    except Exception as error:  # A mistake in the runner must not look like a pass.
        wrong.append(f"the runner itself failed: {type(error).__name__}: {error}")
    wrong += judged.complaints(one.trace)
    return {"id": case["id"], "title": case["title"], "ids": case["ids"], "wrong": wrong, "seconds": time.monotonic() - began, "trace": one.trace}


def main():
    parser = argparse.ArgumentParser(description="Puts a client under test.")
    parser.add_argument("--client", required=True, metavar="COMMAND", help="the client, with the words it needs")
    parser.add_argument("--profile", help="passed on to the client")
    parser.add_argument("--hub", default=hubs.DEFAULT, metavar="ADAPTER")
    parser.add_argument("--only", action="append", metavar="ID")
    parser.add_argument("--report", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--patience", type=float, default=1, metavar="N", help="wait N times as long for what must come")
    parser.add_argument("--bend", metavar="NAME", help="the client breaks this rule of mutations.py, and a case must fail")
    asked = parser.parse_args()
    with open(CASES, encoding="utf-8") as file:
        cases = [case for case in json.load(file) if not asked.only or case["id"] in asked.only]
    results = []
    with tempfile.TemporaryDirectory(prefix="bt-") as folder:
        pool = concurrent.futures.ThreadPoolExecutor(asked.jobs)
        words = hubs.words_of(asked.client), hubs.words_of(asked.hub)
        for result in pool.map(lambda case: try_case(case, *words, folder, asked.profile, asked.bend, asked.patience), cases):
            results.append(result)
            report.tell(result)
        if asked.report:
            report.write(asked.report, results, asked.client)
    return 0 if report.tell_sum(results, f" for {asked.client}") else 1


if __name__ == "__main__":
    sys.exit(main())
