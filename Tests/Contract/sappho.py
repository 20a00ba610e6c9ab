#!/usr/bin/python3
"""A Sappho server for tests, written from what the real one was seen to do, which cannot run where these tests do.

It misbehaves as the real one does: ranges that it does not clamp, books of several files of which it sends the first, a finished
book that stays finished. As a program it serves a made-up shelf at a free port of 127.0.0.1 and prints `{"port": N}`; it ends with
the process that started it. `/control?name=value` changes how it behaves (`Behaviour`), `/seen` tells which requests came.
"""
import argparse
import http.server
import json
import os
import re
import signal
import socket
import struct
import sys
import threading
import time
import urllib.parse
from email.utils import formatdate

sys.dont_write_bytecode = True
import sappho_lists, sappho_routes  # noqa: E402, F401
from contractserver import ContractServer  # noqa: E402
from sappho_books import Refused, Shelf, small  # noqa: E402
from sappho_socket import Sockets  # noqa: E402
from sappho_table import ROUTES, SENT, Call  # noqa: E402
from sappho_users import ANNA, Users  # noqa: E402


class Behaviour:
    """How requests are answered; text, as `/control` gets it."""

    def __init__(self):
        self.ahead = "0"  # seconds by which the server's clock is ahead
        self.refresh = "0"  # 1: as newer servers, which exchange refresh tokens
        self.series = "1"  # 0: an SQLite that is too old for the list of series
        self.mixed = "0"  # 1: numbers as text and flags as true and false, as other versions send them
        self.recaps = "1"  # 0: no AI is configured
        self.fault = ""  # what happens to the requests below
        self.at = "/"  # the beginning of the paths that have the fault
        self.delay = "0"


class State:
    def __init__(self, books=None):
        self.behaviour, self.seen, self.lock, self.sockets = Behaviour(), [], threading.RLock(), Sockets()
        self.port = 0
        self.users = Users(self.now)
        self.shelf = Shelf(books or small(), self.now)
        self.shelf.said = self.sockets.say

    def now(self):
        return time.time() + float(self.behaviour.ahead)

    def library_says(self, kind, number):
        """`library.add`, `library.update`, `library.restored` or `library.unavailable` of a book; `None` for many."""
        one = number and self.shelf.books[number]
        shown = one and {name: one[name] for name in ("id", "title", "author", "series", "cover_image")}
        self.sockets.say({"type": kind, "timestamp": self.shelf.stamp(), "audiobook": shown})


# ---- Requests

