"""Reaching a hub: addresses, TLS, and the key at the other end."""

import asyncio
import json
import ssl
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, cast

import websockets

from .answers import CORE, Message
from .errors import NotAdmitted, NotTheHub
from .joining import Joining
from .pairing import Credentials, Invitation, public_key_hash

PATH = "/baton"
#: A device that was paired before Core 1.0 may have kept this one.
_OLD_PATH = "/companion/v1"
# The package loads its names when they are asked for, which type checkers do not see.
_websockets: Any = websockets


class Link(Protocol):
    """One connection: a message in each direction at a time."""

    async def send(self, text: str) -> None:
        """Sends one message."""

    async def recv(self) -> str | bytes:
        """Waits for the next message."""

    async def close(self, code: int = 1000) -> None:
        """Ends the connection."""


Dial = Callable[[], AbstractAsyncContextManager[Link]]


class AnotherKey(ssl.SSLError):
    """The public key at the other end is not the one that is expected."""


class _Context(ssl.SSLContext):
    """TLS 1.3 by the hub's public key. The hub's certificate is its own work, so the names in it mean nothing (BT-TRN-017)."""

    pin: bytes | None = None


class _Session(ssl.SSLObject):
    def do_handshake(self) -> None:
        """The key is compared before the first byte of the connection is sent."""
        super().do_handshake()
        certificate, pin = self.getpeercert(binary_form=True), getattr(self.context, "pin", None)
        if pin is not None and public_key_hash(certificate or b"") != pin:
            raise AnotherKey("the hub shows another key")


def _context(pin: bytes | None) -> ssl.SSLContext:
    context = _Context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.sslobject_class, context.pin = _Session, pin
    return context


def dial(url: str, pin: bytes | None = None) -> AbstractAsyncContextManager[Link]:
    """`unix:/path`, `ws://host:port` or `wss://host:port`; `pin` is the SHA-256 of the hub's public key, where it is known."""
    options: dict[str, Any] = {"subprotocols": ["baton.v1"], "compression": None, "ping_interval": None, "open_timeout": 8, "close_timeout": 1}
    if url.startswith("unix:"):
        return cast(AbstractAsyncContextManager[Link], _websockets.unix_connect(url[5:], "ws://hub" + PATH, **options))
    if url.startswith("wss:"):
        options["ssl"] = _context(pin)
    where = url.removesuffix(_OLD_PATH).rstrip("/")
    where = where if where.endswith(PATH) else where + PATH
    return cast(AbstractAsyncContextManager[Link], _websockets.connect(where, **options))


def hub_key(link: Link) -> bytes | None:
    """SHA-256 of the public key at the other end; None without TLS."""
    transport = getattr(link, "transport", None)
    tls = transport and transport.get_extra_info("ssl_object")
    return public_key_hash(tls.getpeercert(binary_form=True)) if tls else None


def refusal(error: Exception) -> tuple[int | None, float]:
    """The HTTP status with which an upgrade was refused, and after how many seconds to retry."""
    response = getattr(error, "response", error)
    status = getattr(response, "status_code", None)
    headers = getattr(response, "headers", {})
    after = headers.get("Retry-After", "") if status in (429, 503) else ""
    return status, float(after) if after.isdigit() else 0


def check_refusal(error: Exception) -> float:
    """Seconds to wait before the next try; raises where trying again is of no use."""
    status, after = refusal(error)
    if status == 403:
        raise NotAdmitted(status, "The hub does not admit this connection. From another machine, use its encrypted port (wss://) and pair this device.") from error
    if status in (400, 404, 410):
        raise NotAdmitted(status, f"There is no hub at this address, or it is of another version: HTTP status {status}.") from error
    return after


async def pair(url: str, code: str, client: str, name: str, dialer: Dial | None = None) -> Credentials:
    """From the six digits, or the link of the QR code, to what a device keeps. `client` is the id that the device keeps."""
    invitation = Invitation.read(code)
    where = invitation.url or url
    joining = Joining(invitation, where, client, name)
    try:
        async with (dialer or (lambda: dial(where, invitation.pin)))() as link:
            await link.send(json.dumps({"t": "hello", "core": CORE, "view": "remote", "client": {"id": client, "name": name}}))
            answer: Message | None = joining.begin(await _hear(link, "challenge"), hub_key(link))
            while answer:
                await link.send(json.dumps(answer))
                answer = joining.take(await _hear(link, "pair"))
    except AnotherKey as error:
        raise NotTheHub("This is not the hub that showed the code: its key is another one.") from error
    if joining.credentials is None:
        raise NotTheHub("The hub did not answer as a pairing goes.")
    return joining.credentials


async def _hear(link: Link, kind: str) -> Message:
    while True:
        message: Message = json.loads(await asyncio.wait_for(link.recv(), 15))
        if message["t"] == "welcome":
            raise NotTheHub("This connection needs no pairing: name the hub's TLS port, such as wss://HOST:9443")
        if message["t"] in (kind, "err"):
            return message
