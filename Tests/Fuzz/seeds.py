#!/usr/bin/python3
"""Seeds for the fuzz targets: the examples and the bad vectors of Protocol/, in the shape that each target reads."""

import glob
import json
import re
import sys

HELLO = b'{"t":"hello","v":[1],"profile":"%s","client":{"id":"seed-1","run":"1"},"caps":[]}'


def texts(protocol):
    found = {path.rsplit("/", 1)[1][:-5]: open(path, "rb").read().strip() for path in glob.glob(f"{protocol}/examples/*.json")}
    for number, case in enumerate(json.load(open(f"{protocol}/vectors/v1/bad.json", encoding="utf-8"))["cases"]):
        found[f"bad-{number}"] = bytes.fromhex(case["hex"]) if "hex" in case else case["text"].encode("utf-8", "surrogatepass")
    return found


def decoders(said):
    """The first byte chooses the decoder."""
    states = b"\n".join(text for text in said.values() if b'"t":"state"' in text)
    return [bytes([decoder]) + text for text in (*said.values(), states) for decoder in range(4)]


def sessions(said):
    """A step a line: each text behind a greeting, each behind none, and all commands one after the other."""
    mine = [text.replace(b"\n", b" ") for name, text in said.items() if name.startswith(("client-", "bad-"))]
    greeted = {profile: HELLO % profile for profile in (b"watch", b"remote", b"full")}
    scripts = [b"cl\n0" + text + b"\nw3" for text in mine]
    scripts += [b"cu\n0" + hello + b"\n0" + text + b"\nw3\ncl\n1" + hello for hello in greeted.values() for text in mine]
    scripts += [b"ct\n0" + said["client-hello"] + b"\n0" + said[name] + b"\nw9" for name in ("client-auth", "client-pair-begin", "client-pair-prove")]
    many = [b"cu", b"0" + greeted[b"full"], b"cl", b"1" + greeted[b"watch"]]
    for number, text in enumerate(text for name, text in said.items() if name.startswith("client-cmd")):
        many.append(b"%d" % (number % 2) + re.sub(rb'"id":\d+', b'"id":%d' % (number + 1), text))
        many.append([b"w2", b"s1", b"w5", b"r1", b"k\ncu\n0" + greeted[b"remote"]][number % 5])
    return scripts + [b"\n".join(many)]


def pairing(_):
    """Two bytes a step, as PairingDialogue counts its acts: what leads somewhere, and each crooked way in its middle."""
    connect, open_, right, wrong, prove, crooked, show, forged, wait = ((number, 0) for number in range(9))
    whole = [open_, connect, right, prove, show]
    scripts = [whole, [open_, connect, *[wrong, prove, (8, 2)] * 6, right, prove]]
    for act in range(16):
        for at in range(len(whole) + 1):
            scripts.append([*whole[:at], (act, 1), (act, 2), *whole[at:], forged, wait, crooked])
    return [bytes(byte for step in script for byte in step) for script in scripts]


def main():
    target, protocol, corpus = sys.argv[1:]
    said = texts(protocol)
    for number, seed in enumerate({"Decoders": decoders, "Sessions": sessions, "Pairing": pairing}.get(target, lambda all: list(all.values()))(said)):
        with open(f"{corpus}/seed-{number}", "wb") as file:
            file.write(seed)
    words = {word for text in said.values() for word in re.findall(rb'"[A-Za-z.]{1,20}"', text)}
    with open(f"{corpus}.words", "wb") as file:
        file.write(b"".join(b'"%s"\n' % word.replace(b'"', b'\\x22') for word in sorted(words)))


if __name__ == "__main__":
    main()
