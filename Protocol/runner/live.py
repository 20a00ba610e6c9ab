"""A scenario with a hub and sockets. What is done and seen goes into the trace; the judgement is made from that alone."""

import hashlib
import json
import os
import select
import signal
import subprocess
import sys
import time

from runner import records
from runner.device import Exchange, WrongCode
from runner.failing import Skips
from runner.files import PROTOCOL
from runner.music import put
from runner.outside import Around
from runner.pouring import poured
from runner.websocket import CLOSE, TEXT, Link, Refused, dial, encode, head_of, request
from runner.world import World, as_json, shown, unchunk


# How fast commands are sent to a hub whose limits are its own; a little less than it has to take.
AT_ONCE, A_SECOND = 36, 19
# Bytes of a hub in one scenario, beyond which it is cut.
MOST = 1 << 26


class Live(Around, World):
    """A hub, started or found by its address, and connections to it."""

    def __init__(self, hub, trace, needs_paths=False):
        self.needs_paths = needs_paths
        self.trace, self.hub = trace, hub
        self.links, self.stalled = {}, set()
        self.exchanges, self.devices, self.streams, self.commands = {}, dict(hub.devices), {}, {}
        self.music, self.variables, self.kept, self.volume = hub.music, {}, set(hub.devices), 0
        self.entries = trace.entries

    def begin(self):
        started = time.monotonic()
        self.hub.start()
        self.variables = self.hub.variables
        if self.needs_paths and "playable" in self.hub.ready:
            raise Skips("the hub plays no files")
        if not set(getattr(self.hub, "wanted", {}).get("servers", {})) <= set(self.hub.ready.get("servers", {})):
            raise Skips("the adapter brings up no such servers")
        self.trace.add("begin", music=self.music, variables=self.variables, kept=sorted(self.kept), tookMs=int((time.monotonic() - started) * 1000))

    def end(self):
        self.pump(0)
        for link in self.links.values():
            link.cut()
        code = self.hub.end()
        if code != 0:
            self.trace.add("note", sentence=f"the hub ended with {code}; {self.hub.last_words()}")
        self.trace.add("end", code=code)

    def close(self):
        self.hub.close()

    def do(self, verb, step, **what):
        self.pump(0)
        return getattr(self, "do_" + verb)(step, **what)

    def address(self, channel):
        if channel not in self.hub.addresses:
            raise Skips(f"the hub does not listen by {channel}")
        return self.hub.addresses[channel]

    def note(self, verb, step, **more):
        return self.trace.add("do", verb=verb, step=step, **more)

    def do_step(self, step, **what):
        return self.note("step", step, **what)

    def do_open(self, step, conn, channel, headers=(), path=None, subprotocol=None):
        self.address(channel)
        self.commands.pop(conn, None)
        options = {name: value for name, value in (("path", path), ("subprotocol", subprotocol)) if value is not None}
        try:
            self.links[conn] = Link(self.address(channel), [tuple(pair) for pair in headers], limit=self.hub.limit, **options)
        except Refused as refused:
            return self.note("open", step, conn=conn, status=refused.status, headers=refused.headers, body=refused.body.decode(errors="replace"))
        except OSError as error:
            return self.note("open", step, conn=conn, status=0, body=str(error))
        pin = self.links[conn].pin
        if pin:
            self.exchanges[conn] = Exchange(pin)
        return self.note("open", step, conn=conn, status=101, headers=self.links[conn].headers, **({"pin": pin.hex()} if pin else {}))

    def do_send(self, step, conn, payload, op=TEXT, late=False, more=None, **how):
        if self.hub.paces and payload.startswith(b'{"t":"cmd"'):
            self.pace(conn)
        entry = self.note("send", step, conn=conn, op=op, size=len(payload), **shown(op, payload), **({"how": how} if how else {}), **(more or {}))
        if conn in self.exchanges:
            self.exchanges[conn].sent(payload)
        if conn in self.links:
            self.links[conn].send(payload, op, **how)
        return entry

    def pace(self, conn):
        """Waits until a hub with limits of its own takes one more command of this connection."""
        now = time.monotonic()
        level, at = self.commands.get(conn, (0.0, now))
        level = max(0.0, level - (now - at) * A_SECOND) + 1
        if level > AT_ONCE:
            self.wait_until(now + (level - AT_ONCE) / A_SECOND)
        self.commands[conn] = (level, now)

    def do_auth(self, step, conn, device, wrong=None):
        """The proof of a device. What the hub has to prove in return is written down, for `welcome.mac` is judged by it."""
        message, expected = self.exchanges[conn].auth(self.devices[device], wrong)
        return self.do_send(step, conn, as_json(message).encode(), more={"expects": expected, "device": device})

    def do_pair(self, step, conn, stage, **options):
        exchange = self.exchanges[conn]
        try:
            message = exchange.first_step(**options) if stage == 1 else exchange.third_step(**options)
        except WrongCode as wrong:
            message = {"t": "bye", "why": str(wrong)}
        return self.do_send(step, conn, as_json(message).encode())

    def do_paired(self, step, conn, device):
        """Whether the last step of the hub holds: its tag, and a key that opens."""
        try:
            self.devices[device] = self.exchanges[conn].paired()
        except WrongCode as wrong:
            return self.note("paired", step, conn=conn, device=device, why=str(wrong))
        return self.note("paired", step, conn=conn, device=device, dev=self.devices[device].dev)

    def do_rekey(self, step, device, new, salt, sealed):
        try:
            self.devices[new] = self.devices[device].rotated(salt, sealed)
        except WrongCode as wrong:
            return self.note("rekey", step, device=device, why=str(wrong))
        return self.note("rekey", step, device=device)

    def do_write(self, step, conn, data):
        entry = self.note("write", step, conn=conn, hex=data[:200].hex(), size=len(data))
        # A pong in the middle of a frame would be taken for its payload.
        self.links[conn].answers_pings = False
        self.links[conn].write(data)
        return entry

    def do_cut(self, step, conn):
        self.links.pop(conn).cut()
        return self.note("cut", step, conn=conn)

    def do_stall(self, step, conn):
        self.stalled.add(conn)
        return self.note("stall", step, conn=conn)

    def do_silent(self, step, conn):
        """From here on nothing is said that the scenario does not say: no pong either."""
        self.links[conn].answers_pings = False
        return self.note("silent", step, conn=conn)

    def do_read(self, step, conn):
        self.stalled.discard(conn)
        return self.note("read", step, conn=conn)

    def do_http(self, step, method, path, headers, body, channel, device=None, bearer="bearer"):
        address = self.address(channel)
        if method == "POST":
            self.hub.posted()
        if device:
            headers = [*headers, ("Authorization", self.devices[device].bearer(bearer))]
        data = b""
        try:
            with dial(address, self.hub.limit) as link:
                link.sendall(request(address, [tuple(pair) for pair in headers], path, None, method, body))
                while more := link.recv(65536):
                    data += more
        except OSError as error:
            return self.note("http", step, method=method, path=path, status=0, headers={}, size=0, body=str(error))
        if not data:
            return self.note("http", step, method=method, path=path, status=0, headers={}, size=0, body="the connection was cut")
        head, _, rest = data.partition(b"\r\n\r\n")
        status, answered = head_of(head)
        if answered.get("transfer-encoding") == "chunked":
            rest = unchunk(rest)
        return self.note(
            "http", step, method=method, path=path, status=status, headers=answered, size=len(rest), sha=hashlib.sha256(rest).hexdigest(),
            begins=rest[:8].hex(), body=rest[:1 << 16].decode(errors="replace"))

    def do_restart(self, step, how, changed=None):
        self.hub.wanted = {**self.hub.wanted, **(changed or {})}
        if how in ("kill", "crash"):
            code = self.hub.end(signal.SIGKILL if how == "kill" else signal.SIGSEGV)
        else:
            code = self.hub.end()
        self.pump(0)
        entry = self.note("restart", step, how=how, code=code)
        self.hub.start()
        return entry

    def do_file(self, step, name, seconds):
        if seconds is None:
            os.unlink(f"{self.music}/{name}")
        else:
            put(f"{self.music}/{name}", seconds)
        return self.note("file", step, name=name, seconds=seconds)

    def do_folder(self, step, gone):
        """The folder of music goes, as a disk that is pulled out does, or comes back."""
        names = (self.music, f"{self.music}.gone")
        os.rename(*(names if gone else names[::-1]))
        return self.note("folder", step, gone=gone)

    def do_pour(self, step, conn, channel, head, most, seconds):
        if conn is None:
            with dial(self.address(channel)) as link:
                return self.note("pour", step, seen=poured(link, head, most, seconds))
        link = self.links.pop(conn)
        entry = self.note("pour", step, conn=conn, seen=poured(link.socket, encode(head), most, seconds))
        link.cut()
        return entry

    def do_found(self, step, seconds):
        """What is published in the network of the hub."""
        if "network" not in self.hub.ready:
            raise Skips(f"the adapter gives no network in which the hub can be looked for{self.hub.ready.get('why', '')}")
        words = [*self.hub.ready["network"], sys.executable, PROTOCOL, "mdns", str(seconds)]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=seconds + 20, check=True)
        return self.note("found", step, hubs=json.loads(ended.stdout))

    def do_clock(self, step, shift):
        self.hub.set_clock(shift)
        return self.note("clock", step, shift=shift)

    def do_tls(self, step, newest, protocols, most, get, chain=False):
        """What TLS is agreed on with these wishes; with `chain` which certificates a gateway of the hub shows."""
        address = self.address("tls")
        if chain:
            if "gateway" not in self.hub.ready:
                raise Skips("the hub has no gateway")
            return self.note("tls", step, seen=records.chain(self.hub.ready["gateway"], address))
        return self.note("tls", step, seen=records.longest(address, most, get) if most else records.agreed(address, newest, protocols))

    def do_memory(self, step):
        return self.note("memory", step, kib=resident(self.hub.process.pid))

    def do_wait(self, step, ms):
        self.wait_until(time.monotonic() + ms / 1000)
        return self.note("wait", step, ms=ms)

    def wait_until(self, deadline):
        while (left := deadline - time.monotonic()) > 0:
            self.pump(left)

    def more(self, deadline_us):
        """Waits for what comes; false when it is too late for that."""
        left = deadline_us / 1e6 - time.monotonic()
        if left > 0:
            self.pump(left)
        return left > 0

    def pump(self, seconds):
        """Reads what has come on every connection, after waiting for some."""
        listening = {link: conn for conn, link in self.links.items() if link.is_open and conn not in self.stalled}
        early = [link for link in listening if link.has_more]
        if not listening:
            return time.sleep(min(seconds, 0.05))
        ready = early or select.select(list(listening), [], [], min(seconds, 0.5))[0]
        for link in ready:
            for opcode, payload in link.read():
                self.took(listening[link], opcode, payload)

    def took(self, conn, opcode, payload):
        closed_before = any(entry["kind"] == "close" and entry["conn"] == conn for entry in self.entries[-20:])
        if opcode is None:
            if not closed_before:
                self.trace.add("close", conn=conn, code=None, why=payload.decode())
        elif opcode == CLOSE:
            code = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else None
            self.trace.add("close", conn=conn, code=code, why=payload[2:].decode(errors="replace"))
            self.links[conn].send(payload[:2], CLOSE)
            self.links[conn].cut()
        else:
            self.volume += len(payload) + 1
            if self.volume > MOST:
                self.trace.add("close", conn=conn, code=None, why=f"the hub said more than {MOST >> 20} MiB")
                return self.links[conn].cut()
            if conn in self.exchanges:
                self.exchanges[conn].heard(payload)
            self.trace.add("in", conn=conn, op=opcode, size=len(payload), **shown(opcode, payload))


def resident(leader):
    """KiB of memory of a process group, by what the kernel says of each member."""
    total = 0
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.getpgid(int(name)) == leader:
                with open(f"/proc/{name}/status", encoding="ascii", errors="replace") as file:
                    total += sum(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        except OSError:
            continue
    return total
