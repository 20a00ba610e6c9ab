# deploy/test: tier 2, judges Sources/Platform/SocketServer/WebServer Sources/Dialects/Companion/Sessions Sources/Dialects/Companion/HTTP.
# deploy/test: waits, mostly for the patience of the hub with silent peers to end.
"""Other people's software speaks to the hub: python3-websockets, curl, and a socket that breaks the rules.

What they see is what `Protocol/` promises to everyone who writes a remote from it alone.
"""

import asyncio
import json
import os
import resource
import selectors
import socket
import sys
import unittest

from runner.websocket import encode, request
from Support.hubs import IS_SLOW, Home, Hub, HubCase, main, wait
from Support.rawpeer import HELLO, HOST, RawPeer

try:
    import websockets
except ImportError:
    print("peers.py: skipped, for there is no python3-websockets here")
    sys.exit(77)


class Remote:
    """A remote written from the protocol's text, on another WebSocket library."""

    def __init__(self, link):
        self.link = link
        self.number = 0

    @staticmethod
    def connect(url, **options):
        return websockets.connect(url, subprotocols=["baton.v1"], compression=None, **options)

    async def say(self, **message):
        await self.link.send(json.dumps(message))

    async def hear(self):
        return json.loads(await asyncio.wait_for(self.link.recv(), 15))

    async def greet(self, view="full", **more):
        await self.say(t="hello", core="1.0", view=view, client={"id": "p3eR0vYx2mQ", "name": "A peer", "app": "peer/1"}, t1=1000, **more)
        return await self.hear(), await self.hear()

    async def ask(self, method, key=None, **parameters):
        """One command: what comes of the volume until its answer, and the answer. The list of rooms is told a moment after their changes."""
        self.number += 1
        message = {"t": "cmd", "id": self.number, "m": method, "p": parameters}
        await self.say(**message, **({"k": key} if key else {}))
        before = []
        while True:
            heard = await self.hear()
            if heard["t"] == "res" and heard["id"] == self.number:
                return before, heard
            if heard["t"] != "state" or "vol" in heard["s"]:
                before.append(heard)


