"""What encryption and pairing cost, as one table: pairing by digits, coming in by TLS, and commands and
fan-out through TLS beside the same hub's plain port, in the same run.

Rounds, medians and verdicts are those of figures.py. Both ports have the same load client; through TLS
its connections show a paired device's key when they are made."""
import base64, hashlib, hmac, json, os, random, ssl, subprocess, time

import figures
import runs
import targets as T

WATCHERS, PAIRINGS, VISITS = 1000, 4, 100
SIDES = ("plain", "TLS")
KINDS = figures.KINDS


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


# ---------------------------------------------------------------- the hub and its device
def secured(target):
    """The hub as it is measured: one device may come as often as there are watchers."""
    files = {name: text.replace("[limits]", f"[limits]\nper_device = {2 * WATCHERS}") for name, text in target["files"].items()}
    return {**target, "files": files}


def baton(server, state, *words, **how):
    """The shipped remote, with a home of its own."""
    env = {**T.PLAIN_ENVIRONMENT, "XDG_STATE_HOME": state, "XDG_RUNTIME_DIR": state, "BATON_SOCKET": ""}
    return subprocess.run([os.path.join(T.BATON_BIN, "baton"), *words], env=env, capture_output=True, text=True, check=True, timeout=30, **how)


def pair(server, number):
    """A new device by digits; -> (its place in the file of hubs, ms from the start of `baton pair` to its end)"""
    state = os.path.join(server.dir, f"device-{number}")
    opened = json.loads(baton(server, state, "--hub", os.path.join(server.dir, "hub.sock"), "--json", "pair", "--open").stdout)
    t0 = time.monotonic()
    baton(server, state, "pair", f"wss://127.0.0.1:{server.port2}", input=opened["pin"] + "\n")
    took = (time.monotonic() - t0) * 1e3
    with open(os.path.join(state, "baton-satellite/keys/hubs")) as f:
        return json.load(f)["hubs"][0], took


class Visits:
    """Comes in again and again: connect, greet, show who one is, be welcome."""
    def __init__(self, server, device):
        self.server, self.device = server, device
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE
        self.binding = hashlib.sha256(b"bt-cb-spki" + unb64(device["hub_key"])).digest()
        self.hello = json.dumps({"t": "hello", "core": "1.0", "view": "remote", "client": {"id": "benchvisitor", "run": "r"}})

    def plain(self):
        t0 = time.monotonic()
        c = T.Chan(self.server.cfg, self.server.port)
        c.send(self.hello)
        c.wait('"t":"welcome"')
        return self.leave(c, t0)

    def TLS(self):
        t0 = time.monotonic()
        c = T.Chan(self.server.cfg, self.server.port2, context=self.context)
        c.send(self.hello)
        challenge = c.recv()
        nonce = os.urandom(16)
        said = hashlib.sha256((self.hello + challenge).encode()).digest()
        mac = lambda side: hmac.digest(unb64(self.device["key"]), b"baton/1 " + side + self.binding + said + nonce, "sha256")
        c.send(json.dumps({"t": "auth", "m": "device", "dev": self.device["dev"], "nonce": b64(nonce), "mac": b64(mac(b"client"))}))
        welcome = json.loads(c.wait('"t":"welcome"'))
        assert unb64(welcome["mac"]) == mac(b"hub"), "the hub has not shown the key"
        return self.leave(c, t0)

    @staticmethod
    def leave(c, t0):
        took = (time.monotonic() - t0) * 1e3
        c.close()
        time.sleep(.005)
        return took


