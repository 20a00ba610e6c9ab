#!/usr/bin/env python3
"""A path between satellite and hub that breaks at the worst moment.

cutting.py LISTEN HUB: listens on one unix socket, leads to another, and cuts the first connection
when the hub's first answer to a command passes by, so that the command was carried out and nobody
was told. Later connections pass untouched. Prints "ready" when it listens, and "cut".
"""
import os
import select
import socket
import sys


def pump(here, there, breaks):
    while True:
        for end in select.select([here, there], [], [])[0]:
            data = end.recv(65536)
            if not data:
                return False
            if breaks and end is there and b'"t":"res"' in data:
                return True
            (there if end is here else here).sendall(data)


def main(listen, hub):
    server = socket.socket(socket.AF_UNIX)
    server.bind(listen)
    server.listen()
    print("ready", flush=True)
    breaks = True
    while True:
        here, _ = server.accept()
        there = socket.socket(socket.AF_UNIX)
        there.connect(hub)
        if os.fork() == 0:
            cut = pump(here, there, breaks)
            os._exit(3 if cut else 0)
        here.close()
        there.close()
        # Connections come one after the other: nobody connects again before the end of the last one.
        _, status = os.wait()
        if os.waitstatus_to_exitcode(status) == 3:
            breaks = False
            print("cut", flush=True)


main(*sys.argv[1:])
