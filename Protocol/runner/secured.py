#!/usr/bin/python3
"""An adapter that puts a hub behind its own TLS: what reaches the runner's port goes on encrypted and paired.

It pairs one device as the specification says (CPace over TLS 1.3, with the arithmetic of pairing.py),
then stands between: a client's hello goes to the hub as it is, the hub's challenge is answered here, and
everything else passes byte for byte. So every scenario that does not care about its channel shows the
same over TLS.
"""

import argparse
import asyncio
import json
import os
import secrets
import signal
import ssl
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from hub import DEFAULT, words_of  # noqa: E402
from pairing import Pairing, b64, channel_binding, proof, public_key_hash, unb64  # noqa: E402
from websocket import TEXT, Framing, dial, encode, head_of, request  # noqa: E402


def context():
    # The hub's key is what counts, not the names in its certificate.
    made = ssl.create_default_context()
    made.check_hostname, made.verify_mode = False, ssl.CERT_NONE
    made.minimum_version = ssl.TLSVersion.TLSv1_3
    return made


async def connect(address):
    host, _, port = address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port), ssl=context())
    certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    return reader, writer, channel_binding(public_key_hash(certificate))


class Device:
    """One paired device: its name with the hub, and its key."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "../device.json")

    @property
    def kept(self):
        try:
            with open(self.path, encoding="utf-8") as file:
                return json.load(file)
        except OSError:
            return None

    async def pair(self, unix, tls):
        pin = await asyncio.get_running_loop().run_in_executor(None, open_window, unix)
        reader, writer, binding = await connect(tls)
        writer.write(request(tls))
        await reader.readuntil(b"\r\n\r\n")
        framing, inbox = Framing(), []

        def say(**message):
            writer.write(encode(json.dumps(message).encode()))

        async def hear(kind):
            while True:
                while inbox:
                    opcode, payload, _ = inbox.pop(0)
                    if opcode == TEXT and (message := json.loads(payload))["t"] in (kind, "err"):
                        if message["t"] == "err":
                            raise SystemExit(f"pairing was refused: {message}")
                        return message
                data = await reader.read(65536)
                if not data:
                    raise SystemExit("the hub ended the pairing")
                inbox.extend(framing.feed(data))
        say(t="hello", v=[1], profile="remote", client={"id": "runner-device"})
        challenge = await hear("challenge")
        pairing = Pairing(pin.encode(), binding, unb64(challenge["nonce"]), "runner-device", "Runner", challenge["hub"]["id"])
        say(t="pair", step=1, name="Runner", by="pin", nonce=b64(pairing.nonce), ya=b64(pairing.share))
        answer = await hear("pair")
        say(t="pair", step=3, ta=b64(pairing.prove(unb64(answer["yb"]))))
        answer = await hear("pair")
        key = pairing.key(unb64(answer["tb"]), unb64(answer["wk"]))
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({"dev": answer["dev"], "key": b64(key)}, file)
        writer.transport.abort()


def open_window(unix):
    """The six digits, from the hub's own machine."""
    body = json.dumps({"t": "cmd", "id": 1, "m": "pair.open", "p": {"role": "remote"}}).encode()
    link = dial("unix:" + unix)
    link.sendall(request("unix:", (), "/companion/v1/cmd", None, "POST", body))
    data = b""
    while more := link.recv(65536):
        data += more
    head, _, rest = data.partition(b"\r\n\r\n")
    start, end = rest.find(b"{"), rest.rfind(b"}")
    answer = json.loads(rest[start:end + 1])
    if head_of(head)[0] != 200 or not answer.get("ok"):
        raise SystemExit(f"the hub opened no window: {answer}")
    return answer["d"]["pin"]


class Line:
    """One client's connection, encrypted on the hub's side."""

    def __init__(self, device, tls):
        self.device, self.tls = device, tls
        self.hello = None

    async def accept(self, reader, writer):
        try:
            hub_reader, hub_writer, self.binding = await connect(self.tls)
            head = await reader.readuntil(b"\r\n\r\n")
            hub_writer.write(self.authorised(head))
            await asyncio.wait([
                asyncio.ensure_future(self.ask(reader, hub_writer)), asyncio.ensure_future(self.tell(hub_reader, writer, hub_writer))])
        except (OSError, asyncio.IncompleteReadError):
            pass
        writer.transport.abort()

    def authorised(self, head):
        """A plain request shows the device's key, as scripts do; an upgrade is asked for its proof later."""
        if b"websocket" in head.lower():
            return head
        kept = self.device.kept
        return head[:-2] + f"Authorization: Bearer {kept['dev']}.{kept['key']}\r\n\r\n".encode()

    async def ask(self, reader, hub):
        """From the client: everything as it is; the first message is remembered, for the proof covers it."""
        framing = Framing()
        try:
            while data := await reader.read(65536):
                for _, payload, _raw in framing.feed(data) if self.hello is None else ():
                    self.hello = payload
                    break
                hub.write(data)
                await hub.drain()
        except OSError:
            pass
        hub.transport.abort()

    async def tell(self, reader, writer, hub):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            writer.write(head)
            framing, is_greeted = Framing(), b" 101 " not in head.split(b"\r\n")[0]
            while data := await reader.read(65536):
                if is_greeted:
                    writer.write(data)
                    continue
                for opcode, payload, raw in framing.feed(data):
                    if opcode == TEXT and not is_greeted and json.loads(payload)["t"] == "challenge":
                        hub.write(encode(json.dumps(self.answer(payload)).encode()))
                        continue
                    is_greeted = is_greeted or opcode == TEXT
                    writer.write(raw)
                if is_greeted:
                    writer.write(framing.rest)
                await writer.drain()
            writer.write_eof()
        except (OSError, asyncio.IncompleteReadError):
            pass

    def answer(self, challenge):
        kept, nonce = self.device.kept, secrets.token_bytes(16)
        mac = proof(b"client", unb64(kept["key"]), self.binding, self.hello, challenge, nonce)
        return {"t": "auth", "m": "device", "dev": kept["dev"], "nonce": b64(nonce), "mac": b64(mac)}


async def stand_in(adapter, words):
    child = subprocess.Popen([*adapter, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, lambda: None if child.poll() is not None else child.terminate())
    ready = json.loads(await loop.run_in_executor(None, child.stdout.readline))
    if "tls" not in ready:
        raise SystemExit("this hub says nothing of a TLS port")
    device = Device(words[words.index("--state-dir") + 1])
    if not device.kept:
        await device.pair(ready["unix"], ready["tls"])
    server = await asyncio.start_server(lambda r, w: Line(device, ready["tls"]).accept(r, w), "127.0.0.1", 0)
    print(json.dumps({**ready, "tcp": "127.0.0.1:%d" % server.sockets[0].getsockname()[1]}), flush=True)
    code = await loop.run_in_executor(None, child.wait)
    await asyncio.sleep(0.1)
    return code


def main():
    parser = argparse.ArgumentParser(description="A hub behind its own TLS.")
    parser.add_argument("--behind", default=DEFAULT, help="the adapter of the hub; commas for spaces")
    asked, words = parser.parse_known_args()
    sys.exit(asyncio.run(stand_in(words_of(asked.behind.replace(",", " ")), words)))


if __name__ == "__main__":
    main()