class Dialogue(HubCase):
    """A conversation as the protocol describes it."""

    def talk(self, body, **options):
        async def talk():
            async with Remote.connect(self.hub.url, **options) as link:
                return await body(Remote(link))
        return asyncio.run(talk())

    def test_greeting(self):
        """hello is answered by welcome and the whole state."""
        async def body(remote):
            welcome, state = await remote.greet()
            self.assertEqual((welcome["t"], welcome["core"], welcome["role"], welcome["t1"]), ("welcome", "1.0", "remote", 1000))
            self.assertEqual(welcome["features"], sorted(welcome["features"]))
            self.assertIn("rooms@1", welcome["features"])
            self.assertLessEqual(welcome["t2"], welcome["t3"])
            self.assertTrue(welcome["epoch"] and welcome["boot"] and welcome["sess"])
            self.assertEqual((state["t"], state["full"]), ("state", 1))
            for section in ("tl", "vol", "modes", "queue", "rooms", "outputs", "hub"):
                self.assertIn(section, state["s"])
            self.assertEqual(state["s"]["hub"]["name"], "Test hub")
        self.talk(body)

    def test_order(self):
        """A command brings its state and then its one answer, which carries the same revision."""
        async def body(remote):
            await remote.greet()
            for level in (41, 42, 43):
                before, answer = await remote.ask("vol.set", level=level)
                self.assertEqual((answer["ok"], answer["st"]), (1, "applied"))
                self.assertEqual([message["t"] for message in before], ["state"])
                self.assertEqual(before[0]["s"]["vol"]["level"], level)
                self.assertEqual(before[0]["rev"], answer["rev"])
                self.assertLessEqual(answer["rx"], answer["tx"])
            before, answer = await remote.ask("vol.set", level=43)
            self.assertEqual((before, answer["st"], answer["why"]), ([], "noop", "same"))
        self.talk(body)

    def test_others(self):
        """What one does is told to the others, and revisions follow each other without a hole."""
        async def body(remote):
            _, state = await remote.greet("remote")
            async with Remote.connect(self.hub.url) as link:
                other = Remote(link)
                await other.greet()
                await other.ask("vol.set", level=12)
            revision = state["rev"]
            while True:
                told = await remote.hear()
                self.assertEqual((told["t"], told["from"]), ("state", revision))
                revision = told["rev"]
                if told["s"].get("vol", {}).get("level") == 12:
                    return
        self.talk(body)

    def test_watch(self):
        """A watch gets what changed inside the answer, and short."""
        async def body(remote):
            _, state = await remote.greet("watch")
            self.assertLessEqual(set(state["s"]), set("nlvmrbx"))
            before, answer = await remote.ask("vol.set", level=55)
            self.assertEqual((before, answer["s"]["v"]), ([], [55, 0]))
            self.assertLess(answer["rx"], 2**31)
        self.talk(body)

    def test_keys(self):
        """The same key twice is one press; another command under it is a mistake."""
        async def body(remote):
            await remote.greet()
            await remote.ask("vol.set", level=20)
            _, first = await remote.ask("vol.step", key="press-1", d=3)
            before, again = await remote.ask("vol.step", key="press-1", d=3)
            self.assertEqual((first["st"], again["st"], again["why"]), ("applied", "applied", "dup"))
            self.assertGreaterEqual(again["rev"], first["rev"])
            self.assertEqual(before, [])
            _, other = await remote.ask("vol.step", key="press-1", d=4)
            self.assertEqual(other["err"]["code"], "key_mismatch")
            _, state = await remote.ask("vol.set", level=23)
            self.assertEqual(state["st"], "noop")
        self.talk(body)

    def test_resume(self):
        """Who comes back with what it knows is told only what is new."""
        async def known(remote):
            welcome, state = await remote.greet()
            _, answer = await remote.ask("vol.set", level=31)
            return welcome["epoch"], state["room"], answer["rev"], list(state["s"])
        epoch, room, revision, sections = self.talk(known)

        async def same(remote):
            _, state = await remote.greet(resume={"epoch": epoch, "rev": revision, "rooms": [room], "sections": sections})
            self.assertEqual((state.get("full", 0), state["from"]), (0, revision))
            # The list of rooms may have been told of the volume meanwhile, and of who has left; a hub that has just begun opens its library.
            self.assertLessEqual(set(state["s"]), {"rooms", "lib", "people", "listeners"})
            await remote.ask("vol.set", level=32)
        self.talk(same)

        async def newer(remote):
            _, state = await remote.greet(resume={"epoch": epoch, "rev": revision, "rooms": [room], "sections": sections})
            self.assertEqual((state.get("full", 0), state["from"]), (0, revision))
            self.assertEqual(state["s"]["vol"]["level"], 32)
            self.assertNotIn("queue", state["s"])
        self.talk(newer)

    def test_time(self):
        """The clock is read at once, also by who asks for nothing else."""
        async def body(remote):
            await remote.greet()
            stamps = []
            for number in range(3):
                await remote.say(t="time", t1=number)
                heard = await remote.hear()
                self.assertEqual((heard["t"], heard["t1"]), ("time", number))
                stamps += [heard["t2"], heard["t3"]]
            self.assertEqual(stamps, sorted(stamps))
        self.talk(body)

    def test_mistakes(self):
        """A mistake is named with its place, and nothing is applied."""
        async def body(remote):
            await remote.greet()
            await remote.ask("vol.set", level=40)
            for parameters, place in [({"level": "loud"}, "/p/level"), ({"level": 4.5}, "/p/level"), ({}, "/p/level")]:
                _, answer = await remote.ask("vol.set", **parameters)
                self.assertEqual((answer["ok"], answer["err"]["code"], answer["err"]["at"]), (0, "bad_request", place))
            _, answer = await remote.ask("vol.set", level=41, colour="blue")
            self.assertEqual((answer["err"]["code"], answer["err"]["at"]), ("unsupported", "/p/colour"))
            _, answer = await remote.ask("vol.set", level=40)
            self.assertEqual(answer["st"], "noop", "nothing was done")
            _, answer = await remote.ask("make.tea")
            self.assertEqual(answer["err"]["code"], "unknown_command")
            await remote.say(t="sing")
            self.assertEqual((await remote.hear())["err"]["code"], "unknown_type")
            remote.number -= 1
            _, answer = await remote.ask("pause")
            self.assertEqual(answer["err"]["code"], "id_reuse")
        self.talk(body)

    def test_strikes(self):
        """What is no JSON is refused twice and ends the connection the third time."""
        async def body(remote):
            await remote.greet()
            for _ in range(2):
                await remote.link.send("{not json")
                self.assertEqual((await remote.hear())["err"]["code"], "bad_request")
            await remote.link.send("[]")
            with self.assertRaises(websockets.exceptions.ConnectionClosed) as closed:
                while True:
                    await remote.hear()
            self.assertEqual(closed.exception.rcvd.code, 4400)
        self.talk(body)

    def test_rate(self):
        """Too many commands are refused with the time to wait, each of them answered."""
        async def body(remote):
            await remote.greet()
            for number in range(1, 61):
                await remote.say(t="cmd", id=number, m="vol.set", p={"level": number % 50})
            answers = []
            while len(answers) < 60:
                heard = await remote.hear()
                if heard["t"] == "res":
                    answers.append(heard)
            self.assertEqual([answer["id"] for answer in answers], list(range(1, 61)))
            refused = [answer["err"] for answer in answers if not answer["ok"]]
            self.assertTrue(refused and all(error["code"] == "rate_limited" and error["afterMs"] > 0 for error in refused))
            self.assertTrue(all(answer["ok"] for answer in answers[:40]))
        self.talk(body)

    def test_replaced(self):
        """A reconnect that overtakes its own half-open connection replaces it."""
        async def body(remote):
            hello = {"t": "hello", "core": "1.0", "view": "full", "client": {"id": "tw1nsTw1nsA", "run": "same-run"}}
            await remote.say(**hello)
            await remote.hear()
            async with Remote.connect(self.hub.url) as link:
                await link.send(json.dumps(hello))
                with self.assertRaises(websockets.exceptions.ConnectionClosed) as closed:
                    while True:
                        await remote.hear()
                self.assertEqual(closed.exception.rcvd.code, 4409)
                self.assertEqual(json.loads(await link.recv())["t"], "welcome")
        self.talk(body)

    def test_version(self):
        """A client of another major is told which one the hub speaks."""
        async def body(remote):
            await remote.say(t="hello", core="7.0", view="full", client={"id": "p3eR0vYx2mQ"})
            heard = await remote.hear()
            self.assertEqual((heard["err"]["code"], heard["err"]["core"]), ("unsupported_version", "1.0"))
            with self.assertRaises(websockets.exceptions.ConnectionClosed) as closed:
                await remote.hear()
            self.assertEqual(closed.exception.rcvd.code, 4406)
        self.talk(body)


