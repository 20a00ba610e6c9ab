"""The table of the Sappho stand-in's requests: what answers which path, and who may ask for it."""
import re

ROUTES = []
# An answer that was sent already.
SENT = object()


def route(method, path, needs="user"):
    """A function that answers `method path`. `needs` is `user`, `nothing`, `password` (one that must be changed is enough) or
    `media` (the token may stand in the URL)."""
    pattern = re.compile(path.replace(":number", r"(\d+)").replace(":word", "([^/]+)") + "$")

    def add(function):
        ROUTES.append((method, pattern, needs, function))
        return function
    return add


class Call:
    """One request: its user, its query and its body."""

    def __init__(self, state, handler, query, body):
        self.state, self.handler, self.query, self.body = state, handler, query, body
        self.shelf, self.users, self.user, self.token = state.shelf, state.users, None, ""

    @property
    def id(self):
        return self.user["id"]

    def number(self, name, usual):
        return int(self.query.get(name, usual))

    def sends(self, content, kind, status=200, headers=()):
        self.handler.send_bytes(content, kind, status, headers)
        return SENT
