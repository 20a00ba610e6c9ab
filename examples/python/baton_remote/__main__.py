"""A remote on the command line.

    python -m baton_remote                       what is playing, until you stop it
    python -m baton_remote next                  one press; also play, pause, toggle, stop, prev, vol 40, mute, unmute, add URI, find WORDS
    python -m baton_remote queue                 the rows of the queue
    python -m baton_remote hubs                  hubs on the network, with the package zeroconf
    python -m baton_remote pair wss://HOST:9443  asks for the code that `baton pair --open` shows; from then on that hub is meant
    python -m baton_remote env                   the same hub for ../shell/baton.sh
    python -m baton_remote --url ws://127.0.0.1:9442 --view watch
    python -m baton_remote --url unix:/run/user/1000/baton/hub.sock vol 40
"""

import argparse
import asyncio
import base64
import json
import sys

from .dialing import pair
from .discovery import find
from .errors import BatonError, WrongCode
from .joining import Joining
from .keeping import Keeping
from .pairing import Invitation, bearer, unb64
from .remote import Remote
from .script import from_input, perform

LOCAL = "ws://127.0.0.1:9442"


def display(remote: Remote) -> None:
    """One line, drawn over the one before."""
    playing, seconds = remote.playing, remote.playing.position_ms // 1000
    text = f"{playing.title or 'Nothing is playing'}" + (f" · {playing.artist}" if playing.artist else "") if remote.is_connected else "not connected"
    print(f"\r\033[K{'▶' if playing.is_playing else '⏸'} {text}  {seconds // 60}:{seconds % 60:02}  {playing.level}%", end="", flush=True)


class Use:
    """A remote, and whether it may connect: by TLS a device has to be paired first."""

    def __init__(self, asked: argparse.Namespace, keeping: Keeping) -> None:
        kept = keeping.credentials
        # An address that is given counts, and what was kept for another one does not.
        credentials = kept if kept and asked.url in (None, kept.url) else None
        self.asked, self.keeping = asked, keeping
        self.remote = Remote(
            asked.url or (credentials.url if credentials else LOCAL), view=asked.view, client_id=keeping.client_id, credentials=credentials)
        self.may_connect = asyncio.Event()
        if credentials or not asked.script or not self.remote.url.startswith("wss:"):
            self.may_connect.set()

    async def pair(self, code: str) -> None:
        """A press of scripts: from then on this hub is meant."""
        held = self.remote.held
        held.joining = Joining(Invitation.read(code), self.remote.url, held.client_id, held.name)
        self.may_connect.set()
        await self.remote.connected()
        if held.credentials:
            self.keeping.keep(held.credentials)

    async def stay(self) -> int:
        """The hub's close code when there is no use in coming back."""
        await self.may_connect.wait()
        if self.asked.script and self.asked.view != "watch":
            following = asyncio.create_task(self.remote.queue.open())
            following.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await self.remote.stay()


async def perform_all(use: Use, asked: argparse.Namespace) -> int:
    """Everything that needs a hub."""
    remote = use.remote
    if asked.script:
        await from_input(remote, use.pair)
    elif asked.words == ["queue"]:
        rows = await remote.queue.open()
        for entry in rows.entries:
            print(f"{'▶' if entry == rows.current else ' '} {rows.rows.get(entry, {}).get('title', entry)}")
    elif asked.words:
        answer = await perform(remote, asked.words)
        print(answer.outcome if answer.ok else answer.sentence)
        return 0 if answer.ok else 1
    else:
        while True:
            display(remote)
            await asyncio.sleep(0.5)
    return 0


async def without_remote(words: list[str], keeping: Keeping) -> bool:
    """Words that concern this device, or the network. True when that was all."""
    match words:
        case ["hubs"]:
            for hub in await find():
                print(f"{hub.name}\t{hub.url}" + ("\tpairing is open" if hub.is_pairing else ""))
        case ["pair", url]:
            credentials = await pair(url, input("The code that the hub shows: "), keeping.client_id, "Python remote")
            keeping.keep(credentials)
            print(f"Paired as {credentials.role}.")
        case ["env"] if kept := keeping.credentials:
            pin = base64.b64encode(unb64(kept.pin)).decode()
            print(f"export BATON_URL='{kept.url.replace('wss:', 'https:')}' BATON_BEARER='{bearer(kept.dev, unb64(kept.key))}' BATON_PIN='{pin}'")
        case _:
            return False
    return True


async def run(asked: argparse.Namespace) -> int:
    """The exit code: 0 when everything went well, 1 when the hub refused or ended the connection for good."""
    keeping = Keeping()
    if await without_remote(asked.words, keeping):
        return 0
    used = Use(asked, keeping)
    remote = used.remote
    staying, using = asyncio.create_task(used.stay()), asyncio.create_task(perform_all(used, asked))
    try:
        await asyncio.wait([staying, using], return_when=asyncio.FIRST_COMPLETED)
        if staying.done():
            code = staying.result()
            print(json.dumps({"ended": code}) if asked.script else remote.ending, flush=True)
            return 1
        return using.result()
    finally:
        await remote.leave()
        for task in (staying, using):
            task.cancel()
        await asyncio.wait([staying, using])


def main() -> None:
    """The command `baton-remote`."""
    parser = argparse.ArgumentParser(prog="baton-remote", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", help=f"where the hub is; without it the hub that was paired with, or {LOCAL}")
    parser.add_argument("--view", choices=["watch", "remote", "full"], default="remote")
    parser.add_argument("--script", action="store_true", help="presses from standard input, one a line, answers as JSON")
    parser.add_argument("words", nargs="*")
    try:
        sys.exit(asyncio.run(run(parser.parse_args())))
    except WrongCode as problem:
        sys.exit(f"Nothing was kept: {problem}.")
    except (BatonError, OSError) as problem:
        sys.exit(str(problem))
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()
