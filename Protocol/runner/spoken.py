"""Vectors as scenarios: each bad message is said to a hub, before and after welcome."""

import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
BAD = os.path.normpath(os.path.join(HERE, "../vectors/v1/bad.json"))


def said(case):
    if "hex" in case:
        return {"bytes": case["hex"], "op": 1, "on": "v"}
    # The text is not to be filled in like a scenario's own.
    return {"bytes": case["text"].encode("utf-8", "surrogatepass").hex(), "op": 1, "on": "v"}


def outcome(after):
    if after is None:
        return []
    if "close" in after:
        return [{"closed": after["close"], "on": "v"}]
    if "err" in after:
        return [{"expect": {"t": "err", "err": {"code": after["err"]}}, "on": "v"}]
    error = {"code": after["res"], **({"at": after["at"]} if "at" in after else {})}
    return [{"expect": {"t": "res", "id": 1, "ok": 0, "err": error}, "on": "v"}]


def early(case):
    return [{"open": "v", "raw": True}, said(case), {"closed": case["before"], "on": "v"}]


def late(case):
    # Who was not closed is still listened to.
    more = [] if case["after"] and "close" in case["after"] else [{"cmd": "vol.set", "id": 90, "p": {"level": 30}, "on": "v", "expect": {"ok": 1}}]
    return [{"open": "v"}, said(case), *outcome(case["after"]), *more, *([{"cut": "v"}] if more else [])]


def scenarios():
    with open(BAD, encoding="utf-8") as file:
        content = json.load(file)
    cases = content["cases"]
    return [
        {"id": "vectors-bad-early", "title": "every bad vector closes before welcome", "ids": content["ids"], "file": "vectors/v1/bad.json",
         "steps": [step for case in cases for step in early(case)]},
        {"id": "vectors-bad-late", "title": "every bad vector is refused after welcome, and none closes the connection", "ids": content["ids"],
         "file": "vectors/v1/bad.json", "steps": [step for case in cases for step in late(case)]},
    ]
