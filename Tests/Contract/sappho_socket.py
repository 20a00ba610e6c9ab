"""The server's side of WebSockets for the Sappho stand-in: text to every client, pings, and closes with a reason.

Written here, since the HTTP server of Python's library knows none, both have to answer at one port, and the stand-in starts alone.
What clients send is read and ignored, as the real server does, except for pongs and closes.
"""
import base64
import hashlib
import json
import struct
import threading

GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
POLICY = 1008


class Socket:
    """One client, on the thread of its request."""

    def __init__(self, handler):
        self.handler, self.lock, self.answered = handler, threading.Lock(), True

    def accept(self):
        key = self.handler.headers["Sec-WebSocket-Key"].encode()
        self.handler.send_response(101)
        self.handler.send_header("Upgrade", "websocket")
        self.handler.send_header("Connection", "Upgrade")
        self.handler.send_header("Sec-WebSocket-Accept", base64.b64encode(hashlib.sha1(key + GUID).digest()).decode())
        self.handler.end_headers()
        self.handler.wfile.flush()
        self.handler.close_connection = True

    def frame(self, kind, content):
        size = len(content)
        length = bytes([size]) if size < 126 else struct.pack(">BH", 126, size) if size < 1 << 16 else struct.pack(">BQ", 127, size)
        with self.lock:
            self.handler.connection.sendall(bytes([0x80 | kind]) + length + content)

    def say(self, message):
        self.frame(TEXT, json.dumps(message).encode())

    def close(self, code, reason):
        self.frame(CLOSE, struct.pack(">H", code) + reason.encode())

    def read(self):
        """Until the client leaves."""
        while (head := self.handler.rfile.read(2)) and len(head) == 2:
            size = head[1] & 0x7F
            if size > 125:
                size = int.from_bytes(self.handler.rfile.read(2 if size == 126 else 8), "big")
            mask = self.handler.rfile.read(4) if head[1] & 0x80 else bytes(4)
            content = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.handler.rfile.read(size)))
            if head[0] & 0x0F == CLOSE:
                return self.frame(CLOSE, content[:2])
            if head[0] & 0x0F == PING:
                self.frame(PONG, content)
            if head[0] & 0x0F == PONG:
                self.answered = True
        return None


class Sockets:
    """All clients, which get the same messages whichever user they belong to."""

    def __init__(self):
        self.open, self.lock = [], threading.Lock()

    def take(self, handler, refusal):
        socket = Socket(handler)
        socket.accept()
        if refusal:
            return socket.close(POLICY, refusal)
        socket.say({"type": "connected", "message": "Connected to the notifications"})
        with self.lock:
            self.open.append(socket)
        try:
            return socket.read()
        finally:
            self.leave(socket)

    def leave(self, socket):
        with self.lock:
            if socket in self.open:
                self.open.remove(socket)

    def say(self, message):
        self.each(lambda socket: socket.say(message))

    def ping(self):
        """Drops those that have not answered the last one."""
        for socket in list(self.open):
            if not socket.answered:
                socket.handler.connection.shutdown(2)
                self.leave(socket)
        self.each(self.ask)

    def ask(self, socket):
        socket.answered = False
        socket.frame(PING, b"")

    def each(self, work):
        for socket in list(self.open):
            try:
                work(socket)
            except OSError:
                self.leave(socket)
