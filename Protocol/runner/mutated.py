"""A correct hub behind a proxy that breaks one rule, by all its ways: TCP, the unix socket, and TLS.

For TLS the proxy shows the key of the hub itself, so that what proofs are bound to stays the same on both sides; the
adapter says where that key lies.
"""

import asyncio
import json
import os
import re
import signal
import socket
import ssl
import subprocess

from runner.device import context
from runner.websocket import BINARY, CLOSE, TEXT, Framing, encode


class MutatedConnection:
    """One connection through the proxy: HTTP heads and whole messages pass, changed by the mutant."""

    def __init__(self, mutant, target, shared):
        self.mutant, self.target = mutant, target
        self.shared, self.own = shared, {}

    async def accept(self, reader, writer):
        """Until both sides have ended. Neither direction ends the other: what a hub said before it closed still arrives,
        however much of what it no longer reads is on its way to it."""
        is_local = self.target.startswith("unix:")
        host, _, port = self.target.rpartition(":")
        with socket.socket(socket.AF_UNIX if is_local else socket.AF_INET) as hub:
            hub.setblocking(False)
            try:
                if not is_local:
                    hub.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                await asyncio.get_running_loop().sock_connect(hub, self.target[5:] if is_local else (host, int(port)))
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
            if b" 101 " not in head.split(b"\r\n")[0] and b"application/json" in head.lower():
                head, rest = await self.bent_body(head, rest, read)
            writer.write(self.mutant.bend_answer(head + end))
            async for out in self.bent_pieces("hub", read, b" 101 " in head.split(b"\r\n")[0], rest):
                writer.write(out)
                await writer.drain()
        except OSError:
            pass
        try:
            writer.write_eof()
        except OSError:
            pass

    async def bent_body(self, head, body, read):
        """An answer of HTTP that holds a message is changed as one of a WebSocket is."""
        length = re.search(rb"(?im)^content-length: *(\d+)", head)
        while length and len(body) < int(length.group(1)) and (more := await read(65536)):
            body += more
        try:
            message = json.loads(body)
        except ValueError:
            return head, body
        whole = self.mutant.bend_hub(message, self.own, self.shared) if length and isinstance(message, dict) else None
        if not whole or len(whole) != 1:
            return head, body
        bent = json.dumps(whole[0], ensure_ascii=False, separators=(",", ":")).encode()
        return head[:length.start(1)] + str(len(bent)).encode() + head[length.end(1):], bent

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


async def pipe(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
    except OSError:
        pass


async def tunnel(target, outer=None, inner=None):
    """A port of this machine from which everything goes on to another one, with TLS on one side: the port. `target` says where the other
    one is at the moment."""
    async def accept(reader, writer):
        host, _, port = target().rpartition(":")
        try:
            hub_reader, hub_writer = await asyncio.open_connection(host, int(port), ssl=inner)
        except OSError:
            return writer.transport.abort()
        ways = [asyncio.ensure_future(pipe(reader, hub_writer)), asyncio.ensure_future(pipe(hub_reader, writer))]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        # TLS has no half of a connection: what is on its way still arrives, and then both ends end.
        await asyncio.wait(ways, timeout=0.3)
        for way in ways:
            way.cancel()
        for end in (writer, hub_writer):
            end.close()
    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=outer)
    return server.sockets[0].getsockname()[1]


def shown(key, files=False):
    """TLS for a listener that shows the key in this file, under a certificate of its own; or only the two files."""
    certificate = key + ".proxy.crt"
    if not os.path.exists(certificate):
        subprocess.run(["openssl", "req", "-x509", "-key", key, "-subj", "/CN=proxy", "-days", "2", "-out", certificate], check=True, capture_output=True)
    if files:
        return certificate, key
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.minimum_version, made.num_tickets = ssl.TLSVersion.TLSv1_3, 0
    made.load_cert_chain(certificate, key)
    made.set_alpn_protocols(["http/1.1"])
    return made


async def stand_in(mutant, adapter, words):
    """An adapter: a correct hub behind the proxy of this mutant."""
    place = words.index("--socket") + 1
    local, words = words[place], [*words[:place], words[place] + ".hub", *words[place + 1:]]
    child = subprocess.Popen([*adapter, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: None if child.poll() is not None else child.terminate())
    ready = json.loads(await loop.run_in_executor(None, child.stdout.readline))
    starts = os.path.join(words[words.index("--state-dir") + 1], "../starts")
    with open(starts, "a+", encoding="ascii") as file:
        file.write("x")
        file.seek(0)
        shared = {"starts": len(file.read()), "queue": 0}

    def bent(target):
        return lambda reader, writer: MutatedConnection(mutant, target, shared).accept(reader, writer)

    async def port(target):
        server = await asyncio.start_server(bent(target), "127.0.0.1", 0)
        return server.sockets[0].getsockname()[1]
    if os.path.exists(local):
        os.unlink(local)
    await asyncio.start_unix_server(bent("unix:" + ready["unix"]), local)
    said = {**ready, "unix": local, "tcp": f"127.0.0.1:{await port(ready['tcp'])}"}
    if "tls" in ready and "key" in ready:
        inner = await port(f"127.0.0.1:{await tunnel(lambda: ready['tls'], inner=context())}")
        said["tls"] = f"127.0.0.1:{await tunnel(lambda: f'127.0.0.1:{inner}', outer=shown(ready['key']))}"
    print(json.dumps(said), flush=True)
    code = await loop.run_in_executor(None, child.wait)
    await asyncio.sleep(0.1)
    return code