class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def date_time_string(self, timestamp=None):
        return formatdate(self.state.now(), usegmt=True)

    @property
    def state(self):
        return self.server.state

    def answer(self):
        url = urllib.parse.urlsplit(self.path)
        query = {name: values[0] for name, values in urllib.parse.parse_qs(url.query, keep_blank_values=True).items()}
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        if url.path == "/control":
            vars(self.state.behaviour).update(query)
            return self.send({})
        if url.path == "/seen":
            return self.send(self.state.seen)
        if url.path == "/ws/notifications":
            return self.state.sockets.take(self, self.refusal(query.get("token")))
        try:
            body = json.loads(content) if content else {}
        except ValueError:
            return self.send({"error": "Invalid JSON"}, 400)
        self.state.seen.append({"method": self.command, "path": url.path, "query": query, "body": body, "range": self.headers.get("range", "")})
        time.sleep(float(self.state.behaviour.delay))
        if self.state.behaviour.fault and url.path.startswith(self.state.behaviour.at):
            return getattr(self, "fault_" + self.state.behaviour.fault.rstrip("0123456789"))(url.path, query, body)
        return self.route(url.path, query, body)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = answer

    def refusal(self, token):
        try:
            self.state.users.of(token)
        except Refused as refused:
            return str(refused)
        return None

    def route(self, path, query, body):
        method = "GET" if self.command == "HEAD" else self.command
        for wanted, pattern, needs, function in ROUTES:
            if wanted == method and (found := pattern.match(path)):
                words = [int(word) if word.isdigit() and kind == r"\d+" else urllib.parse.unquote(word)
                         for word, kind in zip(found.groups(), re.findall(r"\((.*?)\)", pattern.pattern))]
                return self.run(Call(self.state, self, query, body), needs, function, words)
        return self.nothing_here(method)

    def run(self, call, needs, function, words):
        try:
            if needs != "nothing":
                self.let_in(call, needs)
            with self.state.lock:
                answer = function(call, *words)
        except Refused as refused:
            return self.send(refused.body, refused.status)
        except BrokenPipeError:
            return None
        status, value = answer if isinstance(answer, tuple) else (200, answer)
        if value is not SENT:
            self.send(self.mixed(value) if self.state.behaviour.mixed == "1" else value, status)

    def let_in(self, call, needs):
        words = self.headers.get("authorization", "").split()
        call.token = words[1] if words[:1] == ["Bearer"] and len(words) == 2 else ""
        if not call.token and needs == "media":
            call.token = call.query.get("token", "")
        call.user = call.users.of(call.token)
        if call.user["must_change"] and needs != "password":
            raise Refused(403, "Password change required", must_change_password=True)

    def mixed(self, value):
        """Flags and numbers as other versions of the server write them."""
        if isinstance(value, list):
            return [self.mixed(one) for one in value]
        if not isinstance(value, dict):
            return value
        other = {"completed": bool, "is_multi_file": bool, "is_favorite": int, "user_rating": lambda number: number and str(number), "series_position": lambda number: number and str(number)}
        return {name: other[name](one) if name in other and not isinstance(one, dict) else self.mixed(one) for name, one in value.items()}

    def nothing_here(self, method):
        """What Express says of paths that it does not know."""
        if method == "GET":
            return self.send({"error": "Not found"}, 404)
        page = f"<!DOCTYPE html>\n<pre>Cannot {method} {urllib.parse.quote(self.path)}</pre>"
        return self.send_bytes(page.encode(), "text/html; charset=utf-8", 404)

    def send(self, value, status=200):
        self.send_bytes(json.dumps(value).encode(), "application/json; charset=utf-8", status)

    def send_bytes(self, body, kind, status=200, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status != 304:
            self.wfile.write(body)

    # ---- Faults

    def fault_status(self, *_):
        self.send({"error": "Not now\nfor " + self.headers.get("authorization", "")}, int(self.state.behaviour.fault[6:]))

    def fault_page(self, *_):
        self.send_bytes(b"<!DOCTYPE html><title>Sappho</title>", "text/html")

    def fault_odd(self, *_):
        self.send([{"id": "no", "title": 7, "progress": "x", "duration": -1}, None, 3])

    def fault_lost(self, path, query, body):
        """Acts, and is gone before it answers."""
        self.send = lambda *_: None
        self.route(path, query, body)
        self.close_connection = True

    def fault_hangs(self, *_):
        time.sleep(3600)


class Running:
    """The server in this process, for suites: `with Running() as server`."""

    def __init__(self, books=None):
        self.state, self.server = State(books), None

    def start(self, port=0):
        self.server = ContractServer(self.state, Handler, port or self.state.port)
        self.state.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def stop(self):
        """At once, in the midst of whatever it sends."""
        self.server.shutdown()
        self.server.server_close()
        for connection in list(self.server.connections):
            try:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    @property
    def url(self):
        return f"http://127.0.0.1:{self.state.port}"

    def key(self, name=ANNA[0]):
        """A new API key that does not end."""
        return self.state.users.new_key(self.state.users.rows[name], {"expires_in_days": None})["key"]

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    running = Running().start(parser.parse_args().port)
    print(json.dumps({"port": running.state.port, "key": running.key()}), flush=True)
    parent = os.getppid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    while os.getppid() == parent:
        running.state.sockets.ping()
        for _ in range(150):
            time.sleep(0.2)
            if os.getppid() != parent:
                break


if __name__ == "__main__":
    main()
