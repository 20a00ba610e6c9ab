# deploy/test: tier 2, judges Sources/Web.
"""A room plays along with a room of a MusicRoom server, by the page: joined from the settings and from the menu of the room, steered, and left."""

import sys

from Support.hubs import main
from Support.musicrooms import TITLES, MusicRoomCase

try:
    from Support.accounts import SourceHands
    from Support.pagecase import PageCase
except ImportError:
    print("page_joining.py: skipped, for there is no selenium here")
    sys.exit(77)


class Joining(SourceHands, MusicRoomCase, PageCase):
    def setUp(self):
        super().setUp()
        # A server that was away is asked again after a while, or at once.
        self.home.baton("source", "test", "loft")
        self.room.queue, self.room.index, self.room.mode = list(self.server.server.tracks.values()), 0, "repeat-all"
        self.room.paused_at = None
        self.room.put(5.0)

    def tearDown(self):
        self.home.baton("leave")
        self.page.keep(room="main", panel="playing")
        super().tearDown()

    def titles(self):
        return [row["title"] for row in self.rows()]

    def is_joined(self):
        self.page.wait("it is said", lambda: "plays along with Main" in self.page.sentence())
        self.assertEqual(self.titles(), list(TITLES))
        self.page.wait("the page shows what the other room plays", lambda: self.page.text("title") == TITLES[0])
        self.is_in_step(within=1000)

    def test_from_the_settings(self):
        """An admin joins by the menu of the source; a press goes there for all, and leaving brings back the own queue where it was."""
        own = self.titles()
        self.command("jump", entry=self.rows()[1]["entry"])
        self.command("pause")
        self.become_admin()
        self.menu("loft")
        self.press("#sheet [data-do=rooms]")
        self.page.wait("its rooms", lambda: self.sheet_text("Main"))
        self.page.picture("aura-360x640-joining")
        self.sheet("Main")
        self.is_joined()

        self.page.press("next")
        self.reaches("the other room is at the next", lambda status: self.room.index == 1 and status["title"] == TITLES[1])
        self.page.wait("so is the page", lambda: self.page.text("title") == TITLES[1])

        self.show("settings?page=library")
        self.menu("loft")
        self.press("#sheet [data-do=rooms]")
        self.sheet("Leave Main")
        self.page.wait("it is said", lambda: "its own queue again" in self.page.sentence())
        self.reaches("its own queue", lambda _: self.titles() == own)
        self.page.wait("the page shows its own music", lambda: self.page.text("title") == own[1])

    def test_from_the_room(self):
        """Who may steer joins and leaves by the menu of the room, without being an admin."""
        own = self.titles()
        self.show("rooms")
        self.press("#panel [data-room=main] [data-do=more]")
        self.press("#sheet [data-do=rooms]")
        self.sheet("Main")
        self.is_joined()
        self.page.size(1280, 800)
        self.page.picture("aura-1280x800-joined")
        self.page.size(*self.size)
        self.show("rooms")
        self.press("#panel [data-room=main] [data-do=more]")
        self.press("#sheet [data-do=rooms]")
        self.sheet("Leave Main")
        self.reaches("its own queue", lambda _: self.titles() == own)

    def test_a_server_that_is_away(self):
        """A server that does not answer is said to be so, and the own queue stays."""
        own = self.titles()
        self.show("rooms")
        self.press("#panel [data-room=main] [data-do=more]")
        self.page.wait("the line", lambda: self.page.driver.find_elements("css selector", "#sheet [data-do=rooms]"))
        self.server.server.behaviour.status["/api"] = 503
        self.addCleanup(self.server.server.behaviour.__init__)
        self.press("#sheet [data-do=rooms]")
        self.page.wait("it is said", lambda: "could not be read" in self.page.sentence())
        self.assertEqual(self.titles(), own)

    def sheet_text(self, text):
        return [button for button in self.page.driver.find_elements("css selector", "#sheet button") if button.text.startswith(text)]


if __name__ == "__main__":
    main("chromium", "chromedriver", "ffmpeg")