class PlainHTTP(HubCase):
    """curl, over the port and over the socket."""

    def curl(self, *words, over_socket=True, path="/"):
        words = ["curl", "-sS", "--max-time", "10", "-w", "\n%{http_code}", *words]
        words += ["--unix-socket", self.home.socket, f"http://localhost{path}"] if over_socket else [self.hub.page + path]
        ended = self.home.run(*words)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        body, _, code = ended.stdout.rpartition("\n")
        return int(code), body

    def test_health(self):
        """The hub answers over TCP and over its unix socket."""
        for over_socket in (True, False):
            code, _ = self.curl(over_socket=over_socket, path="/healthz")
            self.assertEqual(code, 200)

    def test_state(self):
        """The state can be had without a WebSocket, in each view; an unknown one is taken as that of a remote."""
        code, body = self.curl(path="/baton/state")
        state = json.loads(body)
        self.assertEqual((code, state["t"], state["s"]["hub"]["name"]), (200, "state", "Test hub"))
        code, body = self.curl(path="/baton/state?view=watch", over_socket=False)
        self.assertEqual(code, 200)
        self.assertLessEqual(set(json.loads(body)["s"]), set("nlvmrbx"))
        code, body = self.curl(path="/baton/state?view=wall")
        self.assertEqual((code, "tl" in json.loads(body)["s"], "hub" in json.loads(body)["s"]), (200, True, False))
        self.assertEqual(self.curl(path="/baton/state?room=attic")[0], 404)

    def test_commands(self):
        """A command can be posted and is answered as on a WebSocket, mistakes included."""
        for over_socket, level in ((True, 21), (False, 22)):
            code, body = self.curl(
                "-d", json.dumps({"t": "cmd", "id": 1, "m": "vol.set", "p": {"level": level}}), over_socket=over_socket, path="/baton/cmd")
            self.assertEqual((code, json.loads(body)["st"]), (200, "applied"))
            _, body = self.curl(path="/baton/state")
            self.assertEqual(json.loads(body)["s"]["vol"]["level"], level)
        for text, status, error in [
            ('{"t":"cmd","id":1,"m":"vol.set","p":{"level":"loud"}}', 400, "bad_request"), ("{", 400, "bad_request"),
            ('{"t":"cmd","id":1,"m":"make.tea"}', 501, "unknown_command"), ('{"t":"hello","core":"1.0"}', 400, "bad_request"),
            ('{"t":"cmd","id":1,"m":"queue.add","k":"k3y-1","p":{"uris":["file:track//etc/passwd"],"at":"end"}}', 403, "forbidden"),
        ]:
            code, body = self.curl("-d", text, over_socket=False, path="/baton/cmd")
            self.assertEqual((code, json.loads(body)["err"]["code"]), (status, error), text)
        self.assertEqual(self.curl(path="/baton/cmd")[0], 405)
        self.assertEqual(self.curl(path="/nothing/here")[0], 404)
        self.assertEqual(self.curl("-d", "x" * 100_000, path="/baton/cmd")[0], 413)

    def test_pages_elsewhere(self):
        """A page from elsewhere cannot steer the hub through a visitor's browser, nor can a rebound name."""
        own = f"127.0.0.1:{self.hub.port}"
        for headers, allowed in [
            ([], True), ([f"Origin: http://{own}"], True), (["Host: localhost"], True), (["Host: [::1]:80"], True),
            (["Origin: http://evil.example"], False), (["Origin: null"], False), ([f"Origin: https://{own}"], False),
            (["Host: evil.example"], False), (["Host: 127.0.0.1.evil.example"], False), (["X-Forwarded-For: 10.0.0.1"], False),
            (["Forwarded: for=10.0.0.1"], False), (["Via: 1.1 proxy"], False),
        ]:
            words = [word for header in headers for word in ("-H", header)]
            code, body = self.curl(*words, over_socket=False, path="/baton/state")
            self.assertEqual(code, 200 if allowed else 403, f"{headers}: {body}")
            code, _ = self.curl(
                *words, "-d", '{"t":"cmd","id":1,"m":"vol.set","p":{"level":77}}', over_socket=False, path="/baton/cmd")
            self.assertEqual(code, 200 if allowed else 403, headers)
            with RawPeer(self.hub.port) as peer:
                pairs = [tuple(header.split(": ", 1)) for header in headers]
                peer.say(request(HOST, pairs if any(name == "Host" for name, _ in pairs) else [("Host", own), *pairs]))
                self.assertEqual(int(peer.answer().split()[1]), 101 if allowed else 403, headers)

    def test_upgrades(self):
        """An upgrade that does not name the protocol is refused before it begins."""
        with RawPeer(self.hub.port) as peer:
            peer.say(request(HOST, subprotocol=""))
            self.assertEqual(int(peer.answer().split()[1]), 400)
        self.assertEqual(self.curl(path="/baton")[0], 426)


