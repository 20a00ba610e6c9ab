# deploy/test: tier 2, judges Sources/Web.
"""Links for radios, on the page: made and taken back in the menu of a room."""

import json
import sys
import urllib.error
import urllib.request

from Support.hubs import main

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_links.py: skipped, for there is no selenium here")
    sys.exit(77)


class Links(PageCase):
    def found(self, selector):
        return self.page.wait(selector, lambda: [one for one in self.page.driver.find_elements("css selector", selector) if one.is_displayed()])[0]

    def answered(self, address):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, method="HEAD"), timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError as refused:
            return refused.code

    def test_made_and_revoked(self):
        """A link is made with a name, its address opens the stream and is copied, and two taps take it back."""
        self.show("rooms")
        self.page.click(".card [data-do=more]")
        self.page.click("[data-do=links]")
        self.found("#linkname").send_keys("Car")
        self.page.click("#linkmake")
        address = self.found("#linkaddress").get_attribute("value")
        self.assertEqual(self.answered(address), 200)
        self.page.click("#linkcopy")
        self.page.wait("the open sheet says how that went", lambda: self.page.find("#saidhere").is_displayed() and "cop" in self.page.text("saidhere").lower())
        listed = json.loads(self.home.baton("listen", "links", "--json"))["list"]
        self.assertEqual([row["name"] for row in listed], ["Car"])
        revoke = f"#roomlinks [data-link='{listed[0]['link']}'] button"
        self.page.click(revoke)
        self.page.click(revoke)
        self.page.wait("none is left", lambda: not self.page.driver.find_elements("css selector", "#roomlinks [data-link]"))
        self.assertEqual(self.answered(address), 403)
        self.assertEqual(self.page.complaints(), [])


if __name__ == "__main__":
    main("chromium", "chromedriver")
