# deploy/test: tier 2, judges Sources/Web.
"""Every screen as a picture, and its boxes: nothing leaves the screen, lies on something else or is cut, also with texts of twice the
size, mirrored, in the colours of the device, and with more contrast.

The pictures stay in .build/screenshots. Night on a phone runs always; all themes and shapes run with BATON_SLOW=1.
"""

import sys

from Support.hubs import IS_SLOW, main
from Support.suite import slow

try:
    from Support.boxes import faults
    from Support.screens import FORMS, SHAPES, THEMES, ScreenCase, before_themes
except ImportError:
    print("page_screens.py: skipped, for there is no selenium here")
    sys.exit(77)

# The phone first: it is the look that always runs.
EVERY_LOOK = [(shape, theme, form) for shape in sorted(SHAPES, key=lambda shape: shape != "phone") for theme in THEMES for form in (FORMS if theme == "night" else FORMS[:1])]
LOOKS = [look for look in EVERY_LOOK if look[0] in ("phone", "desktop", "round") and look[2] == "dark"]


class Screens(ScreenCase):
    maxDiff = None

    def tearDown(self):
        self.page.prefer()
        self.page.run("localStorage.clear()")
        super().tearDown()

    def look(self, looks, name="", begin=None, **preferred):
        """The faults of all screens in these looks. `begin` is called when the page is there."""
        found = []
        for shape, theme, form in looks:
            self.page.prefer(prefers_color_scheme=form, **preferred)
            self.page.keep(theme=theme)
            self.take_shape(shape)
            if begin:
                self.page.run(f"{begin}; dispatchEvent(new Event('resize'))")
            for screen in self.screens(shape):
                self.reach(screen)
                self.page.run_async("await new Promise(requestAnimationFrame); await new Promise(requestAnimationFrame)")
                which = "-".join(filter(None, (shape, theme, form, screen.name, name)))
                self.page.picture(f"screen-{which}")
                found += [f"{which}: {fault}" for fault in faults(self.page)]
        self.assertEqual(found, [])

    def test_screens(self):
        """Every screen."""
        self.look(EVERY_LOOK if IS_SLOW else EVERY_LOOK[:1])

    def test_before_pairing(self):
        """The pages for pairing and trust have the theme that was chosen for this browser, and its grounds differ."""
        found, grounds = [], set()
        for name in self.before_pairing():
            self.page.picture(f"screen-phone-{name}")
            self.assertEqual(self.page.theme(), name.split("-")[1])
            grounds.add(self.page.run("return getComputedStyle(document.documentElement).backgroundColor"))
            found += [f"{name}: {fault}" for fault in faults(self.page)]
        self.assertEqual((found, len(grounds)), ([], len(before_themes())))

    def test_cookie(self):
        """A theme that is chosen on the page is told to the hub, which has no other way to know it there."""
        self.visit()
        for theme in THEMES[::-1]:
            self.page.choose_theme(theme)
            self.page.wait(theme, lambda: self.page.driver.get_cookie("baton-theme")["value"] == theme)

    def test_large_text(self):
        """With texts of twice the size everything is still there."""
        self.look([look for look in LOOKS[:None if IS_SLOW else 1] if look[0] == "phone"], "large", "document.documentElement.style.fontSize = '200%'")

    @slow
    def test_mirrored(self):
        """As it is read from right to left."""
        self.look(LOOKS, "mirrored", "document.documentElement.dir = 'rtl'")

    @slow
    def test_device_colours(self):
        """In the few colours that a person has chosen for the whole device."""
        self.look(LOOKS, "forced", forced_colors="active")

    @slow
    def test_more_contrast(self):
        """Where a person has asked for more contrast."""
        self.look(LOOKS, "contrast", prefers_contrast="more")


if __name__ == "__main__":
    main("chromium", "chromedriver")
