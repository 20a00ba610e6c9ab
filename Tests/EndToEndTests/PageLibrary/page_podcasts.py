# deploy/test: tier 2, judges Sources/Web.
"""Podcasts on the page: subscribed by a file of OPML, kept on the disk, looked at and ended."""

import sys

from Support.hubs import main

try:
    from Support.pagecase import PageCase
except ImportError:
    print("page_podcasts.py: skipped, for there is no selenium here")
    sys.exit(77)

# Nothing answers there: a subscription is kept all the same, and says so.
OPML = """<opml version="2.0"><body>
  <outline text="Letters &amp; more" type="rss" xmlUrl="http://127.0.0.1:1/letters.xml"/>
  <outline text="Talk" type="rss" xmlUrl="http://127.0.0.1:1/talk.xml"/>
</body></opml>"""


class Podcasts(PageCase):
    """One hub, and no server of feeds."""

    size = (390, 844)

    def podcasts(self):
        return self.command("podcast.list")["d"]["podcasts"]

    def press(self, selector):
        self.page.click(selector)

    def test_subscriptions(self):
        """A file of OPML brings both; one is kept on the disk and ended; what is no feed is refused in a sentence."""
        page = self.page
        page.run("location.hash = '#/library'")
        page.run("""const found = [...document.querySelectorAll('#panel li button')].find(one => one.textContent.trim() === 'Podcasts');
          found?.click()""")
        page.wait("the shelf", lambda: page.run("""const button = document.querySelector('[data-do=podcasts]');
          if (!button) [...document.querySelectorAll('#panel li button')].find(one => one.textContent.trim() === 'Podcasts')?.click();
          return !!button"""))
        path = f"{self.home.folder}/list.opml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(OPML)
        # Chromium opens a window for files otherwise, which nothing here could close.
        page.run("HTMLInputElement.prototype.click = () => { }")
        self.press("[data-do=podcasts]")
        page.wait("the sheet", lambda: page.driver.find_elements("css selector", "#sheet [data-at=feed]"))
        page.run("[...document.querySelectorAll('#sheet button')].find(one => one.textContent === 'Import OPML').click()")
        page.wait("the field", lambda: page.find("[data-at=opml]")).send_keys(path)
        page.wait("both", lambda: len(self.podcasts()) == 2)
        page.wait("a sentence", lambda: "Podcasts read: 2" in page.sentence())
        page.wait("the rows", lambda: page.run("return document.querySelectorAll('#panel .rows li').length") == 2)

        uri = self.podcasts()[0]["uri"]
        page.run("""const row = [...document.querySelectorAll('#panel .rows li')].find(({ row }) => row.uri === arguments[0]);
          row.querySelector('[data-do=more]').click()""", uri)
        self.press("#sheet [data-do=podcast]")
        page.wait("its menu", lambda: page.driver.find_elements("css selector", "#sheet [data-at=keep]"))
        page.run("""const select = document.querySelector('#sheet [data-at=keep]');
          select.value = '3'; select.dispatchEvent(new Event('change'))""")
        page.wait("it is kept", lambda: self.podcasts()[0]["keep"] == 3)
        leave = "return [...document.querySelectorAll('#sheet button')].find(one => /^Unsubscribe/.test(one.textContent)).click()"
        page.run(leave)
        page.run(leave)
        page.wait("one is left", lambda: [row["uri"] for row in self.podcasts()] != [] and len(self.podcasts()) == 1)

        self.press("[data-do=podcasts]")
        page.wait("the sheet", lambda: page.is_still() and page.find("#sheet [data-at=feed]")).send_keys("http://127.0.0.1:1/other.xml")
        page.click("#sheet form button")
        # An address on the hub's own machine is for its admin.
        page.wait("why not, at its field", lambda: "Only an admin" in page.find("#sheet [data-at=feed]").find_element("xpath", "../following-sibling::p").text)
        self.assertEqual(len(self.podcasts()), 1)


if __name__ == "__main__":
    main()
