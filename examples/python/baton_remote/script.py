"""Presses in words: for people on a command line, and from standard input for programs and for the judge of clients."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable

from .answers import Answer, Message
from .errors import BatonError, NoAnswer
from .remote import Remote

Pair = Callable[[str], Awaitable[None]]

WORDS = "play, pause, toggle, stop, next, prev, vol N, mute, unmute, add URI, find WORDS, info"


class NoSuchWord(BatonError):
    """A press that is not in `WORDS`."""


async def perform(remote: Remote, words: list[str]) -> Answer:
    """A press as people type it."""
    match words:
        case ["next" | "prev" as method]:
            return await remote.skip(method)
        case ["play" | "pause" | "stop" as method]:
            return await remote.command(method)
        case ["toggle"]:
            return await remote.toggle()
        case ["vol", level] if level.isdigit():
            return await remote.set_volume(int(level))
        case ["mute" | "unmute" as which]:
            return await remote.command("vol.mute", on=which == "mute")
        case ["add", _, *_]:
            return await remote.command("queue.add", uris=words[1:])
        case ["info"]:
            return await remote.command("hub.info")
        case ["find", _, *_]:
            return await remote.play_first(" ".join(words[1:]))
    raise NoSuchWord(f"There is no press “{' '.join(words)}”; there are {WORDS}.")


def shown(remote: Remote) -> Message:
    """What a screen would show, in the form that the judge of clients asks for."""
    playing = remote.playing
    return {"connected": remote.is_connected, "title": playing.title, "artist": playing.artist, "level": playing.level,
            "playing": playing.is_playing, "positionMs": playing.position_ms, "entry": playing.entry, "queue": remote.rows.entries}


async def from_input(remote: Remote, pair: Pair | None = None) -> None:
    """A press a line, each answered by a line of JSON. Ends with `quit`, or with the end of standard input. `pair` takes a code."""
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    pressing: set[asyncio.Task[None]] = set()
    while line := (await reader.readline()).decode():
        words = line.split()
        if words == ["quit"]:
            break
        if words == ["show"]:
            _say({"shown": shown(remote)})
        elif words:
            task = asyncio.create_task(_press(remote, words, pair))
            pressing.add(task)
            task.add_done_callback(pressing.discard)
    await asyncio.gather(*pressing)


async def _press(remote: Remote, words: list[str], pair: Pair | None) -> None:
    try:
        if pair and words[0] == "pair":
            await pair("".join(words[1:]))
            return _say({"press": " ".join(words), "answer": {"ok": 1}})
        answer = await perform(remote, words)
        said = answer.message or {"ok": int(answer.ok), "st": answer.outcome, "why": answer.why}
    except NoAnswer as error:
        said = {"ok": 0, "err": {"code": "timeout", "retry": 1, "msg": str(error)}}
    except BatonError as error:
        said = {"ok": 0, "err": {"code": "bad_request", "retry": 0, "msg": str(error)}}
    _say({"press": " ".join(words), "answer": said})


def _say(line: Message) -> None:
    print(json.dumps(line), flush=True)
