"""A hub by TLS with one device, as much of one as shows to what a client binds its proofs.

No proxy can stand before it: what TLS exports is the same for the two ends of a connection alone. What was said goes into a trace like the proxy's.
"""

import hmac
import json
import os
import secrets
import socket
import ssl
import subprocess
import threading
import time

from runner.exporter import Log, binding
from runner.pairing import b64, channel_binding, proof, public_key_hash, unb64
from runner.websocket import CLOSE, PING, PONG, TEXT, Framing, accept, encode, head_of

STATE = {"t": "state", "full": 1, "rev": 1, "room": "main", "s": {
    "tl": {"posMs": 0, "atUs": 1, "rate": 0, "st": "stopped"}, "vol": {"level": 30, "mute": False, "range": [0, 100]}, "modes": {"repeat": False, "shuffle": False},
    "queue": {"rev": 1, "len": 0}}}


class Bound:
    """The hub, and what it has seen: the capabilities, `cb`, and whether the proof was right."""

    def __init__(self, folder, trace):
        self.seen, self.lines = {}, 0
        self.dev, self.key, self.folder = "d_bound", secrets.token_bytes(32), folder
        key, certificate = f"{folder}/bound.key", f"{folder}/bound.crt"
        words = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=bound", "-days", "2", "-keyout", key, "-out", certificate]
        subprocess.run(["openssl", "req", "-x509", *words], check=True, capture_output=True)
        self.files = certificate, key
        with open(certificate, encoding="ascii") as file:
            self.pin = public_key_hash(ssl.PEM_cert_to_DER_cert(file.read()))
        self.trace = open(trace, "w", encoding="utf-8")
        self.listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self.serve, daemon=True).start()

    def words(self):
        """The words for a client by which it comes here."""
        port = self.listener.getsockname()[1]
        return ["--url", f"wss://127.0.0.1:{port}/baton", "--exporter", f"--dev={self.dev}", f"--key={b64(self.key)}", f"--pin={b64(self.pin)}"]

    def close(self):
        self.listener.close()
        self.trace.close()

    def serve(self):
        while True:
            try:
                link, _ = self.listener.accept()
                self.lines += 1
                self.one(link, self.lines)
            except (OSError, ValueError, KeyError):
                if self.listener.fileno() < 0:
                    return

    def note(self, line, side, **more):
        if not self.trace.closed:
            self.trace.write(json.dumps({"us": time.monotonic_ns() // 1000, "line": line, "side": side, "fate": "passed", **more}) + "\n")
            self.trace.flush()

    def one(self, link, line):
        """One connection, up to its end."""
        log, made = Log(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        made.minimum_version, made.keylog_filename = ssl.TLSVersion.TLSv1_3, log.path
        made.load_cert_chain(*self.files)
        made.set_alpn_protocols(["http/1.1"])
        with made.wrap_socket(link, server_side=True) as secure:
            head = b""
            while b"\r\n\r\n" not in head:
                head += secure.recv(4096) or b"\r\n\r\n"
            headers = head_of(b"HTTP/1.1 101 -" + head[head.index(b"\r\n"):])[1]
            self.secure, self.line, self.exported = secure, line, binding(log.exporter(secure))
            secure.sendall(f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Protocol: baton.v1\r\n"
                           f"Sec-WebSocket-Accept: {accept(headers['sec-websocket-key'])}\r\n\r\n".encode())
            self.note(line, "proxy", fate="began")
            framing = Framing()
            while data := secure.recv(65536):
                for opcode, payload, _ in framing.feed(data):
                    if opcode == TEXT:
                        self.note(line, "client", text=payload.decode(errors="replace"))
                        self.take(json.loads(payload), payload)
                    elif opcode in (PING, CLOSE):
                        secure.sendall(encode(payload, PONG if opcode == PING else CLOSE, masked=False))
                    if opcode == CLOSE:
                        return

    def say(self, message):
        payload = json.dumps(message, separators=(",", ":")).encode()
        self.note(self.line, "hub", text=payload.decode())
        self.secure.sendall(encode(payload, TEXT, masked=False))
        return payload

    def take(self, message, payload):
        kind, now = message.get("t"), time.monotonic_ns() // 1000
        if kind == "hello":
            self.hello, self.seen = payload, {"caps": message.get("caps", []), "view": message.get("view"), "proof": None}
            self.seen["cb"] = "exp" if "cb.exp" in self.seen["caps"] else "spki"
            self.challenge = self.say({"t": "challenge", "hub": {"id": "bound-hub", "name": "Bound"}, "nonce": b64(os.urandom(16)), "m": ["device"], "cb": self.seen["cb"]})
        elif kind == "auth":
            bound = self.exported if self.seen["cb"] == "exp" else channel_binding(self.pin)
            nonce = unb64(message["nonce"])
            wanted = proof(b"client", self.key, bound, self.hello, self.challenge, nonce)
            self.seen["proof"] = message.get("dev") == self.dev and hmac.compare_digest(wanted, unb64(message["mac"]))
            if not self.seen["proof"]:
                return self.say({"t": "err", "err": {"code": "unauthorized", "retry": 0, "msg": "The proof is wrong."}})
            mac = b64(proof(b"hub", self.key, bound, self.hello, self.challenge, nonce))
            self.say({"t": "welcome", "core": "1.0", "features": ["network@1"], "sess": "s1", "epoch": "bound", "boot": "bound", "role": "remote", "caps": self.seen["caps"],
                      "pace": [50, 20000], "t2": now, "t3": now, "mac": mac})
            self.say(STATE)
        elif kind == "cmd":
            self.say({"t": "res", "id": message["id"], "ok": 1, "st": "noop", "why": "same", "rev": 1, "rx": now, "tx": now})
        elif kind == "time":
            self.say({"t": "time", "t1": message["t1"], "t2": now, "t3": now})
        elif kind == "sync":
            self.say(STATE)
        return None
