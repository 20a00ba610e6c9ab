"""One connection of a conversation, from either side: bytes until the upgrade is done, and frames from then on."""

import select

from runner.websocket import PING, PONG, Framing, encode


class Connection:
    """A socket, and what has come by it. Pings are answered when they come."""

    def __init__(self, link, is_client):
        # A client masks its frames.
        self.link, self.is_client = link, is_client
        self.data, self.framing, self.frames, self.is_over = b"", None, [], False

    def send(self, data):
        try:
            self.link.sendall(data)
        except OSError:
            pass  # The other side has closed: what it said before that is still to be read.

    def fill(self, seconds):
        """Waits for something to come, and says whether it did in time."""
        if self.is_over or seconds < 0 or not (self.pending() or select.select([self.link], [], [], max(0, seconds))[0]):
            return False
        try:
            more = self.link.recv(1 << 18)
        except OSError:
            more = b""
        self.is_over = not more
        if self.framing is None:
            self.data += more
        else:
            self.take(more)
        return True

    def pending(self):
        """Bytes that TLS has read and that the socket does not show."""
        return getattr(self.link, "pending", int)() > 0

    def take(self, data):
        for opcode, content, _ in self.framing.feed(data):
            if opcode == PING:
                self.send(encode(content, PONG, masked=self.is_client))
            else:
                self.frames.append((opcode, content))

    def upgrade(self):
        """From now on frames come. Some may stand behind the head already."""
        self.framing, rest, self.data = Framing(), self.data.partition(b"\r\n\r\n")[2], b""
        self.take(rest)

    def cut(self):
        self.link.close()
        self.is_over = True
