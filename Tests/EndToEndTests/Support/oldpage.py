"""The page of version 1.3, as a browser holds it that has not asked for another one yet."""

import os

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page-1.3")
TYPES = {".html": "text/html", ".js": "text/javascript"}


class OldPage:
    """What a stand-in gives in the place of the hub: that page for the first request, and the files that it loads."""

    def __init__(self):
        self.opened = 0

    def __call__(self, path):
        if path == "/":
            # The next request is already for the page that the hub has.
            self.opened += 1
            return self.file("index.html") if self.opened == 1 else None
        return self.file(path.removeprefix("/page-1.3/")) if path.startswith("/page-1.3/") else None

    @staticmethod
    def file(name):
        with open(os.path.join(FOLDER, name), "rb") as file:
            body = file.read()
        kind = TYPES[os.path.splitext(name)[1]]
        return b"HTTP/1.1 200 OK\r\ncontent-type: %s\r\ncache-control: no-store\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % (
            kind.encode(), len(body)) + body
