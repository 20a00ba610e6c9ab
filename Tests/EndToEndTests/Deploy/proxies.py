# deploy/test: tier 2, first BehindNginx.test_pages BehindNginx.test_websocket.
# deploy/test: judges Sources/Platform/SocketServer/WebServer Sources/Dialects/Companion/HTTP deploy/proxy.
# deploy/test: waits, mostly for hubs and nginx to start.
"""The hub behind nginx, with the configuration that deploy/proxy has as its sample."""

import json
import os
import re
import socket
import ssl
import subprocess
import sys
import urllib.parse

from ports import free_port
from runner.websocket import encode, request
from Support.fixtures import lavfi
from Support.hubs import ROOT, HubCase, binaries, main, wait
from Support.rawpeer import HELLO
from Support.unprivileged import RemoteAdmin, bearer

NGINX = "/usr/sbin/nginx"
NAME = "music.example.org"
AROUND = """
{user} daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fast;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  {sample}
  # A proxy as it is without any care.
  server {{ listen 127.0.0.1:{bare}; location / {{ proxy_pass http://127.0.0.1:{hub}; }} }}
}}
"""


class Answer:
    def __init__(self, text):
        head, _, self.body = text.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1])
        self.headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}


class BehindNginx(HubCase):
    flags = ("--audio", "null", "--tls", "127.0.0.1:0", "--trusted-proxies", "127.0.0.1", "--limit-wrong-keys", "5")

    @classmethod
    def setUpClass(cls):
        cls.port, cls.bare = free_port(), free_port()
        cls.flags = (*cls.flags, "--allow-origin", f"https://{NAME}:{cls.port}")
        super().setUpClass()
        cls.home.environment["BATON_HUB"] = cls.home.socket
        cls.begin_nginx()
        cls.admin = RemoteAdmin(cls.hub)
        cls.addClassCleanup(cls.admin.close)
        wait("the song", lambda: json.loads(cls.home.baton("search", "song", "--json"))["rows"])

    @classmethod
    def prepare(cls):
        lavfi(f"{cls.home.music}/song.flac", "sine=frequency=441:duration=20", "-metadata", "title=Song")

    @classmethod
    def begin_nginx(cls):
        folder = f"{cls.home.folder}/nginx"
        os.mkdir(folder)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={NAME}", "-days", "2",
             "-keyout", f"{folder}/key", "-out", f"{folder}/certificate"], check=True, capture_output=True)
        with open(f"{ROOT}/deploy/proxy/nginx.conf", encoding="utf-8") as file:
            sample = file.read()
        for before, after in (
                ("127.0.0.1:9442", f"127.0.0.1:{cls.hub.port}"), ("listen 443 ssl", f"listen 127.0.0.1:{cls.port} ssl"),
                ("    listen [::]:443 ssl;\n", ""), (f"/etc/ssl/certs/{NAME}.pem", f"{folder}/certificate"),
                (f"/etc/ssl/private/{NAME}.key", f"{folder}/key")):
            assert before in sample, f"the sample does not have {before}"
            sample = sample.replace(before, after)
        with open(f"{folder}/conf", "w", encoding="utf-8") as file:
            file.write(AROUND.format(
                folder=folder, sample=sample, bare=cls.bare, hub=cls.hub.port, user="" if os.geteuid() else "user root;"))
        process = cls.home.start(NGINX, "-c", f"{folder}/conf", "-p", folder, "-e", f"{folder}/errors", stderr=subprocess.DEVNULL)
        cls.addClassCleanup(process.wait)
        cls.addClassCleanup(process.terminate)
        wait("nginx", lambda: os.path.exists(f"{folder}/pid") and os.path.getsize(f"{folder}/pid"))

    # Asking

    def link(self, secure=True):
        link = socket.create_connection(("127.0.0.1", self.port if secure else self.bare), 20)
        self.addCleanup(link.close)
        if not secure:
            return link
        trusting = ssl.create_default_context()
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        link = trusting.wrap_socket(link, server_hostname=NAME)
        self.addCleanup(link.close)
        return link

    def ask(self, line, *headers, body=b"", secure=True, host=None):
        link = self.link(secure)
        lines = [f"{line} HTTP/1.1", f"Host: {host or f'{NAME}:{self.port}'}", "Connection: close", *headers]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        link.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        parts = []
        while part := link.recv(65_536):
            parts.append(part)
        return Answer(b"".join(parts))

    @property
    def key(self):
        with open(next(self.files()), encoding="utf-8") as file:
            kept = json.load(file)["hubs"][0]
        return f"Authorization: Bearer {bearer(kept['dev'], kept['key'])}"

    def files(self):
        for folder, _, names in os.walk(self.admin.home.folder):
            if "hubs" in names:
                yield f"{folder}/hubs"

    def command(self, method, **params):
        body = json.dumps({"t": "cmd", "id": 1, "m": method, "k": os.urandom(8).hex(), "p": params}).encode()
        return self.ask("POST /baton/cmd", self.key, body=body)

    # What holds

    def test_who(self):
        """Who comes through the proxy has to show who it is, also from this machine; a paired device is what it is elsewhere."""
        self.assertEqual(self.ask("GET /healthz").status, 200)
        self.assertEqual(self.ask("GET /baton/state").status, 401)
        self.assertIn(b"Pair", self.ask("GET /").body)
        self.assertEqual(self.ask("GET /baton/state", self.key).status, 200)
        self.assertEqual(self.command("vol.set", level=12).status, 200)
        self.assertEqual(self.home.status()["vol"]["level"], 12)
        cookie = self.ask("GET /", "Cookie: __Host-baton=wrong").headers.get("set-cookie", "")
        self.assertNotIn("__Host-baton=w", cookie)

    def test_bare_proxy(self):
        """A proxy that adds no headers gives no request the rights of a program of this machine."""
        for host in (f"127.0.0.1:{self.hub.port}", "localhost", NAME):
            self.assertEqual(self.ask("GET /baton/state", secure=False, host=host).status, 403, host)
        self.assertEqual(self.home.status()["hub"]["name"], "Test hub")

    def test_forged(self):
        """What a client claims about itself changes nothing, and a claim that makes no sense gets a sentence."""
        for forged in ("X-Forwarded-For: 127.0.0.1", "X-Real-IP: 127.0.0.1", "Forwarded: for=127.0.0.1;proto=https"):
            self.assertEqual(self.ask("GET /baton/state", forged).status, 401, forged)
        # Its own address is one of a proxy here, so the claim before it is looked at.
        odd = self.ask("GET /baton/state", "X-Forwarded-For: nowhere")
        self.assertEqual((odd.status, b"nowhere" in odd.body), (400, True), odd.body)

    def test_pages(self):
        """A page of the proxy's name may steer the hub, one of another name may not, and a foreign name is not the hub's."""
        ours, foreign = f"Origin: https://{NAME}:{self.port}", "Origin: https://evil.example"
        self.assertEqual(self.ask("GET /baton/state", self.key, ours).status, 200)
        self.assertEqual(self.ask("GET /baton/state", self.key, foreign).status, 403)
        self.assertEqual(self.ask("GET /baton/state", self.key, host="evil.example").status, 403)

    def test_websocket(self):
        """A WebSocket goes through the proxy in both directions, for a browser that was let in."""
        link = self.link()
        link.sendall(request(f"{NAME}:{self.port}", [("Origin", f"https://{NAME}:{self.port}"), ("Cookie", self.cookie())]))
        heard = self.heard(link, b"", b"\r\n\r\n")
        self.assertIn(b" 101 ", heard.split(b"\r\n")[0])
        link.sendall(encode(HELLO))
        heard = self.heard(link, heard, b'"t":"welcome"')
        self.assertIn(b'"role":"remote"', heard)
        link.sendall(encode(b'{"t":"cmd","id":7,"m":"vol.set","k":"by-the-proxy","p":{"level":17}}'))
        self.heard(link, heard, b'"id":7')
        self.home.reaches("the level", lambda status: status["vol"]["level"] == 17)

    def cookie(self):
        """That of a browser in which a person typed the code."""
        said = self.home.baton("raw", json.dumps({"t": "cmd", "id": 1, "m": "pair.open", "k": os.urandom(6).hex(), "p": {"role": "admin"}}))
        pin = next(message["d"]["pin"] for message in map(json.loads, said.splitlines()) if message["t"] == "res")
        form = urllib.parse.urlencode({"pin": pin, "name": "Hall tablet"}).encode()
        ask = lambda: self.ask("POST /session", f"Origin: https://{NAME}:{self.port}", body=form)
        # One code a second can be tried, and the admin of this suite has just tried its own.
        answer = wait("its turn", lambda: next((answer for answer in [ask()] if answer.status != 429), None))
        self.assertEqual(answer.status, 303, answer.body)
        return answer.headers["set-cookie"].partition(";")[0]

    @staticmethod
    def heard(link, before, mark):
        link.settimeout(60)
        while mark not in before:
            part = link.recv(65_536)
            if not part:
                raise AssertionError(f"the connection ended before {mark}: {before[-300:]}")
            before += part
        return before

    def test_media(self):
        """A track goes through the proxy whole and in parts."""
        row = json.loads(self.home.baton("search", "song", "--json"))["rows"][0]
        url = json.loads(self.command("lib.item", uri=row["uri"], media=True).body)["d"]["media"]["url"]
        path = re.sub(r"^https?://[^/]+", "", url)
        with open(f"{self.home.music}/song.flac", "rb") as file:
            stored = file.read()
        whole = self.ask(f"GET {path}", self.key)
        self.assertEqual((whole.status, whole.headers["accept-ranges"], whole.body == stored), (200, "bytes", True))
        for asked, expected in (("0-9", stored[:10]), ("-7", stored[-7:]), (f"{len(stored) - 3}-", stored[-3:]), ("1000-1999", stored[1000:2000])):
            part = self.ask(f"GET {path}", self.key, f"Range: bytes={asked}")
            self.assertEqual((part.status, part.body), (206, expected), asked)
        self.assertEqual(self.ask(f"GET {path}", self.key, f"Range: bytes={len(stored)}-").status, 416)

    def test_limits_are_of_the_client(self):
        """Wrong keys of one client do not shut out another that comes through the same proxy."""
        hub = ("127.0.0.1", self.hub.port)

        def state(client, key):
            with socket.create_connection(hub, 20) as link:
                link.sendall(
                    f"GET /baton/state HTTP/1.0\r\nHost: {NAME}\r\nX-Forwarded-For: {client}\r\nX-Forwarded-Proto: https\r\n{key}\r\n\r\n".encode())
                return Answer(b"".join(iter(lambda: link.recv(65_536), b""))).status
        # Another device each time: one of its own is slowed down only by its own wrong keys.
        statuses = [state("203.0.113.66", f"Authorization: Bearer d_{n:03}.{n:043}") for n in range(12)]
        self.assertIn(429, statuses)
        self.assertEqual(state("203.0.113.7", self.key), 200)


