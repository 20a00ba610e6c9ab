# deploy/test: tier 2, judges Sources/Web Sources/Dialects/Companion.
"""A page of an older version that is open while its hub becomes another one: it loads itself again."""

import sys

from Support.hubs import main

try:
    from Support.oldpage import OldPage
    from Support.pagecase import PageCase
    from Support.standin import Shelf, StandIn
except ImportError:
    print("page_renewal.py: skipped, for there is no selenium here")
    sys.exit(77)


class Renewals(PageCase):
    def test_version_before_core(self):
        """A page of 1.3 calls the hub at its old path, learns that there is another page, and is that page."""
        old = OldPage()
        stand = StandIn(self.hub.port, Shelf(), old)
        self.addCleanup(stand.close)
        self.page.open(stand.page + "/")
        self.page.wait("the page of today", self.page.is_live)
        self.assertGreaterEqual(old.opened, 2)
        self.assertTrue(self.page.run("return sessionStorage.getItem('baton.renewed')"))


if __name__ == "__main__":
    main("chromium", "chromedriver")
