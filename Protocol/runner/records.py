"""What TLS a hub agrees to: version, protocol, whether sessions go on, and how long its records are."""

import re
import socket
import ssl
import subprocess
import time

from runner.certificates import openssl, signed, times
from runner.device import context
from runner.pairing import public_key_hash
from runner.websocket import LIMIT

ASK = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def split(address):
    host, _, port = address.removeprefix("tls:").rpartition(":")
    return host.strip("[]"), int(port)


def agreed(address, newest, protocols):
    """What is agreed on with these wishes, or why nothing is."""
    try:
        with socket.create_connection(split(address), timeout=LIMIT) as link, context(newest, protocols).wrap_socket(link) as secure:
            return {"version": secure.version(), "protocol": secure.selected_alpn_protocol(), "resumes": resumes(address)}
    except (ssl.SSLError, ConnectionError) as error:
        return {"refused": str(error)}


def resumes(address):
    """Whether a second connection goes on from the session of a first one."""
    made, session, resumed = context(), None, False
    for _ in range(2):
        with socket.create_connection(split(address), timeout=LIMIT) as link, made.wrap_socket(link, session=session) as secure:
            secure.sendall(ASK)
            while secure.recv(4096):
                pass
            session, resumed = secure.session, secure.session_reused
            if session is None:
                return False
    return bool(resumed)


def chain(gateway, hub):
    """Which certificates a gateway shows, and whether the hub's key has signed the first one, and for how long."""
    found, own = shown(gateway), shown(hub)
    if len(found) < 2 or not own:
        return {"certificates": len(found)}
    first, last = times(found[0])
    return {"certificates": len(found), "second": "hub" if public_key_hash(found[1]) == public_key_hash(own[0]) else "another",
            "signed": signed(found[0], found[1]), "valid": first <= time.time() <= last, "days": round((last - first) / 86400, 3)}


def shown(address):
    """The certificates that are shown at an address, as DER."""
    host, port = split(address)
    texts = re.findall(r"-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", openssl("s_client", "-connect", f"{host}:{port}", "-showcerts"), re.DOTALL)
    return [ssl.PEM_cert_to_DER_cert(text) for text in texts]


def longest(address, most, path):
    """The longest record with data that comes when records of so many bytes are asked for, and how many come. Python's TLS cannot ask for
    that, so the program openssl does."""
    host, port = split(address)
    ask = ASK.replace(b"/healthz", path.encode()).decode()
    words = ["openssl", "s_client", "-connect", f"{host}:{port}", "-maxfraglen", str(most), "-msg", "-tls1_3", "-ign_eof", "-crlf"]
    ended = subprocess.run(words, input=ask.replace("\r\n", "\n"), capture_output=True, text=True, errors="replace", timeout=LIMIT, check=False)
    heads = re.findall(r"^<<< .*RecordHeader.*\n\s+17 03 03 ([0-9a-f]{2}) ([0-9a-f]{2})", ended.stdout, re.MULTILINE)
    # A record is longer than what is in it by its type and a tag of 16 bytes.
    found = [int(high + low, 16) - 17 for high, low in heads]
    return {"longest": max(found, default=0), "records": len(found)}
