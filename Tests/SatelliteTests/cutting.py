#!/usr/bin/python3
"""A path between satellite and hub on which the worst things happen at the worst moment.

cutting.py LISTEN HUB [answer|command PID]: listens on one unix socket and leads to another. The first
connection is cut when the hub's first answer to a command passes by, so that the command was carried
out and nobody was told. With a process, that one is killed as well: at the answer, or when the command
comes, before the hub sees it. Later connections pass untouched, or end at once while there is no hub.
Prints "ready" when it listens, and "cut".
"""
import os
import select
import signal
import socket
import sys


def is_the_moment(moment, from_hub, data, greeted):
    if moment == "command":
        # Behind the first state a satellite has nothing else to say.
        return greeted and not from_hub
    return from_hub and b'"t":"res"' in data


def pump(here, there, moment):
    greeted = False
    while True:
        for end in select.select([here, there], [], [])[0]:
            data = end.recv(65536)
            if not data:
                return False
            if moment and is_the_moment(moment, end is there, data, greeted):
                return True
            greeted = greeted or end is there and b'"t":"state"' in data
            (there if end is here else here).sendall(data)


def main(listen, hub, moment="answer", pid=None):
    server = socket.socket(socket.AF_UNIX)
    server.bind(listen)
    server.listen()
    print("ready", flush=True)
    while True:
        here, _ = server.accept()
        there = socket.socket(socket.AF_UNIX)
        try:
            there.connect(hub)
        except OSError:
            here.close()
            continue
        if os.fork() == 0:
            cut = pump(here, there, moment)
            if cut and pid:
                os.kill(int(pid), signal.SIGKILL)
            os._exit(3 if cut else 0)
        here.close()
        there.close()
        # Connections come one after the other: nobody connects again before the end of the last one.
        _, status = os.wait()
        if os.waitstatus_to_exitcode(status) == 3:
            moment = None
            print("cut", flush=True)


main(*sys.argv[1:])