class BrokenRules(HubCase):
    """Peers that break the rules of WebSocket or take their time."""

    def assertEnds(self, code, peer, *words):
        for word in words:
            peer.say(word)
        self.assertEqual(peer.ending(), code)

    def test_frames(self):
        """Each broken rule has its close code, before and after the greeting."""
        cases = [
            (1007, False, [encode(b"\xff\xfe{}")]), (1007, True, [encode(b'{"t":"\xc3\x28"}')]),
            (1009, False, [encode(b" " * 5000)]), (1009, True, [encode(b" " * 17_000)]), (1009, True, [encode(b" " * 20_000, claim=2**40)]),
            (1009, True, [encode(b" " * 9000, final=False), encode(b" " * 9000, opcode=0)]),
            (4400, False, [encode(b"{}")]), (4400, False, [encode(b"hello?")]), (4400, False, [encode(b'{"t":"time","t1":1}')]),
            (4400, False, [encode(b"\x01\x02", opcode=2)]),
            (1002, False, [encode(HELLO, masked=False)]), (1002, True, [encode(b"x", opcode=3)]),
        ]
        for code, is_greeted, words in cases:
            with self.subTest(code=code, is_greeted=is_greeted, words=words[0][:12]), RawPeer(self.hub.port) as peer:
                if is_greeted:
                    peer.greet()
                else:
                    peer.upgrade()
                for word in words:
                    peer.say(word)
                self.assertEqual(peer.ending(), code)
        self.assertEqual(self.home.status()["hub"]["name"], "Test hub")

    def test_binary(self):
        """An unknown binary frame is ignored once the peer is known."""
        with RawPeer(self.hub.port).greet() as peer:
            peer.say(encode(b"\xc0noise", opcode=2) + encode(b'{"t":"time","t1":7}'))
            opcode, payload = peer.hear()
            self.assertEqual((opcode, json.loads(payload)["t1"]), (1, 7))

    def test_bytewise(self):
        """A message may come in as many pieces as it has bytes."""
        with RawPeer(self.hub.port).upgrade() as peer:
            for index in range(len(HELLO)):
                peer.say(encode(HELLO[index:index + 1], opcode=1 if index == 0 else 0, final=index == len(HELLO) - 1))
            self.assertEqual(json.loads(peer.hear()[1])["t"], "welcome")

    def test_late(self):
        """No hello, half a hello, half a message: each ends with 4408, and a peer in time is not hurt."""
        late = [RawPeer(self.hub.port).upgrade() for _ in range(3)]
        late.append(RawPeer(self.hub.port).greet())
        late.append(RawPeer(self.hub.port).greet())
        late[1].say(encode(HELLO)[:30])
        late[2].say(encode(HELLO[:30], final=False))
        late[3].say(encode(b'{"t":"time","t1":1}')[:10])
        late[4].say(encode(b'{"t":"ti', final=False))
        with RawPeer(self.hub.port).greet() as patient:
            endings = [peer.ending() for peer in late]
            patient.say(encode(b'{"t":"time","t1":5}'))
            # Meanwhile it was told who came and went.
            answer = next(m for m in iter(lambda: json.loads(patient.hear()[1]), None) if m["t"] == "time")
            self.assertEqual(answer["t1"], 5)
        for peer in late:
            peer.socket.close()
        self.assertEqual(endings, [4408] * 5)


