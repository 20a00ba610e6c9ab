"""Hubs that answer over TLS: one as a paired device expects, up to its proof, and one as a device expects that is being paired, up to its lie."""

import asyncio
import contextlib
import json
import os
import ssl
import subprocess
import threading

import websockets

from runner.pairing import (
    b64, chacha_block, channel_binding, generator, hkdf, joined, padded, poly1305, proof, public_key_hash, session_key, tag, unb64, x25519)

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
            "t": "welcome", "core": "1.0", "features": [], "sess": "s", "epoch": "e", "boot": "b", "role": "remote", "caps": [], "pace": [250, 30000], "t1": now, "t2": 1, "t3": 1,
            "mac": b64(bytes(mac))}))
        await link.send(json.dumps({"t": "state", "full": 1, "rev": 1, "room": "main", "s": {"l": [0, 0, 0], "v": [64, 0], "m": [0, 0, 0, 0], "r": "Room"}}))
        async for _ in link:
            pass


class Liar(FalseHub):
    """Pairs the device that knows the code, but for one lie on each connection."""

    CODE, NONCE = b"123456", bytes(16)

    def __init__(self, folder, lies):
        self.lies = iter(lies)
        super().__init__(folder, is_honest=False)

    async def converse(self, link):
        lie, hello = next(self.lies), json.loads(await link.recv())
        if lie == "welcome":
            await link.send('{"t":"welcome","core":"1.0","features":[],"sess":"s","epoch":"e","boot":"b","role":"remote","caps":[],"pace":[250,30000],"t1":1,"t2":1,"t3":1}')
        if lie == "state":
            await link.send('{"t":"state","full":1,"rev":5,"room":"main","s":{"n":{"i":"q1","t":"A","d":3},"l":[0,1,1000],"v":[77,0],"m":[0,1,0,0],"r":"Room"}}')
        name = 'h","dev":"x' if lie == "hub" else "h"
        hub = {"id": name, "name": "A hub that lies"}
        nonce = "AAAA" if lie == "nonce" else b64(self.NONCE)
        await link.send(json.dumps({"t": "challenge", "hub": hub, "nonce": nonce, "m": ["qr"] if lie == "window" else ["device", "pin"], "cb": "spki"}))
        first = json.loads(await link.recv())
        sid, ya = self.NONCE + unb64(first["nonce"]) + b"\0\0\0\1", unb64(first["ya"])
        scalar = os.urandom(32)
        share = x25519(scalar, generator(self.CODE, b"baton-pair-v1" + channel_binding(self.spki), sid))
        adb = joined(json.dumps(name)[1:-1].encode())
        if lie == "early":
            await link.send(self.last(sid, bytes(64), bytes(32), adb))
        shown = {"zeros": bytes(32), "own": ya, "short": share[:31], "long": share + b"x"}.get(lie, share)
        await link.send(json.dumps({"t": "pair", "step": 2, "yb": {"text": "*" * 43, "number": 7}.get(lie, b64(shown))}))
        third = json.loads(await link.recv())
        ada = joined(hello["client"]["id"].encode(), first["name"].encode())
        isk = session_key(sid, x25519(scalar, ya), ya, ada, share, adb)
        assert unb64(third["ta"]) == tag(sid, isk, ya, ada)
        if lie == "twice":
            other = x25519(scalar, b"\x09" + bytes(31))
            await link.send(json.dumps({"t": "pair", "step": 2, "yb": b64(other)}))
            await link.send(self.last(sid, session_key(sid, x25519(bytes(32), other), ya, ada, other, adb), other, adb))
        last = json.loads(self.last(sid, isk, share, adb))
        if lie == "tag":
            last["tb"] = b64(tag(sid, isk, ya, ada))
        last["dev"] = {"device": 'd"x', "device-long": "d" * 65}.get(lie, "d_1")
        if lie in ("key", "early", "twice", "state"):
            last["wk"] = b64(bytes(48))
        await link.send(json.dumps(last))
        async for _ in link:
            pass

    @staticmethod
    def last(sid, isk, share, adb):
        """Step 4 as the hub that has this session key sends it."""
        key, nonce = hkdf(isk, sid, b"baton-wrap"), bytes(12)
        # The key that is sealed is all zeros, so the stream is what it looks like.
        sealed = chacha_block(key, 1, nonce)[:32]
        seal = poly1305(chacha_block(key, 0, nonce)[:32], padded(sealed) + (0).to_bytes(8, "little") + (32).to_bytes(8, "little"))
        return json.dumps({"t": "pair", "step": 4, "tb": b64(tag(sid, isk, share, adb)), "dev": "d_1", "wk": b64(sealed + seal), "role": "remote"})
