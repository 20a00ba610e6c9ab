"""What devices that play along cost the hub: 50 that fetch one track at once, beside nginx with the same file, and the commands of others
while 1,000 say once a second how they do, beside the same hub at rest.

Those who fetch are sockets of one process, which reads and throws away."""
import contextlib, functools, json, multiprocessing, os, selectors, socket, tempfile, time

import library
import rounds
import runs
import targets as T
import upstreams

FETCHING, REPORTING, COMMANDS, PAUSE_S, EVERY_S = 50, 1000, 800, .004, 1.0
HELLO = {"t": "hello", "core": "1.0", "view": "remote"}
# 0.7 of the bytes a second that nginx sends.
ANSWER_BAR, FETCH_BAR = 1.2, 1 / .7


def fetched(port, path, count=FETCHING):
    """-> seconds until so many have read the whole of it at once, and the bytes"""
    poll, room, got, t0 = selectors.DefaultSelector(), bytearray(1 << 20), 0, time.perf_counter()
    for _ in range(count):
        link = socket.create_connection(("127.0.0.1", port), 30)
        link.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
        poll.register(link, selectors.EVENT_READ)
    while poll.get_map():
        ready = poll.select(30)
        if not ready:
            raise TimeoutError(f"{len(poll.get_map())} of {count} wait for more after {got} bytes")
        for key, _ in ready:
            read = key.fileobj.recv_into(room)
            got += read
            if not read:
                poll.unregister(key.fileobj)
                key.fileobj.close()
    return time.perf_counter() - t0, got


def fetching(target):
    track = runs.media()[0]
    least = FETCHING * os.path.getsize(track)
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder, T.Server(target, track=track, music=os.path.dirname(track)) as server:
        os.chmod(folder, 0o755)
        with upstreams.Nginx(folder, "track", f"root {os.path.dirname(track)};") as nginx:
            server.wait_ready()
            owner, ours, theirs = library.Owner(server), [], []
            owner.until_there(time.monotonic(), 1)
            uri = owner.ask("lib.search", {"q": "long"})["d"]["rows"][0]["uri"]
            owner.ask("queue.add", {"uris": [uri]})
            for _ in range(3):
                url = owner.ask("lib.item", {"uri": uri, "media": True})["d"]["media"]["url"]
                for took, (port, path) in ((theirs, (nginx.port, "/" + os.path.basename(track))), (ours, (server.port, url))):
                    seconds, got = fetched(port, path)
                    if got < least:
                        raise RuntimeError(f"only {got} of {least} bytes came by {path}")
                    took.append(seconds)
    return {"ours": runs.median(ours), "nginx": runs.median(theirs)}


class Devices:
    """So many that say once a second how they do, in a process of their own: a thread would keep the interpreter from those who measure."""
    def __init__(self, server, count):
        self.pipe, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=report, args=(server, count, other), daemon=True)
        self.process.start()
        self.pipe.recv()

    def counts(self):
        """-> reports sent, and those that were answered"""
        self.pipe.send("counts")
        return self.pipe.recv()

    def close(self):
        self.pipe.send("end")
        self.sent, self.answers = self.pipe.recv()
        self.process.join()


def frame(number, sent):
    parameters = {"report": {"driftUs": number * 7 % 20_000 + sent % 13, "bufferMs": 90_000}}
    body = json.dumps({"t": "cmd", "id": sent + 10, "m": "listen.here", "p": parameters}).encode()
    return b"\x81" + (bytes([0x80 | len(body)]) if len(body) < 126 else b"\xfe" + len(body).to_bytes(2, "big")) + bytes(4) + body


def report(server, count, pipe):
    links, sent, answers = [], 0, 0
    for number in range(count):
        chan = T.Chan({"path": "/baton", "subprotocol": "baton.v1"}, server.port, 60)
        chan.send(json.dumps({**HELLO, "client": {"id": f"bench-device-{number}", "run": "r"}}))
        chan.wait('"t":"welcome"')
        chan.s.setblocking(False)
        links.append(chan.s)

    def read(link):
        with contextlib.suppress(BlockingIOError):
            return link.recv(1 << 16).count(b'"ok":1')
        return 0
    pipe.send("ready")
    while True:
        for number, link in enumerate(links):
            began = time.monotonic()
            answers += read(link)
            link.send(frame(number, sent))
            sent += 1
            if pipe.poll():
                if pipe.recv() == "end":
                    time.sleep(1)
                    return pipe.send((sent, answers + sum(map(read, links))))
                pipe.send((sent, answers))
            time.sleep(max(0, EVERY_S / len(links) - (time.monotonic() - began)))


def p99(values):
    return sorted(values)[int(.99 * (len(values) - 1) + .5)]


def waits(asker):
    took = []
    for number in range(COMMANDS):
        took.append(asker.ask("vol.set", {"level": 40 + number % 2})[0])
        time.sleep(PAUSE_S)
    return took


def reporting(target):
    with T.Server(target, track=runs.media()[0]) as server:
        server.wait_ready()
        asker, pid = library.Asker(server), server.procs[0][1].pid
        waits(asker)
        rest, before = waits(asker), library.resident(pid) / 1024
        devices = Devices(server, REPORTING)
        try:
            time.sleep(3)
            began, (sent, _), ticks = time.monotonic(), devices.counts(), library.worked(pid)
            busy = waits(asker)
            seconds = time.monotonic() - began
            cpu, told = (library.worked(pid) - ticks) / os.sysconf("SC_CLK_TCK") / seconds, (devices.counts()[0] - sent) / seconds
            memory = library.resident(pid) / 1024 - before
        finally:
            devices.close()
        if devices.answers < 0.9 * devices.sent:
            raise RuntimeError(f"only {devices.answers} of {devices.sent} reports were answered")
        rest += waits(asker)
    return {"rest": p99(rest), "busy": p99(busy), "busy p50": runs.quantile(busy, .5), "cpu": cpu * 100, "told": told, "memory": memory}


JOBS = {"fetch": fetching, "report": reporting}


def bars(rows):
    middle = rounds.middles(rows)
    return [
        (f"{FETCHING} devices have one track", "s", middle("fetch", "ours"), "nginx", middle("fetch", "nginx"), "times", FETCH_BAR),
        (f"others' commands while {REPORTING} devices report, p99", "ms", middle("report", "busy"), "at rest", middle("report", "rest"), "times", ANSWER_BAR),
    ]


def notes(rows):
    middle = rounds.middles(rows)
    yield (f"{REPORTING} devices: {middle('report', 'told')} reports a second, {middle('report', 'cpu')} % of a processor, "
           f"{middle('report', 'memory')} MiB; others' p50 {middle('report', 'busy p50')} ms.")


def run(target, times, only=None):
    rounds.run("devices", {name: functools.partial(job, target) for name, job in JOBS.items()}, times, only)


def table(d):
    return rounds.table("devices", "Devices that play along", bars, d, notes)
