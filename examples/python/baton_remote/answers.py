"""The hub's answer to a command, with a name for each part."""

from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]
#: The version of the protocol that this package speaks.
CORE = "1.0"


@dataclass(frozen=True)
class Answer:
    """`outcome` is `applied`, or `noop` when there was nothing to do; both are a success."""

    ok: bool
    outcome: str = ""
    why: str = ""
    code: str = ""
    sentence: str = ""
    data: Message = field(default_factory=dict)
    message: Message = field(default_factory=dict)

    @classmethod
    def of(cls, message: Message) -> "Answer":
        """Reads a `res`. Members that are not known are kept in `message`."""
        error = message.get("err") or {}
        return cls(
            ok=bool(message.get("ok")), outcome=message.get("st", ""), why=message.get("why", ""), code=error.get("code", ""),
            sentence=error.get("msg", ""), data=message.get("d") or {}, message=message)
