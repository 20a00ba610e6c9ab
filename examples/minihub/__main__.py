"""Starts the hub: `python3 examples/minihub`."""

import argparse
import asyncio
import signal
from pathlib import Path

from hub import Hub
from player import Catalogue
from room import Room
from web import HEAD_BYTES, Door
from wire import LIMITS


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="minihub", description="A hub of Baton Core 1.0 that plays no sound.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=9442)
    parser.add_argument("--unix", help="a unix socket too, whose clients are admins")
    parser.add_argument("--open", choices=("listener", "guest", "remote"), help="the role of other machines, which are refused without it")
    parser.add_argument("--origin", action="append", default=[], help="a web page that may use the hub, such as http://localhost:8000")
    parser.add_argument("--name", default="Minihub")
    parser.add_argument("--tracks", type=Path, help="a JSON list of objects with title, artist, album, ms and broken")
    parser.add_argument("--range", type=int, nargs=2, default=(0, 100), metavar=("LOW", "HIGH"), help="where the volume may be")
    parser.add_argument("--limit", action="append", default=[], metavar="NAME=N", help=f"another limit: {', '.join(LIMITS)}")
    return parser.parse_args()


async def main(given: argparse.Namespace) -> None:
    loop, stopped = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    door = Door(Hub(Catalogue(given.tracks), Room(range=(given.range[0], given.range[1])), given.name), given.open, given.origin)
    servers = [await asyncio.start_server(door.enter, given.host, given.port, limit=HEAD_BYTES)]
    if given.unix:
        servers.append(await asyncio.start_unix_server(door.enter, given.unix, limit=HEAD_BYTES))
    print(f"ws://{given.host}:{servers[0].sockets[0].getsockname()[1]}/baton", flush=True)
    await stopped.wait()
    for server in servers:
        server.close()
    await door.close()


if __name__ == "__main__":
    given = options()
    LIMITS |= {name: int(value) for name, _, value in (limit.partition("=") for limit in given.limit)}
    asyncio.run(main(given))
