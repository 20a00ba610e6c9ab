"""One case of clients.json: a client behind a proxy, its presses, and what it shows."""

import json
import os
import subprocess
import sys
import time

from runner import hub as hubs
from runner.bound import Bound
from runner.failing import Fails, Skips, Unfit, Unjudged, show
from runner.mdns import Published
from runner.pairing import b64
from runner.pattern import fill, matches, pointer
from runner.program import RUNS_ON, Program
from runner.running import pair
from runner.websocket import dial, head_of, request
from runner.world import unchunk

PROTOCOL = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Case:
    """One client, one hub, and the proxy between them."""

    def __init__(self, case, client, adapter, folder, asked):
        self.case, self.bend, self.patience, self.network = case, asked.bend, asked.patience, asked.network
        # A client is asked for another view than its own only if it is said to have it.
        self.is_viewed = "view" in asked.can or asked.view == case.get("view")
        self.view = case.get("view", asked.view) if self.is_viewed else asked.view
        # Cases of pairing begin without a device; in all others that go by TLS the client is given one.
        self.is_secure, self.is_given = case.get("tls") or asked.channel == "tls", not case.get("tls")
        self.folder = folder
        self.trace = f"{folder}/{case['id']}.jsonl"
        self.hub = hubs.HubUnderTest(adapter, case.get("hub", {}), self.patience)
        self.client_words = client
        self.proxy = self.client = self.published = None

    def run(self):
        self.home = {**os.environ, "HOME": self.hub.folder, "XDG_STATE_HOME": self.hub.folder}
        if "bound" in self.case:
            return self.run_bound()
        try:
            self.start_hub()
            self.look(self.http("GET", "/baton/state"))
            addresses = self.between()
            self.client_words = self.words(addresses)
            self.client = self.begin()
            self.await_view()
            self.walk(self.hub.variables)
            code = self.client.end(5 * self.patience)
            if code == RUNS_ON:
                raise Fails(f"the client did not end within {5 * self.patience:.0f} s of the end of its input")
            if not matches(self.case.get("code", 0), code):
                raise Fails(f"the client ended with {code}, not with {show(self.case.get('code', 0))}{self.client.last_words()}")
        finally:
            for child in filter(None, (self.client, self.proxy)):
                child.close()
            if self.published:
                self.published.close()
            self.hub.close()

    def walk(self, variables):
        """Takes the steps. One that does not hold says which it is."""
        for number, raw in enumerate(self.case["steps"], 1):
            step = fill(raw, variables)
            verb = next(iter(step))
            try:
                getattr(self, "do_" + verb)(step)
            except Fails as failed:
                raise Fails(f"step {number} ({verb} {step[verb] if isinstance(step[verb], str) else ''}): {failed}".replace(" )", ")")) from None

    def start_hub(self):
        """Starts the hub. It is not what is judged, so that a client is not to blame where it does not start."""
        try:
            self.hub.start()
        except (Unfit, OSError) as error:
            raise Unjudged(f"the hub has not started: {error}") from None

    def look(self, state):
        """What the hub has: a case about a profile is none for a hub without it."""
        self.hub.variables["room"] = state.get("room")
        known = {one.partition("@")[0] for one in state.get("features", [])}
        needed = {self.case["level"], *self.case.get("with", ())} - {"core", *self.case.get("alone", ())}
        if needed - known:
            raise Skips(f"the hub has no {' and '.join(sorted(needed - known))}, which this case is about: name one that has by --adapter")

    def await_view(self):
        """A case for one view is none for a client that asks for another one."""
        wanted, deadline, hello = self.case.get("view"), time.monotonic() + 8 * self.patience, None
        while wanted and hello is None and time.monotonic() < deadline and self.client.process.poll() is None:
            hello = next((entry["text"] for entry in self.traced() if entry["side"] == "client" and "text" in entry), None)
            time.sleep(0.02)
        view = json.loads(hello).get("view") if hello else wanted
        if view == wanted:
            return
        if self.is_viewed:
            raise Fails(f"the client was started with --view {wanted}, and its hello asks for the view {show(view)}")
        raise Skips(f"it is about the view {wanted}, and this client asks for {view}: --view {wanted} asks for it, or --can view where it has several")

    def run_bound(self):
        """The client comes by TLS to a hub that shows to what it binds its proofs; what that has seen must fit `bound`."""
        hub = Bound(self.hub.folder, self.trace)
        try:
            self.client_words = [*self.client_words, *hub.words(), *(["--view", self.view] if self.view else [])]
            self.client = self.begin()
            self.walk({})
            self.client.end(5 * self.patience)
            if not matches(self.case["bound"], hub.seen):
                raise Fails(f"the hub has seen {hub.seen}, not {self.case['bound']}{self.client.last_words()}")
        except Fails as failed:
            raise Fails(f"{failed}; the hub has seen {hub.seen}") from None
        finally:
            if self.client:
                self.client.close()
            hub.close()
            self.hub.close()

    def between(self):
        """The proxy's addresses."""
        words = [sys.executable, PROTOCOL, "proxy", "--trace", self.trace, *(["--bend", self.bend] if self.bend else [])]
        for fault in self.network:
            words += ["--fault", fault]
        if self.is_secure:
            if "tls" not in self.hub.addresses or "key" not in self.hub.ready:
                raise Skips("this hub has no TLS, or says nothing of its TLS key (README.md), so that no proxy can stand before that port")
            words += ["--to", self.hub.addresses["tls"], "--key", self.hub.ready["key"]]
        else:
            words += ["--to", self.hub.local]
        self.proxy = Program(words, errors=f"{self.folder}/{self.case['id']}.proxy.err", name="the proxy of this kit", kind=Unjudged)
        return self.proxy.hear(lambda said: "ready" in said, 10 * self.patience, "where it listens")

    def words(self, addresses):
        url = f"wss://{addresses['tls']}" if self.is_secure else f"ws://{addresses['tcp']}"
        return [*self.client_words, "--url", f"{url}/baton", *(["--view", self.view] if self.view else []),
                *(self.device() if self.is_secure and self.is_given else [])]

    def device(self):
        """A device that is paired with this hub, as words for the client."""
        kept = pair(self.hub.addresses, self.ask("pair.open", {"role": "remote"})["d"]["pin"])
        # Each in one word with its name: a key may begin with a dash.
        return [f"--dev={kept.dev}", f"--key={b64(kept.key)}", f"--pin={b64(kept.pin)}"]

    def begin(self):
        try:
            return Program(self.client_words, self.home, f"{self.folder}/{self.case['id']}.err")
        except OSError as error:
            raise Unjudged(f"the client cannot be run: {self.client_words[0]}: {error.strerror}") from None

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
        said = [e for e in self.traced() if e["line"] > self.lines_before and e["side"] == "client" and e["fate"] in ("passed", "asked")]
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

    def do_said(self, step):
        """So many messages like this came from the client, or `by` the hub, since the case began, all with the `same` value at a place. With `else`
        nothing is judged without them."""
        deadline, side = time.monotonic() + step.get("within", 5) * self.patience, step.get("by", "client")
        while True:
            passed = [entry for entry in self.traced() if (entry["side"], entry["fate"]) == (side, "passed") and "text" in entry]
            said = [message for message in (json.loads(entry["text"]) for entry in passed) if matches(step["said"], message)]
            found = len(said)
            if matches(step["times"], found) or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        if not matches(step["times"], found):
            if "else" in step:
                raise Skips(step["else"])
            raise Fails(f"{found} messages like {show(step['said'])} came from the {side}, not {show(step['times'])}")
        if "same" in step and len({json.dumps(pointer(message, step["same"])) for message in said}) > 1:
            raise Fails(f"messages like {show(step['said'])} differ in {step['same']}: {show([pointer(message, step['same']) for message in said])}")

    def do_press(self, step):
        # A press that was not waited for may have its answer only now, and would stand for that of this one.
        self.client.pass_over()
        self.client.say(step["press"])
        if step.get("wait", True):
            said = self.client.hear(lambda v: v.get("press") == step["press"], step.get("within", 8) * self.patience, f"the answer to {step['press']!r}")
            if not matches(step.get("expect", {"ok": 1}), said.get("answer")):
                raise Fails(f"the answer was {show(said.get('answer'))}, not {show(step.get('expect', {'ok': 1}))}")

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
        raise Fails(f"the client shows {show(last)}, not {show(step['shows'])}")

    def do_fault(self, step):
        self.proxy.say(step["fault"])
        self.proxy.hear(lambda said: said.get("done") == step["fault"], 5 * self.patience, "the fault")

    def do_hub(self, step):
        """The state of the hub itself, asked beside the proxy."""
        deadline, state = time.monotonic() + step.get("within", 10) * self.patience, None
        while time.monotonic() < deadline:
            state = self.http("GET", "/baton/state")["s"]
            if matches(step["hub"], state):
                return
            time.sleep(0.05)
        raise Fails(f"the hub is {show(state, 900)}, not {show(step['hub'])}")

    def do_other(self, step):
        """A press on another remote; `save` keeps parts of what came for the steps behind it."""
        answer = self.ask(step["other"], step.get("p", {}), step.get("room"))
        self.hub.variables.update({name: pointer(answer, path) for name, path in step.get("save", {}).items()})

    def ask(self, method, parameters, room=None):
        body = {"t": "cmd", "id": 1, "m": method, "k": os.urandom(6).hex(), "p": fill(parameters, self.hub.variables), **({"room": room} if room else {})}
        text = json.dumps(body)
        if "${rev}" in text:
            text = text.replace('"${rev}"', str(self.http("GET", "/baton/state")["s"]["queue"]["rev"]))
        if "${last}" in text:
            rows = self.http("POST", "/baton/cmd", b'{"t":"cmd","id":1,"m":"queue.get"}')["d"]["rows"]
            text = text.replace("${last}", rows[-1]["entry"])
        answer = self.http("POST", "/baton/cmd", text.encode())
        if not answer.get("ok"):
            raise Fails(f"the hub refused {method} of another remote: {show(answer)}")
        return answer

    def do_restart(self, step):
        self.hub.end(9 if step["restart"] == "kill" else 15)
        self.start_hub()
        if self.is_secure:
            # The hub chooses a port anew.
            self.do_fault({"fault": "to:" + self.hub.addresses["tls"].removeprefix("tls:")})

    def do_wait(self, step):
        time.sleep(step["wait"])

    def do_ended(self, step):
        """The client has noticed that there is no use in coming back."""
        self.client.hear(lambda said: said.get("ended") == step["ended"], step.get("within", 5) * self.patience, "its end")

    def http(self, method, path, body=b""):
        data = b""
        try:
            with dial(self.hub.local) as link:
                link.sendall(request(self.hub.local, (), path, None, method, body))
                while more := link.recv(65536):
                    data += more
            head, _, rest = data.partition(b"\r\n\r\n")
            if head_of(head)[1].get("transfer-encoding") == "chunked":
                rest = unchunk(rest)
            return json.loads(rest)
        except (OSError, ValueError) as error:
            raise Unjudged(f"the hub does not answer {method} {path}: {error}; {self.hub.last_words()}") from None
