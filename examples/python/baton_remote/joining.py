"""The messages of a pairing, on a connection that the hub has answered with a challenge (chapter "Pairing" of the specification)."""

from .answers import Message
from .errors import NotTheHub
from .pairing import Credentials, Invitation, Pairing, b64, binding, unb64


class Joining:
    """A value: it takes the hub's messages and gives the next one, until it has the credentials. `auth` follows on the same connection."""

    def __init__(self, invitation: Invitation, url: str, client: str, name: str) -> None:
        self._invitation, self._url, self._client, self._name = invitation, invitation.url or url, client, name
        self._pairing: Pairing | None = None
        self._spki = b""
        self.credentials: Credentials | None = None

    def begin(self, challenge: Message, spki: bytes | None) -> Message:
        """The first step; `spki` is the hash of the hub's public key."""
        if spki is None:
            raise NotTheHub("Pairing needs an encrypted connection: name the hub's TLS port, such as wss://HOST:9443")
        self._spki = spki
        self._pairing = Pairing(
            self._invitation.secret, binding(spki), unb64(challenge["nonce"]), self._client, self._name, challenge["hub"]["id"])
        return {"t": "pair", "step": 1, "name": self._name, "by": self._invitation.by, "nonce": b64(self._pairing.nonce), "ya": b64(self._pairing.share)}

    def take(self, message: Message) -> Message | None:
        """The next message; None when `credentials` are there. An `err` ends the attempt with the hub's sentence."""
        if message.get("t") == "err" or self._pairing is None:
            raise NotTheHub(message.get("err", {}).get("msg", "The hub did not answer as a pairing goes."))
        if message.get("step") == 2:
            return {"t": "pair", "step": 3, "ta": b64(self._pairing.prove(unb64(message["yb"])))}
        key = self._pairing.key(unb64(message["tb"]), unb64(message["wk"]))
        self.credentials = Credentials(self._url, message["dev"], b64(key), b64(self._spki), message["role"])
        return None
