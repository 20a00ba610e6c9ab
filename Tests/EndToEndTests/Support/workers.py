"""Workers that make music over HTTP, as processes of their own, and a network before them that loses answers."""

import json
import os
import socket
import subprocess
import threading
import urllib.error
import urllib.request

from ports import free_port
from Support.answering import Handler, Server
from Support.hubs import ROOT, binaries, wait


class Service:
    """A worker at a port that stays the same when it is started again. Its files are in `root`."""

    def __init__(self, root, *extensions, token=None, more=()):
        self.root, self.port, self.token, self.process = root, free_port(), token, None
        self.url = f"http://127.0.0.1:{self.port}"
        os.makedirs(root, exist_ok=True)
        self.words = self.program() + [word for name in extensions for word in ("--extension", name)] + list(more)
        if token:
            self.words += ["--token", token]

    def program(self):
        return [f"{ROOT}/.build/venv/bin/python", "-B", f"{ROOT}/Tests/Contract/musicworker.py", "--port", str(self.port), "--root", self.root]

    def environment(self):
        return {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": self.root}

    def start(self):
        # Its errors are those of broken connections, which tests make on purpose.
        self.process = subprocess.Popen(self.words, env=self.environment(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        wait("the worker answers", self.answers)
        return self

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def ask(self, path, body=None, method=None):
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        request = urllib.request.Request(self.url + path, None if body is None else json.dumps(body).encode(), headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as refused:
            return refused.code, refused.read()

    def answers(self):
        try:
            return self.ask("/health")[0] == 200
        except OSError:
            return False

    def lines(self, name):
        try:
            with open(f"{self.root}/{name}", encoding="utf-8") as file:
                return file.read().split("\n")[:-1]
        except FileNotFoundError:
            return []

    def made(self):
        """The jobs that it was given."""
        return [line.split()[0] for line in self.lines("submitted")]

    def release(self):
        with open(f"{self.root}/release", "w", encoding="utf-8"):
            pass


class Composer(Service):
    """The composer of this package as such a service; it has all extensions."""

    def program(self):
        return [f"{binaries()}/baton-composer", "serve", "--port", str(self.port), "--folder", self.root]

    def made(self):
        return os.listdir(self.root)


class Real(Service):
    """The real worker, of which BATON_TIMBRE names a checkout, with the packages that it needs in worker/.venv. Where it keeps its files
    it says itself."""

    def program(self):
        return [f"{os.environ['BATON_TIMBRE']}/worker/.venv/bin/python", "-B", "-m", "uvicorn", "timbre_worker.app.main:app", "--ws", "none", "--port", str(self.port)]

    def environment(self):
        return super().environment() | {"PYTHONPATH": f"{os.environ['BATON_TIMBRE']}/worker/src"}

    def start(self):
        super().start()
        self.root = json.loads(self.ask("/health")[1])["artifact_root"]
        return self

    def made(self):
        return [name for name in os.listdir(self.root) if name.endswith(".wav") and "_motif" not in name]


class LosingProxy(Server):
    """Passes requests on, and loses answers to submissions after the worker has acted: the first `losses` of them. The first `unknown`
    submissions get the answer of a worker that has forgotten their session, and are not passed on."""

    def __init__(self, target, losses, unknown=0):
        self.target, self.left, self.unknown, self.lock = target, losses, unknown, threading.Lock()
        proxy = self

        class Passing(Handler):
            def do_GET(self):
                self.pass_on(None)

            def do_POST(self):
                self.pass_on(self.body())

            def pass_on(self, body):
                if self.path == "/generate" and proxy.forgets():
                    self.answer(404, b'{"detail": "Session not found"}')
                    return
                headers = {name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")}
                request = urllib.request.Request(proxy.target + self.path, body, headers, method=self.command)
                try:
                    with urllib.request.urlopen(request, timeout=60) as answer:
                        status, content = answer.status, answer.read()
                except urllib.error.HTTPError as refused:
                    status, content = refused.code, refused.read()
                if (self.path == "/generate" or self.path.endswith("/clip")) and proxy.loses():
                    self.close_connection = True
                    return
                self.answer(status, content)
        super().__init__(Passing)

    def loses(self):
        with self.lock:
            self.left -= 1
            return self.left >= 0

    def forgets(self):
        with self.lock:
            self.unknown -= 1
            return self.unknown >= 0


class SilentServer:
    """Accepts connections and never answers."""

    def __init__(self):
        self.door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        self.held = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                self.held.append(self.door.accept()[0])
            except OSError:
                return

    def close(self):
        # Without it the thread would go on to wait for connections.
        self.door.shutdown(socket.SHUT_RDWR)
        self.door.close()
        for link in self.held:
            link.close()
