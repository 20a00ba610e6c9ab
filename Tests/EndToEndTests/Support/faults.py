"""A fault-injecting pair of sockets: one end for a remote, the other leads to a hub, and what lies between fails on demand."""

import select
import socket
import threading
import time

from Support.rawpeer import reach


class FaultyPair:
    """Bytes pass both ways until a limit is set. Where it is reached both ends are cut, or nothing passes any more and
    neither side is told, as when a network cable is pulled."""

    def __init__(self, place):
        """`place` as rawpeer's `reach` takes it."""
        self.far = reach(place)
        self.near, self.inside = socket.socketpair()
        self.left = {self.inside: None, self.far: None}
        self.silent = self.is_broken = False
        self.chunk, self.delay = 65_536, 0.0
        self.wake, self.bell = socket.socketpair()
        self.pump = threading.Thread(target=self.carry, daemon=True)
        self.pump.start()

    def fail(self, up=None, down=None, silently=False):
        """After so many more bytes from the remote (`up`) or from the hub (`down`)."""
        self.silent = silently
        self.left = {self.inside: up, self.far: down}

    def throttle(self, chunk, delay):
        """So few bytes at once, and a pause behind each."""
        self.chunk, self.delay = chunk, delay

    def close(self):
        self.bell.close()
        self.pump.join(10)
        for end in (self.near, self.inside, self.far, self.wake):
            end.close()

    def carry(self):
        other = {self.inside: self.far, self.far: self.inside}
        while True:
            ready, _, _ = select.select([self.inside, self.far, self.wake], [], [])
            if self.wake in ready:
                return
            for end in ready:
                if not self.pass_on(end, other[end]):
                    return

    def pass_on(self, end, other):
        """Whether anything can still come."""
        try:
            data = end.recv(self.chunk)
            left = self.left[end]
            if left is not None:
                data = data[:left]
                self.left[end] = left - len(data)
            if data:
                other.sendall(data)
        except OSError:
            data, left = b"", None
        if left is not None and self.left[end] == 0:
            self.is_broken = True
            if not self.silent:
                self.cut()
            return False
        if not data:
            self.cut()
        if self.delay:
            time.sleep(self.delay)
        return bool(data)

    def cut(self):
        for end in (self.inside, self.far):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
