"""One case of clients.json: a client behind a proxy, its presses, and what it shows."""

import json
import os
import subprocess
import sys
import time

from runner import hub as hubs
from runner.failing import Fails
from runner.mdns import Published
from runner.pairing import b64
from runner.pattern import matches
from runner.program import Program
from runner.running import pair
from runner.websocket import dial, head_of, request
from runner.world import unchunk

PROTOCOL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Case:
    """One client, one hub, and the proxy between them."""

    def __init__(self, case, client, adapter, folder, asked):
        self.case, self.profile, self.bend, self.patience, self.network = case, asked.profile, asked.bend, asked.patience, asked.network
        # Cases of pairing begin without a device; in all others that go by TLS the client is given one.
        self.is_secure, self.is_given = case.get("tls") or asked.channel == "tls", not case.get("tls")
        self.folder = folder
        self.trace = f"{folder}/{case['id']}.jsonl"
        self.hub = hubs.HubUnderTest(adapter, case.get("hub", {}), self.patience)
        self.client_words = client
        self.proxy = self.client = self.published = None

    def run(self):
        try:
            self.hub.start()
            addresses = self.between()
            self.client_words = self.words(addresses)
            self.home = {**os.environ, "HOME": self.hub.folder, "XDG_STATE_HOME": self.hub.folder}
            self.client = self.begin()
            for step in self.case["steps"]:
                verb = next(iter(step))
                getattr(self, "do_" + verb)(step)
            code = self.client.end(5 * self.patience)
            if not matches(self.case.get("code", 0), code):
                raise Fails(f"the client ended with {code}{self.client.last_words()}")
        finally:
            for child in (self.client, self.proxy):
                if child and child.process.poll() is None:
                    child.end(1)
            if self.published:
                self.published.close()
            self.hub.close()

    def between(self):
        """The proxy's addresses."""
        words = [sys.executable, PROTOCOL, "proxy", "--trace", self.trace, *(["--bend", self.bend] if self.bend else [])]
        for fault in self.network:
            words += ["--fault", fault]
        if self.is_secure:
            if "key" not in self.hub.ready:
                raise Fails("this hub says nothing of its TLS key (README.md), so no proxy can stand before its TLS port")
            words += ["--to", self.hub.addresses["tls"], "--key", self.hub.ready["key"]]
        else:
            words += ["--to", self.hub.addresses["unix"]]
        self.proxy = Program(words)
        return self.proxy.hear(lambda said: "ready" in said, 10 * self.patience, "the proxy")

    def words(self, addresses):
        url = f"wss://{addresses['tls']}" if self.is_secure else f"ws://{addresses['tcp']}"
        return [*self.client_words, "--url", f"{url}/companion/v1", *(["--profile", self.profile] if self.profile else []),
                *(self.device() if self.is_secure and self.is_given else [])]

    def device(self):
        """A device that is paired with this hub, as words for the client."""
        kept = pair(self.hub.addresses, self.ask("pair.open", {"role": "remote"})["d"]["pin"])
        return ["--dev", kept.dev, "--key", b64(kept.key), "--pin", b64(kept.pin)]

    def begin(self):
        return Program(self.client_words, self.home, f"{self.folder}/{self.case['id']}.err")

    # Steps

    def do_code(self, step):
        """Opens a window at the hub, and the client is told its digits."""
        answer = self.ask("pair.open", {"role": step["code"]})
        self.do_press({**step, "press": "pair " + answer["d"]["pin"]})

    def do_revoke(self, step):
        """The client's pairing is taken away at the hub."""
        for one in self.ask("dev.list", {})["d"]["list"]:
            self.ask("dev.revoke", {"dev": one["dev"]})

    def do_impostor(self, step):
        """From now on a machine with a key of its own stands at the address of the hub."""
        key = f"{self.hub.folder}/impostor.key"
        subprocess.run(["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", key], check=True, capture_output=True)
        self.proxy.say(f"key:{key}")
        self.proxy.hear(lambda said: "done" in said, 5 * self.patience, "the impostor")
        # What goes over older connections until they are cut still goes to the hub.
        self.lines_before = max((entry["line"] for entry in self.traced()), default=0)
        self.do_fault({"fault": "cutall"})

    def do_publish(self, step):
        """A hub is published on the loopback, with this port and record."""
        self.published = Published(step["publish"], step["port"], step["txt"])

    def do_silence(self, step):
        """Since the impostor came, the client has said nothing to it."""
        said = [e for e in self.traced() if e["line"] > self.lines_before and (e["side"], e["fate"]) == ("client", "passed")]
        if said:
            raise Fails(f"the client said {len(said)} messages to a machine that is not its hub: {str(said[0])[:200]}")

    def traced(self):
        """What the proxy has noted until now, on all connections."""
        with open(self.trace, encoding="utf-8") as file:
            return [json.loads(line) for line in file if line.endswith("\n")]

    def do_again(self, step):
        """The client is ended and started again, as it would be on another day."""
        self.client.say("quit")
        self.client.end(5 * self.patience)
        # Another run of the client is no return of the one before.
        self.do_fault({"fault": "fresh"})
        self.client = self.begin()

    def do_queue(self, step):
        """Until the client shows the queue that the hub has."""
        deadline, shown, entries = time.monotonic() + step.get("within", 10) * self.patience, None, None
        while time.monotonic() < deadline:
            entries = [row["entry"] for row in self.ask("queue.get", {})["d"]["rows"]]
            self.client.say("show")
            shown = self.client.hear(lambda v: "shown" in v, 15 * self.patience, "what it shows")["shown"].get("queue")
            if shown == entries and len(entries) >= step["queue"]:
                return
            time.sleep(0.1)
        raise Fails(f"the client shows the queue {shown}, and the hub has {entries}")

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
        self.ask(step["other"], step.get("p", {}), step.get("room"))

    def ask(self, method, parameters, room=None):
        body = {"t": "cmd", "id": 1, "m": method, "k": os.urandom(6).hex(), "p": parameters, **({"room": room} if room else {})}
        text = json.dumps(body).replace("${music}", self.hub.music)
        if "${rev}" in text:
            text = text.replace('"${rev}"', str(self.http("GET", "/companion/v1/state")["s"]["queue"]["rev"]))
        if "${last}" in text:
            rows = self.http("POST", "/companion/v1/cmd", b'{"t":"cmd","id":1,"m":"queue.get"}')["d"]["rows"]
            text = text.replace("${last}", rows[-1]["entry"])
        answer = self.http("POST", "/companion/v1/cmd", text.encode())
        if not answer.get("ok"):
            raise Fails(f"the hub refused {method}: {answer}")
        return answer

    def do_restart(self, step):
        self.hub.end(9 if step["restart"] == "kill" else 15)
        self.hub.start()
        if self.is_secure:
            # The hub chooses a port anew.
            self.do_fault({"fault": "to:" + self.hub.addresses["tls"].removeprefix("tls:")})

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
            rest = unchunk(rest)
        return json.loads(rest)
