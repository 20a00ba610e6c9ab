"""Certificates of a hub's gateways: whether the hub's key has signed one, and for how long it is good. The program openssl checks signatures."""

import datetime
import ssl
import subprocess
import tempfile

from runner.pairing import element, public_key_hash

LIMIT = 15


def signed(certificate, by):
    """Whether the key in the certificate `by` has signed this one; both are DER. Nothing else of either is looked at."""
    begin, end = element(certificate)
    _, behind = element(certificate, begin)
    _, at = element(certificate, behind)
    start, end = element(certificate, at)
    with tempfile.TemporaryDirectory(prefix="bt-") as folder:
        # The bits of the signature stand behind the number of those that are unused.
        for name, data in (("words", certificate[begin:behind]), ("signature", certificate[start + 1:end]), ("by.pem", ssl.DER_cert_to_PEM_cert(by).encode())):
            with open(f"{folder}/{name}", "wb") as file:
                file.write(data)
        key = openssl("x509", "-in", f"{folder}/by.pem", "-noout", "-pubkey")
        with open(f"{folder}/key.pem", "w", encoding="ascii") as file:
            file.write(key)
        words = ["pkeyutl", "-verify", "-pubin", "-inkey", f"{folder}/key.pem", "-rawin", "-in", f"{folder}/words", "-sigfile", f"{folder}/signature"]
        # Ed25519 has no digest of its own choice; all other keys of hubs sign a SHA-256.
        return any("Success" in openssl(*words, *digest) for digest in (["-digest", "sha256"], []))


def times(certificate):
    """From when until when it is valid, in seconds since 1970: the fourth element of what is signed, behind the version where one is named."""
    at, _ = element(certificate)
    at, _ = element(certificate, at)
    for _ in range(3 + (certificate[at] == 0xA0)):
        _, at = element(certificate, at)
    at, _ = element(certificate, at)
    found = []
    for _ in range(2):
        begin, end = element(certificate, at)
        text = certificate[begin:end].decode("ascii")
        made = datetime.datetime.strptime(text, "%y%m%d%H%M%SZ" if certificate[at] == 0x17 else "%Y%m%d%H%M%SZ")
        found.append(int(made.replace(tzinfo=datetime.timezone.utc).timestamp()))
        at = end
    return found


def trusted(chain, pin, now):
    """Whether a client that has this pin takes the machine for the hub (BT-TRN-017, BT-TRN-027)."""
    if public_key_hash(chain[0]) == pin:
        return True
    first, last = times(chain[0])
    return len(chain) > 1 and public_key_hash(chain[1]) == pin and first <= now <= last and signed(chain[0], chain[1])


def openssl(*words):
    return subprocess.run(["openssl", *words], input="", capture_output=True, text=True, timeout=LIMIT, check=False).stdout
