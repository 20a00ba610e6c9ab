"""Serves sound to the player's tests: files, a station with titles, and refusals. Prints its port and
ends with the process that started it."""
import http.server, json, os, sys, threading, time

folder = sys.argv[1]


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        with open(os.path.join(folder, "requests.log"), "a") as log:
            log.write(json.dumps({"path": self.path, "headers": {k.lower(): v for k, v in self.headers.items()}}) + "\n")
        if self.path.startswith("/icy"):
            return self.station()
        name = os.path.join(folder, os.path.basename(self.path.split("?")[0]))
        if not os.path.exists(name):
            return self.send_error(404)
        data = open(name, "rb").read()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def station(self):
        data = open(os.path.join(folder, "station.mp3"), "rb").read()
        self.send_response(200)
        for name, value in (("content-type", "audio/mpeg"), ("icy-name", "Radio Baton"), ("icy-metaint", "4096")):
            self.send_header(name, value)
        self.end_headers()
        for index in range(0, len(data) // 4096):
            title = "Anna - First" if index < 8 else "Bert - Second"
            text = ("StreamTitle='%s';" % title).encode()
            blocks = -(-len(text) // 16)
            piece = data[index * 4096:(index + 1) * 4096]
            try:
                self.wfile.write(piece + bytes([blocks]) + text.ljust(blocks * 16, b"\0"))
            except OSError:
                return  # Who listened has heard enough.
            time.sleep(0.05)

    def log_message(self, *_):
        pass


def last_as_long(parent):
    """Asked again and again: the kernel's word of a parent's death is about one thread of it."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=last_as_long, args=(os.getppid(),), daemon=True).start()
print(server.server_port, flush=True)
server.serve_forever()