class Samples(HubCase):
    """The other samples say the same as nginx's."""

    @classmethod
    def setUpClass(cls):
        """They need no hub."""

    @classmethod
    def tearDownClass(cls):
        """Nothing was started."""

    def test_settings(self):
        """Each names the settings of the hub that it needs, and the hub accepts them."""
        for name in ("nginx.conf", "Caddyfile", "apache.conf"):
            with open(f"{ROOT}/deploy/proxy/{name}", encoding="utf-8") as file:
                text = file.read()
            settings = re.findall(r"^#   (\w+ = .*)$", text, re.M)
            self.assertEqual([line.split(" = ")[0] for line in settings], ["trusted_proxies", "allow_origin"], name)
            words = [word for line in settings for word in ("--" + line.split(" = ")[0].replace("_", "-"), line.split(" = ")[1])]
            ended = subprocess.run([f"{binaries()}/batond", "--check", *words], capture_output=True, text=True, timeout=60, check=False,
                env={"HOME": "/nowhere", "PATH": "/usr/bin:/bin"})
            self.assertEqual(ended.returncode, 0, ended.stderr)
            self.assertIn("Forwarded", text)


if __name__ == "__main__":
    if not os.path.exists(NGINX):
        print("proxies.py: skipped, for there is no nginx here")
        sys.exit(77)
    main("openssl")
