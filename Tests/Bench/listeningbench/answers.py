"""How soon the commands of long listening are answered, beside `next`, which writes to the disk too: in turns, by one connection."""
import time

import library
import runs
from listeningbench import books

TURNS, EACH, PAUSE_S, QUEUE = 4, 150, .01, 500


def p99(values):
    return sorted(values)[int(.99 * (len(values) - 1) + .5)]


def parameters(name, number, uri):
    """What makes each command a change"""
    if name == "progress.report":
        return {"uri": uri, "posMs": 1000 + number * 500, "session": "bench"}
    if name == "sleep.set":
        return {"end": "time", "ms": 3_600_000 + number * 1000, "fadeMs": 20_000}
    if name == "book.chapter":
        return {"n": 1 + number % books.CHAPTERS}
    return {"note": f"note {number}"} if name == "mark.add" else {}


def answers(target):
    """p99 of each command's answer in ms"""
    took = {name: [] for name in ("next", "progress.report", "sleep.set", "book.chapter", "mark.add")}
    with books.shelf(books.chaptered()) as root, books.hub(target, root) as (server, owner, (uri,)):
        asker = library.Asker(server)
        for turn in range(TURNS):
            asker.ask("play", {"uri": server.vars["track"]}, key=f"track-{turn}")
            for part in range(QUEUE // 100):
                asker.ask("queue.add", {"uris": [server.vars["track"]] * 100}, key=f"queue-{turn}-{part}")
            for name in took:
                if name == "progress.report":
                    books.play(owner, uri)
                for number in range(EACH):
                    key = f"{name[:6]}-{turn}-{number}".replace(".", "-")
                    took[name].append(asker.ask(name, parameters(name, turn * EACH + number, uri), key=key)[0])
                    time.sleep(PAUSE_S)
            asker.ask("sleep.clear", {})
    return {**{name: p99(values) for name, values in took.items()}, **{f"{name} p50": runs.median(values) for name, values in took.items()}}
