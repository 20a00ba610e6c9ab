#!/usr/bin/env python3
"""A remote for a Baton hub in one file, with the standard library and `websockets`.

    remote.py pair wss://HOST:9443      asks for the code that `baton pair --open` shows
    remote.py status | toggle | next | volume LEVEL

What it holds from its pairing lies in ~/.config/baton-python.json, for its owner's eyes only.
"""

import asyncio
import hmac
import json
import os
import secrets
import ssl
import sys

import websockets

from baton_pairing import Pairing, WrongCode, b64, channel_binding, proof, public_key_hash, unb64

KEPT = os.path.expanduser("~/.config/baton-python.json")


class Hub:
    """One connection, greeted; `key` is from an earlier pairing."""

    def __init__(self, url, pin=None):
        self.url, self.pin = url, pin
        self.id = 0

    async def __aenter__(self):
        # The key is what counts, and it is looked at below.
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        self.ws = await websockets.connect(self.url.rstrip("/") + "/companion/v1", subprotocols=["baton.v1"], ssl=context)
        self.spki = public_key_hash(self.ws.transport.get_extra_info("ssl_object").getpeercert(binary_form=True))
        if self.pin and not hmac.compare_digest(self.spki, self.pin):
            raise SystemExit("This is not the hub that this machine was paired with.")
        self.binding = channel_binding(self.spki)
        return self

    async def __aexit__(self, *_):
        await self.ws.close()

    async def say(self, **message):
        text = json.dumps(message)
        await self.ws.send(text)
        return text.encode()

    async def hear(self, *types):
        """The next message of one of these types. An `err` ends the conversation."""
        while True:
            text = await self.ws.recv()
            message = json.loads(text)
            if message["t"] == "err":
                raise SystemExit(message["err"]["msg"])
            if message["t"] in types:
                return message, text.encode()

    async def hello(self, client):
        said = await self.say(t="hello", v=[1], profile="remote", client={"id": client, "run": secrets.token_urlsafe(6), "name": "Python"})
        message, heard = await self.hear("challenge")
        self.hello_bytes, self.challenge_bytes = said, heard
        return message

    async def pair(self, code, client, name, role=None):
        challenge = await self.hello(client)
        pairing = Pairing(code, self.binding, unb64(challenge["nonce"]), client, name, challenge["hub"]["id"])
        wanted = {"want": role} if role else {}
        await self.say(t="pair", step=1, name=name, by="pin", nonce=b64(pairing.nonce), ya=b64(pairing.share), **wanted)
        answer, _ = await self.hear("pair")
        await self.say(t="pair", step=3, ta=b64(pairing.prove(unb64(answer["yb"]))))
        answer, _ = await self.hear("pair")
        key = pairing.key(unb64(answer["tb"]), unb64(answer["wk"]))
        return {"dev": answer["dev"], "key": b64(key), "pin": b64(self.spki), "url": self.url, "client": client, "role": answer["role"]}

    async def authenticate(self, kept):
        key, nonce = unb64(kept["key"]), secrets.token_bytes(16)
        about = (key, self.binding, self.hello_bytes, self.challenge_bytes, nonce)
        await self.say(t="auth", m="device", dev=kept["dev"], nonce=b64(nonce), mac=b64(proof(b"client", *about)))
        welcome, _ = await self.hear("welcome")
        if not hmac.compare_digest(unb64(welcome["mac"]), proof(b"hub", *about)):
            raise SystemExit("The hub could not show that it is the one.")
        self.state = (await self.hear("state"))[0]["s"]
        return welcome

    async def command(self, method, **parameters):
        self.id += 1
        await self.say(t="cmd", id=self.id, m=method, k=secrets.token_urlsafe(6), p=parameters)
        while True:
            message, _ = await self.hear("res", "state")
            if message["t"] == "state":
                self.state.update(message["s"])
            elif message["id"] == self.id:
                if not message["ok"]:
                    raise SystemExit(message["err"]["msg"])
                return message


async def pair(url):
    code = "".join(c for c in input("The code that the hub shows: ") if c.isdigit())
    client = secrets.token_urlsafe(8)
    async with Hub(url) as hub:
        kept = await hub.pair(code.encode(), client, "Python")
        await hub.authenticate(kept)
    os.makedirs(os.path.dirname(KEPT), exist_ok=True)
    with open(os.open(KEPT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump(kept, file)
    print(f"Paired as {kept['role']}.")


async def steer(verb, *words):
    with open(KEPT) as file:
        kept = json.load(file)
    async with Hub(kept["url"], unb64(kept["pin"])) as hub:
        await hub.hello(kept["client"])
        await hub.authenticate(kept)
        state = hub.state
        if verb == "toggle":
            await hub.command("toggle", want="paused" if state["tl"]["st"] == "playing" else "playing")
        elif verb == "next":
            current = {"from": state["now"]["entry"]} if state.get("now") else {}
            await hub.command("next", **current)
        elif verb == "volume":
            await hub.command("vol.set", level=int(words[0]))
        now = hub.state.get("now") or {}
        print(hub.state["tl"]["st"], now.get("title", "nothing"), f"{hub.state['vol']['level']} %", sep=" · ")


def main():
    try:
        match sys.argv[1:]:
            case ["pair", url]:
                asyncio.run(pair(url))
            case ["status" | "toggle" | "next" | "volume", *_] as words:
                asyncio.run(steer(*words))
            case _:
                raise SystemExit(__doc__)
    except WrongCode as problem:
        raise SystemExit(f"Nothing was kept: {problem}.") from None
    except (OSError, websockets.WebSocketException) as problem:
        raise SystemExit(f"The hub cannot be reached: {problem}") from None


if __name__ == "__main__":
    main()
