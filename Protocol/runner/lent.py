"""Hubs of an adapter that several scenarios have, where each has one of its own otherwise."""

import secrets
import threading

from runner import running
from runner.failing import Unfit

LEVEL = 30


class Shared:
    """A hub for scenarios that do not disturb each other: it starts with the first and ends with the run."""

    def __init__(self, hub):
        self.hub, self.lock = hub, threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.hub.close()

    def __getattr__(self, name):
        return getattr(self.hub, name)

    def start(self):
        with self.lock:
            if self.hub.process is None:
                self.hub.start()

    def end(self, how=None):
        return 0

    def close(self):
        """It is ended by the run."""


class Lent(Shared):
    """A hub for scenarios of Core one after the other. Each finds it at rest as at its beginning, or another one where that is not to be had."""

    def __init__(self, make_hub):
        super().__init__(make_hub({"hub": {}}))
        self.make_hub = make_hub

    def start(self):
        if self.hub.process is not None and not self.is_settled():
            self.hub.close()
            self.hub = self.make_hub({"hub": {}})
        if self.hub.process is None:
            self.hub.start()
        # Keys of an earlier scenario are still remembered: others must be used than then.
        self.variables = {**self.hub.variables, "u": secrets.token_hex(3)}

    def is_settled(self):
        """Whether the hub is brought back to its beginning."""
        hub = running.Hub(self.hub.addresses)
        try:
            with hub.keeper() as keeper:
                hub.settle(keeper, LEVEL, False, running.MODES, ())
            return True
        except (Unfit, OSError):
            return False
