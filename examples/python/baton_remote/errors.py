"""Errors of this package. Each is a sentence that a person can act on."""


class BatonError(Exception):
    """Any error that this package raises by itself."""


class NotTheHub(BatonError):
    """Another hub answers there, or the hub does not know this device. Connecting again is of no use."""


class WrongCode(BatonError):
    """The code is wrong, or the connection between this device and the hub is intercepted."""


class NoDiscovery(BatonError):
    """Hubs cannot be searched for on this machine."""


class NoAnswer(BatonError):
    """The hub did not answer within the command's time to live."""


class Ended(BatonError):
    """The hub ended the connection with a code after which a client stays away; `code` is that close code."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class NotAdmitted(Ended):
    """The hub refused the connection before it began; `code` is its HTTP status. Trying again unchanged is of no use."""
