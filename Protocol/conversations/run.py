"""Plays golden conversations against a hub or a client, or checks them against the definitions: see README.md.

    python3 Protocol conversations                                      lists them
    python3 Protocol conversations --check                              reads them by schemas and rules
    python3 Protocol conversations --hub ws://127.0.0.1:9442            says the client's lines, and compares what the hub says
    python3 Protocol conversations --hub Protocol/runner/adapters/batond    the same with a hub that an adapter starts
    python3 Protocol conversations --client "python3 my_remote.py"      says the hub's lines, and compares what the client says
"""

import argparse
import os
import sys

from conversations import check, files
from conversations.hubs import NotNow, Running, Started, address
from conversations.with_client import WithClient
from conversations.with_hub import WithHub
from runner import hub as hubs
from runner.failing import Fails, Skips
from runner.websocket import Refused


def arguments():
    parser = argparse.ArgumentParser(description="Plays golden conversations against a hub or a client, or checks them.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--check", action="store_true", help="reads them by the schemas, the rules of the text and the arithmetic of pairing")
    choice.add_argument("--hub", metavar="HUB", help="ws://HOST:PORT or unix:PATH of a hub that is running, or an adapter (runner/README.md)")
    choice.add_argument("--client", metavar="COMMAND", help="a client with the contract of MANUAL.md")
    parser.add_argument("--can", default="", metavar="NAMES",
                        help="what else the client is able to: rooms, art, pair, again, max, view, or all; other conversations are left out")
    parser.add_argument("--view", metavar="NAME", help="the client knows this view alone; the others are left out")
    parser.add_argument("--playable", metavar="URI,URI,URI", help="three items that a running hub can play, each a minute or longer; else those in its queue")
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="those with this word in their name; again for more")
    parser.add_argument("--level", metavar="NAMES", help="only those of these profiles, separated by commas")
    return parser.parse_args()


def play(conversation, asked):
    side = "hub" if asked.hub else "client"
    if side not in conversation.header["plays"]:
        raise Skips(conversation.header.get("alone", f"it is not for a {side}"))
    if asked.client:
        return play_with_client(conversation, asked)
    found = address(asked.hub)
    with Running(found, asked.playable) if found else Started(hubs.words_of(asked.hub)) as hub:
        hub.prepare(conversation.header.get("given", {}))
        return WithHub(conversation, hub.address, hub.items).play()


def play_with_client(conversation, asked):
    view, able = conversation.header.get("view", "remote"), set(asked.can.split(","))
    lacks = set(conversation.header.get("can", ())) - able
    if lacks and "all" not in able:
        raise Skips(f"it is for clients that can {', '.join(sorted(lacks))}")
    if asked.view not in (None, view):
        raise Skips(f"it is in the view {view}")
    WithClient(conversation, asked.client, is_viewed=asked.view == view or bool(able & {"view", "all"})).play()


def main():
    asked = arguments()
    chosen = files.load(asked.only)
    if asked.level:
        chosen = [one for one in chosen if one.header["level"] in asked.level.split(",")]
    if asked.check:
        wrong = [f"{one.name}: {sentence}" for one in chosen for sentence in check.complaints(one)]
        print("\n".join(wrong) or f"{len(chosen)} conversations, {sum(len(one.lines) for one in chosen)} lines, each as the definitions say")
        return bool(wrong)
    if not asked.hub and not asked.client:
        for one in chosen:
            print(f"{one.name:22}{one.header['title']} ({one.header['level']}; {' and '.join(one.header['plays']) or 'to read'})")
        return 0
    counts = {"pass": 0, "FAIL": 0, "skip": 0}
    for one in chosen:
        try:
            play(one, asked)
            verdict, why = "pass", ""
        except Skips as reason:
            verdict, why = "skip", f": {reason}"
        except (Fails, OSError, Refused) as fault:
            verdict, why = "FAIL", f": {fault}"
        except (LookupError, TypeError, ValueError) as fault:
            # What came has no form that the definitions know.
            verdict, why = "FAIL", f": the other side said what cannot be read ({type(fault).__name__}: {fault})"
        counts[verdict] += 1
        print(f"{verdict} {one.name}{why}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts["FAIL"] or not counts["pass"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (NotNow, hubs.NoHub) as refused:
        sys.exit(f"conversations: {refused}")
    except BrokenPipeError:
        os._exit(1)
