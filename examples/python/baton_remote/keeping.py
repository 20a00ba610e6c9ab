"""What the command keeps between two runs: its client id, and the hub that it is paired with."""

import json
import os
import secrets

from .pairing import Credentials


class Keeping:
    """Files in a folder that only their owner may read."""

    def __init__(self, folder: str | None = None) -> None:
        state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
        self._folder = folder or os.path.join(state, "baton-remote")

    @property
    def client_id(self) -> str:
        """Random, made once and kept, since keys count per id."""
        return self._read("client-id") or self._write("client-id", secrets.token_urlsafe(8))

    @property
    def credentials(self) -> Credentials | None:
        """The hub that this device was paired with last."""
        text = self._read("hub.json")
        return Credentials.from_dict(json.loads(text)) if text else None

    def keep(self, credentials: Credentials) -> None:
        """Replaces the hub that was kept before."""
        self._write("hub.json", json.dumps(credentials.as_dict()))

    def _write(self, name: str, text: str) -> str:
        os.makedirs(self._folder, mode=0o700, exist_ok=True)
        with open(os.open(os.path.join(self._folder, name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        return text

    def _read(self, name: str) -> str | None:
        try:
            with open(os.path.join(self._folder, name), encoding="utf-8") as file:
                return file.read()
        except OSError:
            return None
