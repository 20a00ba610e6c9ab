"""Who a scenario is on TLS: devices that are paired, and show it, and fail to."""

import re
import ssl

from runner.failing import Fails, show
from runner.pattern import matches
from runner.schema import strict
from runner.world import as_json

# The device of a connection that names none. It is paired when it is first needed.
DEFAULT = "runner"
PATIENCE = 5
VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3, None: None}


class Identity:
    """Verbs of a `Play`."""

    def device(self, step, path):
        """Pairs a device from the opening of the window to its key."""
        self.enrol(step["device"], path, step.get("role", "remote"), step.get("window", {}), step.get("name"))

    def enrol(self, device, path, role="remote", window=None, name=None):
        self.variables["pin"] = self.window(path, {"role": role, **(window or {})})
        conn, step = f"~{device}", {"pair": device, "on": f"~{device}", "code": self.variables["pin"], "name": name or device}
        for _ in range(PATIENCE):
            self.greet(conn, path, f"device-{device}")
            reply = self.attempt(step, path)
            if reply.get("err", {}).get("code") not in ("rate_limited", "busy"):
                break
            # There is one attempt a second, and another device may have had it.
            self.world.do("cut", path, conn=conn)
            self.world.do("wait", path, ms=reply["err"].get("afterMs", 1000) + 20)
        self.finish(step, reply, path)
        self.world.do("cut", path, conn=conn)

    def greet(self, conn, path, client, view="remote"):
        """A connection up to the hub's challenge."""
        entry = self.world.do("open", path, conn=conn, channel="tls", headers=[], path=None, subprotocol=None)
        if entry["status"] != 101:
            raise Fails(f"the upgrade was answered by {entry['status']} {entry.get('body', '')[:120]!r}")
        self.numbers[conn], self.cursors[conn], self.opened[conn] = 0, entry["n"], entry["n"]
        hello = {"t": "hello", "core": "1.0", "view": view, "client": {"id": client}}
        self.world.do("send", path, conn=conn, payload=as_json(hello).encode())
        return self.next_message(conn, {"t": "challenge"}, {})

    def opened_window(self, step, path):
        """Opens a window; `pin` and `token` are its two secrets."""
        self.variables["pin"] = self.window(path, step["window"])

    def window(self, path, parameters):
        """The six digits, from the hub's own machine. What the square holds is saved as `token`."""
        self.windows += 1
        body = as_json({"t": "cmd", "id": 1, "m": "pair.open", "k": f"w{self.windows}-{self.variables['u'] or '0'}", "p": parameters}).encode()
        entry = self.world.do("http", path, method="POST", path="/baton/cmd", headers=[], body=body, channel="unix")
        answer = strict(entry["body"]) if entry["status"] == 200 else {}
        if not answer.get("ok"):
            raise Fails(f"the hub opened no window: {entry['status']} {entry['body'][:200]}")
        found = re.search(r"#pair=([\w-]+)", answer["d"].get("qr", ""))
        self.variables["token"] = found.group(1) if found else ""
        return answer["d"]["pin"]

    def pair(self, step, path):
        """One attempt, as far as it gets: its last answer must fit `expect`."""
        self.finish(step, self.attempt(step, path), path)

    def finish(self, step, reply, path):
        wish = step.get("expect", {"t": "pair", "step": 4})
        if not matches(wish, reply):
            raise Fails(f"the hub said {show(reply)}, not {show(wish)}")
        self.save(step, reply)
        if reply.get("step") == 4:
            entry = self.world.do("paired", path, conn=step.get("on", "a"), device=step["pair"])
            if "why" in entry:
                raise Fails(f"the device was not paired: {entry['why']}")
            self.paired.add(step["pair"])
            self.variables[f"{step['pair']}.dev"] = entry["dev"]

    def attempt(self, step, path):
        conn = step.get("on", "a")
        options = {"code": step.get("code", "000000"), "name": step.get("name", step["pair"]), "by": step.get("by", "pin")}
        options.update({name: step[name] for name in ("want", "wrong") if step.get(name, "tag") != "tag"})
        self.world.do("pair", path, conn=conn, stage=1, **options)
        reply = self.next_message(conn, {"t": {"~or": ["pair", "err"]}}, step)
        if reply["t"] == "err" or step.get("stop"):
            return reply
        self.world.do("pair", path, conn=conn, stage=3, **({"wrong": "tag"} if step.get("wrong") == "tag" else {}))
        return self.next_message(conn, {"t": {"~or": ["pair", "err"]}}, step)

    def auth(self, step, path):
        """Shows the key of a device; `wrong` is `mac`, `dev` or `bearer`."""
        conn = step.get("on", "a")
        self.world.do("auth", path, conn=conn, device=step["auth"], wrong=step.get("wrong"))
        reply = self.next_message(conn, {"t": {"~or": ["welcome", "err"]}}, step)
        wish = step.get("expect", {"t": "welcome"})
        if not matches(wish, reply):
            raise Fails(f"the hub said {show(reply)}, not {show(wish)}")
        self.save(step, reply)

    def rekey(self, step, path):
        """Opens the new key of a device, from the answer to `dev.rotate`; the old one stays under its old name."""
        entry = self.world.do("rekey", path, device=step["rekey"], new=step["as"], salt=step["salt"], sealed=step["wk"])
        if "why" in entry:
            raise Fails(f"the new key does not open: {entry['why']}")
        self.paired.add(step["as"])

    def tls(self, step, path):
        """TLS with these wishes: `tls` is the newest version that this side speaks, `protocols` what it offers by ALPN."""
        entry = self.world.do("tls", path, newest=VERSIONS[step["tls"]], protocols=step.get("protocols", ["http/1.1"]), most=step.get("most"), get=step.get("get", "/healthz"), chain=step.get("chain", False))
        if not matches(step["is"], entry["seen"]):
            raise Fails(f"TLS was agreed on as {show(entry['seen'])}")
        self.save(step, entry["seen"])
