"""A client of MPD as small as one can be: a line goes out, its answer comes back as pairs and an ending."""

import socket
from dataclasses import dataclass, field

# Lines that no client waits for an answer of, and the only one that ends such a list.
LIST_BEGINS = (b"command_list_begin", b"command_list_ok_begin")
LIST_ENDS = b"command_list_end"
CLOSED = "CLOSED"
SILENT = "SILENT"


@dataclass
class Answer:
    """What a server said to one line, or to one list of commands."""

    # Names and values in their order. A line that is no pair has the name "".
    pairs: list = field(default_factory=list)
    # `OK`, an `ACK` with its text, CLOSED where the server ended the connection instead, or SILENT where nothing came.
    end: str = ""


class Peer:
    """One connection. Bytes of a line go out as they are, so that a test may say what no client would."""

    def __init__(self, address, limit=10):
        """The address is a host with a port, or the path of a socket file."""
        if isinstance(address, str):
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.settimeout(limit)
            self.socket.connect(address)
        else:
            self.socket = socket.create_connection(address, timeout=limit)
        self.file = self.socket.makefile("rb")
        self.greeting = self.file.readline().decode()
        self.is_open = True
        self.is_listing = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.is_open = False
        self.file.close()
        self.socket.close()

    def send(self, line):
        """Sends a line; True where an answer to it is due now."""
        try:
            self.socket.sendall(line + b"\n")
        except ConnectionError:
            return True
        if line in LIST_BEGINS:
            self.is_listing = True
        elif line == LIST_ENDS:
            self.is_listing = False
        return not self.is_listing

    def answer(self):
        answer = Answer()
        while True:
            try:
                line = self.file.readline()
            except ConnectionError:
                line = b""
            except TimeoutError:
                self.close()
                answer.end = SILENT
                return answer
            if not line.endswith(b"\n"):
                self.close()
                answer.end = CLOSED
                return answer
            text = line[:-1].decode("utf-8", "backslashreplace")
            if text == "OK" or text.startswith("ACK ["):
                answer.end = text
                # A list whose command fails is over, and so is one that was sent whole.
                self.is_listing = False
                return answer
            name, colon, value = text.partition(": ")
            answer.pairs.append((name, value) if colon else ("", text))
            if name == "binary":
                answer.pairs.append(("bytes", self.file.read(int(value)).hex()))
                self.file.readline()

    def ask(self, line):
        """The answer to a line that has one."""
        self.send(line if isinstance(line, bytes) else line.encode())
        return self.answer()

    def value(self, line, name):
        """The first value of this name in an answer, or None."""
        return next((value for key, value in self.ask(line).pairs if key == name), None)
