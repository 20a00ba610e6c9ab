"""Where a scenario happens: `Live`, with a hub and sockets, and `Replay`, with nothing but a trace.

Both answer the same questions, so the very steps that drove a hub are judged again from what was
written down. Everything a scenario does goes through `do`; everything it sees is an entry.
"""

import hashlib
import json
import os
import select
import signal
import time

from hub import HubUnderTest
from music import put
from websocket import CLOSE, TEXT, Link, Refused, dial, head_of, request


class Missing(Exception):
    """The trace does not show that a step happened."""


class World:
    """What has been seen, and a question to it. A world says by `more` how more comes to be seen."""

    def wait_for(self, start, deadline_us, wanted):
        """The first entry from `start` that is wanted, or nothing by the deadline."""
        index = start
        while True:
            while index < len(self.entries):
                entry = self.entries[index]
                if entry["us"] > deadline_us:
                    return None
                if wanted(entry):
                    return entry
                index += 1
            if not self.more(deadline_us):
                return None


class Live(World):
    def __init__(self, adapter, wanted, trace, patience=1):
        self.trace = trace
        self.hub = HubUnderTest(adapter, wanted, patience)
        self.links, self.stalled = {}, set()
        self.music = self.hub.music
        self.entries = trace.entries

    def begin(self):
        started = time.monotonic()
        self.hub.start()
        self.trace.add("begin", music=self.music, tookMs=int((time.monotonic() - started) * 1000))

    def end(self):
        self.pump(0)
        for link in self.links.values():
            link.cut()
        code = self.hub.end()
        self.trace.add("end", code=code)

    def close(self):
        self.hub.close()

    def do(self, verb, step, **what):
        self.pump(0)
        return getattr(self, "do_" + verb)(step, **what)

    def note(self, verb, step, **more):
        return self.trace.add("do", verb=verb, step=step, **more)

    def do_step(self, step, **what):
        return self.note("step", step, **what)

    def do_open(self, step, conn, channel, headers=(), path=None, subprotocol=None):
        options = {name: value for name, value in (("path", path), ("subprotocol", subprotocol)) if value is not None}
        try:
            self.links[conn] = Link(self.hub.addresses[channel], [tuple(pair) for pair in headers], **options)
        except Refused as refused:
            return self.note("open", step, conn=conn, status=refused.status, headers=refused.headers, body=refused.body.decode(errors="replace"))
        except OSError as error:
            return self.note("open", step, conn=conn, status=0, body=str(error))
        return self.note("open", step, conn=conn, status=101, headers=self.links[conn].headers)

    def do_send(self, step, conn, payload, op=TEXT, late=False, **how):
        entry = self.note("send", step, conn=conn, op=op, size=len(payload), **shown(op, payload), **({"how": how} if how else {}))
        if conn in self.links:
            self.links[conn].send(payload, op, **how)
        return entry

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

    def do_read(self, step, conn):
        self.stalled.discard(conn)
        return self.note("read", step, conn=conn)

    def do_http(self, step, method, path, headers, body, channel):
        address = self.hub.addresses[channel]
        link = dial(address)
        link.sendall(request(address, [tuple(pair) for pair in headers], path, None, method, body))
        data = b""
        while more := link.recv(65536):
            data += more
        link.close()
        head, _, rest = data.partition(b"\r\n\r\n")
        status, answered = head_of(head)
        if answered.get("transfer-encoding") == "chunked":
            rest = unchunk(rest)
        return self.note(
            "http", step, method=method, path=path, status=status, headers=answered, size=len(rest), sha=hashlib.sha256(rest).hexdigest(),
            begins=rest[:8].hex(), body=rest[:1 << 16].decode(errors="replace"))

    def do_restart(self, step, how):
        if how == "kill":
            code = self.hub.end(signal.SIGKILL)
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

    def do_clock(self, step, shift):
        self.hub.set_clock(shift)
        return self.note("clock", step, shift=shift)

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
        early = [link for link in listening if link.early]
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
                self.trace.add("close", conn=conn, code=None, why="")
        elif opcode == CLOSE:
            code = int.from_bytes(payload[:2], "big") if len(payload) >= 2 else None
            self.trace.add("close", conn=conn, code=code, why=payload[2:].decode(errors="replace"))
            self.links[conn].send(payload[:2], CLOSE)
            self.links[conn].cut()
        else:
            self.trace.add("in", conn=conn, op=opcode, size=len(payload), **shown(opcode, payload))


class Replay(World):
    """The same scenario on paper: `do` finds what was done, `wait_for` what was seen."""

    def __init__(self, entries):
        self.all, self.at = entries, 0
        self.entries = []
        self.music = entries[0].get("music", "")

    def do(self, verb, step, **what):
        while self.at < len(self.all):
            entry = self.all[self.at]
            self.at += 1
            self.entries.append(entry)
            if entry["kind"] == "do":
                if entry["verb"] != verb or entry["step"] != step:
                    raise Missing(f"the trace shows {entry['verb']} of step {entry['step']} where {verb} of step {step} belongs")
                if verb == "send" and not what.get("late") and any(entry[name] != value for name, value in shown(entry["op"], what["payload"]).items()):
                    raise Missing(f"step {step} sent something else than the scenario says")
                return entry
        raise Missing(f"the trace ends before {verb} of step {step}")

    def more(self, deadline_us):
        """What was seen next, up to the next thing that was done."""
        if self.at == len(self.all) or self.all[self.at]["kind"] in ("do", "end"):
            return False
        self.entries.append(self.all[self.at])
        self.at += 1
        return True


def shown(opcode, payload):
    """How a payload stands in the trace: as text where it is text."""
    if opcode == TEXT:
        try:
            return {"text": payload.decode("utf-8")}
        except UnicodeDecodeError:
            pass
    return {"hex": payload[:4096].hex()}


def unchunk(data):
    joined = b""
    while data:
        size, _, data = data.partition(b"\r\n")
        count = int(size or b"0", 16)
        if not count:
            break
        joined, data = joined + data[:count], data[count + 2:]
    return joined


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


def as_json(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
