# deploy/test: tier 2, judges Sources/Platform/SocketServer/WebServer Sources/Platform/SocketServer/LineServer Sources/Dialects/Companion/Sessions.
# deploy/test: judges Sources/Kernel/BatonKernel/Access.
"""Floods of every kind: who sends without end is closed and not read any more, and others are answered all the while."""

import base64
import json
import os
import re
import socket
import ssl
import sys
import threading
import time

from runner.websocket import encode
from Support.hubs import Hub, HubCase, main
from Support.rawpeer import RawPeer, reach
from Support.remote import Remote

MIB = 2**20
# Far more than the kernel holds for both sides of a connection, and the most it does hold.
FLOOD, KERNEL = 600 * MIB, 24 * MIB
KINDS = {
    "ping": encode(b"", opcode=9),
    "pong": encode(b"", opcode=10),
    "binary": encode(b"\0", opcode=2),
    "cancel": encode(b'{"t":"cancel","id":7}'),
    "time": encode(b'{"t":"time","t1":1}'),
    "sync": encode(b'{"t":"sync"}'),
    "unknown": encode(b'{"t":"nothing"}'),
    "command": None,
}
ANSWERED = ("time", "sync", "unknown", "command")


class Floods(HubCase):
    def processor_s(self):
        """What the hub has used so far."""
        with open(f"/proc/{self.hub.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def pour(self, peer, data, most=FLOOD):
        """Sends the same again and again; -> how many bytes left before the hub took no more."""
        many, sent = data * max(1, 65_536 // len(data)), 0
        try:
            while sent < most:
                sent += peer.socket.send(many[sent % len(many):])
        except OSError:
            pass
        return sent

    def flood(self, peer, data, most=FLOOD):
        """A flood whose sender reads what it is answered; -> its close code and how many bytes left."""
        endings = []
        reading = threading.Thread(target=lambda: endings.append(peer.ending()))
        reading.start()
        sent = self.pour(peer, data, most)
        reading.join(30)
        return endings[0] if endings else "still open", sent

    def test_frames(self):
        """Frames of every kind are counted: a flood is closed with 4429, and another client is answered meanwhile."""
        with Remote(self.hub.port, "another-1") as another:
            for kind, data in KINDS.items():
                if data is None:
                    data = b"".join(encode(b'{"t":"cmd","id":%d,"m":"pause"}' % n) for n in range(1, 2_000))
                peer = RawPeer(self.hub.port).greet()
                result, began, before = [], time.monotonic(), self.processor_s()
                flooding = threading.Thread(target=lambda p=peer, d=data, r=result: r.extend(self.flood(p, d)))
                flooding.start()
                answers = 0
                while flooding.is_alive():
                    self.assertTrue(another.ask("vol.set", {"level": 20 + answers % 20})["ok"])
                    answers += 1
                    time.sleep(0.06)
                flooding.join()
                took, used = time.monotonic() - began, self.processor_s() - before
                peer.socket.close()
                code, sent = result
                print(f"    {kind}: {code} after {took:.1f} s, {sent / MIB:.1f} MiB left the sender, "
                      f"the hub used {used * 1000:.0f} ms, {answers} answers to another", file=sys.stderr)
                # Where answers fill the pipe the close frame waits behind them, and the line is cut when they are not read in time.
                self.assertIn(code, (4429, 4430, None) if kind in ANSWERED else (4429,), kind)
                self.assertLess(sent, KERNEL, kind)
                self.assertGreater(answers, 0, kind)

    def test_pieces(self):
        """The pieces of one message count, also empty ones, and so does what comes before welcome."""
        for kind, begun, data in (
                ("empty pieces", encode(b"{", final=False), encode(b"", opcode=0, final=False)),
                ("before welcome", b"", encode(b"", opcode=10))):
            peer = RawPeer(self.hub.port).upgrade() if kind == "before welcome" else RawPeer(self.hub.port).greet()
            peer.say(begun)
            code, sent = self.flood(peer, data)
            peer.socket.close()
            self.assertEqual(code, 4429, kind)
            self.assertLess(sent, KERNEL, kind)

    def test_burst(self):
        """Ordinary use is never slowed down, and some frames too many at once are answered late and not refused."""
        with Remote(self.hub.port, "ordinary-1") as remote:
            for number in range(60):
                remote.say(t="time", t1=number)
                self.assertEqual(remote.hear()["t1"], number)
                remote.peer.say(encode(b"", opcode=10) + encode(b"x", opcode=9))
                if number % 3 == 0:
                    self.assertTrue(remote.ask("vol.set", {"level": 20 + number % 20})["ok"])
        with RawPeer(self.hub.port).greet() as peer:
            peer.say(encode(b"", opcode=10) * 650 + encode(b'{"t":"cmd","id":1,"m":"hub.info"}'))
            while True:
                opcode, payload = peer.hear()
                self.assertNotEqual(opcode, 8, payload)
                if b'"t":"res"' in payload:
                    break

    # MARK: After the end

    def test_after_close(self):
        """After 1009, 1002, 1007 and 4400 next to nothing is read: what is sent stays with its sender."""
        announced = bytes([0x81, 0xFF, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4])
        for code, begun in ((1009, announced), (1002, encode(b"", masked=False)), (1007, encode(b"\xff")), (4400, encode(b"{") * 3)):
            peer = RawPeer(self.hub.port).greet()
            peer.say(begun)
            found, sent = self.flood(peer, b"x" * 65_536)
            peer.socket.close()
            print(f"    {found}: {sent / MIB:.1f} MiB left the sender", file=sys.stderr)
            self.assertEqual(found, code)
            self.assertLess(sent, KERNEL, code)

    def test_after_refusal(self):
        """Of a body that was refused, and of a header without end, next to nothing is read."""
        head = b"POST /baton/cmd HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        endless = ((b"413", head + b"Content-Length: 700000000\r\n\r\n"), (b"411", head + b"Transfer-Encoding: chunked\r\n\r\n"), (b"", head + b"X-Long: "))
        for status, begun in endless:
            peer = RawPeer(self.hub.port)
            heard = []

            def hear(link=peer.socket, heard=heard):
                try:
                    while data := link.recv(65_536):
                        heard.append(data)
                except OSError:
                    pass
            reading = threading.Thread(target=hear)
            reading.start()
            peer.say(begun)
            sent = self.pour(peer, b"x" * 65_536)
            reading.join(30)
            peer.socket.close()
            print(f"    {b''.join(heard)[:12]}: {sent / MIB:.1f} MiB left the sender", file=sys.stderr)
            self.assertLess(sent, KERNEL, begun)
            self.assertIn(status, b"".join(heard)[:12])

    # MARK: TLS

    def secure_port(self):
        return int(re.search(r"network https://[^\n]*:(\d+)/", Hub.text(self.hub.said)).group(1))

    def test_handshakes(self):
        """Of two thousand handshakes that are not ended, from many addresses of this machine, the hub holds few, and others come in."""
        port, begun = self.secure_port(), []
        for number in range(2000):
            peer = socket.socket()
            self.addCleanup(peer.close)
            peer.bind((f"127.0.0.{2 + number % 200}", 0))
            peer.connect(("127.0.0.1", port))
            # A record that promises the first message of the handshake, and no more.
            peer.sendall(bytes([0x16, 3, 1, 0, 200]))
            begun.append(peer)
        link = self.secure()
        self.assertIsNotNone(link, "a whole handshake was cut")
        link.close()
        with open("/proc/net/tcp", encoding="ascii") as table:
            rows = [row.split() for row in table.readlines()[1:]]
        held = sum(1 for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01")
        print(f"    handshakes held: {held}", file=sys.stderr)
        self.assertLessEqual(held, 64)

    # MARK: Keys

    def secure(self):
        """A connection by TLS, or nothing where the hub cuts it before that."""
        port = self.secure_port()
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        try:
            return context.wrap_socket(reach(port))
        except OSError:
            return None

    def wrong_key(self):
        """-> what the hub says of a key that is wrong: the error's code and the close code, or that it cut the line."""
        link = self.secure()
        if not link:
            return ("cut", None)
        with RawPeer(link) as peer:
            try:
                peer.upgrade().say(encode(json.dumps({"t": "hello", "core": "1.0", "view": "full", "client": {"id": "another-one"}}).encode()))
                peer.hear()
                mac = base64.urlsafe_b64encode(os.urandom(32)).rstrip(b"=").decode()
                nonce = base64.urlsafe_b64encode(os.urandom(16)).rstrip(b"=").decode()
                peer.say(encode(json.dumps({"t": "auth", "m": "device", "dev": "d_nobody", "nonce": nonce, "mac": mac}).encode()))
                return (json.loads(peer.hear()[1])["err"]["code"], peer.ending())
            except (OSError, EOFError):
                return ("cut", None)

    def test_wrong_keys(self):
        """Ten wrong keys are listened to; of what comes then, most is cut before TLS, and the rest is told how long to wait."""
        found, began = [], time.monotonic()
        while time.monotonic() - began < 4:
            found.append(self.wrong_key())
        counts = {ending: found.count(ending) for ending in set(found)}
        print(f"    wrong keys: {counts}", file=sys.stderr)
        self.assertEqual(set(found[:10]), {("unauthorized", 4401)})
        # One more comes back every six seconds.
        self.assertLessEqual(counts[("unauthorized", 4401)], 10 + 1 + (time.monotonic() - began) // 6)
        self.assertLessEqual(counts.get(("rate_limited", 4429), 0), 3 + 1 + time.monotonic() - began)
        self.assertGreater(counts[("cut", None)], 0)
        # What is not encrypted does not wait.
        with Remote(self.hub.port, "another-2") as another:
            self.assertTrue(another.ask("hub.info")["ok"])


if __name__ == "__main__":
    main()
