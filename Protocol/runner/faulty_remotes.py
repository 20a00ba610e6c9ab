"""Remotes with one broken rule each in what they do by themselves, which no proxy can make of a correct one: `reference --as NAME`."""

import time

from runner.reference import Remote


class NeverWaits(Remote):
    """Comes back at once, again and again."""

    def lost(self, code):
        super().lost(code)
        self.next_try = 0


class WaitsNoLonger(Remote):
    """Comes back after a quarter of a second each time."""

    def lost(self, code):
        super().lost(code)
        self.next_try = time.monotonic() + 0.25


class KeepsOldWishes(Remote):
    """Sends what was put off whatever was pressed since."""

    def has_newer(self, press):
        return press["m"] == "vol.set" and super().has_newer(press)


REMOTES = {"never-waits": NeverWaits, "waits-no-longer": WaitsNoLonger, "keeps-old-wishes": KeepsOldWishes}
