"""The door of the hub: heads of HTTP, who is admitted, and the requests of scripts: chapter 2 of the text."""

import asyncio
import ipaddress
import re
import socket
from contextlib import suppress
from http import HTTPStatus
from urllib.parse import parse_qsl

from websockets.datastructures import Headers
from websockets.http11 import Request
from websockets.server import ServerProtocol

from commands import NAME, answer_to, check_values, integer, perform, text
from connection import Connection, Streams
from effects import refuse
from hub import VIEWS, Caller, Hub
from player import clock
from wire import LIMITS, STATUS, Bucket, Closing, Refusal, demand, read, write

HEAD_BYTES, HEAD_LINES = 16384, 100
METHODS = {"/baton": "GET", "/baton/state": "GET", "/baton/cmd": "POST", "/healthz": "GET"}
PORT = r"(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])"
HOST = re.compile(rf"(localhost|127(\.\d{{1,3}}){{3}}|\[::1\])(:{PORT})?", re.I)
HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*)")
FORWARDED = re.compile(r"forwarded|via|x-real-ip|x-forwarded-.*", re.I)


class Door:
    """Who may come in, and how many there are."""

    def __init__(self, hub: Hub, open_role: str | None, origins: list[str]) -> None:
        self.hub, self.open_role, self.origins = hub, open_role, origins
        self.connections: set[Connection] = set()
        self._buckets: dict[str, Bucket] = {}

    async def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves a connection of TCP or of the unix socket: one request, or one WebSocket."""
        with suppress(ConnectionError, TimeoutError, asyncio.IncompleteReadError):
            try:
                async with asyncio.timeout(10):
                    method, target, headers = await read_head(reader)
                    caller, (path, _, query) = self._admit(writer, headers), target.partition("?")
                    demand(path in METHODS, Closing(404, "There is nothing here."))
                    demand(method == METHODS[path], Closing(405, "It has another method.", {"Allow": METHODS[path]}))
                    if path != "/baton":
                        given = dict(parse_qsl(query, keep_blank_values=True))
                        answer: tuple[int, str, dict[str, str]] = (*await self._answer(path, given, reader, headers, caller), {})
                if path == "/baton":
                    return await self._upgrade((reader, writer), Request(target, headers), caller)
            except Closing as closing:
                answer = closing.code, closing.why, closing.headers
            writer.write(response(*answer))
            await writer.drain()
        writer.close()

    async def _upgrade(self, streams: Streams, request: Request, caller: Caller) -> None:
        same = [other for other in self.connections if other.caller.origin == caller.origin and caller.channel == "net"]
        demand(len(self.connections) < LIMITS["connections"], Closing(503, "There are too many connections.", {"Retry-After": "5"}))
        demand(sum(not other.view for other in same) < 4, Closing(429, "Too many connections of this address have not said hello.", {"Retry-After": "5"}))
        handshake = ServerProtocol(subprotocols=["baton.v1"])  # type: ignore[list-item]
        handshake.send_response(handshake.accept(request))
        streams[1].write(b"".join(handshake.data_to_send()))
        if handshake.handshake_exc:
            return streams[1].close()
        connection = Connection(self.hub, streams, caller, self.connections)
        if len(same) >= 4:
            connection.close(4429, "This address has too many connections.")
        self.connections.add(connection)
        try:
            await connection.run()
        finally:
            self.connections.discard(connection)

    async def close(self) -> None:
        """Ends all connections, and waits a little until they are over."""
        for connection in self.connections:
            connection.close(1001, "The hub stops.")
        for _ in range(300):
            await asyncio.sleep(0.01 if self.connections else 0)

    def _admit(self, writer: asyncio.StreamWriter, headers: Headers) -> Caller:
        sock, host, page = writer.get_extra_info("socket"), headers.get("Host"), headers.get("Origin")
        unix = sock.family == socket.AF_UNIX
        address = ipaddress.ip_address("127.0.0.1" if unix else sock.getpeername()[0])
        address = getattr(address, "ipv4_mapped", None) or address
        local = address.is_loopback and not any(FORWARDED.fullmatch(name) for name, _ in headers.raw_items())
        demand(local or self.open_role, Closing(403, "This hub is not open to other machines."))
        own = HOST.fullmatch(host or "") or (unix and host in (None, "hub", socket.gethostname()))
        demand(own or not local, Closing(403, "This is no name of the hub on its own machine."))
        demand(page is None or page in self.origins or (local and page == f"http://{host}"), Closing(403, "This page may not use the hub."))
        if not local:
            network = ipaddress.ip_network((address, 64 if address.version == 6 else 32), strict=False)
            return Caller("net", self.open_role or "listener", str(network))
        return Caller("local", "admin" if unix else "remote", "local")

    async def _answer(self, path: str, given: dict[str, str], reader: asyncio.StreamReader, headers: Headers, caller: Caller) -> tuple[int, str]:
        """The answer to one of the three requests of scripts."""
        hub = self.hub
        try:
            body = await read_body(reader, headers)
            rx, now = clock(), asyncio.get_running_loop().time()
            if path == "/healthz":
                return 200, "ok"
            if path == "/baton/state":
                demand(given.get("room", hub.room.id) == hub.room.id, Refusal("not_found", "There is no such room.", at="/room"))
                names, _ = VIEWS.get(given.get("view", "full"), VIEWS["remote"])
                return 200, write({"t": "state", "full": 1, "rev": hub.revision, "room": hub.room.id, "s": hub.whole(names), "features": []})
            check_values(given, {"client": text(4, 64, NAME)})
            message = read(body.decode(errors="replace"))
            check_values(message, {"id": integer(1, 2**31 - 1)}, "id")
            demand(message.get("t") == "cmd", refuse("The body must be a cmd.", "/t"))
            self._buckets = {origin: bucket for origin, bucket in self._buckets.items() if bucket.empty_at > now}
            if wait := self._buckets.setdefault(caller.origin, Bucket(LIMITS["command-rate"], LIMITS["command-burst"])).take(now):
                raise Refusal("rate_limited", "Too many commands were sent in a short time.", afterMs=int(wait * 1000) + 1)
        except Refusal as refusal:
            return STATUS[refusal.code], write({"t": "err", "err": refusal.error})
        answer = answer_to(message["id"], lambda: perform(hub, message, caller._replace(client=given.get("client"))))
        answer |= {"rx": rx, "tx": clock()}
        return STATUS[answer["err"]["code"]] if "err" in answer else 200, write(answer)


async def read_head(reader: asyncio.StreamReader) -> tuple[str, str, Headers]:
    """The method, the target and the headers, where they can be understood in one way alone."""
    try:
        line, *lines = (await reader.readuntil(b"\r\n\r\n"))[:-4].decode("latin-1").split("\r\n")
    except asyncio.LimitOverrunError:
        raise Closing(431, "The head is too long.") from None
    demand(len(lines) <= HEAD_LINES, Closing(431, "The head has too many lines."))
    first, fields = re.fullmatch(r"([A-Z]+) (/[!-~]*) HTTP/1\.[01]", line), [HEADER.fullmatch(line) for line in lines]
    headers = Headers([(field[1], field[2].rstrip(" \t")) for field in fields if field])
    clear = all(len(headers.get_all(name)) < 2 and headers.get(name) != "" for name in ("Host", "Origin"))
    if not first or not all(fields) or not clear:
        raise Closing(400, "The head can be understood in two ways, or in none.")
    return first[1], first[2], headers


async def read_body(reader: asyncio.StreamReader, headers: Headers) -> bytes:
    lengths, codings = headers.get_all("Content-Length"), headers.get_all("Transfer-Encoding")
    clear = not lengths or (len(lengths) == 1 and not codings and re.fullmatch("[0-9]{1,15}", lengths[0]))
    demand(clear, Refusal("bad_request", "The end of the body can be understood in two ways."))
    demand(not codings, Refusal("unsupported", "A body is read by its Content-Length alone."))
    demand(not lengths or int(lengths[0]) <= LIMITS["client-frame"], Refusal("too_large", "The body is too long."))
    return await reader.readexactly(int(lengths[0]) if lengths else 0)


def response(status: int, body: str, headers: dict[str, str]) -> bytes:
    kind = "application/json" if body.startswith("{") else "text/plain; charset=utf-8"
    fields = headers | {"Content-Type": kind, "Content-Length": str(len(body.encode())), "Connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n{head}\r\n{body}".encode()
