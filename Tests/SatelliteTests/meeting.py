#!/usr/bin/python3
"""A path on which satellites meet: what two of them ask of the hub arrives there at the same time.

meeting.py LISTEN HUB: listens on one unix socket and leads to another. Behind the first state a
satellite has one thing to say, its command; that of the first waits for that of the second. Prints
"ready" when it listens.
"""
import select
import socket
import sys
import threading

both = threading.Barrier(2, timeout=20)


def lead(here, hub):
    there = socket.socket(socket.AF_UNIX)
    there.connect(hub)
    greeted = met = False
    while True:
        for end in select.select([here, there], [], [])[0]:
            data = end.recv(65536)
            if not data:
                here.close()
                there.close()
                return
            if end is here and greeted and not met:
                both.wait()
                met = True
            greeted = greeted or end is there and b'"t":"state"' in data
            (there if end is here else here).sendall(data)


def main(listen, hub):
    server = socket.socket(socket.AF_UNIX)
    server.bind(listen)
    server.listen()
    print("ready", flush=True)
    while True:
        here, _ = server.accept()
        threading.Thread(target=lead, args=(here, hub), daemon=True).start()


main(*sys.argv[1:])
