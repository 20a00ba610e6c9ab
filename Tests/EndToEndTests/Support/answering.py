"""HTTP servers of a few lines, as stand-ins for others'."""

import http.server
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers with a length, and says nothing on the terminal."""

    protocol_version = "HTTP/1.1"

    def body(self):
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def answer(self, status, content):
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server:
    """Answers on a port of this machine until it is closed."""

    def __init__(self, handler):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
