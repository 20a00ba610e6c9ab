#!/usr/bin/python3
"""Hubs with one broken rule each, which show that the runner catches what it claims to.

A mutant is a correct hub behind a proxy that breaks one rule: it removes a guard, forgets a key, sends an
answer twice. So each differs from a correct hub by a few lines, and whatever the runner finds
is caused by those. `mutants.py` alone runs every mutant against the scenario that must
catch it; `mutants.py --as NAME` is an adapter like any other.
"""

import argparse
import asyncio
import concurrent.futures
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from mutations import CLIENTS, MUTANTS  # noqa: E402
from hub import DEFAULT, words_of  # noqa: E402
from websocket import BINARY, CLOSE, TEXT, Framing, encode  # noqa: E402


class MutatedConnection:
    """One connection through the proxy: HTTP heads and whole messages pass, changed by the mutant."""

    def __init__(self, mutant, target, shared):
        self.mutant, self.target = mutant, target
        self.shared, self.own = shared, {}

    async def accept(self, reader, writer):
        """Until both sides have ended. Neither direction ends the other: what a hub said before it closed still arrives,
        however much of what it no longer reads is on its way to it."""
        host, _, port = self.target.rpartition(":")
        with socket.socket() as hub:
            hub.setblocking(False)
            hub.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                await asyncio.get_running_loop().sock_connect(hub, (host, int(port)))
                await asyncio.wait([asyncio.ensure_future(self.to_hub(reader, hub)), asyncio.ensure_future(self.to_client(hub, writer))])
            except OSError:
                pass
        writer.close()

    async def to_hub(self, reader, hub):
        send = asyncio.get_running_loop().sock_sendall
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            await send(hub, self.mutant.bend_head(head))
            async for out in self.bent_pieces("client", reader.read, "Upgrade: websocket" in head.decode("latin-1")):
                await send(hub, out)
            hub.shutdown(socket.SHUT_WR)
        except (OSError, asyncio.IncompleteReadError):
            # The hub reads no more. A client's bytes that stayed unread would reset its connection, and with it what the hub said last.
            await self.drop(reader)

    async def drop(self, reader):
        try:
            while await reader.read(65536):
                pass
        except OSError:
            pass

    async def to_client(self, hub, writer):
        async def read(most):
            return await asyncio.get_running_loop().sock_recv(hub, most)
        try:
            head = b""
            while b"\r\n\r\n" not in head and (data := await read(65536)):
                head += data
            head, end, rest = head.partition(b"\r\n\r\n")
            writer.write(head + end)
            async for out in self.bent_pieces("hub", read, b" 101 " in head.split(b"\r\n")[0], rest):
                writer.write(out)
                await writer.drain()
        except OSError:
            pass
        try:
            writer.write_eof()
        except OSError:
            pass

    async def bent_pieces(self, side, read, upgrades, data=b""):
        """What goes on to the other side, frame by frame."""
        framing = Framing()
        while data or (data := await read(65536)):
            if not upgrades:
                yield data
            else:
                for opcode, payload, raw in framing.feed(data):
                    for out in self.bent(side, opcode, payload, raw):
                        yield out
            data = b""

    def bent(self, side, opcode, payload, raw):
        if opcode == CLOSE and side == "hub" and len(payload) >= 2:
            code = self.mutant.bend_code(int.from_bytes(payload[:2], "big"))
            return [encode(code.to_bytes(2, "big") + payload[2:], CLOSE, masked=False)]
        if opcode == BINARY and side == "hub":
            whole = self.mutant.bend_binary(payload, self.own, self.shared)
            return [raw] if whole is None else [encode(one, BINARY, masked=False) for one in whole]
        if opcode != TEXT:
            return [raw]
        try:
            message = json.loads(payload)
        except ValueError:
            return [raw]
        bend = self.mutant.bend_client if side == "client" else self.mutant.bend_hub
        whole = bend(message, self.own, self.shared) if isinstance(message, dict) else [message]
        if whole is None:
            return [raw]
        text = (json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace") for one in whole)
        return [encode(one, masked=side == "client") for one in text]


async def stand_in(mutant, adapter, words):
    """An adapter: a correct hub behind the proxy of this mutant."""
    child = subprocess.Popen([*adapter, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: None if child.poll() is not None else child.terminate())
    ready = json.loads(await loop.run_in_executor(None, child.stdout.readline))
    starts = os.path.join(words[words.index("--state-dir") + 1], "../starts")
    with open(starts, "a+", encoding="ascii") as file:
        file.write("x")
        file.seek(0)
        shared = {"starts": len(file.read()), "queue": 0}
    server = await asyncio.start_server(lambda r, w: MutatedConnection(mutant, ready["tcp"], shared).accept(r, w), "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    print(json.dumps({**ready, "tcp": f"127.0.0.1:{port}"}), flush=True)
    code = await loop.run_in_executor(None, child.wait)
    await asyncio.sleep(0.1)
    return code


def catch(name, mutant, adapter):
    """Whether the scenario named for it fails on a mutant, and with which sentences."""
    with tempfile.TemporaryDirectory(prefix="bt-") as folder:
        words = [sys.executable, f"{HERE}/run.py", "--only", mutant.caught_by, "--traces", folder, "--jobs", "2", "--hub",
                 f"{HERE}/mutants.py --as {name} --behind {','.join(adapter)}"]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    said = ended.stdout
    failed = re.search(rf"^FAIL {re.escape(mutant.caught_by)} .*\n((?:     .*\n)*)", said, re.MULTILINE)
    is_caught = ended.returncode == 1 and failed and "runner itself" not in said and "no evidence" not in said
    return name, mutant, is_caught, (failed.group(1).strip().split("\n")[0] if failed else said + ended.stderr)


def passes_clear(adapter):
    """Whether a hub behind a proxy that changes nothing passes."""
    words = [sys.executable, f"{HERE}/run.py", "--quiet", "--jobs", "4", "--patience", "4", "--hub", f"{HERE}/mutants.py --as breaks-nothing --behind {','.join(adapter)}"]
    for name in sorted({mutant.caught_by for mutant in MUTANTS.values() if mutant.caught_by}):
        words += ["--only", name]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    print(ended.stdout.strip().split("\n")[-1] + " behind a proxy that changes nothing", flush=True)
    return ended.returncode == 0


def catch_client(name, mutant, adapter, client):
    """Whether the judge of clients sees a client break a rule, in the case that is there for it."""
    words = [sys.executable, f"{HERE}/clients.py", "--only", mutant.caught_by or "usual", "--bend", name, "--client", client, "--hub", " ".join(adapter)]
    ended = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    is_right = (ended.returncode == 1) == bool(mutant.caught_by) and "runner itself" not in ended.stdout and "no evidence" not in ended.stdout
    sentences = [line.strip() for line in ended.stdout.split("\n") if line.startswith("     ")]
    return name, mutant, is_right, sentences[0] if sentences else ended.stdout.strip() + ended.stderr


def main():
    parser = argparse.ArgumentParser(description="Hubs with one broken rule each.")
    parser.add_argument("--as", dest="name", choices=sorted(MUTANTS), help="be this hub, as an adapter")
    parser.add_argument("--behind", default=DEFAULT, help="the adapter of the good hub; commas for spaces")
    parser.add_argument("--only", action="append", help="only these mutants")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--clients", metavar="COMMAND", help="show the same of the judge of clients, with this client")
    asked, words = parser.parse_known_args()
    adapter = words_of(asked.behind.replace(",", " "))
    if asked.name:
        sys.exit(asyncio.run(stand_in(MUTANTS[asked.name], adapter, words)))
    if asked.clients:
        table, attempt = CLIENTS, lambda pair: catch_client(*pair, adapter, asked.clients)
    else:
        table, attempt = {name: mutant for name, mutant in MUTANTS.items() if mutant.caught_by}, lambda pair: catch(*pair, adapter)
    if not asked.clients and not asked.only and not passes_clear(adapter):
        sys.exit("a correct hub fails behind a proxy that changes nothing, so the mutants prove nothing")
    chosen = {name: mutant for name, mutant in table.items() if not asked.only or name in asked.only}
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for name, mutant, is_caught, said in pool.map(attempt, chosen.items()):
            missed += not is_caught
            verdict = ("caught" if mutant.caught_by else "passes") if is_caught else "MISSED"
            print(f"{verdict} {name:22} {mutant.rule or '':12} {mutant.caught_by or 'usual'}: {said.splitlines()[0][:160]}", flush=True)
    print(f"{len(chosen) - missed} of {len(chosen)} mutants were caught")
    sys.exit(1 if missed or not chosen else 0)


if __name__ == "__main__":
    main()
