# deploy/test: tier 2, judges Sources/Web.
"""The theme Night: the default, dark or light as the device is, readable whatever the cover's hues are, with a device's own
colours, with more contrast, and mirrored for languages that are read from right to left; and the pages before pairing.
"""

import json
import sys
import urllib.request

from Support.hubs import main

try:
    from Page.page_shapes import BOXES, overlap
    from Support.pagecase import PageCase
except ImportError:
    print("page_night.py: skipped, for there is no selenium here")
    sys.exit(77)

# Hue and saturation of a cover: the darkest and the brightest hues, and none.
TINTS = ["240 60%", "60 60%", "0 0%"]
SHAPES = [(184, 224), (360, 640), (640, 360), (1280, 800)]

# Where titles of rows end at the right, and the boxes that hold them.
ENDS = """return [...document.querySelectorAll('.rows .texts b')].filter(e => e.checkVisibility()).map(e => {
  const range = document.createRange();
  range.selectNodeContents(e);
  return [range, e].map(what => what.getBoundingClientRect().right) })"""

# Each text in sight with the lowest contrast to what lies below it: the fill of a frame, a background, or any colour of a gradient.
CONTRASTS = """
  const pixel = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = colour => { pixel.clearRect(0, 0, 1, 1); pixel.fillStyle = colour; pixel.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data; return [r, g, b, a / 255] };
  const over = ([r, g, b, a], [x, y, z]) => [r * a + x * (1 - a), g * a + y * (1 - a), b * a + z * (1 - a), 1];
  const light = colour => { const [r, g, b] = colour.map(x => x / 255).map(x => x <= .04045 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b };
  const contrast = (one, other) => { const [low, high] = [light(one), light(other)].sort((a, b) => a - b); return (high + .05) / (low + .05) };
  const layers = element => ['::after', '::before', null].map(part => getComputedStyle(element, part))
    .filter((style, index) => index === 2 || style.content !== 'none' && style.zIndex < 0)
    .map(style => [...(style.backgroundImage.match(/(rgba?|color|hsla?|oklab|oklch)\\([^()]*\\)/g) ?? []), style.backgroundColor].map(rgba).filter(colour => colour[3] > 0))
    .filter(colours => colours.length);
  const grounds = element => {
    let above = [];
    for (let at = element; at; at = at.parentElement) {
      for (const colours of layers(at)) {
        above.push(colours);
        if (colours.at(-1)[3] === 1) return above.reverse().reduce((below, colours) => colours.flatMap(colour => below.map(ground => over(colour, ground))), [[0, 0, 0, 1]]);
      }
    }
    return above.concat([[[255, 255, 255, 1]]]).reverse().reduce((below, colours) => colours.flatMap(colour => below.map(ground => over(colour, ground))), [[0, 0, 0, 1]]);
  };
  return [...document.body.querySelectorAll('*')].filter(e => [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()) && !e.closest(':disabled')
    && e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && e.getBoundingClientRect().width).map(e => {
      const style = getComputedStyle(e), ink = rgba(style.color), size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && style.fontWeight >= 700;
      return [e.textContent.slice(0, 40), Math.min(...grounds(e).map(ground => contrast(over(ink, ground), ground))), isLarge ? 3 : 4.5] });
"""


