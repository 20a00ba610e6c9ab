"""Serves the tests of HTTPClient: good answers and bad ones, on two addresses of this machine and once with TLS.

Prints its ports as one line of JSON and ends with the process that started it. `/seen` tells what came so far."""
import gzip, hashlib, http.server, json, os, socket, socketserver, ssl, subprocess, sys, threading, time

folder = sys.argv[1]
lock = threading.Lock()
seen = {"connections": 0, "requests": [], "sent": 0}
content = bytes(i * 7 % 251 for i in range(300_000))
large = bytes(range(251)) * 16_000


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        with lock:
            seen["connections"] += 1
        super().setup()

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass  # The client left, as some tests have it do.

    def handle_expect_100(self):
        if self.path.startswith("/refuses"):
            self.close_connection = True
            self.send(b"too long", 413)
            return False
        return super().handle_expect_100()

    def pieces(self):
        """The body of the request, with a length or in chunks."""
        if self.headers.get("transfer-encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                yield self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return
        left = int(self.headers.get("content-length") or 0)
        while left:
            piece = self.rfile.read(min(left, 65536))
            left -= len(piece)
            yield piece

    def answer(self):
        if self.path.startswith("/cuts"):
            next(self.pieces())
            self.close_connection = True
            return self.connection.shutdown(socket.SHUT_RDWR)
        if self.path.startswith("/stops"):
            self.close_connection = True
            next(self.pieces())
            return self.send(b"no room", 507)
        body = b"".join(self.pieces())
        if self.path == "/takes":
            body = hashlib.sha256(body).hexdigest().encode()
        path, _, query = self.path.partition("?")
        if path == "/seen":
            with lock:
                return self.send(json.dumps(seen).encode())
        with lock:
            headers = [[name, value] for name, value in self.headers.items()]
            seen["requests"].append({"method": self.command, "path": self.path, "headers": headers, "body": body.decode("latin-1")})
        name = "at_" + path.strip("/").split("/")[0]
        return getattr(self, name, self.at_nothing)(path, query)

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def send(self, body, status=200, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        # The body comes with the head, in one piece: some tests ask what a client does with what has come already.
        self._headers_buffer += [b"\r\n"] + ([body] if self.command != "HEAD" else [])
        self.flush_headers()

    def head(self, status, *headers):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()

    def at_nothing(self, path, query):
        self.send(b"nothing here", 404)

    def at_hello(self, path, query):
        self.send(b"hello", headers=[("X-Two", "a"), ("X-Two", "b")])

    def at_takes(self, path, query):
        self.send(seen["requests"][-1]["body"].encode())

    # ---- Redirects

    def at_to(self, path, query):
        status = int(path.split("/")[2])
        self.send(b"elsewhere", status, [("location", query)])

    def at_hops(self, path, query):
        left = int(path.split("/")[2])
        self.send(b"", 302, [("location", "/hops/%d" % (left - 1))]) if left else self.send(b"arrived")

    def at_loop(self, path, query):
        self.send(b"", 301, [("location", "/loop")])

    def at_nowhere(self, path, query):
        self.send(b"", 302, [("location", "file:///etc/passwd")])

    def at_endlessly(self, path, query):
        self.head(302, ("location", "/hello"), ("transfer-encoding", "chunked"))
        self.pour(1 << 40)

    # ---- Sizes

    def pour(self, size):
        piece = b"x" * 65536
        while size > 0:
            self.wfile.write(b"10000\r\n" + piece + b"\r\n")
            size -= len(piece)
            with lock:
                seen["sent"] += len(piece)
        self.wfile.write(b"0\r\n\r\n")

    def at_endless(self, path, query):
        self.head(200, ("transfer-encoding", "chunked"))
        self.pour(1 << 40)

    def at_promises(self, path, query):
        self.head(200, ("content-length", str(1 << 40)))
        self.wfile.write(b"x")
        self.close_connection = True

    def at_bighead(self, path, query):
        self.send_response(200)
        for index in range(2000):
            self.send_header("X-%d" % index, "y" * 60)
        self.end_headers()

    def at_bomb(self, path, query):
        self.send(gzip.compress(bytes(20_000_000)), headers=[("content-encoding", "gzip")])

    # ---- Time

    def at_hang(self, path, query):
        self.wait()

    def at_stalls(self, path, query):
        self.head(200, ("content-length", "100"))
        self.wfile.write(b"beginning")
        self.wait()

    def at_drips(self, path, query):
        self.head(200, ("transfer-encoding", "chunked"))
        while True:
            self.wfile.write(b"1\r\nx\r\n")
            time.sleep(0.02)

    def wait(self):
        """Until the client leaves."""
        self.connection.recv(1)
        self.close_connection = True

    def at_breaks(self, path, query):
        self.head(200, ("content-length", "100"))
        self.wfile.write(b"half")
        self.close_connection = True

    # ---- Files

    def at_large(self, path, query):
        """More than is held anywhere on its way."""
        if query == "chunked":
            self.head(200, ("transfer-encoding", "chunked"))
            return self.pour(len(large))
        self.send(large)

    def at_file(self, path, query):
        tag = '"one"'
        wanted = self.headers.get("range")
        if query == "plain" or not wanted:
            return self.send(content, headers=[("etag", tag)])
        if self.headers.get("if-range") not in (None, tag):
            return self.send(content, headers=[("etag", tag)])
        start, end = wanted.removeprefix("bytes=").split("-")
        start, end = int(start), min(int(end or len(content) - 1), len(content) - 1)
        if start >= len(content):
            return self.send(b"", 416, [("content-range", "bytes */%d" % len(content))])
        self.send(content[start:end + 1], 206, [("content-range", "bytes %d-%d/%d" % (start, end, len(content))), ("etag", tag)])

    def at_dated(self, path, query):
        """A file that has no tag, and with `changes` is another one at each look."""
        type(self).looks = getattr(type(self), "looks", 0) + (query == "changes")
        told = {"now": "Mon, 23 Nov 2026 08:00:30 GMT"}.get(query, "Sun, 06 Nov 1994 08:49:%02d GMT" % (self.looks % 60))
        start = int(self.headers.get("range", "bytes=0-").removeprefix("bytes=").split("-")[0])
        status, body = (206, content[start:]) if self.headers.get("if-range") in (None, told) else (200, content)
        # The usual answer has the date of this machine.
        self.send_response_only(status)
        about = [("date", "Mon, 23 Nov 2026 08:00:31 GMT"), ("last-modified", told), ("content-length", str(len(body)))]
        if status == 206:
            about.append(("content-range", "bytes %d-%d/%d" % (start, len(content) - 1, len(content))))
        for name, value in about:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Proxy(Handler):
    """Answers whatever it is asked for."""

    def answer(self):
        self.send(("by way of the proxy: " + self.path).encode())

    do_GET = answer


class Server(http.server.ThreadingHTTPServer):
    def server_bind(self):
        """Without a question for the name of the address: no name server knows 127.0.0.2, and some take long to say so."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]


def serve(host, handler=Handler, context=None):
    server = Server((host, 0), handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port


AUTHORITY = """[ca]
default_ca = only
[only]
database = {0}/index
new_certs_dir = {0}
default_md = sha256
rand_serial = yes
copy_extensions = copy
policy = any
[any]
commonName = supplied
"""


def certificate(name, start, end):
    """One for localhost that signs itself. `faketime` is no way to an old one: its semaphore is named by a process
    number, which two processes can have that are in different namespaces."""
    key, request, signed, settings = (f"{folder}/{name}{ending}" for ending in ("-key.pem", ".csr", ".pem", ".conf"))
    with open(settings, "w") as file:
        file.write(AUTHORITY.format(folder))
    open(f"{folder}/index", "w").close()
    asked = ["openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost",
             "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", request]
    answered = ["openssl", "ca", "-batch", "-selfsign", "-notext", "-config", settings, "-keyfile", key, "-in", request, "-out", signed,
                "-startdate", time.strftime("%Y%m%d%H%M%SZ", time.gmtime(start)), "-enddate", time.strftime("%Y%m%d%H%M%SZ", time.gmtime(end))]
    for words in (asked, answered):
        subprocess.run(words, check=True, stderr=sys.stderr)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(signed, key)
    return context


parent = os.getppid()
now, DAY = time.time(), 86400
print(json.dumps({
    "first": serve("127.0.0.1"), "second": serve("127.0.0.2"), "tls": serve("127.0.0.1", context=certificate("cert", now - 60, now + 2 * DAY)),
    "expired": serve("127.0.0.1", context=certificate("expired", now - 9 * DAY, now - 7 * DAY)),
    "proxy": serve("127.0.0.1", Proxy)}), flush=True)
while os.getppid() == parent:
    time.sleep(0.5)
