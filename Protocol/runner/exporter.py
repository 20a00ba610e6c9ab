"""The exporter of TLS 1.3 (RFC 8446, section 7.5), which Python's TLS does not offer: derived from the secret that it writes into its log of keys."""

import hashlib
import os
import tempfile

from runner.pairing import hkdf_expand

LABEL = b"EXPORTER-Channel-Binding"


def expanded(secret, label, context, length, name):
    """HKDF-Expand-Label of TLS 1.3."""
    label = b"tls13 " + label
    return hkdf_expand(secret, length.to_bytes(2, "big") + bytes([len(label)]) + label + bytes([len(context)]) + context, length, name)


def exported(secret, name, label=LABEL):
    """32 bytes that both ends of a connection have, and no one between them."""
    empty = hashlib.new(name, b"").digest()
    return expanded(expanded(secret, label, empty, len(empty), name), b"exporter", empty, 32, name)


class Log:
    """The log of keys of one connection, in a file that goes when it has been read."""

    def __init__(self):
        handle, self.path = tempfile.mkstemp(prefix="bt-keys-")
        os.close(handle)

    def exporter(self, link):
        """The exporter of a connection by TLS 1.3, once it is made."""
        with open(self.path, encoding="ascii") as file:
            secrets = [line.split()[2] for line in file if line.startswith("EXPORTER_SECRET ")]
        os.unlink(self.path)
        name = "sha384" if "SHA384" in link.cipher()[0] else "sha256"
        return exported(bytes.fromhex(secrets[-1]), name)


def binding(exporter):
    """What proofs are bound to where `cb` is `exp`."""
    return hashlib.sha256(b"bt-cb-exp" + exporter).digest()
