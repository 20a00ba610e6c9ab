"""The servers whose music the measured hub plays, and what stands between it and them.

A Chad Music server (Tests/Contract/chadmusic.py) answers questions; its files come from nginx, so that what is measured is the hub and
not Python. A real supysonic stands beside it. `Distance` is a proxy that lets everything take so long as a network would. Each thing
here is stopped by the `with` that started it."""
import contextlib, multiprocessing, os, selectors, shutil, signal, socket, subprocess, tempfile, threading, time

import chadmusic
import runs
import supysonic
import targets as T

KEY = "bench-key"
GIGABYTE = 10**9
LOGIN = f"u={supysonic.USER}&p={supysonic.PASSWORD}&c=bench&v=1.12.0&f=json"


def big():
    """One GB of nothing in particular, which only its length says is music. Made once."""
    path = runs.MEDIA + "/giga/giga.wav"
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if not os.path.exists(path) or os.path.getsize(path) != GIGABYTE:
        block = os.urandom(1 << 20)
        with open(path + ".new", "wb") as f:
            while f.tell() < GIGABYTE:
                f.write(block[:GIGABYTE - f.tell()])
        os.rename(path + ".new", path)
    return path


NGINX = """daemon off;
master_process on;
worker_processes 1;
error_log stderr crit;
pid {folder}/{name}.pid;
events {{ worker_connections 512; }}
http {{
    access_log off;
    sendfile on;
    types {{ audio/flac flac; audio/wav wav; }}
    default_type audio/flac;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
    server {{
        listen 127.0.0.1:{port};
        {locations}
    }}
}}
"""


class Nginx:
    """One nginx with one worker."""
    def __init__(self, folder, name, locations):
        self.port = T.free_port()
        self.path = f"{folder}/{name}.conf"
        with open(self.path, "w") as f:
            f.write(NGINX.format(folder=folder, name=name, port=self.port, locations=locations))

    def __enter__(self):
        self.process = subprocess.Popen(["/usr/sbin/nginx", "-p", os.path.dirname(self.path), "-c", self.path])
        until_open(self.port)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(10)

    @property
    def pids(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as f:
            return [self.process.pid, *map(int, f.read().split())]


def until_open(port, limit=30):
    end = time.monotonic() + limit
    while True:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        if time.monotonic() > end:
            raise TimeoutError(f"nothing listens on {port}")
        time.sleep(.02)


@contextlib.contextmanager
def chad(files):
    """-> the port of a Chad Music server with an album of these files, by title."""
    here, there = multiprocessing.Pipe()

    def serve():
        tracks = [{"id": f"t-{number}", "title": title, "duration": 900, "file": path} for number, (title, path) in enumerate(files.items())]
        running = chadmusic.Running(chadmusic.Library([{"id": "bench", "title": "Bench", "artist": "Bench", "tracks": tracks}]))
        running.state.behaviour.key = KEY
        running.start()
        there.send(running.state.ports["port"])
        signal.pause()

    child = multiprocessing.get_context("fork").Process(target=serve, daemon=True)
    child.start()
    try:
        yield here.recv()
    finally:
        child.terminate()
        child.join()


@contextlib.contextmanager
def cloud(files, how=""):
    """-> the port of a Chad Music server whose files come from nginx, served as these directives say."""
    with tempfile.TemporaryDirectory(prefix="baton-bench-") as folder, chad(files) as port:
        os.chmod(folder, 0o755)
        root = f"{folder}/root/files/bench/bench"
        os.makedirs(root)
        for number, (title, path) in enumerate(files.items(), 1):
            os.symlink(path, f"{root}/{number:02} {title.lower()}{os.path.splitext(path)[1]}")
        locations = f"location /files/ {{ root {folder}/root; {how} }} location / {{ proxy_pass http://127.0.0.1:{port}; }}"
        with Nginx(folder, "cloud", locations) as nginx:
            yield nginx.port


@contextlib.contextmanager
def subsonic(albums=0):
    """-> a supysonic. Debian's is taken where the newer one is not installed. A large library is made once."""
    version = "pypi" if os.path.exists(supysonic.programs("pypi")[0]) else "debian"
    with contextlib.ExitStack() as stack:
        folder = f"{runs.MEDIA}/supysonic-{version}-{albums}" if albums else stack.enter_context(tempfile.TemporaryDirectory(prefix="baton-bench-"))
        if not os.path.exists(f"{folder}/made"):
            # What an interrupted run has left.
            shutil.rmtree(folder, ignore_errors=True)
        yield stack.enter_context(supysonic.Supysonic(folder, version, albums=albums))


class Distance:
    """A proxy that is so many ms away, there and back: half of them for each direction, and once more for the handshake."""
    def __init__(self, port, ms):
        self.target, self.half = port, ms / 2000
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.child = None

    def __enter__(self):
        self.child = multiprocessing.get_context("fork").Process(target=self.serve, daemon=True)
        self.child.start()
        self.listener.close()
        return self

    def __exit__(self, *_):
        self.child.terminate()
        self.child.join()

    def serve(self):
        while True:
            client = self.listener.accept()[0]
            threading.Thread(target=self.carry, args=(client, time.monotonic() + 2 * self.half), daemon=True).start()

    def carry(self, client, open_at):
        server = socket.create_connection(("127.0.0.1", self.target))
        for one in (client, server):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for a, b in ((client, server), (server, client)):
            threading.Thread(target=self.pipe, args=(a, b, open_at), daemon=True).start()

    def pipe(self, a, b, open_at):
        """Keeps up to 4 MB on the way, as a network does; each piece leaves when its time has come."""
        waiting, held, ready, at_end = [], 0, selectors.DefaultSelector(), False
        ready.register(a, selectors.EVENT_READ)
        with contextlib.suppress(OSError):
            while waiting or not at_end:
                now = time.monotonic()
                if waiting and waiting[0][0] <= now:
                    _, data = waiting.pop(0)
                    held -= len(data)
                    b.sendall(data)
                    continue
                pause = max(0, waiting[0][0] - now) if waiting else None
                if at_end or held > 4 << 20:
                    time.sleep(pause or 0)
                elif ready.select(pause):
                    data = a.recv(1 << 17)
                    at_end = not data
                    if data:
                        waiting.append((max(time.monotonic(), open_at) + self.half, data))
                        held += len(data)
            b.shutdown(socket.SHUT_WR)