# ---------------------------------------------------------------- the run
def once(target):
    """One hub, both its ports, in a new order."""
    track, pcm = runs.media()
    with T.Server(secured(target), track=track, raw_pcm=pcm) as s:
        s.prepare()
        pairings = []
        for number in range(PAIRINGS):
            device, took = pair(s, number)
            pairings.append(took)
            time.sleep(1.05)   # One code a second can be tried.
        visits = Visits(s, device)
        row = {"pair_ms": pairings, "visit_ms": {}, "fan": {}}
        plain = s.cfg
        ports = {"plain": plain, "TLS": {**plain, "tls": True, "headers": [f"Authorization: Bearer {device['dev']}.{device['key']}"]}}
        for side in random.sample(SIDES, 2):
            come = getattr(visits, side)
            come()
            row["visit_ms"][side] = sorted(come() for _ in range(VISITS))[VISITS // 2]
            s.cfg = ports[side]
            row["fan"][side] = [runs.shrink(r) for r in s.fan(runs.watchers(s.cfg, {0: 200, WATCHERS: 100}, 25000, 60))]
            s.cfg = plain
        return row


def run(ours, targets, rounds):
    runs.make()
    d = runs.load()
    d["secure"] = []
    runs.save(d)
    for rnd in range(rounds):
        t0, b0 = time.time(), runs.cpu_busy()
        row = once(targets[ours])
        b1 = runs.cpu_busy()
        runs.add("secure", {"round": rnd, "machine_busy": round((b1[0] - b0[0]) / max(1, b1[1] - b0[1]), 3), **row})
        print(f"round {rnd + 1} of {rounds}  {time.time() - t0:6.1f} s", flush=True)


# ---------------------------------------------------------------- the table
def commands(rows, side, kind, n, column, p="p50"):
    """ms"""
    found = [x for r in rows for x in r["fan"][side] if x.get("phase") == "cmds" and x["kind"] == kind and x["n"] == n and x[column]["n"]]
    return figures.ms(runs.median([x[column][p] for x in found]))


def cpu(rows, side, kind):
    """CPU seconds of the hub per 1,000 commands that all watchers are told"""
    found = [x for r in rows for x in r["fan"][side] if x.get("phase") == "cmds" and x["kind"] == kind and x["n"] == WATCHERS and x["count"]]
    return runs.median([sum(s["cpu_us"] for s in x["srv"].values()) / x["count"] / 1e3 for x in found])


def lost(rows):
    keys = ("missing_acks", "missing_events", "error_acks", "closed", "fatal")
    return [f"{side}: {k} {x[k]}" for r in rows for side in SIDES for x in r["fan"][side] for k in keys if x.get(k)]


def table(d, ours):
    """Prints the table; -> whether every bar holds"""
    rows = d.get("secure", [])
    busy = runs.median([r.get("machine_busy") for r in rows])
    print(f"\n## What safety costs at `{ours}`: {len(rows)} round{'s' if len(rows) != 1 else ''}, medians; {os.cpu_count()} processors, busy {100 * (busy or 0):.0f} %\n")
    visit = lambda side: runs.median([r["visit_ms"][side] for r in rows])
    bars = [("pairing by six digits, `baton pair` from start to end", "ms", runs.median([x for r in rows for x in r["pair_ms"]]), "–", None, "at most", 150),
            ("connect and show who one is, warm, through TLS", "ms", visit("TLS"), "plain", visit("plain"), "at most", 15)]
    for kind, name in KINDS.items():
        bars.append((f"{name} → answer through TLS, 0 watchers, p50", "ms", commands(rows, "TLS", kind, 0, "ack_us"), "plain", commands(rows, "plain", kind, 0, "ack_us"), "times", 2))
    for kind, name in KINDS.items():
        bars.append((f"{name} → last of {WATCHERS:,} through TLS, p50", "ms", commands(rows, "TLS", kind, WATCHERS, "last_us"), "plain", commands(rows, "plain", kind, WATCHERS, "last_us"), "times", 2))
    holds = figures.print_bars(bars)
    wrong = lost(rows)
    print(f"\nLost answers, events or connections: {'; '.join(wrong) or 'none'}.")
    for kind, name in KINDS.items():
        a, b = cpu(rows, "TLS", kind), cpu(rows, "plain", kind)
        if a is not None and b is not None:
            print(f"CPU of the hub for 1,000 of {name} to {WATCHERS:,}: {a:.2f} s through TLS, {b:.2f} s plain.")
    holds = holds and not wrong
    print(f"\n{'Every bar holds.' if holds else 'Not every bar holds.'}" + ("" if len(rows) >= 5 else " Fewer than five rounds: an impression, not a figure."))
    return holds
