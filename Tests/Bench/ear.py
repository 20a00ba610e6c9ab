"""Hears from a pipe of PCM (44,100 samples of two channels) when a player's tone changes: how soon a press is heard.

The pipe is read as fast as sound is heard, and at once while a tone is waited for: what lies in the pipe from before is no sound that
somebody waits for."""
import os, threading, time

RATE, LIMIT_S = 44_100, 20
# One piece may sound so where two tones meet; more of them behind each other do not.
ENOUGH = 5


class Ear:
    """Of two tones, by which of both the first channel changes its sign more often."""
    def __init__(self, fifo, low, high):
        self.fd, self.is_on, self.middle = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK), True, (low + high) / 2
        self.high, self.wanted, self.found, self.heard = high, None, [], 0
        self.thread = threading.Thread(target=self.listen)
        self.thread.start()

    def listen(self):
        due = time.monotonic()
        while self.is_on:
            try:
                piece = os.read(self.fd, 4096)
            except BlockingIOError:
                piece = b""
            wanted = self.wanted
            self.heard += len(piece)
            if wanted and piece and len(self.found) < ENOUGH:
                self.found = [*self.found, time.monotonic()] if self.is_tone(piece, wanted) else []
            waits = wanted and len(self.found) < ENOUGH
            due = max(due, time.monotonic() - .05) + len(piece) / 4 / RATE
            time.sleep(.0002 if waits or not piece else max(0, due - time.monotonic()))

    def is_tone(self, piece, hertz):
        signs = [piece[at + 1] & 128 for at in range(0, len(piece) - 3, 4)]
        heard = sum(a != b for a, b in zip(signs, signs[1:])) * RATE / 2 / max(1, len(signs))
        return len(signs) > 256 and (heard > self.middle) == (hertz == self.high)

    def ms(self, press, hertz):
        """From the press to the first piece of this tone."""
        self.found, self.wanted = [], hertz
        asked = time.monotonic()
        press()
        while len(self.found) < ENOUGH:
            if time.monotonic() - asked > LIMIT_S:
                raise TimeoutError(f"{hertz} Hz is not heard")
            time.sleep(.001)
        self.wanted = None
        return (self.found[0] - asked) * 1e3

    def close(self):
        self.is_on = False
        self.thread.join()
        os.close(self.fd)
