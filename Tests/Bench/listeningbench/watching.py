"""What a watch is sent while a book plays: a change of chapter, and all that comes without being asked for, in bytes of WebSocket frames."""
import time

import targets as T
from listeningbench import books

MINUTES, LEAD_S = 6, 5
# A state that says nothing but that the hub is there.
BEAT = '"s":{}'


class Watch:
    """A connection of the view watch that counts"""
    def __init__(self, server):
        self.chan = T.Chan(server.cfg, server.port, 60)
        self.chan.send('{"t":"hello","core":"1.0","view":"watch","client":{"id":"bench-watch","run":"w1"}}')
        self.chan.wait('"t":"state"')

    def hear(self, seconds):
        """-> (bytes of each frame with text in this time, bytes of all other frames)"""
        texts, others, end = [], 0, time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.chan.s.settimeout(left)
            try:
                _, op, body = self.chan.frame()
            except TimeoutError:
                break
            if op == 9:
                self.chan.send(body, op=10)
            size = len(body) + (2 if len(body) < 126 else 4)
            if op == 1:
                texts.append((size, body.decode()))
            else:
                others += size
        return texts, others


def watch(target):
    """The largest frame of a change of chapter, and the frames with text of an hour with a timer: the book has as many chapters in the
    six minutes of a round as others have in an hour, and all else counts ten times."""
    with books.shelf(books.chaptered()) as root, books.hub(target, root) as (server, owner, (uri,)):
        books.play(owner, uri)
        owner.ask("seek", {"posMs": (books.CHAPTER_S - LEAD_S) * 1000})
        owner.ask("sleep.set", {"end": "time", "ms": 3_600_000, "fadeMs": 20_000})
        time.sleep(2)
        texts, others = Watch(server).hear(MINUTES * 60)
    chapters = [size for size, text in texts if '"b":[' in text]
    rest = [(size, text) for size, text in texts if '"b":[' not in text and BEAT not in text]
    # Signs of life have a budget of their own: 4 bytes a second with all control frames.
    beats = others + sum(size for size, text in texts if BEAT in text)
    hour = sum(chapters) + sum(size for size, _ in rest) * 60 / MINUTES
    return {"chapter": max(chapters), "chapters": len(chapters), "hour": hour, "beats": beats / MINUTES / 60, "rest": [text[:80] for _, text in rest[:5]]}
