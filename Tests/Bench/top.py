"""What `baton top` costs on a terminal: the time from a key to a changed screen, the processor while music plays, and what is written then.

The terminal is a pseudo terminal that is read at once, so the figures are those of the program alone. A key changes the screen when bytes
come that were not on their way before: each is pressed on a screen that has been at rest."""
import fcntl, json, os, pty, select, signal, statistics, struct, subprocess, tempfile, termios, time, wave

import targets as T

SIZES = ((80, 24), (120, 40), (300, 80))
KEYS, SECONDS = 60, 20
# A key to a changed screen at its median; a core's share while playing.
BAR_MS, BAR_PERCENT = 30, 1.0


class Terminal:
    def __init__(self, environment, columns, rows):
        self.child, self.fd = pty.fork()
        if self.child == 0:
            os.execve(os.path.join(T.BATON_BIN, "baton"), ["baton", "top"], {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"})
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.count = 0

    def read(self, wait):
        """What comes within so many seconds, and when the first of it came."""
        if not select.select([self.fd], [], [], wait)[0]:
            return b"", None
        at = time.perf_counter()
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            # The other end is closed.
            return b"", None
        self.count += len(data)
        return data, at

    def rest(self, quiet=0.25):
        while self.read(quiet)[0]:
            pass

    def key_ms(self, key):
        self.rest()
        begun = time.perf_counter()
        os.write(self.fd, key)
        data, at = self.read(5)
        if not data:
            raise RuntimeError(f"the key {key!r} changed nothing")
        return (at - begun) * 1000

    def cpu_s(self):
        with open(f"/proc/{self.child}/stat") as f:
            fields = f.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self):
        os.write(self.fd, b"q")
        self.rest()
        os.waitpid(self.child, 0)
        os.close(self.fd)


def music(folder):
    """Silence of ten minutes in several files, which costs little to play."""
    for number in range(40):
        with wave.open(os.path.join(folder, f"{number:02}.wav"), "wb") as file:
            file.setnchannels(1), file.setsampwidth(1), file.setframerate(8000)
            file.writeframes(b"\x80" * 8000 * 600)


def measure(keys=KEYS, seconds=SECONDS):
    rows = []
    with tempfile.TemporaryDirectory(prefix="baton-top-", dir="/tmp") as home:
        os.mkdir(f"{home}/music"), os.mkdir(f"{home}/run", 0o700)
        music(f"{home}/music")
        environment = {**T.PLAIN_ENVIRONMENT, "HOME": home, "XDG_RUNTIME_DIR": f"{home}/run", "XDG_STATE_HOME": f"{home}/state", "XDG_CONFIG_HOME": f"{home}/config"}
        hub = subprocess.Popen([os.path.join(T.BATON_BIN, "batond"), "--no-discovery", "--no-demo", "--listen", "127.0.0.1:0", "--audio", "null", "--music", f"{home}/music"],
                               env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            def baton(*words):
                return subprocess.run([os.path.join(T.BATON_BIN, "baton"), *words], env=environment, capture_output=True, text=True, timeout=60, check=False)
            deadline = time.monotonic() + 30
            while baton("status").returncode and time.monotonic() < deadline:
                time.sleep(0.1)
            baton("play", *(f"{home}/music/{number:02}.wav" for number in range(40)))
            for columns, lines in SIZES:
                rows.append(one(environment, baton, columns, lines, keys, seconds))
                print(json.dumps(rows[-1]), flush=True)
        finally:
            hub.send_signal(signal.SIGTERM)
            hub.wait(20)
    return rows


def one(environment, baton, columns, lines, keys, seconds):
    baton("pause")
    terminal = Terminal(environment, columns, lines)
    terminal.rest(1)
    times = {}
    # The list goes down and up, another part is shown, and the volume, which the hub is asked for as well.
    for name, pair in (("row", (b"j", b"k")), ("part", (b"4", b"2")), ("volume", (b"+", b"-"))):
        os.write(terminal.fd, b"2")
        times[name] = [terminal.key_ms(pair[at % 2]) for at in range(keys)]
    os.write(terminal.fd, b"1")
    baton("play")
    terminal.rest(0.5)
    cpu, count, begun = terminal.cpu_s(), terminal.count, time.monotonic()
    while time.monotonic() - begun < seconds:
        terminal.read(0.1)
    took = time.monotonic() - begun
    row = {"size": f"{columns}x{lines}", "cpu_percent": (terminal.cpu_s() - cpu) / took * 100, "bytes_per_s": (terminal.count - count) / took,
           **{f"{name}_ms": statistics.median(values) for name, values in times.items()}}
    terminal.close()
    return row


def table(rows):
    print("\n| screen | a row down | another part | volume | processor while playing | bytes a second |\n|---|---|---|---|---|---|")
    for row in rows:
        print(f"| {row['size']} | {row['row_ms']:.1f} ms | {row['part_ms']:.1f} ms | {row['volume_ms']:.1f} ms | {row['cpu_percent']:.2f} % | {row['bytes_per_s']:.0f} |")
    good = all(max(row["row_ms"], row["part_ms"], row["volume_ms"]) <= BAR_MS and row["cpu_percent"] <= BAR_PERCENT for row in rows)
    print(f"\nBars: a key {BAR_MS} ms at the median, {BAR_PERCENT:g} % of a core: {'held' if good else 'NOT HELD'}")
    return good