class Night(PageCase):
    def tearDown(self):
        self.page.prefer()
        self.page.run("localStorage.clear()")
        super().tearDown()

    def reads(self, name):
        found = self.page.run(CONTRASTS)
        self.assertGreater(len(found), 0, name)
        for text, contrast, least in found:
            self.assertGreaterEqual(round(contrast, 2), least, f"{name}: “{text}”")

    def colour(self, name):
        return self.page.run("return getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim()", name)

    def test_default(self):
        """A new device gets Night in the form that it prefers, also when that changes; a device that has chosen keeps its theme."""
        shown = "return [document.documentElement.dataset.theme, document.querySelector('meta[name=theme-color]').content]"
        self.page.prefer(prefers_color_scheme="dark")
        self.visit()
        self.assertEqual(self.page.run(shown), ["night", "#0e0d12"])
        self.page.prefer(prefers_color_scheme="light")
        self.page.wait("it is light", lambda: self.page.run(shown) == ["night", "#f6f4f8"])
        self.page.keep(theme="cat")
        self.visit()
        self.assertEqual(self.page.run(shown), ["cat", "#080a06"])

    def test_installed(self):
        """An installed page starts on Night's dark ground, which is also its colour in a list of apps."""
        with urllib.request.urlopen(self.hub.page + "/manifest.json", timeout=60) as answer:
            manifest = json.load(answer)
        self.assertEqual((manifest["background_color"], manifest["theme_color"]), ("#0e0d12", "#0e0d12"))

    def test_contrast(self):
        """Each text reads at 4.5 to 1, and a large one at 3 to 1, in both forms and with any cover."""
        for width, height in SHAPES:
            self.page.size(width, height)
            for panel in ("playing", "queue", "home", "rooms", "settings") if width >= 300 else ("playing",):
                self.page.keep(panel=panel)
                self.visit("" if width < 300 else f"#/{panel}")
                for form in ("dark", "light"):
                    self.page.prefer(prefers_color_scheme=form)
                    for tint in TINTS:
                        self.page.run("for (const name of ['--tint', '--tint2']) document.documentElement.style.setProperty(name, arguments[0])", tint)
                        self.reads(f"{form} {width}x{height} {panel} {tint}")
                    self.page.picture(f"night-{form}-{width}x{height}-{panel}")

    def test_device_colours(self):
        """Forced colours replace all of a theme's, and the lines that carry meaning stay; more contrast darkens what is secondary."""
        for theme in ("night", "aura", "pixel", "cat", "plain"):
            self.page.choose_theme(theme)
            self.page.prefer(forced_colors="active")
            probe = "const e = document.createElement('p'); e.style.color = arguments[0]; document.body.append(e); const c = getComputedStyle(e).color; e.remove(); return c"
            self.assertEqual(self.page.run("return getComputedStyle(document.getElementById('title')).color"), self.page.run(probe, "CanvasText"), theme)
            self.assertEqual(self.page.run("return getComputedStyle(document.getElementById('line')).backgroundColor"), self.page.run(probe, "Highlight"), theme)
            self.reads(f"{theme} in forced colours")
            self.page.picture(f"{theme}-360x640-forced")
            self.page.prefer(prefers_contrast="more")
            self.assertEqual(self.colour("--soft"), self.colour("--ink"), theme)
            self.reads(f"{theme} with more contrast")
            self.page.picture(f"{theme}-360x640-contrast")
            self.page.prefer()

    def test_mirrored(self):
        """Read from right to left the page is a mirror, and nothing leaves it or lies on something else; time still runs to the right."""
        for width, height in [(184, 224), (360, 640), (640, 360), (1280, 800)]:
            self.page.size(width, height)
            for panel in ("playing", "queue", "settings"):
                self.page.keep(panel=panel)
                self.visit(f"#/{panel}")
                self.page.run("document.documentElement.dir = 'rtl'; dispatchEvent(new Event('resize'))")
                name = f"night-{width}x{height}-{panel}-mirrored"
                self.page.picture(name)
                seen = self.page.run(BOXES)
                self.assertLessEqual(max(seen["overflow"]), 0, name)
                for one, box in seen["controls"].items():
                    self.assertTrue(box[0] >= -0.5 and box[2] <= width + 0.5, f"{name}: {one} leaves at {box}")
                    for other, there in seen["controls"].items():
                        self.assertFalse(one < other and overlap(box, there), f"{name}: {one} {box} lies on {other} {there}")
                for one, box in seen["inside"].items():
                    self.assertTrue(box[0] >= -0.5 and box[2] <= width + 0.5, f"{name}: {one} leaves at {box}")
                if panel == "playing" and width < 1100:
                    self.assertLess(seen["controls"]["less"][0], seen["controls"]["more"][0], name)
                if panel == "queue" and width >= 300:
                    self.page.wait("its rows", lambda: self.page.run(ENDS))
                    for text, box in self.page.run(ENDS):
                        self.assertAlmostEqual(text, box, delta=2, msg=f"{name}: a title of the other direction begins elsewhere")
                if panel == "settings" and width == 360:
                    self.assertGreater(seen["controls"]["tab-home"][0], seen["controls"]["tab-library"][0], name)

    def test_trust(self):
        """The page that explains the hub's certificate has both forms."""
        self.page.open(self.hub.page + "/trust")
        grounds = set()
        for form in ("dark", "light"):
            self.page.prefer(prefers_color_scheme=form)
            self.reads(f"trust, {form}")
            grounds.add(self.page.run("return getComputedStyle(document.documentElement).backgroundColor"))
            self.page.picture(f"trust-360x640-{form}")
        self.assertEqual(len(grounds), 2)


if __name__ == "__main__":
    main("chromium", "chromedriver")
