"""A hub that answers over TLS as a paired device expects, up to its proof: whether that is right is the test's choice."""

import asyncio
import contextlib
import json
import os
import ssl
import subprocess
import threading

import websockets

from runner.pairing import b64, channel_binding, proof, public_key_hash, unb64

KEY = bytes(range(32))


class FalseHub:
    """Knows the device `d_1` with `KEY`. With `is_honest` its proof is right, else one bit of it is wrong."""

    def __init__(self, folder, is_honest):
        self.is_honest, self.heard = is_honest, []
        files = [os.path.join(folder, name) for name in ("key.pem", "certificate.pem")]
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=false", "-days", "2",
             "-keyout", files[0], "-out", files[1]], check=True, capture_output=True)
        with open(files[1], encoding="ascii") as file:
            self.spki = public_key_hash(ssl.PEM_cert_to_DER_cert(file.read()))
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(files[1], files[0])
        self.loop, started = asyncio.new_event_loop(), threading.Event()
        self.thread = threading.Thread(target=self.run, args=(started,), daemon=True)
        self.thread.start()
        started.wait(10)

    @property
    def pin(self):
        return b64(self.spki)

    def run(self, started):
        async def listen():
            self.server = await websockets.serve(self.answer, "127.0.0.1", 0, ssl=self.context, subprotocols=["baton.v1"], compression=None)
            self.url = f"wss://127.0.0.1:{self.server.sockets[0].getsockname()[1]}"
            started.set()
        self.loop.run_until_complete(listen())
        self.loop.run_forever()

    def close(self):
        self.loop.call_soon_threadsafe(self.server.close)
        self.loop.call_soon_threadsafe(self.loop.call_later, 0.2, self.loop.stop)
        self.thread.join(10)

    async def answer(self, link):
        # A client that does not believe this hub goes away.
        with contextlib.suppress(websockets.exceptions.ConnectionClosed):
            await self.converse(link)

    async def converse(self, link):
        hello = await link.recv()
        challenge = json.dumps({"t": "challenge", "hub": {"id": "h", "name": "False hub"}, "nonce": b64(bytes(16)), "m": ["device"], "cb": "spki"})
        await link.send(challenge)
        auth = json.loads(await link.recv())
        about = KEY, channel_binding(self.spki), hello.encode(), challenge.encode(), unb64(auth["nonce"])
        self.heard.append(unb64(auth["mac"]) == proof(b"client", *about))
        mac = bytearray(proof(b"hub", *about))
        mac[0] ^= 0 if self.is_honest else 1
        now = json.loads(hello)["t1"]
        await link.send(json.dumps({
            "t": "welcome", "v": 1, "sess": "s", "epoch": "e", "boot": "b", "role": "remote", "caps": [], "pace": [250, 30000], "t1": now, "t2": 1, "t3": 1,
            "mac": b64(bytes(mac))}))
        await link.send(json.dumps({"t": "state", "full": 1, "rev": 1, "room": "main", "s": {"l": [0, 0, 0], "v": [64, 0], "m": [0, 0], "r": "Room"}}))
        async for _ in link:
            pass
