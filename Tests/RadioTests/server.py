"""Serves stations to the tests of Radio, good ones and bad ones. Prints its port and ends with the process that started it.

The sound of a station is a count: byte n is n * 31 >> 3, so a test sees which bytes it got. `/seen` tells what was asked for."""
import json, os, socketserver, threading, time

seen = []
lock = threading.Lock()
PIECE = 1000
INTERVAL = 700


def sound(start, count):
    return bytes(((n * 31) >> 3) & 255 for n in range(start, start + count))


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        try:
            self.serve()
        except OSError:
            pass  # The client left.

    def serve(self):
        request = self.rfile.readline().decode("latin-1").split()
        if len(request) < 2:
            return
        headers = {}
        while line := self.rfile.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        path = request[1]
        if path == "/seen":
            return self.answer(json.dumps(seen).encode(), "application/json")
        with lock:
            seen.append({"path": path, "metadata": headers.get("icy-metadata")})
            times = sum(entry["path"] == path for entry in seen)
        getattr(self, "at_" + path.strip("/").split("/")[0].split(".")[0], self.at_nothing)(path, times)

    def head(self, status, *lines):
        self.wfile.write("\r\n".join([status, "Connection: close", *lines, "", ""]).encode())

    def answer(self, body, kind="text/plain"):
        self.head("HTTP/1.1 200 OK", f"Content-Type: {kind}", f"Content-Length: {len(body)}")
        self.wfile.write(body)

    def at_nothing(self, path, times):
        self.head("HTTP/1.1 404 Not Found", "Content-Length: 0")

    def metadata(self, text):
        blocks = -(-len(text) // 16)
        return bytes([blocks]) + text.ljust(blocks * 16, b"\0")

    def station(self, start=0, pieces=10**6, pause=0.005):
        titles = ["Anna - First", "Anna - First", "It's Low", "Mot\xf6rhead"]
        for number in range(pieces):
            title = titles[min(number // 3, 3)].encode("latin-1")
            text = b"" if number % 3 else b"StreamTitle='" + title + b"';StreamUrl='';"
            self.wfile.write(sound(start + number * INTERVAL, INTERVAL) + self.metadata(text))
            time.sleep(pause)

    def at_icy(self, path, times):
        self.head("ICY 200 OK", "icy-name: Harbour/FM", f"icy-metaint: {INTERVAL}", "Content-Type: audio/mpeg")
        self.station()

    def at_moved(self, path, times):
        self.head("HTTP/1.1 302 Found", f"Location: http://127.0.0.1:{self.server.server_address[1]}/icy", "Content-Length: 0")

    def at_breaks(self, path, times):
        """Each connection brings a little more than the last one did."""
        self.head("HTTP/1.0 200 OK", f"icy-metaint: {INTERVAL}", "Content-Type: audio/mpeg")
        self.station(start=(times - 1) * 60 * INTERVAL, pieces=60, pause=0)

    def at_list(self, path, times):
        here = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.answer(f"[playlist]\nFile1={here}/gone\nFile2={here}/icy\n".encode(), "audio/x-scpls")

    def at_round(self, path, times):
        self.answer(f"#EXTM3U\nhttp://127.0.0.1:{self.server.server_address[1]}/round.m3u\n".encode(), "audio/x-mpegurl")

    def at_inside(self, path, times):
        self.answer(f"#EXTM3U\nhttp://localhost:{self.server.server_address[1]}/icy\n".encode(), "audio/x-mpegurl")

    def at_endless(self, path, times):
        self.head("HTTP/1.1 200 OK", "Content-Type: audio/x-mpegurl")
        self.wfile.write(b"#EXTM3U\n")
        while True:
            self.wfile.write(b"http://127.0.0.1/x\n" * 1000)

    def at_page(self, path, times):
        self.answer(b"<!doctype html><p>Our station", "text/html; charset=utf-8")

    def at_file(self, path, times):
        self.answer(sound(0, 5000), "audio/mpeg")

    def at_frames(self, path, times):
        """Frames of MPEG audio from the middle of one on, in pieces that are shorter than a frame."""
        self.head("HTTP/1.0 200 OK", "icy-metaint: 300", "Content-Type: audio/mpeg")
        frame = bytes([0xFF, 0xFB, 0x90, 0x40]) + b"\7" * 413
        # Less than a ring holds, so that a listener who is late hears all of it.
        stream = frame[-100:] + frame * 500
        for at in range(0, len(stream) - 300, 300):
            self.wfile.write(stream[at:at + 300] + (self.metadata(b"StreamTitle='Anna - First';") if at == 0 else b"\0"))
            time.sleep(0.002)
        time.sleep(60)

    def at_noise(self, path, times):
        """Metadata of the greatest length behind each byte."""
        self.head("HTTP/1.0 200 OK", "icy-metaint: 1", "Content-Type: audio/mpeg")
        text = b"StreamTitle='" + bytes(range(1, 32)) * 130 + b"';"
        for number in range(10**6):
            self.wfile.write(sound(number, 1) + self.metadata(text[:4080]))

    def at_whole(self, path, times):
        """A finished list of five pieces."""
        if path == "/whole.m3u8":
            lines = "".join(f"#EXTINF:1.5,\n/whole/{number}.aac\n" for number in range(5))
            return self.answer(f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n{lines}#EXT-X-ENDLIST\n".encode(), "application/vnd.apple.mpegurl")
        self.answer(b"ID3\4\0\0\0\0\0\2xx" + sound(int(path.split("/")[-1][:-4]) * PIECE, PIECE), "audio/aac")

    def at_live(self, path, times):
        """A list of HLS whose pieces of 1,000 bytes move on with each look; a master list stands before it."""
        if path == "/live.m3u8":
            return self.answer(b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\n/live/low.m3u8\n", "application/vnd.apple.mpegurl")
        if path == "/live/low.m3u8":
            lines = "".join(f"#EXTINF:1.0,\n{number}.aac\n" for number in range(times, times + 4))
            text = f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:{times}\n{lines}"
            return self.answer(text.encode(), "application/vnd.apple.mpegurl")
        self.answer(b"ID3\4\0\0\0\0\0\2xx" + sound(int(path.split("/")[-1][:-4]) * PIECE, PIECE), "audio/aac")


def last_as_long(parent):
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 64


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=last_as_long, args=(os.getppid(),), daemon=True).start()
print(server.server_address[1], flush=True)
server.serve_forever()
