"""A remote for Baton hubs: it comes back when the connection breaks, sends each press so that it counts once, keeps copies of
the state and of the queue, follows the hub's clock, and pairs with a hub on another machine.

    async with Remote("ws://127.0.0.1:9442") as remote:
        await remote.skip("next")

The comments name the rules of the protocol's specification that each part keeps, such as BT-RTY-007.
"""

from .answers import Answer
from .blocking import BlockingRemote
from .clock import Clock
from .dialing import dial, pair
from .discovery import FoundHub, find
from .errors import BatonError, Ended, NoAnswer, NoDiscovery, NotAdmitted, NotTheHub, WrongCode
from .keeping import Keeping
from .pairing import Credentials
from .queue_mirror import QueueMirror
from .remote import Remote
from .state import Playing, StateMirror

__all__ = [
    "Answer", "BatonError", "BlockingRemote", "Clock", "Credentials", "Ended", "FoundHub", "Keeping", "NoAnswer", "NoDiscovery", "NotAdmitted",
    "NotTheHub", "Playing", "QueueMirror", "Remote", "StateMirror", "WrongCode", "dial", "find", "pair"]
__version__ = "1.1"
