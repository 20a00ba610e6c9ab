# deploy/test: tier 2, first Accessible.test_screens, judges Sources/Web.
"""The accessibility of every screen, by the rules of axe-core: no violation, in any theme, form and shape.

The default theme on a phone and a desktop runs always; all themes, both forms and all shapes run with BATON_SLOW=1.
"""

import glob
import os
import sys

from Support.hubs import IS_SLOW, ROOT, main
from Support.suite import IS_FIRST

try:
    from Support.screens import FORMS, SHAPES, THEMES, ScreenCase
except ImportError:
    print("page_axe.py: skipped, for there is no selenium here")
    sys.exit(77)

EVERY_LOOK = [(shape, theme, form) for shape in SHAPES for theme in THEMES for form in (FORMS if theme == "night" else FORMS[:1])]
LOOKS = EVERY_LOOK if IS_SLOW else [("phone", "night", "dark"), ("desktop", "night", "dark")][:1 if IS_FIRST else 2]
SCRIPT = glob.glob(os.path.join(ROOT, ".build/venv/lib/python3*/site-packages/axe_playwright_python/axe.min.js"))
RUN = """
  const found = await axe.run(document, { resultTypes: ['violations'] });
  return found.violations.map(rule => [rule.id, rule.help, rule.nodes.map(node => `${node.html.slice(0, 200)}: ${node.any.concat(node.all, node.none).map(check => check.message).join('; ')}`)]);
"""


class Accessible(ScreenCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(SCRIPT[0], encoding="utf-8") as file:
            cls.axe = file.read()

    def tearDown(self):
        self.page.prefer()
        self.page.run("localStorage.clear()")
        super().tearDown()

    def violations(self, name):
        if not self.page.run("return 'axe' in window"):
            self.page.run(self.axe)
        found = self.page.run_async(RUN)
        self.assertIsInstance(found, list, f"{name}: axe said {found}")
        return [f"{name}: {rule} ({text}): {node}" for rule, text, nodes in found for node in nodes]

    def walk(self, shape, theme, form, screens):
        self.page.prefer(prefers_color_scheme=form)
        self.page.keep(theme=theme)
        self.take_shape(shape)
        found = []
        for screen in screens:
            self.reach(screen)
            found += self.violations(f"{shape} {theme} {form} {screen.name}")
        return found

    def test_screens(self):
        """Each screen of these themes and shapes."""
        found = [one for shape, theme, form in LOOKS for one in self.walk(shape, theme, form, self.screens(shape))]
        self.assertEqual(found, [])

    def test_before_pairing(self):
        """The pages for pairing and trust, in each theme, and the card for other pages."""
        self.page.open(self.hub.page + "/now")
        found = self.violations("/now")
        for name in self.before_pairing():
            found += self.violations(name)
        self.assertEqual(found, [])


if __name__ == "__main__":
    if not SCRIPT:
        print("page_axe.py: skipped, for deploy/packages test has not installed axe-core here")
        sys.exit(77)
    main("chromium", "chromedriver")
