"""Inside a network of its own: announces a hub, and prints what examples/python finds of it."""

import asyncio
import contextlib
import json
import socket

import zeroconf

from baton_remote import discovery

HOME = ["127.0.0.1"]
RECORD = {"txtvers": "1", "id": "7Qm2k0Vx", "v": "1", "p": "/baton", "pair": "1"}
with contextlib.closing(zeroconf.Zeroconf(interfaces=HOME)) as network:
    network.register_service(zeroconf.ServiceInfo(
        discovery.SERVICE, f"Test hub.{discovery.SERVICE}", addresses=[socket.inet_aton(HOME[0])], port=9443, properties=RECORD, server="test.local."))
    # Each search begins anew, so a busy machine needs a long one.
    for seconds in (0.3, 1, 3, 10, 20):
        if found := asyncio.run(discovery.find(seconds, HOME)):
            break
print(json.dumps([[hub.name, hub.id, hub.url, hub.is_pairing] for hub in found]))
