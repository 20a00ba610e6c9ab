"""Finds hubs on the local network, if the package `zeroconf` is installed (BT-DSC-*). Nothing in a record is proof of anything."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass

from .errors import NoDiscovery

SERVICE = "_baton._tcp.local."


@dataclass(frozen=True)
class FoundHub:
    """What a hub's record says. A record of another layout says no more than its port."""

    name: str
    host: str
    id: str | None
    versions: tuple[int, ...]
    path: str
    plain: int | None
    tls: int | None
    fingerprint: str | None
    is_pairing: bool
    #: Codes of the profiles that the hub has, with the version behind one from 2 on.
    profiles: tuple[str, ...]

    @property
    def url(self) -> str | None:
        """Where to connect: encrypted if there is such a port."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        if self.tls:
            return f"wss://{host}:{self.tls}{self.path}"
        return f"ws://{host}:{self.plain}{self.path}" if self.plain else None


def read_record(name: str, host: str, port: int, lines: Iterable[str]) -> FoundHub:
    """Reads a TXT record; unknown keys are ignored, and of two equal keys the first counts."""
    values: dict[str, str] = {}
    for line in lines:
        key, equals, value = line.partition("=")
        if equals:
            values.setdefault(key.lower(), value)
    if values.get("txtvers", "1") != "1":
        values = {}
    majors = tuple(int(one) for one in values.get("v", "1").split(",") if one.isdigit())
    plain_text = values.get("plain", "")
    plain = int(plain_text) if plain_text.isdigit() and 0 < int(plain_text) < 65536 else None
    path, hint = values.get("p", ""), values.get("fp", "")
    return FoundHub(
        name=name, host=host, id=values.get("id"), versions=majors or (1,), path=path if path.startswith("/") else "/baton", plain=plain,
        tls=None if port == plain else port, fingerprint=hint if re.fullmatch("[0-9a-f]{16}", hint) else None, is_pairing=values.get("pair") == "1",
        profiles=tuple(code for code in values.get("f", "").split(",") if re.fullmatch("[a-z]{2}[0-9]*", code)))


async def find(seconds: float = 2, interfaces: list[str] | None = None) -> list[FoundHub]:
    """Hubs that answered within this time, on the interfaces with these addresses or on all."""
    try:
        from zeroconf import InterfaceChoice, ServiceStateChange, Zeroconf
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf
    except ImportError:
        raise NoDiscovery("Hubs on the network are found by the package zeroconf, which is not installed: name the hub's address instead.") from None
    names: set[str] = set()

    def noticed(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        if state_change is not ServiceStateChange.Removed:
            names.add(name)
    found = []
    async with AsyncZeroconf(interfaces=interfaces or InterfaceChoice.All) as network:
        browser = AsyncServiceBrowser(network.zeroconf, SERVICE, handlers=[noticed])
        await asyncio.sleep(seconds)
        await browser.async_cancel()
        for name in sorted(names):
            info = AsyncServiceInfo(SERVICE, name)
            if await info.async_request(network.zeroconf, 1000) and info.port:
                lines = _lines(info.text or b"")
                found += [read_record(name.removesuffix("." + SERVICE), host, info.port, lines) for host in info.parsed_addresses()[:1]]
    return found


def _lines(text: bytes) -> list[str]:
    """The strings of a TXT record: each has its length in front."""
    lines, at = [], 0
    while at < len(text):
        lines.append(text[at + 1:at + 1 + text[at]].decode(errors="replace"))
        at += 1 + text[at]
    return lines