class SilentConnections(HubCase):
    """Connections that never say hello."""

    # What a hub allows by default; with --slow there are more.
    COUNT = 10_000 if IS_SLOW else 500

    def connections(self):
        """How many the hub's port has that were not closed on its side: all but the listener, and what the kernel keeps for a while."""
        with open("/proc/net/tcp", encoding="ascii") as table:
            lines = [line.split() for line in table][1:]
        return sum(line[1].endswith(f":{self.hub.port:04X}") and line[3] not in ("0A", "06") for line in lines)

    def test_silence(self):
        """Many connections that send nothing are closed in time, and do not affect others meanwhile."""
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, self.COUNT + 1000), hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        with RawPeer(self.hub.port).greet() as remote:
            silent = [self.silent(index) for index in range(self.COUNT)]
            number = 0
            left = selectors.DefaultSelector()
            for peer in silent:
                left.register(peer, selectors.EVENT_READ)

            def all_gone():
                nonlocal number
                for key, _ in left.select(0):
                    try:
                        ended = not key.fileobj.recv(65_536)
                    except ConnectionError:
                        ended = True
                    if ended:
                        left.unregister(key.fileobj)
                        key.fileobj.close()
                number += 1
                remote.say(encode(json.dumps({"t": "time", "t1": number}).encode()))
                answer = None
                while answer != number:
                    answer = json.loads(remote.hear()[1]).get("t1")
                return not left.get_map()
            wait("all of the silent are gone", all_gone, limit=60)
            remote.say(encode(b'{"t":"cmd","id":1,"m":"vol.set","p":{"level":33}}'))
            while json.loads(remote.hear()[1])["t"] != "res":
                pass
        self.assertEqual(self.home.status()["vol"]["level"], 33)
        wait("their connections are given back", lambda: self.connections() == 0)

    def silent(self, index):
        """Every second one is a WebSocket; the others have not even asked for one."""
        # The kernel gives a source address no more than its ports; addresses of the loopback are many.
        peer = socket.create_connection(("127.0.0.1", self.hub.port), timeout=60, source_address=(f"127.0.0.{2 + index % 8}", 0))
        if index % 2:
            peer.sendall(request(HOST))
        return peer


class Farewell(unittest.TestCase):
    """How the hub takes its leave."""

    def test_goodbye(self):
        """Everyone is told 1001 when the hub is asked to end, and it ends with code 0."""
        home = Home()
        self.addCleanup(home.close)
        hub = Hub(home, "--audio", "null")
        self.addCleanup(hub.kill)

        async def body():
            async with Remote.connect(hub.url) as one, Remote.connect(hub.url) as two, Remote.connect(hub.url) as silent:
                for link in (one, two):
                    await Remote(link).greet()
                hub.ask_to_stop()
                for link in (one, two, silent):
                    with self.assertRaises(websockets.exceptions.ConnectionClosed) as closed:
                        while True:
                            await asyncio.wait_for(link.recv(), 10)
                    self.assertEqual(closed.exception.rcvd.code, 1001)
        asyncio.run(body())
        self.assertEqual(hub.stop(), 0)
        self.assertFalse(os.path.exists(home.socket))


if __name__ == "__main__":
    main("curl")
