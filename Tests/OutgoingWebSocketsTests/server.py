#!/usr/bin/python3
"""Servers for the tests of OutgoingWebSockets, on free ports: plain, with TLS, one that never answers, an HTTP proxy.

    server.py CERTIFICATE KEY

Prints one line of JSON with the ports. What a connection does follows from its path."""

import asyncio
import http
import json
import ssl
import sys

import websockets
from websockets.utils import accept_key


async def talk(ws):
    path, _, query = ws.path.partition("?")
    if path == "/headers":
        await ws.send(json.dumps({name.lower(): value for name, value in ws.request_headers.raw_items()}))
    elif path == "/big":
        await ws.send("x" * int(query))
        await ws.wait_closed()
    elif path == "/fragments":
        await ws.send(["x" * 1000 for _ in range(int(query))])
        await ws.wait_closed()
    elif path == "/close":
        await ws.close(int(query), "Because.")
    elif path == "/count":
        for number in range(int(query)):
            await ws.send(str(number))
        await ws.close(1000, "All said.")
    elif path == "/deaf":
        await asyncio.sleep(float(query))
        total = 0
        async for message in ws:
            total += len(message)
            await ws.send(str(total))
    elif path == "/ping":
        await (await ws.ping(b"there?"))
        await ws.send("ponged")
        await ws.wait_closed()
    else:
        async for message in ws:
            await ws.send(message)


def process(path, headers):
    if path == "/refuse":
        return http.HTTPStatus.FORBIDDEN, [("content-type", "text/plain")], b"No.\n"
    if path == "/redirect":
        return http.HTTPStatus.FOUND, [("location", "/echo")], b""
    return None


async def hang(reader, writer):
    """A server that takes everything and says nothing."""
    while await reader.read(1000):
        pass


async def mute(reader, writer):
    """Agrees to the WebSocket and then neither says nor reads anything: it answers no ping."""
    head = await reader.readuntil(b"\r\n\r\n")
    key = next(line.split(b": ")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"sec-websocket-key"))
    accept = accept_key(key.decode()).encode()
    writer.write(b"HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + accept + b"\r\n\r\n")
    await asyncio.Future()


async def proxy(reader, writer):
    """CONNECT and nothing else. The name proxied.local is this machine."""
    head = await reader.readuntil(b"\r\n\r\n")
    host, port = head.split()[1].decode().rsplit(":", 1)
    there, back = await asyncio.open_connection("127.0.0.1" if host == "proxied.local" else host, int(port))
    writer.write(b"HTTP/1.1 200 Yes\r\n\r\n")

    async def copy(source, sink):
        while piece := await source.read(4096):
            sink.write(piece)
        sink.close()

    await asyncio.gather(copy(reader, back), copy(there, writer))


async def main():
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[1], sys.argv[2])
    options = dict(subprotocols=["music.v2", "music.v1"], process_request=process, max_size=None, compression=None, ping_interval=None)
    servers = {
        "plain": await websockets.serve(talk, "127.0.0.1", 0, **options),
        "tls": await websockets.serve(talk, "127.0.0.1", 0, ssl=context, **options),
        "hang": await asyncio.start_server(hang, "127.0.0.1", 0),
        "mute": await asyncio.start_server(mute, "127.0.0.1", 0),
        "proxy": await asyncio.start_server(proxy, "127.0.0.1", 0),
    }
    print(json.dumps({name: server.sockets[0].getsockname()[1] for name, server in servers.items()}), flush=True)
    await asyncio.Future()


asyncio.run(main())
