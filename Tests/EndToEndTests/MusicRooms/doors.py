# deploy/test: tier 2, judges Sources/Dialects/MusicRoomServer Sources/Dialects/MusicRoomServer/MusicRoomWire Sources/Kernel/BatonKernel/Access.
# deploy/test: judges Sources/Platform/SocketServer/WebServer.
"""Users at each door of the hub: the page's own form and cookie over TLS, a token in the greeting, which opens none, and the app of a music room over TLS
and on a port of its own. The plain network is in TwoHostsTests. BT-USR-003 BT-USR-009"""

import asyncio
import http.client
import json
import re
import socket
import ssl
import urllib.parse

from ports import free_port
from runner.websocket import encode
from Support.fixtures import lavfi, metadata
from Support.hubs import Hub, HubCase, main, wait
from Support.rawpeer import RawPeer
from Support.remote import Gone, Remote
from Support.roomapp import App, Refused

PASSWORD = "a long sentence"
TRUSTING = ssl.create_default_context()
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE


def room_port():
    """3001, as the apps expect it, or any other where a program on this machine has that one."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", 3001))
            return 3001
        except OSError:
            return free_port()


class Doors(HubCase):
    @classmethod
    def setUpClass(cls):
        cls.rooms = room_port()
        cls.flags = ("--audio", "null", "--musicroom", "--signup", "open",
                     "--listen", f"127.0.0.1:0,127.0.0.1:{cls.rooms}", "--tls", "0.0.0.0:0")
        super().setUpClass()
        cls.https = re.search(r"network (https://[^/]*)/", Hub.text(cls.hub.said)).group(1)
        place = urllib.parse.urlsplit(cls.https)
        cls.elsewhere, cls.tls = place.hostname, place.port
        cls.plain = next(int(port) for port in re.findall(r"remotes ws://[^\n]*:(\d+)/", Hub.text(cls.hub.said)) if int(port) != cls.rooms)

    @classmethod
    def prepare(cls):
        lavfi(f"{cls.home.music}/Alder.flac", "aevalsrc=0.2*sin(300*t):s=44100:d=60", *metadata(title="Alder", artist="Weir"))

    def signed_up(self, name, role="remote"):
        """The token of a new user."""
        with Remote(self.plain, f"{name.lower()}-0001") as remote:
            token = remote.ask("user.signup", {"name": name, "password": PASSWORD})["d"]["token"]
        if role != "remote":
            self.home.baton("user", "role", name, role)
        return token

    def encrypted(self):
        link = TRUSTING.wrap_socket(socket.create_connection((self.elsewhere, self.tls), 20), server_hostname="hub.local")
        self.addCleanup(link.close)
        return link

    def https_call(self, method, path, body=None, **headers):
        link = http.client.HTTPSConnection(self.elsewhere, self.tls, timeout=60, context=TRUSTING)
        self.addCleanup(link.close)
        link.request(method, path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = link.getresponse()
        return answer.status, answer.headers, answer.read().decode()

    # ---- The page

    def form(self, user, password, **headers):
        form = urllib.parse.urlencode({"user": user, "password": password})
        return self.https_call("POST", "/session/user", form, Content_Type="application/x-www-form-urlencoded", **headers)

    def test_form(self):
        """A browser that is not paired comes in by a user's name and password, and its cookie is a session of that user until it ends."""
        self.signed_up("Page")
        self.assertEqual(self.form("page", PASSWORD)[0], 403, "without an Origin it is no page of the hub")
        self.assertEqual(self.form("page", PASSWORD, Origin="https://elsewhere.example")[0], 403)
        status, _, body = self.form("page", "not the one", Origin=self.https)
        self.assertEqual(status, 403)
        self.assertIn("The name or the password is wrong.", body)
        status, headers, _ = self.form("page", PASSWORD, Origin=self.https)
        self.assertEqual((status, headers["location"]), (303, "/"))
        cookie, *flags = headers["set-cookie"].split("; ")
        self.assertTrue(cookie.startswith("__Host-baton-user="), cookie)
        self.assertLessEqual({"Path=/", "Secure", "HttpOnly", "SameSite=Strict"}, set(flags))
        me = json.dumps({"t": "cmd", "id": 1, "m": "user.me"})
        self.assertEqual(self.https_call("POST", "/baton/cmd", me)[0], 401, "without it this browser has shown nothing")
        status, _, body = self.https_call("POST", "/baton/cmd", me, Cookie=cookie)
        self.assertEqual((status, json.loads(body)["d"]["user"], json.loads(body)["d"]["role"]), (200, "Page", "remote"))
        with Remote(self.encrypted(), "page-0002", headers=(("Cookie", cookie), ("Host", f"{self.elsewhere}:{self.tls}"))) as page:
            self.assertEqual(page.ask("user.me")["d"]["user"], "Page")
            out = json.dumps({"t": "cmd", "id": 2, "m": "user.signout"})
            status, headers, _ = self.https_call("POST", "/baton/user?cookie=1", out, Cookie=cookie, Origin=self.https)
            self.assertIn("Max-Age=0", headers["set-cookie"])
            with self.assertRaises(Gone):
                while True:
                    page.hear()
        self.assertEqual(self.https_call("POST", "/baton/cmd", me, Cookie=cookie)[0], 401)

    # ---- Remotes

    def test_token(self):
        """Over TLS a token stands for no proof of a device: with a good one, a bad one and without, a remote is challenged alike."""
        token = self.signed_up("Token", "guest")
        heard = []
        for more in ({"user": token}, {"user": token[::-1]}, {}):
            peer = RawPeer(self.encrypted()).upgrade(("Host", f"{self.elsewhere}:{self.tls}"))
            self.addCleanup(peer.socket.close)
            client = {"id": "token-0002", "run": "abcdef", "name": "A remote"}
            peer.say(encode(json.dumps({"t": "hello", "core": "1.0", "view": "full", "client": client, "t1": 0, **more}).encode()))
            heard.append(json.loads(peer.hear()[1]))
        self.assertEqual([message["t"] for message in heard], ["challenge"] * 3)
        self.assertEqual(len({message["nonce"] for message in heard}), 3)
        self.assertEqual([{**message, "nonce": ""} for message in heard], [{**heard[0], "nonce": ""}] * 3)

    # ---- The app of a music room

    def run_app(self, server, steps):
        async def main():
            app = App(server, checks_certificate=False)
            try:
                await steps(app)
            finally:
                await app.leave()
        asyncio.run(main())

    def identified(self):
        found = []

        async def ask(app):
            found.append((await app.call("GET", "/api/status"))["library"]["identified"])
        self.run_app(f"http://127.0.0.1:{self.plain}", ask)
        return found[0] == 1

    def test_app_over_tls(self):
        """Over TLS the app signs up, its cookie goes encrypted only, and room, library and tracks are there."""
        wait("the library", self.identified)

        async def steps(app):
            await app.sign("signup", "Encrypted", PASSWORD)
            self.assertTrue(app.cookie_flags["secure"] and app.cookie_flags["httponly"])
            self.assertEqual(app.cookie_flags["samesite"], "Lax")
            await app.until("the first state", lambda app: app.queue is not None)
            self.assertEqual([track["title"] for track in app.library], ["Alder"])
            status, headers, body = await app.track(app.library[0]["id"], Range="bytes=0-3")
            self.assertEqual((status, body), (206, b"fLaC"))
            await app.queue_tracks([app.library[0]["id"]])
            await app.until("the queue", lambda app: len(app.queue) == 1)
            await app.sign_out()
            with self.assertRaises(Refused) as refused:
                await app.call("GET", "/api/library")
            self.assertEqual(refused.exception.status, 401)
        self.run_app(self.https, steps)

    def test_app_on_its_port(self):
        """The app finds the hub on the port that `listen` names for it."""
        async def steps(app):
            self.assertEqual((await app.call("GET", "/api/status"))["name"], "Test hub")
            await app.sign("signup", "Usual port", PASSWORD)
            self.assertFalse(app.cookie_flags["secure"], "a browser would not send it back over plain HTTP")
            await app.until("the first state", lambda app: app.queue is not None)
        self.run_app(f"http://127.0.0.1:{self.rooms}", steps)


if __name__ == "__main__":
    main("ffmpeg")
